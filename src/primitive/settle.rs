//! The pairs that plain arithmetic leaves open, alone or in lanes: a verdict with exact signs, then the finish in double-double.
//!
//! A pair that is certified in double-double is apart, whatever the verdict; one that is not goes on to `robust`.

use super::intersection::Verdict;
use super::kernel::{self, Corners, Finished, Products, Vector};
use super::signs::any;
use super::touching_verdict;
use crate::math::double_double::{Double, DoubleDouble};
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{dot, three};

/// What is known of open pairs.
#[derive(Clone, Copy)]
pub struct Settled<R: Real> {
    pub hit: R::Mask,
    /// Proved to be apart, measured or not.
    pub miss: R::Mask,
    /// The candidates that are nearest, and their finish; none if no pair needs one.
    pub finished: Option<(R, Finished<Double<R>>)>,
}

#[inline(always)]
pub fn precise<R: Real>(t: &Corners<R>) -> Corners<Double<R>> {
    three(
        #[inline(always)]
        |v| {
            three(
                #[inline(always)]
                |k| Double::exactly(t[v][k]),
            )
        },
    )
}

/// The verdict for pairs that are open. `one_is_enough`: if one pair intersects, the others may stay open.
#[inline(never)]
pub fn verdict<R: Real>(a: &Corners<R>, b: &Corners<R>, open: R::Mask, one_is_enough: bool) -> Verdict<R::Mask> {
    a[0][0].apart(
        #[inline(always)]
        || touching_verdict::verdict(a, b, open, one_is_enough),
    )
}

/// The finish in double-double of the candidates that plain arithmetic found the nearest.
#[inline(never)]
pub fn finish<R: Real>(a: &Corners<R>, b: &Corners<R>, code: R) -> Finished<Double<R>> {
    code.apart(
        #[inline(always)]
        || kernel::finish(&precise(a), &precise(b), Double::exactly(code)),
    )
}

/// The nearest of the fifteen candidates of one pair in double-double.
///
/// The bits of `kernel::nearest_candidate`. Its parts are called here, not inlined: a third of the code, and less than half of the
/// stack.
pub fn nearest_code(a: &Corners<f64>, b: &Corners<f64>) -> f64 {
    let (a, b) = (precise(a), precise(b));
    let products = products(&a, &b);
    let inverses = products.inverse_squares();
    let edge_pairs = nearest_edge_pairs(&products, &a, &b, &inverses);
    let faces = [nearest_to_face_of_b(&products, &a, &b), nearest_to_face_of_a(&products, &a, &b)];
    kernel::smallest_of([edge_pairs, faces[0], faces[1]]).tag().to_f64()
}

/// The nearest pair of edges.
pub fn nearest_edges(a: &Corners<f64>, b: &Corners<f64>) -> DoubleDouble {
    let (a, b) = (precise(a), precise(b));
    let products = products(&a, &b);
    nearest_edge_pairs(&products, &a, &b, &products.inverse_squares())
}

fn nearest_edge_pairs(
    products: &Products<DoubleDouble>,
    a: &Corners<DoubleDouble>,
    b: &Corners<DoubleDouble>,
    inverses: &[[DoubleDouble; 3]; 2],
) -> DoubleDouble {
    kernel::smallest_of([0, 1, 2].map(|i| nearest_edge_pair(products, a, b, inverses, i)))
}

#[inline(never)]
fn products(a: &Corners<DoubleDouble>, b: &Corners<DoubleDouble>) -> Products<DoubleDouble> {
    Products::with(a, b, precise_dot)
}

#[inline(never)]
fn precise_dot(x: &Vector<DoubleDouble>, y: &Vector<DoubleDouble>) -> DoubleDouble {
    dot(x, y)
}

#[inline(never)]
fn nearest_edge_pair(
    products: &Products<DoubleDouble>,
    a: &Corners<DoubleDouble>,
    b: &Corners<DoubleDouble>,
    inverses: &[[DoubleDouble; 3]; 2],
    i: usize,
) -> DoubleDouble {
    products.nearest_edge_pair(a, b, inverses, i)
}

#[inline(never)]
fn nearest_to_face_of_b(
    products: &Products<DoubleDouble>,
    a: &Corners<DoubleDouble>,
    b: &Corners<DoubleDouble>,
) -> DoubleDouble {
    products.nearest_to_face_of_b(a, b)
}

#[inline(never)]
fn nearest_to_face_of_a(
    products: &Products<DoubleDouble>,
    a: &Corners<DoubleDouble>,
    b: &Corners<DoubleDouble>,
) -> DoubleDouble {
    products.nearest_to_face_of_a(a, b)
}

/// Finishes the given candidates and, where `wanted` ones are not proved, those that are nearest in double-double.
#[inline(always)]
fn finish_best<R: Real>(
    a: &Corners<R>,
    b: &Corners<R>,
    code: R,
    wanted: R::Mask,
    nearest: impl FnOnce(R::Mask) -> R,
) -> (R, Finished<Double<R>>) {
    let first = finish(a, b, code);
    let kept = first.certified | !wanted;
    if kept.all() {
        return (code, first);
    }
    let again = nearest(!kept);
    let second = finish(a, b, again);
    (R::select(kept, code, again), Finished::select(kept, &first, &second))
}

/// Settles pairs that are `open`, of which `miss` are known to be apart. `nearest` finds the nearest candidates in double-double of
/// some pairs: in lanes that would take more stack than a query may use, so lanes ask for one pair at a time. `one_is_enough`:
/// an intersecting pair makes all others needless; those are left without a finish.
#[inline(always)]
pub fn settle<R: Real>(
    a: &Corners<R>,
    b: &Corners<R>,
    code: R,
    (open, miss): (R::Mask, R::Mask),
    one_is_enough: bool,
    nearest: impl FnOnce(R::Mask) -> R,
) -> Settled<R> {
    let undecided = open & !miss;
    let decided = if any(undecided) {
        verdict(a, b, undecided, one_is_enough)
    } else {
        Verdict { hit: undecided, miss: undecided }
    };
    let left = open & !decided.hit;
    let is_finish_needed = any(left) && !(one_is_enough && any(decided.hit));
    let finished = if is_finish_needed { Some(finish_best(a, b, code, left, nearest)) } else { None };
    Settled { hit: decided.hit, miss: miss | decided.miss, finished }
}
