// What local minima and sweeps cost beside distance and contacts, in one run and on one thread: a small bumpy tool moves
// over a large bumpy body in steps of 0.1 % of its size. Prints tables in Markdown.
//
//   benches/haptics/run.sh
#include <feeler.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;

feeler::model bumpy_ball(std::uint32_t rows, double size) {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    const std::uint32_t columns = 2 * rows;
    for (std::uint32_t i = 0; i <= rows; ++i) {
        for (std::uint32_t j = 0; j < columns; ++j) {
            const double v = pi * i / rows, u = 2 * pi * j / columns;
            const double r = size * (1 + 0.15 * std::sin(5 * u) * std::sin(4 * v) + 0.03 * std::sin(23 * u + 3) * std::sin(19 * v));
            vertices.push_back({r * std::sin(v) * std::cos(u), r * std::sin(v) * std::sin(u), r * std::cos(v)});
        }
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < columns; ++j) {
            const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns;
            triangles.push_back({a, a + columns, b});
            triangles.push_back({b, a + columns, b + columns});
        }
    }
    return feeler::model(vertices, triangles);
}

double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A path around the body at a gap; the tool turns slowly.
std::vector<feeler::transform> path_at(feeler::pair &pair, double gap, double step, int count) {
    std::vector<feeler::transform> path;
    double place = 1.5;
    for (int k = 0; k < count; ++k) {
        const double u = step * k, v = 1.2 + 0.3 * std::sin(0.7 * u);
        const double direction[3] = {std::sin(v) * std::cos(u), std::sin(v) * std::sin(u), std::cos(v)};
        const double turn[4] = {std::sin(0.2 * u), 0.1, 0.3 * std::cos(0.1 * u), 1};
        feeler::transform pose;
        for (int turn_count = 0; turn_count < 6; ++turn_count) {
            const double at[3] = {place * direction[0], place * direction[1], place * direction[2]};
            pose = feeler::from_quaternion(turn, at);
            feeler::check(pair.set_transform_b(pose));
            place -= pair.distance().value().upper - gap;
        }
        path.push_back(pose);
    }
    return path;
}

// Mean microseconds of moving and asking along a path; `ask` adds to what it counts. The whole path is replayed each round. Of each
// slice of it the best round counts, so that what interrupts the program is left out.
constexpr int rounds = 7;
template <typename Ask>
double mean(feeler::pair &pair, const std::vector<feeler::transform> &path, Ask ask) {
    constexpr std::size_t slice = 20;
    std::vector<double> best(path.size() / slice, 1e300);
    for (int round = 0; round < rounds; ++round) {
        pair.reset();
        for (std::size_t part = 0; part < best.size(); ++part) {
            const double start = now();
            for (std::size_t step = part * slice; step < (part + 1) * slice; ++step) {
                (void)pair.set_transform_b(path[step]);
                ask(path[step]);
            }
            best[part] = std::min(best[part], now() - start);
        }
    }
    double sum = 0;
    for (const double time : best) {
        sum += time;
    }
    return sum / static_cast<double>(best.size() * slice);
}

} // namespace

int main() {
    constexpr double tool_size = 0.2, margin = 0.01 * 2 * tool_size;
    const feeler::model body = bumpy_ball(100, 1), tool = bumpy_ball(30, tool_size);
    feeler::pair pair(body, tool);
    std::vector<feeler::contact> contacts(100000);
    std::vector<feeler::minimum> minima(1000);
    std::printf("%llu and %llu triangles, margin 1 %% of the tool, steps of 0.1 %%; microseconds per step\n\n"
                "| gap, margins | distance | local minima | contacts | minima / distance | minima / contacts | minima found | contacts found |\n"
                "|---|---|---|---|---|---|---|---|\n",
                static_cast<unsigned long long>(body.info().triangle_count), static_cast<unsigned long long>(tool.info().triangle_count));
    for (const double gap : {4.0, 2.0, 1.2, 0.8, 0.5, 0.2}) {
        const auto path = path_at(pair, gap * margin, 0.001 * 2 * tool_size, 2000);
        std::uint64_t found = 0, all = 0;
        const double distance = mean(pair, path, [&](const feeler::transform &) { (void)pair.distance(); });
        const double local = mean(pair, path, [&](const feeler::transform &) {
            found += pair.local_minima(margin, minima.data(), minima.size())->found;
        });
        const double within = mean(pair, path, [&](const feeler::transform &) { all += pair.contacts(margin, contacts)->found; });
        std::printf("| %.1f | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f |\n", gap, distance, local, within, local / distance,
                    local / within, static_cast<double>(found) / (2000 * rounds), static_cast<double>(all) / (2000 * rounds));
    }
    std::printf("\nSweeps from pose to pose of the path, and of the same length straight into the body; tolerance 0.1 %% of the tool\n\n"
                "| gap, margins | distance, cold | distance | sweep along | sweep into | along / distance | into / distance, cold | queries of a sweep into |\n"
                "|---|---|---|---|---|---|---|---|\n");
    for (const double gap : {4.0, 1.2, 0.5}) {
        const auto path = path_at(pair, gap * margin, 0.001 * 2 * tool_size, 1000);
        feeler::distance_params no_memory;
        no_memory.flags = FEELER_QUERY_NO_COHERENCE;
        const double cold = mean(pair, path, [&](const feeler::transform &) { (void)pair.distance(no_memory); });
        const double warm = mean(pair, path, [&](const feeler::transform &) { (void)pair.distance(); });
        std::size_t next = 0;
        const double along = mean(pair, path, [&](const feeler::transform &) {
            next = (next + 1) % path.size();
            (void)pair.sweep(nullptr, &path[next], 0.001 * tool_size);
        });
        double hits = 0;
        const double into = mean(pair, path, [&](const feeler::transform &pose) {
            feeler::transform end = pose;
            for (double &coordinate : end.translation) {
                coordinate *= 0.5;
            }
            hits += pair.sweep(nullptr, &end, 0.001 * tool_size)->hit;
        });
        std::printf("| %.1f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f %% hit |\n", gap, cold, warm, along, into, along / warm, into / cold,
                    100 * hits / (1000 * rounds));
    }
    return 0;
}
