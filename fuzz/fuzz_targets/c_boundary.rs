//! The functions of the C header in any order, on any handles that live, with any bytes in their structs.
//!
//! Not tried, because the header rules them out: handles that were destroyed, and arrays that are shorter than their struct says.
#![no_main]

use arbitrary::{Result, Unstructured};
use core::mem::offset_of;
use core::ptr::{null, null_mut};
use feeler::internals::ffi::exported::*;
use feeler_fuzz::structs::{Answers, Struct};
use feeler_fuzz::{numbers, poses};
use libfuzzer_sys::fuzz_target;
use std::ffi::CStr;

fuzz_target!(|data: &[u8]| {
    let mut host = Host::default();
    let mut u = Unstructured::new(data);
    let _ = host.run(&mut u);
});

/// Every call that returns a status.
fn checked(status: u32) -> bool {
    // SAFETY: the strings of the library are terminated and stay.
    let text = |text: *const core::ffi::c_char| unsafe { CStr::from_ptr(text) }.to_str().expect("plain text");
    assert!(text(feeler_status_name(status)).starts_with("FEELER_STATUS_"));
    let message = text(feeler_last_error_message());
    assert!(status < FEELER_STATUS_INTERNAL, "{status}: {message}");
    assert!(status == FEELER_STATUS_OK || !message.is_empty(), "{status} without a message");
    status == FEELER_STATUS_OK
}

fn is_finite(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

/// The arrays of a mesh, exactly as long as its struct says.
struct Mesh {
    given: Struct<feeler_mesh>,
    _vertices: Vec<u8>,
    _indices: Vec<u8>,
}

impl Mesh {
    /// `vertex_count` None chooses one.
    fn new(u: &mut Unstructured, vertex_count: Option<usize>) -> Result<Self> {
        let mut given = Struct::new(u, feeler_mesh_init)?;
        let is_wide = u.arbitrary()?;
        let has_indices: bool = u.arbitrary()?;
        let mut count = match vertex_count {
            Some(count) if u.ratio(7, 8u8)? => count,
            _ => u.int_in_range(0..=30usize)?,
        };
        if !has_indices && u.ratio(7, 8u8)? && vertex_count.is_none() {
            count = count.next_multiple_of(3);
        }
        let size = if is_wide { 24 } else { 12 };
        let stride = if u.ratio(1, 4u8)? { u.int_in_range(0..=40usize)? } else { 0 };
        let step = stride.max(size);
        // One byte off any alignment; nothing behind the last vertex.
        let mut vertices = vec![0; 1 + count.saturating_sub(1) * step + size];
        for vertex in 0..count {
            for axis in 0..3 {
                let number = if u.ratio(1, 200u8)? { numbers::garbage(u)? } else { numbers::ordinary(u)? };
                let at = 1 + vertex * step + axis * size / 3;
                if is_wide {
                    vertices[at..][..8].copy_from_slice(&number.to_le_bytes());
                } else {
                    vertices[at..][..4].copy_from_slice(&(number as f32).to_le_bytes());
                }
            }
        }
        let triangles = u.int_in_range(0..=20usize)?;
        let mut indices = vec![0; 1];
        for _ in 0..3 * triangles {
            let last = count.saturating_sub(1) as u32;
            let index = if u.ratio(1, 200u8)? { u.arbitrary()? } else { u.int_in_range(0..=last)? };
            indices.extend(index.to_le_bytes());
        }
        let mut triangle_count = if has_indices { triangles } else { 0 };
        let mut vertex_count = count;
        if u.ratio(1, 32u8)? {
            // More than any memory has: refused before anything is read.
            let huge = *u.choose(&[usize::MAX, usize::MAX / 12, 1 << 62])?;
            if u.arbitrary()? { vertex_count = huge } else { triangle_count = huge }
        }
        let scalar: u32 = if u.ratio(1, 64u8)? { u.int_in_range(2..=9)? } else { u32::from(is_wide) };
        given.set(offset_of!(feeler_mesh, scalar), &scalar.to_le_bytes());
        let pointer = |bytes: &Vec<u8>, is_given: bool| if is_given { bytes[1..].as_ptr() as usize } else { 0 };
        let vertices_given = pointer(&vertices, !u.ratio(1, 64u8)?);
        given.set(offset_of!(feeler_mesh, vertices), &vertices_given.to_le_bytes());
        given.set(offset_of!(feeler_mesh, vertex_count), &vertex_count.to_le_bytes());
        given.set(offset_of!(feeler_mesh, vertex_stride), &stride.to_le_bytes());
        given.set(offset_of!(feeler_mesh, indices), &pointer(&indices, has_indices).to_le_bytes());
        given.set(offset_of!(feeler_mesh, triangle_count), &triangle_count.to_le_bytes());
        Ok(Self { given, _vertices: vertices, _indices: indices })
    }
}

fn transform(u: &mut Unstructured) -> Result<feeler_transform> {
    let pose = poses::pose(u, 1.0, true)?;
    let mut given = feeler_transform {
        rotation: pose.rotation.transpose().to_cols_array(),
        translation: pose.translation.to_array(),
        scale: pose.scale.to_array(),
    };
    if u.ratio(1, 16u8)? {
        let place = u.int_in_range(0..=14usize)?;
        let number = numbers::garbage(u)?;
        match place {
            0..9 => given.rotation[place] = number,
            9..12 => given.translation[place - 9] = number,
            _ => given.scale[place - 12] = number,
        }
    }
    Ok(given)
}

/// NULL now and then.
fn or_null<T>(u: &mut Unstructured, value: &T) -> Result<*const T> {
    Ok(if u.ratio(1, 8u8)? { null() } else { value })
}

fn point(u: &mut Unstructured) -> Result<[f64; 3]> {
    if u.ratio(1, 16u8)? {
        return Ok([numbers::garbage(u)?, numbers::garbage(u)?, numbers::garbage(u)?]);
    }
    Ok(numbers::point(u)?.to_array())
}

fn capacity(u: &mut Unstructured) -> Result<usize> {
    Ok(usize::from(u.int_in_range(0..=12u8)?))
}

/// A program with handles.
#[derive(Default)]
struct Host {
    models: Vec<(*mut feeler_model, usize)>,
    pairs: Vec<*mut feeler_pair>,
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: handles that were created and not destroyed.
        unsafe {
            self.models.iter().for_each(|(model, _)| feeler_model_destroy(*model));
            self.pairs.iter().for_each(|pair| feeler_pair_destroy(*pair));
        }
    }
}

impl Host {
    fn model(&self, u: &mut Unstructured) -> Result<(*mut feeler_model, usize)> {
        let is_given = !self.models.is_empty() && !u.ratio(1, 32u8)?;
        if is_given { u.choose(&self.models).copied() } else { Ok((null_mut(), 0)) }
    }

    fn pair(&self, u: &mut Unstructured) -> Result<*mut feeler_pair> {
        let is_given = !self.pairs.is_empty() && !u.ratio(1, 32u8)?;
        if is_given { u.choose(&self.pairs).copied() } else { Ok(null_mut()) }
    }

    fn run(&mut self, u: &mut Unstructured) -> Result<()> {
        // Mostly a pair to begin with.
        if u.ratio(7, 8u8)? {
            for _ in 0..2 {
                self.create_model(u)?;
                self.build(u)?;
            }
            self.create_pair(u)?;
        }
        for _ in 0..u.int_in_range(1..=30u8)? {
            match u.int_in_range(0..=25u8)? {
                0 => self.create_model(u)?,
                1 => self.build(u)?,
                2 => self.info(u)?,
                3 => self.export_volumes(u)?,
                4 => self.update_vertices(u)?,
                5 => self.update_range(u)?,
                6 => self.destroy(u)?,
                7 => self.create_pair(u)?,
                8 => self.reset(u)?,
                9..=11 => self.set_transforms(u)?,
                12 => self.set_models(u)?,
                13 => self.counters(u)?,
                14 => self.collide(u)?,
                15 => self.contacts(u)?,
                16 => self.distance(u)?,
                17 => self.tolerance(u)?,
                18 => self.local_minima(u)?,
                19 => self.sweep(u)?,
                20 => self.closest_point(u)?,
                21 => self.closest_points(u)?,
                22 => self.cast(u)?,
                23 => self.within(u)?,
                24 => self.pose_between(u)?,
                _ => make_transforms(u)?,
            }
        }
        Ok(())
    }

    fn create_model(&mut self, u: &mut Unstructured) -> Result<()> {
        let mut mesh = Mesh::new(u, None)?;
        let mut out = core::ptr::dangling_mut();
        // SAFETY: here and below: living handles or NULL, structs with room, arrays as long as their struct says.
        let is_done = checked(unsafe { feeler_model_create(mesh.given.pointer(), &mut out) });
        assert_eq!(is_done, !out.is_null());
        mesh.given.check_unchanged();
        if is_done {
            let count = mesh.given.value().expect("accepted").vertex_count;
            self.models.push((out, count));
        }
        Ok(())
    }

    fn build(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let mut params = Struct::new(u, feeler_build_params_init)?;
        if u.ratio(3, 4u8)? {
            let word = |value: u8| u32::from(value).to_le_bytes();
            params.set(offset_of!(feeler_build_params, volume), &word(u.int_in_range(0..=9)?));
            params.set(offset_of!(feeler_build_params, flags), &word(u.int_in_range(0..=4)?));
            params.set(offset_of!(feeler_build_params, threads), &word(u.int_in_range(0..=3)?));
        }
        checked(unsafe { feeler_model_build(model, params.pointer()) });
        params.check_unchanged();
        Ok(())
    }

    fn info(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let mut info = Struct::new(u, feeler_model_info_init)?;
        if checked(unsafe { feeler_model_get_info(model, info.pointer()) }) {
            info.check_written();
            if let Some(info) = info.value() {
                assert!(is_finite(&info.bounds_min) && is_finite(&info.bounds_max) && info.refit_quality >= 0.0);
            }
        } else {
            info.check_unchanged();
        }
        Ok(())
    }

    fn export_volumes(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let mut triangles = Answers::<[f64; 9]>::new(capacity(u)?);
        let mut count = usize::MAX;
        let out = if u.ratio(1, 8u8)? { null_mut() } else { &raw mut count };
        let depth = u.int_in_range(0..=4u32)?;
        let status =
            unsafe { feeler_model_export_volumes(model, depth, triangles.pointer().cast(), triangles.capacity, out) };
        if checked(status) {
            assert!(triangles.items(count.min(triangles.capacity)).iter().all(|corners| is_finite(corners)));
        } else {
            assert_eq!(count, usize::MAX);
            triangles.check_unchanged();
        }
        Ok(())
    }

    fn update_vertices(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, count) = self.model(u)?;
        let mut mesh = Mesh::new(u, Some(count))?;
        checked(unsafe { feeler_model_update_vertices(model, mesh.given.pointer()) });
        mesh.given.check_unchanged();
        Ok(())
    }

    fn update_range(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, count) = self.model(u)?;
        let first = if u.ratio(1, 16u8)? { u.arbitrary()? } else { u.int_in_range(0..=count)? };
        let rest = count.saturating_sub(first);
        let given = rest.min(u.int_in_range(0..=5)?);
        let mut mesh = Mesh::new(u, Some(given))?;
        checked(unsafe { feeler_model_update_range(model, mesh.given.pointer(), first) });
        mesh.given.check_unchanged();
        Ok(())
    }

    fn destroy(&mut self, u: &mut Unstructured) -> Result<()> {
        if u.arbitrary()? && !self.models.is_empty() {
            let place = u.choose_index(self.models.len())?;
            unsafe { feeler_model_destroy(self.models.swap_remove(place).0) };
        } else if !self.pairs.is_empty() {
            let place = u.choose_index(self.pairs.len())?;
            unsafe { feeler_pair_destroy(self.pairs.swap_remove(place)) };
        } else {
            unsafe { feeler_model_destroy(null_mut()) };
        }
        Ok(())
    }

    fn create_pair(&mut self, u: &mut Unstructured) -> Result<()> {
        let ((a, _), (b, _)) = (self.model(u)?, self.model(u)?);
        let mut params = Struct::new(u, feeler_pair_params_init)?;
        let mut out = core::ptr::dangling_mut();
        let is_done = checked(unsafe { feeler_pair_create(a, b, params.pointer(), &mut out) });
        assert_eq!(is_done, !out.is_null());
        params.check_unchanged();
        if is_done {
            self.pairs.push(out);
        }
        Ok(())
    }

    fn reset(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let memory = unsafe { feeler_pair_memory(pair) };
        assert_eq!(memory == 0, pair.is_null());
        unsafe { feeler_pair_reset(pair) };
        Ok(())
    }

    fn set_transforms(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let (a, b) = (transform(u)?, transform(u)?);
        checked(unsafe { feeler_pair_set_transforms(pair, or_null(u, &a)?, or_null(u, &b)?) });
        Ok(())
    }

    fn set_models(&mut self, u: &mut Unstructured) -> Result<()> {
        let (pair, (a, _), (b, _)) = (self.pair(u)?, self.model(u)?, self.model(u)?);
        let a = if u.ratio(1, 4u8)? { null_mut() } else { a };
        checked(unsafe { feeler_pair_set_models(pair, a, b) });
        Ok(())
    }

    fn counters(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let mut counters = Struct::new(u, feeler_counters_init)?;
        if checked(unsafe { feeler_pair_get_counters(pair, counters.pointer()) }) {
            counters.check_written();
        } else {
            counters.check_unchanged();
        }
        Ok(())
    }

    fn collide(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let mut params = Struct::new(u, feeler_collide_params_init)?;
        let mut result = Struct::new(u, feeler_collide_result_init)?;
        if checked(unsafe { feeler_pair_collide(pair, params.pointer(), result.pointer()) }) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(result.colliding <= result.complete && result.complete <= 1 && is_finite(&result.point));
            }
        } else {
            result.check_unchanged();
        }
        Ok(())
    }

    fn contacts(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let mut params = Struct::new(u, feeler_contacts_params_init)?;
        let mut result = Struct::new(u, feeler_contacts_result_init)?;
        let mut out = Answers::<feeler_contact>::new(capacity(u)?);
        let status =
            unsafe { feeler_pair_contacts(pair, params.pointer(), out.pointer(), out.capacity, result.pointer()) };
        if checked(status) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(result.written <= result.found && result.complete <= 1);
                for contact in out.items(result.written as usize) {
                    assert!(contact.distance >= 0.0 && is_finite(&contact.point_a) && is_finite(&contact.normal));
                }
            }
        } else {
            result.check_unchanged();
            out.check_unchanged();
        }
        Ok(())
    }

    fn distance(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let mut params = Struct::new(u, feeler_distance_params_init)?;
        let mut result = Struct::new(u, feeler_distance_result_init)?;
        if checked(unsafe { feeler_pair_distance(pair, params.pointer(), result.pointer()) }) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(result.lower >= 0.0 && result.lower <= result.upper, "{} {}", result.lower, result.upper);
                assert!(is_finite(&result.point_a) && is_finite(&result.point_b) && is_finite(&result.normal));
            }
        } else {
            result.check_unchanged();
        }
        Ok(())
    }

    fn tolerance(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let mut params = Struct::new(u, feeler_tolerance_params_init)?;
        let mut result = Struct::new(u, feeler_tolerance_result_init)?;
        if checked(unsafe { feeler_pair_tolerance(pair, params.pointer(), result.pointer()) }) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(result.lower >= 0.0 && result.lower <= result.upper, "{} {}", result.lower, result.upper);
                assert!(is_finite(&result.point_a) && is_finite(&result.point_b) && is_finite(&result.normal));
            }
        } else {
            result.check_unchanged();
        }
        Ok(())
    }

    fn local_minima(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let mut params = Struct::new(u, feeler_minima_params_init)?;
        let mut result = Struct::new(u, feeler_contacts_result_init)?;
        let mut out = Answers::<feeler_minimum>::new(capacity(u)?);
        let status =
            unsafe { feeler_pair_local_minima(pair, params.pointer(), out.pointer(), out.capacity, result.pointer()) };
        if checked(status) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(result.written <= result.found && result.complete <= 1);
                for minimum in out.items(result.written as usize) {
                    let contact = &minimum.contact;
                    assert!(contact.distance >= 0.0 && is_finite(&contact.point_a) && is_finite(&contact.normal));
                    assert!(is_finite(&minimum.barycentric_a) && is_finite(&minimum.barycentric_b));
                    assert!(minimum.merged >= 1 && minimum.reserved == 0);
                }
            }
        } else {
            result.check_unchanged();
            out.check_unchanged();
        }
        Ok(())
    }

    fn sweep(&mut self, u: &mut Unstructured) -> Result<()> {
        let pair = self.pair(u)?;
        let (a, b) = (transform(u)?, transform(u)?);
        let mut params = Struct::new(u, feeler_sweep_params_init)?;
        if u.ratio(7, 8u8)? {
            let tolerance = numbers::length(u)?;
            params.set(offset_of!(feeler_sweep_params, tolerance), &tolerance.to_le_bytes());
        }
        // Always a budget: a tolerance that is small against the way is a question of any length.
        params.set(offset_of!(feeler_sweep_params, max_work), &(1 + u64::from(u.arbitrary::<u16>()?)).to_le_bytes());
        let mut result = Struct::new(u, feeler_sweep_result_init)?;
        let (a, b) = (or_null(u, &a)?, or_null(u, &b)?);
        if checked(unsafe { feeler_pair_sweep(pair, a, b, params.pointer(), result.pointer()) }) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(0.0 <= result.time_free && result.time_free <= result.time_hit && result.time_hit <= 1.0);
                assert!(result.hit <= result.complete && is_finite(&result.point_a) && is_finite(&result.normal));
            }
        } else {
            result.check_unchanged();
        }
        Ok(())
    }

    fn closest_point(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let (pose, at) = (transform(u)?, point(u)?);
        let mut params = Struct::new(u, feeler_closest_params_init)?;
        let mut out = Answers::<feeler_surface_point>::new(1);
        let (pose, at) = (or_null(u, &pose)?, or_null(u, &at)?);
        let status = unsafe { feeler_model_closest_point(model, pose, at.cast(), params.pointer(), out.pointer()) };
        check_surface_points(&out, checked(status));
        Ok(())
    }

    fn closest_points(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let pose = transform(u)?;
        let count = usize::from(u.int_in_range(0..=5u8)?);
        let stride = if u.arbitrary()? { u.int_in_range(0..=40usize)? } else { 0 };
        let step = if stride == 0 { 24 } else { stride };
        let mut points = vec![0u8; 1 + count.saturating_sub(1) * step + 24];
        for k in 0..count {
            let at = point(u)?;
            for axis in 0..3 {
                points[1 + k * step + 8 * axis..][..8].copy_from_slice(&at[axis].to_le_bytes());
            }
        }
        let mut params = Struct::new(u, feeler_closest_params_init)?;
        let mut out = Answers::<feeler_surface_point>::new(count);
        let pose = or_null(u, &pose)?;
        let status = unsafe {
            let points = points[1..].as_ptr().cast();
            feeler_model_closest_points(model, pose, points, stride, count, params.pointer(), out.pointer())
        };
        check_surface_points(&out, checked(status));
        Ok(())
    }

    fn cast(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let (pose, from, to) = (transform(u)?, point(u)?, point(u)?);
        let mut params = Struct::new(u, feeler_cast_params_init)?;
        let mut result = Struct::new(u, feeler_cast_result_init)?;
        let mut out = Answers::<feeler_hit>::new(capacity(u)?);
        let (pose, from, to) = (or_null(u, &pose)?, or_null(u, &from)?, or_null(u, &to)?);
        let status = unsafe {
            let (from, to) = (from.cast(), to.cast());
            feeler_model_cast(model, pose, from, to, params.pointer(), out.pointer(), out.capacity, result.pointer())
        };
        if checked(status) {
            result.check_written();
            if let Some(result) = result.value() {
                assert!(result.written <= result.found);
                for hit in out.items(result.written as usize) {
                    assert!((0.0..=1.0).contains(&hit.time) && is_finite(&hit.point) && is_finite(&hit.normal));
                    assert!(is_finite(&hit.barycentric) && hit.feature <= FEELER_FEATURE_FACE);
                }
            }
        } else {
            result.check_unchanged();
            out.check_unchanged();
        }
        Ok(())
    }

    fn within(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let (pose, centre, radius) = (transform(u)?, point(u)?, numbers::garbage(u)?);
        let mut out = Answers::<u32>::new(capacity(u)?);
        let mut count = usize::MAX;
        let (pose, centre) = (or_null(u, &pose)?, or_null(u, &centre)?);
        let counted = if u.ratio(1, 8u8)? { null_mut() } else { &raw mut count };
        let status =
            unsafe { feeler_model_within(model, pose, centre.cast(), radius, out.pointer(), out.capacity, counted) };
        if checked(status) {
            assert!(out.items(count.min(out.capacity)).is_sorted_by(|p, q| p < q));
        } else {
            assert_eq!(count, usize::MAX);
            out.check_unchanged();
        }
        Ok(())
    }

    fn pose_between(&mut self, u: &mut Unstructured) -> Result<()> {
        let (model, _) = self.model(u)?;
        let (from, to, time) = (transform(u)?, transform(u)?, numbers::garbage(u)?);
        let to = feeler_transform { scale: if u.ratio(7, 8u8)? { from.scale } else { to.scale }, ..to };
        let mut out = Answers::<feeler_transform>::new(1);
        let (from, to) = (or_null(u, &from)?, or_null(u, &to)?);
        let is_done = checked(unsafe { feeler_model_pose_between(model, from, to, time, out.pointer()) });
        check_transform(&out, is_done);
        assert!(!checked(unsafe { feeler_model_pose_between(model, from, to, time, null_mut()) }));
        Ok(())
    }
}

fn check_surface_points(out: &Answers<feeler_surface_point>, is_done: bool) {
    if !is_done {
        return out.check_unchanged();
    }
    for found in out.items(out.capacity) {
        assert!(found.distance >= 0.0 && is_finite(&found.point) && is_finite(&found.normal));
        assert!(is_finite(&found.barycentric) && found.side <= 2 && found.complete <= 1);
        assert_eq!(found.triangle == FEELER_NO_TRIANGLE, found.distance == f64::INFINITY);
    }
}

fn check_transform(out: &Answers<feeler_transform>, is_done: bool) {
    if !is_done {
        return out.check_unchanged();
    }
    let pose = out.items(1)[0];
    assert!(is_finite(&pose.rotation) && is_finite(&pose.translation) && is_finite(&pose.scale));
}

fn make_transforms(u: &mut Unstructured) -> Result<()> {
    let mut entries = [0.0; 16];
    let pose = poses::pose(u, 1.0, true)?;
    for column in 0..3 {
        entries[4 * column..][..3].copy_from_slice(&(pose.rotation.col(column) * pose.scale[column]).to_array());
    }
    entries[12..15].copy_from_slice(&pose.translation.to_array());
    entries[15] = 1.0;
    if u.ratio(1, 4u8)? {
        entries[u.int_in_range(0..=15usize)?] = numbers::garbage(u)?;
    }
    let mut out = Answers::<feeler_transform>::new(1);
    let is_done = checked(unsafe { feeler_transform_from_matrix4_f64(entries.as_ptr(), out.pointer()) });
    check_transform(&out, is_done);
    let mut out = Answers::<feeler_transform>::new(1);
    let narrow = entries.map(|entry| entry as f32);
    let is_done = checked(unsafe { feeler_transform_from_matrix4_f32(narrow.as_ptr(), out.pointer()) });
    check_transform(&out, is_done);
    let mut out = Answers::<feeler_transform>::new(1);
    let is_done =
        checked(unsafe { feeler_transform_from_quaternion(entries.as_ptr(), entries[9..].as_ptr(), out.pointer()) });
    check_transform(&out, is_done);
    Ok(())
}
