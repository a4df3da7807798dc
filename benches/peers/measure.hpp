// One cell of the table: one query on one workload, all libraries interleaved.
#pragma once

#include "library.hpp"

#include <array>

// Of single passes: what a caller meets, not what is left when the best of many passes is taken.
// Each figure is the median over the passes of that pass's figure; `worst` is the largest query of all passes.
struct Latency {
    std::size_t passes = 0;
    double median = 0, p99 = 0, p999 = 0, max = 0, worst = 0;
};

// Counts of single-pass queries in half-octave buckets of nanoseconds, from 16 ns up.
struct Histogram {
    static constexpr int bucket_count = 64;
    std::array<std::uint64_t, bucket_count> counts{};

    static double lower_edge_ns(int bucket);
    void add(double nanoseconds);
};

struct LibraryResult {
    Library *library = nullptr;
    std::string name;
    ClockKind clock_kind = ClockKind::counter_and_thread;
    std::size_t passes = 0;
    std::vector<double> minima;  // nanoseconds per pose
    std::vector<Answer> answers;
    Latency latency;
    Histogram histogram;
    std::optional<Counters> counters;
    BuildFacts build;

    double mean_us() const;
};

struct Cell {
    const Workload *workload = nullptr;
    Query query = Query::collide;
    std::size_t poses = 0;  // fewer than the workload has when one pass would not fit the budget
    std::vector<LibraryResult> results;

    const LibraryResult *find(const std::string &name) const;
    bool truncated() const { return poses < workload->poses.size(); }
};

struct Budget {
    double seconds = 1;          // per cell; a pass that has begun is finished
    std::size_t most_passes = 100;
    std::size_t most_poses = 0;  // 0: all
};

Cell measure_cell(const Clock &clock, const Workload &workload, Query query, const std::vector<std::unique_ptr<Library>> &libraries, const Budget &budget);
