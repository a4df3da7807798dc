//! Plain trees on lists of poses: what the papers' systems need.

use super::collision_walk::{CollisionWalk, Size};
use super::distance_walk::{Ask, DistanceWalk};
use super::frames::Frames;
use super::overlap_test::OverlapTest;
use super::plain_tree::PlainModel;
use crate::clock::thread_seconds;
use crate::measured::{Means, Patience, each};
use crate::tally::Tally;
use feeler::Transform;
use feeler::internals::primitive;
use feeler::internals::volume::Volume;
use feeler::internals::volume::boxes::aabb::Aabb;
use feeler::internals::volume::boxes::obb::Obb;
use feeler::internals::volume::swept::hybrid_static::HybridStatic;
use feeler::internals::volume::swept::lss::Lss;
use feeler::internals::volume::swept::rss::Rss;
use feeler::internals::volume::swept::sphere::Sphere;

/// When a collision query ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    FirstContact,
    AllContacts,
}

/// Two plain models.
pub struct PlainPair<'a, V: Volume> {
    pub a: &'a PlainModel<V>,
    pub b: &'a PlainModel<V>,
}

impl<V: Volume> PlainPair<'_, V> {
    /// One collision query: its tests, and whether there is a contact.
    pub fn touches<T: OverlapTest<V>>(
        &self,
        pose: &Transform,
        (test, until): (T, Until),
        size: Size<V>,
        stack: &mut Vec<(u32, u32)>,
    ) -> (Tally, bool) {
        let frames = Frames::new(self.a, self.b, pose);
        let into = (&frames.into_a, &frames.into_b);
        let mut touching = false;
        let walk = CollisionWalk { trees: (&self.a.tree, &self.b.tree), into, test, size, stack };
        let tally = walk.run(|a, b| {
            touching |= primitive::intersects(&self.a.triangles[a], &frames.placed(&self.b.triangles[b]));
            touching && until == Until::FirstContact
        });
        (tally, touching)
    }

    pub fn collisions<T: OverlapTest<V>>(
        &self,
        poses: &[Transform],
        patience: Patience,
        (test, until): (T, Until),
        size: Size<V>,
    ) -> Means {
        let mut stack = Vec::new();
        each(poses, patience, |pose| {
            let start = thread_seconds();
            let (tally, _) = self.touches(pose, (test, until), size, &mut stack);
            (thread_seconds() - start, tally)
        })
    }

    /// Distances; `ask` may use what the pose before gave.
    pub fn distances(
        &self,
        poses: &[Transform],
        patience: Patience,
        mut ask: impl FnMut(&Transform, Option<(usize, usize)>) -> Ask,
    ) -> Means {
        let mut last = None;
        each(poses, patience, |pose| {
            let frames = Frames::new(self.a, self.b, pose);
            let ask = ask(pose, last);
            let mut tally = Tally::default();
            let start = thread_seconds();
            let found = DistanceWalk { a: self.a, b: self.b, frames: &frames, ask }.run(&mut tally);
            let seconds = thread_seconds() - start;
            last = found.slots.or(last);
            (seconds, tally)
        })
    }
}

/// Work for a volume that is chosen at run time.
pub trait PerVolume {
    type Output;
    fn run<V: Volume>(&self) -> Self::Output;
}

/// The volumes of [Larsen 1999], in the order of its tables.
pub const LARSEN: [&str; 6] = ["Sphere", "AABB", "OBB", "LSS", "RSS", "Hybrid"];

/// Runs work with the volume of this name.
pub fn with_volume<W: PerVolume>(name: &str, work: &W) -> W::Output {
    match name {
        "Sphere" => work.run::<Sphere>(),
        "AABB" => work.run::<Aabb>(),
        "OBB" => work.run::<Obb>(),
        "LSS" => work.run::<Lss>(),
        "RSS" => work.run::<Rss>(),
        "Hybrid" => work.run::<HybridStatic>(),
        _ => panic!("no volume {name}"),
    }
}
