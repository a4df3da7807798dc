// The measured times of PQP, which may not be shipped: reached through FCL, which was measured beside it.
#pragma once

#include "library.hpp"

#include <map>

struct Reference {
    double pqp_cold = 0;     // better of the cold modes, microseconds
    double pqp_shipped = 0;  // better of the cached modes; equal to cold where PQP has no cache
    double clock = 0;        // FCL / pqp_cold on the same machine

    double clock_shipped() const { return clock * pqp_cold / pqp_shipped; }

    // Root-rejected queries: an absolute target replaces the ratio.
    bool has_absolute_target() const { return pqp_cold < 0.5; }
};

class ReferenceTable {
public:
    explicit ReferenceTable(const std::filesystem::path &csv);
    const Reference *find(Query query, const std::string &workload) const;

private:
    std::map<std::pair<Query, std::string>, Reference> rows_;
};
