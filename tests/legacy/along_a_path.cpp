// A scene of shapes that have their models as members, as robot libraries have: exact distances along a path, points in
// the frames of the models, a model of one point per query.
#include <PQP.h>

#include "shared.hpp"

#include <limits>

namespace {

struct Shape {
    explicit Shape(const Mesh &mesh) : frame(at_rest()) {
        model.BeginModel(static_cast<int>(mesh.size()));
        for (std::size_t i = 0; i < mesh.size(); ++i) model.AddTri(mesh[i].corner[0].x, mesh[i].corner[1].x, mesh[i].corner[2].x, static_cast<int>(i));
        model.EndModel();
    }
    PQP_Model model;
    Pose frame;
};

const double epsilon = std::numeric_limits<double>::epsilon();

double between(Shape &first, Shape &second, Corner &point_1, Corner &point_2) {
    PQP_DistanceResult result;
    PQP_Distance(&result, first.frame.R, first.frame.T, &first.model, second.frame.R, second.frame.T, &second.model, epsilon, epsilon);
    point_1 = moved(first.frame, result.P1());
    point_2 = moved(second.frame, result.P2());
    return result.Distance();
}

double to_point(Shape &shape, const Corner &point, Corner &point_1) {
    const double zero[3] = {0.0, 0.0, 0.0};
    PQP_Model one;
    one.BeginModel(1);
    one.AddTri(zero, zero, zero, 0);
    one.EndModel();
    Pose there = at_rest();
    for (int i = 0; i < 3; ++i) there.T[i] = point.x[i];
    PQP_DistanceResult result;
    PQP_Distance(&result, shape.frame.R, shape.frame.T, &shape.model, there.R, there.T, &one, epsilon, epsilon);
    point_1 = moved(shape.frame, result.P1());
    CHECK(near(distance(moved(there, result.P2()), point), 0.0, 1e-15));
    return result.Distance();
}

/// How far a point is from the plane of a triangle, and whether the point's foot is inside the triangle.
bool on_triangle(const double *p, const Tri &tri, double tolerance) {
    double u[3], v[3], w[3], n[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = tri.p2[i] - tri.p1[i];
        v[i] = tri.p3[i] - tri.p1[i];
        w[i] = p[i] - tri.p1[i];
    }
    feeler_legacy::cross(u, v, n);
    const double nn = feeler_legacy::dot(n, n);
    double uw[3], wv[3];
    feeler_legacy::cross(u, w, uw);
    feeler_legacy::cross(w, v, wv);
    const double beta = feeler_legacy::dot(wv, n) / nn, gamma = feeler_legacy::dot(uw, n) / nn;
    return std::fabs(feeler_legacy::dot(w, n)) / std::sqrt(nn) <= tolerance && beta >= -1e-9 && gamma >= -1e-9 && beta + gamma <= 1.0 + 1e-9;
}

} // namespace

void along_a_path_client() {
    const Mesh ring = torus(1.0, 0.2, 60, 24), block = box(corner(-0.3, -0.1, -0.2), corner(0.3, 0.1, 0.2));
    Shape first(ring), second(block);
    Own own(ring, block);
    CHECK(first.model.num_tris == 2880 && first.model.build_state == 2);
    CHECK(static_cast<Tri *>(first.model.last_tri) == first.model.tris);
    for (int step = 0; step < 200; ++step) {
        first.frame = pose(0.01 * step, 0, 1, 1, 100.0, 0.001 * step, 0.0);
        second.frame = pose(0.02 * step, 1, 1, 0, 100.0 + 2.0 - 0.01 * step, 0.3, 0.1 * std::sin(0.1 * step));
        own.place(first.frame, second.frame);
        Corner p, q;
        const double found = between(first, second, p, q);
        CHECK(near(found, own.distance(), 1e-12));
        CHECK(near(distance(p, q), found, 1e-12));
    }
    // The points lie on the triangles that last_tri tells, in the frames of the models.
    PQP_DistanceResult result;
    second.frame.T[0] += 3.0;
    CHECK(PQP_Distance(&result, first.frame.R, first.frame.T, &first.model, second.frame.R, second.frame.T, &second.model, 0.0, 0.0, 100) == PQP_OK);
    CHECK(result.Distance() > 1.0 && result.qsize == 100 && result.RelativeError() == 0.0 && result.AbsoluteError() == 0.0);
    CHECK(on_triangle(result.p1, *first.model.last_tri, 1e-12));
    CHECK(on_triangle(result.P2(), *second.model.last_tri, 1e-12));
    CHECK(first.model.last_tri->id >= 0 && first.model.last_tri->id < 2880 && second.model.last_tri->id < 12);
    // The result tells the errors that it was asked with.
    CHECK(PQP_Distance(&result, first.frame.R, first.frame.T, &first.model, second.frame.R, second.frame.T, &second.model, 0.25, 0.5) == PQP_OK);
    CHECK(result.rel_err == 0.25 && result.abs_err == 0.5 && result.RelativeError() == 0.25 && result.AbsoluteError() == 0.5 && result.qsize == 2);

    // A model of one point per query, thousands of times: the answers are those of a ring.
    first.frame = pose(0.7, 1, 2, 2, 0.5, 0.5, 0.5);
    const Mesh point(1, Triangle());
    Own own_point(ring, point);
    for (int i = 0; i < 2000; ++i) {
        const Corner where = corner(3.0 * std::sin(0.1 * i), 2.0 * std::cos(0.17 * i), 1.5 * std::sin(0.05 * i));
        Corner on_ring;
        const double found = to_point(first, where, on_ring);
        Pose there = at_rest();
        for (int k = 0; k < 3; ++k) there.T[k] = where.x[k];
        own_point.place(first.frame, there);
        CHECK(near(found, own_point.distance(), 1e-12) && near(distance(on_ring, where), found, 1e-12));
    }
    // Far from the origin of the world the points lose nothing, because they stay in their frames.
    for (int k = 0; k < 3; ++k) {
        first.frame.T[k] += 1048576.0;
        second.frame.T[k] = first.frame.T[k] + 2.0;
    }
    CHECK(PQP_Distance(&result, first.frame.R, first.frame.T, &first.model, second.frame.R, second.frame.T, &second.model, 0.0, 0.0) == PQP_OK);
    CHECK(on_triangle(result.P1(), *first.model.last_tri, 1e-14) && on_triangle(result.P2(), *second.model.last_tri, 1e-14));
}
