//! A body on its way around another one, asked at every step: `cargo run --release --example path`
//!
//! A pair remembers what the last query found out. The smaller the step, the more of that is still true, and the less work the
//! next query has to do; the answer never depends on what came before.

use feeler::{BuildParams, DistanceParams, Error, Model, Pair, Transform};
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;
use std::time::Instant;

/// A torus around the z axis: radius 1, tube 0.3, `around` by 40 cells.
fn torus(around: u32) -> Result<Model, Error> {
    let rows = 40;
    let vertex = |column: u32, row: u32| {
        let (along, about) = (column as f64 / around as f64 * TAU, row as f64 / rows as f64 * TAU);
        let radius = 1.0 + 0.3 * about.cos();
        DVec3::new(radius * along.cos(), radius * along.sin(), 0.3 * about.sin())
    };
    let vertices: Vec<DVec3> = (0..around * rows).map(|index| vertex(index % around, index / around)).collect();
    let index = |column: u32, row: u32| row % rows * around + column % around;
    let triangles: Vec<[u32; 3]> = (0..around * rows)
        .flat_map(|cell| {
            let (column, row) = (cell % around, cell / around);
            let [a, b] = [index(column, row), index(column + 1, row)];
            let [c, d] = [index(column, row + 1), index(column + 1, row + 1)];
            [[a, b, d], [a, d, c]]
        })
        .collect();
    let mut model = Model::new(&(&vertices[..], &triangles[..]))?;
    model.build(&BuildParams::default())?;
    Ok(model)
}

/// Where B is at a time from 0 to 1: on its way past the rim of A and back, turning.
fn pose(time: f64) -> Transform {
    let angle = TAU * time;
    Transform {
        rotation: DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.5 * angle),
        translation: DVec3::new(2.7 + 0.1 * angle.cos(), 0.3 * angle.sin(), 0.2),
        scale: DVec3::ONE,
    }
}

pub fn main() -> Result<(), Error> {
    let torus = torus(100)?;
    let steps = 2000;
    let walk = |cold: bool| -> Result<(Vec<f64>, u64), Error> {
        let mut pair = Pair::new(&torus, &torus)?;
        let (mut distances, mut expansions) = (Vec::new(), 0);
        let start = Instant::now();
        for step in 0..steps {
            pair.set_transforms(None, Some(&pose(step as f64 / steps as f64)))?;
            // A cold query is asked as if it were the first.
            distances.push(pair.distance(&DistanceParams { cold, ..Default::default() }).upper);
            expansions += pair.counters().expansions;
        }
        let microseconds = start.elapsed().as_secs_f64() / steps as f64 * 1e6;
        let name = if cold { "each query by itself" } else { "along the path" };
        println!("{name}: {microseconds:.1} us, {:.1} nodes opened", expansions as f64 / steps as f64);
        Ok((distances, expansions))
    };
    let (by_itself, opened_by_itself) = walk(true)?;
    let (along, opened_along) = walk(false)?;
    println!("least distance: {:.6}", along.iter().copied().fold(f64::INFINITY, f64::min));

    assert_eq!(along, by_itself, "the answers are the same, to the bit");
    assert!(opened_along < opened_by_itself / 2, "small steps open fewer nodes: {opened_along} {opened_by_itself}");
    Ok(())
}
