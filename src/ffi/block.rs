//! What a handle points to: a block that starts with a word that tells its kind, and counts who needs it.
//!
//! A model lives as long as its handle, the pairs that use it and the calls that run on it. A pair lives until it is
//! destroyed. Allocations can fail here, as everywhere in the library: `Box::new` would abort.

use super::access::Access;
use super::float_environment::DefaultFloatEnvironment;
use super::guard::null_argument;
use super::structs::{feeler_model, feeler_pair};
use crate::error::{Error, Status};
use crate::model::Model;
use crate::pair::Pair;
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
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
    /// Number of users of this block: the handle, the pairs and the running calls.
    keepers: AtomicUsize,
    /// Number of sides of living pairs that use the model. While it is not 0, the tree must stay as it is.
    pairs: AtomicUsize,
    access: Access,
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
        unsafe { block.as_ref() }.keepers.fetch_add(1, Ordering::Relaxed);
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

impl Clone for KeptModel {
    fn clone(&self) -> Self {
        self.block().keepers.fetch_add(1, Ordering::Relaxed);
        Self(self.0)
    }
}

impl Drop for KeptModel {
    fn drop(&mut self) {
        if self.block().keepers.fetch_sub(1, Ordering::Release) == 1 {
            // Acquire: the block is freed after everything that the other users did.
            fence(Ordering::Acquire);
            // SAFETY: this was the last keeper, and the block came from a box.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

/// A new handle for a model.
pub(super) fn new_model_handle(model: Model) -> Result<*mut feeler_model, Error> {
    let block = ModelBlock {
        word: AtomicU64::new(MODEL_WORD),
        keepers: AtomicUsize::new(1),
        pairs: AtomicUsize::new(0),
        access: Access::new(),
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

/// A call reads a model.
pub(super) struct ReadModel(KeptModel);

impl ReadModel {
    /// # Safety
    /// As `KeptModel::from_handle`.
    pub(super) unsafe fn begin(handle: *const feeler_model, name: &str) -> Result<Self, Error> {
        // SAFETY: as promised to this function.
        Self::of(unsafe { KeptModel::from_handle(handle, name)? }, name)
    }

    fn of(kept: KeptModel, name: &str) -> Result<Self, Error> {
        if kept.block().access.try_read() { Ok(Self(kept)) } else { Err(KeptModel::busy(name)) }
    }

    /// The model for one side of a pair.
    pub(super) fn paired(&self) -> PairedModel {
        self.0.block().pairs.fetch_add(1, Ordering::Relaxed);
        PairedModel(self.0.clone())
    }

    /// The model for a pair that must lock it during queries, because its vertices may move.
    fn moving(&self) -> Option<KeptModel> {
        self.is_deformable().then(|| self.0.clone())
    }
}

impl Deref for ReadModel {
    type Target = Model;
    fn deref(&self) -> &Model {
        // SAFETY: read access excludes writers.
        unsafe { &*self.0.block().model.get() }
    }
}

impl Drop for ReadModel {
    fn drop(&mut self) {
        self.0.block().access.end_read();
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

    /// Refuses while pairs use the tree. A new pair needs read access, so the answer holds until this call ends.
    pub(super) fn refuse_while_paired(&self, name: &str) -> Result<(), Error> {
        // Acquire: this call writes after everything that the last pair read.
        if self.0.block().pairs.load(Ordering::Acquire) == 0 {
            return Ok(());
        }
        Err(Error::new(Status::Busy, format_args!("{name} is used by a living pair, destroy that first")))
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
        self.0.block().access.end_write();
    }
}

/// The handle that a pair holds on one of its models.
pub(super) struct PairedModel(KeptModel);

impl Deref for PairedModel {
    type Target = Model;
    #[inline]
    fn deref(&self) -> &Model {
        // SAFETY: a paired model is not built; the vertices of a deformable one are not updated while a query holds
        // the read access that `UsedPair` takes.
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
    /// The models whose vertices may move; queries lock them. Nothing changes the other models while a pair lives, so
    /// they need no lock.
    moving: [Option<KeptModel>; 2],
    any_moving: bool,
    pair: UnsafeCell<Pair<PairedModel>>,
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
        moving: [a.moving(), b.moving()],
        any_moving: a.is_deformable() || b.is_deformable(),
        pair: UnsafeCell::new(pair),
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
        let block = unsafe { PairBlock::from_handle(handle)? };
        if !block.access.try_write() {
            return Err(PairBlock::busy());
        }
        if block.any_moving {
            block.begin_reading_models().inspect_err(|_| block.access.end_write())?;
        }
        // After the lock: the lock waits for earlier stores, and reading the environment is a slow store.
        let mut used = Self { block, _environment: DefaultFloatEnvironment::enter() };
        // A load is cheaper than a swap, and the flag is hardly ever set.
        if block.interrupted.load(Ordering::Relaxed) {
            used.forget_what_was_interrupted();
        }
        Ok(used)
    }

    #[cold]
    fn forget_what_was_interrupted(&mut self) {
        self.block.interrupted.store(false, Ordering::Relaxed);
        self.reset();
    }
}

impl PairBlock {
    /// Read access to both models that may move, or to none.
    #[cold]
    fn begin_reading_models(&self) -> Result<(), Error> {
        let [a, b] = &self.moving;
        let try_read = |kept: &Option<KeptModel>| kept.as_ref().is_none_or(|kept| kept.block().access.try_read());
        if !try_read(a) {
            return Err(KeptModel::busy("model a of pair"));
        }
        if !try_read(b) {
            a.iter().for_each(|kept| kept.block().access.end_read());
            return Err(KeptModel::busy("model b of pair"));
        }
        Ok(())
    }

    #[cold]
    fn end_reading_models(&self) {
        self.moving.iter().flatten().for_each(|kept| kept.block().access.end_read());
    }
}

impl Deref for UsedPair<'_> {
    type Target = Pair<PairedModel>;
    #[inline]
    fn deref(&self) -> &Pair<PairedModel> {
        // SAFETY: write access excludes all others.
        unsafe { &*self.block.pair.get() }
    }
}

impl DerefMut for UsedPair<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Pair<PairedModel> {
        // SAFETY: write access excludes all others.
        unsafe { &mut *self.block.pair.get() }
    }
}

impl Drop for UsedPair<'_> {
    #[inline]
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.block.interrupted.store(true, Ordering::Relaxed);
        }
        if self.block.any_moving {
            self.block.end_reading_models();
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
        unsafe { &*self.0.pair.get() }
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
    use crate::model::BuildParams;
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
            assert_eq!(reading.0.block().keepers.load(Ordering::Relaxed), 1);
        }
    }

    fn ptr_null<T>() -> *const T {
        core::ptr::null()
    }
}
