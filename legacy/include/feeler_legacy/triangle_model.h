// The triangles that a model object collects, and the geometry they become: what PQP_Model and RAPID_model share.
#ifndef FEELER_LEGACY_TRIANGLE_MODEL_H
#define FEELER_LEGACY_TRIANGLE_MODEL_H

#include "pair_cache.h"

#include <climits>
#include <cmath>
#include <cstring>

namespace feeler_legacy {

inline int as_int(std::uint64_t number) { return number > static_cast<std::uint64_t>(INT_MAX) ? INT_MAX : static_cast<int>(number); }

/// Triangle is a plain struct with p1, p2, p3 (double[3], model frame) and id. Copies have their own triangles and share
/// the geometry, which never changes. No function throws.
template <class Triangle> class TriangleModel {
public:
    int build_state;      ///< 0 before BeginModel, 1 while triangles come; see PQP_Model and RAPID_model for more
    Triangle *tris;       ///< in the order of AddTri
    int num_tris;         ///< number of triangles
    int num_tris_alloced; ///< number of triangles that there is room for

    /// What queries use; null before EndModel. Not part of the old interfaces.
    Geometry *geometry() const { return geometry_; }

protected:
    TriangleModel() : build_state(0), tris(nullptr), num_tris(0), num_tris_alloced(0), geometry_(nullptr) {}
    TriangleModel(const TriangleModel &other) : build_state(0), tris(nullptr), num_tris(0), num_tris_alloced(0), geometry_(nullptr) { copy(other); }
    TriangleModel(TriangleModel &&other) noexcept : build_state(0), tris(nullptr), num_tris(0), num_tris_alloced(0), geometry_(nullptr) { swap(other); }
    ~TriangleModel() { clear(); }

    /// As after the constructor; pairs that use the old geometry are forgotten.
    void clear() {
        std::free(tris);
        tris = nullptr;
        num_tris = num_tris_alloced = 0;
        build_state = 0;
        Geometry *old = geometry_;
        geometry_ = nullptr;
        release(old);
    }

    /// Becomes an empty model when memory runs out.
    void copy(const TriangleModel &other) {
        if (this == &other) return;
        clear();
        if (!reserve(other.num_tris)) {
            warn("copy of a model", "memory ran out; the copy is empty");
            return;
        }
        if (other.num_tris > 0) std::memcpy(tris, other.tris, static_cast<std::size_t>(other.num_tris) * sizeof(Triangle));
        num_tris = other.num_tris;
        build_state = other.build_state;
        geometry_ = other.geometry_;
        if (geometry_) geometry_->add_owner();
    }

    void swap(TriangleModel &other) noexcept {
        exchange(build_state, other.build_state);
        exchange(tris, other.tris);
        exchange(num_tris, other.num_tris);
        exchange(num_tris_alloced, other.num_tris_alloced);
        exchange(geometry_, other.geometry_);
    }

    /// Room for that many triangles; false when memory ran out, and nothing has changed.
    bool reserve(int wanted) {
        if (wanted <= num_tris_alloced) return true;
        void *grown = std::realloc(static_cast<void *>(tris), static_cast<std::size_t>(wanted) * sizeof(Triangle));
        if (!grown) return false;
        tris = static_cast<Triangle *>(grown);
        num_tris_alloced = wanted;
        return true;
    }

    static bool acceptable(const double *p) { return p && std::fabs(p[0]) <= 1e300 && std::fabs(p[1]) <= 1e300 && std::fabs(p[2]) <= 1e300; }

    /// False when memory ran out.
    bool append(const double *p1, const double *p2, const double *p3, int id) {
        if (num_tris == num_tris_alloced && (num_tris == INT_MAX || !reserve(num_tris > INT_MAX / 2 ? INT_MAX : num_tris < 4 ? 8 : 2 * num_tris))) return false;
        Triangle &triangle = tris[num_tris];
        for (int axis = 0; axis < 3; ++axis) {
            triangle.p1[axis] = p1[axis];
            triangle.p2[axis] = p2[axis];
            triangle.p3[axis] = p3[axis];
        }
        triangle.id = id;
        ++num_tris;
        return true;
    }

    /// Builds the geometry of all triangles.
    feeler_status process() {
        const std::size_t count = static_cast<std::size_t>(num_tris);
        double *corners = static_cast<double *>(std::malloc(count * 9 * sizeof(double)));
        if (!corners) return FEELER_STATUS_OUT_OF_MEMORY;
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(corners + 9 * i, tris[i].p1, 3 * sizeof(double));
            std::memcpy(corners + 9 * i + 3, tris[i].p2, 3 * sizeof(double));
            std::memcpy(corners + 9 * i + 6, tris[i].p3, 3 * sizeof(double));
        }
        feeler_mesh mesh = feeler_mesh_default();
        mesh.scalar = FEELER_SCALAR_F64;
        mesh.vertices = corners;
        mesh.vertex_count = count * 3;
        feeler_model *model = nullptr;
        feeler_status status = feeler_model_create(&mesh, &model);
        std::free(corners);
        if (status == FEELER_STATUS_OK) status = feeler_model_build(model, nullptr);
        if (status != FEELER_STATUS_OK) {
            feeler_model_destroy(model);
            return status;
        }
        geometry_ = Geometry::adopt(model);
        return geometry_ ? FEELER_STATUS_OK : FEELER_STATUS_OUT_OF_MEMORY;
    }

    /// Bytes of the triangles and, once it is built, of the geometry.
    std::uint64_t memory() const {
        feeler_model_info info = feeler_model_info_default();
        if (geometry_) feeler_model_get_info(geometry_->model(), &info);
        return info.memory_bytes + static_cast<std::uint64_t>(num_tris_alloced) * sizeof(Triangle);
    }

private:
    TriangleModel &operator=(const TriangleModel &);

    template <class T> static void exchange(T &a, T &b) noexcept {
        const T old = a;
        a = b;
        b = old;
    }

    Geometry *geometry_;
};

} // namespace feeler_legacy

#endif
