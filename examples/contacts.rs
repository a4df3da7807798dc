//! Where do two meshes touch, and which triangles are nearly in touch? `cargo run --example contacts`

use feeler::{BuildParams, CollideParams, ContactList, ContactsParams, Error, Model, Pair, Transform};
use glam::DVec3;

/// A hilly square of 40 by 40 cells around the origin, two triangles each.
fn hills() -> Result<Model, Error> {
    let side = 40;
    let across = side + 1;
    let vertices: Vec<DVec3> = (0..across * across)
        .map(|index| {
            let [x, y] = [index % across, index / across].map(|place| place as f64 / 10.0 - 2.0);
            DVec3::new(x, y, 0.1 * (3.0 * x).sin() * (3.0 * y).cos())
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..side * side)
        .flat_map(|cell| {
            let corner = cell / side * across + cell % side;
            [[corner, corner + 1, corner + across], [corner + 1, corner + across + 1, corner + across]]
        })
        .collect();
    let mut model = Model::new(&(&vertices[..], &triangles[..]))?;
    model.build(&BuildParams::default())?;
    Ok(model)
}

pub fn main() -> Result<(), Error> {
    let hills = hills()?;
    let mut pair = Pair::new(&hills, &hills)?;
    let mut list = ContactList::default();

    for height in [0.25, 0.19, 0.1] {
        // The same hills above themselves, moved along by half a wave: summits stand over summits.
        let pose = Transform { translation: DVec3::new(1.0, 0.1, height), ..Transform::IDENTITY };
        pair.set_transforms(None, Some(&pose))?;

        // Do they touch? The search ends at the first contact.
        let touch = pair.collide(&CollideParams::default()).contact;
        // Which triangles are within 0.02 of each other? All of them, ordered by triangle.
        let answer = pair.contacts(&ContactsParams { margin: 0.02, ..Default::default() }, &mut list);
        let contacts = || list.contacts[..answer.written as usize].iter().flatten();

        println!("{height} above: touching {}, {} pairs of triangles within 0.02", touch.is_some(), answer.found);
        if let Some(first) = contacts().next() {
            println!("  the first: {} and {}, {:.4} apart", first.triangle_a, first.triangle_b, first.distance);
        }
        assert!(answer.complete && answer.found == answer.written);
        assert!(contacts().all(|contact| contact.distance <= 0.02));
        assert_eq!(touch.is_some(), contacts().any(|contact| contact.distance == 0.0));
    }
    Ok(())
}
