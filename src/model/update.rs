//! New positions for the vertices of a deformable model: the triangles stay, the hierarchy follows.
//!
//! Everything is checked before anything changes. Afterwards the stored vertices, the exponent and the bounds are those of a
//! model that is created from the new positions, and answers depend on nothing else; the hierarchy has the layout that it had.

use super::built::{Following, radius_around};
use super::hierarchy::{TreeVisitor, TreeVisitorMut};
use super::numbering::UNUSED;
use super::users::Users;
use super::{Model, illegal_vertex, is_degenerate, is_legal, normalised};
use crate::error::{Error, Status};
use crate::math::bounds::Bounds;
use crate::math::power_of_two::{exponent_above, shift, two_to};
use crate::tree::Tree;
use crate::volume::Volume;
use crate::volume::fit::cluster::Cluster;
use glam::DVec3;

/// Positions for consecutive vertices, read twice and one by one, so that the caller's layout never matters.
pub trait VertexSource {
    fn vertex_count(&self) -> usize;
    fn vertex(&self, index: usize) -> DVec3;
}

impl VertexSource for [DVec3] {
    fn vertex_count(&self) -> usize {
        self.len()
    }
    fn vertex(&self, index: usize) -> DVec3 {
        self[index]
    }
}

/// A range of more than one part in this many of all vertices is worth a pass over everything.
const MOST_OF_ALL: usize = 4;

/// The origin of the nodes follows the centre of the bounds when it is off by more than this part of the radius: f32 numbers
/// are finest near the origin.
const MOST_OFF: f64 = 0.125;

impl Model {
    /// Moves all vertices; as many as the model was created from.
    pub fn update_vertices(&mut self, source: &(impl VertexSource + ?Sized)) -> Result<(), Error> {
        let places = self.followed_places()?;
        let count = source.vertex_count();
        if count != places.len() {
            let expected = places.len();
            let sentence = format_args!("mesh.vertex_count is {count}, but model was created from {expected} vertices");
            return Err(Error::new(Status::InvalidMesh, sentence));
        }
        let mut bounds = Bounds::EMPTY;
        for (number, &place) in places.iter().enumerate() {
            let vertex = source.vertex(number);
            if !is_legal(vertex) {
                return Err(illegal_vertex(vertex, number));
            }
            if place != UNUSED {
                bounds.add(vertex);
            }
        }
        let exponent = exponent_of(&bounds);
        let Self { vertices, numbering, .. } = self;
        // One factor for all, as long as it is a normal number: `normalised` multiplies by it, too.
        let factor = (-1022..=1023).contains(&-exponent).then(|| two_to(-exponent));
        for (number, &place) in numbering.places().unwrap_or(&[]).iter().enumerate() {
            if place != UNUSED {
                let vertex = source.vertex(number);
                vertices[place as usize] = match factor {
                    Some(factor) => vertex * factor,
                    None => normalised(vertex, exponent),
                };
            }
        }
        self.follow_all(bounds, exponent);
        Ok(())
    }

    /// Moves the vertices from `first_vertex` on, in the caller's numbers.
    pub fn update_range(&mut self, source: &(impl VertexSource + ?Sized), first_vertex: usize) -> Result<(), Error> {
        let places = self.followed_places()?;
        let (count, all) = (source.vertex_count(), places.len());
        if first_vertex > all || count > all - first_vertex {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!(
                    "first_vertex {first_vertex} and mesh.vertex_count {count} go beyond the {all} vertices that model \
                     was created from"
                ),
            ));
        }
        let range = first_vertex..first_vertex + count;
        let mut bounds = Bounds::EMPTY;
        let mut is_bounding = false;
        let [low, high] = self.bounds.map(|bound| normalised(bound, self.exponent));
        for (index, &place) in places[range.clone()].iter().enumerate() {
            let vertex = source.vertex(index);
            if !is_legal(vertex) {
                return Err(illegal_vertex(vertex, first_vertex + index));
            }
            if place != UNUSED {
                bounds.add(vertex);
                let before = self.vertices[place as usize];
                is_bounding |= before.cmpeq(low).any() | before.cmpeq(high).any();
            }
        }
        let others = if is_bounding { self.bounds_without(range.clone()) } else { self.given_bounds() };
        bounds.unite(&others);
        let exponent = exponent_of(&bounds);
        let [low, high] = [bounds.low, bounds.high].map(|bound| normalised(bound, exponent));
        let built = self.built.as_ref().expect("followed_places looked");
        let is_off = (low * 0.5 + high * 0.5 - built.origin).length() > MOST_OFF * built.radius;
        let all_follow = exponent != self.exponent || is_off || count > all / MOST_OF_ALL;
        if !all_follow {
            self.make_users()?;
        }
        if exponent != self.exponent {
            let change = self.exponent - exponent;
            for vertex in &mut self.vertices {
                *vertex = normalised(*vertex, -change);
            }
        }
        let Self { vertices, numbering, .. } = self;
        let places = &numbering.places().unwrap_or(&[])[range.clone()];
        if all_follow {
            for (index, &place) in places.iter().enumerate().filter(|(_, place)| **place != UNUSED) {
                vertices[place as usize] = normalised(source.vertex(index), exponent);
            }
            self.follow_all(bounds, exponent);
            return Ok(());
        }
        self.follow_range(source, range, bounds);
        Ok(())
    }

    /// The places of the caller's vertices, if this model follows them.
    fn followed_places(&self) -> Result<&[u32], Error> {
        if self.built.is_none() {
            return Err(Error::new(Status::NotBuilt, format_args!("model has not been built")));
        }
        let refused = |what: &str| {
            let sentence = format_args!("model {what}, so that its vertices stay where they are: create another model");
            Err(Error::new(Status::Unsupported, sentence))
        };
        if !self.is_deformable() {
            return refused("was not built with FEELER_BUILD_DEFORMABLE");
        }
        match self.numbering.places() {
            Some(places) => Ok(places),
            // The numbers of the vertices are gone.
            None => refused("was first built without FEELER_BUILD_DEFORMABLE"),
        }
    }

    /// Why the vertices of this model cannot move, if they cannot.
    pub(crate) fn refuse_unless_followed(&self) -> Result<(), Error> {
        self.followed_places().map(|_| ())
    }

    /// Whether these are the vertices of the triangle with the caller's number `id`, in the caller's numbers.
    pub(crate) fn is_triangle_of(&self, id: usize, vertices: [u32; 3]) -> bool {
        let stored = self.triangles.get(self.slot(id as u32));
        let place = |vertex: u32| match self.numbering.places() {
            Some(places) => places.get(vertex as usize).copied(),
            None => Some(vertex),
        };
        // Spelt out: `map` would not be inlined.
        let ([a, b, c], [d, e, f]) = (vertices, stored);
        (place(a) == Some(d)) & (place(b) == Some(e)) & (place(c) == Some(f))
    }

    fn given_bounds(&self) -> Bounds {
        let [low, high] = self.bounds;
        Bounds { low, high }
    }

    /// Bounds of the used vertices outside of a range of the caller's numbers, in the caller's coordinates.
    fn bounds_without(&self, range: core::ops::Range<usize>) -> Bounds {
        let places = self.numbering.places().unwrap_or(&[]);
        let mut bounds = Bounds::EMPTY;
        for &place in places[..range.start].iter().chain(&places[range.end..]) {
            if place != UNUSED {
                bounds.add(self.vertices[place as usize]);
            }
        }
        if bounds.low.x <= bounds.high.x {
            let [low, high] = [bounds.low, bounds.high].map(|bound| normalised(bound, -self.exponent));
            return Bounds { low, high };
        }
        bounds
    }

    /// After all vertices may have moved: the exponent is theirs already.
    fn follow_all(&mut self, bounds: Bounds, exponent: i32) {
        let [low, high] = [bounds.low, bounds.high];
        (self.bounds, self.exponent, self.generation) = ([low, high], exponent, self.generation + 1);
        let centre = |low: f64, high: f64| shift(low, -exponent) * 0.5 + shift(high, -exponent) * 0.5;
        let origin = DVec3::new(centre(low.x, high.x), centre(low.y, high.y), centre(low.z, high.z));
        let Some(built) = &mut self.built else { return };
        (built.origin, built.radius) = (origin, radius_around(origin, &self.vertices));
        built.hierarchy.visit_mut(RefitAll(Cluster::new(&self.vertices, origin, self.triangles.as_long())));
        let degenerate = (0..self.triangles.count()).filter(|&slot| is_degenerate(&self.triangle_in_slot(slot)));
        self.degenerate_count = degenerate.count() as u64;
    }

    /// After the vertices of a range moved: exponent and origin stay.
    fn follow_range(&mut self, source: &(impl VertexSource + ?Sized), range: core::ops::Range<usize>, bounds: Bounds) {
        (self.bounds, self.generation) = ([bounds.low, bounds.high], self.generation + 1);
        let Some(built) = &mut self.built else { return };
        let Some(Following { users: Some(users), .. }) = &mut built.following else { return };
        let places = &self.numbering.places().unwrap_or(&[])[range];
        let mut degenerate = self.degenerate_count as i64;
        let (triangles, vertices) = (self.triangles.as_long(), &mut self.vertices);
        let count = |vertices: &[DVec3], users: &Users, place: u32| {
            let of_slot = |&slot: &u32| is_degenerate(&triangles[slot as usize].map(|index| vertices[index as usize]));
            users.slots_of(place).iter().filter(|slot| of_slot(slot)).count() as i64
        };
        for (index, &place) in places.iter().enumerate().filter(|(_, place)| **place != UNUSED) {
            // One vertex after the other: what each of them changes is counted while the others wait.
            degenerate -= count(vertices, users, place);
            let vertex = normalised(source.vertex(index), self.exponent);
            vertices[place as usize] = vertex;
            degenerate += count(vertices, users, place);
            let squared = (vertex - built.origin).length_squared();
            built.radius = built.radius.max(squared.sqrt() * (1.0 + 1e-12));
        }
        self.degenerate_count = degenerate as u64;
        let cluster = Cluster::new(&self.vertices, built.origin, self.triangles.as_long());
        built.hierarchy.visit_mut(RefitSome { cluster, users, places });
    }

    fn make_users(&mut self) -> Result<(), Error> {
        let Some(built) = &mut self.built else { return Ok(()) };
        let Some(following @ Following { users: None, .. }) = &mut built.following else { return Ok(()) };
        let made =
            built.hierarchy.visit(MakeUsers { triangles: self.triangles.as_long(), vertex_count: self.vertices.len() });
        following.users = Some(made?);
        Ok(())
    }
}

/// Of the model with these bounds of its used vertices.
fn exponent_of(bounds: &Bounds) -> i32 {
    exponent_above(bounds.low.abs().max(bounds.high.abs()).max_element())
}

struct RefitAll<'a>(Cluster<'a>);

impl TreeVisitorMut for RefitAll<'_> {
    type Output = ();
    fn visit<V: Volume>(self, tree: &mut Tree<V>) {
        tree.refit(&self.0);
    }
}

struct RefitSome<'a> {
    cluster: Cluster<'a>,
    users: &'a mut Users,
    places: &'a [u32],
}

impl TreeVisitorMut for RefitSome<'_> {
    type Output = ();
    fn visit<V: Volume>(self, tree: &mut Tree<V>) {
        for &place in self.places.iter().filter(|place| **place != UNUSED) {
            self.users.mark(tree, place);
        }
        tree.refit_marked(self.users.marks(), &self.cluster);
    }
}

struct MakeUsers<'a> {
    triangles: &'a [[u32; 3]],
    vertex_count: usize,
}

impl TreeVisitor for MakeUsers<'_> {
    type Output = Result<Users, Error>;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output {
        Users::new(tree, self.triangles, self.vertex_count)
    }
}
