// The classes of PQP's interface, over feeler. Include PQP.h; this file is here for programs that name it.
#ifndef FEELER_LEGACY_PQP_INTERNAL_H
#define FEELER_LEGACY_PQP_INTERNAL_H

#include "PQP_Compile.h"
#include "feeler_legacy/triangle_model.h"

/// A triangle of a model: corners in the frame of the model, and the number that the program gave it.
struct Tri {
    PQP_REAL p1[3];
    PQP_REAL p2[3];
    PQP_REAL p3[3];
    int id;
};

namespace feeler_legacy {

/// A pointer that queries of several threads may set at once; the last one stays. Reads and writes like `Tri *`.
class LastTriangle {
public:
    LastTriangle(Tri *tri = nullptr) : tri_(tri) {}
    LastTriangle(const LastTriangle &other) : tri_(other.get()) {}
    LastTriangle &operator=(const LastTriangle &other) { return *this = other.get(); }
    LastTriangle &operator=(Tri *tri) {
        tri_.store(tri, std::memory_order_relaxed);
        return *this;
    }
    operator Tri *() const { return get(); }
    Tri *operator->() const { return get(); }
    Tri &operator*() const { return *get(); }

private:
    Tri *get() const { return tri_.load(std::memory_order_relaxed); }

    std::atomic<Tri *> tri_;
};

} // namespace feeler_legacy

/// A set of triangles, used in queries after BeginModel, AddTri once per triangle, and EndModel. Copies are models of
/// their own. Any number of threads may query a model that nobody changes.
class PQP_Model : public feeler_legacy::TriangleModel<Tri> {
    typedef feeler_legacy::TriangleModel<Tri> Base;

public:
    // Inherited: int build_state (0 empty, 1 begun, 2 processed), Tri *tris, int num_tris, int num_tris_alloced.

    int num_bvs;                          ///< nodes of the tree
    int num_bvs_alloced;                  ///< the same
    feeler_legacy::LastTriangle last_tri; ///< the triangle of this model that the last distance or tolerance query ended at

    PQP_Model() : num_bvs(0), num_bvs_alloced(0) {}
    PQP_Model(const PQP_Model &other) : Base(other), num_bvs(other.num_bvs), num_bvs_alloced(other.num_bvs_alloced) { take_last(other); }
    PQP_Model(PQP_Model &&other) noexcept : num_bvs(0), num_bvs_alloced(0) { exchange(other); }
    PQP_Model &operator=(const PQP_Model &other) {
        if (this == &other) return *this;
        copy(other);
        num_bvs = other.num_bvs;
        num_bvs_alloced = other.num_bvs_alloced;
        take_last(other);
        return *this;
    }
    PQP_Model &operator=(PQP_Model &&other) noexcept {
        exchange(other);
        return *this;
    }

    /// Starts a new set with room for n triangles; more than n may come. A model that was not empty is cleared, with a
    /// warning: PQP_ERR_BUILD_OUT_OF_SEQUENCE (-4).
    int BeginModel(int n = 8) {
        const bool was_empty = build_state == 0;
        clear();
        num_bvs = num_bvs_alloced = 0;
        last_tri = nullptr;
        if (!reserve(n > 0 ? n : 8)) return out_of_memory("BeginModel");
        build_state = 1;
        if (was_empty) return 0;
        feeler_legacy::warn("PQP_Model::BeginModel", "the model was not empty; its triangles are gone");
        return -4;
    }

    /// Adds a triangle, which may be degenerate, under a number of the program's choice, which may repeat. Before
    /// BeginModel the triangle counts, and -4 tells that BeginModel was missing. After EndModel the call is ignored, -4.
    int AddTri(const PQP_REAL *p1, const PQP_REAL *p2, const PQP_REAL *p3, int id) {
        if (build_state == 2) {
            feeler_legacy::warn("PQP_Model::AddTri", "the model has ended, the triangle is ignored; BeginModel clears the model for new ones");
            return -4;
        }
        if (!acceptable(p1) || !acceptable(p2) || !acceptable(p3)) {
            feeler_legacy::warn("PQP_Model::AddTri", "a corner is missing, not finite or beyond 1e300; the triangle is ignored");
            return -4;
        }
        const bool begun = build_state == 1;
        if (!begun) {
            const int status = BeginModel();
            if (status != 0) return status;
        }
        if (!append(p1, p2, p3, id)) return out_of_memory("AddTri");
        return begun ? 0 : -4;
    }

    /// Builds the tree; the model is ready for queries. Without triangles: -5, and the model stays as it was. A second
    /// call is ignored, -4.
    int EndModel() {
        if (build_state == 2) {
            feeler_legacy::warn("PQP_Model::EndModel", "the model has ended before; the call is ignored");
            return -4;
        }
        if (num_tris == 0) {
            feeler_legacy::warn("PQP_Model::EndModel", "the model has no triangle");
            return -5;
        }
        const feeler_status status = process();
        if (status == FEELER_STATUS_OUT_OF_MEMORY) return out_of_memory("EndModel");
        if (status != FEELER_STATUS_OK) {
            feeler_legacy::warn("PQP_Model::EndModel", feeler_last_error_message());
            return -1;
        }
        build_state = 2;
        feeler_model_info info = feeler_model_info_default();
        feeler_model_get_info(geometry()->model(), &info);
        num_bvs = num_bvs_alloced = feeler_legacy::as_int(info.node_count);
        last_tri = tris;
        return 0;
    }

    /// Bytes of the model; msg other than 0 prints them to stderr as well.
    int MemUsage(int msg) {
        const int bytes = feeler_legacy::as_int(memory());
        if (msg) std::fprintf(stderr, "feeler, PQP_Model: %d triangles, %d nodes, %d bytes\n", num_tris, num_bvs, bytes);
        return bytes;
    }

private:
    static int out_of_memory(const char *function) {
        feeler_legacy::warn(function, "memory ran out");
        return -1;
    }
    void take_last(const PQP_Model &other) {
        Tri *last = other.last_tri;
        last_tri = last && num_tris > 0 ? tris + (last - other.tris) : nullptr;
    }
    void exchange(PQP_Model &other) noexcept {
        Base::swap(other);
        const int nodes = num_bvs;
        num_bvs = num_bvs_alloced = other.num_bvs;
        other.num_bvs = other.num_bvs_alloced = nodes;
        Tri *last = last_tri;
        last_tri = other.last_tri;
        other.last_tri = last;
    }
};

/// Two triangles that touch, by the numbers that the program gave them.
struct CollisionPair {
    int id1;
    int id2;
};

/// What PQP_Collide found. Reuses its list from query to query; copies have their own list.
struct PQP_CollideResult {
    int num_bv_tests;       ///< volume pairs that were tested
    int num_tri_tests;      ///< triangle pairs that were tested
    double query_time_secs; ///< duration of the query, seconds

    PQP_REAL R[3][3]; ///< with T: the pose of model 2 in the frame of model 1
    PQP_REAL T[3];

    int num_pairs_alloced; ///< room of the list
    int num_pairs;         ///< touching triangle pairs; with PQP_FIRST_CONTACT at most 1
    CollisionPair *pairs;

    PQP_CollideResult() : num_bv_tests(0), num_tri_tests(0), query_time_secs(0.0), R(), T(), num_pairs_alloced(0), num_pairs(0), pairs(nullptr) {}
    PQP_CollideResult(const PQP_CollideResult &other) : num_pairs_alloced(0), num_pairs(0), pairs(nullptr) { copy(other); }
    PQP_CollideResult &operator=(const PQP_CollideResult &other) {
        if (this != &other) copy(other);
        return *this;
    }
    ~PQP_CollideResult() { FreePairsList(); }

    /// Makes room for n pairs. The pairs that are there stay, so that the room never falls below their number.
    void SizeTo(int n) { resize(n); }

    /// Adds a pair to the list.
    void Add(int i1, int i2) {
        if (num_pairs >= num_pairs_alloced && !resize(num_pairs < INT_MAX / 2 - 8 ? 2 * num_pairs + 8 : INT_MAX)) return;
        pairs[num_pairs].id1 = i1;
        pairs[num_pairs].id2 = i2;
        ++num_pairs;
    }

    /// Frees the list; no pair is left.
    void FreePairsList() {
        std::free(pairs);
        pairs = nullptr;
        num_pairs = num_pairs_alloced = 0;
    }

    int NumBVTests() const { return num_bv_tests; }
    int NumTriTests() const { return num_tri_tests; }
    double QueryTimeSecs() const { return query_time_secs; }
    int Colliding() const { return num_pairs > 0; }
    int NumPairs() const { return num_pairs; }
    int Id1(int k) const { return pairs[k].id1; }
    int Id2(int k) const { return pairs[k].id2; }

    /// SizeTo that tells whether there was memory. Not part of PQP's interface.
    bool resize(int n) {
        if (n < num_pairs) {
            feeler_legacy::warn("PQP_CollideResult::SizeTo", "the list has more pairs than that; it keeps them");
            n = num_pairs;
        }
        if (n <= 0 || n == num_pairs_alloced) return true;
        void *moved = std::realloc(static_cast<void *>(pairs), static_cast<std::size_t>(n) * sizeof(CollisionPair));
        if (!moved) {
            feeler_legacy::warn("PQP_CollideResult", "memory ran out for the list of pairs");
            return false;
        }
        pairs = static_cast<CollisionPair *>(moved);
        num_pairs_alloced = n;
        return true;
    }

private:
    void copy(const PQP_CollideResult &other) {
        num_bv_tests = other.num_bv_tests;
        num_tri_tests = other.num_tri_tests;
        query_time_secs = other.query_time_secs;
        std::memcpy(R, other.R, sizeof R);
        std::memcpy(T, other.T, sizeof T);
        num_pairs = 0;
        if (other.num_pairs > num_pairs_alloced && !resize(other.num_pairs)) return;
        if (other.num_pairs > 0) std::memcpy(pairs, other.pairs, static_cast<std::size_t>(other.num_pairs) * sizeof(CollisionPair));
        num_pairs = other.num_pairs;
    }
};

/// What PQP_Distance found.
struct PQP_DistanceResult {
    int num_bv_tests = 0;         ///< volume pairs that were tested
    int num_tri_tests = 0;        ///< triangle pairs that were tested
    double query_time_secs = 0.0; ///< duration of the query, seconds

    PQP_REAL R[3][3] = {}; ///< with T: the pose of model 2 in the frame of model 1
    PQP_REAL T[3] = {};

    PQP_REAL rel_err = 0.0;  ///< as given to the query
    PQP_REAL abs_err = 0.0;  ///< as given to the query
    PQP_REAL distance = 0.0; ///< distance of the two points, 0 when the models touch
    PQP_REAL p1[3] = {};     ///< nearest point of model 1, in the frame of model 1
    PQP_REAL p2[3] = {};     ///< nearest point of model 2, in the frame of model 2
    int qsize = 2;           ///< as given to the query; feeler has its own queue

    int NumBVTests() const { return num_bv_tests; }
    int NumTriTests() const { return num_tri_tests; }
    double QueryTimeSecs() const { return query_time_secs; }
    PQP_REAL Distance() const { return distance; }
    const PQP_REAL *P1() const { return p1; }
    const PQP_REAL *P2() const { return p2; }
    PQP_REAL RelativeError() const { return rel_err; }
    PQP_REAL AbsoluteError() const { return abs_err; }
};

/// What PQP_Tolerance found.
struct PQP_ToleranceResult {
    int num_bv_tests = 0;         ///< volume pairs that were tested
    int num_tri_tests = 0;        ///< triangle pairs that were tested
    double query_time_secs = 0.0; ///< duration of the query, seconds

    PQP_REAL R[3][3] = {}; ///< with T: the pose of model 2 in the frame of model 1
    PQP_REAL T[3] = {};

    int closer_than_tolerance = 0; ///< 1 when the distance is at most the tolerance
    PQP_REAL tolerance = 0.0;      ///< as given to the query

    PQP_REAL distance = 0.0; ///< of the two points that were near enough; otherwise a number above the tolerance
    PQP_REAL p1[3] = {};     ///< in the frame of model 1; 0 when the models are not that near
    PQP_REAL p2[3] = {};     ///< in the frame of model 2; 0 when the models are not that near
    int qsize = 2;           ///< as given to the query; feeler has its own queue

    int NumBVTests() const { return num_bv_tests; }
    int NumTriTests() const { return num_tri_tests; }
    double QueryTimeSecs() const { return query_time_secs; }
    PQP_REAL Distance() const { return distance; }
    const PQP_REAL *P1() const { return p1; }
    const PQP_REAL *P2() const { return p2; }
    int CloserThanTolerance() const { return closer_than_tolerance; }
};

#endif
