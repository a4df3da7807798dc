//! Workloads that the project makes by rule: no file is needed, and the fineness of the meshes is chosen.
//!
//! Detail 1 has some hundred triangles per mesh, so that tests can compare with all pairs of triangles; triangles grow with
//! the square of the detail. Poses are the same in every detail, but for the steps of the slow paths, which follow the size of B.

mod animals;
mod boxes;
mod extremes;
mod machines;
mod rounds;
mod scenery;

use crate::{Mesh, Workload, paths};
use feeler::Transform;

/// What a recipe makes: A, B, and poses of B in A's frame.
type Parts = (Mesh, Mesh, Vec<Transform>);

pub struct Recipe {
    pub name: &'static str,
    /// One line for people.
    pub what: &'static str,
    parts: fn(u32) -> Parts,
}

impl Recipe {
    pub fn make(&self, detail: u32) -> Workload {
        let (a, b, poses) = (self.parts)(detail);
        Workload { name: self.name.to_string(), a, b, poses }
    }
}

const fn recipe(name: &'static str, what: &'static str, parts: fn(u32) -> Parts) -> Recipe {
    Recipe { name, what, parts }
}

/// Every workload of the project.
pub const ALL: &[Recipe] = &[
    recipe("tumbling_tori", "a small torus falls through a large one, turning over", rounds::tumbling_tori),
    recipe("linked_rings", "two thin rings linked like a chain, in random turns", rounds::linked_rings),
    recipe("nested_spheres", "a sphere inside a slightly larger one, centred and off centre", rounds::nested_spheres),
    recipe("parted_spheres", "two spheres at four separations", rounds::parted_spheres),
    recipe("bent_patches", "a curved patch and its copy, ever closer", rounds::bent_patches),
    recipe("cave_visits", "a wrinkled torus at random places in a cave", scenery::cave_visits),
    recipe("cave_flight", "a wrinkled torus flies through a cave", scenery::cave_flight),
    recipe("hand_over_table", "a hand moves over a table and taps it", scenery::hand_over_table),
    recipe("animals_close", "two animals, random turns, gaps of 0 to 2 % of the size", animals::close),
    recipe("animals_path", "an animal passes around another one", animals::path),
    recipe("stylus_on_animal", "a stylus is dragged over an animal", animals::stylus),
    recipe("boxes_touching", "boxes that touch at faces, edges and corners, exactly", boxes::touching),
    recipe("boxes_coinciding", "a box in place of its copy, in every turn that maps it to itself", boxes::coinciding),
    recipe("box_on_table", "a box slides on a table, turned and flat, exactly in contact", boxes::on_table),
    recipe("boxes_stacked", "a box is put on a stack of boxes, beside them and between them", boxes::stacked),
    recipe("tori_coinciding", "a torus in place of its copy, turned by its own symmetry", extremes::tori_coinciding),
    recipe("peg_in_hole", "a peg is pushed into a hole with little play", machines::peg_in_hole),
    recipe("meshing_gears", "two gears turn with their teeth between each other", machines::meshing_gears),
    recipe("machine_parts", "a carriage of parts comes down on its counterparts", machines::machine_parts),
    recipe("drilled_plates", "two plates with holes slide over each other", machines::drilled_plates),
    recipe(
        "needles_and_points",
        "triangles without area, needles and points among ordinary ones",
        extremes::needles_and_points,
    ),
    recipe("far_apart", "two tori, up to a million millions of their size apart", extremes::far_apart),
    recipe("tumbling_tori_slow", "tumbling_tori in steps of 0.1 % of B's size", |d| {
        slow(rounds::tumbling_tori(d), 0.33)
    }),
    recipe("cave_flight_slow", "cave_flight in steps of 0.1 % of B's size", |d| slow(scenery::cave_flight(d), 0.33)),
    recipe("hand_over_table_slow", "hand_over_table in steps of 0.1 % of B's size", |d| {
        slow(scenery::hand_over_table(d), 0.33)
    }),
    recipe("animals_path_slow", "animals_path in steps of 0.1 % of B's size", |d| slow(animals::path(d), 0.25)),
    recipe("stylus_on_animal_slow", "stylus_on_animal in steps of 0.1 % of B's size", |d| {
        slow(animals::stylus(d), 0.33)
    }),
];

pub fn find(name: &str) -> Option<&'static Recipe> {
    ALL.iter().find(|recipe| recipe.name == name)
}

pub fn names() -> Vec<String> {
    ALL.iter().map(|recipe| recipe.name.to_string()).collect()
}

/// A path in small steps from a share of its length on: the motion of a hand at 1 kHz.
fn slow((a, b, poses): Parts, from: f64) -> Parts {
    let first = (poses.len() as f64 * from) as usize;
    let slow = paths::small_steps(&poses[first..], b.diagonal(), 0.001, 500);
    (a, b, slow)
}
