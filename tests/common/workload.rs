//! Workloads of ../shared/data: two OBJ files, poses of B in A's frame, and the answers on which the peers agree.

use feeler::Transform;
use glam::{DMat3, DVec3};
use std::path::{Path, PathBuf};

pub struct Mesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

pub struct Workload {
    pub name: String,
    pub a: Mesh,
    pub b: Mesh,
    pub poses: Vec<Transform>,
}

/// The folder of shared data, if this checkout has one beside it.
pub fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    [beside, PathBuf::from("/work/shared/data")].into_iter().find(|folder| folder.is_dir())
}

pub fn names(data: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(data.join("workloads"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Only `v` and triangle `f` lines; a file of one line that names another file stands for that file.
pub fn load_obj(path: &Path) -> Mesh {
    let text = std::fs::read_to_string(path).unwrap();
    if !text.contains('\n') && text.ends_with(".obj") {
        return load_obj(&path.parent().unwrap().join(text.trim()));
    }
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let coordinates: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
                vertices.push(DVec3::new(coordinates[0], coordinates[1], coordinates[2]));
            }
            Some("f") => {
                let corners: Vec<u32> =
                    words.map(|word| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1).collect();
                triangles.push([corners[0], corners[1], corners[2]]);
            }
            _ => {}
        }
    }
    Mesh { vertices, triangles }
}

/// Poses of B in A's frame, as written: not necessarily orthonormal to rounding.
pub fn load_poses(folder: &Path) -> Vec<Transform> {
    let text = std::fs::read_to_string(folder.join("poses.txt")).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let n: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let rows = [DVec3::new(n[0], n[1], n[2]), DVec3::new(n[4], n[5], n[6]), DVec3::new(n[8], n[9], n[10])];
            Transform {
                rotation: DMat3::from_cols(rows[0], rows[1], rows[2]).transpose(),
                translation: DVec3::new(n[3], n[7], n[11]),
                scale: DVec3::ONE,
            }
        })
        .collect()
}

pub fn load(data: &Path, name: &str) -> Workload {
    let folder = data.join("workloads").join(name);
    let poses = load_poses(&folder);
    Workload { name: name.to_string(), a: load_obj(&folder.join("a.obj")), b: load_obj(&folder.join("b.obj")), poses }
}

/// Line i answers pose i; the file may be shorter than the list of poses, or absent.
pub fn answers(data: &Path, name: &str, query: &str) -> Vec<f64> {
    let path = data.join("answers").join(format!("{name}.{query}.txt"));
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| line.trim().parse().unwrap()).collect()
}
