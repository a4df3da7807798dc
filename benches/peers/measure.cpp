#include "measure.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace {

// A first pass may overrun the budget by this factor; then the cell is cut down to the poses done by then.
constexpr double overrun = 10;

// Latency is a median over passes: a library that has fewer gets more, while they fit a share of the budget.
constexpr std::size_t latency_passes = 9;
constexpr double latency_share = 0.25;

// The bare counter needs a minimum over some passes to be rid of preemption, whatever the budget says.
constexpr std::size_t least_counter_passes = 3;

// A turn of passes shorter than this is made of several: the first finds code and data where the other libraries left them, far
// from the processor, which would be most of what a pass of a few microseconds shows.
constexpr std::uint64_t short_turn_ns = 1'000'000;
constexpr std::size_t passes_of_short_turn = 3;

double mean(const std::vector<double> &values)
{
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

// Nearest rank: always a query that happened.
double quantile(const std::vector<double> &sorted, double share)
{
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    const std::size_t index = static_cast<std::size_t>(std::max(1.0, rank)) - 1;
    return sorted[std::min(index, sorted.size() - 1)];
}

struct PassFigures {
    std::vector<double> medians, p99s, p999s, maxima;
    Histogram histogram;

    void add(std::vector<double> nanoseconds)
    {
        std::sort(nanoseconds.begin(), nanoseconds.end());
        medians.push_back(quantile(nanoseconds, 0.5));
        p99s.push_back(quantile(nanoseconds, 0.99));
        p999s.push_back(quantile(nanoseconds, 0.999));
        maxima.push_back(nanoseconds.back());
        for (double query : nanoseconds)
            histogram.add(query);
    }

    Latency summary() const
    {
        return {medians.size(), median(medians), median(p99s), median(p999s), median(maxima),
                maxima.empty() ? 0 : *std::max_element(maxima.begin(), maxima.end())};
    }
};

void accept(LibraryResult &result, PassFigures &figures, Pass &&pass)
{
    if (result.minima.empty())
        result.minima.assign(pass.nanoseconds.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < result.minima.size(); ++i)
        result.minima[i] = std::min(result.minima[i], pass.nanoseconds[i]);
    // The bare counter counts preemption, which is no latency of the library: such cells get passes of their own.
    if (result.clock_kind != ClockKind::counter)
        figures.add(std::move(pass.nanoseconds));
    ++result.passes;
}

}  // namespace

double Histogram::lower_edge_ns(int bucket) { return 16 * std::exp2(bucket / 2.0); }

void Histogram::add(double nanoseconds)
{
    const int bucket = nanoseconds <= 16 ? 0 : static_cast<int>(2 * std::log2(nanoseconds / 16));
    ++counts[static_cast<std::size_t>(std::min(bucket, bucket_count - 1))];
}

double LibraryResult::mean_us() const { return mean(minima) * 1e-3; }

const LibraryResult *Cell::find(const std::string &name) const
{
    for (const LibraryResult &result : results)
        if (result.name == name)
            return &result;
    return nullptr;
}

Cell measure_cell(const Clock &clock, const Workload &workload, Query query, const std::vector<std::unique_ptr<Library>> &libraries, const Budget &budget)
{
    Cell cell;
    cell.workload = &workload;
    cell.query = query;
    cell.poses = workload.poses.size();
    if (budget.most_poses)
        cell.poses = std::min(cell.poses, budget.most_poses);

    const double no_limit = std::numeric_limits<double>::infinity();
    const std::size_t count = libraries.size();
    std::vector<Pass> probes(count);
    std::vector<PassFigures> figures(count);
    cell.results.resize(count);
    for (std::size_t l = 0; l < count; ++l) {
        LibraryResult &result = cell.results[l];
        result.library = libraries[l].get();
        result.name = result.library->name();
        result.library->prepare(query);
        result.build = result.library->build_facts();
    }
    const std::uint64_t probe_start = wall_nanoseconds();
    for (std::size_t l = 0; l < count; ++l) {
        probes[l] = libraries[l]->pass(clock, ClockKind::counter_and_thread, query, cell.poses, overrun * budget.seconds);
        cell.poses = std::min(cell.poses, probes[l].nanoseconds.size());
    }
    const double round_seconds = static_cast<double>(wall_nanoseconds() - probe_start) * 1e-9;

    // The first pass warms up. Where a whole round hardly fits the budget it counts: warm-up matters little
    // to queries that long.
    const bool keep_probes = round_seconds > budget.seconds / 3;
    for (std::size_t l = 0; l < count; ++l) {
        LibraryResult &result = cell.results[l];
        probes[l].nanoseconds.resize(cell.poses);
        probes[l].answers.resize(cell.poses);
        result.answers = std::move(probes[l].answers);
        if (mean(probes[l].nanoseconds) < counter_below_ns)
            result.clock_kind = ClockKind::counter;
        else if (keep_probes)
            accept(result, figures[l], std::move(probes[l]));
    }

    const std::uint64_t start = wall_nanoseconds();
    for (std::size_t round = 0; round < budget.most_passes; ++round) {
        const double elapsed = static_cast<double>(wall_nanoseconds() - start) * 1e-9;
        const bool enough = round >= (keep_probes ? 1u : 2u);
        if (enough && elapsed + round_seconds > budget.seconds)
            break;
        if (round_seconds > overrun * budget.seconds && keep_probes)
            break;
        for (std::size_t turn = 0; turn < count; ++turn) {
            // Each library follows each other one in turn, so none always inherits the same caches.
            const std::size_t l = (turn + round) % count;
            LibraryResult &result = cell.results[l];
            const std::uint64_t turn_start = wall_nanoseconds();
            for (std::size_t pass = 0; pass < passes_of_short_turn; ++pass) {
                accept(result, figures[l], result.library->pass(clock, result.clock_kind, query, cell.poses, no_limit));
                if (wall_nanoseconds() - turn_start > short_turn_ns)
                    break;
            }
        }
    }

    for (std::size_t l = 0; l < count; ++l) {
        LibraryResult &result = cell.results[l];
        // A round too long to repeat leaves the fast libraries with few counted passes, or none.
        const std::size_t least = result.clock_kind == ClockKind::counter ? least_counter_passes : 1;
        while (result.passes < least)
            accept(result, figures[l], result.library->pass(clock, result.clock_kind, query, cell.poses, no_limit));
        result.counters = result.library->counters(query, cell.poses);
    }
    std::vector<double> spent(count);
    for (std::size_t round = 0; round < latency_passes; ++round)
        for (std::size_t l = 0; l < count; ++l) {
            const bool none = figures[l].medians.empty();
            if (figures[l].medians.size() >= latency_passes || (!none && spent[l] > latency_share * budget.seconds))
                continue;
            const bool fast = cell.results[l].clock_kind == ClockKind::counter;
            const ClockKind kind = fast ? ClockKind::counter_unless_preempted : ClockKind::counter_and_thread;
            const std::uint64_t before = wall_nanoseconds();
            figures[l].add(libraries[l]->pass(clock, kind, query, cell.poses, no_limit).nanoseconds);
            spent[l] += static_cast<double>(wall_nanoseconds() - before) * 1e-9;
        }
    for (std::size_t l = 0; l < count; ++l) {
        cell.results[l].latency = figures[l].summary();
        cell.results[l].histogram = figures[l].histogram;
    }
    return cell;
}
