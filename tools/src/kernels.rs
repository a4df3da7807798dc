//! Nanoseconds for one probe, and for one probe with one kernel of eight lanes.
//!
//! Nodes of a bumpy torus against nodes of the same torus beside it, from levels of about equal size, as a search meets
//! them. Of many passes the quietest but 5 % count: a virtual machine's clock sometimes loses time.

use crate::clock::thread_seconds;
use crate::meshes;
use fearless_simd::{Simd, SimdBase, f32x8};
use feeler::Model;
use feeler::internals::math::motion::Motion;
use feeler::internals::model::{BuildParams, TreeVisitor};
use feeler::internals::simd::level::{Operation, dispatch, level};
use feeler::internals::tree::build::workers::Inline;
use feeler::internals::tree::node::Tree;
use feeler::internals::volume::Volume;
use glam::{DMat3, DVec3};
use std::hint::black_box;

const PROBES: usize = 512;
const PASSES: usize = 3000;

#[derive(Clone, Copy)]
enum Ask {
    Probe,
    Separation,
    LowerBound,
}

struct Pass<'a, V: Volume> {
    tree: &'a Tree<V>,
    motion: &'a Motion<f32>,
    ask: Ask,
}

impl<V: Volume> Operation for Pass<'_, V> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let nodes = &self.tree.nodes;
        let mut sum = f32x8::splat(simd, 0.0);
        let mut first_stage = 0;
        let mut at = 1;
        for number in 0..PROBES {
            at = (at * 5 + 3) % nodes.len().min(256);
            let probe = V::probe(simd, &nodes[at].wide, number & 3, self.motion);
            let node = &nodes[number % nodes.len()].wide;
            match self.ask {
                Ask::Probe => {
                    black_box(&probe);
                }
                Ask::Separation => {
                    sum += V::separation::<S, f32x8<S>>(simd, node, &probe, self.motion.slack, &mut first_stage);
                }
                Ask::LowerBound => sum += V::lower_bound::<S, f32x8<S>>(simd, node, &probe, 0.05, &mut first_stage),
            }
        }
        black_box(first_stage);
        sum.as_slice().iter().sum()
    }
}

struct Timing;

impl TreeVisitor for Timing {
    type Output = [f64; 3];

    fn visit<V: Volume>(self, tree: &Tree<V>) -> [f64; 3] {
        let turn = DMat3::from_rotation_y(0.7) * DMat3::from_rotation_x(0.4);
        let motion = Motion::<f32>::new(turn, DVec3::new(0.9, 0.5, 0.3), 1.0, 1.0, 1e-5);
        [Ask::Probe, Ask::Separation, Ask::LowerBound].map(|ask| {
            let mut passes: Vec<f64> = (0..PASSES)
                .map(|_| {
                    let start = thread_seconds();
                    black_box(dispatch(level(), Pass { tree, motion: &motion, ask }));
                    thread_seconds() - start
                })
                .collect();
            passes.sort_by(f64::total_cmp);
            passes[PASSES / 20] / PROBES as f64 * 1e9
        })
    }
}

/// The probe alone, with the overlap kernel, with the distance kernel.
pub fn kernel_times(params: &BuildParams) -> [f64; 3] {
    let mesh = meshes::torus(120, 60, 0.35).map(|v| v * (1.0 + 0.03 * (9.0 * v.x).sin() * (7.0 * v.y).cos()));
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(params, &Inline).expect("memory");
    model.built().expect("built above").hierarchy.visit(Timing)
}
