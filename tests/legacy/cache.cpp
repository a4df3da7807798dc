// The pairs behind the calls: at most 256 of them, the least recently used goes first, and none outlives its models.
#include <PQP.h>
#include <RAPID.H>

#include "shared.hpp"

namespace {

unsigned pairs() { return feeler_legacy::thread_slot().cache ? feeler_legacy::thread_slot().cache->size() : 0; }

double ask(PQP_Model &a, PQP_Model &b) {
    Pose here = at_rest(), there = pose(0.3, 0, 0, 1, 5, 0, 0);
    PQP_DistanceResult result;
    CHECK(PQP_Distance(&result, here.R, here.T, &a, there.R, there.T, &b, 0, 0) == PQP_OK);
    return result.Distance();
}

Mesh cube(double size) { return box(corner(0, 0, 0), corner(size, size, size)); }

} // namespace

void cache_client() {
    // The pairs of earlier clients are gone with their models, those of static models apart.
    const unsigned before = pairs();
    CHECK(before <= 2);
    PQP_Model fixed;
    fill(fixed, cube(0.5));
    {
        std::vector<PQP_Model> many(300);
        for (std::size_t i = 0; i < many.size(); ++i) fill(many[i], cube(0.1 + 0.01 * static_cast<double>(i)));
        for (int round = 0; round < 3; ++round) {
            for (std::size_t i = 0; i < many.size(); ++i) {
                Own own(cube(0.5), cube(0.1 + 0.01 * static_cast<double>(i)));
                own.place(at_rest(), pose(0.3, 0, 0, 1, 5, 0, 0));
                CHECK(near(ask(fixed, many[i]), own.distance(), 1e-13));
                CHECK(pairs() <= 256);
            }
        }
        CHECK(pairs() == 256);
        // The least recently used pair goes: of the last 256, number 44 is the oldest until it is asked for.
        const feeler_legacy::PairCache &cache = *feeler_legacy::thread_slot().cache;
        for (std::size_t i = 0; i < 300; ++i) CHECK(cache.holds(fixed.geometry(), many[i].geometry()) == (i >= 44));
        ask(fixed, many[44]);
        for (std::size_t i = 0; i < 40; ++i) ask(fixed, many[i]);
        for (std::size_t i = 0; i < 300; ++i) CHECK(cache.holds(fixed.geometry(), many[i].geometry()) == (i < 40 || i == 44 || i > 84));
    }
    CHECK(pairs() == before); // the models died

    // A model that is rebuilt at the same address is another model.
    PQP_Model changing;
    for (int i = 1; i < 50; ++i) {
        changing.BeginModel();
        const Mesh mesh = cube(0.1 * i);
        for (std::size_t k = 0; k < mesh.size(); ++k) changing.AddTri(mesh[k].corner[0].x, mesh[k].corner[1].x, mesh[k].corner[2].x, 0);
        changing.EndModel();
        Own own(cube(0.1 * i), cube(0.5));
        own.place(at_rest(), pose(0.3, 0, 0, 1, 5, 0, 0));
        CHECK(near(ask(changing, fixed), own.distance(), 1e-13) && near(ask(changing, fixed), own.distance(), 1e-13));
        CHECK(pairs() == before + 1);
    }
    // A model on the heap that comes and goes, often at the same address.
    for (int i = 1; i < 50; ++i) {
        PQP_Model *fleeting = new PQP_Model;
        fill(*fleeting, cube(0.1 * i));
        Own own(cube(0.1 * i), cube(0.5));
        own.place(at_rest(), pose(0.3, 0, 0, 1, 5, 0, 0));
        CHECK(near(ask(*fleeting, fixed), own.distance(), 1e-13));
        delete fleeting;
    }
    CHECK(pairs() == before + 1);
    // A copy shares the geometry, and so the pair.
    PQP_Model copy(fixed);
    ask(changing, copy);
    CHECK(pairs() == before + 1);
    // Only distances keep a front, and only from the second query on.
    PQP_Model first, second;
    fill(first, torus(1.0, 0.2, 20, 20));
    fill(second, torus(1.0, 0.2, 20, 20));
    Pose here = at_rest(), there = pose(0.3, 0, 0, 1, 5, 0, 0);
    feeler_legacy::PairCache &cache = *feeler_legacy::thread_slot().cache;
    PQP_CollideResult contacts;
    PQP_Collide(&contacts, here.R, here.T, &first, there.R, there.T, &second);
    PQP_Collide(&contacts, here.R, here.T, &first, there.R, there.T, &second);
    const std::size_t lean = feeler_pair_memory(cache.find(first.geometry(), second.geometry(), false));
    PQP_Model third(second);
    fill(third = PQP_Model(), torus(1.0, 0.2, 20, 20));
    ask(first, third);
    CHECK(feeler_pair_memory(cache.find(first.geometry(), third.geometry(), false)) == lean);
    ask(first, third);
    CHECK(feeler_pair_memory(cache.find(first.geometry(), third.geometry(), false)) > lean);
    ask(first, second);
    CHECK(feeler_pair_memory(cache.find(first.geometry(), second.geometry(), false)) > lean);
}
