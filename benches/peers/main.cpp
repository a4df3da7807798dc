// Measures feeler, FCL and Coal on workload directories in one run; see README.md.
#include "report.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

const char *name_of(Query query)
{
    switch (query) {
    case Query::collide: return "collide";
    case Query::contacts: return "contacts";
    case Query::distance: return "distance";
    case Query::approx: return "approx";
    case Query::tolerance: return "tolerance";
    }
    return "unknown";
}

std::optional<Query> query_named(const std::string &name)
{
    for (Query query : all_queries)
        if (name == name_of(query))
            return query;
    return std::nullopt;
}

namespace {

constexpr const char *usage =
    "usage: peers --workloads DIR [options]\n"
    "  --workloads DIR        a workload (a.obj, b.obj, poses.txt) or a directory of workloads\n"
    "  --answers DIR          stored answers; default: DIR/../answers when it exists\n"
    "  --only NAME,NAME       these workloads only\n"
    "  --steps                the paths of small steps only: NAME_0.1, NAME_0.03 and NAME_0.01\n"
    "  --queries LIST         of collide,contacts,distance,approx,tolerance; default: all\n"
    "  --seconds S            budget per workload and query; default 1\n"
    "  --poses N              the first N poses only\n"
    "  --resample PERCENT     insert poses until no step moves B by more than PERCENT of its diagonal\n"
    "  --resample-poses N     keep N poses from the middle of the resampled path\n"
    "  --latency              latency tables and histograms\n"
    "  --csv FILE             everything, one line per workload, query and library\n"
    "  --clock FILE           PQP's measured times; default: the clock.csv beside the sources\n"
    "  --feeler-only          without FCL and Coal\n"
    "  --peers-only           without feeler\n"
    "  --without-coal         without Coal\n"
    "  --fcl-volumes C,D      volumes for collide and distance, of obb, obbrss, rss, kios; likewise --coal-volumes\n"
    "  --cpu N                pin to processor N; -1: do not pin; default: the last one allowed\n"
    "  --lenient              exit 0 even if feeler differs from the stored answers\n";

struct Options {
    fs::path workloads, answers, csv, clock = PEERS_CLOCK_CSV;
    std::set<std::string> only;
    std::vector<Query> queries{std::begin(all_queries), std::end(all_queries)};
    Budget budget;
    double resample_percent = 0;
    std::size_t resample_poses = 0;  // 0: all
    bool steps = false, latency = false, feeler = true, fcl = true, coal = true, lenient = false;
    std::vector<std::string> fcl_volumes{"obb", "obbrss"}, coal_volumes{"obb", "obbrss"};
    int processor = -2;  // -2: choose
};

std::vector<std::string> split(const std::string &list)
{
    std::vector<std::string> items;
    std::istringstream stream(list);
    for (std::string item; std::getline(stream, item, ',');)
        if (!item.empty())
            items.push_back(item);
    return items;
}

std::vector<std::string> two_volumes(const std::string &list)
{
    std::vector<std::string> volumes = split(list);
    if (volumes.size() != 2)
        throw std::invalid_argument("two volumes expected, for collide and for distance: " + list);
    return volumes;
}

Options parse(int count, char **arguments)
{
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        const auto value = [&]() -> std::string {
            if (++i >= count)
                throw std::invalid_argument(option + " needs a value");
            return arguments[i];
        };
        if (option == "--workloads")
            options.workloads = value();
        else if (option == "--answers")
            options.answers = value();
        else if (option == "--only") {
            for (const std::string &name : split(value()))
                options.only.insert(name);
        } else if (option == "--queries") {
            options.queries.clear();
            for (const std::string &name : split(value())) {
                const std::optional<Query> query = query_named(name);
                if (!query)
                    throw std::invalid_argument("unknown query " + name);
                options.queries.push_back(*query);
            }
        } else if (option == "--seconds")
            options.budget.seconds = std::stod(value());
        else if (option == "--poses")
            options.budget.most_poses = std::stoul(value());
        else if (option == "--resample")
            options.resample_percent = std::stod(value());
        else if (option == "--resample-poses")
            options.resample_poses = std::stoul(value());
        else if (option == "--steps")
            options.steps = true;
        else if (option == "--latency")
            options.latency = true;
        else if (option == "--csv")
            options.csv = value();
        else if (option == "--clock")
            options.clock = value();
        else if (option == "--feeler-only")
            options.fcl = options.coal = false;
        else if (option == "--peers-only")
            options.feeler = false;
        else if (option == "--without-coal")
            options.coal = false;
        else if (option == "--fcl-volumes")
            options.fcl_volumes = two_volumes(value());
        else if (option == "--coal-volumes")
            options.coal_volumes = two_volumes(value());
        else if (option == "--cpu")
            options.processor = std::stoi(value());
        else if (option == "--lenient")
            options.lenient = true;
        else
            throw std::invalid_argument("unknown option " + option);
    }
    if (options.workloads.empty())
        throw std::invalid_argument("--workloads is missing");
    if (!(options.budget.seconds > 0))
        throw std::invalid_argument("--seconds must be positive");
    return options;
}

// A query that migrates starts with empty caches.
int pin(int wanted)
{
    if (wanted == -1)
        return -1;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return -1;
    if (wanted == -2)
        for (int processor = 0; processor < CPU_SETSIZE; ++processor)
            if (CPU_ISSET(processor, &allowed))
                wanted = processor;
    if (wanted < 0 || wanted >= CPU_SETSIZE)
        return -1;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(wanted, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? wanted : -1;
}

std::vector<fs::path> workload_directories(const Options &options)
{
    std::vector<fs::path> directories;
    if (fs::exists(options.workloads / "poses.txt")) {
        directories.push_back(fs::canonical(options.workloads));
    } else {
        for (const fs::directory_entry &entry : fs::directory_iterator(options.workloads))
            if (fs::exists(entry.path() / "poses.txt") && (options.only.empty() || options.only.count(entry.path().filename().string())) &&
                (!options.steps || step_percent(entry.path().filename().string()) > 0))
                directories.push_back(entry.path());
        std::sort(directories.begin(), directories.end());
    }
    if (directories.empty())
        throw std::runtime_error("no workload found in " + options.workloads.string());
    return directories;
}

fs::path answers_directory(const Options &options)
{
    if (!options.answers.empty())
        return options.answers;
    const fs::path root = fs::canonical(options.workloads);
    for (const fs::path &guess : {root / ".." / "answers", root / ".." / ".." / "answers"})
        if (fs::is_directory(guess))
            return guess;
    return {};
}

int run(int count, char **arguments)
{
    const Options options = parse(count, arguments);
    const ReferenceTable references(options.clock);
    Machine machine;
    for (int i = 0; i < count; ++i)
        machine.command_line += (i ? " " : "") + std::string(arguments[i]);
    machine.processor = pin(options.processor);
    const Clock clock;

    std::vector<std::unique_ptr<Library>> libraries;
    const auto add = [&libraries](std::unique_ptr<Library> library) {
        if (library)
            libraries.push_back(std::move(library));
    };
    if (options.feeler) {
        add(make_feeler(FeelerMode::cold));
        add(make_feeler(FeelerMode::shipped));
    }
    if (options.fcl)
        add(make_fcl(options.fcl_volumes[0], options.fcl_volumes[1]));
    if (options.coal)
        add(make_coal(options.coal_volumes[0], options.coal_volumes[1]));
    if (libraries.empty())
        throw std::runtime_error("no library to measure: the program was built without feeler");

    print_header(std::cout, machine, clock, libraries);
    std::cout.flush();

    const fs::path answers = answers_directory(options);
    // Cells point at their workload, so workloads live as long as the report. Only the meshes' sizes and
    // bounds are used there.
    std::vector<std::unique_ptr<Workload>> workloads;
    std::vector<MeasuredCell> cells;
    for (const fs::path &directory : workload_directories(options)) {
        workloads.push_back(std::make_unique<Workload>(load_workload(directory)));
        Workload &workload = *workloads.back();
        if (options.resample_percent > 0)
            resample(workload, options.resample_percent / 100, options.resample_poses);
        const StoredAnswers stored(answers, workload);
        for (const auto &library : libraries)
            library->load(workload);
        for (Query query : options.queries) {
            std::cerr << workload.label << ' ' << name_of(query) << "\n";
            Cell cell = measure_cell(clock, workload, query, libraries, options.budget);
            Verdict verdict = verify(cell, stored);
            cells.push_back({std::move(cell), std::move(verdict)});
        }
    }

    print_models(std::cout, cells);
    for (Query query : options.queries) {
        print_times(std::cout, query, cells, references);
        print_counters(std::cout, query, cells);
        if (options.latency)
            print_latency(std::cout, query, cells);
    }
    print_steps(std::cout, cells, references);
    print_disagreements(std::cout, cells);
    if (!options.csv.empty())
        write_csv(options.csv, cells, references);

    const bool wrong = std::any_of(cells.begin(), cells.end(), [](const MeasuredCell &measured) { return measured.verdict.feeler_is_wrong(); });
    if (wrong)
        std::cout << "feeler gave wrong answers, marked FEELER above.\n";
    return wrong && !options.lenient ? 1 : 0;
}

}  // namespace

int main(int count, char **arguments)
{
    if (count == 2 && std::string(arguments[1]) == "--help") {
        std::cout << usage;
        return 0;
    }
    try {
        return run(count, arguments);
    } catch (const std::invalid_argument &error) {
        std::cerr << error.what() << "\n" << usage;
        return 2;
    } catch (const std::exception &error) {
        std::cerr << "peers: " << error.what() << "\n";
        return 2;
    }
}
