// Counts the allocations of the calling thread: by this program, by the C++ library and by feeler.
#ifndef HAPTIC_ALLOCATIONS_HPP
#define HAPTIC_ALLOCATIONS_HPP

namespace haptic {

// Starts or stops counting the calls of this thread.
void count_allocations(bool on);
// Number of calls of malloc, calloc, realloc, free and similar functions on this thread while counting. -1 if this build
// cannot count them.
long allocations_counted();

} // namespace haptic

#endif
