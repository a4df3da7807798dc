//! Enclosing triangles: a range of a mesh's triangles (`cluster`), the axes of a box around them (`orientation`) and
//! their bounds along these axes (`turned_bounds`). `tessellation` draws volumes as triangles.

pub mod cluster;
pub mod orientation;
pub mod tessellation;
pub mod turned_bounds;
