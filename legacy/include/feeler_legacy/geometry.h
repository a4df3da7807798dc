// What a model object of PQP's or RAPID's interface holds once it is built: a feeler model with shared owners.
#ifndef FEELER_LEGACY_GEOMETRY_H
#define FEELER_LEGACY_GEOMETRY_H

#include <feeler.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <new>

// One copy per program of what the inline functions keep, also when parts of it are built with hidden symbols.
#if defined(__GNUC__) && !defined(_WIN32)
#define FEELER_LEGACY_SHARED __attribute__((visibility("default")))
#else
#define FEELER_LEGACY_SHARED
#endif

namespace feeler_legacy {

/// One sentence on stderr, where PQP tells its warnings.
inline void warn(const char *function, const char *sentence) {
    std::fprintf(stderr, "feeler, %s: %s\n", function, sentence);
}

/// How many geometries have lost their last owner, in the whole program. A cache that has seen fewer looks for them.
FEELER_LEGACY_SHARED inline std::atomic<std::uint64_t> &deaths() {
    static std::atomic<std::uint64_t> count(0);
    return count;
}

/// A built mesh. Model objects own it; cached pairs only keep this struct, so that its address names no other geometry
/// while a pair refers to it. A rebuilt model has another geometry.
class Geometry {
public:
    /// Takes over a built model, with one owner; null when memory ran out, and the model is released.
    static Geometry *adopt(feeler_model *model) {
        Geometry *geometry = new (std::nothrow) Geometry(model);
        if (!geometry) feeler_model_destroy(model);
        return geometry;
    }

    const feeler_model *model() const { return model_; }
    /// Whether a model object still has this geometry.
    bool alive() const { return owners_.load(std::memory_order_acquire) != 0; }

    void add_owner() { owners_.fetch_add(1, std::memory_order_relaxed); }
    /// True when this was the last owner: nobody can ask about this geometry again.
    bool drop_owner() {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
        feeler_model_destroy(model_); // pairs that use the model keep it until they go
        deaths().fetch_add(1, std::memory_order_release);
        drop_reference();
        return true;
    }

    void add_reference() { references_.fetch_add(1, std::memory_order_relaxed); }
    void drop_reference() {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

private:
    explicit Geometry(feeler_model *model) : model_(model), owners_(1), references_(1) {}
    ~Geometry() {}
    Geometry(const Geometry &);
    Geometry &operator=(const Geometry &);

    feeler_model *model_;
    std::atomic<std::uint32_t> owners_;
    std::atomic<std::uint32_t> references_; // one for all owners together, one for each cached pair
};

} // namespace feeler_legacy

#endif
