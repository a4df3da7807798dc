// The pairs of a thread: PQP's and RAPID's calls name two models, and the same two models find the same pair again.
#ifndef FEELER_LEGACY_PAIR_CACHE_H
#define FEELER_LEGACY_PAIR_CACHE_H

#include "geometry.h"

#include <cstddef>
#include <cstdlib>

namespace feeler_legacy {

/// At most 256 pairs; the least recently used one makes room. Used by one thread only, so that two threads that ask
/// about the same models use two pairs.
class PairCache {
public:
    static const unsigned capacity = 256;

    PairCache() : newest_(none), oldest_(none), used_(0), deaths_seen_(deaths().load(std::memory_order_acquire)), contacts_(nullptr), contacts_capacity_(0) {
        for (unsigned bucket = 0; bucket < buckets; ++bucket) first_[bucket] = none;
        free_ = 0;
        for (unsigned slot = 0; slot < capacity; ++slot) entries_[slot].next = static_cast<Index>(slot + 1 < capacity ? slot + 1 : none);
        collide_result = feeler_collide_result_default();
        contacts_params = feeler_contacts_params_default();
        contacts_result = feeler_contacts_result_default();
        distance_params = feeler_distance_params_default();
        distance_result = feeler_distance_result_default();
        tolerance_params = feeler_tolerance_params_default();
        tolerance_result = feeler_tolerance_result_default();
        counters = feeler_counters_default();
        identity = feeler_transform_identity();
        pose_b = identity;
    }
    ~PairCache() {
        while (newest_ != none) forget(newest_);
        std::free(contacts_);
    }

    /// The pair of two living geometries, made when it is not there; null when memory ran out. A front is worth its
    /// memory from the second query on: some programs make a model for a single query.
    feeler_pair *find(Geometry *a, Geometry *b, bool for_distance) {
        if (deaths().load(std::memory_order_acquire) != deaths_seen_) forget_dead();
        if (newest_ == none || entries_[newest_].a != a || entries_[newest_].b != b) {
            const Index slot = look_up(a, b);
            if (slot == none) return insert(a, b);
            unlink(slot);
            link_newest(slot);
        }
        Entry &entry = entries_[newest_];
        if (for_distance && !entry.has_front) give_front(entry);
        return entry.pair;
    }

    /// Lets go of the pairs whose models have died or were rebuilt.
    void forget_dead() {
        deaths_seen_ = deaths().load(std::memory_order_acquire);
        for (Index slot = newest_; slot != none;) {
            const Index older = entries_[slot].older;
            if (!entries_[slot].a->alive() || !entries_[slot].b->alive()) forget(slot);
            slot = older;
        }
    }

    /// Whether the pair is there.
    bool holds(const Geometry *a, const Geometry *b) const { return look_up(a, b) != none; }
    /// Number of pairs.
    unsigned size() const { return used_; }

    /// All contacts of a pair: fills contacts() and contacts_result. The array grows when there are more than ever.
    feeler_status ask_contacts(feeler_pair *pair) {
        for (;;) {
            const feeler_status status = feeler_pair_contacts(pair, &contacts_params, contacts_, contacts_capacity_, &contacts_result);
            if (status != FEELER_STATUS_OK || contacts_result.found <= contacts_capacity_) return status;
            const std::size_t wanted = static_cast<std::size_t>(contacts_result.found) + contacts_capacity_ / 2;
            void *grown = std::realloc(contacts_, wanted * sizeof(feeler_contact));
            if (!grown) return FEELER_STATUS_OUT_OF_MEMORY;
            contacts_ = static_cast<feeler_contact *>(grown);
            contacts_capacity_ = wanted;
        }
    }
    const feeler_contact *contacts() const { return contacts_; }

    // Structs of the queries, initialised once: their sizes stay.
    feeler_collide_result collide_result;
    feeler_contacts_params contacts_params;
    feeler_contacts_result contacts_result;
    feeler_distance_params distance_params;
    feeler_distance_result distance_result;
    feeler_tolerance_params tolerance_params;
    feeler_tolerance_result tolerance_result;
    feeler_counters counters;
    feeler_transform identity;
    feeler_transform pose_b;

private:
    typedef std::uint16_t Index;
    static const Index none = 0xffff;
    static const unsigned buckets = 512;

    struct Entry {
        Geometry *a, *b;
        feeler_pair *pair;
        Index newer, older; // in the order of use
        Index next;         // in the bucket, or in the list of free entries
        bool has_front;
    };

    PairCache(const PairCache &);
    PairCache &operator=(const PairCache &);

    static unsigned bucket_of(const Geometry *a, const Geometry *b) {
        const std::uint64_t x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
        return static_cast<unsigned>(((x * 3 + y) * 0x9e3779b97f4a7c15u) >> 32) % buckets;
    }

    Index look_up(const Geometry *a, const Geometry *b) const {
        Index slot = first_[bucket_of(a, b)];
        while (slot != none && (entries_[slot].a != a || entries_[slot].b != b)) slot = entries_[slot].next;
        return slot;
    }

    static feeler_pair *make(const Geometry *a, const Geometry *b, std::uint32_t flags) {
        feeler_pair_params params = feeler_pair_params_default();
        params.flags = flags;
        feeler_pair *pair = nullptr;
        feeler_pair_create(a->model(), b->model(), &params, &pair);
        return pair;
    }

    /// When memory runs out the pair stays without a front: that costs speed, never the answer.
    static void give_front(Entry &entry) {
        entry.has_front = true;
        feeler_pair *with_front = make(entry.a, entry.b, 0);
        if (!with_front) return;
        feeler_pair_destroy(entry.pair);
        entry.pair = with_front;
    }

    feeler_pair *insert(Geometry *a, Geometry *b) {
        feeler_pair *pair = make(a, b, FEELER_PAIR_NO_FRONT);
        if (!pair) return nullptr;
        if (free_ == none) forget(oldest_);
        const Index slot = free_;
        Entry &entry = entries_[slot];
        free_ = entry.next;
        a->add_reference();
        b->add_reference();
        entry.a = a;
        entry.b = b;
        entry.pair = pair;
        entry.has_front = false;
        Index &first = first_[bucket_of(a, b)];
        entry.next = first;
        first = slot;
        link_newest(slot);
        ++used_;
        return pair;
    }

    void forget(Index slot) {
        Entry &entry = entries_[slot];
        Index *link = &first_[bucket_of(entry.a, entry.b)];
        while (*link != slot) link = &entries_[*link].next;
        *link = entry.next;
        unlink(slot);
        feeler_pair_destroy(entry.pair);
        entry.a->drop_reference();
        entry.b->drop_reference();
        entry.next = free_;
        free_ = slot;
        --used_;
    }

    void unlink(Index slot) {
        const Entry &entry = entries_[slot];
        (entry.newer == none ? newest_ : entries_[entry.newer].older) = entry.older;
        (entry.older == none ? oldest_ : entries_[entry.older].newer) = entry.newer;
    }

    void link_newest(Index slot) {
        entries_[slot].newer = none;
        entries_[slot].older = newest_;
        (newest_ == none ? oldest_ : entries_[newest_].newer) = slot;
        newest_ = slot;
    }

    Entry entries_[capacity];
    Index first_[buckets];
    Index newest_, oldest_, free_;
    unsigned used_;
    std::uint64_t deaths_seen_;
    feeler_contact *contacts_;
    std::size_t contacts_capacity_;
};

/// Where a thread has its cache. Has no destructor, so that it can be read until the very end of the thread.
struct ThreadSlot {
    PairCache *cache;
    bool ended;
};

FEELER_LEGACY_SHARED inline ThreadSlot &thread_slot() {
    static thread_local ThreadSlot slot = {nullptr, false};
    return slot;
}

/// Frees the cache when its thread ends.
struct ThreadEnd {
    bool started;
    ThreadEnd() : started(true) {}
    ~ThreadEnd() {
        ThreadSlot &slot = thread_slot();
        delete slot.cache;
        slot.cache = nullptr;
        slot.ended = true;
    }
};

FEELER_LEGACY_SHARED inline PairCache *make_thread_cache(ThreadSlot &slot) {
    if (!slot.ended) {
        static thread_local ThreadEnd end;
        end.started = true; // the first use makes the object, and thereby its destruction
    }
    slot.cache = new (std::nothrow) PairCache;
    return slot.cache;
}

/// The cache of this thread, for one query. Destructors of static objects may ask after the thread's own objects are
/// gone; they get a cache that ends with their query.
class CacheInUse {
public:
    CacheInUse() : slot_(thread_slot()), cache_(slot_.cache) {
        if (!cache_) cache_ = make_thread_cache(slot_);
    }
    ~CacheInUse() {
        if (!slot_.ended) return;
        delete slot_.cache;
        slot_.cache = nullptr;
    }
    PairCache *get() const { return cache_; }

private:
    CacheInUse(const CacheInUse &);
    CacheInUse &operator=(const CacheInUse &);

    ThreadSlot &slot_;
    PairCache *cache_;
};

/// Ends one ownership. This thread forgets its pairs of a dead geometry at once, every other thread at its next query
/// or its end.
inline void release(Geometry *geometry) {
    if (!geometry || !geometry->drop_owner()) return;
    PairCache *cache = thread_slot().cache;
    if (cache) cache->forget_dead();
}

} // namespace feeler_legacy

#endif
