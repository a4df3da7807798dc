// A collision checker with its result objects as members, as robot simulators have: all contacts of overlapping tori,
// numbers that repeat, one checker for many links.
#include "pqp/PQP.h"
#include "shared.hpp"

#include <algorithm>
#include <memory>

namespace {

class Checker {
public:
    Checker() : tolerance(0.05) {}

    void add_link(const Mesh &mesh) {
        std::shared_ptr<PQP_Model> link(new PQP_Model());
        fill(*link, mesh);
        links.push_back(link);
    }
    bool collide(std::size_t i, std::size_t j, Pose &a, Pose &b) {
        PQP_Collide(&contacts, a.R, a.T, links[i].get(), b.R, b.T, links[j].get());
        return contacts.NumPairs() > 0;
    }

    std::vector<std::shared_ptr<PQP_Model>> links;
    PQP_CollideResult contacts;
    PQP_DistanceResult distances;
    PQP_ToleranceResult tolerances;
    PQP_REAL tolerance;
};

typedef std::vector<std::pair<int, int>> Pairs;

Pairs sorted(const PQP_CollideResult &result) {
    Pairs pairs;
    for (int i = 0; i < result.NumPairs(); ++i) pairs.push_back(std::make_pair(result.Id1(i), result.Id2(i)));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace

void contacts_client() {
    const Mesh mesh = torus(1.0, 0.3, 40, 20);
    Checker checker;
    checker.add_link(mesh);
    checker.add_link(mesh);
    Own own(mesh, mesh);
    int colliding = 0, volume_tests = 0;
    for (int step = 0; step < 60; ++step) {
        Pose a = pose(0.1 * step, 1, 2, 3, 10.0, -20.0, 5.0);
        Pose b = pose(0.3 * step + 1.0, -1, 1, 2, 10.0 + 0.05 * step, -20.0, 5.3);
        own.place(a, b);
        Pairs expected = own.contacts();
        std::sort(expected.begin(), expected.end());
        CHECK(checker.collide(0, 1, a, b) == !expected.empty());
        CHECK(sorted(checker.contacts) == expected);
        CHECK(checker.contacts.Colliding() == (expected.empty() ? 0 : 1));
        CHECK(checker.contacts.num_pairs == checker.contacts.NumPairs());
        volume_tests += checker.contacts.NumBVTests();
        CHECK(checker.contacts.QueryTimeSecs() > 0.0 && checker.contacts.QueryTimeSecs() < 10.0);
        if (!expected.empty()) {
            ++colliding;
            CHECK(checker.contacts.NumTriTests() > 0);
            CHECK(checker.contacts.pairs[0].id1 == checker.contacts.Id1(0) && checker.contacts.pairs[0].id2 == checker.contacts.Id2(0));
        }
        // The first contact alone: one of all, and the default flag is all.
        PQP_CollideResult first;
        CHECK(PQP_Collide(&first, a.R, a.T, checker.links[0].get(), b.R, b.T, checker.links[1].get(), PQP_FIRST_CONTACT) == PQP_OK);
        CHECK(first.NumPairs() == (expected.empty() ? 0 : 1));
        if (first.Colliding()) CHECK(std::binary_search(expected.begin(), expected.end(), std::make_pair(first.Id1(0), first.Id2(0))));

        // The relative pose that the result tells: model 2 in the frame of model 1.
        const double origin[3] = {0.0, 0.0, 0.0};
        const Corner in_first = {{first.T[0], first.T[1], first.T[2]}};
        CHECK(distance(moved(a, in_first.x), moved(b, origin)) < 1e-12);

        // A distance of zero belongs to contact, and only to contact; so does a tolerance of zero.
        CHECK(PQP_Distance(&checker.distances, a.R, a.T, checker.links[0].get(), b.R, b.T, checker.links[1].get(), 0.0, 0.0) == PQP_OK);
        CHECK((checker.distances.Distance() == 0.0) == !expected.empty());
        CHECK(PQP_Tolerance(&checker.tolerances, a.R, a.T, checker.links[0].get(), b.R, b.T, checker.links[1].get(), 0.0) == PQP_OK);
        CHECK(checker.tolerances.CloserThanTolerance() == (expected.empty() ? 0 : 1));
        // A simulator that asks for 200 times the distance gets some pair of points at least that near.
        CHECK(PQP_Distance(&checker.distances, a.R, a.T, checker.links[0].get(), b.R, b.T, checker.links[1].get(), 200.0, 0.001) == PQP_OK);
        const double exact = own.distance();
        CHECK(checker.distances.Distance() >= exact - 1e-12);
        CHECK(checker.distances.Distance() <= std::max(exact * 201.0, exact + 0.001) + 1e-12);
    }
    CHECK(volume_tests > 100);
    CHECK(colliding > 20 && colliding < 60);

    // Numbers that repeat: every pair of triangles still counts.
    PQP_Model painted;
    fill(painted, mesh, 100, 7);
    Pose a = at_rest(), b = pose(1.0, 1, 0, 0, 0.4, 0, 0);
    own.place(a, b);
    PQP_CollideResult result;
    CHECK(PQP_Collide(&result, a.R, a.T, &painted, b.R, b.T, checker.links[0].get()) == PQP_OK);
    Pairs expected = own.contacts();
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i].first = 100 + expected[i].first % 7;
    std::sort(expected.begin(), expected.end());
    CHECK(expected.size() > 10 && sorted(result) == expected);

    // A model against itself.
    CHECK(PQP_Collide(&result, a.R, a.T, &painted, b.R, b.T, &painted, PQP_FIRST_CONTACT) == PQP_OK && result.Colliding());
    CHECK(PQP_Collide(&result, a.R, a.T, &painted, a.R, a.T, &painted) == PQP_OK && result.NumPairs() >= painted.num_tris);

    // The list by hand.
    PQP_CollideResult list;
    list.SizeTo(2);
    CHECK(list.num_pairs_alloced >= 2 && list.num_pairs == 0);
    for (int i = 0; i < 20; ++i) list.Add(i, 2 * i);
    CHECK(list.NumPairs() == 20 && list.Id1(19) == 19 && list.Id2(19) == 38);
    list.SizeTo(5); // tells a warning and keeps all
    CHECK(list.NumPairs() == 20 && list.Id2(19) == 38);
    list.FreePairsList();
    CHECK(list.NumPairs() == 0 && list.pairs == nullptr && list.num_pairs_alloced == 0);
    list.Add(3, 4);
    CHECK(list.Id1(0) == 3);
}
