//! [Larsen 1999, 4.1]: sphere trees cut along the set's oriented box, as in the paper, and along the axes of the model, as in
//! feeler.

use super::collision_walk::by_diameter;
use super::distance_walk::Ask;
use super::overlap_test::Usual;
use super::plain_queries::{PlainPair, Until};
use super::plain_tree::{Cut, PlainModel};
use super::progress::Progress;
use super::report::{Conclusion, Section, Table, Verdict};
use super::scenes;
use super::settings::Settings;
use crate::cells;
use crate::measured::{Means, short};
use feeler::internals::volume::swept::sphere::Sphere;
use glam::DMat3;

pub fn run(settings: &Settings, section: &mut Section) {
    let scenes = [scenes::falling_tori(settings), scenes::path_planning(settings), scenes::falling_rings(settings)];
    let mut bar = Progress::new("swept spheres: cuts of sphere trees", scenes.len());
    let patience = settings.patience();
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for scene in &scenes {
        let meshes = [&scene.a, &scene.b];
        let by_box = meshes.map(|mesh| PlainModel::<Sphere>::new(mesh, Cut::Mean));
        let by_model = meshes.map(|mesh| PlainModel::<Sphere>::along(mesh, Cut::Mean, 2, |_| DMat3::IDENTITY));
        let measured: [[Means; 2]; 2] = [&by_box, &by_model].map(|[a, b]| {
            let pair = PlainPair { a, b };
            let until = (Usual, Until::FirstContact);
            [
                pair.collisions(&scene.poses, patience, until, by_diameter::<Sphere>),
                pair.distances(&scene.poses, patience, |_, _| Ask::default()),
            ]
        });
        let mut row = cells![scene.name];
        for (papers, ours) in measured[0].iter().zip(&measured[1]) {
            let (papers, ours) = (papers.volumes(), ours.volumes());
            ratios.push(ours / papers);
            row.extend(cells![short(papers), short(ours), format!("{:.2}", ours / papers)]);
        }
        rows.push(row);
        bar.step();
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    section.table(Table {
        name: "larsen_sphere_cuts".to_string(),
        title: "Section 4.1: where sphere trees are cut".to_string(),
        caption: "Volume tests per query in binary trees of spheres, cut at the mean.".to_string(),
        head: cells![
            "scene",
            "collide: along the box",
            "along the model",
            "ratio",
            "distance: along the box",
            "along the model",
            "ratio"
        ],
        rows,
        conclusion: Conclusion::new(
            "every volume is cut along the oriented box of its set, spheres as well.",
            Verdict::of(&[mean > 1.0]),
            format!(
                "Cutting along the axes of the model needs {} to {} times the tests, {mean:.2} on average: spheres do not follow the \
                 directions of a set, so both cuts are as good, and feeler takes the one that costs nothing.",
                short(ratios.iter().copied().fold(f64::INFINITY, f64::min)),
                short(ratios.iter().copied().fold(0.0, f64::max))
            ),
        ),
    });
}
