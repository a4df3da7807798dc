//! The four queries.

use super::block::UsedPair;
use super::checks::{amount, choice, finite_amount, known_flags, reserved};
use super::constants::*;
use super::growing::{self, Output};
use super::guard::{guard, null_argument};
use super::structs::*;
use crate::query::contact_sink::ContactSink;
use crate::query::{CollideParams, Contact, ContactsParams, DistanceParams, NO_TRIANGLE, Search, ToleranceParams};

/// Do the models touch? The query stops at the first contact. Which contact this is depends on the trees and on earlier
/// queries; the verdict does not. params NULL means the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_collide(
    pair: *mut feeler_pair,
    params: *const feeler_collide_params,
    result: *mut feeler_collide_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (
                UsedPair::begin_query(pair)?,
                growing::read_or_default(params, "params")?,
                Output::checked(result, "result")?,
            )
        };
        known_flags(params.flags, FEELER_QUERY_NO_COHERENCE, "params.flags")?;
        let answer = pair.collide(&CollideParams { cold: is_cold(params.flags), max_work: params.max_work });
        let (triangle_a, triangle_b, point) =
            answer.contact.map_or((NO_TRIANGLE, NO_TRIANGLE, [0.0; 3]), |(a, b, point)| (a, b, point.to_array()));
        output.write(feeler_collide_result {
            struct_size: 0,
            complete: answer.complete as u32,
            colliding: answer.contact.is_some() as u32,
            triangle_a,
            triangle_b,
            reserved: 0,
            point,
        });
        Ok(())
    })
}

/// Which triangles of A and B are at most the margin apart? The query counts all such pairs and writes the first ones,
/// up to capacity, to out. They are ordered by triangle_a, then by triangle_b. out NULL with capacity 0 only counts.
/// params NULL means the defaults: triangles that touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_contacts(
    pair: *mut feeler_pair,
    params: *const feeler_contacts_params,
    out: *mut feeler_contact,
    capacity: usize,
    result: *mut feeler_contacts_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (
                UsedPair::begin_query(pair)?,
                growing::read_or_default(params, "params")?,
                Output::checked(result, "result")?,
            )
        };
        let known = FEELER_QUERY_NO_COHERENCE | FEELER_CONTACTS_STOP_WHEN_FULL | FEELER_CONTACTS_IDS_ONLY;
        known_flags(params.flags, known, "params.flags")?;
        if out.is_null() && capacity > 0 {
            return Err(null_argument("out"));
        }
        let params = ContactsParams {
            cold: is_cold(params.flags),
            stop_when_full: params.flags & FEELER_CONTACTS_STOP_WHEN_FULL != 0,
            ids_only: params.flags & FEELER_CONTACTS_IDS_ONLY != 0,
            max_work: params.max_work,
            margin: finite_amount(params.margin, "params.margin")?,
        };
        let answer = pair.contacts(&params, &mut CallerContacts::new(out, capacity));
        output.write(feeler_contacts_result {
            struct_size: 0,
            complete: answer.complete as u32,
            found: answer.found,
            written: answer.written,
        });
        Ok(())
    })
}

/// How far apart are the models, and at which points? params NULL means the defaults: the exact distance. lower and upper
/// of an exact answer depend only on meshes and poses. When several triangle pairs are equally near, any of them may be
/// returned, with its points and normal. Which one depends on earlier queries and, at distance 0 or with an error
/// allowed, on the search. With FEELER_QUERY_NO_COHERENCE an exact distance above 0 comes with the smallest numbers,
/// triangle_a first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_distance(
    pair: *mut feeler_pair,
    params: *const feeler_distance_params,
    result: *mut feeler_distance_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (
                UsedPair::begin_query(pair)?,
                growing::read_or_default(params, "params")?,
                Output::checked(result, "result")?,
            )
        };
        known_flags(params.flags, FEELER_QUERY_NO_COHERENCE, "params.flags")?;
        reserved(params.reserved, "params.reserved")?;
        let searches = [Search::Auto, Search::DepthFirst, Search::BestFirst];
        let answer = pair.distance(&DistanceParams {
            cold: is_cold(params.flags),
            max_work: params.max_work,
            relative_error: finite_amount(params.relative_error, "params.relative_error")?,
            absolute_error: finite_amount(params.absolute_error, "params.absolute_error")?,
            max_distance: amount(params.max_distance, "params.max_distance")?,
            search: choice(params.search, &searches, "params.search")?,
        });
        let nearest = Nearest::from(answer.nearest);
        output.write(feeler_distance_result {
            struct_size: 0,
            complete: answer.complete as u32,
            lower: answer.lower,
            upper: answer.upper,
            point_a: nearest.point_a,
            point_b: nearest.point_b,
            normal: nearest.normal,
            triangle_a: nearest.triangle_a,
            triangle_b: nearest.triangle_b,
        });
        Ok(())
    })
}

/// Is the distance between the models at most the tolerance? params NULL means the defaults: tolerance 0. The verdict
/// depends only on meshes and poses; lower, upper and the triangle pair depend on earlier queries, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_tolerance(
    pair: *mut feeler_pair,
    params: *const feeler_tolerance_params,
    result: *mut feeler_tolerance_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (
                UsedPair::begin_query(pair)?,
                growing::read_or_default(params, "params")?,
                Output::checked(result, "result")?,
            )
        };
        known_flags(params.flags, FEELER_QUERY_NO_COHERENCE, "params.flags")?;
        let answer = pair.tolerance(&ToleranceParams {
            cold: is_cold(params.flags),
            max_work: params.max_work,
            tolerance: finite_amount(params.tolerance, "params.tolerance")?,
        });
        let nearest = Nearest::from(answer.nearest);
        output.write(feeler_tolerance_result {
            struct_size: 0,
            complete: answer.complete as u32,
            closer: answer.closer as u32,
            reserved: 0,
            lower: answer.lower,
            upper: answer.upper,
            point_a: nearest.point_a,
            point_b: nearest.point_b,
            normal: nearest.normal,
            triangle_a: nearest.triangle_a,
            triangle_b: nearest.triangle_b,
        });
        Ok(())
    })
}

fn is_cold(flags: u32) -> bool {
    flags & FEELER_QUERY_NO_COHERENCE != 0
}

/// Writes the nearest triangles into a result of distance or tolerance.
struct Nearest {
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    triangle_a: u32,
    triangle_b: u32,
}

impl From<Option<Contact>> for Nearest {
    fn from(contact: Option<Contact>) -> Self {
        match contact {
            Some(contact) => Self {
                point_a: contact.point_a.to_array(),
                point_b: contact.point_b.to_array(),
                normal: contact.normal.to_array(),
                triangle_a: contact.triangle_a,
                triangle_b: contact.triangle_b,
            },
            None => Self {
                point_a: [0.0; 3],
                point_b: [0.0; 3],
                normal: [0.0; 3],
                triangle_a: NO_TRIANGLE,
                triangle_b: NO_TRIANGLE,
            },
        }
    }
}

/// The caller's array, which may be unaligned.
///
/// While contacts are collected its bytes hold packed ids, from the first address on that is aligned for them, which
/// is `shift` < 8 bytes behind `out`. Writing the contacts from the last to the first overwrites no id that is still
/// needed: id `i` ends at `shift + 8 (i + 1)` <= 8 i + 15, and for i > 0 that is at most 96 i, where contact `i` begins.
struct CallerContacts {
    out: *mut feeler_contact,
    capacity: usize,
    ids: *mut u64,
}

impl CallerContacts {
    /// `out` is NULL with capacity 0, or the caller owns `capacity` contacts there for the time of the call.
    fn new(out: *mut feeler_contact, capacity: usize) -> Self {
        const { assert!(size_of::<feeler_contact>() >= size_of::<u64>() + align_of::<u64>() - 1) };
        let shift = out.addr().wrapping_neg() % align_of::<u64>();
        Self { out, capacity, ids: out.wrapping_byte_add(shift).cast() }
    }
}

impl ContactSink for CallerContacts {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn set_packed(&mut self, index: usize, packed: u64) {
        assert!(index < self.capacity);
        // SAFETY: `ids` is aligned, and `shift` bytes and `capacity` ids are no larger than `capacity` contacts, which the
        // caller owns at `out`.
        unsafe { self.ids.add(index).write(packed) };
    }

    fn packed(&mut self, count: usize) -> &mut [u64] {
        if count == 0 {
            return &mut [];
        }
        assert!(count <= self.capacity);
        // SAFETY: `ids` is aligned and lies in the caller's array (see `set_packed`); its first `count` ids were written by
        // `set_packed`, and no other reference to the array exists while this one lives.
        unsafe { core::slice::from_raw_parts_mut(self.ids, count) }
    }

    fn write(&mut self, index: usize, contact: Contact) {
        assert!(index < self.capacity);
        let contact = feeler_contact {
            triangle_a: contact.triangle_a,
            triangle_b: contact.triangle_b,
            distance: contact.distance,
            point_a: contact.point_a.to_array(),
            point_b: contact.point_b.to_array(),
            normal: contact.normal.to_array(),
            feature: contact.feature,
            reserved: 0,
        };
        // SAFETY: the caller owns `capacity` contacts at `out`, aligned or not.
        unsafe { self.out.add(index).write_unaligned(contact) };
    }
}
