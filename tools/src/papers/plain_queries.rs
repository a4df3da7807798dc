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

#[cfg(test)]
mod tests {
    use super::super::collision_walk::by_diameter;
    use super::super::distance_walk::Order;
    use super::super::overlap_test::Usual;
    use super::super::plain_tree::Cut;
    use super::*;
    use crate::{Workload, workloads};
    use feeler::internals::model::BuildParams;
    use feeler::{CollideParams, DistanceParams, Pair};

    /// Answers of the library: distance and whether the models touch.
    struct Agrees<'a> {
        scene: &'a Workload,
        expected: &'a [(f64, bool)],
    }

    impl PerVolume for Agrees<'_> {
        type Output = ();

        fn run<V: Volume>(&self) {
            for (width, cut) in [(2, Cut::Mean), (2, Cut::Middle), (4, Cut::Median), (8, Cut::Mean)] {
                let [a, b] = [&self.scene.a, &self.scene.b].map(|mesh| PlainModel::<V>::of_width(mesh, cut, width));
                let used = a.tree.nodes.iter().map(|node| node.used().count_ones()).max();
                assert_eq!(used, Some(width as u32), "a node has {width} children at most");
                let pair = PlainPair { a: &a, b: &b };
                for (pose, (distance, touching)) in self.scene.poses.iter().zip(self.expected) {
                    let frames = Frames::new(&a, &b, pose);
                    let is_near = |ask: Ask, error: f64| {
                        let found = DistanceWalk { a: &a, b: &b, frames: &frames, ask }.run(&mut Tally::default());
                        let most = distance * (1.0 + error) + 1e-9;
                        assert!(
                            found.distance >= distance - 1e-9 && found.distance <= most,
                            "{ask:?}: {found:?} for {distance}"
                        );
                        found.slots
                    };
                    let last = is_near(Ask { order: Order::LeftFirst, ..Ask::default() }, 0.0);
                    is_near(Ask { cached: last, ..Ask::default() }, 0.0);
                    is_near(Ask { order: Order::Priority(3), ..Ask::default() }, 0.0);
                    is_near(Ask { relative_error: 0.1, ..Ask::default() }, 0.1);
                    for until in [Until::FirstContact, Until::AllContacts] {
                        let (_, found) = pair.touches(pose, (Usual, until), by_diameter::<V>, &mut Vec::new());
                        assert_eq!(found, *touching);
                    }
                }
            }
        }
    }

    #[test]
    fn plain_trees_give_the_answers_of_the_library() {
        let mut scene = workloads::find("tumbling_tori").expect("a workload").make(1);
        scene.poses = scene.poses.into_iter().step_by(10).collect();
        let [a, b] = scene.models(&BuildParams::default());
        let mut pair = Pair::new(&a, &b).expect("one volume");
        let expected: Vec<(f64, bool)> = scene
            .poses
            .iter()
            .map(|pose| {
                pair.set_transforms(None, Some(pose)).expect("a legal pose");
                let touching = pair.collide(&CollideParams::default()).contact.is_some();
                (pair.distance(&DistanceParams::default()).upper, touching)
            })
            .collect();
        assert!(expected.iter().any(|answer| answer.1) && expected.iter().any(|answer| !answer.1));
        for volume in LARSEN {
            with_volume(volume, &Agrees { scene: &scene, expected: &expected });
        }
    }
}
