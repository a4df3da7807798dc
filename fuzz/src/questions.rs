//! How queries are asked.

use crate::numbers;
use arbitrary::{Result, Unstructured};
use feeler::{
    CastParams, ClosestParams, CollideParams, ContactsParams, DistanceParams, MinimaParams, SearchOrder,
    ToleranceParams,
};

/// A length near one that matters, else any.
pub fn near(u: &mut Unstructured, value: f64) -> Result<f64> {
    Ok(match u.int_in_range(0..=5u8)? {
        0 => value,
        1 => value.next_up().min(f64::MAX),
        2 => value.next_down().max(0.0),
        3 => value * 1.5,
        4 => 0.0,
        _ => numbers::length(u)?,
    })
}

pub fn search(u: &mut Unstructured) -> Result<SearchOrder> {
    Ok(*u.choose(&[SearchOrder::Auto, SearchOrder::DepthFirst, SearchOrder::BestFirst])?)
}

pub fn distance(u: &mut Unstructured, value: f64) -> Result<DistanceParams> {
    let mut params = DistanceParams { cold: u.arbitrary()?, search: search(u)?, ..DistanceParams::default() };
    if u.arbitrary()? {
        params.max_work = numbers::work(u)?;
        params.relative_error = if u.arbitrary()? { numbers::ordinary(u)?.abs() } else { 0.0 };
        params.absolute_error = if u.arbitrary()? { near(u, value * 0.1)? } else { 0.0 };
        params.max_distance = if u.arbitrary()? { near(u, value)? } else { f64::INFINITY };
    }
    Ok(params)
}

pub fn collide(u: &mut Unstructured) -> Result<CollideParams> {
    Ok(CollideParams { cold: u.arbitrary()?, max_work: numbers::work(u)? })
}

pub fn tolerance(u: &mut Unstructured, value: f64) -> Result<ToleranceParams> {
    Ok(ToleranceParams { cold: u.arbitrary()?, max_work: numbers::work(u)?, tolerance: near(u, value)? })
}

pub fn contacts(u: &mut Unstructured, value: f64) -> Result<(ContactsParams, usize)> {
    let (cold, margin, max_work) = (u.arbitrary()?, near(u, value)?, numbers::work(u)?);
    let (stop_when_full, ids_only) = (u.arbitrary()?, u.arbitrary()?);
    Ok((ContactsParams { cold, stop_when_full, ids_only, max_work, margin }, capacity(u)?))
}

pub fn minima(u: &mut Unstructured, value: f64) -> Result<(MinimaParams, usize)> {
    let (cold, max_work, margin) = (u.arbitrary()?, numbers::work(u)?, near(u, value)?);
    let merge_distance = if u.arbitrary()? { near(u, margin)? } else { 0.0 };
    Ok((MinimaParams { cold, max_work, margin, merge_distance }, capacity(u)?))
}

pub fn closest(u: &mut Unstructured, size: f64) -> Result<ClosestParams> {
    let max_distance = if u.arbitrary()? { near(u, size)? } else { f64::INFINITY };
    Ok(ClosestParams { side: u.arbitrary()?, max_work: numbers::work(u)?, max_distance })
}

pub fn cast(u: &mut Unstructured, size: f64) -> Result<(CastParams, usize)> {
    let radius = if u.arbitrary()? { near(u, size * 0.1)? } else { 0.0 };
    let sides = u.int_in_range(0..=3u8)?;
    let (all, ignore_start_inside, max_work) = (u.arbitrary()?, u.ratio(1, 4u8)?, numbers::work(u)?);
    let params =
        CastParams { all, front_only: sides == 1, back_only: sides == 2, ignore_start_inside, max_work, radius };
    Ok((params, capacity(u)?))
}

pub fn capacity(u: &mut Unstructured) -> Result<usize> {
    Ok(if u.arbitrary()? { 1 << 20 } else { usize::from(u.int_in_range(0..=9u8)?) })
}
