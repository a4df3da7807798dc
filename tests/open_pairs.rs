//! Surfaces that lie on each other or nearly do: pairs that plain arithmetic cannot measure are set aside while overlapping volumes
//! wait, and the distance keeps its bits.

use feeler::Transform;
use feeler_tools::scenes::every_pair;
use feeler_tools::{Random, meshes};
use glam::{DMat3, DVec3};

#[test]
fn a_surface_and_its_copy_at_any_gap() {
    let (mut random, mut touching, mut apart) = (Random(311), 0, 0);
    for round in 0..102u32 {
        let gap = 10f64.powi(-(round as i32 % 17)) * (0.5 + random.unit());
        let turn = DMat3::from_axis_angle(random.direction(), random.unit());
        // Of small ones all pairs can be set aside, of large ones only some. Flat ones are apart.
        let cells = [9, 1][round as usize / 51];
        let height = [0.0, 0.03, 0.3][round as usize % 3];
        let surface = meshes::grid(cells, cells, |u, v| DVec3::new(u, v, height * (7.0 * u).sin() * (5.0 * v).cos()));
        let surface = surface.map(|v| turn * v);
        let shift = if height == 0.0 { turn * DVec3::Z } else { random.direction() };
        let pose = Transform { translation: shift * gap, ..Transform::IDENTITY };
        let [answer, plain] = every_pair([&surface, &surface], &pose, |_, _| ());
        assert_eq!(plain.upper, answer.upper, "round {round}");
        assert_eq!(answer.lower, answer.upper, "round {round}");
        *(if plain.upper == 0.0 { &mut touching } else { &mut apart }) += 1;
    }
    println!("{touching} touch, {apart} are apart");
    assert!(touching >= 10 && apart >= 30, "{touching} touch, {apart} are apart");
}
