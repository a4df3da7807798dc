//! Along any path of any steps, with any questions in any order, a pair answers as one that remembers nothing.
#![no_main]

use arbitrary::{Result, Unstructured};
use feeler::{
    CollideParams, ContactsParams, DistanceParams, Model, Pair, PairParams, ToleranceParams, Transform, VolumeKind,
};
use feeler_fuzz::{builds, meshes, numbers, poses, questions};
use feeler_tools::scenes::Array;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});

fn check(u: &mut Unstructured) -> Result<()> {
    let kinds = builds::volumes(u)?;
    let meshes = [meshes::mesh(u, 90)?, meshes::mesh(u, 90)?];
    let params = [builds::params(u, kinds[0], false)?, builds::params(u, kinds[1], false)?];
    let models = [builds::model(&meshes[0], &params[0]), builds::model(&meshes[1], &params[1])];
    let size = builds::size(&models[0]).max(builds::size(&models[1]));
    let max_queue = if u.ratio(1, 4u8)? { u.int_in_range(1..=40)? } else { 0 };
    let max_front = if u.ratio(1, 2u8)? { u.int_in_range(1..=400)? } else { 0 };
    let pair_params = PairParams { no_front: false, max_queue, max_front };
    let mut warm = Pair::with_params(&models[0], &models[1], &pair_params).expect("one family");
    let mut cold = Pair::new(&models[0], &models[1]).expect("one family");
    let mut first = |side: usize| -> Result<Transform> {
        let mut pose = poses::pose(u, size, kinds[side] == VolumeKind::Aabb)?;
        pose.translation -= pose.rotation * (pose.scale * models[side].centre_of_bounds());
        Ok(pose)
    };
    let mut at = [first(0)?, first(1)?];
    for _ in 0..u.int_in_range(2..=12u8)? {
        let moved = [warm.set_transforms(Some(&at[0]), Some(&at[1])), cold.set_transforms(Some(&at[0]), Some(&at[1]))];
        assert_eq!(moved[0].is_ok(), moved[1].is_ok());
        if moved[0].is_err() {
            return Ok(());
        }
        for _ in 0..u.int_in_range(1..=3u8)? {
            ask(u, &mut warm, &mut cold).map(|words| {
                assert!(words.is_empty(), "{words}\n{kinds:?} {at:?} {pair_params:?} {meshes:?}");
            })?;
        }
        if u.ratio(1, 16u8)? {
            warm.reset();
        }
        let side = usize::from(u.arbitrary::<bool>()?);
        match u.int_in_range(0..=15u8)? {
            // The same pose again.
            0 | 1 => {}
            2 => at[side].translation += numbers::point(u)? * size,
            _ => at[side] = poses::step(u, &at[side], size)?,
        }
    }
    Ok(())
}

/// One question to both; what is wrong with the answer of the pair that remembers.
fn ask(u: &mut Unstructured, warm: &mut Pair<&Model>, cold: &mut Pair<&Model>) -> Result<String> {
    let value = cold.distance(&DistanceParams { cold: true, ..DistanceParams::default() }).upper;
    let words = match u.int_in_range(0..=7u8)? {
        0..=2 => {
            let params = DistanceParams { cold: false, ..questions::distance(u, value)? };
            let answer = warm.distance(&params);
            let counters = warm.counters();
            let is_exact = params.relative_error == 0.0 && params.absolute_error == 0.0;
            let mut sound = answer.lower <= value && value <= answer.upper && answer.lower >= 0.0;
            if answer.complete && value > params.max_distance {
                sound &= answer.nearest.is_none() && answer.lower == params.max_distance;
            } else if answer.complete {
                sound &= answer.proves(&params) && (!is_exact || answer.lower.to_bits() == answer.upper.to_bits());
            }
            sound &= answer.complete || params.max_work > 0;
            sound &= params.max_work == 0 || counters.work <= params.max_work + 9;
            if sound { String::new() } else { format!("{value:e} {answer:?} {params:?} {counters:?}") }
        }
        3 => {
            let params = CollideParams { cold: false, ..questions::collide(u)? };
            let answer = warm.collide(&params);
            let sound = if answer.complete { answer.contact.is_some() == (value == 0.0) } else { params.max_work > 0 };
            if sound { String::new() } else { format!("{value:e} {answer:?} {params:?}") }
        }
        4 | 5 => {
            let params = ToleranceParams { cold: false, ..questions::tolerance(u, value)? };
            let answer = warm.tolerance(&params);
            let mut sound = answer.lower <= value && value <= answer.upper && answer.lower >= 0.0;
            sound &= if answer.complete { answer.closer == (value <= params.tolerance) } else { params.max_work > 0 };
            if sound { String::new() } else { format!("{value:e} {answer:?} {params:?}") }
        }
        6 => {
            let (params, capacity) = questions::contacts(u, value)?;
            let capacity = capacity.min(100);
            let [mut in_warm, mut in_cold] = [Array::new(capacity), Array::new(capacity)];
            let all = ContactsParams { cold: true, stop_when_full: false, max_work: 0, ..params };
            let answers = [warm.contacts(&params, &mut in_warm), cold.contacts(&all, &mut in_cold)];
            let stops = params.stop_when_full && answers[1].found > capacity as u64;
            let sound = if answers[0].complete {
                answers[0] == answers[1] && in_warm.contacts == in_cold.contacts
            } else {
                (stops || params.max_work > 0) && answers[0].found <= answers[1].found
            };
            if sound { String::new() } else { format!("{answers:?} {params:?} {capacity}") }
        }
        _ => {
            let (params, _) = questions::minima(u, value)?;
            let [mut in_warm, mut in_cold] = [Vec::new(), Vec::new()];
            let asked = [feeler::MinimaParams { cold: false, ..params }, feeler::MinimaParams { cold: true, ..params }];
            let answers = [
                warm.local_minima(&asked[0], &mut in_warm).unwrap(),
                cold.local_minima(&asked[1], &mut in_cold).unwrap(),
            ];
            let is_comparable = answers.iter().all(|answer| answer.complete);
            let sound = !is_comparable || answers[0] == answers[1] && in_warm == in_cold;
            if sound { String::new() } else { format!("{answers:?} {params:?}\n{in_warm:?}\n{in_cold:?}") }
        }
    };
    Ok(words)
}
