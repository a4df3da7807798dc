// Counts what the calling thread allocates and frees, whoever asks for it: this program, the C++ library or feeler.
#ifndef HAPTIC_ALLOCATIONS_HPP
#define HAPTIC_ALLOCATIONS_HPP

namespace haptic {

// From now on, or no longer, count the calls of this thread.
void count_allocations(bool on);
// Calls of malloc, calloc, realloc, free and their relatives on this thread while counting; -1 when they cannot be
// counted in this build.
long allocations_counted();

} // namespace haptic

#endif
