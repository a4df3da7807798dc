// A library under measurement, as the bench sees it.
#pragma once

#include "clock.hpp"
#include "workload.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

enum class Query { collide, contacts, distance, approx, tolerance };

constexpr Query all_queries[] = {Query::collide, Query::contacts, Query::distance, Query::approx, Query::tolerance};
constexpr double approx_relative_error = 0.1;

const char *name_of(Query query);
std::optional<Query> query_named(const std::string &name);

// `value`: the verdict (0 or 1), the number of touching triangle pairs, or the distance (the upper bound).
// `lower` differs from `value` only where a library certifies an interval.
struct Answer {
    double value = 0, lower = 0;
};

struct Pass {
    std::vector<double> nanoseconds;
    std::vector<Answer> answers;
};

// Means per query over one pass.
struct Counters {
    double expansions = 0, volume_tests = 0, cheap_tests = 0, triangle_tests = 0, robust_tests = 0, front_tests = 0, work = 0;
    double without_looking = 0;  // share of the queries that opened no node and measured no triangles
};

struct BuildFacts {
    double seconds = 0;
    double bytes = 0;  // 0: the library does not say
};

class Library {
public:
    virtual ~Library() = default;
    virtual std::string name() const = 0;
    virtual std::string description() const = 0;

    // Forgets the previous workload. Trees are built when a query first needs them.
    virtual void load(const Workload &workload) = 0;

    // Builds what `query` needs and sizes the result buffers, so that passes measure queries only.
    virtual void prepare(Query query) = 0;
    virtual Pass pass(const Clock &clock, ClockKind kind, Query query, std::size_t poses, double limit_seconds) = 0;
    virtual std::optional<Counters> counters(Query, std::size_t /*poses*/) { return std::nullopt; }
    virtual BuildFacts build_facts() const = 0;

    // False where the library times a stand-in whose answer means something else.
    virtual bool answers(Query) const { return true; }
};

enum class FeelerMode { cold, shipped };

// Empty when the program was built without the library.
std::unique_ptr<Library> make_feeler(FeelerMode mode);
std::unique_ptr<Library> make_fcl(const std::string &collide_volume, const std::string &distance_volume);
std::unique_ptr<Library> make_coal(const std::string &collide_volume, const std::string &distance_volume);
