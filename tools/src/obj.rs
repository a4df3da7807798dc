//! Meshes in OBJ files: `v` and `f` lines only.

use crate::Mesh;
use glam::DVec3;
use std::fmt::Write;
use std::path::Path;

/// Faces of more corners become fans. A file of one line that names another file stands for that file.
pub fn read(path: &Path) -> Mesh {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if !text.contains('\n') && text.ends_with(".obj") {
        return read(&path.with_file_name(text));
    }
    let mut mesh = Mesh::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.take(3).map(|word| word.parse().expect("a number")).collect();
                mesh.vertices.push(DVec3::from_slice(&numbers));
            }
            Some("f") => {
                let number = |word: &str| word.split('/').next().and_then(|n| n.parse::<u32>().ok()).expect("an index");
                let corners: Vec<u32> = words.map(|word| number(word) - 1).collect();
                mesh.triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
            }
            _ => {}
        }
    }
    mesh
}

/// Every coordinate reads back as the same number.
pub fn write(path: &Path, mesh: &Mesh) {
    let mut text = String::new();
    for vertex in &mesh.vertices {
        writeln!(text, "v {} {} {}", vertex.x, vertex.y, vertex.z).expect("memory");
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).expect("memory");
    }
    std::fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
