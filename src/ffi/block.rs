//! What a handle points to: a block that starts with a word that tells its kind, and counts who needs it.
//!
//! A model lives as long as its handle, the pairs that use it and the calls that run on it. A pair lives until it is
//! destroyed. Allocations can fail here, as everywhere in the library: `Box::new` would abort.

use super::access::{Access, ModelAccess};
use super::float_environment::DefaultFloatEnvironment;
use super::guard::null_argument;
use super::structs::{feeler_model, feeler_pair};
use crate::error::{Error, Status};
use crate::model::{BuildParams, Model};
use crate::pair::Pair;
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::alloc::{Layout, alloc};

/// The first word of a living model and of a living pair. Destroying the handle clears it, so most uses of a wrong or
/// destroyed handle are noticed while its memory is still there.
const MODEL_WORD: u64 = u64::from_le_bytes(*b"feelmodl");
const PAIR_WORD: u64 = u64::from_le_bytes(*b"feelpair");

/// A value on the heap, or `OutOfMemory`.
pub(super) fn try_box<T>(value: T, what: &str) -> Result<Box<T>, Error> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: the layout has a size; the pointer is checked and then owned by the box, which frees with this layout.
    unsafe {
        let pointer = alloc(Layout::new::<T>()).cast::<T>();
        if pointer.is_null() {
            return Err(Error::out_of_memory(what));
        }
        pointer.write(value);
        Ok(Box::from_raw(pointer))
    }
}

/// Checks a handle before anything behind it is used.
///
/// # Safety
/// `handle` is NULL or points to at least eight readable bytes.
#[inline(always)]
unsafe fn checked<Handle, Block>(
    handle: *const Handle,
    word: u64,
    name: &str,
    kind: &str,
) -> Result<NonNull<Block>, Error> {
    let Some(block) = NonNull::new(handle as *mut Block) else {
        return Err(null_argument(name));
    };
    // SAFETY: the address is aligned for the word, and readable as promised; blocks start with their word. Relaxed: it may
    // lie in memory that is only readable, where other loads are not allowed. Whoever handed over the handle published
    // the block, and `Access` orders what calls do to it.
    if block.is_aligned() && unsafe { block.cast::<AtomicU64>().as_ref() }.load(Ordering::Relaxed) == word {
        return Ok(block);
    }
    Err(not_a_handle(name, kind))
}

#[cold]
fn not_a_handle(name: &str, kind: &str) -> Error {
    Error::new(Status::InvalidArgument, format_args!("{name} is not a {kind}, or was destroyed"))
}

/// What a `feeler_model` points to.
#[repr(C)]
struct ModelBlock {
    word: AtomicU64,
    /// Who needs this block: the handle, the pairs and the running calls.
    access: ModelAccess,
    /// Sides of living pairs: while there are any, the tree of a model that is not deformable must stay as it is.
    pairs: AtomicUsize,
    model: UnsafeCell<Model>,
}

/// Keeps a model alive.
struct KeptModel(NonNull<ModelBlock>);

impl KeptModel {
    /// # Safety
    /// `handle` is NULL or points to a block of this library, living or destroyed but not yet freed.
    unsafe fn from_handle(handle: *const feeler_model, name: &str) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let block: NonNull<ModelBlock> = unsafe { checked(handle, MODEL_WORD, name, "feeler_model")? };
        // SAFETY: the word says that it is a model whose handle keeps it alive.
        unsafe { block.as_ref() }.access.keep();
        Ok(Self(block))
    }

    fn block(&self) -> &ModelBlock {
        // SAFETY: this value is one of the block's keepers.
        unsafe { self.0.as_ref() }
    }

    #[cold]
    fn busy(name: &str) -> Error {
        Error::new(Status::Busy, format_args!("{name} is in use by another thread"))
    }
}

impl Drop for KeptModel {
    fn drop(&mut self) {
        if self.block().access.end_keep() {
            // SAFETY: this was the last user.
            unsafe { free(self.0) };
        }
    }
}

/// # Safety
/// Nobody uses the block any more.
#[cold]
unsafe fn free(block: NonNull<ModelBlock>) {
    // SAFETY: the block came from a box, and as promised.
    drop(unsafe { Box::from_raw(block.as_ptr()) });
}

/// A new handle for a model.
pub(super) fn new_model_handle(model: Model) -> Result<*mut feeler_model, Error> {
    let block = ModelBlock {
        word: AtomicU64::new(MODEL_WORD),
        access: ModelAccess::new(),
        pairs: AtomicUsize::new(0),
        model: UnsafeCell::new(model),
    };
    Ok(Box::into_raw(try_box(block, "model")?).cast())
}

/// Destroys a handle. The model stays while pairs or running calls need it.
///
/// # Safety
/// As `KeptModel::from_handle`.
pub(super) unsafe fn destroy_model_handle(handle: *mut feeler_model) -> Result<(), Error> {
    // SAFETY: as promised to this function.
    let kept = unsafe { KeptModel::from_handle(handle, "model")? };
    // When two threads destroy one handle, only one of them finds it alive.
    if kept.block().word.swap(0, Ordering::AcqRel) == MODEL_WORD {
        drop(KeptModel(kept.0));
    }
    Ok(())
}

/// Bytes of a model's block beyond the model itself.
pub(super) const MODEL_BLOCK_OVERHEAD: usize = size_of::<ModelBlock>() - size_of::<Model>();

/// A call reads a model, and keeps it alive.
pub(super) struct ReadModel(NonNull<ModelBlock>);

impl ReadModel {
    /// # Safety
    /// As `KeptModel::from_handle`.
    #[inline(always)]
    pub(super) unsafe fn begin(handle: *const feeler_model, name: &str) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let block: NonNull<ModelBlock> = unsafe { checked(handle, MODEL_WORD, name, "feeler_model")? };
        // SAFETY: the word says that it is a model whose handle keeps it alive.
        if unsafe { block.as_ref() }.access.try_read() { Ok(Self(block)) } else { Err(KeptModel::busy(name)) }
    }

    fn of(kept: &KeptModel, name: &str) -> Result<Self, Error> {
        if kept.block().access.try_read() { Ok(Self(kept.0)) } else { Err(KeptModel::busy(name)) }
    }

    #[inline(always)]
    fn block(&self) -> &ModelBlock {
        // SAFETY: this value is one of the block's users.
        unsafe { self.0.as_ref() }
    }

    /// The model for one side of a pair.
    pub(super) fn paired(&self) -> PairedModel {
        self.block().pairs.fetch_add(1, Ordering::Relaxed);
        self.block().access.keep();
        PairedModel(KeptModel(self.0))
    }
}

impl Deref for ReadModel {
    type Target = Model;
    #[inline(always)]
    fn deref(&self) -> &Model {
        // SAFETY: read access excludes writers.
        unsafe { &*self.block().model.get() }
    }
}

impl Drop for ReadModel {
    #[inline(always)]
    fn drop(&mut self) {
        if self.block().access.end_read() {
            // SAFETY: this was the last user.
            unsafe { free(self.0) };
        }
    }
}

/// A call changes a model.
pub(super) struct WriteModel(KeptModel);

impl WriteModel {
    /// Refused while anybody reads or writes the model.
    ///
    /// # Safety
    /// As `KeptModel::from_handle`.
    pub(super) unsafe fn begin(handle: *mut feeler_model, name: &str) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let kept = unsafe { KeptModel::from_handle(handle, name)? };
        if kept.block().access.try_write() { Ok(Self(kept)) } else { Err(KeptModel::busy(name)) }
    }

    /// Refused while pairs use the tree, unless they expect that it changes, and by a tree of the same kind. New pairs need
    /// read access, so the answer holds until the end of this call.
    pub(super) fn refuse_while_paired(&self, params: &BuildParams, name: &str) -> Result<(), Error> {
        // Acquire: what the last pair read happens before what this call writes.
        if self.0.block().pairs.load(Ordering::Acquire) == 0 || self.is_rebuilt_alike_by(params) {
            return Ok(());
        }
        let advice = if self.is_deformable() { ", or build with the volume and the flags that it has" } else { "" };
        let sentence = format_args!("{name} is used by a living pair, destroy that first{advice}");
        Err(Error::new(Status::Busy, sentence))
    }
}

impl Deref for WriteModel {
    type Target = Model;
    fn deref(&self) -> &Model {
        // SAFETY: write access excludes all others.
        unsafe { &*self.0.block().model.get() }
    }
}

impl DerefMut for WriteModel {
    fn deref_mut(&mut self) -> &mut Model {
        // SAFETY: write access excludes all others.
        unsafe { &mut *self.0.block().model.get() }
    }
}

impl Drop for WriteModel {
    fn drop(&mut self) {
        // A defect may have left the model half written: nobody may read it, so it stays busy.
        if !std::thread::panicking() {
            self.0.block().access.end_write();
        }
    }
}

/// The handle that a pair holds on one of its models.
pub(super) struct PairedModel(KeptModel);

impl Deref for PairedModel {
    type Target = Model;
    #[inline]
    fn deref(&self) -> &Model {
        // SAFETY: a paired model that is not deformable stays as it is; one that is changes only under write access, which
        // the read access that `UsedPair` takes excludes.
        unsafe { &*self.0.block().model.get() }
    }
}

impl Drop for PairedModel {
    fn drop(&mut self) {
        self.0.block().pairs.fetch_sub(1, Ordering::Release);
    }
}

/// What a `feeler_pair` points to.
#[repr(C)]
struct PairBlock {
    word: AtomicU64,
    access: Access,
    /// A panic ended a call. What the pair remembers may be half written, so the next call forgets it.
    interrupted: AtomicBool,
    memory: usize,
    content: UnsafeCell<Content>,
}

/// What only the user of a pair touches.
struct Content {
    /// Models whose vertices may move are read by queries under their access; the others need none, because nothing changes
    /// them while a pair lives.
    moving: [bool; 2],
    any_moving: bool,
    /// Models that the call under way reads under their access.
    reading: [bool; 2],
    pair: Pair<PairedModel>,
}

impl Content {
    fn new(pair: Pair<PairedModel>) -> Self {
        let mut content = Self { moving: [false; 2], any_moving: false, reading: [false; 2], pair };
        content.note_moving();
        content
    }

    fn note_moving(&mut self) {
        let (a, b) = self.pair.handles();
        self.moving = [a.is_deformable(), b.is_deformable()];
        self.any_moving = self.moving != [false; 2];
    }
}

impl PairBlock {
    /// # Safety
    /// `handle` is NULL or points to a pair of this library that is not freed during `'a`.
    #[inline(always)]
    unsafe fn from_handle<'a>(handle: *const feeler_pair) -> Result<&'a Self, Error> {
        // SAFETY: as promised to this function.
        Ok(unsafe { checked::<_, Self>(handle, PAIR_WORD, "pair", "feeler_pair")?.as_ref() })
    }

    #[cold]
    fn busy() -> Error {
        Error::new(Status::Busy, format_args!("pair is in use by another thread"))
    }
}

/// A new handle for a pair of two models that are being read.
pub(super) fn new_pair_handle(
    a: &ReadModel,
    b: &ReadModel,
    create: impl FnOnce(PairedModel, PairedModel) -> Result<Pair<PairedModel>, Error>,
) -> Result<*mut feeler_pair, Error> {
    let pair = create(a.paired(), b.paired())?;
    let block = PairBlock {
        word: AtomicU64::new(PAIR_WORD),
        access: Access::new(),
        interrupted: AtomicBool::new(false),
        memory: pair.memory() + size_of::<PairBlock>() - size_of::<Pair<PairedModel>>(),
        content: UnsafeCell::new(Content::new(pair)),
    };
    Ok(Box::into_raw(try_box(block, "pair")?).cast())
}

/// Frees a pair, unless another thread is using it.
///
/// # Safety
/// As `PairBlock::from_handle`.
pub(super) unsafe fn destroy_pair_handle(handle: *mut feeler_pair) -> Result<(), Error> {
    // SAFETY: as promised to this function.
    let block = unsafe { PairBlock::from_handle(handle)? };
    if !block.access.try_write() {
        return Err(PairBlock::busy());
    }
    block.word.store(0, Ordering::Release);
    // SAFETY: nobody else uses the pair, and its block came from a box.
    drop(unsafe { Box::from_raw(handle.cast::<PairBlock>()) });
    Ok(())
}

/// Memory of a pair in bytes. It is fixed at creation, so no access is needed.
///
/// # Safety
/// As `PairBlock::from_handle`.
pub(super) unsafe fn pair_memory(handle: *const feeler_pair) -> Result<usize, Error> {
    // SAFETY: as promised to this function.
    Ok(unsafe { PairBlock::from_handle(handle)? }.memory)
}

/// A call that uses a pair alone, in the default floating-point environment. It reads those models of the pair that may
/// move.
pub(super) struct UsedPair<'a> {
    block: &'a PairBlock,
    _environment: DefaultFloatEnvironment,
}

impl UsedPair<'_> {
    /// Refuses while another thread uses the pair or changes one of its models.
    ///
    /// # Safety
    /// As `PairBlock::from_handle`.
    #[inline(always)]
    pub(super) unsafe fn begin(handle: *mut feeler_pair) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let mut used = unsafe { Self::begin_alone(handle)? };
        if used.content().any_moving {
            used.begin_reading()?;
        }
        Ok(used)
    }

    /// `begin` for a query: the pair knows its models as they are now.
    ///
    /// # Safety
    /// As `PairBlock::from_handle`.
    #[inline(always)]
    pub(super) unsafe fn begin_query(handle: *mut feeler_pair) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let mut used = unsafe { Self::begin_alone(handle)? };
        if used.content().any_moving {
            used.begin_reading_and_follow()?;
        }
        Ok(used)
    }

    /// The pair alone, without its models.
    ///
    /// # Safety
    /// As `PairBlock::from_handle`.
    #[inline(always)]
    unsafe fn begin_alone(handle: *mut feeler_pair) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let block = unsafe { PairBlock::from_handle(handle)? };
        if !block.access.try_write() {
            return Err(PairBlock::busy());
        }
        // After the lock: that waits for all stores before it, and reading the environment is a slow one.
        let mut used = Self { block, _environment: DefaultFloatEnvironment::enter() };
        // Looking costs less than swapping, and it is hardly ever set.
        if block.interrupted.load(Ordering::Relaxed) {
            used.forget_what_was_interrupted();
        }
        Ok(used)
    }

    #[inline(always)]
    fn content(&self) -> &Content {
        // SAFETY: write access excludes all others.
        unsafe { &*self.block.content.get() }
    }

    #[inline(always)]
    fn content_mut(&mut self) -> &mut Content {
        // SAFETY: write access excludes all others.
        unsafe { &mut *self.block.content.get() }
    }

    /// Read access to the models that may move; what was granted ends with this value.
    #[cold]
    fn begin_reading(&mut self) -> Result<(), Error> {
        let moving = self.content().moving;
        for (side, name) in [(0, "model a of pair"), (1, "model b of pair")] {
            if moving[side] {
                if !self.side(side).block().access.try_read() {
                    return Err(KeptModel::busy(name));
                }
                self.content_mut().reading[side] = true;
            }
        }
        Ok(())
    }

    #[cold]
    fn begin_reading_and_follow(&mut self) -> Result<(), Error> {
        self.begin_reading()?;
        self.follow_models()
    }

    fn side(&self, side: usize) -> &KeptModel {
        let (a, b) = self.content().pair.handles();
        if side == 0 { &a.0 } else { &b.0 }
    }

    #[cold]
    fn end_reading(&mut self) {
        for side in 0..2 {
            if core::mem::take(&mut self.content_mut().reading[side]) {
                // The pair keeps the model.
                let _ = self.side(side).block().access.end_read();
            }
        }
    }

    #[cold]
    fn forget_what_was_interrupted(&mut self) {
        self.block.interrupted.store(false, Ordering::Relaxed);
        self.reset();
    }
}

/// Makes a pair ask about other models; `None` keeps one.
///
/// # Safety
/// As `PairBlock::from_handle`.
pub(super) unsafe fn set_models(
    handle: *mut feeler_pair,
    a: Option<&ReadModel>,
    b: Option<&ReadModel>,
) -> Result<(), Error> {
    // SAFETY: as promised to this function.
    let mut used = unsafe { UsedPair::begin_alone(handle)? };
    // The models that go need no access: somebody may be writing to them already. Those that stay are read.
    let _kept_a = if a.is_none() { Some(ReadModel::of(used.side(0), "model a of pair")?) } else { None };
    let _kept_b = if b.is_none() { Some(ReadModel::of(used.side(1), "model b of pair")?) } else { None };
    used.set_models(a.map(ReadModel::paired), b.map(ReadModel::paired))?;
    used.content_mut().note_moving();
    Ok(())
}

impl Deref for UsedPair<'_> {
    type Target = Pair<PairedModel>;
    #[inline]
    fn deref(&self) -> &Pair<PairedModel> {
        &self.content().pair
    }
}

impl DerefMut for UsedPair<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Pair<PairedModel> {
        &mut self.content_mut().pair
    }
}

impl Drop for UsedPair<'_> {
    #[inline]
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.block.interrupted.store(true, Ordering::Relaxed);
        }
        if self.content().reading != [false; 2] {
            self.end_reading();
        }
        self.block.access.end_write();
    }
}

/// A call that reads a pair, together with other readers.
pub(super) struct ReadPair<'a>(&'a PairBlock);

impl ReadPair<'_> {
    /// # Safety
    /// As `PairBlock::from_handle`.
    pub(super) unsafe fn begin(handle: *const feeler_pair) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        let block = unsafe { PairBlock::from_handle(handle)? };
        if block.access.try_read() { Ok(Self(block)) } else { Err(PairBlock::busy()) }
    }
}

impl Deref for ReadPair<'_> {
    type Target = Pair<PairedModel>;
    fn deref(&self) -> &Pair<PairedModel> {
        // SAFETY: read access excludes writers.
        unsafe { &(*self.0.content.get()).pair }
    }
}

impl Drop for ReadPair<'_> {
    fn drop(&mut self) {
        self.0.access.end_read();
    }
}

#[cfg(test)]
mod tests {
    use super::super::constants::{FEELER_STATUS_BUSY, FEELER_STATUS_INTERNAL, FEELER_STATUS_OK};
    use super::super::guard::guard;
    use super::super::model::{feeler_model_build, feeler_model_destroy};
    use super::super::pair::{feeler_pair_destroy, feeler_pair_get_counters};
    use super::super::query::feeler_pair_distance;
    use super::super::structs::{feeler_counters, feeler_distance_result};
    use super::*;
    use crate::ffi::growing::Growing;
    use glam::DVec3;

    fn built_model(deformable: bool) -> *mut feeler_model {
        let mut model = Model::new(&(&[DVec3::ZERO, DVec3::X, DVec3::Y][..], &[[0, 1, 2]][..])).unwrap();
        model.build(&BuildParams { deformable, ..Default::default() }).unwrap();
        new_model_handle(model).unwrap()
    }

    /// # Safety
    /// A handle made by `built_model`.
    unsafe fn pair_of(model: *mut feeler_model) -> *mut feeler_pair {
        // SAFETY: as promised to this function.
        let model = unsafe { ReadModel::begin(model, "model") }.ok().unwrap();
        new_pair_handle(&model, &model, Pair::new).unwrap()
    }

    #[test]
    fn a_panic_gives_the_pair_back_and_makes_it_forget() {
        let (model, mut result, mut counters) =
            (built_model(false), feeler_distance_result::DEFAULT, feeler_counters::DEFAULT);
        // SAFETY: handles and structs of this test.
        unsafe {
            let pair = pair_of(model);
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_OK);
            let panicking = || {
                let mut used = UsedPair::begin(pair)?;
                used.collide(&Default::default());
                panic!("in the middle of a query")
            };
            assert_eq!(guard(panicking), FEELER_STATUS_INTERNAL);
            assert!(PairBlock::from_handle(pair).unwrap().interrupted.load(Ordering::Relaxed));
            drop(UsedPair::begin(pair).ok().unwrap());
            assert!(!PairBlock::from_handle(pair).unwrap().interrupted.load(Ordering::Relaxed));
            assert_eq!(feeler_pair_get_counters(pair, &mut counters), FEELER_STATUS_OK);
            assert_eq!(counters.work, 0, "the counters of the interrupted query are forgotten");
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_OK);
            feeler_pair_destroy(pair);
            feeler_model_destroy(model);
        }
    }

    #[test]
    fn a_used_pair_is_neither_asked_nor_destroyed() {
        let (model, mut result, mut counters) =
            (built_model(false), feeler_distance_result::DEFAULT, feeler_counters::DEFAULT);
        // SAFETY: handles and structs of this test.
        unsafe {
            let pair = pair_of(model);
            let used = UsedPair::begin(pair).ok().unwrap();
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_BUSY);
            assert_eq!(feeler_pair_get_counters(pair, &mut counters), FEELER_STATUS_BUSY);
            assert_eq!(destroy_pair_handle(pair).unwrap_err().status, Status::Busy);
            drop(used);
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_OK);
            let readers = (ReadPair::begin(pair).ok().unwrap(), ReadPair::begin(pair).ok().unwrap());
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_BUSY);
            drop(readers);
            feeler_pair_destroy(pair);
            feeler_model_destroy(model);
        }
    }

    #[test]
    fn a_deformable_model_is_read_or_written() {
        let (model, mut result) = (built_model(true), feeler_distance_result::DEFAULT);
        // SAFETY: handles and structs of this test.
        unsafe {
            let pair = pair_of(model);
            let used = UsedPair::begin(pair).ok().unwrap();
            let error = WriteModel::begin(model, "model").err().unwrap();
            assert_eq!((error.status, &error.message[..]), (Status::Busy, "model is in use by another thread"));
            drop(used);
            let written = WriteModel::begin(model, "model").ok().unwrap();
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_BUSY);
            drop(written);
            // The refused query released what it had locked.
            assert_eq!(feeler_pair_distance(pair, ptr_null(), &mut result), FEELER_STATUS_OK);
            assert!(WriteModel::begin(model, "model").is_ok());
            assert_eq!(feeler_model_build(model, ptr_null()), FEELER_STATUS_BUSY);
            feeler_pair_destroy(pair);
            assert_eq!(feeler_model_build(model, ptr_null()), FEELER_STATUS_OK);
            feeler_model_destroy(model);
        }
    }

    #[test]
    fn a_model_outlives_its_handle_while_a_call_runs() {
        let model = built_model(false);
        // SAFETY: handles of this test; the block lives as long as `reading`.
        unsafe {
            let reading = ReadModel::begin(model, "model").ok().unwrap();
            feeler_model_destroy(model);
            assert_eq!(reading.triangle_count(), 1);
            assert_eq!(destroy_model_handle(model).unwrap_err().status, Status::InvalidArgument);
            assert!(!reading.block().access.try_write());
        }
    }

    fn ptr_null<T>() -> *const T {
        core::ptr::null()
    }
}
