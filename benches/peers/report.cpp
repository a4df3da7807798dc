#include "report.hpp"

#include <sys/utsname.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

// Three significant digits, without an exponent where people still read the number.
std::string figure(double value)
{
    char text[32];
    if (!std::isfinite(value))
        return "-";
    const double size = std::abs(value);
    if (size >= 99.95 && size < 1e7)
        std::snprintf(text, sizeof text, "%.0f", value);
    else if (size >= 9.995)
        std::snprintf(text, sizeof text, size < 1e7 ? "%.1f" : "%.3g", value);
    else
        std::snprintf(text, sizeof text, size >= 0.9995 ? "%.2f" : "%.3g", value);
    return text;
}

std::string figure(std::optional<double> value) { return value ? figure(*value) : "-"; }

// Markdown that is also aligned in a terminal.
class Table {
public:
    explicit Table(std::vector<std::string> header) { rows_.push_back(std::move(header)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.size() == 1; }

    void print(std::ostream &out) const
    {
        std::vector<std::size_t> widths(rows_[0].size());
        for (const auto &row : rows_)
            for (std::size_t c = 0; c < row.size(); ++c)
                widths[c] = std::max(widths[c], row[c].size());
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (std::size_t c = 0; c < widths.size(); ++c) {
                const std::string padding(widths[c] - rows_[r][c].size(), ' ');
                out << "| " << (c ? padding : "") << rows_[r][c] << (c ? "" : padding) << ' ';
            }
            out << "|\n";
            if (r == 0) {
                for (std::size_t c = 0; c < widths.size(); ++c)
                    out << '|' << std::string(widths[c] + (c ? 1 : 2), '-') << (c ? ":" : "");
                out << "|\n";
            }
        }
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

std::optional<double> mean_us(const Cell &cell, const char *library)
{
    const LibraryResult *result = cell.find(library);
    return result ? std::optional<double>(result->mean_us()) : std::nullopt;
}

std::optional<double> ratio(std::optional<double> numerator, std::optional<double> denominator)
{
    if (!numerator || !denominator || *denominator == 0)
        return std::nullopt;
    return *numerator / *denominator;
}

// The ratios of one cell; absent where a library or a reference is.
struct Ratios {
    std::optional<double> fcl_over_cold, fcl_over_shipped, clock, clock_shipped, pqp_over_cold, pqp_over_shipped;

    Ratios(const Cell &cell, const ReferenceTable &references)
    {
        const auto fcl = mean_us(cell, "FCL");
        fcl_over_cold = ratio(fcl, mean_us(cell, "feeler cold"));
        fcl_over_shipped = ratio(fcl, mean_us(cell, "feeler shipped"));
        if (const Reference *reference = references.find(cell.query, cell.workload->name)) {
            clock = reference->clock;
            clock_shipped = reference->clock_shipped();
        }
        pqp_over_cold = ratio(fcl_over_cold, clock);
        pqp_over_shipped = ratio(fcl_over_shipped, clock_shipped);
    }
};

// Geometric mean and smallest member, of the ratios that exist.
class Summary {
public:
    void add(std::optional<double> value, const std::string &workload)
    {
        if (!value || !(*value > 0))
            return;
        logarithms_ += std::log(*value);
        ++count_;
        if (count_ == 1 || *value < least_) {
            least_ = *value;
            least_workload_ = workload;
        }
    }

    void print(std::ostream &out, const std::string &title, double every, double mean) const
    {
        if (count_ == 0)
            return;
        out << "- " << title << ": geometric mean " << figure(std::exp(logarithms_ / count_)) << " over " << count_ << " workloads, least "
            << figure(least_) << " (" << least_workload_ << ")";
        if (every > 0)
            out << "; target: mean " << figure(mean) << ", every workload " << figure(every);
        out << "\n";
    }

private:
    double logarithms_ = 0, least_ = 0;
    int count_ = 0;
    std::string least_workload_;
};

struct Target {
    double every = 0, mean = 0;  // 0: none is set
};

Target cold_target(Query query)
{
    switch (query) {
    case Query::collide: return {5, 8};
    case Query::contacts: return {5, 8};
    case Query::distance: return {7, 13};
    case Query::tolerance: return {5, 10};
    case Query::approx: return {};
    }
    return {};
}

// Flat and coinciding faces, whatever is asked.
constexpr Target flat_target{3, 5};

bool has_flat_faces(const std::string &workload) { return workload == "robust_boxes" || workload == "robust_coincident"; }

// Of a path with steps of this many percent of B's diagonal, as shipped.
Target step_target(Query query, double percent)
{
    switch (query) {
    case Query::collide: return {8, 25};
    case Query::contacts: return {6, 12};
    case Query::distance: return percent > 0.05 ? Target{8, 15} : percent < 0.02 ? Target{10, 20} : Target{};
    case Query::tolerance: return {6, 15};
    case Query::approx: return {};
    }
    return {};
}

std::string label_of(const Cell &cell) { return cell.workload->label + (cell.truncated() ? " (cut)" : ""); }

std::string processor_model()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0)
            return line.substr(line.find(':') + 2);
    return "unknown processor";
}

std::string first_line(const char *path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string disagreement_value(Query query, const Answer &answer)
{
    char text[96];
    if (query == Query::approx)
        std::snprintf(text, sizeof text, "[%.17g, %.17g]", answer.lower, answer.value);
    else
        std::snprintf(text, sizeof text, "%.17g", answer.value);
    return text;
}

}  // namespace

void print_header(std::ostream &out, const Machine &machine, const Clock &clock, const std::vector<std::unique_ptr<Library>> &libraries)
{
    utsname system{};
    uname(&system);
    out << "# feeler beside its peers\n\n";
    out << "- command: " << machine.command_line << "\n";
    out << "- machine: " << processor_model() << ", " << system.sysname << ' ' << system.release << ' ' << system.machine << ", "
        << (machine.processor >= 0 ? "pinned to processor " + std::to_string(machine.processor) : "not pinned")
        << ", load average " << first_line("/proc/loadavg") << "\n";
    out << "- clock: time stamp counter below " << figure(counter_below_ns / 1000) << " us, smaller of counter and thread CPU time above; overheads "
        << figure(clock.counter_overhead_ns()) << " and " << figure(clock.thread_overhead_ns()) << " ns are subtracted\n";
    out << "- mean: over poses, of the minimum per pose over interleaved passes. Latency: of single passes\n";
    for (const auto &library : libraries)
        out << "- " << library->name() << ": " << library->description() << "\n";
    out << "\n";
}

void print_models(std::ostream &out, const std::vector<MeasuredCell> &cells)
{
    Table table({"workload", "triangles A", "triangles B", "poses", "median step %", "feeler build s", "Mtri/s", "bytes/tri", "FCL build s", "Coal build s"});
    const Workload *previous = nullptr;
    for (const MeasuredCell &measured : cells) {
        const Cell &cell = measured.cell;
        if (cell.workload == previous)
            continue;
        previous = cell.workload;
        const double triangles = static_cast<double>(cell.workload->a.triangles.size() + cell.workload->b.triangles.size());
        std::optional<double> feeler_seconds, rate, bytes, fcl_seconds, coal_seconds;
        if (const LibraryResult *feeler = cell.find("feeler cold")) {
            feeler_seconds = feeler->build.seconds;
            rate = ratio(triangles * 1e-6, feeler_seconds);
            bytes = feeler->build.bytes / triangles;
        }
        if (const LibraryResult *fcl = cell.find("FCL"))
            fcl_seconds = fcl->build.seconds;
        if (const LibraryResult *coal = cell.find("Coal"))
            coal_seconds = coal->build.seconds;
        table.add({cell.workload->label, std::to_string(cell.workload->a.triangles.size()), std::to_string(cell.workload->b.triangles.size()),
                   std::to_string(cell.workload->poses.size()), figure(cell.workload->median_motion * 100), figure(feeler_seconds), figure(rate),
                   figure(bytes), figure(fcl_seconds), figure(coal_seconds)});
    }
    out << "## models (create and build, one thread, thread CPU time)\n\n";
    table.print(out);
    out << "\n";
}

void print_times(std::ostream &out, Query query, const std::vector<MeasuredCell> &cells, const ReferenceTable &references)
{
    Table table({"workload", "poses", "passes", "feeler cold us", "feeler shipped us", "FCL us", "Coal us", "FCL/cold", "FCL/shipped", "clock",
                 "PQP/cold", "clock shipped", "PQP/shipped", "wrong"});
    Summary fcl_cold, fcl_shipped, pqp_cold, pqp_cold_flat, pqp_shipped, pqp_shipped_paths;
    bool any_absolute = false, any_cut = false, any_resampled = false;
    for (const MeasuredCell &measured : cells) {
        const Cell &cell = measured.cell;
        if (cell.query != query)
            continue;
        const Ratios ratios(cell, references);
        const Reference *reference = references.find(query, cell.workload->name);
        const bool absolute = reference && reference->has_absolute_target();
        any_absolute |= absolute;
        any_cut |= cell.truncated();
        any_resampled |= cell.workload->resampled;
        const std::string label = label_of(cell);
        fcl_cold.add(ratios.fcl_over_cold, label);
        fcl_shipped.add(ratios.fcl_over_shipped, label);
        const bool flat = has_flat_faces(cell.workload->name), steps = step_percent(cell.workload->name) > 0;
        if (!absolute) {
            (flat ? pqp_cold_flat : pqp_cold).add(ratios.pqp_over_cold, label);
            pqp_shipped.add(ratios.pqp_over_shipped, label);
            if (cell.workload->is_path() && !flat && !steps)
                pqp_shipped_paths.add(ratios.pqp_over_shipped, label);
        }
        std::size_t wrong = 0;
        for (const Disagreement &disagreement : measured.verdict.disagreements)
            wrong += disagreement.counts_against_feeler;
        table.add({label + (absolute ? " *" : ""), std::to_string(cell.poses), std::to_string(cell.results.front().passes),
                   figure(mean_us(cell, "feeler cold")), figure(mean_us(cell, "feeler shipped")), figure(mean_us(cell, "FCL")),
                   figure(mean_us(cell, "Coal")), figure(ratios.fcl_over_cold), figure(ratios.fcl_over_shipped), figure(ratios.clock),
                   figure(ratios.pqp_over_cold), figure(ratios.clock_shipped), figure(ratios.pqp_over_shipped), std::to_string(wrong)});
    }
    if (table.empty())
        return;
    out << "## " << name_of(query) << "\n\n";
    table.print(out);
    out << "\nPQP/x is implied: (FCL/x) / clock." << (query == Query::tolerance ? " FCL's column is its collide query." : "") << "\n";
    if (any_absolute)
        out << "*: PQP needs less than 0.5 us (root rejected); the target is 0.08 us, and the row is left out of the PQP summaries.\n";
    if (any_cut)
        out << "(cut): only the first poses were measured (--poses, or a pass beyond the budget); the clock belongs to the whole set.\n";
    if (any_resampled)
        out << "name@step: resampled; the clock belongs to the path as stored.\n";
    out << "\n";
    const Target target = cold_target(query);
    fcl_cold.print(out, "FCL / feeler cold", 0, 0);
    fcl_shipped.print(out, "FCL / feeler shipped", 0, 0);
    pqp_cold.print(out, "PQP / feeler, cold", target.every, target.mean);
    pqp_cold_flat.print(out, "PQP / feeler, cold, flat and coinciding faces", flat_target.every, flat_target.mean);
    pqp_shipped.print(out, "PQP / feeler, as shipped", 0, 0);
    pqp_shipped_paths.print(out, "PQP / feeler, as shipped, paths as stored", 0, 0);
    out << "\n";
}

void print_steps(std::ostream &out, const std::vector<MeasuredCell> &cells, const ReferenceTable &references)
{
    Table table({"query", "workload", "shipped us", "p99", "max", "cold us", "cold max", "cold/shipped", "PQP/shipped", "without looking %", "blocks",
                 "expansions", "pairs", "expansions cold", "pairs cold"});
    std::map<std::pair<Query, double>, Summary> of_distance;
    std::map<Query, Summary> of_query;
    for (const MeasuredCell &measured : cells) {
        const Cell &cell = measured.cell;
        const double percent = step_percent(cell.workload->name);
        const LibraryResult *shipped = cell.find("feeler shipped"), *cold = cell.find("feeler cold");
        if (!(percent > 0) || !shipped || !cold || !shipped->counters || !cold->counters)
            continue;
        const Ratios ratios(cell, references);
        const Counters &with = *shipped->counters, &without = *cold->counters;
        const std::string label = label_of(cell);
        table.add({name_of(cell.query), label, figure(shipped->mean_us()), figure(shipped->latency.p99 * 1e-3), figure(shipped->latency.max * 1e-3),
                   figure(cold->mean_us()), figure(cold->latency.max * 1e-3), figure(ratio(cold->mean_us(), shipped->mean_us())),
                   figure(ratios.pqp_over_shipped), figure(100 * with.without_looking), figure(with.front_tests), figure(with.expansions),
                   figure(with.triangle_tests), figure(without.expansions), figure(without.triangle_tests)});
        if (cell.query == Query::distance)
            of_distance[{cell.query, percent}].add(ratios.pqp_over_shipped, label);
        else
            of_query[cell.query].add(ratios.pqp_over_shipped, label);
    }
    if (table.empty())
        return;
    out << "## Small steps, as shipped\n\n";
    table.print(out);
    out << "\nPQP in its better cached mode. p99 and max are of single passes (median over the passes). Without looking: no block checked, no node\n"
           "opened, no triangles measured.\n\n";
    for (const auto &[key, summary] : of_distance) {
        const Target target = step_target(key.first, key.second);
        summary.print(out, "PQP / feeler, distance, steps of " + figure(key.second) + " %", target.every, target.mean);
    }
    for (const auto &[query, summary] : of_query) {
        const Target target = step_target(query, 0.1);
        summary.print(out, std::string("PQP / feeler, ") + name_of(query) + ", steps of 0.1 % and less", target.every, target.mean);
    }
    out << "\n";
}

void print_counters(std::ostream &out, Query query, const std::vector<MeasuredCell> &cells)
{
    Table table({"workload", "mode", "expansions", "volume tests", "cheap tests", "triangle tests", "robust tests", "robust %", "front tests", "work"});
    for (const MeasuredCell &measured : cells) {
        if (measured.cell.query != query)
            continue;
        for (const LibraryResult &result : measured.cell.results) {
            if (!result.counters)
                continue;
            const Counters &counters = *result.counters;
            table.add({label_of(measured.cell), result.name == "feeler cold" ? "cold" : "shipped", figure(counters.expansions), figure(counters.volume_tests),
                       figure(counters.cheap_tests), figure(counters.triangle_tests), figure(counters.robust_tests),
                       figure(counters.triangle_tests > 0 ? 100 * counters.robust_tests / counters.triangle_tests : 0), figure(counters.front_tests),
                       figure(counters.work)});
        }
    }
    if (table.empty())
        return;
    out << "### " << name_of(query) << ": feeler's counters per query\n\n";
    table.print(out);
    out << "\n";
}

void print_latency(std::ostream &out, Query query, const std::vector<MeasuredCell> &cells)
{
    Table table({"workload", "library", "median us", "p99", "p99.9", "max", "worst of all passes"});
    for (const MeasuredCell &measured : cells) {
        if (measured.cell.query != query)
            continue;
        for (const LibraryResult &result : measured.cell.results) {
            const Latency &latency = result.latency;
            table.add({label_of(measured.cell), result.name, figure(latency.median * 1e-3), figure(latency.p99 * 1e-3), figure(latency.p999 * 1e-3),
                       figure(latency.max * 1e-3), figure(latency.worst * 1e-3)});
        }
    }
    if (table.empty())
        return;
    out << "### " << name_of(query) << ": latency of single passes (median over the passes)\n\n";
    table.print(out);
    out << "\n";
    for (const MeasuredCell &measured : cells) {
        if (measured.cell.query != query)
            continue;
        int first = Histogram::bucket_count, last = -1;
        for (const LibraryResult &result : measured.cell.results)
            for (int b = 0; b < Histogram::bucket_count; ++b)
                if (result.histogram.counts[static_cast<std::size_t>(b)]) {
                    first = std::min(first, b);
                    last = std::max(last, b);
                }
        std::vector<std::string> header{"from us"};
        for (const LibraryResult &result : measured.cell.results)
            header.push_back(result.name + " %");
        Table histogram(header);
        for (int b = first; b <= last; ++b) {
            std::vector<std::string> row{figure(Histogram::lower_edge_ns(b) * 1e-3)};
            for (const LibraryResult &result : measured.cell.results) {
                const double queries = static_cast<double>(result.latency.passes * measured.cell.poses);
                const std::uint64_t count = result.histogram.counts[static_cast<std::size_t>(b)];
                row.push_back(count ? figure(100 * static_cast<double>(count) / queries) : "");
            }
            histogram.add(row);
        }
        out << name_of(query) << " on " << label_of(measured.cell) << ", share of queries by duration:\n\n";
        histogram.print(out);
        out << "\n";
    }
}

void print_disagreements(std::ostream &out, const std::vector<MeasuredCell> &cells)
{
    constexpr std::size_t most_printed = 5;
    bool any = false;
    std::size_t compared = 0;
    for (const MeasuredCell &measured : cells) {
        compared += measured.verdict.compared;
        std::map<std::pair<std::string, std::string>, std::vector<const Disagreement *>> groups;
        for (const Disagreement &disagreement : measured.verdict.disagreements)
            groups[{disagreement.who, disagreement.against}].push_back(&disagreement);
        for (const auto &[names, members] : groups) {
            if (!any)
                out << "## disagreements\n\n";
            any = true;
            out << "- " << label_of(measured.cell) << ' ' << name_of(measured.cell.query) << ": " << names.first << " differs from " << names.second << " at "
                << members.size() << " of " << measured.cell.poses << " poses" << (members.front()->counts_against_feeler ? " (FEELER)" : "") << "\n";
            for (std::size_t i = 0; i < std::min(most_printed, members.size()); ++i) {
                char expected[40];
                std::snprintf(expected, sizeof expected, "%.17g", members[i]->expected);
                out << "    - pose " << members[i]->pose << ": " << disagreement_value(measured.cell.query, members[i]->got) << " instead of " << expected << "\n";
            }
        }
    }
    if (any)
        out << "\nPQP, FCL and Coal share a triangle-distance kernel that is wrong for edges below about 2e-4 units and for touching triangles; Coal also\n"
               "reports collisions below a gap of about 1e-6 units. Differences of the peers are notes; those marked FEELER fail the run.\n\n";
    out << compared << " answers per library were compared with stored ones.\n";
}

void write_csv(const std::filesystem::path &path, const std::vector<MeasuredCell> &cells, const ReferenceTable &references)
{
    std::ofstream file(path);
    file << "workload,query,library,poses,passes,mean_us,median_us,p99_us,p999_us,max_us,worst_us,fcl_ratio,clock,pqp_ratio,disagreements,build_s,model_bytes,"
            "expansions,volume_tests,cheap_tests,triangle_tests,robust_tests,front_tests,work,latency_passes,triangles_a,triangles_b,median_step,path\n";
    const auto optional_cell = [](std::optional<double> value) {
        std::ostringstream text;
        if (value)
            text << *value;
        return text.str();
    };
    for (const MeasuredCell &measured : cells) {
        const Cell &cell = measured.cell;
        const Ratios ratios(cell, references);
        for (const LibraryResult &result : cell.results) {
            const bool cold = result.name == "feeler cold", shipped = result.name == "feeler shipped";
            std::size_t disagreements = 0;
            for (const Disagreement &disagreement : measured.verdict.disagreements)
                disagreements += disagreement.who == result.name;
            const Latency &latency = result.latency;
            file << cell.workload->label << ',' << name_of(cell.query) << ',' << result.name << ',' << cell.poses << ',' << result.passes << ','
                 << result.mean_us() << ',' << latency.median * 1e-3 << ',' << latency.p99 * 1e-3 << ',' << latency.p999 * 1e-3 << ',' << latency.max * 1e-3 << ','
                 << latency.worst * 1e-3 << ',' << optional_cell(cold ? ratios.fcl_over_cold : shipped ? ratios.fcl_over_shipped : std::nullopt) << ','
                 << optional_cell(cold ? ratios.clock : shipped ? ratios.clock_shipped : std::nullopt) << ','
                 << optional_cell(cold ? ratios.pqp_over_cold : shipped ? ratios.pqp_over_shipped : std::nullopt) << ',' << disagreements << ','
                 << result.build.seconds << ',' << result.build.bytes;
            if (result.counters) {
                const Counters &c = *result.counters;
                file << ',' << c.expansions << ',' << c.volume_tests << ',' << c.cheap_tests << ',' << c.triangle_tests << ',' << c.robust_tests << ','
                     << c.front_tests << ',' << c.work;
            } else {
                file << ",,,,,,,";
            }
            const Workload &workload = *cell.workload;
            file << ',' << latency.passes << ',' << workload.a.triangles.size() << ',' << workload.b.triangles.size() << ',' << workload.median_motion << ','
                 << workload.is_path() << '\n';
        }
    }
    if (!file.flush())
        throw std::runtime_error("cannot write " + path.string());
}
