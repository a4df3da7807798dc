// PQP's interface over feeler: programs that were written for PQP compile and link unchanged. Names, arguments and
// meanings are PQP's; the code is feeler's. docs/migrating.md lists what differs.
#ifndef FEELER_LEGACY_PQP_H
#define FEELER_LEGACY_PQP_H

#include "PQP_Compile.h"
#include "PQP_Internal.h"
#include "feeler_legacy/pose.h"
#include "feeler_legacy/stopwatch.h"

#include <cfloat>

/// The call did what it was asked to do.
const int PQP_OK = 0;
/// There was no memory to store or build a model.
const int PQP_ERR_MODEL_OUT_OF_MEMORY = -1;
/// There was no memory for a query; its result is not complete.
const int PQP_ERR_OUT_OF_MEMORY = -2;
/// A model has not been ended, is missing, or a pose is none (NaN, singular, one mirrored and one not).
const int PQP_ERR_UNPROCESSED_MODEL = -3;
/// A call came at the wrong time or with a bad corner; PQP_Model says what became of it.
const int PQP_ERR_BUILD_OUT_OF_SEQUENCE = -4;
/// EndModel of a model without triangles.
const int PQP_ERR_BUILD_EMPTY_MODEL = -5;

/// All touching triangle pairs.
const int PQP_ALL_CONTACTS = 1;
/// One touching triangle pair, if there is one.
const int PQP_FIRST_CONTACT = 2;

namespace feeler_legacy {

/// One query of PQP's interface: finds the pair and places model 2 in the frame of model 1; the destructor writes
/// the statistics.
template <class Result> class PqpQuery {
public:
    PqpQuery(const char *function, Result *result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model *o1, PQP_REAL R2[3][3], PQP_REAL T2[3], PQP_Model *o2,
             bool for_distance)
        : result_(result), pair_(nullptr), code_(PQP_OK), function_(function) {
        if (!result || !R1 || !T1 || !R2 || !T2 || !o1 || !o2) {
            refuse("an argument is NULL");
        } else if (o1->build_state != 2 || o2->build_state != 2) {
            refuse("EndModel has not been called for both models");
        } else if (!cache()) {
            code_ = PQP_ERR_OUT_OF_MEMORY;
        } else if (!relative_pose(R1, T1, R2, T2, result->R, result->T)) {
            refuse("R1 or R2 is no rotation");
        } else {
            pair_ = cache()->find(o1->geometry(), o2->geometry(), for_distance);
            if (!pair_) {
                code_ = PQP_ERR_OUT_OF_MEMORY;
                return;
            }
            set_pose(cache()->pose_b, result->R, result->T);
            ended(feeler_pair_set_transforms(pair_, nullptr, &cache()->pose_b)); // model 1 stays at the identity
        }
    }
    ~PqpQuery() {
        if (!ready()) return;
        feeler_pair_get_counters(pair_, &cache()->counters);
        result_->num_bv_tests = as_int(cache()->counters.volume_tests);
        result_->num_tri_tests = as_int(cache()->counters.triangle_tests);
        result_->query_time_secs = watch_.seconds();
    }

    bool ready() const { return code_ == PQP_OK; }
    int code() const { return code_; }
    feeler_pair *pair() const { return pair_; }
    PairCache *cache() const { return in_use_.get(); }

    /// Takes the status of a call of feeler; true when it is OK.
    bool ended(feeler_status status) {
        if (status == FEELER_STATUS_OK) return true;
        if (status == FEELER_STATUS_OUT_OF_MEMORY) {
            code_ = PQP_ERR_OUT_OF_MEMORY;
        } else {
            refuse(feeler_last_error_message());
        }
        return false;
    }
    void no_memory() { code_ = PQP_ERR_OUT_OF_MEMORY; }

    /// Writes the two points, each in the frame of its model, and the triangles that they lie on.
    void write_points(const double a[3], const double b[3], std::uint32_t triangle_a, std::uint32_t triangle_b, PQP_Model *o1, PQP_Model *o2) {
        for (int i = 0; i < 3; ++i) result_->p1[i] = a[i];
        into_second_frame(result_->R, result_->T, b, result_->p2);
        o1->last_tri = o1->tris + triangle_a;
        o2->last_tri = o2->tris + triangle_b;
    }

private:
    PqpQuery(const PqpQuery &);
    PqpQuery &operator=(const PqpQuery &);

    void refuse(const char *sentence) {
        warn(function_, sentence);
        code_ = PQP_ERR_UNPROCESSED_MODEL;
    }

    Stopwatch watch_;
    CacheInUse in_use_;
    Result *result_;
    feeler_pair *pair_;
    int code_;
    const char *function_;
};

/// Errors and tolerances as feeler takes them: not negative, finite.
inline double not_negative(double value) { return value > 0.0 ? (value < DBL_MAX ? value : DBL_MAX) : 0.0; }

} // namespace feeler_legacy

/// Which triangles of the two models touch? R and T are the poses in the world: x_world = R * x_model + T. Touching
/// counts as contact. The pairs come ordered by the order of AddTri.
inline int PQP_Collide(PQP_CollideResult *result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model *o1, PQP_REAL R2[3][3], PQP_REAL T2[3], PQP_Model *o2,
                       int flag = PQP_ALL_CONTACTS) {
    feeler_legacy::PqpQuery<PQP_CollideResult> query("PQP_Collide", result, R1, T1, o1, R2, T2, o2, false);
    if (!query.ready()) return query.code();
    feeler_legacy::PairCache &cache = *query.cache();
    result->num_pairs = 0;
    if (flag == PQP_FIRST_CONTACT) {
        if (!query.ended(feeler_pair_collide(query.pair(), nullptr, &cache.collide_result)) || !cache.collide_result.colliding) return query.code();
        if (result->num_pairs_alloced < 1 && !result->resize(1)) {
            query.no_memory();
            return query.code();
        }
        result->Add(o1->tris[cache.collide_result.triangle_a].id, o2->tris[cache.collide_result.triangle_b].id);
        return query.code();
    }
    if (!query.ended(cache.ask_contacts(query.pair()))) return query.code();
    const int found = feeler_legacy::as_int(cache.contacts_result.found);
    if (found > result->num_pairs_alloced && !result->resize(found)) {
        query.no_memory();
        return query.code();
    }
    const feeler_contact *contacts = cache.contacts();
    for (int i = 0; i < found; ++i) result->Add(o1->tris[contacts[i].triangle_a].id, o2->tris[contacts[i].triangle_b].id);
    return query.code();
}

/// How far are the two models apart? The answer may exceed the true distance by rel_err of it, or by abs_err. qsize is
/// kept in the result and has no effect.
inline int PQP_Distance(PQP_DistanceResult *result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model *o1, PQP_REAL R2[3][3], PQP_REAL T2[3], PQP_Model *o2,
                        PQP_REAL rel_err, PQP_REAL abs_err, int qsize = 2) {
    feeler_legacy::PqpQuery<PQP_DistanceResult> query("PQP_Distance", result, R1, T1, o1, R2, T2, o2, true);
    if (!query.ready()) return query.code();
    feeler_legacy::PairCache &cache = *query.cache();
    result->rel_err = rel_err;
    result->abs_err = abs_err;
    result->qsize = qsize;
    cache.distance_params.relative_error = feeler_legacy::not_negative(rel_err);
    cache.distance_params.absolute_error = feeler_legacy::not_negative(abs_err);
    const feeler_distance_result &found = cache.distance_result;
    if (!query.ended(feeler_pair_distance(query.pair(), &cache.distance_params, &cache.distance_result))) return query.code();
    result->distance = found.upper;
    query.write_points(found.point_a, found.point_b, found.triangle_a, found.triangle_b, o1, o2);
    return query.code();
}

/// Are the two models at most tolerance apart? Ends as soon as that is known. qsize is kept in the result and has no
/// effect.
inline int PQP_Tolerance(PQP_ToleranceResult *result, PQP_REAL R1[3][3], PQP_REAL T1[3], PQP_Model *o1, PQP_REAL R2[3][3], PQP_REAL T2[3], PQP_Model *o2,
                         PQP_REAL tolerance, int qsize = 2) {
    feeler_legacy::PqpQuery<PQP_ToleranceResult> query("PQP_Tolerance", result, R1, T1, o1, R2, T2, o2, false);
    if (!query.ready()) return query.code();
    feeler_legacy::PairCache &cache = *query.cache();
    result->tolerance = cache.tolerance_params.tolerance = feeler_legacy::not_negative(tolerance);
    result->qsize = qsize;
    const feeler_tolerance_result &found = cache.tolerance_result;
    if (!query.ended(feeler_pair_tolerance(query.pair(), &cache.tolerance_params, &cache.tolerance_result))) return query.code();
    result->closer_than_tolerance = found.closer ? 1 : 0;
    if (found.closer) {
        result->distance = found.upper;
        query.write_points(found.point_a, found.point_b, found.triangle_a, found.triangle_b, o1, o2);
    } else {
        const double above = std::nextafter(result->tolerance, DBL_MAX);
        result->distance = found.lower > above ? found.lower : above;
        for (int i = 0; i < 3; ++i) result->p1[i] = result->p2[i] = 0.0;
    }
    return query.code();
}

#endif
