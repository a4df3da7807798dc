// Many threads ask about the same models at once, while other threads build, copy and destroy models. The originals
// could not do this: they kept the last triangle in the model (PQP) or the answer in global variables (RAPID).
#include <PQP.h>
#include <RAPID.H>

#include "shared.hpp"

#include <atomic>
#include <memory>
#include <thread>

int checks_passed = 0, checks_failed = 0;

namespace {

std::atomic<int> wrong(0);
std::atomic<long> asked(0);

Pose first_pose(int step) { return pose(0.05 * step, 1, 2, 3, 0, 0, 0); }
Pose second_pose(int step) { return pose(0.03 * step, -1, 0.5, 2, 1.5 + std::sin(0.07 * step), 0.2, 0.1); }

struct Answer {
    double distance;
    int contacts, closer, rapid;
};

Answer ask(PQP_Model &a, PQP_Model &b, RAPID_model &c, RAPID_model &d, int step) {
    Pose p = first_pose(step), q = second_pose(step);
    PQP_DistanceResult distances;
    PQP_CollideResult contacts;
    PQP_ToleranceResult tolerances;
    Answer answer;
    PQP_Distance(&distances, p.R, p.T, &a, q.R, q.T, &b, 0.0, 0.0);
    PQP_Collide(&contacts, p.R, p.T, &a, q.R, q.T, &b);
    PQP_Tolerance(&tolerances, p.R, p.T, &a, q.R, q.T, &b, 0.3);
    RAPID_Collide(p.R, p.T, &c, q.R, q.T, &d);
    answer.distance = distances.Distance();
    answer.contacts = contacts.NumPairs();
    answer.closer = tolerances.CloserThanTolerance();
    answer.rapid = RAPID_num_contacts;
    if (a.last_tri->id < 0 || (RAPID_num_contacts > 0 && RAPID_contact[RAPID_num_contacts - 1].id1 < 0)) ++wrong;
    ++asked;
    return answer;
}

bool same(const Answer &x, const Answer &y) {
    return near(x.distance, y.distance, 1e-13) && x.contacts == y.contacts && x.closer == y.closer && x.rapid == y.rapid && x.contacts == x.rapid;
}

} // namespace

int main() {
    const Mesh ring = torus(1.0, 0.3, 30, 12), block = box(corner(-0.3, -0.1, -0.2), corner(0.3, 0.1, 0.2));
    std::unique_ptr<PQP_Model> a(new PQP_Model), b(new PQP_Model);
    RAPID_model c, d;
    fill(*a, ring);
    fill(*b, ring);
    fill(c, ring);
    fill(d, ring);
    const int steps = 120;
    std::vector<Answer> expected;
    for (int step = 0; step < steps; ++step) expected.push_back(ask(*a, *b, c, d, step));
    for (int step = 0; step < steps; ++step) CHECK(same(expected[static_cast<std::size_t>(step)], ask(*a, *b, c, d, step)));

    std::atomic<bool> models_die(false), died(false);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.push_back(std::thread([&, t] {
            for (int i = 0; i < 2 * steps; ++i) {
                const int step = (i + 29 * t) % steps;
                if (!same(expected[static_cast<std::size_t>(step)], ask(*a, *b, c, d, step))) ++wrong;
            }
        }));
    }
    // Two more threads make models, ask once or twice, change and copy them, and let them go.
    for (int t = 0; t < 2; ++t) {
        threads.push_back(std::thread([&] {
            PQP_Model own;
            for (int i = 0; i < 150; ++i) {
                const double size = 0.1 + 0.01 * i;
                const Mesh mesh = box(corner(0, 0, 0), corner(size, size, size));
                if (i) own = PQP_Model();
                own.BeginModel();
                for (std::size_t k = 0; k < mesh.size(); ++k) own.AddTri(mesh[k].corner[0].x, mesh[k].corner[1].x, mesh[k].corner[2].x, static_cast<int>(k));
                own.EndModel();
                PQP_Model copy(own);
                Pose p = at_rest(), q = at_rest();
                q.T[0] = 5.0;
                PQP_DistanceResult result;
                PQP_Distance(&result, p.R, p.T, &own, q.R, q.T, &copy, 0.0, 0.0);
                if (!near(result.Distance(), 5.0 - size, 1e-14)) ++wrong;
                PQP_Distance(&result, p.R, p.T, &copy, q.R, q.T, a.get(), 0.0, 0.0);
                if (!(result.Distance() > 1.0)) ++wrong;
            }
        }));
    }
    for (std::size_t t = 0; t < threads.size(); ++t) threads[t].join();
    threads.clear();

    // A thread keeps pairs of models that another thread destroys; its next query forgets them.
    std::thread keeper([&] {
        for (int step = 0; step < 5; ++step) ask(*a, *b, c, d, step);
        const unsigned had = feeler_legacy::thread_slot().cache->size();
        models_die = true;
        while (!died) std::this_thread::yield();
        PQP_Model own;
        const double zero[3] = {0, 0, 0};
        own.AddTri(zero, zero, zero, 0);
        own.EndModel();
        Pose p = at_rest();
        PQP_CollideResult result;
        PQP_Collide(&result, p.R, p.T, &own, p.R, p.T, &own);
        if (had != 2 || feeler_legacy::thread_slot().cache->size() != 2) ++wrong; // the PQP pair went, a new one came
    });
    while (!models_die) std::this_thread::yield();
    a.reset();
    b.reset();
    died = true;
    keeper.join();

    CHECK(wrong == 0);
    CHECK(asked > 4 * 2 * steps);
    std::printf("threads over the old interfaces: %ld questions, %d passed, %d failed\n", asked.load(), checks_passed, checks_failed);
    return checks_failed != 0;
}
