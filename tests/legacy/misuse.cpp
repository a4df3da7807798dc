// Calls at the wrong time and with wrong arguments: the documented codes, a warning on stderr, and never a crash.
#include <PQP.h>

#include "shared.hpp"

#include <limits>

namespace {

const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0};

void codes() {
    CHECK(PQP_OK == 0 && PQP_ERR_MODEL_OUT_OF_MEMORY == -1 && PQP_ERR_OUT_OF_MEMORY == -2);
    CHECK(PQP_ERR_UNPROCESSED_MODEL == -3 && PQP_ERR_BUILD_OUT_OF_SEQUENCE == -4 && PQP_ERR_BUILD_EMPTY_MODEL == -5);
    CHECK(PQP_ALL_CONTACTS == 1 && PQP_FIRST_CONTACT == 2);
}

void order_of_calls() {
    PQP_Model model;
    CHECK(model.build_state == 0 && model.num_tris == 0 && model.MemUsage(0) == 0);
    CHECK(model.EndModel() == PQP_ERR_BUILD_EMPTY_MODEL);
    // AddTri without BeginModel tells so, and the triangle counts.
    CHECK(model.AddTri(a, b, c, 1) == PQP_ERR_BUILD_OUT_OF_SEQUENCE);
    CHECK(model.num_tris == 1 && model.build_state == 1);
    CHECK(model.AddTri(a, b, c, 2) == PQP_OK);
    CHECK(model.EndModel() == PQP_OK);
    CHECK(model.build_state == 2 && model.num_tris == 2 && model.MemUsage(1) > 0 && model.num_bvs > 0);
    // After EndModel a triangle and a second end are ignored.
    CHECK(model.AddTri(a, b, c, 3) == PQP_ERR_BUILD_OUT_OF_SEQUENCE && model.num_tris == 2);
    CHECK(model.EndModel() == PQP_ERR_BUILD_OUT_OF_SEQUENCE && model.build_state == 2);
    // BeginModel clears what was there, and tells so.
    CHECK(model.BeginModel() == PQP_ERR_BUILD_OUT_OF_SEQUENCE && model.num_tris == 0 && model.build_state == 1);
    CHECK(model.AddTri(a, b, c, 4) == PQP_OK);
    CHECK(model.BeginModel(-3) == PQP_ERR_BUILD_OUT_OF_SEQUENCE && model.num_tris == 0);
    CHECK(model.EndModel() == PQP_ERR_BUILD_EMPTY_MODEL && model.build_state == 1);
    for (int i = 0; i < 1000; ++i) CHECK(model.AddTri(a, b, c, i) == PQP_OK); // more than BeginModel announced
    CHECK(model.num_tris == 1000 && model.tris[999].id == 999 && model.EndModel() == PQP_OK);
}

void bad_arguments() {
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const double bad[3] = {0, nan, 0}, endless[3] = {infinity, 0, 0};
    PQP_Model model, never_ended;
    model.BeginModel();
    CHECK(model.AddTri(a, bad, c, 1) == PQP_ERR_BUILD_OUT_OF_SEQUENCE);
    CHECK(model.AddTri(endless, b, c, 1) == PQP_ERR_BUILD_OUT_OF_SEQUENCE);
    CHECK(model.AddTri(a, b, nullptr, 1) == PQP_ERR_BUILD_OUT_OF_SEQUENCE);
    CHECK(model.num_tris == 0 && model.AddTri(a, b, c, 1) == PQP_OK && model.EndModel() == PQP_OK);

    Pose here = at_rest(), there = pose(0.5, 1, 0, 0, 0, 0, 2.0);
    PQP_CollideResult contacts;
    PQP_DistanceResult apart;
    PQP_ToleranceResult close;
    CHECK(PQP_Collide(&contacts, here.R, here.T, &model, there.R, there.T, &never_ended) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Distance(&apart, here.R, here.T, &never_ended, there.R, there.T, &model, 0, 0) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Tolerance(&close, here.R, here.T, &never_ended, there.R, there.T, &never_ended, 1) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Collide(nullptr, here.R, here.T, &model, there.R, there.T, &model) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Collide(&contacts, nullptr, here.T, &model, there.R, there.T, &model) == PQP_ERR_UNPROCESSED_MODEL);
    CHECK(PQP_Distance(&apart, here.R, here.T, &model, there.R, there.T, nullptr, 0, 0) == PQP_ERR_UNPROCESSED_MODEL);

    Pose broken = at_rest();
    broken.R[1][1] = nan;
    CHECK(PQP_Distance(&apart, broken.R, here.T, &model, there.R, there.T, &model, 0, 0) == PQP_ERR_UNPROCESSED_MODEL);
    broken = at_rest();
    broken.T[2] = infinity;
    CHECK(PQP_Distance(&apart, here.R, here.T, &model, broken.R, broken.T, &model, 0, 0) == PQP_ERR_UNPROCESSED_MODEL);
    std::memset(broken.R, 0, sizeof broken.R);
    CHECK(PQP_Collide(&contacts, broken.R, here.T, &model, there.R, there.T, &model) == PQP_ERR_UNPROCESSED_MODEL);

    // Errors and tolerances below 0 are 0; infinite ones are very large.
    CHECK(PQP_Distance(&apart, here.R, here.T, &model, there.R, there.T, &model, -1.0, nan) == PQP_OK);
    Own own(Mesh(1, Triangle{{corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0)}}), Mesh(1, Triangle{{corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0)}}));
    own.place(here, there);
    CHECK(near(apart.Distance(), own.distance(), 1e-14));
    CHECK(PQP_Distance(&apart, here.R, here.T, &model, there.R, there.T, &model, infinity, infinity) == PQP_OK && apart.Distance() >= own.distance() - 1e-14);
    CHECK(PQP_Tolerance(&close, here.R, here.T, &model, there.R, there.T, &model, -5.0) == PQP_OK && close.CloserThanTolerance() == 0);
    CHECK(PQP_Tolerance(&close, here.R, here.T, &model, there.R, there.T, &model, infinity) == PQP_OK && close.CloserThanTolerance() == 1);
}

void degenerate() {
    // Segments and points are legal: their distances are those of segments and points.
    PQP_Model segment, point;
    const double end[3] = {2, 0, 0}, middle[3] = {1, 0, 0}, zero[3] = {0, 0, 0};
    segment.BeginModel();
    CHECK(segment.AddTri(zero, end, middle, 0) == PQP_OK && segment.EndModel() == PQP_OK);
    point.BeginModel();
    CHECK(point.AddTri(zero, zero, zero, 0) == PQP_OK && point.EndModel() == PQP_OK);
    Pose here = at_rest(), there = pose(1.0, 1, 1, 0, 1.5, 3.0, 4.0);
    PQP_DistanceResult result;
    CHECK(PQP_Distance(&result, here.R, here.T, &segment, there.R, there.T, &point, 0, 0) == PQP_OK);
    CHECK(near(result.Distance(), 5.0, 1e-14) && near(result.P1()[0], 1.5, 1e-14) && result.P1()[1] == 0.0);
    there.T[1] = there.T[2] = 0.0;
    CHECK(PQP_Distance(&result, here.R, here.T, &segment, there.R, there.T, &point, 0, 0) == PQP_OK && near(result.Distance(), 0.0, 1e-15));
    PQP_CollideResult contacts;
    there.T[0] = 1.0;
    CHECK(PQP_Collide(&contacts, here.R, here.T, &segment, there.R, there.T, &point) == PQP_OK && contacts.NumPairs() == 1);
}

/// Rotations that have drifted: the answer is that of the nearest rotation.
void drift() {
    const Mesh ring = torus(1.0, 0.2, 20, 10), block = box(corner(-0.3, -0.1, -0.2), corner(0.3, 0.1, 0.2));
    PQP_Model first, second;
    fill(first, ring);
    fill(second, block);
    Own own(ring, block);
    PQP_DistanceResult result;
    const double amounts[5] = {1e-12, 1e-7, 1e-4, 1e-2, 0.2};
    for (int k = 0; k < 5; ++k) {
        const Pose true_1 = pose(0.4, 1, 2, 3, 1, 2, 3), true_2 = pose(2.4, -1, 2, 0.5, 3.5, 2.5, 3);
        // Q * (1 + e S) with a symmetric S drifts without turning: its nearest rotation is Q.
        const double S[3][3] = {{1.0, 0.3, -0.2}, {0.3, -0.5, 0.4}, {-0.2, 0.4, 0.7}};
        Pose drifted = true_1;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                for (int l = 0; l < 3; ++l) drifted.R[i][j] += amounts[k] * true_1.R[i][l] * S[l][j];
            }
        }
        Pose other = true_2;
        own.place(true_1, true_2);
        CHECK(PQP_Distance(&result, drifted.R, drifted.T, &first, other.R, other.T, &second, 0, 0) == PQP_OK);
        CHECK(near(result.Distance(), own.distance(), 1e-12));
        CHECK(near(distance(moved(true_1, result.P1()), moved(true_2, result.P2())), result.Distance(), 1e-12));
        CHECK(PQP_Distance(&result, other.R, other.T, &first, drifted.R, drifted.T, &second, 0, 0) == PQP_OK);
        own.place(true_2, true_1);
        CHECK(near(result.Distance(), own.distance(), 1e-12));
    }
    // A million small turns multiplied up, as simulators do.
    Pose turning = at_rest(), step = pose(0.001, 1, 2, 3, 0, 0, 0), still = at_rest();
    for (int i = 0; i < 1000000; ++i) {
        double product[3][3];
        for (int r = 0; r < 3; ++r) {
            for (int s = 0; s < 3; ++s) product[r][s] = turning.R[r][0] * step.R[0][s] + turning.R[r][1] * step.R[1][s] + turning.R[r][2] * step.R[2][s];
        }
        std::memcpy(turning.R, product, sizeof product);
    }
    turning.T[0] = 3.0;
    CHECK(PQP_Distance(&result, still.R, still.T, &first, turning.R, turning.T, &second, 0, 0) == PQP_OK && result.Distance() > 1.0);
    // Both models seen in a mirror have the same distance; one alone is refused.
    Pose mirror = pose(0.4, 1, 2, 3, 1, 2, 3), mirrored = pose(2.4, -1, 2, 0.5, 3.5, 2.5, 3);
    own.place(mirror, mirrored);
    for (int i = 0; i < 3; ++i) {
        mirror.R[0][i] = -mirror.R[0][i];
        mirrored.R[0][i] = -mirrored.R[0][i];
    }
    mirror.T[0] = -mirror.T[0];
    mirrored.T[0] = -mirrored.T[0];
    CHECK(PQP_Distance(&result, mirror.R, mirror.T, &first, mirrored.R, mirrored.T, &second, 0, 0) == PQP_OK && near(result.Distance(), own.distance(), 1e-12));
    CHECK(PQP_Distance(&result, mirror.R, mirror.T, &first, still.R, still.T, &second, 0, 0) == PQP_ERR_UNPROCESSED_MODEL);
}

} // namespace

void misuse_client() {
    codes();
    order_of_calls();
    bad_arguments();
    degenerate();
    drift();
}
