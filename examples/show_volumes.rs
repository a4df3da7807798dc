//! Draws the volumes of a demo mesh at three depths, for every volume that this version builds: an OBJ to turn about
//! and an SVG to look at. `cargo run --release --example show_volumes -- [folder]` writes to docs/images by default.

#[path = "../tests/common/meshes.rs"]
mod meshes;

use feeler::Model;
use feeler::model::{BuildParams, VolumeKind};
use feeler::tree::workers::Inline;
use glam::{DMat3, DVec3};
use meshes::Mesh;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DEPTHS: [u32; 3] = [0, 1, 2];
/// Pixels of one picture.
const WIDTH: f64 = 220.0;

/// A ball with smooth bumps: body, head, two ears and a tail, about as even as a scanned bunny and much smaller.
fn bunny() -> Mesh {
    let lumps: [(DVec3, f64, f64); 5] = [
        (DVec3::new(0.75, 0.75, 0.0), 0.55, 0.55),
        (DVec3::new(0.45, 1.0, 0.28), 0.9, 0.16),
        (DVec3::new(0.45, 1.0, -0.28), 0.9, 0.16),
        (DVec3::new(-1.0, -0.1, 0.0), 0.25, 0.2),
        (DVec3::new(0.5, -0.8, 0.0), 0.2, 0.4),
    ];
    meshes::sphere(28, 20).map(move |v| {
        let direction = v.normalize_or(DVec3::Y);
        let grown: f64 = lumps
            .iter()
            .map(|(towards, height, width)| {
                let away = (direction - towards.normalize()).length();
                height * (-away * away / (width * width)).exp()
            })
            .sum();
        direction * DVec3::new(1.1, 0.9, 0.75) * (0.7 + grown)
    })
}

/// Triangles of one colour, painted back to front with a little light from the upper left.
fn painted(triangles: &[[DVec3; 3]], colour: [f64; 3]) -> Vec<(f64, String)> {
    let view = DMat3::from_rotation_x(0.35) * DMat3::from_rotation_y(-0.5);
    let light = DVec3::new(-0.4, 0.7, 0.6).normalize();
    let mut shapes = Vec::new();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| view * corner);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal.z <= 0.0 {
            continue;
        }
        let bright = 0.55 + 0.45 * normal.dot(light).max(0.0);
        let [red, green, blue] = colour.map(|part| (part * bright * 15.99) as u8);
        let [at_a, at_b, at_c] = [a, b, c].map(|corner| {
            let (x, y) = (WIDTH * (0.5 + corner.x * 0.22), WIDTH * (0.55 - corner.y * 0.22));
            format!("{x:.0} {y:.0}")
        });
        let shape = format!("<path fill=\"#{red:x}{green:x}{blue:x}\" d=\"M{at_a} {at_b} {at_c}\"/>\n");
        shapes.push(((a.z + b.z + c.z) / 3.0, shape));
    }
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    shapes
}

fn group(svg: &mut String, shapes: &[(f64, String)], attributes: &str) {
    writeln!(svg, "<g {attributes}>").unwrap();
    for (_, shape) in shapes {
        svg.push_str(shape);
    }
    svg.push_str("</g>\n");
}

fn obj(path: &Path, triangles: &[[DVec3; 3]]) {
    let mut text = String::new();
    for corner in triangles.iter().flatten() {
        writeln!(text, "v {} {} {}", corner.x, corner.y, corner.z).unwrap();
    }
    for number in 0..triangles.len() {
        writeln!(text, "f {} {} {}", 3 * number + 1, 3 * number + 2, 3 * number + 3).unwrap();
    }
    std::fs::write(path, text).unwrap();
}

fn main() {
    let folder = std::env::args()
        .nth(1)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/images"), PathBuf::from);
    let objects = std::env::temp_dir();
    std::fs::create_dir_all(&folder).unwrap();
    let mesh = bunny();
    for volume in VolumeKind::ALL {
        let mut model = Model::new(&mesh.source()).unwrap();
        if model.build_with(&BuildParams { volume, ..Default::default() }, &Inline).is_err() {
            continue;
        }
        let name = volume.name().to_lowercase();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{WIDTH}\">\n",
            WIDTH * DEPTHS.len() as f64
        );
        let solid: Vec<[DVec3; 3]> = (0..model.triangle_count() as u32)
            .map(|id| model.triangle(id).map(|corner| corner * 2f64.powi(model.exponent())))
            .collect();
        for (place, depth) in DEPTHS.into_iter().enumerate() {
            let mut shown = Vec::new();
            model.show_volumes(depth, &mut |triangle| shown.push(triangle)).unwrap();
            obj(&objects.join(format!("feeler_{name}_{depth}.obj")), &shown);
            let shift = format!("transform=\"translate({} 0)\"", WIDTH * place as f64);
            writeln!(svg, "<g {shift}>").unwrap();
            if place == 0 {
                group(&mut svg, &painted(&solid, [0.75, 0.72, 0.68]), "id=\"mesh\"");
            } else {
                svg.push_str("<use href=\"#mesh\"/>\n");
            }
            group(&mut svg, &painted(&shown, [0.25, 0.5, 0.95]), "opacity=\"0.45\"");
            svg.push_str("</g>\n");
        }
        svg.push_str("</svg>\n");
        std::fs::write(folder.join(format!("volume_{name}.svg")), &svg).unwrap();
        println!("volume_{name}.svg: {} KiB; {}/feeler_{name}_*.obj", svg.len() / 1024, objects.display());
    }
}
