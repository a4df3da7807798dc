// The main demo. A scripted hand drags a tool with six degrees of freedom over a finely meshed surface. The loop runs
// at 1 kHz on its own thread. Every millisecond it asks feeler for the exact distance and, when the distance is small,
// for its local minima. It turns them into forces and must finish before the next millisecond begins.
// After the run every step is asked again for all contacts, so that the picture shows both forces.
#include "haptic/allocations.hpp"
#include "haptic/picture.hpp"
#include "haptic/recording.hpp"
#include "haptic/scene.hpp"
#include "haptic/tool.hpp"
#include "mesh_file.h"

#include <feeler.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

namespace {

using namespace haptic;

const char usage[] = "usage: haptic_loop [--seconds N] [--surface TRIANGLES] [--tool FILE.obj] [--picture FILE.svg] [--headless]\n"
                     "  --seconds   length of the run, 1 to 3600 (default 10)\n"
                     "  --surface   triangles of the surface, 2 to 2000000 (default 70000)\n"
                     "  --tool      mesh to use as the tool, .obj or .stl, scaled to 9 cm (default: a stylus)\n"
                     "  --picture   where the picture goes (default haptic_loop.svg)\n"
                     "  --headless  no live line\n";

struct options {
    double seconds = 10;
    std::size_t surface = 70000;
    std::string tool, picture = "haptic_loop.svg";
    bool headless = false;
};

// What the loop shows to the printing thread. Written once per step, read ten times per second.
struct progress {
    std::atomic<unsigned> steps{0}, misses{0};
    std::atomic<float> distance{0}, force{0}, latency{0};
    std::atomic<bool> done{false};
};

double clock_seconds(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void sleep_until(double time) {
    timespec until;
    until.tv_sec = static_cast<time_t>(time);
    until.tv_nsec = static_cast<long>(1e9 * (time - static_cast<double>(until.tv_sec)));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

// Asks for real-time priority and locked memory. The loop also runs without them.
bool become_real_time() {
    sched_param priority = {};
    priority.sched_priority = 80;
    const bool granted = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
    return mlockall(MCL_CURRENT) == 0 && granted;
}

// The loop. Nothing in it allocates, locks or prints; everything was made before.
void feel(feeler::pair &pair, const options &wanted, recording &run, progress &shown) {
    static feeler::minimum contacts[1024];
    std::memset(static_cast<void *>(contacts), 0, sizeof contacts); // no page is touched for the first time in the loop
    feeler::minima_params minima;
    minima.margin = contact_margin;
    minima.merge_distance = merge_distance;
    virtual_tool tool(hand_at(-period, wanted.seconds), hand_at(0, wanted.seconds));
    const std::size_t steps = run.samples.size();
    std::size_t step = 0;
    run.real_time = become_real_time();
    count_allocations(true);
    const double start = clock_seconds(CLOCK_MONOTONIC);
    double due = start + 0.01;
    for (; step < steps; ++step) {
        sleep_until(due);
        const double woken = clock_seconds(CLOCK_MONOTONIC);
        const double processor = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
        sample &now = run.samples[step];
        now.seconds = static_cast<double>(step) * period;
        now.tool = tool.where();

        feeler_status status = pair.set_transform_b(tool.transform());
        const auto nearest = pair.distance();
        std::uint64_t written = 0;
        status = status ? status : nearest.status;
        if (!status && nearest->upper <= contact_margin) {
            const auto found = pair.local_minima(minima, contacts);
            status = found.status;
            written = found->written;
        }
        if (status) {
            run.failure = feeler_last_error_message();
            break;
        }
        const motion moving = tool.moving();
        now.velocity = moving.velocity;
        now.spin = moving.spin;
        now.force = tool.step(hand_at(now.seconds, wanted.seconds), contacts, written);
        now.push = tool.push();

        const double done = clock_seconds(CLOCK_MONOTONIC);
        now.processor = 1e6 * (clock_seconds(CLOCK_THREAD_CPUTIME_ID) - processor);
        now.distance = nearest->upper;
        now.point = from(nearest->point_a);
        now.contacts = static_cast<unsigned>(written);
        now.microseconds = 1e6 * (done - woken);
        now.woken_late = 1e6 * (woken - due);
        if (done > due + period) {
            ++run.misses;
            if (now.microseconds <= 1e6 * period) {
                ++run.misses_by_waking;
            } else if (now.processor <= 1e6 * period) {
                ++run.misses_by_taking;
            }
        }
        shown.distance = static_cast<float>(1000 * now.distance);
        shown.force = static_cast<float>(length(now.force));
        shown.latency = static_cast<float>(now.microseconds);
        shown.misses = run.misses;
        shown.steps = static_cast<unsigned>(step + 1);
        due = std::max(due + period, done); // after a missed step the loop does not hurry
        if (done - start > 4 * wanted.seconds + 1) {
            run.failure = "this machine is too slow for the clock: ended after " + std::to_string(step + 1) + " steps";
            ++step;
            break;
        }
    }
    count_allocations(false);
    run.allocations = allocations_counted();
    run.samples.resize(step);
    shown.done = true;
}

// What all contacts within the margin would have pushed with in every step, and what asking for them costs.
void ask_for_all_contacts(feeler::pair &pair, recording &run) {
    std::vector<feeler::contact> contacts(16384);
    for (sample &s : run.samples) {
        if (s.distance > contact_margin) {
            continue;
        }
        const double place[3] = {s.tool.position.x, s.tool.position.y, s.tool.position.z};
        const double turn[4] = {s.tool.rotation.x, s.tool.rotation.y, s.tool.rotation.z, s.tool.rotation.w};
        feeler::check(pair.set_transform_b(feeler::from_quaternion(turn, place)));
        const double start = clock_seconds(CLOCK_MONOTONIC);
        const auto found = pair.contacts(contact_margin, contacts);
        s.all_microseconds = 1e6 * (clock_seconds(CLOCK_MONOTONIC) - start);
        s.all_contacts = static_cast<unsigned>(found.value().found);
        s.all_push = virtual_tool::contact_wrench({s.tool, s.velocity, s.spin}, contacts.data(), found->written).force;
    }
}

void show_live(const progress &shown, unsigned steps, bool headless) {
    const bool live = !headless && isatty(STDOUT_FILENO);
    while (!shown.done) {
        const unsigned step = shown.steps;
        if (live) {
            constexpr unsigned width = 28;
            char bar[width + 1] = {};
            std::memset(bar, '.', width);
            std::memset(bar, '#', width * static_cast<std::size_t>(step) / steps);
            std::printf("\r[%s] %5.1f s  distance %6.3f mm  force %5.2f N  latency %6.1f us  misses %u ", bar,
                        step * period, static_cast<double>(shown.distance), static_cast<double>(shown.force),
                        static_cast<double>(shown.latency), shown.misses.load());
            std::fflush(stdout);
        }
        timespec pause = {0, 100000000};
        nanosleep(&pause, nullptr);
    }
    if (live) {
        std::printf("\r%110s\r", "");
    }
}

void print_histogram(const recording &run) {
    // Two bins per octave from 1 microsecond on.
    unsigned counts[26] = {};
    unsigned most = 1;
    for (const sample &s : run.samples) {
        const double place = 2 * std::log2(std::max(1.0, s.microseconds));
        unsigned &count = counts[std::min<std::size_t>(25, static_cast<std::size_t>(place))];
        most = std::max(most, ++count);
    }
    std::printf("\nlatency of a step: set_transforms, distance, local minima, forces\n");
    for (int bin = 0; bin < 26; ++bin) {
        if (counts[bin] > 0) {
            const int width = static_cast<int>(std::ceil(50.0 * std::log1p(counts[bin]) / std::log1p(most)));
            std::printf("  %7.1f us  %-50.*s %u\n", std::exp2(bin / 2.0), width,
                        "##################################################", counts[bin]);
        }
    }
}

void print_summary(const recording &run) {
    const percentiles latency = latency_of(run);
    double nearest = run.samples[0].distance, force = 0;
    unsigned most = 0, most_of_all = 0;
    std::size_t touching = 0, minima = 0, all = 0;
    double all_microseconds = 0, differ = 0, differ_most = 0;
    const sample *slowest = &run.samples[0];
    for (const sample &s : run.samples) {
        nearest = std::min(nearest, s.distance);
        force = std::max(force, length(s.force));
        most = std::max(most, s.contacts);
        touching += s.contacts > 0;
        minima += s.contacts;
        all += s.all_contacts;
        most_of_all = std::max(most_of_all, s.all_contacts);
        all_microseconds += s.all_microseconds;
        const double apart = length(s.push - s.all_push);
        differ += apart;
        differ_most = std::max(differ_most, apart);
        slowest = s.microseconds > slowest->microseconds ? &s : slowest;
    }
    print_histogram(run);
    std::printf("\nsteps            %zu at 1 kHz, %zu of them in contact\n", run.samples.size(), touching);
    std::printf("latency          median %.1f us, p99 %.1f us, p99.9 %.1f us, max %.1f us (%.1f us of it on a processor)\n",
                latency.median, latency.p99, latency.p999, latency.largest, std::min(slowest->processor, latency.largest));
    std::printf("deadline misses  %u", run.misses);
    if (run.misses > 0) {
        std::printf(" (%u woken too late, %u interrupted by other programs, %u because the step took longer)", run.misses_by_waking,
                    run.misses_by_taking, run.misses - run.misses_by_waking - run.misses_by_taking);
    }
    std::printf("\nallocations      ");
    if (run.allocations < 0) {
        std::printf("not counted in this build\n");
    } else {
        std::printf("%ld\n", run.allocations);
    }
    std::printf("felt             nearest %.3f mm, largest force %.2f N, up to %u contacts\n", 1000 * nearest, force, most);
    if (touching > 0) {
        std::printf("instead          all contacts within the margin: mean %.1f, up to %u (local minima: mean %.1f); asking for them takes "
                    "%.1f us in the mean\n",
                    static_cast<double>(all) / static_cast<double>(touching), most_of_all,
                    static_cast<double>(minima) / static_cast<double>(touching), all_microseconds / static_cast<double>(touching));
        std::printf("forces           differ by %.2f N in the mean, by %.2f N at most\n", differ / static_cast<double>(touching),
                    differ_most);
    }
    std::printf("thread           %s\n", run.real_time ? "real-time priority, memory locked"
                                                       : "ordinary priority (run as root for a real-time one)");
}

bool number(const char *text, double low, double high, double &out) {
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != 0 || !(value >= low && value <= high)) {
        std::fprintf(stderr, "haptic_loop: %s is not a number from %g to %g\n", text, low, high);
        return false;
    }
    out = value;
    return true;
}

bool understand(int count, char **arguments, options &wanted) {
    for (int index = 1; index < count; ++index) {
        const std::string name = arguments[index];
        const bool more = index + 1 < count;
        double value = 0;
        if (name == "--headless") {
            wanted.headless = true;
        } else if (name == "--seconds" && more) {
            if (!number(arguments[++index], 1, 3600, wanted.seconds)) {
                return false;
            }
        } else if (name == "--surface" && more) {
            if (!number(arguments[++index], 2, 2000000, value)) {
                return false;
            }
            wanted.surface = static_cast<std::size_t>(value);
        } else if (name == "--tool" && more) {
            wanted.tool = arguments[++index];
        } else if (name == "--picture" && more) {
            wanted.picture = arguments[++index];
        } else {
            std::fputs(usage, stderr);
            return false;
        }
    }
    return true;
}

bool read_tool(const std::string &path, triangle_mesh &mesh) {
    mesh_file file;
    const bool good = mesh_file_read(path.c_str(), &file) != 0;
    if (good) {
        for (std::size_t vertex = 0; vertex < file.vertex_count; ++vertex) {
            mesh.vertices.push_back(from(file.vertices + 3 * vertex));
        }
        for (std::size_t triangle = 0; triangle < file.triangle_count; ++triangle) {
            const std::uint32_t *corners = file.indices + 3 * triangle;
            mesh.triangles.push_back({corners[0], corners[1], corners[2]});
        }
        fit_as_tool(mesh);
    } else {
        std::fprintf(stderr, "haptic_loop: %s\n", file.message);
    }
    mesh_file_free(&file);
    return good;
}

int run_demo(const options &wanted) {
    triangle_mesh tool;
    if (wanted.tool.empty()) {
        tool = make_tool();
    } else if (!read_tool(wanted.tool, tool)) {
        return 1;
    }
    const triangle_mesh surface = make_surface(wanted.surface);
    const feeler::model surface_model(surface.vertices, surface.triangles);
    const feeler::model tool_model(tool.vertices, tool.triangles);
    feeler::pair pair(surface_model, tool_model);
    const auto info = surface_model.info();
    std::printf("feeler %s on %s: a tool of %zu triangles on a surface of %zu (built in %.0f ms, %.1f MB; pair %.2f MB)\n",
                feeler_version_string(), feeler_instruction_set(), tool.triangles.size(), surface.triangles.size(),
                1000 * info.build_seconds, static_cast<double>(info.memory_bytes) / 1e6,
                static_cast<double>(pair.memory()) / 1e6);
    std::fflush(stdout);

    recording run;
    run.samples.resize(static_cast<std::size_t>(wanted.seconds / period));
    run.surface_triangles = surface.triangles.size();
    run.tool_triangles = tool.triangles.size();
    progress shown;
    const auto steps = static_cast<unsigned>(run.samples.size());
    std::thread loop([&] { feel(pair, wanted, run, shown); });
    show_live(shown, steps, wanted.headless);
    loop.join();
    if (!run.failure.empty()) {
        std::fprintf(stderr, "haptic_loop: %s\n", run.failure.c_str());
    }
    if (run.samples.size() < 2) {
        return 1;
    }
    ask_for_all_contacts(pair, run);
    print_summary(run);
    if (!write_picture(wanted.picture, run, tool)) {
        std::fprintf(stderr, "haptic_loop: %s cannot be written\n", wanted.picture.c_str());
        return 1;
    }
    std::printf("picture          %s\n", wanted.picture.c_str());
    return run.failure.empty() ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) {
    options wanted;
    if (!understand(count, arguments, wanted)) {
        return 2;
    }
    try {
        return run_demo(wanted);
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "haptic_loop: %s\n", problem.what());
        return 1;
    }
}
