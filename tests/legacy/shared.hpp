// What the client programs share: shapes, poses, the same questions put to feeler itself, and counting checks.
#pragma once

#include <feeler.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

extern int checks_passed, checks_failed;

inline void check(bool holds, const char *what, const char *file, int line) {
    if (holds) {
        ++checks_passed;
    } else {
        if (++checks_failed <= 20) std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
    }
}
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

inline bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance; }

struct Corner {
    double x[3];
};
struct Triangle {
    Corner corner[3];
};
typedef std::vector<Triangle> Mesh;

inline Corner corner(double x, double y, double z) {
    Corner c = {{x, y, z}};
    return c;
}
inline void add(Mesh &mesh, Corner a, Corner b, Corner c) {
    Triangle t = {{a, b, c}};
    mesh.push_back(t);
}

/// A torus about the z axis: distance of the tube's centre line, radius of the tube, 2 * n * m triangles.
inline Mesh torus(double around, double tube, int n, int m) {
    const double turn = 6.283185307179586;
    std::vector<Corner> points;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            const double u = turn * i / n, v = turn * j / m, r = around + tube * std::cos(v);
            points.push_back(corner(r * std::cos(u), r * std::sin(u), tube * std::sin(v)));
        }
    }
    Mesh mesh;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            const std::size_t k = static_cast<std::size_t>((i + 1) % n), l = static_cast<std::size_t>((j + 1) % m), w = static_cast<std::size_t>(m);
            const std::size_t p = static_cast<std::size_t>(i) * w, q = static_cast<std::size_t>(j);
            add(mesh, points[p + q], points[k * w + q], points[k * w + l]);
            add(mesh, points[p + q], points[k * w + l], points[p + l]);
        }
    }
    return mesh;
}

/// The surface of the box between two corners: 12 triangles.
inline Mesh box(Corner low, Corner high) {
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            Corner at[4];
            for (int k = 0; k < 4; ++k) {
                const int bits[3] = {side, k & 1, k >> 1};
                for (int d = 0; d < 3; ++d) at[k].x[(axis + d) % 3] = bits[d] ? high.x[(axis + d) % 3] : low.x[(axis + d) % 3];
            }
            add(mesh, at[0], at[1], at[3]);
            add(mesh, at[0], at[3], at[2]);
        }
    }
    return mesh;
}

/// A rotation matrix and a translation, as PQP and RAPID take them.
struct Pose {
    double R[3][3];
    double T[3];
};

/// Turned by an angle about an axis, which need not have the length 1.
inline Pose pose(double angle, double ax, double ay, double az, double x, double y, double z) {
    const double length = std::sqrt(ax * ax + ay * ay + az * az), a[3] = {ax / length, ay / length, az / length};
    const double c = std::cos(angle), s = std::sin(angle);
    const double turn[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    Pose p;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) p.R[i][j] = (i == j ? c : 0.0) + s * turn[i][j] + (1.0 - c) * a[i] * a[j];
    }
    p.T[0] = x;
    p.T[1] = y;
    p.T[2] = z;
    return p;
}
inline Pose at_rest() { return pose(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0); }

inline Corner moved(const Pose &p, const double *point) {
    Corner c;
    for (int i = 0; i < 3; ++i) c.x[i] = p.R[i][0] * point[0] + p.R[i][1] * point[1] + p.R[i][2] * point[2] + p.T[i];
    return c;
}
inline double distance(const Corner &a, const Corner &b) {
    return std::sqrt((a.x[0] - b.x[0]) * (a.x[0] - b.x[0]) + (a.x[1] - b.x[1]) * (a.x[1] - b.x[1]) + (a.x[2] - b.x[2]) * (a.x[2] - b.x[2]));
}

/// Fills a PQP_Model or a RAPID_model; triangle i gets the number first + i % repeat.
template <class Model> void fill(Model &model, const Mesh &mesh, int first = 0, int repeat = 1 << 30) {
    CHECK(model.BeginModel() == 0);
    for (std::size_t i = 0; i < mesh.size(); ++i) {
        const Triangle &t = mesh[i];
        CHECK(model.AddTri(t.corner[0].x, t.corner[1].x, t.corner[2].x, first + static_cast<int>(i) % repeat) == 0);
    }
    CHECK(model.EndModel() == 0);
}

/// The same two meshes in feeler's own words.
class Own {
public:
    Own(const Mesh &a, const Mesh &b) : a_(build(a)), b_(build(b)), pair_(nullptr) { expect(feeler_pair_create(a_, b_, nullptr, &pair_)); }
    ~Own() {
        feeler_pair_destroy(pair_);
        feeler_model_destroy(a_);
        feeler_model_destroy(b_);
    }
    void place(const Pose &a, const Pose &b, double scale_a = 1.0, double scale_b = 1.0) {
        const feeler_transform x = transform(a, scale_a), y = transform(b, scale_b);
        expect(feeler_pair_set_transforms(pair_, &x, &y));
    }
    double distance() {
        feeler_distance_result result = feeler_distance_result_default();
        expect(feeler_pair_distance(pair_, nullptr, &result));
        return result.upper;
    }
    bool collide() {
        feeler_collide_result result = feeler_collide_result_default();
        expect(feeler_pair_collide(pair_, nullptr, &result));
        return result.colliding != 0;
    }
    bool within(double tolerance) {
        feeler_tolerance_params params = feeler_tolerance_params_default();
        feeler_tolerance_result result = feeler_tolerance_result_default();
        params.tolerance = tolerance;
        expect(feeler_pair_tolerance(pair_, &params, &result));
        return result.closer != 0;
    }
    /// Touching triangles, by their places in the meshes.
    std::vector<std::pair<int, int>> contacts() {
        feeler_contacts_result result = feeler_contacts_result_default();
        expect(feeler_pair_contacts(pair_, nullptr, nullptr, 0, &result));
        std::vector<feeler_contact> found(static_cast<std::size_t>(result.found) + 1);
        expect(feeler_pair_contacts(pair_, nullptr, found.data(), found.size(), &result));
        std::vector<std::pair<int, int>> pairs;
        for (std::size_t i = 0; i < result.written; ++i) pairs.push_back(std::make_pair(static_cast<int>(found[i].triangle_a), static_cast<int>(found[i].triangle_b)));
        return pairs;
    }
    feeler_pair *pair() const { return pair_; }

    static feeler_transform transform(const Pose &p, double scale = 1.0) {
        feeler_transform t = feeler_transform_identity();
        std::memcpy(t.rotation, p.R, sizeof t.rotation);
        std::memcpy(t.translation, p.T, sizeof t.translation);
        t.scale[0] = t.scale[1] = t.scale[2] = scale;
        return t;
    }

private:
    Own(const Own &);
    Own &operator=(const Own &);

    static void expect(feeler_status status) {
        if (status == FEELER_STATUS_OK) return;
        std::printf("%s\n", feeler_last_error_message());
        std::exit(1);
    }
    static feeler_model *build(const Mesh &mesh) {
        feeler_mesh description = feeler_mesh_default();
        description.scalar = FEELER_SCALAR_F64;
        description.vertices = mesh.data();
        description.vertex_count = 3 * mesh.size();
        feeler_model *model = nullptr;
        expect(feeler_model_create(&description, &model));
        expect(feeler_model_build(model, nullptr));
        return model;
    }

    feeler_model *a_, *b_;
    feeler_pair *pair_;
};
