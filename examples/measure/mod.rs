//! What the measuring examples share.

pub mod clock;
pub mod kernels;
#[path = "../../tests/common/meshes.rs"]
pub mod meshes;

use feeler::internals::model::{BuildParams, HybridSelection, VolumeKind};

/// A name and the parameters for each volume, both hybrids included.
pub fn every_volume() -> Vec<(String, BuildParams)> {
    let mut volumes = Vec::new();
    for volume in VolumeKind::ALL {
        let params = BuildParams { volume, ..BuildParams::default() };
        volumes.push((volume.name().to_string(), params));
        if volume == VolumeKind::Hybrid {
            let dynamic = BuildParams { hybrid_selection: HybridSelection::Dynamic, ..params };
            volumes.push((format!("{}, dynamic", volume.name()), dynamic));
        }
    }
    volumes
}

/// Takes an option and its value out of the arguments.
pub fn option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.drain(at..at + 2).nth(1)
}

/// Prints a table, or puts it into a document, between the two comments that name the block.
pub fn publish(document: Option<&str>, block: &str, table: &str) {
    let Some(path) = document else {
        println!("{table}");
        return;
    };
    let (first, last) = (format!("<!-- measured: {block} -->\n"), format!("<!-- end of {block} -->"));
    let old = std::fs::read_to_string(path).expect("a readable document");
    let start = old.find(&first).expect("the comment that begins the block") + first.len();
    let end = old.find(&last).expect("the comment that ends the block");
    std::fs::write(path, format!("{}\n{table}\n{}", &old[..start], &old[end..])).expect("a writable document");
}
