//! The four queries.

use super::block::UsedPair;
use super::checks::{amount, choice, finite_amount, known_flags, reserved};
use super::constants::*;
use super::growing::{self, Output};
use super::guard::{guard, null_argument};
use super::structs::*;
use crate::query::contact_sink::ContactSink;
use crate::query::{CollideParams, Contact, ContactsParams, DistanceParams, NO_TRIANGLE, Search, ToleranceParams};

/// Do the models touch? Stops at the first contact. params NULL means defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_collide(
    pair: *mut feeler_pair,
    params: *const feeler_collide_params,
    result: *mut feeler_collide_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (UsedPair::begin(pair)?, growing::read_or_default(params, "params")?, Output::checked(result, "result")?)
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

/// Which triangles are within the margin of each other? Writes the first contacts, ordered by triangle_a, then by
/// triangle_b, to out, up to its capacity, and counts all; out NULL with capacity 0 only counts. params NULL means
/// defaults: touching triangles.
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
            (UsedPair::begin(pair)?, growing::read_or_default(params, "params")?, Output::checked(result, "result")?)
        };
        known_flags(params.flags, FEELER_QUERY_NO_COHERENCE | FEELER_CONTACTS_STOP_WHEN_FULL, "params.flags")?;
        if out.is_null() && capacity > 0 {
            return Err(null_argument("out"));
        }
        let params = ContactsParams {
            cold: is_cold(params.flags),
            stop_when_full: params.flags & FEELER_CONTACTS_STOP_WHEN_FULL != 0,
            max_work: params.max_work,
            margin: finite_amount(params.margin, "params.margin")?,
        };
        let answer = pair.contacts(&params, &mut CallerContacts { out, capacity });
        output.write(feeler_contacts_result {
            struct_size: 0,
            complete: answer.complete as u32,
            found: answer.found,
            written: answer.written,
        });
        Ok(())
    })
}

/// How far are the models apart, and where? params NULL means defaults: the exact distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_distance(
    pair: *mut feeler_pair,
    params: *const feeler_distance_params,
    result: *mut feeler_distance_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (UsedPair::begin(pair)?, growing::read_or_default(params, "params")?, Output::checked(result, "result")?)
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

/// Are the models closer than a tolerance, or just as far? params NULL means defaults: tolerance 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_tolerance(
    pair: *mut feeler_pair,
    params: *const feeler_tolerance_params,
    result: *mut feeler_tolerance_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (UsedPair::begin(pair)?, growing::read_or_default(params, "params")?, Output::checked(result, "result")?)
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

pub(super) fn is_cold(flags: u32) -> bool {
    flags & FEELER_QUERY_NO_COHERENCE != 0
}

/// What distance and tolerance tell about the nearest triangles, if any were met.
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

pub(super) fn contact_to_c(contact: &Contact) -> feeler_contact {
    feeler_contact {
        triangle_a: contact.triangle_a,
        triangle_b: contact.triangle_b,
        distance: contact.distance,
        point_a: contact.point_a.to_array(),
        point_b: contact.point_b.to_array(),
        normal: contact.normal.to_array(),
        feature: contact.feature,
        reserved: 0,
    }
}

/// The caller's array, which may be unaligned.
struct CallerContacts {
    out: *mut feeler_contact,
    capacity: usize,
}

impl ContactSink for CallerContacts {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn set_packed(&mut self, index: usize, packed: u64) {
        assert!(index < self.capacity);
        // SAFETY: a packed id is smaller than a contact, and the caller owns `capacity` contacts at `out`.
        unsafe { self.out.cast::<u64>().add(index).write(packed) };
    }

    fn packed(&mut self, count: usize) -> &mut [u64] {
        if count == 0 {
            return &mut [];
        }
        assert!(count <= self.capacity);
        // SAFETY: `out` is aligned for u64 (checked on entry), its first `count` words were written by `set_packed`, and
        // for the time of this call the array is ours alone.
        unsafe { core::slice::from_raw_parts_mut(self.out.cast(), count) }
    }

    fn write(&mut self, index: usize, contact: Contact) {
        assert!(index < self.capacity);
        let contact = contact_to_c(&contact);
        // SAFETY: the caller owns `capacity` contacts at `out`.
        unsafe { self.out.add(index).write_unaligned(contact) };
    }
}
