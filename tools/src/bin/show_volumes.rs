//! Draws the volumes of a demo mesh at three depths, for every volume: an OBJ to turn about for each depth, and one PNG
//! to look at. `cargo run --release -p feeler-tools --bin show_volumes -- [folder]` writes to docs/images by default.

use feeler::Model;
use feeler::internals::model::{BuildParams, TreeVisitor, VolumeKind};
use feeler::internals::tree::build::workers::Inline;
use feeler::internals::tree::node::{Child, Tree};
use feeler::internals::volume::Volume;
use feeler_tools::{Mesh, drawing, meshes, obj};
use glam::{DMat3, DVec3};
use std::path::{Path, PathBuf};

const DEPTHS: [u32; 3] = [0, 1, 2];

/// Ellipsoids for body, head, ears, legs and tail: about as uneven as a scanned bunny and much smaller.
fn bunny() -> Mesh {
    // Centre, half axes, and turns about z and x; a part with a z is there twice.
    let parts: [([f64; 3], [f64; 3], [f64; 2]); 7] = [
        ([-0.1, 0.0, 0.0], [1.0, 0.78, 0.72], [0.25, 0.0]),
        ([0.85, 0.65, 0.0], [0.5, 0.42, 0.4], [-0.2, 0.0]),
        ([0.55, 1.35, 0.2], [0.17, 0.6, 0.1], [0.35, 0.2]),
        ([-0.45, -0.25, 0.48], [0.55, 0.5, 0.3], [0.3, 0.0]),
        ([-0.2, -0.7, 0.5], [0.5, 0.16, 0.2], [0.0, 0.0]),
        ([0.7, -0.55, 0.3], [0.42, 0.15, 0.15], [-0.35, 0.0]),
        ([-1.1, 0.1, 0.0], [0.24, 0.24, 0.24], [0.0, 0.0]),
    ];
    let mut all = Mesh::default();
    for (centre, half, [about_z, about_x]) in parts {
        let sides: &[f64] = if centre[2] > 0.0 { &[1.0, -1.0] } else { &[1.0] };
        for side in sides {
            let turn = DMat3::from_rotation_x(about_x * side) * DMat3::from_rotation_z(about_z);
            let place = DVec3::new(centre[0], centre[1], centre[2] * side);
            let part = meshes::sphere(28, 18).map(|v| turn * (v * DVec3::from_array(half)) + place);
            all = all.with(&part);
        }
    }
    // Seen from outside the corners go round counter-clockwise.
    all.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    all
}

/// The volumes of one depth in the node frame, each with a number.
struct Numbered(u32);

impl TreeVisitor for Numbered {
    type Output = Vec<(usize, [DVec3; 3])>;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output {
        let mut shown = Vec::new();
        let mut count = 0;
        number(tree, 0, self.0, &mut count, &mut shown);
        shown
    }
}

fn number<V: Volume>(tree: &Tree<V>, node: usize, depth: u32, count: &mut usize, shown: &mut Vec<(usize, [DVec3; 3])>) {
    let node = &tree.nodes[node];
    for lane in 0..8 {
        let child = node.child(lane);
        if child == Child::EMPTY {
            return;
        }
        if depth == 0 || child.is_triangle() {
            V::load(&node.wide, lane).triangulate(&mut |triangle| shown.push((*count, triangle)));
            *count += 1;
        } else {
            number(tree, child.index(), depth - 1, count, shown);
        }
    }
}

fn main() {
    let folder = std::env::args()
        .nth(1)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images"), PathBuf::from);
    let objects = std::env::temp_dir();
    std::fs::create_dir_all(&folder).unwrap();
    let mesh = bunny();
    let solid = mesh.corners();
    for volume in VolumeKind::ALL {
        let mut model = Model::new(&mesh.source()).expect("a legal mesh");
        model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline).expect("memory");
        let name = volume.name().to_lowercase();
        let built = model.built().expect("built above");
        let given = |point: DVec3| (point + built.origin) * 2f64.powi(model.exponent());
        let views = DEPTHS.map(|depth| {
            let mut shown = Vec::new();
            model.show_volumes(depth, &mut |triangle| shown.push(triangle)).expect("a depth of the model");
            obj::write(&objects.join(format!("feeler_{name}_{depth}.obj")), &Mesh::soup(shown));
            let numbered: Vec<_> = built.hierarchy.visit(Numbered(depth));
            let numbered: Vec<_> = numbered.into_iter().map(|(number, t)| (number, t.map(given))).collect();
            drawing::view(&solid, &numbered)
        });
        let png = drawing::picture(&views);
        std::fs::write(folder.join(format!("volume_{name}.png")), &png).expect("a writable folder");
        println!("volume_{name}.png: {} KiB; {}/feeler_{name}_*.obj", png.len() / 1024, objects.display());
    }
}
