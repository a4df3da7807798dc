// RAPID's interface as planners use it: shared models, the first contact and its numbers in the globals, scales.
#include <RAPID.H>

#include "shared.hpp"

#include <algorithm>
#include <memory>

namespace {

typedef std::vector<std::pair<int, int>> Pairs;

Pairs sorted_globals() {
    Pairs pairs;
    for (int i = 0; i < RAPID_num_contacts; i++) pairs.push_back(std::make_pair(RAPID_contact[i].id1, RAPID_contact[i].id2));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

void order_of_calls() {
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0};
    CHECK(RAPID_OK == 0 && RAPID_ERR_MODEL_OUT_OF_MEMORY == 1 && RAPID_ERR_COLLIDE_OUT_OF_MEMORY == 2 && RAPID_ERR_UNPROCESSED_MODEL == 3);
    CHECK(RAPID_ERR_BUILD_OUT_OF_SEQUENCE == 4 && RAPID_ERR_BUILD_EMPTY_MODEL == 5 && RAPID_ALL_CONTACTS == 1 && RAPID_FIRST_CONTACT == 2);
    RAPID_model model;
    CHECK(model.EndModel() == RAPID_ERR_BUILD_EMPTY_MODEL);
    CHECK(model.AddTri(a, b, c, 7) == RAPID_ERR_BUILD_OUT_OF_SEQUENCE && model.num_tris == 1); // as if begun
    CHECK(model.AddTri(a, b, c, 7) == RAPID_OK && model.num_tris == 2);
    CHECK(model.BeginModel() == RAPID_ERR_BUILD_OUT_OF_SEQUENCE && model.num_tris == 0); // after AddTri
    CHECK(model.BeginModel() == RAPID_OK && model.EndModel() == RAPID_ERR_BUILD_EMPTY_MODEL);
    CHECK(model.AddTri(a, b, c, 7) == RAPID_OK && model.EndModel() == RAPID_OK && model.build_state == 3);
    CHECK(model.EndModel() == RAPID_ERR_BUILD_OUT_OF_SEQUENCE);
    Pose p = at_rest(), q = at_rest();
    RAPID_model other;
    CHECK(RAPID_Collide(p.R, p.T, &model, q.R, q.T, &other) == RAPID_ERR_UNPROCESSED_MODEL);
    CHECK(RAPID_Collide(p.R, p.T, &model, q.R, q.T, nullptr) == RAPID_ERR_UNPROCESSED_MODEL && RAPID_num_contacts == 0);
    CHECK(RAPID_Collide(p.R, p.T, 0.0, &model, q.R, q.T, 1.0, &model) == RAPID_ERR_UNPROCESSED_MODEL);
    CHECK(RAPID_Collide(p.R, p.T, &model, q.R, q.T, &model) == RAPID_OK && RAPID_num_contacts == 1 && RAPID_contact[0].id1 == 7);
    other = model;
    CHECK(RAPID_Collide(p.R, p.T, &other, q.R, q.T, &model) == RAPID_OK && RAPID_num_contacts == 1);
    CHECK(model.BeginModel() == RAPID_OK && model.build_state == 1); // a rebuild is no misuse
}

} // namespace

void rapid_client() {
    order_of_calls();
    const Mesh ring = torus(1.0, 0.3, 40, 16), block = box(corner(-0.3, -0.1, -0.2), corner(0.3, 0.1, 0.2));
    std::shared_ptr<RAPID_model> robot(new RAPID_model), obstacle(new RAPID_model);
    fill(*robot, block, 1000);
    fill(*obstacle, ring);
    Own own(block, ring);
    int touching = 0, box_tests = 0;
    for (int step = 0; step < 200; ++step) {
        Pose a = pose(0.1 * step, 1, 2, 3, std::sin(0.1 * step), std::cos(0.13 * step), 0.2), b = pose(0.01 * step, 0, 1, 0, 0.1, 0, 0);
        const double scale_a = step % 3 ? 1.0 : 2.5, scale_b = step % 3 ? 1.0 : 0.6;
        own.place(a, b, scale_a, scale_b);
        Pairs expected = own.contacts();
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i].first += 1000;
        std::sort(expected.begin(), expected.end());
        if (step % 3) {
            CHECK(RAPID_Collide(a.R, a.T, robot.get(), b.R, b.T, obstacle.get(), RAPID_ALL_CONTACTS) == RAPID_OK);
        } else {
            CHECK(RAPID_Collide(a.R, a.T, scale_a, robot.get(), b.R, b.T, scale_b, obstacle.get()) == RAPID_OK);
        }
        CHECK(sorted_globals() == expected);
        CHECK(expected.empty() || RAPID_num_tri_tests > 0);
        box_tests += RAPID_num_box_tests;
        CHECK(RAPID_Collide(a.R, a.T, scale_a, robot.get(), b.R, b.T, scale_b, obstacle.get(), RAPID_FIRST_CONTACT) == RAPID_OK);
        CHECK(RAPID_num_contacts == (expected.empty() ? 0 : 1));
        if (RAPID_num_contacts) {
            ++touching;
            CHECK(std::binary_search(expected.begin(), expected.end(), std::make_pair(RAPID_contact[0].id1, RAPID_contact[0].id2)));
        }
    }
    CHECK(box_tests > 100);
    CHECK(touching > 30 && touching < 200);
}
