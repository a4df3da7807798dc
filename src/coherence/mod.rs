//! What a search proves about two moving models, kept for the next query: the front of [Tropp 2006, 2-3].
//!
//! `certificate` says why pairs of volumes are apart, in a form that later poses can check. `relative_pose` is a pose as
//! certificates see it. `front` keeps the certificates of a search between queries and decides when that pays.

pub mod certificate;
pub mod front;
pub mod relative_pose;
