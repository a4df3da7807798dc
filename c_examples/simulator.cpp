// A small simulator: rings fall, are pulled to the middle, and bounce off each other and the floor. All rings share one
// model. Every two rings have a feeler::pair; in every step it says whether they touch and how near they are. Pairs are
// independent, so threads share the work without a lock.
#include <feeler.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#ifdef __unix__
#include <unistd.h>
#endif

namespace {

const char usage[] = "usage: simulator [--bodies N] [--steps N] [--triangles N] [--threads N]\n"
                     "  --bodies     rings that fall, 2 to 200 (default 12)\n"
                     "  --steps      steps of 5 ms, 1 to 1000000 (default 400)\n"
                     "  --triangles  triangles of a ring, 32 to 200000 (default 1152)\n"
                     "  --threads    threads that run the queries, 1 to 64 (default 1)\n";

constexpr double step_seconds = 0.005;
constexpr double ring_radius = 0.10, tube_radius = 0.025; // metres
constexpr double reach = ring_radius + tube_radius;

using vec3 = std::array<double, 3>;

struct body {
    vec3 position{}, velocity{}, spin{};
    std::array<double, 4> turn{0, 0, 0, 1}; // quaternion x, y, z, w
};

struct couple {
    std::size_t a, b;
    feeler::pair pair;
    feeler_collide_result touching;
    feeler_distance_result nearest;
};

struct totals {
    std::atomic<unsigned long long> queries{0}, touching{0};
    std::atomic<feeler_status> failure{FEELER_STATUS_OK};
};

feeler::model make_ring(std::size_t triangle_count) {
    const auto around = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangle_count)));
    const std::uint32_t across = around / 2;
    std::vector<std::array<float, 3>> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const double u = 2 * 3.14159265358979 * i / around, v = 2 * 3.14159265358979 * j / across;
            const double radius = ring_radius + tube_radius * std::cos(v);
            vertices.push_back({static_cast<float>(radius * std::cos(u)), static_cast<float>(radius * std::sin(u)),
                                static_cast<float>(tube_radius * std::sin(v))});
            const std::uint32_t a = i * across + j, b = (i + 1) % around * across + j;
            const std::uint32_t c = (i + 1) % around * across + (j + 1) % across, d = i * across + (j + 1) % across;
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        }
    }
    return feeler::model(vertices, triangles);
}

// A small random generator, so that the scene is the same on every machine.
std::vector<body> place_bodies(std::size_t count) {
    std::uint32_t state = 12345;
    const auto random = [&state] {
        state = state * 1664525u + 1013904223u;
        return static_cast<double>(state >> 8) / 16777216.0 - 0.5;
    };
    std::vector<body> bodies(count);
    for (std::size_t index = 0; index < count; ++index) {
        body &b = bodies[index];
        b.position = {0.3 * random(), 0.3 * random(), 0.3 + 0.28 * static_cast<double>(index)};
        b.velocity = {0.2 * random(), 0.2 * random(), 0};
        b.spin = {4 * random(), 4 * random(), 4 * random()};
    }
    return bodies;
}

feeler::transform pose_of(const body &b) { return feeler::from_quaternion(b.turn.data(), b.position.data()); }

void move(std::vector<body> &bodies) {
    for (body &b : bodies) {
        b.velocity[2] -= 9.81 * step_seconds;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            b.velocity[axis] -= 1.0 * b.position[axis] * step_seconds; // towards the middle, so that they meet
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            b.velocity[axis] *= 0.999;
            b.position[axis] += b.velocity[axis] * step_seconds;
        }
        if (b.position[2] < reach && b.velocity[2] < 0) { // the floor
            b.position[2] = reach;
            b.velocity[2] *= -0.5;
        }
        const auto [x, y, z, w] = b.turn;
        const double h = step_seconds / 2;
        b.turn = {x + h * (b.spin[0] * w + b.spin[1] * z - b.spin[2] * y), y + h * (b.spin[1] * w + b.spin[2] * x - b.spin[0] * z),
                  z + h * (b.spin[2] * w + b.spin[0] * y - b.spin[1] * x), w - h * (b.spin[0] * x + b.spin[1] * y + b.spin[2] * z)};
        double size = 0;
        for (const double part : b.turn) {
            size += part * part;
        }
        for (double &part : b.turn) {
            part /= std::sqrt(size);
        }
    }
}

// Queries every pair of a share: do the rings touch, and how near are they, up to the size of a ring?
void ask(std::vector<couple> &couples, const std::vector<feeler::transform> &poses, std::size_t first, std::size_t stride,
         totals &sum) {
    feeler::distance_params nearby;
    nearby.max_distance = 2 * reach;
    for (std::size_t index = first; index < couples.size(); index += stride) {
        couple &c = couples[index];
        feeler_status status = c.pair.set_transforms(poses[c.a], poses[c.b]);
        const auto touching = c.pair.collide();
        const auto nearest = c.pair.distance(nearby);
        status = status ? status : touching.status ? touching.status : nearest.status;
        if (status) {
            sum.failure = status;
            return;
        }
        c.touching = touching.result;
        c.nearest = nearest.result;
        sum.queries += 2;
        sum.touching += touching->colliding;
    }
}

// Rings that come within 2 mm bounce off along the normal. Rings that already touch are pushed apart along the line of
// their centres, because the normal of crossing triangles does not say which way leads out.
void respond(std::vector<body> &bodies, const std::vector<couple> &couples) {
    for (const couple &c : couples) {
        if (c.nearest.upper > 0.002) {
            continue;
        }
        body &a = bodies[c.a], &b = bodies[c.b];
        vec3 direction = {c.nearest.normal[0], c.nearest.normal[1], c.nearest.normal[2]};
        if (c.touching.colliding) {
            double squared = 1e-18;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                direction[axis] = b.position[axis] - a.position[axis];
                squared += direction[axis] * direction[axis];
            }
            for (std::size_t axis = 0; axis < 3; ++axis) {
                direction[axis] /= std::sqrt(squared);
                a.position[axis] -= 0.002 * direction[axis];
                b.position[axis] += 0.002 * direction[axis];
            }
            std::swap(a.spin, b.spin);
        }
        double approach = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            approach += (b.velocity[axis] - a.velocity[axis]) * direction[axis];
        }
        const double impulse = approach < 0 ? -0.75 * approach : 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            a.velocity[axis] -= impulse * direction[axis];
            b.velocity[axis] += impulse * direction[axis];
        }
    }
}

void show_bar(std::size_t step, std::size_t steps, unsigned long long touching) {
#ifdef __unix__
    if (!isatty(STDERR_FILENO)) {
        return;
    }
#endif
    constexpr std::size_t width = 40;
    char bar[width + 1] = {};
    std::memset(bar, '.', width);
    std::memset(bar, '#', width * step / steps);
    std::fprintf(stderr, "\r[%s] step %zu of %zu, %llu touching pairs so far%s", bar, step, steps, touching,
                 step == steps ? "\n" : "");
}

struct options {
    std::size_t bodies = 12, steps = 400, triangles = 1152, threads = 1;
};

int simulate(const options &wanted) {
    const feeler::model ring = make_ring(wanted.triangles);
    std::vector<body> bodies = place_bodies(wanted.bodies);
    std::vector<couple> couples;
    for (std::size_t a = 0; a < bodies.size(); ++a) {
        for (std::size_t b = a + 1; b < bodies.size(); ++b) {
            couples.push_back({a, b, feeler::pair(ring, ring), feeler::collide_result(), feeler::distance_result()});
        }
    }
    std::printf("feeler %s: %zu rings of %llu triangles, %zu pairs, %zu threads\n", feeler_version_string(), bodies.size(),
                static_cast<unsigned long long>(ring.info().triangle_count), couples.size(), wanted.threads);
    std::fflush(stdout);

    totals sum;
    double asking = 0, nearest = std::numeric_limits<double>::infinity();
    std::vector<feeler::transform> poses(bodies.size());
    for (std::size_t step = 0; step < wanted.steps; ++step) {
        move(bodies);
        std::transform(bodies.begin(), bodies.end(), poses.begin(), pose_of);
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::thread> helpers;
        for (std::size_t share = 1; share < wanted.threads; ++share) {
            helpers.emplace_back([&, share] { ask(couples, poses, share, wanted.threads, sum); });
        }
        ask(couples, poses, 0, wanted.threads, sum);
        for (std::thread &helper : helpers) {
            helper.join();
        }
        asking += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (sum.failure) {
            std::fprintf(stderr, "\nsimulator: %s\n", feeler_status_name(sum.failure));
            return 1;
        }
        for (const couple &c : couples) {
            if (c.nearest.upper > 0) {
                nearest = std::min(nearest, c.nearest.upper);
            }
        }
        respond(bodies, couples);
        if ((step + 1) % std::max<std::size_t>(1, wanted.steps / 100) == 0 || step + 1 == wanted.steps) {
            show_bar(step + 1, wanted.steps, sum.touching);
        }
    }
    std::printf("simulated %.2f s in %zu steps\n", step_seconds * static_cast<double>(wanted.steps), wanted.steps);
    std::printf("queries   %llu (collide and distance), %.2f us each\n", sum.queries.load(),
                1e6 * asking / static_cast<double>(sum.queries.load()));
    std::printf("touching  %llu times, nearest miss %.4f mm\n", sum.touching.load(), 1000 * nearest);
    std::printf("speed     %.1f steps per second\n", static_cast<double>(wanted.steps) / asking);
    return 0;
}

bool understand(int count, char **arguments, options &wanted) {
    const struct {
        const char *name;
        std::size_t *value, low, high;
    } known[] = {{"--bodies", &wanted.bodies, 2, 200},
                 {"--steps", &wanted.steps, 1, 1000000},
                 {"--triangles", &wanted.triangles, 32, 200000},
                 {"--threads", &wanted.threads, 1, 64}};
    for (int index = 1; index < count; index += 2) {
        bool found = false;
        for (const auto &option : known) {
            if (std::strcmp(arguments[index], option.name) == 0 && index + 1 < count) {
                char *end = nullptr;
                const unsigned long long value = std::strtoull(arguments[index + 1], &end, 10);
                if (end == arguments[index + 1] || *end != 0 || value < option.low || value > option.high) {
                    std::fprintf(stderr, "simulator: %s takes a number from %zu to %zu\n", option.name, option.low, option.high);
                    return false;
                }
                *option.value = static_cast<std::size_t>(value);
                found = true;
            }
        }
        if (!found) {
            std::fputs(usage, stderr);
            return false;
        }
    }
    return true;
}

} // namespace

int main(int count, char **arguments) {
    options wanted;
    if (!understand(count, arguments, wanted)) {
        return 2;
    }
    try {
        return simulate(wanted);
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "simulator: %s\n", problem.what());
        return 1;
    }
}
