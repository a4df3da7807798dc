//! Pairs of models in poses, and what the plain walk says about them: the corpus of the query tests.
#![allow(dead_code)] // every user needs some of it

use super::meshes::{self, Mesh, Random};
use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::internals::primitive;
use feeler::internals::query::contact_sink::ContactSink;
use feeler::internals::query::{Contact, Counters};
use feeler::internals::tree::build::workers::Inline;
use feeler::{Model, Pair, Status, Transform};
use glam::{DMat3, DQuat, DVec3};

/// Small enough for the plain walk, and of every kind that is known to be hard.
pub fn corpus() -> Vec<(&'static str, Mesh)> {
    vec![
        ("soup", meshes::random_soup(60, 0.4, 1)),
        ("sphere", meshes::sphere(9, 6)),
        ("torus", meshes::torus(12, 5, 0.3)),
        ("plane", meshes::plane(6, 5)),
        ("box", lattice_box(2)),
        ("degenerate", meshes::degenerate(45, 4)),
        ("needles", meshes::needles(40, 3)),
        ("equal", meshes::equal(30)),
        ("triangle", meshes::random_soup(1, 1.0, 5)),
        ("eight", meshes::random_soup(8, 0.7, 8)),
        ("point", Mesh::soup([[DVec3::new(0.25, 0.5, -0.125); 3]])),
        ("line", meshes::degenerate(20, 5).map(|v| DVec3::new(v.x, 2.0 * v.x, -v.x))),
        ("minute heart", with_heart(2f64.powi(-80))),
        ("off centre", meshes::torus(9, 5, 0.4).map(|v| v + DVec3::new(700.0, -300.0, 50.0))),
    ]
}

/// The cube [-1, 1]^3 whose faces are grids of `cells` by `cells` squares; every coordinate is a multiple of 2 / cells.
pub fn lattice_box(cells: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let face = meshes::grid(cells, cells, |u, v| {
                let mut corner = [0.0; 3];
                corner[axis] = side;
                corner[(axis + 1) % 3] = 2.0 * u - 1.0;
                corner[(axis + 2) % 3] = 2.0 * v - 1.0;
                DVec3::from_array(corner)
            });
            append(&mut mesh, &face);
        }
    }
    mesh
}

/// A loose shell around a part whose size is `size` of the whole, in the middle: lengths whose squares leave f32.
pub fn with_heart(size: f64) -> Mesh {
    let mut mesh = meshes::torus(6, 4, 0.1);
    append(&mut mesh, &meshes::random_soup(24, 0.5, 17).map(|vertex| vertex * size));
    mesh
}

fn append(mesh: &mut Mesh, other: &Mesh) {
    let first = mesh.vertices.len() as u32;
    mesh.vertices.extend(&other.vertices);
    mesh.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
}

/// A model of this volume; None when this version does not have it.
pub fn build(mesh: &Mesh, volume: VolumeKind) -> Option<Model> {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    match model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline) {
        Ok(()) => Some(model),
        Err(error) if error.status == Status::Unsupported => None,
        Err(error) => panic!("{}: {error}", volume.name()),
    }
}

/// The volumes that this version has; the others are named once per test.
pub fn volumes() -> Vec<VolumeKind> {
    let probe = meshes::random_soup(1, 1.0, 1);
    let (have, lack): (Vec<_>, Vec<_>) = VolumeKind::ALL.into_iter().partition(|&kind| build(&probe, kind).is_some());
    if !lack.is_empty() {
        println!("skipped, not in this version: {:?}", lack.iter().map(|kind| kind.name()).collect::<Vec<_>>());
    }
    have
}

/// All ordered pairs of volumes that can be asked about each other; the default volume with itself comes first.
pub fn pairings() -> Vec<(VolumeKind, VolumeKind)> {
    let volumes = volumes();
    let probe = meshes::random_soup(1, 1.0, 1);
    let mut pairings = Vec::new();
    for &a in &volumes {
        for &b in &volumes {
            let (in_a, in_b) = (build(&probe, a).unwrap(), build(&probe, b).unwrap());
            match Pair::new(&in_a, &in_b) {
                Ok(_) => pairings.push((a, b)),
                Err(error) => assert_eq!(error.status, Status::Incompatible, "{} {}", a.name(), b.name()),
            }
        }
    }
    pairings
}

/// One mesh as models of every volume.
pub struct Shape {
    pub name: &'static str,
    pub mesh: Mesh,
    models: Vec<(VolumeKind, Model)>,
}

impl Shape {
    pub fn new(name: &'static str, mesh: Mesh, volumes: &[VolumeKind]) -> Self {
        let models =
            volumes.iter().map(|&kind| (kind, build(&mesh, kind).expect("a volume of this version"))).collect();
        Self { name, mesh, models }
    }

    pub fn model(&self, kind: VolumeKind) -> &Model {
        &self.models.iter().find(|(other, _)| *other == kind).expect("a volume of this version").1
    }

    /// About half a diameter.
    pub fn reach(&self) -> f64 {
        let [low, high] = self.models[0].1.bounds();
        (high - low).max_element() * 0.5
    }

    pub fn centre(&self) -> DVec3 {
        let [low, high] = self.models[0].1.bounds();
        low * 0.5 + high * 0.5
    }
}

pub fn shapes(volumes: &[VolumeKind]) -> Vec<Shape> {
    corpus().into_iter().map(|(name, mesh)| Shape::new(name, mesh, volumes)).collect()
}

pub fn random_rotation(random: &mut Random) -> DMat3 {
    loop {
        let [x, y, z, w] = [(); 4].map(|()| random.number());
        let length = x * x + y * y + z * z + w * w;
        if (0.01..1.0).contains(&length) {
            return DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize());
        }
    }
}

/// One of the 24 rotations that map the axes to each other, without rounding.
pub fn lattice_rotation(random: &mut Random) -> DMat3 {
    let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
    axes.rotate_left((random.bits() % 3) as usize);
    if random.bits().is_multiple_of(2) {
        axes = [-axes[0], -axes[1], axes[2]];
    }
    if random.bits().is_multiple_of(2) {
        axes = [axes[0], -axes[1], -axes[2]];
    }
    if random.bits().is_multiple_of(2) {
        axes = [axes[1], -axes[0], axes[2]];
    }
    DMat3::from_cols(axes[0], axes[1], axes[2])
}

pub fn pose(rotation: DMat3, translation: DVec3, scale: f64) -> Transform {
    Transform { rotation, translation, scale: DVec3::splat(scale) }
}

/// A pose that brings the model's centre to `centre`.
pub fn centred(shape: &Shape, rotation: DMat3, centre: DVec3, scale: f64) -> Transform {
    pose(rotation, centre - rotation * (shape.centre() * scale), scale)
}

/// The poses of A and B that every pair of shapes is asked in, with a name each.
pub fn poses(a: &Shape, b: &Shape, random: &mut Random) -> Vec<(String, Transform, Transform)> {
    let mut poses = Vec::new();
    let mut add = |name: String, at_a: Transform, at_b: Transform| poses.push((name, at_a, at_b));
    let size = a.reach().max(b.reach());
    add("identity".into(), Transform::IDENTITY, Transform::IDENTITY);
    let same = centred(a, random_rotation(random), random.point(), 1.0);
    add("same pose".into(), same, same);
    for k in 0..6 {
        let at_a = centred(a, random_rotation(random), random.point() * size, 1.0);
        let at_b = centred(b, random_rotation(random), random.point() * size * (0.5 + k as f64), 1.0);
        add(format!("random {k}"), at_a, at_b);
    }
    for k in 0..4 {
        let by = DVec3::from_array(random.point().to_array().map(|x| (x * 8.0).round() / 4.0));
        let at_a = pose(lattice_rotation(random), DVec3::ZERO, 1.0);
        add(format!("lattice {k}"), at_a, pose(lattice_rotation(random), by, 1.0));
    }
    for (k, scale) in [0.3, 0.05].into_iter().enumerate() {
        let at_a = centred(a, random_rotation(random), random.point() * 0.1 * size, 1.0);
        let small = scale * a.reach().max(1e-3) / b.reach().max(1e-3);
        add(format!("nested {k}"), at_a, centred(b, random_rotation(random), DVec3::ZERO, small));
    }
    for decade in 3..=12 {
        let direction = random.point().normalize_or(DVec3::X);
        let away = direction * size.max(1e-3) * 10f64.powi(decade);
        let at_a = centred(a, random_rotation(random), random.point() * size, 1.0);
        add(format!("far 1e{decade}"), at_a, centred(b, random_rotation(random), away, 1.0));
    }
    for unit in [2f64.powi(-700), 2f64.powi(40), 1e-290, 1e-150, 1e-12, 1e12, 1e150, 1e290] {
        let at_a = centred(a, random_rotation(random), random.point() * size * unit, unit);
        let at_b = centred(b, random_rotation(random), random.point() * 3.0 * size * unit, unit);
        add(format!("both in units of {unit:e}"), at_a, at_b);
    }
    for ratio in [1e-3, 0.1, 7.0, 1e4, 1e-15, 1e-22, 1e22, 1e-30, 1e30, 1e-42, 1e42, 1e-120, 1e120, 1e-200, 1e200] {
        // The smaller one sits beside the larger, nearer than its size or as near as that size allows to say.
        let at_a = centred(a, random_rotation(random), random.point() * 0.5 * size, 1.0);
        let scale = ratio * a.reach().max(1e-3) / b.reach().max(1e-3);
        let near = random.point() * 2.0 * size * ratio.max(1.0);
        add(format!("B times {ratio:e}"), at_a, centred(b, random_rotation(random), near, scale));
    }
    poses
}

/// B moved along the normal of the nearest pair until the two touch, as far as rounding lets them.
pub fn until_touching(walk: &Walk, at_b: &Transform) -> Transform {
    let contact = &walk.nearest;
    Transform { translation: at_b.translation - contact.normal * contact.distance, ..*at_b }
}

/// What the definition says about a scene: every pair measured once.
pub struct Walk {
    /// World distance of every pair, A's ids slowest.
    pub distances: Vec<f64>,
    pub nearest: Contact,
    count_b: usize,
}

impl Walk {
    pub fn new(pair: &Pair<&Model>) -> Self {
        let plain = pair.plain_walk();
        let (count_a, count_b) = (plain.a.triangle_count(), plain.b.triangle_count());
        let in_b: Vec<_> = (0..count_b as u32).map(|id| plain.placed_b(id)).collect();
        let mut distances = Vec::with_capacity(count_a * count_b);
        let (mut best, mut smallest) = ((0, 0), f64::INFINITY);
        for id_a in 0..count_a as u32 {
            let in_a = plain.placed_a(id_a);
            for (id_b, in_b) in in_b.iter().enumerate() {
                let distance = primitive::distance(&in_a, in_b).distance;
                if distance < smallest {
                    (best, smallest) = ((id_a, id_b as u32), distance);
                }
                distances.push(plain.placement.distance_to_world(distance));
            }
        }
        Self { distances, nearest: plain.contact(best.0, best.1), count_b }
    }

    pub fn distance(&self) -> f64 {
        self.nearest.distance
    }

    pub fn of(&self, id_a: u32, id_b: u32) -> f64 {
        self.distances[id_a as usize * self.count_b + id_b as usize]
    }

    /// Ids of the pairs within the margin, in order.
    pub fn within(&self, margin: f64) -> Vec<(u32, u32)> {
        let ids = |place: usize| ((place / self.count_b) as u32, (place % self.count_b) as u32);
        (0..self.distances.len()).filter(|&place| self.distances[place] <= margin).map(ids).collect()
    }
}

/// The first of `capacity` contacts, as a caller's array would take them.
pub struct Array {
    pub capacity: usize,
    packed: Vec<u64>,
    pub contacts: Vec<Option<Contact>>,
}

impl Array {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, packed: Vec::new(), contacts: Vec::new() }
    }

    pub fn ids(&self) -> Vec<(u32, u32)> {
        self.contacts.iter().map(|contact| contact.expect("written")).map(|c| (c.triangle_a, c.triangle_b)).collect()
    }
}

impl ContactSink for Array {
    fn capacity(&self) -> usize {
        self.capacity
    }
    fn set_packed(&mut self, index: usize, packed: u64) {
        assert!(index < self.capacity, "written beyond the array");
        self.packed.resize(self.packed.len().max(index + 1), 0);
        self.packed[index] = packed;
    }
    fn packed(&mut self, count: usize) -> &mut [u64] {
        &mut self.packed[..count]
    }
    fn write(&mut self, index: usize, contact: Contact) {
        assert!(index < self.capacity, "written beyond the array");
        self.contacts.resize(self.contacts.len().max(index + 1), None);
        self.contacts[index] = Some(contact);
    }
}

/// 64 bits that change with every bit of what is added (FNV-1a over words, then mixed).
#[derive(Clone, Copy, Debug)]
pub struct Hash(pub u64);

impl Hash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub fn vector(&mut self, vector: DVec3) {
        for number in vector.to_array() {
            self.number(number);
        }
    }

    pub fn contact(&mut self, contact: &Option<Contact>) {
        let Some(contact) = contact else { return self.word(u64::MAX) };
        self.word((contact.triangle_a as u64) << 32 | contact.triangle_b as u64);
        self.number(contact.distance);
        self.vector(contact.point_a);
        self.vector(contact.point_b);
        self.vector(contact.normal);
        self.word(contact.feature as u64);
    }

    pub fn counters(&mut self, counters: &Counters) {
        let Counters {
            expansions,
            volume_tests,
            cheap_tests,
            triangle_tests,
            robust_tests,
            front_tests,
            front_updates,
            front_rebuilds,
            work,
        } = *counters;
        for count in [
            expansions,
            volume_tests,
            cheap_tests,
            triangle_tests,
            robust_tests,
            front_tests,
            front_updates,
            front_rebuilds,
            work,
        ] {
            self.word(count);
        }
    }
}
