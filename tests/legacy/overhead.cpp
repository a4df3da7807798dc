// What the old interfaces cost: the same questions over the shim and over feeler's own calls, interleaved in one run,
// and the allocations after the first queries of a pair.
//   overhead            prints a table and checks its limits
//   overhead shim|own N  asks N times one way only, for a count of instructions
#include <PQP.h>
#include <RAPID.H>

#include "shared.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

int checks_passed = 0, checks_failed = 0;

// Every allocation of the process, those of feeler included: malloc and its kin pass through here.
static std::atomic<long> allocations(0);
extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void *malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
void *calloc(std::size_t count, std::size_t size) { return ++allocations, __libc_calloc(count, size); }
void *realloc(void *old, std::size_t size) { return ++allocations, __libc_realloc(old, size); }
int posix_memalign(void **out, std::size_t alignment, std::size_t size) { return ++allocations, (*out = __libc_memalign(alignment, size)) ? 0 : 12; }
void *aligned_alloc(std::size_t alignment, std::size_t size) { return ++allocations, __libc_memalign(alignment, size); }
}

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Two models in both languages, and a path of poses.
struct Scene {
    const char *name;
    PQP_Model pqp_a, pqp_b;
    RAPID_model rapid_a, rapid_b;
    Own own;
    std::vector<Pose> path_a, path_b;

    Scene(const char *title, const Mesh &a, const Mesh &b, double gap) : name(title), own(a, b) {
        fill(pqp_a, a);
        fill(pqp_b, b);
        fill(rapid_a, a);
        fill(rapid_b, b);
        for (int i = 0; i < 1000; ++i) {
            path_a.push_back(at_rest()); // so that both languages search with the same bits
            path_b.push_back(pose(0.001 * i, 3, 1, 0, gap + 0.1 * std::sin(0.006 * i), 0.1, 0));
        }
    }
};

typedef void (*Question)(Scene &, std::size_t);

PQP_DistanceResult pqp_distance;
PQP_CollideResult pqp_contacts;
PQP_ToleranceResult pqp_tolerance;
feeler_distance_result own_distance = feeler_distance_result_default();
feeler_collide_result own_collide = feeler_collide_result_default();
feeler_tolerance_result own_tolerance = feeler_tolerance_result_default();
double sum = 0.0;

void place(Scene &s, std::size_t i) {
    const feeler_transform a = Own::transform(s.path_a[i]), b = Own::transform(s.path_b[i]);
    feeler_pair_set_transforms(s.own.pair(), &a, &b);
}
void shim_distance(Scene &s, std::size_t i) {
    PQP_Distance(&pqp_distance, s.path_a[i].R, s.path_a[i].T, &s.pqp_a, s.path_b[i].R, s.path_b[i].T, &s.pqp_b, 0.0, 0.0);
    sum += pqp_distance.Distance();
}
void ask_distance(Scene &s, std::size_t i) {
    place(s, i);
    feeler_pair_distance(s.own.pair(), nullptr, &own_distance);
    sum += own_distance.upper;
}
void shim_collide(Scene &s, std::size_t i) {
    PQP_Collide(&pqp_contacts, s.path_a[i].R, s.path_a[i].T, &s.pqp_a, s.path_b[i].R, s.path_b[i].T, &s.pqp_b, PQP_FIRST_CONTACT);
    sum += pqp_contacts.NumPairs();
}
void shim_rapid(Scene &s, std::size_t i) {
    RAPID_Collide(s.path_a[i].R, s.path_a[i].T, &s.rapid_a, s.path_b[i].R, s.path_b[i].T, &s.rapid_b, RAPID_FIRST_CONTACT);
    sum += RAPID_num_contacts;
}
void ask_collide(Scene &s, std::size_t i) {
    place(s, i);
    feeler_pair_collide(s.own.pair(), nullptr, &own_collide);
    sum += own_collide.colliding;
}
void shim_tolerance(Scene &s, std::size_t i) {
    PQP_Tolerance(&pqp_tolerance, s.path_a[i].R, s.path_a[i].T, &s.pqp_a, s.path_b[i].R, s.path_b[i].T, &s.pqp_b, 0.2);
    sum += pqp_tolerance.CloserThanTolerance();
}
void ask_tolerance(Scene &s, std::size_t i) {
    place(s, i);
    static feeler_tolerance_params params = feeler_tolerance_params_default();
    params.tolerance = 0.2;
    feeler_pair_tolerance(s.own.pair(), &params, &own_tolerance);
    sum += own_tolerance.closer;
}

const std::size_t chunk = 50;

/// Nanoseconds that a few questions take, from one pose of the path on.
double some(Scene &s, Question ask, std::size_t from) {
    const double start = now();
    for (std::size_t i = from; i < from + chunk; ++i) ask(s, i);
    return (now() - start) * 1e9;
}

struct Row {
    const char *name;
    Question shim, own;
};
const Row rows[4] = {{"PQP_Distance", shim_distance, ask_distance},
                     {"PQP_Collide, first contact", shim_collide, ask_collide},
                     {"PQP_Tolerance", shim_tolerance, ask_tolerance},
                     {"RAPID_Collide, first contact", shim_rapid, ask_collide}};

/// The work of the shim does not depend on the models. Its time shows where queries are short; where they take
/// microseconds, 100 ns are less than two equal searches differ by.
void table(Scene &s, bool short_queries) {
    for (int r = 0; r < 4; ++r) {
        // The first two queries make the pair and, for distances, its front. Both pairs then have the same memory, and
        // do the same search ever after.
        rows[r].shim(s, 0);
        feeler_pair_reset(s.own.pair());
        rows[r].shim(s, 1);
        rows[r].own(s, 1);
        for (std::size_t from = 0; from < s.path_a.size(); from += chunk) some(s, rows[r].shim, from), some(s, rows[r].own, from);
        // Other processes only add: the least time of each part of the path is what the code costs.
        const std::size_t parts = s.path_a.size() / chunk;
        std::vector<double> shim(parts, 1e30), own(parts, 1e30);
        const long before = allocations;
        double shim_time = 0.0, own_time = 0.0, cost = 1e30;
        for (int round = 0; round < 600 && (round < 60 || (short_queries && cost >= 100.0)); ++round) { // more rounds on a busy machine
            for (std::size_t part = 0; part < parts; ++part) {
                // Who asks second finds the processor prepared, so they take turns.
                if (round % 2) own[part] = std::min(own[part], some(s, rows[r].own, part * chunk));
                shim[part] = std::min(shim[part], some(s, rows[r].shim, part * chunk));
                if (round % 2 == 0) own[part] = std::min(own[part], some(s, rows[r].own, part * chunk));
            }
            shim_time = own_time = 0.0;
            for (std::size_t part = 0; part < parts; ++part) {
                shim_time += shim[part] / static_cast<double>(s.path_a.size());
                own_time += own[part] / static_cast<double>(s.path_a.size());
            }
            cost = shim_time - own_time;
        }
        const long made = allocations - before;
        CHECK(made == 0);
        std::printf("%-14s %-30s %10.0f %10.0f %8.0f %12ld\n", s.name, rows[r].name, shim_time, own_time, cost, made);
        if (short_queries) CHECK(cost < 100.0);
    }
}

/// The times that the results tell add up to the time that has passed, the loop around them apart.
void told_times(Scene &s) {
    const double start = now();
    double told = 0.0;
    for (std::size_t i = 0; i < s.path_a.size(); ++i) {
        shim_distance(s, i);
        told += pqp_distance.QueryTimeSecs();
    }
    const double passed = now() - start;
    CHECK(told > 0.5 * passed && told < 1.01 * passed);
}

} // namespace

int main(int count, char **arguments) {
    Mesh triangle;
    add(triangle, corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0));
    Scene single("triangles", triangle, triangle, 4.0);
    if (count == 3) {
        const Question ask = std::strcmp(arguments[1], "shim") ? ask_distance : shim_distance;
        for (long i = 0; i < std::atol(arguments[2]); ++i) ask(single, static_cast<std::size_t>(i) % 1000);
        return sum < 0.0;
    }
    Scene tori("tori, near", torus(1.0, 0.3, 60, 24), torus(1.0, 0.3, 60, 24), 2.8);
    Scene touching("tori, touching", torus(1.0, 0.3, 60, 24), torus(1.0, 0.3, 60, 24), 1.0);
    std::printf("%-14s %-30s %10s %10s %8s %12s\n", "scene", "query", "shim, ns", "feeler, ns", "added", "allocations");
    table(single, true);
    table(tori, false);
    table(touching, false);
    told_times(tori);
    std::printf("cost of the old interfaces: %d passed, %d failed (%g)\n", checks_passed, checks_failed, sum);
    return checks_failed != 0;
}
