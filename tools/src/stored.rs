//! Workloads that are stored in a folder, with the answers on which other libraries agree.
//!
//! The environment variable FEELER_DATA names the folder: `workloads/<name>/` holds a.obj, b.obj and poses.txt (a count, then
//! per line the pose of B in A's frame, 3x4 by rows), `answers/<name>.<query>.txt` an answer per pose, `models/` the meshes
//! that several workloads share. Without the variable there are the workloads of `crate::workloads` only.

use crate::{Workload, obj};
use feeler::Transform;
use glam::{DMat3, DVec3};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The folder that FEELER_DATA names.
pub fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("FEELER_DATA")?);
    assert!(folder.join("workloads").is_dir(), "FEELER_DATA: {} has no folder workloads", folder.display());
    Some(folder)
}

/// The names of the workloads, in order.
pub fn names(data: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(data.join("workloads")).expect("a readable folder");
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.expect("a readable folder").file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The file itself, or the one that the only line of the file names.
pub fn resolved(path: &Path) -> PathBuf {
    let text = std::fs::read_to_string(path).expect("a readable model");
    if text.contains('\n') { path.to_path_buf() } else { path.with_file_name(text.trim()) }
}

/// Poses of B in A's frame, as written: not necessarily orthonormal to rounding.
pub fn read_poses(folder: &Path) -> Vec<Transform> {
    let text = std::fs::read_to_string(folder.join("poses.txt")).expect("readable poses");
    text.lines()
        .skip(1)
        .map(|line| {
            let n: Vec<f64> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
            let rows = [DVec3::new(n[0], n[1], n[2]), DVec3::new(n[4], n[5], n[6]), DVec3::new(n[8], n[9], n[10])];
            Transform {
                rotation: DMat3::from_cols(rows[0], rows[1], rows[2]).transpose(),
                translation: DVec3::new(n[3], n[7], n[11]),
                scale: DVec3::ONE,
            }
        })
        .collect()
}

fn write_poses(folder: &Path, poses: &[Transform]) {
    let mut text = format!("{}\n", poses.len());
    for pose in poses {
        let (rows, shift) = (pose.rotation.transpose().to_cols_array_2d(), pose.translation.to_array());
        let numbers: Vec<String> =
            (0..3).flat_map(|k| rows[k].into_iter().chain([shift[k]])).map(|number| number.to_string()).collect();
        writeln!(text, "{}", numbers.join(" ")).expect("memory");
    }
    std::fs::write(folder.join("poses.txt"), text).expect("a writable folder");
}

/// The workload of that name.
pub fn read(data: &Path, name: &str) -> Workload {
    let folder = data.join("workloads").join(name);
    let [a, b] = ["a.obj", "b.obj"].map(|file| obj::read(&folder.join(file)));
    Workload { name: name.to_string(), a, b, poses: read_poses(&folder) }
}

/// Writes a workload as `read` expects it, into a folder of its name.
pub fn write(workloads: &Path, workload: &Workload) {
    let folder = workloads.join(&workload.name);
    std::fs::create_dir_all(&folder).expect("a writable folder");
    obj::write(&folder.join("a.obj"), &workload.a);
    obj::write(&folder.join("b.obj"), &workload.b);
    write_poses(&folder, &workload.poses);
}

/// Line i answers pose i; the file may be shorter than the list of poses, or absent.
pub fn answers(data: &Path, name: &str, query: &str) -> Vec<f64> {
    let path = data.join("answers").join(format!("{name}.{query}.txt"));
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| line.trim().parse().expect("a number")).collect()
}
