#include "allocations.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

// The functions below replace those of the C library for the whole program, shared libraries included. They are left
// out with sanitizers, which replace them, too, and with C libraries that do not export the original functions.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAPTIC_SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(HAPTIC_SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HAPTIC_COUNTS_ALLOCATIONS
#endif

namespace {
[[maybe_unused]] thread_local bool counting = false;
[[maybe_unused]] thread_local long counted = 0;
} // namespace

#ifdef HAPTIC_COUNTS_ALLOCATIONS
extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *block, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void *block);

void *malloc(std::size_t size) noexcept {
    counted += counting;
    return __libc_malloc(size);
}
void *calloc(std::size_t count, std::size_t size) noexcept {
    counted += counting;
    return __libc_calloc(count, size);
}
void *realloc(void *block, std::size_t size) noexcept {
    counted += counting;
    return __libc_realloc(block, size);
}
void *memalign(std::size_t alignment, std::size_t size) noexcept {
    counted += counting;
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    counted += counting;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void **out, std::size_t alignment, std::size_t size) noexcept {
    counted += counting;
    void *block = __libc_memalign(alignment, size);
    if (block == nullptr) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}
void free(void *block) noexcept {
    counted += counting;
    __libc_free(block);
}
}
#endif

namespace haptic {

void count_allocations(bool on) { counting = on; }

long allocations_counted() {
#ifdef HAPTIC_COUNTS_ALLOCATIONS
    return counted;
#else
    return -1;
#endif
}

} // namespace haptic
