// Do the libraries agree with each other and with the stored answers?
#pragma once

#include "measure.hpp"

#include <map>

// Line i of <answers>/<workload>.<query>.txt belongs to pose i; files may be missing or short.
class StoredAnswers {
public:
    StoredAnswers(const std::filesystem::path &directory, const Workload &workload);
    std::optional<double> find(Query query, std::size_t pose) const;

private:
    std::map<Query, std::vector<double>> answers_;
};

struct Disagreement {
    std::string who, against;
    std::size_t pose = 0;
    Answer got;
    double expected = 0;
    bool counts_against_feeler = false;  // feeler against the stored answers, or against itself
};

struct Verdict {
    std::size_t compared = 0;  // poses with a stored answer
    std::vector<Disagreement> disagreements;

    bool feeler_is_wrong() const;
};

Verdict verify(const Cell &cell, const StoredAnswers &stored);
