//! Two plain models in one pose.

use super::plain_tree::PlainModel;
use feeler::Transform;
use feeler::internals::math::motion::Motion;
use feeler::internals::primitive::Triangle;
use feeler::internals::volume::Volume;
use glam::{DMat3, DVec3};

/// Unit roundoff of f32.
const ROUNDING: f64 = 5.960464477539063e-8;

/// How probes get from one node frame into the other.
pub struct Frames {
    pub into_a: Motion<f32>,
    pub into_b: Motion<f32>,
    turn: DMat3,
    shift: DVec3,
}

impl Frames {
    /// `pose` places B in the frame of A, without scale.
    pub fn new<V: Volume>(a: &PlainModel<V>, b: &PlainModel<V>, pose: &Transform) -> Self {
        assert_eq!(pose.scale, DVec3::ONE, "the experiments do not scale");
        let turn = pose.rotation;
        let shift = turn * b.origin + pose.translation - a.origin;
        Self::between::<V>(turn, shift, a.tree.reach, b.tree.reach)
    }

    /// From the rotation and the translation between the node frames, and how far the volumes reach in them.
    pub fn between<V: Volume>(turn: DMat3, shift: DVec3, reach_a: f64, reach_b: f64) -> Self {
        // The slack that the kernels need, as in `posed::relative_frames`.
        let motion = |turn: DMat3, shift: DVec3, source: f64, target: f64| {
            let slack = V::SLACK;
            let most = slack.source * source + slack.translation * shift.length() + slack.target * target;
            Motion::new(turn, shift, 1.0, 1.0 - 256.0 * ROUNDING, 1.001 * ROUNDING * most)
        };
        let back = turn.transpose();
        Self {
            into_a: motion(turn, shift, reach_b, reach_a),
            into_b: motion(back, back * -shift, reach_a, reach_b),
            turn,
            shift,
        }
    }

    /// A triangle of B in the node frame of A.
    #[inline(always)]
    pub fn placed(&self, triangle: &Triangle) -> Triangle {
        let [a, b, c] = triangle;
        [self.turn * *a + self.shift, self.turn * *b + self.shift, self.turn * *c + self.shift]
    }
}
