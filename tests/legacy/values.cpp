// Models and results as values: copies, assignments, members of classes, elements of vectors.
#include <PQP.h>

#include "shared.hpp"

namespace {

struct Body {
    PQP_Model model;
    PQP_CollideResult contacts;
    PQP_DistanceResult distances;
    PQP_ToleranceResult tolerances;
    Pose where;
};

/// Asked by the destructor of a static object, after the objects of the main thread are gone.
struct AsksAtTheEnd {
    PQP_Model model;
    ~AsksAtTheEnd() {
        Pose p = at_rest();
        PQP_CollideResult result;
        if (model.build_state == 2 && (PQP_Collide(&result, p.R, p.T, &model, p.R, p.T, &model) != PQP_OK || !result.Colliding())) std::abort();
    }
};
AsksAtTheEnd at_the_end;

double apart(PQP_Model &a, PQP_Model &b) {
    Pose here = at_rest(), there = pose(0.3, 0, 0, 1, 5, 0, 0);
    PQP_DistanceResult result;
    CHECK(PQP_Distance(&result, here.R, here.T, &a, there.R, there.T, &b, 0, 0) == PQP_OK);
    return result.Distance();
}

} // namespace

void values_client() {
    const Mesh ring = torus(1.0, 0.2, 20, 10), block = box(corner(-0.3, -0.1, -0.2), corner(0.3, 0.1, 0.2));
    fill(at_the_end.model, block);

    Body body;
    fill(body.model, ring);
    body.where = at_rest();
    Body twin = body; // a copy of everything
    CHECK(twin.model.num_tris == body.model.num_tris && twin.model.tris != body.model.tris);
    CHECK(static_cast<Tri *>(twin.model.last_tri) == twin.model.tris);
    const double expected = apart(body.model, body.model);
    CHECK(expected > 1.0 && near(apart(twin.model, body.model), expected, 1e-13));
    // A change of one is no change of the other.
    CHECK(twin.model.BeginModel() == PQP_ERR_BUILD_OUT_OF_SEQUENCE);
    CHECK(near(apart(body.model, body.model), expected, 0.0));
    twin = body;
    CHECK(near(apart(twin.model, twin.model), expected, 1e-13));
    {
        Body short_lived = body;
        CHECK(near(apart(short_lived.model, body.model), expected, 1e-13));
    }
    CHECK(near(apart(body.model, body.model), expected, 0.0));

    // Elements of a vector move when it grows.
    std::vector<PQP_Model> models;
    for (int i = 0; i < 20; ++i) {
        models.push_back(PQP_Model());
        fill(models.back(), i % 2 ? ring : block, 10 * i);
    }
    CHECK(near(apart(models[1], models[19]), expected, 1e-13) && models[19].tris[0].id == 190 && models[19].last_tri->id >= 190);
    std::swap(models[0], models[1]);
    CHECK(models[0].num_tris == 400 && models[1].num_tris == 12 && near(apart(models[0], models[3]), expected, 1e-13));
    PQP_Model moved_to(std::move(models[3]));
    CHECK(near(apart(moved_to, models[5]), expected, 1e-13));
    PQP_Model &itself = moved_to;
    moved_to = itself;
    CHECK(near(apart(moved_to, models[5]), expected, 1e-13));
    // A copy of a model that is still being filled can be filled further.
    PQP_Model half;
    half.BeginModel();
    half.AddTri(ring[0].corner[0].x, ring[0].corner[1].x, ring[0].corner[2].x, 1);
    PQP_Model half_copy(half);
    half_copy.AddTri(ring[1].corner[0].x, ring[1].corner[1].x, ring[1].corner[2].x, 2);
    CHECK(half.num_tris == 1 && half_copy.num_tris == 2 && half.EndModel() == PQP_OK && half_copy.EndModel() == PQP_OK);

    // Results.
    Pose p = at_rest(), q = pose(0.5, 1, 0, 0, 0.1, 0, 0);
    CHECK(PQP_Collide(&body.contacts, p.R, p.T, &body.model, q.R, q.T, &body.model) == PQP_OK && body.contacts.NumPairs() > 10);
    PQP_CollideResult copy(body.contacts);
    CHECK(copy.NumPairs() == body.contacts.NumPairs() && copy.pairs != body.contacts.pairs && copy.Id2(5) == body.contacts.Id2(5));
    copy.FreePairsList();
    copy = body.contacts;
    PQP_CollideResult &self = copy;
    copy = self;
    CHECK(copy.Id1(9) == body.contacts.Id1(9) && copy.T[0] == body.contacts.T[0]);
    copy = PQP_CollideResult();
    CHECK(copy.NumPairs() == 0 && !copy.Colliding());
    twin = body;
    CHECK(twin.contacts.NumPairs() == body.contacts.NumPairs());
}
