//! The examples for Rust users run, and what they assert holds.

#[path = "../examples/closest_points.rs"]
mod closest_points;
#[path = "../examples/contacts.rs"]
mod contacts;
#[path = "../examples/path.rs"]
mod path;

#[test]
fn closest_points_runs() {
    closest_points::main().unwrap();
}

#[test]
fn contacts_runs() {
    contacts::main().unwrap();
}

#[test]
fn path_runs() {
    path::main().unwrap();
}
