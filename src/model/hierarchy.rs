//! The hierarchy of a model, whatever its volume: the one place where the volume is a value and not a type.

use crate::error::{Error, Status};
use crate::tree::build::SlotOrder;
use crate::tree::build::workers::Workers;
use crate::tree::{self, Options, Tree};
use crate::volume::{Family, HybridSelection, Volume, VolumeKind};
use glam::DVec3;

macro_rules! hierarchy {
    ($($name:ident: $volume:ty,)*) => {
        /// A tree of one of the volumes.
        #[derive(Debug)]
        pub enum Hierarchy {
            $($name(Tree<$volume>),)*
        }

        impl Hierarchy {
            /// Calls the visitor with the tree, as its type. Inlined, so that what a visitor has in registers stays there.
            #[inline(always)]
            pub fn visit<T: TreeVisitor>(&self, visitor: T) -> T::Output {
                match self {
                    $(Self::$name(tree) => visitor.visit(tree),)*
                }
            }

            pub(super) fn visit_mut<T: TreeVisitorMut>(&mut self, visitor: T) -> T::Output {
                match self {
                    $(Self::$name(tree) => visitor.visit(tree),)*
                }
            }

            /// Builds a tree of volume `kind`; of the two hybrids, of that with the given selection.
            pub(super) fn build(
                kind: VolumeKind,
                selection: HybridSelection,
                vertices: &[DVec3],
                origin: DVec3,
                triangles: impl ExactSizeIterator<Item = [u32; 3]>,
                options: &Options,
                workers: &dyn Workers,
            ) -> Result<(Self, SlotOrder), Error> {
                $(if <$volume>::KIND == kind && <$volume>::SELECTION.is_none_or(|choice| choice == selection) {
                    let (tree, order) = tree::build::<$volume>(vertices, origin, triangles, options, workers)?;
                    return Ok((Self::$name(tree), order));
                })*
                Err(Error::new(
                    Status::Unsupported,
                    format_args!("params.volume {} is not supported by this version, OBB is", kind.name()),
                ))
            }
        }
    };
}

crate::volume::for_each_volume!(hierarchy);

/// Something to do with two trees that can be tested against each other.
pub trait TreePairVisitor {
    type Output;
    /// Two trees of one volume.
    fn one_volume<V: Volume>(self, a: &Tree<V>, b: &Tree<V>) -> Self::Output;
    /// Two trees of different volumes.
    fn two_volumes<A: Volume, B: Volume<Family = A::Family>>(self, a: &Tree<A>, b: &Tree<B>) -> Self::Output;
}

/// The trees of one family: what a tree of that family can be tested against.
trait Members: Family + Sized {
    fn visit_second<A: Volume<Family = Self>, T: TreePairVisitor>(
        first: &Tree<A>,
        second: &Hierarchy,
        visitor: T,
    ) -> Option<T::Output>;
}

macro_rules! members {
    ($($folder:ident $helpers:tt $family:ty { $($name:ident: $volume:ty = $more:tt,)* })*) => {
        $(impl Members for $family {
            #[inline(always)]
            fn visit_second<A: Volume<Family = Self>, T: TreePairVisitor>(
                first: &Tree<A>,
                second: &Hierarchy,
                visitor: T,
            ) -> Option<T::Output> {
                match second {
                    $(Hierarchy::$name(tree) => Some(visitor.two_volumes(first, tree)),)*
                    _ => None,
                }
            }
        })*
    };
}

crate::volume::for_each_family!(members);

macro_rules! pairs {
    ($($name:ident: $volume:ty,)*) => {
        impl Hierarchy {
            /// Calls `one_volume` or `two_volumes` with both trees, as their types; None when they are of different families.
            #[inline(always)]
            pub fn visit_pair<T: TreePairVisitor>(&self, other: &Self, visitor: T) -> Option<T::Output> {
                match (self, other) {
                    $((Self::$name(first), Self::$name(second)) => Some(visitor.one_volume(first, second)),)*
                    $((Self::$name(tree), _) => <$volume as Volume>::Family::visit_second(tree, other, visitor),)*
                }
            }
        }
    };
}

crate::volume::for_each_volume!(pairs);

/// Something to do with a tree of any volume.
pub trait TreeVisitor {
    type Output;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output;
}

/// Something to do to a tree of any volume.
pub(super) trait TreeVisitorMut {
    type Output;
    fn visit<V: Volume>(self, tree: &mut Tree<V>) -> Self::Output;
}

struct Figures;

impl TreeVisitor for Figures {
    /// Volume, nodes, bytes of the nodes and of what is known of them, depth.
    type Output = (VolumeKind, usize, usize, u32);
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output {
        let of_nodes = size_of_val(tree.nodes.as_slice()) + size_of_val(tree.frames.as_slice());
        (V::KIND, tree.nodes.len(), of_nodes + size_of_val(tree.below.as_slice()), tree.depth)
    }
}

impl Hierarchy {
    pub fn kind(&self) -> VolumeKind {
        self.visit(Figures).0
    }

    pub fn node_count(&self) -> usize {
        self.visit(Figures).1
    }

    /// Bytes of the nodes and of what is known of them.
    pub fn memory(&self) -> usize {
        self.visit(Figures).2
    }

    /// Nodes on the longest path from the root to a triangle.
    pub fn depth(&self) -> u32 {
        self.visit(Figures).3
    }
}
