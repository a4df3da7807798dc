// How long a query took: PQP's results tell it.
#ifndef FEELER_LEGACY_STOPWATCH_H
#define FEELER_LEGACY_STOPWATCH_H

#include "geometry.h"

#include <chrono>

namespace feeler_legacy {

inline double steady_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

#if defined(__GNUC__) && defined(__x86_64__)

/// The processor's counter of ticks costs a third of the system's clock. Its rate comes from comparing the two over the
/// first five milliseconds; until then the system's clock measures.
class Stopwatch {
public:
    Stopwatch() : per_tick_(rate().load(std::memory_order_relaxed)), seconds_(0.0), ticks_(0) {
        if (per_tick_ == 0.0) {
            seconds_ = steady_seconds();
            calibrate(seconds_);
        } else {
            ticks_ = __builtin_ia32_rdtsc();
        }
    }
    double seconds() const {
        if (per_tick_ == 0.0) return steady_seconds() - seconds_;
        return static_cast<double>(static_cast<std::int64_t>(__builtin_ia32_rdtsc() - ticks_)) * per_tick_;
    }

private:
    /// Both clocks at one moment. A thread that is stopped between the two readings reads again.
    struct Sample {
        double seconds;
        std::uint64_t ticks;
        Sample() : seconds(0.0), ticks(0) {
            std::uint64_t least = UINT64_MAX;
            for (int attempt = 0; attempt < 20 && least > 10000; ++attempt) {
                const std::uint64_t before = __builtin_ia32_rdtsc();
                const double read = steady_seconds();
                const std::uint64_t between = __builtin_ia32_rdtsc() - before;
                if (between >= least) continue;
                least = between;
                seconds = read;
                ticks = before + between / 2;
            }
        }
    };
    /// Seconds per tick; 0 before it is known.
    FEELER_LEGACY_SHARED static std::atomic<double> &rate() {
        static std::atomic<double> value(0.0);
        return value;
    }
    FEELER_LEGACY_SHARED static void calibrate(double seconds) {
        static const Sample start;
        if (!(seconds - start.seconds > 0.005)) return;
        const Sample end;
        const double ticks = static_cast<double>(static_cast<std::int64_t>(end.ticks - start.ticks));
        if (ticks > 0.0) rate().store((end.seconds - start.seconds) / ticks, std::memory_order_relaxed);
    }

    double per_tick_; // 0: the system's clock measures
    double seconds_;
    std::uint64_t ticks_;
};

#else

class Stopwatch {
public:
    Stopwatch() : start_(steady_seconds()) {}
    double seconds() const { return steady_seconds() - start_; }

private:
    double start_;
};

#endif

} // namespace feeler_legacy

#endif
