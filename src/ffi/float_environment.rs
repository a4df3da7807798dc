//! The caller's floating-point environment: read at entry, replaced only if it differs from the default, restored at
//! the end.
//!
//! A caller may flush denormals, round in another mode or unmask exceptions. None of this may change an answer or raise
//! a signal. The exception flags that our arithmetic raises are restored, too.
//!
//! The compiler does not know that these registers change arithmetic. But it may not move loads and stores across an
//! assembly statement, and all our operands come from memory that outlives the call.

/// While this value lives, arithmetic follows IEEE 754 with its defaults.
pub(super) struct DefaultFloatEnvironment {
    found: register::Environment,
}

impl DefaultFloatEnvironment {
    #[inline]
    pub(super) fn enter() -> Self {
        let found = register::read();
        if !register::is_default(found) {
            register::write(register::DEFAULT);
        }
        Self { found }
    }
}

impl Drop for DefaultFloatEnvironment {
    #[inline]
    fn drop(&mut self) {
        register::restore(self.found);
    }
}

#[cfg(target_arch = "x86_64")]
mod register {
    use core::arch::asm;

    /// MXCSR: exception flags in bits 0-5, denormals are zero 6, masks 7-12, rounding 13-14, flush to zero 15. A whole word, because it is
    /// moved together with others: processors wait long for a load of bytes that were stored in two pieces.
    pub(super) type Environment = u64;

    const FLAGS: Environment = 0x3f;
    /// All exceptions masked, round to nearest, denormals kept, no flag raised.
    pub(super) const DEFAULT: Environment = 0x1f80;

    #[inline]
    pub(super) fn is_default(found: Environment) -> bool {
        found & !FLAGS == DEFAULT
    }

    #[inline]
    pub(super) fn read() -> Environment {
        let mut value = 0u32;
        // SAFETY: SSE is part of x86_64; the instruction writes four bytes to `value`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value.into()
    }

    #[inline]
    pub(super) fn write(value: Environment) {
        let value = value as u32;
        // SAFETY: the value is the default or was read from this register, so no reserved bit is set. The exception flags
        // are part of the register, so the compiler is not promised that flags are preserved.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack)) };
    }

    /// Reading waits for all earlier arithmetic, which takes longer than writing the same value again.
    #[inline]
    pub(super) fn restore(found: Environment) {
        write(found);
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    use core::arch::asm;

    /// FPCR (rounding, flushing, traps) and FPSR (the flags raised so far).
    pub(super) type Environment = (u64, u64);

    pub(super) const DEFAULT: Environment = (0, 0);

    #[inline]
    pub(super) fn is_default(found: Environment) -> bool {
        found.0 == DEFAULT.0
    }

    #[inline]
    pub(super) fn read() -> Environment {
        let (control, status): (u64, u64);
        // SAFETY: both registers are readable at every privilege level.
        unsafe {
            asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) status, options(nostack, preserves_flags));
        }
        (control, status)
    }

    #[inline]
    pub(super) fn write((control, status): Environment) {
        // SAFETY: the values are the defaults or were read from these registers. The exception flags change, so the
        // compiler is not promised that flags are preserved.
        unsafe { asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) status, options(nostack)) };
    }

    /// Writing the control register stalls the processor, so it is written only if it differs.
    #[inline]
    pub(super) fn restore(found: Environment) {
        if read() != found {
            write(found);
        }
    }
}

/// Other machines: the environment stays as it is.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    pub(super) type Environment = ();
    pub(super) const DEFAULT: Environment = ();

    pub(super) fn is_default(_: Environment) -> bool {
        true
    }
    pub(super) fn read() -> Environment {}
    pub(super) fn write(_: Environment) {}
    pub(super) fn restore(_: Environment) {}
}
