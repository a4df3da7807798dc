// How long a query took: PQP's results tell it.
#ifndef FEELER_LEGACY_STOPWATCH_H
#define FEELER_LEGACY_STOPWATCH_H

#include <chrono>

namespace feeler_legacy {

class Stopwatch {
public:
    Stopwatch() : start_(std::chrono::steady_clock::now()) {}
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_;
};

} // namespace feeler_legacy

#endif
