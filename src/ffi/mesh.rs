//! The caller's vertices and triangles, read element by element and without alignment.

use super::checks::{choice, known_flags, reserved};
use super::growing;
use super::guard::null_argument;
use super::structs::feeler_mesh;
use crate::error::{Error, Status};
use crate::model::{MeshSource, Model, VertexSource};
use core::ptr;
use glam::DVec3;

/// Vertices have 32-bit numbers, even when the caller gives no indices.
const MOST_SOUP_VERTICES: usize = u32::MAX as usize;

#[derive(Clone, Copy)]
enum Scalar {
    F32,
    F64,
}

/// A mesh description whose arrays exist and are as large as it says.
pub(super) struct CallerMesh {
    scalar: Scalar,
    vertices: *const u8,
    vertex_count: usize,
    vertex_stride: usize,
    indices: *const u32,
    triangle_count: usize,
}

impl CallerMesh {
    /// Checks the description. The core checks the numbers in the arrays.
    ///
    /// # Safety
    /// `mesh` is as `growing::read` demands, and its arrays are readable while this value lives.
    pub(super) unsafe fn checked(mesh: *const feeler_mesh) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        unsafe { Self::described(mesh, true) }
    }

    /// The same; without indices vertices come in threes, or the triangles are known already.
    ///
    /// # Safety
    /// As `checked`.
    unsafe fn described(mesh: *const feeler_mesh, in_threes: bool) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let mesh = unsafe { growing::read(mesh, "mesh")? };
        let scalar = choice(mesh.scalar, &[Scalar::F32, Scalar::F64], "mesh.scalar")?;
        known_flags(mesh.flags, 0, "mesh.flags")?;
        reserved(mesh.reserved, "mesh.reserved")?;
        let vertex_size = match scalar {
            Scalar::F32 => 12,
            Scalar::F64 => 24,
        };
        let vertex_stride = if mesh.vertex_stride == 0 { vertex_size } else { mesh.vertex_stride };
        if vertex_stride < vertex_size {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!("mesh.vertex_stride {vertex_stride} is less than a vertex, {vertex_size} bytes"),
            ));
        }
        let invalid = |sentence: core::fmt::Arguments| Err(Error::new(Status::InvalidMesh, sentence));
        let vertex_count = mesh.vertex_count;
        if vertex_count == 0 {
            return invalid(format_args!("mesh.vertex_count is 0: a mesh needs vertices"));
        }
        if mesh.vertices.is_null() {
            return Err(null_argument("mesh.vertices"));
        }
        let triangle_count = if mesh.indices.is_null() && in_threes {
            let threes = vertex_count / 3;
            if vertex_count % 3 != 0 {
                return invalid(format_args!(
                    "mesh.vertex_count {vertex_count} is no multiple of 3, but mesh.indices is NULL"
                ));
            }
            if mesh.triangle_count != 0 && mesh.triangle_count != threes {
                return invalid(format_args!(
                    "mesh.triangle_count {} is not mesh.vertex_count / 3, but mesh.indices is NULL",
                    mesh.triangle_count
                ));
            }
            threes
        } else {
            mesh.triangle_count
        };
        if mesh.indices.is_null() && in_threes && vertex_count > MOST_SOUP_VERTICES {
            return invalid(format_args!(
                "mesh.vertex_count {vertex_count} is above {MOST_SOUP_VERTICES}, but mesh.indices is NULL"
            ));
        }
        if !fits_in_memory(mesh.vertices.addr(), vertex_count, vertex_stride) {
            return invalid(format_args!(
                "mesh.vertex_count {vertex_count} times the stride exceeds the address space"
            ));
        }
        if !fits_in_memory(mesh.indices.addr(), triangle_count, 12) {
            return invalid(format_args!("mesh.triangle_count {triangle_count} exceeds the address space"));
        }
        Ok(Self {
            scalar,
            vertices: mesh.vertices.cast(),
            vertex_count,
            vertex_stride,
            indices: mesh.indices,
            triangle_count,
        })
    }
}

/// New positions for vertices that a model has.
pub(super) struct MovedVertices(CallerMesh);

impl MovedVertices {
    /// As `CallerMesh::checked`, but without indices the triangles stay and vertices need not come in threes.
    ///
    /// # Safety
    /// As `CallerMesh::checked`.
    pub(super) unsafe fn checked(mesh: *const feeler_mesh) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        unsafe { CallerMesh::described(mesh, false) }.map(Self)
    }

    /// Refuses models that do not follow their vertices, and other triangles: those may be named again, but not changed.
    pub(super) fn refuse_other_triangles(&self, model: &Model) -> Result<(), Error> {
        model.refuse_unless_followed()?;
        let (mesh, count) = (&self.0, model.triangle_count());
        let refuse = |sentence: core::fmt::Arguments| Err(Error::new(Status::InvalidMesh, sentence));
        if mesh.triangle_count != count && (mesh.triangle_count != 0 || !mesh.indices.is_null()) {
            let given = mesh.triangle_count;
            return refuse(format_args!(
                "mesh.triangle_count is {given}, but model was created from {count} triangles"
            ));
        }
        if mesh.indices.is_null() {
            return Ok(());
        }
        match (0..count).find(|&index| !model.is_triangle_of(index, mesh.triangle(index))) {
            Some(index) => refuse(format_args!("mesh.indices: triangle {index} differs from that of the creation")),
            None => Ok(()),
        }
    }
}

impl VertexSource for MovedVertices {
    fn vertex_count(&self) -> usize {
        self.0.vertex_count
    }

    #[inline]
    fn vertex(&self, index: usize) -> DVec3 {
        self.0.vertex(index)
    }
}

/// Whether an array can lie at an address: no array is larger than `isize::MAX` or goes round the end of memory.
fn fits_in_memory(address: usize, count: usize, stride: usize) -> bool {
    let fits = |bytes: usize| isize::try_from(bytes).is_ok() && address.checked_add(bytes).is_some();
    count.checked_mul(stride).is_some_and(fits)
}

impl MeshSource for CallerMesh {
    fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    fn triangle_count(&self) -> usize {
        self.triangle_count
    }

    #[inline]
    fn vertex(&self, index: usize) -> DVec3 {
        assert!(index < self.vertex_count);
        // SAFETY: the index is in range, the offset fits as `checked` found, and the array is readable as promised.
        unsafe {
            let vertex = self.vertices.add(index * self.vertex_stride);
            match self.scalar {
                Scalar::F32 => {
                    // Spelt out: `map` would not be inlined.
                    let [x, y, z] = ptr::read_unaligned(vertex.cast::<[f32; 3]>());
                    DVec3::new(x as f64, y as f64, z as f64)
                }
                Scalar::F64 => DVec3::from_array(ptr::read_unaligned(vertex.cast::<[f64; 3]>())),
            }
        }
    }

    #[inline]
    fn triangle(&self, index: usize) -> [u32; 3] {
        assert!(index < self.triangle_count);
        if self.indices.is_null() {
            // Below MOST_SOUP_VERTICES, as `checked` found.
            return [0, 1, 2].map(|corner| (3 * index + corner) as u32);
        }
        // SAFETY: as for vertices.
        unsafe { ptr::read_unaligned(self.indices.cast::<[u32; 3]>().add(index)) }
    }
}
