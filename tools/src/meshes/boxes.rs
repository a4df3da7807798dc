//! Boxes whose coordinates are exact in floating point.

use super::grid;
use crate::Mesh;
use glam::DVec3;

/// The cube [-1, 1]^3 whose faces are grids of `cells` by `cells` squares; every coordinate is a multiple of 2 / cells.
pub fn lattice_box(cells: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let face = grid(cells, cells, |u, v| {
                let mut corner = [0.0; 3];
                corner[axis] = side;
                corner[(axis + 1) % 3] = 2.0 * u - 1.0;
                corner[(axis + 2) % 3] = 2.0 * v - 1.0;
                DVec3::from_array(corner)
            });
            mesh = mesh.with(&face);
        }
    }
    mesh
}
