//! Contacts in the caller's memory: the smallest ids that fit, in order, without memory of our own.
//!
//! While the walk runs, the array holds packed ids of eight bytes each at its start; when the walk is over they are
//! sorted and expanded into contacts from the last to the first, so that no id is overwritten before it was read.

use super::contact::Contact;
use super::contacts::ContactsParams;
use crate::posed::posed_models::PosedModels;
use crate::search::within::PairVisitor;

/// The caller's array of contacts.
pub trait ContactSink {
    /// How many contacts it holds.
    fn capacity(&self) -> usize;
    /// Stores the packed ids number `index`.
    fn set_packed(&mut self, index: usize, packed: u64);
    /// The first `count` packed ids.
    fn packed(&mut self, count: usize) -> &mut [u64];
    /// Overwrites the place of contact `index`; packed ids up to `index` survive.
    fn write(&mut self, index: usize, contact: Contact);

    fn key(&mut self, index: usize) -> (u32, u32) {
        let packed = self.packed(index + 1)[index];
        ((packed >> 32) as u32, packed as u32)
    }
}

/// A sink of unlimited capacity for users of the Rust API.
#[derive(Clone, Debug, Default)]
pub struct ContactList {
    packed: Vec<u64>,
    pub contacts: Vec<Option<Contact>>,
}

impl ContactSink for ContactList {
    fn capacity(&self) -> usize {
        usize::MAX
    }

    #[inline]
    fn set_packed(&mut self, index: usize, packed: u64) {
        if index >= self.packed.len() {
            self.packed.resize(index + 1, 0);
        }
        self.packed[index] = packed;
    }

    fn packed(&mut self, count: usize) -> &mut [u64] {
        &mut self.packed[..count]
    }

    fn write(&mut self, index: usize, contact: Contact) {
        if index >= self.contacts.len() {
            self.contacts.resize(index + 1, None);
        }
        self.contacts[index] = Some(contact);
    }
}

/// Collects the contacts of a walk.
pub struct ContactCollector<'s, 'p, K: ContactSink> {
    models: PosedModels<'p>,
    sink: &'s mut K,
    /// World units.
    margin: f64,
    /// Whether distance 0 is within the margin: not when the models are pulled in.
    takes_touching: bool,
    stop_when_full: bool,
    pub found: u64,
    pub written: usize,
}

impl<'s, 'p, K: ContactSink> ContactCollector<'s, 'p, K> {
    pub fn new(models: PosedModels<'p>, params: &ContactsParams, sink: &'s mut K) -> Self {
        let (margin, stop_when_full) = (params.margin, params.stop_when_full);
        let takes_touching = models.placement.distance_to_world(0.0) <= margin;
        Self { models, sink, margin, takes_touching, stop_when_full, found: 0, written: 0 }
    }

    /// The caller's numbers of a pair in eight bytes, in the order of contacts.
    #[inline(always)]
    fn packed(&self, slots: (u32, u32)) -> u64 {
        let (id_a, id_b) = self.models.ids(slots);
        (id_a as u64) << 32 | id_b as u64
    }

    /// Orders what was kept by triangle of A, then of B.
    pub fn sort(&mut self) {
        self.sink.packed(self.written).sort_unstable();
    }
}

impl<K: ContactSink> PairVisitor for ContactCollector<'_, '_, K> {
    fn takes_any_order(&self) -> bool {
        !self.stop_when_full
    }

    #[inline(always)]
    fn takes(&self, distance: f64) -> bool {
        if distance == 0.0 {
            self.takes_touching
        } else {
            self.models.placement.distance_to_world(distance) <= self.margin
        }
    }

    fn start_over(&mut self) {
        (self.found, self.written) = (0, 0);
    }

    #[inline(always)]
    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool {
        if !self.takes(distance) {
            return true;
        }
        let capacity = self.sink.capacity();
        if self.stop_when_full && self.written == capacity {
            return false;
        }
        self.found += 1;
        let packed = self.packed(slots);
        if self.written < capacity {
            self.sink.set_packed(self.written, packed);
            self.written += 1;
            if self.written == capacity {
                make_heap(self.sink.packed(capacity));
            }
        } else if capacity > 0 {
            keep_smallest(self.sink.packed(capacity), packed);
        }
        true
    }

    #[inline(always)]
    fn touching(&mut self, slots: &[(u32, u32)], mut hits: u32) -> bool {
        let touching = hits.count_ones() as usize;
        // An array that has room for more afterwards needs no decision for each pair.
        let has_room = self.takes_touching && touching < self.sink.capacity() - self.written;
        while hits != 0 {
            let slots = slots[hits.trailing_zeros() as usize];
            hits &= hits - 1;
            if has_room {
                let packed = self.packed(slots);
                self.sink.set_packed(self.written, packed);
                self.written += 1;
            } else if !self.near(slots, 0.0) {
                return false;
            }
        }
        if has_room {
            self.found += touching as u64;
        }
        true
    }
}

/// The keys are a heap with the largest on top, which makes room for a smaller one.
fn keep_smallest(heap: &mut [u64], packed: u64) {
    if packed < heap[0] {
        heap[0] = packed;
        sift_down(heap, 0);
    }
}

fn make_heap(keys: &mut [u64]) {
    for start in (0..keys.len() / 2).rev() {
        sift_down(keys, start);
    }
}

fn sift_down(keys: &mut [u64], start: usize) {
    let mut at = start;
    loop {
        let mut child = 2 * at + 1;
        if child >= keys.len() {
            return;
        }
        if child + 1 < keys.len() && keys[child + 1] > keys[child] {
            child += 1;
        }
        if keys[at] >= keys[child] {
            return;
        }
        keys.swap(at, child);
        at = child;
    }
}
