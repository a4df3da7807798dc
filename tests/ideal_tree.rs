//! A cold distance query compared with the ideal test tree [Larsen 1999, 5.2].

use feeler::internals::model::{BuildParams, Model};
use feeler::internals::query::SearchOrder;
use feeler::{Pair, Transform};
use feeler_tools::{Mesh, Random, ideal_tree, meshes};
use glam::DMat3;

fn built(mesh: &Mesh) -> Model {
    let mut model = Model::new(&mesh.source()).unwrap();
    model.build(&BuildParams::default()).unwrap();
    model
}

#[test]
fn cold_queries_come_close_to_the_ideal_tree() {
    let models =
        [meshes::torus(60, 30, 0.3), meshes::sphere(50, 40), meshes::random_soup(2000, 0.1, 3)].map(|m| built(&m));
    let mut random = Random(1);
    let (mut auto, mut depth_first, mut ideal) = (0, 0, 0);
    for a in &models {
        for b in &models {
            let mut pair = Pair::new(a, b).unwrap();
            let mut sums = ideal_tree::Counts::default();
            for _ in 0..40 {
                let turn =
                    DMat3::from_rotation_x(7.0 * random.number()) * DMat3::from_rotation_z(7.0 * random.number());
                let pose = Transform { rotation: turn, translation: random.point() * 4.0, ..Transform::IDENTITY };
                pair.set_transforms(None, Some(&pose)).unwrap();
                if let Some(counts) = ideal_tree::count(&mut pair) {
                    assert_eq!(counts.ideal.0, counts.dilated.0, "the dilated collision query walks the ideal tree");
                    assert!(counts.ideal.1 <= counts.dilated.1, "and measures what a direction would have ruled out");
                    assert!(counts.of(SearchOrder::Auto).0 >= counts.ideal.0, "no search does less than the ideal one");
                    sums.add(&counts);
                }
            }
            auto += sums.of(SearchOrder::Auto).0;
            depth_first += sums.of(SearchOrder::DepthFirst).0;
            ideal += sums.ideal.0;
        }
    }
    println!(
        "expansions over ideal: AUTO {:.3}, DEPTH_FIRST {:.3}",
        auto as f64 / ideal as f64,
        depth_first as f64 / ideal as f64
    );
    assert!(auto as f64 <= 1.05 * ideal as f64, "{auto} expansions, ideally {ideal}");
    assert!(depth_first > auto, "best first is what it is for");
}
