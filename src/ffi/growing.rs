//! Structs that grow between versions. Their size comes first and they are copied byte by byte. The older side, caller
//! or library, decides how many bytes are copied. No Rust reference to the caller's memory is ever made.

use super::guard::null_argument;
use super::structs::*;
use crate::error::{Error, Status};
use core::ptr;

/// No struct of any version is larger, so an uninitialised size is noticed.
const LARGEST_SIZE: usize = 4096;

/// A struct of the header that starts with `struct_size`.
///
/// # Safety
/// The type is `repr(C)`, has no padding, starts with its size as a `u32`, and every bit pattern is a value of it.
pub(super) unsafe trait Growing: Copy {
    /// The size in version 0.1: the smallest that any caller passes.
    const FIRST_SIZE: usize;
    /// What `feeler_<struct>_init` writes, apart from `struct_size`.
    const DEFAULT: Self;
}

/// Writes the defaults of `T` and the size to the caller's struct. Bytes beyond our `T` become 0.
///
/// # Safety
/// `destination` is NULL or points to `size` writable bytes.
pub(super) unsafe fn initialise<T: Growing>(destination: *mut T, size: usize, name: &str) -> Result<(), Error> {
    if destination.is_null() {
        return Err(null_argument(name));
    }
    check_size::<T>(size, name, "size")?;
    if size == size_of::<T>() {
        // The common case. With a size known at compile time it is a few stores, and programs do it before every query.
        // SAFETY: `size` writable bytes, which is what a `T` needs; the pointer may be unaligned.
        unsafe { destination.write_unaligned(T::DEFAULT) };
        return Ok(());
    }
    let bytes = destination.cast::<u8>();
    let known = size.min(size_of::<T>());
    let default = T::DEFAULT;
    let stated_size = size as u32;
    // SAFETY: `known` bytes lie in our default and in the caller's struct, the rest up to `size` in the caller's;
    // the size itself takes the first four.
    unsafe {
        ptr::copy_nonoverlapping((&raw const default).cast::<u8>(), bytes, known);
        ptr::write_bytes(bytes.add(known), 0, size - known);
        ptr::copy_nonoverlapping((&raw const stated_size).cast::<u8>(), bytes, size_of::<u32>());
    }
    Ok(())
}

/// Copies a struct in. Fields that an older caller does not know get their defaults.
///
/// # Safety
/// `source` is NULL or points to a struct whose first four bytes say how many bytes are readable.
#[inline(always)]
pub(super) unsafe fn read<T: Growing>(source: *const T, name: &str) -> Result<T, Error> {
    if source.is_null() {
        return Err(null_argument(name));
    }
    let bytes = source.cast::<u8>();
    // SAFETY: the caller's struct starts with its size; the cast pointer may be unaligned.
    let size = unsafe { ptr::read_unaligned(bytes.cast::<u32>()) } as usize;
    check_size::<T>(size, name, "struct_size")?;
    let mut value = T::DEFAULT;
    // SAFETY: the smaller of the two sizes lies in both, and every bit pattern is a value of `T`.
    unsafe { ptr::copy_nonoverlapping(bytes, (&raw mut value).cast::<u8>(), size.min(size_of::<T>())) };
    for offset in size_of::<T>()..size {
        // SAFETY: the offset is below the size that the caller stated.
        if unsafe { bytes.add(offset).read() } != 0 {
            return Err(unknown_byte(offset, name));
        }
    }
    Ok(value)
}

/// As `read`, but NULL means defaults.
///
/// # Safety
/// As `read`.
#[inline(always)]
pub(super) unsafe fn read_or_default<T: Growing>(source: *const T, name: &str) -> Result<T, Error> {
    // SAFETY: as promised to this function.
    if source.is_null() { Ok(T::DEFAULT) } else { unsafe { read(source, name) } }
}

/// The caller's struct for an answer, checked before anything is computed.
pub(super) struct Output<T> {
    destination: *mut T,
    size: usize,
}

impl<T: Growing> Output<T> {
    /// # Safety
    /// `destination` is NULL or points to a struct whose first four bytes say how many bytes are writable, and it
    /// stays so until `write`.
    #[inline(always)]
    pub(super) unsafe fn checked(destination: *mut T, name: &str) -> Result<Self, Error> {
        if destination.is_null() {
            return Err(null_argument(name));
        }
        // SAFETY: the caller's struct starts with its size; the cast pointer may be unaligned.
        let size = unsafe { ptr::read_unaligned(destination.cast::<u32>()) } as usize;
        check_size::<T>(size, name, "struct_size")?;
        Ok(Self { destination, size })
    }

    /// Writes the fields that both sides know. The size stays the caller's.
    #[inline(always)]
    pub(super) fn write(self, value: T) {
        // With a size known at compile time, fields go from registers to their place without a `memcpy`.
        if self.size >= size_of::<T>() { self.write_first(&value, size_of::<T>()) } else { self.write_old(value) }
    }

    #[cold]
    fn write_old(self, value: T) {
        self.write_first(&value, self.size);
    }

    /// Writes the first `known` bytes, except the size. `known` is at most what both sides have.
    #[inline(always)]
    fn write_first(&self, value: &T, known: usize) {
        const SIZE_FIELD: usize = size_of::<u32>();
        // SAFETY: the bytes from the size field to `known` lie in `value` and, as promised, in the caller's struct.
        unsafe {
            let from = (&raw const *value).cast::<u8>().add(SIZE_FIELD);
            ptr::copy_nonoverlapping(from, self.destination.cast::<u8>().add(SIZE_FIELD), known - SIZE_FIELD);
        }
    }
}

#[inline(always)]
fn check_size<T: Growing>(size: usize, name: &str, field: &str) -> Result<(), Error> {
    if (T::FIRST_SIZE..=LARGEST_SIZE).contains(&size) {
        Ok(())
    } else {
        Err(wrong_size(size, T::FIRST_SIZE, name, field))
    }
}

#[cold]
fn wrong_size(size: usize, first: usize, name: &str, field: &str) -> Error {
    Error::new(
        Status::InvalidStruct,
        format_args!("{name}: {field} {size} is not within {first} to {LARGEST_SIZE}; was the struct initialised?"),
    )
}

#[cold]
fn unknown_byte(offset: usize, name: &str) -> Error {
    Error::new(
        Status::Unsupported,
        format_args!("{name} has a non-zero byte at offset {offset}, in a field that this version does not know"),
    )
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_mesh {
    const FIRST_SIZE: usize = 16 + 5 * size_of::<usize>();
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        scalar: super::constants::FEELER_SCALAR_F32,
        flags: 0,
        reserved: 0,
        vertices: ptr::null(),
        vertex_count: 0,
        vertex_stride: 0,
        indices: ptr::null(),
        triangle_count: 0,
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_build_params {
    const FIRST_SIZE: usize = 32;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        flags: 0,
        volume: crate::model::VolumeKind::Obb as u32,
        quality: super::constants::FEELER_QUALITY_HIGH,
        split: super::constants::FEELER_SPLIT_AUTO,
        threads: 0,
        hybrid_selection: super::constants::FEELER_HYBRID_STATIC,
        reserved: 0,
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_model_info {
    const FIRST_SIZE: usize = 112;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        volume: 0,
        depth: 0,
        flags: 0,
        triangle_count: 0,
        degenerate_count: 0,
        node_count: 0,
        memory_bytes: 0,
        bounds_min: [0.0; 3],
        bounds_max: [0.0; 3],
        build_seconds: 0.0,
        refit_quality: 0.0,
        boundary_edges: 0,
        nonmanifold_edges: 0,
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_pair_params {
    const FIRST_SIZE: usize = 16;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, flags: 0, max_queue: 0, max_front: 0 };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_collide_params {
    const FIRST_SIZE: usize = 16;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0 };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_contacts_params {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0, margin: 0.0 };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_distance_params {
    const FIRST_SIZE: usize = 48;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        flags: 0,
        max_work: 0,
        relative_error: 0.0,
        absolute_error: 0.0,
        max_distance: f64::INFINITY,
        search: super::constants::FEELER_SEARCH_AUTO,
        reserved: 0,
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_tolerance_params {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0, tolerance: 0.0 };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_collide_result {
    const FIRST_SIZE: usize = 48;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        complete: 0,
        colliding: 0,
        triangle_a: super::constants::FEELER_NO_TRIANGLE,
        triangle_b: super::constants::FEELER_NO_TRIANGLE,
        reserved: 0,
        point: [0.0; 3],
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_contacts_result {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, complete: 0, found: 0, written: 0 };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_distance_result {
    const FIRST_SIZE: usize = 104;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        complete: 0,
        lower: 0.0,
        upper: f64::INFINITY,
        point_a: [0.0; 3],
        point_b: [0.0; 3],
        normal: [0.0; 3],
        triangle_a: super::constants::FEELER_NO_TRIANGLE,
        triangle_b: super::constants::FEELER_NO_TRIANGLE,
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_tolerance_result {
    const FIRST_SIZE: usize = 112;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        complete: 0,
        closer: 0,
        reserved: 0,
        lower: 0.0,
        upper: f64::INFINITY,
        point_a: [0.0; 3],
        point_b: [0.0; 3],
        normal: [0.0; 3],
        triangle_a: super::constants::FEELER_NO_TRIANGLE,
        triangle_b: super::constants::FEELER_NO_TRIANGLE,
    };
}

// SAFETY: `layout` asserts the size and the offsets, which leave no padding. All fields are numbers or raw pointers.
unsafe impl Growing for feeler_counters {
    const FIRST_SIZE: usize = 80;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        reserved: 0,
        expansions: 0,
        volume_tests: 0,
        cheap_tests: 0,
        triangle_tests: 0,
        robust_tests: 0,
        front_tests: 0,
        front_updates: 0,
        front_rebuilds: 0,
        work: 0,
    };
}

// SAFETY: repr(C), starts with `struct_size`, without padding, every pattern of bytes is a value.
unsafe impl Growing for feeler_closest_params {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self =
        Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0, max_distance: f64::INFINITY };
}

// SAFETY: repr(C), starts with `struct_size`, without padding, every pattern of bytes is a value.
unsafe impl Growing for feeler_cast_params {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0, radius: 0.0 };
}

// SAFETY: repr(C), starts with `struct_size`, without padding, every pattern of bytes is a value.
unsafe impl Growing for feeler_cast_result {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, complete: 0, found: 0, written: 0 };
}

// SAFETY: repr(C), starts with `struct_size`, without padding, every pattern of bytes is a value.
unsafe impl Growing for feeler_minima_params {
    const FIRST_SIZE: usize = 32;
    const DEFAULT: Self =
        Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0, margin: 0.0, merge_distance: 0.0 };
}

// SAFETY: repr(C), starts with `struct_size`, without padding, every pattern of bytes is a value.
unsafe impl Growing for feeler_sweep_params {
    const FIRST_SIZE: usize = 24;
    const DEFAULT: Self = Self { struct_size: size_of::<Self>() as u32, flags: 0, max_work: 0, tolerance: 0.0 };
}

// SAFETY: repr(C), starts with `struct_size`, without padding, every pattern of bytes is a value.
unsafe impl Growing for feeler_sweep_result {
    const FIRST_SIZE: usize = 112;
    const DEFAULT: Self = Self {
        struct_size: size_of::<Self>() as u32,
        complete: 0,
        hit: 0,
        reserved: 0,
        time_free: 0.0,
        time_hit: 0.0,
        point_a: [0.0; 3],
        point_b: [0.0; 3],
        normal: [0.0; 3],
        triangle_a: super::constants::FEELER_NO_TRIANGLE,
        triangle_b: super::constants::FEELER_NO_TRIANGLE,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct as a later version of the library knows it: 16 bytes in version 0.1, two fields more now.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Grown {
        struct_size: u32,
        flags: u32,
        work: u64,
        factor: f64,
        count: u64,
    }

    // SAFETY: integers and floats, naturally aligned.
    unsafe impl Growing for Grown {
        const FIRST_SIZE: usize = 16;
        const DEFAULT: Self = Self { struct_size: 32, flags: 0, work: 0, factor: 2.5, count: 9 };
    }

    /// What a client of version 0.1 was compiled with, and what lies behind it in its memory.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct OldClient {
        struct_size: u32,
        flags: u32,
        work: u64,
        behind: [u8; 16],
    }

    const OLD: OldClient = OldClient { struct_size: 16, flags: 3, work: 4, behind: [0xa5; 16] };

    #[test]
    fn an_old_client_gets_defaults_for_what_it_does_not_know() {
        let old = OLD;
        // SAFETY: 16 readable bytes as its size says.
        let read = unsafe { read((&raw const old).cast::<Grown>(), "params") }.unwrap();
        assert_eq!(read, Grown { struct_size: 16, flags: 3, work: 4, factor: 2.5, count: 9 });
    }

    #[test]
    fn nothing_is_written_behind_the_struct_of_an_old_client() {
        let mut old = OLD;
        let grown = Grown { struct_size: 32, flags: 7, work: 8, factor: 1.0, count: 1 };
        // SAFETY: 16 writable bytes as its size says.
        unsafe { Output::checked((&raw mut old).cast::<Grown>(), "result") }.ok().unwrap().write(grown);
        assert_eq!(old, OldClient { struct_size: 16, flags: 7, work: 8, behind: [0xa5; 16] });
        // SAFETY: as above.
        unsafe { initialise((&raw mut old).cast::<Grown>(), 16, "params") }.unwrap();
        assert_eq!(old, OldClient { struct_size: 16, flags: 0, work: 0, behind: [0xa5; 16] });
    }

    #[test]
    fn a_newer_client_is_understood_while_its_new_fields_are_zero() {
        let mut bytes = [0xffu8; 48];
        let pointer = bytes.as_mut_ptr().cast::<Grown>();
        // SAFETY: 48 bytes are readable and writable.
        unsafe {
            initialise(pointer, 48, "params").unwrap();
            assert_eq!(read(pointer, "params").unwrap(), Grown { struct_size: 48, ..Grown::DEFAULT });
            for offset in 32..48 {
                pointer.cast::<u8>().add(offset).write(1);
                let error = read(pointer, "params").unwrap_err();
                assert_eq!(error.status, Status::Unsupported);
                assert!(error.message.contains("params") && error.message.contains(&offset.to_string()));
                pointer.cast::<u8>().add(offset).write(0);
            }
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        let mut bytes = [0u8; 8192];
        let pointer = bytes.as_mut_ptr().cast::<Grown>();
        for (size, accepted) in [(0u32, false), (4, false), (15, false), (16, true), (4096, true), (4097, false)] {
            // SAFETY: the buffer is larger than every size that is tried.
            unsafe {
                pointer.cast::<u32>().write_unaligned(size);
                assert_eq!(read(pointer, "params").is_ok(), accepted);
                assert_eq!(Output::checked(pointer, "result").is_ok(), accepted);
                assert_eq!(initialise(pointer, size as usize, "params").is_ok(), accepted);
            }
        }
        // SAFETY: refused before anything is written.
        assert!(unsafe { initialise(pointer, usize::MAX, "params") }.is_err());
    }

    #[test]
    fn unaligned_structs_are_read_and_written() {
        let mut bytes = [0u8; 64];
        // SAFETY: 32 bytes from an odd address on.
        unsafe {
            let pointer = bytes.as_mut_ptr().add(1).cast::<Grown>();
            initialise(pointer, 32, "params").unwrap();
            assert_eq!(read(pointer, "params").unwrap(), Grown::DEFAULT);
            Output::checked(pointer, "result").ok().unwrap().write(Grown { work: 5, ..Grown::DEFAULT });
            assert_eq!(read(pointer, "params").unwrap().work, 5);
        }
    }
}
