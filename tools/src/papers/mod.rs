//! The experiments of the five papers behind feeler, and what is needed for them only.
//!
//! `plain_tree`, `collision_walk` and `distance_walk` are the papers' systems on top of the library's fits and kernels: binary
//! trees, left before right, a heap, the overlap tests of `overlap_test`. One file per experiment says what is
//! measured. `report` keeps the results, `page` and `plot` show them.

pub mod collision_walk;
pub mod distance_walk;
pub mod frames;
pub mod gjk;
pub mod overlap_test;
pub mod page;
pub mod plain_queries;
pub mod plain_tree;
pub mod plot;
pub mod progress;
pub mod published;
pub mod report;
pub mod scenes;
pub mod settings;
mod swept_costs;
mod swept_figures;
mod swept_search;
mod swept_sphere_volumes;
mod swept_tables;

use report::Section;
use settings::Settings;

/// An experiment by the name of its paper.
pub struct Experiment {
    pub name: &'static str,
    pub run: fn(&Settings) -> Section,
}

pub const ALL: &[Experiment] = &[Experiment { name: "swept_sphere_volumes", run: swept_sphere_volumes::run }];
