//! Rust users get the same promises: queries do not allocate, and neither do refusals.

use feeler::internals::math::transform::Transform;
use feeler::internals::model::BuildParams;
use feeler::internals::query::contact_sink::ContactSink;
use feeler::internals::query::{CollideParams, Contact, ContactsParams, DistanceParams, ToleranceParams};
use feeler::{Model, Pair, Status};
use glam::DVec3;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the calls of each thread by itself: the test harness allocates in its own thread while a test runs.
struct Counting;

thread_local! {
    /// Constant and without a destructor, so that reading it allocates nothing.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    CALLS.set(CALLS.get() + 1);
}

// SAFETY: passes everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count();
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Room for as many contacts as the test wants to see.
struct Fixed {
    packed: [u64; 16],
    contacts: [Option<Contact>; 16],
}

impl ContactSink for Fixed {
    fn capacity(&self) -> usize {
        self.contacts.len()
    }
    fn set_packed(&mut self, index: usize, packed: u64) {
        self.packed[index] = packed;
    }
    fn packed(&mut self, count: usize) -> &mut [u64] {
        &mut self.packed[..count]
    }
    fn write(&mut self, index: usize, contact: Contact) {
        self.contacts[index] = Some(contact);
    }
}

fn strip(count: u32) -> Model {
    let vertices: Vec<DVec3> = (0..count + 2).map(|i| DVec3::new(i as f64, (i % 2) as f64, (i % 3) as f64)).collect();
    let triangles: Vec<[u32; 3]> = (0..count).map(|i| [i, i + 1, i + 2]).collect();
    Model::new(&(&vertices[..], &triangles[..])).unwrap()
}

fn calls_of(work: impl FnOnce()) -> u64 {
    let before = CALLS.get();
    work();
    CALLS.get() - before
}

#[test]
fn queries_and_refusals_do_not_allocate() {
    let mut model = strip(40);
    assert_eq!(Pair::new(&model, &model).unwrap_err().status, Status::NotBuilt);
    model.build(&BuildParams::default()).unwrap();
    assert!(calls_of(|| drop(std::hint::black_box(Box::new(1)))) == 2, "the allocator counts");

    let mut pair = Pair::new(&model, &model).unwrap();
    let mut sink = Fixed { packed: [0; 16], contacts: [None; 16] };
    let calls = calls_of(|| {
        for step in 0..20 {
            let pose = Transform { translation: DVec3::new(0.1, 0.2, 0.3 * step as f64), ..Transform::IDENTITY };
            pair.set_transforms(None, Some(&pose)).unwrap();
            assert!(pair.collide(&CollideParams::default()).complete);
            assert!(pair.distance(&DistanceParams::default()).complete);
            assert!(pair.counters().work > 0);
            assert!(pair.tolerance(&ToleranceParams { tolerance: 1.0, ..Default::default() }).complete);
            assert!(pair.contacts(&ContactsParams { margin: 0.5, ..Default::default() }, &mut sink).complete);
            pair.reset();
        }
    });
    assert_eq!(calls, 0, "calls of the allocator in queries");

    let calls = calls_of(|| {
        let bad = Transform { translation: DVec3::NAN, ..Transform::IDENTITY };
        for _ in 0..20 {
            let error = pair.set_transforms(Some(&bad), None).unwrap_err();
            assert_eq!(error.status, Status::InvalidArgument);
            assert!(error.message.contains("a.translation"));
        }
    });
    assert_eq!(calls, 0, "calls of the allocator in refusals");
}
