//! The volumes of a hierarchy as triangles, for people who would rather look.

use super::Model;
use super::hierarchy::TreeVisitor;
use crate::error::{Error, Status};
use crate::math::power_of_two::shift;
use crate::primitive::Triangle;
use crate::tree::Tree;
use crate::tree::node::Child;
use crate::volume::Volume;
use glam::DVec3;

struct Shown<'a> {
    depth: u32,
    /// Of the model's frame, in stored coordinates.
    origin: DVec3,
    emit: &'a mut dyn FnMut(Triangle),
}

impl TreeVisitor for Shown<'_> {
    type Output = ();
    fn visit<V: Volume>(self, tree: &Tree<V>) {
        show(tree, self.origin, 0, self.depth, self.emit);
    }
}

/// Shows the volumes `depth` levels below those of a node, and those that hold a triangle before.
fn show<V: Volume>(tree: &Tree<V>, origin: DVec3, index: usize, depth: u32, emit: &mut dyn FnMut(Triangle)) {
    let (node, frame) = (&tree.nodes[index], tree.frame(index, origin));
    for lane in 0..8 {
        let child = node.child(lane);
        if child == Child::EMPTY {
            return;
        }
        if depth == 0 || child.is_triangle() {
            V::load(&node.wide, lane).triangulate(&mut |triangle| emit(triangle.map(|point| point + frame.origin)));
        } else {
            show(tree, origin, child.index(), depth - 1, emit);
        }
    }
}

impl Model {
    /// Hands over triangles that show the volumes of one depth, in the caller's coordinates; depth 0 is the root. Where
    /// the hierarchy ends above that depth, its last volume is shown, so that every depth covers the whole mesh.
    pub fn show_volumes(&self, depth: u32, emit: &mut dyn FnMut(Triangle)) -> Result<(), Error> {
        let Some(built) = self.built() else {
            return Err(Error::new(Status::NotBuilt, format_args!("model has not been built")));
        };
        let levels = built.hierarchy.depth();
        if depth >= levels {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!("depth {depth} is not below the depth of the model, {levels}"),
            ));
        }
        let exponent = self.exponent();
        let given = |point: DVec3| DVec3::from_array(point.to_array().map(|coordinate| shift(coordinate, exponent)));
        built.hierarchy.visit(Shown {
            depth,
            origin: built.origin,
            emit: &mut |triangle: Triangle| emit(triangle.map(given)),
        });
        Ok(())
    }
}
