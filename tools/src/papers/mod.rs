//! The experiments of the five papers behind feeler, and what is needed for them only.
//!
//! `plain_tree`, `collision_walk` and `distance_walk` are the papers' systems on top of the library's fits and kernels: binary
//! trees, left before right, a heap, the overlap tests of `overlap_test`. One file per experiment says what is
//! measured. `report` keeps the results, `page` and `plot` show them.

mod aabb_trees_deformable;
mod coherence_parameters;
pub mod collision_walk;
pub mod distance_walk;
mod dual_obb_sphere;
pub mod exit_axes;
pub mod frames;
pub mod gjk;
mod lost_area;
pub mod overlap_test;
pub mod page;
mod plain_front;
pub mod plain_queries;
pub mod plain_tree;
pub mod plot;
pub mod progress;
pub mod published;
mod random_placements;
pub mod report;
pub mod scenes;
pub mod settings;
mod spherical_shells;
mod swept_costs;
mod swept_cuts;
mod swept_figures;
mod swept_search;
mod swept_sphere_volumes;
mod swept_tables;
mod temporal_coherence;

use report::Section;
use settings::Settings;

/// An experiment by the name of its paper.
pub struct Experiment {
    pub name: &'static str,
    pub run: fn(&Settings) -> Section,
}

pub const ALL: &[Experiment] = &[
    Experiment { name: "swept_sphere_volumes", run: swept_sphere_volumes::run },
    Experiment { name: "aabb_trees_deformable", run: aabb_trees_deformable::run },
    Experiment { name: "temporal_coherence", run: temporal_coherence::run },
    Experiment { name: "spherical_shells", run: spherical_shells::run },
    Experiment { name: "dual_obb_sphere", run: dual_obb_sphere::run },
];
