// A validity checker, as motion planners have: first contact against the environment, clearance with an error of one
// per cent, parts against each other. The tolerance query beside it.
#include <PQP/PQP.h>

#include "shared.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

namespace {

typedef std::shared_ptr<PQP_Model> ModelPointer;

ModelPointer from_triangles(const Mesh &triangles) {
    ModelPointer model;
    if (triangles.empty()) return model;
    model = std::make_shared<PQP_Model>();
    model->BeginModel();
    int id = 0;
    for (std::size_t j = 0; j < triangles.size(); ++j) {
        PQP_REAL v[3][3];
        for (int k = 0; k < 3; ++k) {
            for (int axis = 0; axis < 3; ++axis) v[k][axis] = static_cast<float>(triangles[j].corner[k].x[axis]);
        }
        model->AddTri(v[0], v[1], v[2], id++);
    }
    model->EndModel();
    return model;
}

class Validity {
public:
    Validity(const Mesh &part, const Mesh &environment) : environment_(from_triangles(environment)) {
        parts_.push_back(from_triangles(part));
        CHECK(environment_->num_tris == static_cast<int>(environment.size()));
    }
    bool is_valid(Pose state) const {
        static PQP_REAL no_translation[3] = {0.0, 0.0, 0.0};
        static PQP_REAL no_rotation[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
        std::lock_guard<std::mutex> lock(mutex_);
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            PQP_CollideResult result;
            PQP_Collide(&result, state.R, state.T, parts_[i].get(), no_rotation, no_translation, environment_.get(), PQP_FIRST_CONTACT);
            if (result.Colliding() != 0) return false;
        }
        return true;
    }
    double clearance(Pose state) const {
        static PQP_REAL no_translation[3] = {0.0, 0.0, 0.0};
        static PQP_REAL no_rotation[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
        PQP_DistanceResult result;
        PQP_Distance(&result, state.R, state.T, parts_[0].get(), no_rotation, no_translation, environment_.get(), 1e-2, 0.0);
        return result.Distance();
    }
    int near_enough(Pose state, double tolerance, PQP_ToleranceResult &result) const {
        Pose world = at_rest();
        CHECK(PQP_Tolerance(&result, state.R, state.T, parts_[0].get(), world.R, world.T, environment_.get(), tolerance, 3) == PQP_OK);
        return result.CloserThanTolerance();
    }

private:
    std::vector<ModelPointer> parts_;
    ModelPointer environment_;
    mutable std::mutex mutex_;
};

Mesh rounded(Mesh mesh) {
    for (std::size_t i = 0; i < mesh.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            for (int axis = 0; axis < 3; ++axis) mesh[i].corner[k].x[axis] = static_cast<float>(mesh[i].corner[k].x[axis]);
        }
    }
    return mesh;
}

} // namespace

void planner_client() {
    const Mesh part = box(corner(-0.2, -0.05, -0.05), corner(0.2, 0.05, 0.05)), walls = torus(1.0, 0.4, 30, 30);
    Validity validity(part, walls);
    Own own(rounded(part), rounded(walls));
    CHECK(!from_triangles(Mesh()));
    int valid = 0;
    for (int i = 0; i < 400; ++i) {
        const Pose state = pose(0.37 * i, std::sin(1.0 * i), std::cos(2.0 * i), 0.5, 1.5 * std::sin(0.3 * i), 1.5 * std::cos(0.71 * i), 0.6 * std::sin(0.13 * i));
        own.place(state, at_rest());
        const bool free = validity.is_valid(state);
        CHECK(free == !own.collide());
        valid += free;
        const double exact = own.distance(), clearance = validity.clearance(state);
        CHECK(clearance >= exact - 1e-12 && clearance <= exact * 1.01 + 1e-12);
        const double tolerances[4] = {0.0, 0.05, 0.4, 3.0};
        for (int k = 0; k < 4; ++k) {
            PQP_ToleranceResult result;
            CHECK(validity.near_enough(state, tolerances[k], result) == (own.within(tolerances[k]) ? 1 : 0));
            CHECK(result.closer_than_tolerance == (exact <= tolerances[k] ? 1 : 0));
            CHECK(result.tolerance == tolerances[k] && result.qsize == 3);
            if (result.CloserThanTolerance()) { // the points are what established the answer
                CHECK(result.Distance() <= tolerances[k] && result.Distance() >= exact - 1e-12);
                CHECK(near(distance(moved(state, result.P1()), moved(at_rest(), result.P2())), result.Distance(), 1e-12));
            } else {
                CHECK(result.Distance() > tolerances[k]);
            }
        }
    }
    CHECK(valid > 100 && valid < 400);
}
