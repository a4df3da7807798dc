//! Where a set of triangles is divided in two.

use crate::tree::build::Options;
use crate::tree::build::item::Item;
use crate::tree::build::looked_at::look_at;
use crate::volume::Volume;
use glam::Vec3A;

/// Where a set of triangles is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitRule {
    /// The rule that suits the volume: `SurfaceArea`.
    #[default]
    Auto,
    /// The cut between bins with the smallest surface times nodes.
    SurfaceArea,
    /// The middle between the first and the last centre, along the axis on which the centres spread most.
    Midpoint,
    /// The mean of the centres along that axis.
    Mean,
    /// Halves of equal count along that axis.
    Median,
}

/// Sets of at most this many triangles are cut in the middle, without bins: they nearly always share a node.
const FEW: usize = 4;

/// Triangles per node: the cost of a set is its surface times the least number of nodes.
const WIDTH: u32 = 8;

/// AxisBounds of the triangles of a set and of (twice) their centres.
#[derive(Clone, Copy, Debug)]
pub struct AxisBounds {
    pub low: Vec3A,
    pub high: Vec3A,
    middle_low: Vec3A,
    middle_high: Vec3A,
}

impl AxisBounds {
    pub fn of(items: &[Item]) -> Self {
        look_at(items.len());
        let (most, least) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        let mut bounds = Self { low: most, high: least, middle_low: most, middle_high: least };
        for item in items {
            let middle = item.middle();
            bounds.low = bounds.low.min(item.low);
            bounds.high = bounds.high.max(item.high);
            bounds.middle_low = bounds.middle_low.min(middle);
            bounds.middle_high = bounds.middle_high.max(middle);
        }
        bounds
    }

    /// The chance that a search visits this set grows with this number.
    pub fn measure<V: Volume>(&self) -> f32 {
        V::measure(self.high - self.low)
    }

    /// The axis along which the centres spread most.
    fn longest(&self) -> usize {
        let [x, y, z] = (self.middle_high - self.middle_low).to_array();
        if x >= y && x >= z {
            0
        } else if y >= z {
            1
        } else {
            2
        }
    }
}

/// Reorders the items. Returns the size of the first part, which is neither 0 nor all.
pub fn divide<V: Volume>(items: &mut [Item], bounds: &AxisBounds, options: &Options) -> usize {
    let count = items.len();
    look_at(count);
    let axis = bounds.longest();
    if bounds.middle_high[axis] - bounds.middle_low[axis] > 0.0 {
        let first = match options.split {
            SplitRule::Auto | SplitRule::SurfaceArea if count > FEW => by_surface::<V>(items, bounds, options.bins()),
            SplitRule::Auto | SplitRule::SurfaceArea | SplitRule::Midpoint => {
                let cut = 0.5 * bounds.middle_low[axis] + 0.5 * bounds.middle_high[axis];
                partition(items, |item| item.middle()[axis] < cut)
            }
            SplitRule::Mean => {
                let sum: f64 = items.iter().map(|item| item.middle()[axis] as f64).sum();
                let cut = (sum / count as f64) as f32;
                partition(items, |item| item.middle()[axis] < cut)
            }
            SplitRule::Median => 0,
        };
        if first > 0 && first < count {
            return first;
        }
    }
    halve(items, bounds)
}

/// Halves by count along the longest axis. The caller's numbers break ties, so equal centres are divided, too.
pub fn halve(items: &mut [Item], bounds: &AxisBounds) -> usize {
    look_at(items.len());
    let axis = bounds.longest();
    let first = items.len() / 2;
    let key = |item: &Item| item.middle()[axis];
    items.select_nth_unstable_by(first, |a, b| key(a).total_cmp(&key(b)).then(a.id.cmp(&b.id)));
    first
}

/// Moves the items that belong first to the front. Returns their number.
fn partition(items: &mut [Item], belongs_first: impl Fn(&Item) -> bool) -> usize {
    let first = items.iter().filter(|item| belongs_first(item)).count();
    exchange(items, first, belongs_first);
    first
}

/// Moves the items that belong first to the front, given their number. Items on the wrong side change places, the
/// leftmost with the rightmost. The search for them has no branches, because half of these would be mispredicted.
#[inline(always)]
fn exchange(items: &mut [Item], first: usize, belongs_first: impl Fn(&Item) -> bool) {
    let (left, right) = items.split_at_mut(first);
    let (mut next, mut end) = (0, right.len());
    let (mut in_left, mut in_right) = (Strangers::default(), Strangers::default());
    loop {
        if in_left.is_empty() {
            let block = next..(next + BLOCK).min(left.len());
            next = block.end;
            in_left.find(block, |index| !belongs_first(&left[index]));
        }
        if in_right.is_empty() {
            let block = end.saturating_sub(BLOCK)..end;
            end = block.start;
            in_right.find(block.rev(), |index| belongs_first(&right[index]));
        }
        let count = in_left.len().min(in_right.len());
        for _ in 0..count {
            core::mem::swap(&mut left[in_left.take()], &mut right[in_right.take()]);
        }
        if in_left.is_empty() && next == left.len() || in_right.is_empty() && end == 0 {
            return;
        }
    }
}

/// Items that are searched at a time.
const BLOCK: usize = 64;

/// Places of items that are on the wrong side.
#[derive(Clone, Copy)]
struct Strangers {
    places: [u32; BLOCK],
    taken: usize,
    found: usize,
}

impl Default for Strangers {
    fn default() -> Self {
        Self { places: [0; BLOCK], taken: 0, found: 0 }
    }
}

impl Strangers {
    #[inline(always)]
    fn find(&mut self, block: impl Iterator<Item = usize>, is_stranger: impl Fn(usize) -> bool) {
        (self.taken, self.found) = (0, 0);
        for index in block {
            self.places[self.found % BLOCK] = index as u32;
            self.found += is_stranger(index) as usize;
        }
    }

    #[inline(always)]
    fn take(&mut self) -> usize {
        self.taken += 1;
        self.places[(self.taken - 1) % BLOCK] as usize
    }

    fn len(&self) -> usize {
        self.found - self.taken
    }

    fn is_empty(&self) -> bool {
        self.taken == self.found
    }
}

#[derive(Clone, Copy)]
struct Bin {
    low: Vec3A,
    high: Vec3A,
    count: u32,
}

const EMPTY: Bin = Bin { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY, count: 0 };

impl Bin {
    #[inline(always)]
    fn add(&mut self, other: &Bin) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.count += other.count;
    }

    #[inline(always)]
    fn cost<V: Volume>(&self) -> f32 {
        V::measure(self.high - self.low) * self.count.div_ceil(WIDTH) as f32
    }
}

/// The best cut between about this many bins along each axis. 0 when there is none.
fn by_surface<V: Volume>(items: &mut [Item], bounds: &AxisBounds, bins: usize) -> usize {
    let bins = if items.len() < 2 * bins { bins / 2 } else { bins };
    // Most sets are small, and clearing bins that they do not need would cost time.
    match bins {
        0..=4 => by_bins::<V, 4>(items, bounds),
        5..=8 => by_bins::<V, 8>(items, bounds),
        _ => by_bins::<V, 16>(items, bounds),
    }
}

/// Maps a centre to its bin. The bins have equal width between the first and the last centre.
#[derive(Clone, Copy)]
struct Places {
    low: Vec3A,
    scale: Vec3A,
}

/// Adding this number to a small one leaves the nearest integer in the last bits.
const ROUNDER: f32 = 12_582_912.0;

impl Places {
    /// An axis without spread has one bin.
    #[inline(always)]
    fn new(bounds: &AxisBounds, bins: usize) -> Self {
        let spread = bounds.middle_high - bounds.middle_low;
        // The last bin ends just behind the last centre, so that rounding cannot give a bin beyond it.
        let factor = |length: f32| if length > 0.0 { (bins as f32 * 0.99999) / length } else { 0.0 };
        Self { low: bounds.middle_low, scale: Vec3A::new(factor(spread.x), factor(spread.y), factor(spread.z)) }
    }

    #[inline(always)]
    fn along_all(&self, item: &Item) -> [u32; 3] {
        let places = (item.middle() - self.low) * self.scale - Vec3A::splat(0.5) + Vec3A::splat(ROUNDER);
        // Spelt out: `map` would not be inlined.
        let [x, y, z] = places.to_array();
        [x.to_bits() & 0xff, y.to_bits() & 0xff, z.to_bits() & 0xff]
    }

    /// One entry of `along_all`, by the same operations.
    #[inline(always)]
    fn along(&self, item: &Item, axis: usize) -> u32 {
        let middle = item.low[axis] + item.high[axis];
        ((middle - self.low[axis]) * self.scale[axis] - 0.5 + ROUNDER).to_bits() & 0xff
    }
}

/// The cut between bins of the three axes with the smallest surface times nodes. 0 when there is none.
#[inline(never)]
fn by_bins<V: Volume, const BINS: usize>(items: &mut [Item], bounds: &AxisBounds) -> usize {
    let spread = bounds.middle_high - bounds.middle_low;
    let places = Places::new(bounds, BINS);
    let mut sums = [[EMPTY; BINS]; 3];
    for item in &*items {
        let one = Bin { low: item.low, high: item.high, count: 1 };
        let [x, y, z] = places.along_all(item);
        sums[0][(x as usize).min(BINS - 1)].add(&one);
        sums[1][(y as usize).min(BINS - 1)].add(&one);
        sums[2][(z as usize).min(BINS - 1)].add(&one);
    }
    let (mut best, mut chosen) = (f32::INFINITY, None);
    for (axis, row) in sums.iter().enumerate() {
        if spread[axis] <= 0.0 {
            continue;
        }
        let mut behind = [0.0; BINS];
        let mut sum = EMPTY;
        for bin in (1..BINS).rev() {
            sum.add(&row[bin]);
            behind[bin] = if sum.count > 0 { sum.cost::<V>() } else { f32::INFINITY };
        }
        let mut sum = EMPTY;
        for bin in 1..BINS {
            sum.add(&row[bin - 1]);
            if sum.count == 0 {
                continue;
            }
            let cost = sum.cost::<V>() + behind[bin];
            if cost < best {
                (best, chosen) = (cost, Some((axis, bin as u32, sum.count as usize)));
            }
        }
    }
    let Some((axis, cut, first)) = chosen else { return 0 };
    exchange(items, first, |item| places.along(item, axis).min(BINS as u32 - 1) < cut);
    first
}
