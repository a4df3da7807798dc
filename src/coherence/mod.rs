//! What a pair remembers of a search until the next one: the front of temporal_coherence 4.
//!
//! `certificate` says why pairs of volumes are apart, in a way that a later pose can be asked about; `stance` is a pose as
//! certificates see it; `front` keeps the blocks of a search between queries and decides when that pays.

pub mod certificate;
pub mod front;
pub mod stance;
