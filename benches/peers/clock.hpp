// How one query is timed.
//
// The quantity wanted is the thread's CPU time per query: the machine is shared, and time spent waiting for a
// core is not the library's. But CLOCK_THREAD_CPUTIME_ID is a system call of a few hundred nanoseconds whose
// jitter is as long as a root-rejected query, and it disturbs caches and predictors right before the query.
// Two clocks solve this:
//   - cells whose mean query is below `counter_below_ns` read only the processor's time stamp counter (some
//     20 ns, fenced). Preemption shows as an outlier, which the per-pose minimum over passes removes;
//   - all others read both, the counter innermost, and take the smaller: the counter is spoiled by preemption
//     only, the CPU clock by its own jitter only.
//   - latency of the fast cells has no minimum to hide behind, so it reads both too, and trusts the counter unless
//     it exceeds the CPU clock by more than that clock's jitter: then the thread was preempted.
// The cost of the empty measurement is calibrated with the same code and subtracted from each clock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

inline std::uint64_t nanoseconds_of(clockid_t clock)
{
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
}

inline std::uint64_t thread_nanoseconds() { return nanoseconds_of(CLOCK_THREAD_CPUTIME_ID); }
inline std::uint64_t wall_nanoseconds() { return nanoseconds_of(CLOCK_MONOTONIC); }

// The fences keep the query's instructions inside the two readings.
inline std::uint64_t counter_start()
{
#if defined(__x86_64__)
    _mm_lfence();
    const std::uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#else
    return wall_nanoseconds();
#endif
}

inline std::uint64_t counter_stop()
{
#if defined(__x86_64__)
    unsigned processor;
    const std::uint64_t ticks = __rdtscp(&processor);
    _mm_lfence();
    return ticks;
#else
    return wall_nanoseconds();
#endif
}

enum class ClockKind { counter, counter_and_thread, counter_unless_preempted };

constexpr double counter_below_ns = 2000;
constexpr double preempted_beyond_ns = 1000;

class Clock {
public:
    Clock()
    {
        calibrate_rate();
        calibrate_overhead(ClockKind::counter, counter_overhead_);
        calibrate_overhead(ClockKind::counter_and_thread, thread_overhead_);
    }

    double ticks_per_ns() const { return ticks_per_ns_; }
    double counter_overhead_ns() const { return counter_overhead_ / ticks_per_ns_; }
    double thread_overhead_ns() const { return thread_overhead_; }

    template <class Query>
    double time(ClockKind kind, Query &&query) const
    {
        const Reading reading = read(kind, query);
        const double counter = std::max(0.0, reading.ticks - counter_overhead_) / ticks_per_ns_;
        if (kind == ClockKind::counter)
            return counter;
        // A coarse CPU clock may report nothing at all; the counter never does.
        const double thread = reading.thread_ns - thread_overhead_;
        if (thread <= 0)
            return counter;
        if (kind == ClockKind::counter_unless_preempted)
            return counter - thread > preempted_beyond_ns ? thread : counter;
        return std::min(counter, thread);
    }

private:
    struct Reading {
        double ticks = 0, thread_ns = 0;
    };

    template <class Query>
    static Reading read(ClockKind kind, Query &&query)
    {
        Reading reading;
        if (kind == ClockKind::counter) {
            const std::uint64_t start = counter_start();
            query();
            reading.ticks = static_cast<double>(counter_stop() - start);
        } else {
            const std::uint64_t thread_start = thread_nanoseconds();
            const std::uint64_t start = counter_start();
            query();
            reading.ticks = static_cast<double>(counter_stop() - start);
            reading.thread_ns = static_cast<double>(thread_nanoseconds() - thread_start);
        }
        return reading;
    }

    void calibrate_rate()
    {
        const std::uint64_t wall = wall_nanoseconds(), ticks = counter_start();
        while (wall_nanoseconds() - wall < 50000000u) {
        }
        ticks_per_ns_ = static_cast<double>(counter_stop() - ticks) / static_cast<double>(wall_nanoseconds() - wall);
    }

    static void calibrate_overhead(ClockKind kind, double &overhead)
    {
        std::vector<double> samples;
        for (int i = 0; i < 4001; ++i) {
            const Reading reading = read(kind, [] {});
            samples.push_back(kind == ClockKind::counter ? reading.ticks : reading.thread_ns);
        }
        std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
        overhead = samples[samples.size() / 2];
    }

    double ticks_per_ns_ = 1, counter_overhead_ = 0, thread_overhead_ = 0;
};

// One pass over the poses in order. `query(i)` is timed, `record(i)` is not. Stops early when the pass has run
// for `limit_seconds`; the number of poses done is the length of the result.
template <class Query, class Record>
std::vector<double> timed_pass(const Clock &clock, ClockKind kind, std::size_t count, double limit_seconds, Query &&query, Record &&record)
{
    std::vector<double> nanoseconds(count);  // touched before the pass: no page fault inside it
    const std::uint64_t start = counter_start();
    const double limit_ticks = limit_seconds * 1e9 * clock.ticks_per_ns();
    for (std::size_t i = 0; i < count; ++i) {
        nanoseconds[i] = clock.time(kind, [&] { query(i); });
        record(i);
        if (static_cast<double>(counter_stop() - start) > limit_ticks) {
            nanoseconds.resize(i + 1);
            break;
        }
    }
    return nanoseconds;
}
