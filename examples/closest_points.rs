//! How far are two meshes apart, and where are they nearest? `cargo run --example closest_points`

use feeler::{BuildParams, DistanceParams, Error, Model, Pair, Transform};
use glam::{DQuat, DVec3};

/// A cube of edge 2 around the origin.
fn cube() -> Result<Model, Error> {
    let vertices: Vec<DVec3> = (0..8)
        .map(|corner| DVec3::from_array([1, 2, 4].map(|bit| if corner & bit == 0 { -1.0 } else { 1.0 })))
        .collect();
    let triangles = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    // A model copies the mesh; the build makes the hierarchy that the queries search.
    let mut model = Model::new(&(&vertices[..], &triangles[..]))?;
    model.build(&BuildParams::default())?;
    Ok(model)
}

pub fn main() -> Result<(), Error> {
    // One model can be part of many pairs; a pair belongs to one thread at a time.
    let cube = cube()?;
    let mut pair = Pair::new(&cube, &cube)?;

    // B stands on its corner, three units to the right of A. A stays where it was: at the identity.
    let upright = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Y);
    let pose = Transform::from_quaternion(upright.to_array(), DVec3::X * 3.0)?;
    pair.set_transforms(None, Some(&pose))?;

    let answer = pair.distance(&DistanceParams::default());
    let nearest = answer.nearest.expect("no limit was set, so that there is a nearest pair");
    println!("distance {:.6}", answer.upper);
    println!("on A: triangle {}, point {:.3}", nearest.triangle_a, nearest.point_a);
    println!("on B: triangle {}, point {:.3}", nearest.triangle_b, nearest.point_b);
    println!("from A to B: {:.3}", nearest.normal);

    // Without a limit on work or accuracy the answer is exact: both bounds are the distance.
    assert!(answer.complete && answer.lower == answer.upper);
    assert!((nearest.point_b - nearest.point_a).length() - answer.upper < 1e-12);
    Ok(())
}
