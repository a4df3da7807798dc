//! A mesh and the volumes around it, seen from one side.

mod png;

use glam::{DMat3, DVec3};

/// Pixels of one view; a picture is some views side by side.
pub const WIDTH: usize = 400;
pub const HEIGHT: usize = 400;
/// Shades of the mesh, of the volumes, and of the mesh behind a volume.
const MESH: usize = 14;
const VOLUME: usize = 6;
const BEHIND: usize = 4;
/// Neighbouring volumes differ in colour.
const TINTS: [[f64; 3]; 6] = [
    [0.20, 0.50, 0.95],
    [0.95, 0.60, 0.15],
    [0.25, 0.70, 0.35],
    [0.80, 0.30, 0.60],
    [0.15, 0.70, 0.75],
    [0.75, 0.70, 0.15],
];

/// What is seen in a pixel.
#[derive(Clone, Copy)]
struct Seen {
    depth: f64,
    light: f64,
    /// Number of the volume.
    volume: usize,
}

const NOTHING: Seen = Seen { depth: f64::NEG_INFINITY, light: 0.0, volume: usize::MAX };

/// Paints the triangles that face the viewer into the buffer, the nearest last.
fn paint<'a>(buffer: &mut [Seen], triangles: impl Iterator<Item = (usize, &'a [DVec3; 3])>) {
    let view = DMat3::from_rotation_x(0.3) * DMat3::from_rotation_y(-0.55);
    let light = DVec3::new(-0.4, 0.7, 0.6).normalize();
    let scale = 0.235 * WIDTH as f64;
    for (volume, triangle) in triangles {
        let [a, b, c] = triangle.map(|corner| {
            let seen = view * corner;
            DVec3::new(0.47 * WIDTH as f64 + scale * seen.x, 0.565 * HEIGHT as f64 - scale * seen.y, scale * seen.z)
        });
        let normal = (c - a).cross(b - a);
        if !(normal.z > 0.0) {
            continue;
        }
        let unit = normal.normalize();
        let bright = DVec3::new(unit.x, -unit.y, unit.z).dot(light).max(0.0);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let from = |low: f64| low.ceil().max(0.0) as usize;
        let to = |high: f64, size: usize| ((high + 1.0).max(0.0) as usize).min(size);
        for y in from(low.y)..to(high.y, HEIGHT) {
            for x in from(low.x)..to(high.x, WIDTH) {
                let at = DVec3::new(x as f64, y as f64, 0.0);
                // All three edges have the pixel on their left, up to rounding where two triangles meet.
                let inside = |p: DVec3, q: DVec3| (q - p).cross(at - p).z <= 1e-9 * normal.z;
                if inside(a, b) && inside(b, c) && inside(c, a) {
                    let depth = a.z - ((x as f64 - a.x) * normal.x + (y as f64 - a.y) * normal.y) / normal.z;
                    let seen = &mut buffer[y * WIDTH + x];
                    if depth > seen.depth {
                        *seen = Seen { depth, light: bright, volume };
                    }
                }
            }
        }
    }
}

/// The colours: white, black, the mesh, and every volume before nothing or before some shade of the mesh.
fn colours() -> Vec<[u8; 3]> {
    let mesh = |light: f64| [0.86, 0.82, 0.76].map(|part| part * (0.45 + 0.55 * light));
    let byte = |colour: [f64; 3]| colour.map(|part| (255.0 * part) as u8);
    let mut colours = vec![[255, 255, 255], [40, 45, 60]];
    colours.extend((0..MESH).map(|shade| byte(mesh(shade as f64 / (MESH - 1) as f64))));
    for tint in TINTS {
        for shade in 0..VOLUME {
            let bright = 0.6 + 0.4 * shade as f64 / (VOLUME - 1) as f64;
            for behind in 0..=BEHIND {
                let (below, share) = match behind {
                    0 => ([1.0; 3], 0.45),
                    _ => (mesh((behind - 1) as f64 / (BEHIND - 1) as f64), 0.38),
                };
                let mixed = [0, 1, 2].map(|k| tint[k] * bright * share + below[k] * (1.0 - share));
                colours.push(byte(mixed));
            }
        }
    }
    colours
}

/// One view: a mesh and, around it, triangles with the numbers of their volumes.
pub fn view(mesh: &[[DVec3; 3]], volumes: &[(usize, [DVec3; 3])]) -> Vec<u8> {
    let (mut inner, mut outer) = (vec![NOTHING; WIDTH * HEIGHT], vec![NOTHING; WIDTH * HEIGHT]);
    paint(&mut inner, mesh.iter().map(|triangle| (0, triangle)));
    paint(&mut outer, volumes.iter().map(|(volume, triangle)| (*volume, triangle)));
    let level = |light: f64, levels: usize| ((light * levels as f64) as usize).min(levels - 1);
    let pixel = |at: usize| {
        let (mesh, volume) = (inner[at], outer[at]);
        let borders =
            [at + 1, at + WIDTH].iter().any(|&next| next < outer.len() && outer[next].volume != volume.volume);
        if borders {
            return 1;
        }
        let colour = match (volume.volume, mesh.volume) {
            (usize::MAX, usize::MAX) => 0,
            (usize::MAX, _) => 2 + level(mesh.light, MESH),
            (number, behind) => {
                let below = if behind == usize::MAX { 0 } else { 1 + level(mesh.light, BEHIND) };
                let shade = (number % TINTS.len()) * VOLUME + level(volume.light, VOLUME);
                2 + MESH + shade * (BEHIND + 1) + below
            }
        };
        colour as u8
    };
    (0..WIDTH * HEIGHT).map(pixel).collect()
}

/// Views side by side as a PNG.
pub fn picture(views: &[Vec<u8>]) -> Vec<u8> {
    let mut pixels = Vec::new();
    for row in 0..HEIGHT {
        for view in views {
            pixels.extend(&view[row * WIDTH..][..WIDTH]);
        }
    }
    png::png(WIDTH * views.len(), &colours(), &pixels)
}
