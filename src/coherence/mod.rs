//! What a search proves about two moving models, kept for the next query: the front of [Tropp 2006, 2-3].
//!
//! `certificate` says why pairs of volumes are apart, in a form that later poses can check. `relative_pose` is a pose as
//! certificates see it. `front` keeps the certificates of a search between queries and decides when that pays; `tied_lanes` are those of
//! its lanes that are as near as the nearest pair. `clearance` is one number for both models: while they have moved less, a query need
//! not look at anything; with `departure` not even at where the models are placed. `pace` decides whether remembering pays at all.

pub mod anchor;
pub mod certificate;
pub mod clearance;
pub mod departure;
pub mod front;
pub mod pace;
pub mod relative_pose;
pub mod tied_lanes;
