// What the loop records of every step, and the figures made from it.
#ifndef HAPTIC_RECORDING_HPP
#define HAPTIC_RECORDING_HPP

#include "scene.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace haptic {

struct sample {
    double seconds = 0;      // since the first step, by the scripted clock
    double distance = 0;     // metres
    vec3 force;              // newton, on the hand
    vec3 point;              // on the surface, nearest to the tool
    pose tool;
    double microseconds = 0; // from waking up to the force being known
    double processor = 0;    // microseconds of that which the thread had a processor
    double woken_late = 0;   // microseconds
    unsigned contacts = 0;   // local minima within the margin
    vec3 push;               // newton, of the surface on the tool
    vec3 velocity, spin;     // of the tool, metres and radians per second
    // The same step asked once more after the loop, for all triangle pairs within the margin instead of the minima.
    unsigned all_contacts = 0;
    vec3 all_push;
    double all_microseconds = 0; // of that query
};

struct recording {
    std::vector<sample> samples;
    std::size_t surface_triangles = 0, tool_triangles = 0;
    long allocations = 0;           // -1: not counted in this build
    unsigned misses = 0;            // steps that were not done when the next one was due
    unsigned misses_by_waking = 0;  // those that the operating system started late
    unsigned misses_by_taking = 0;  // those in which it took the processor away
    bool real_time = false;         // the thread had real-time priority
    std::string failure;            // why the loop ended early
};

struct percentiles {
    double median = 0, p99 = 0, p999 = 0, largest = 0;
};

inline percentiles latency_of(const recording &run) {
    std::vector<double> sorted;
    for (const sample &s : run.samples) {
        sorted.push_back(s.microseconds);
    }
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) {
        return {};
    }
    const auto at = [&](double part) {
        return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(part * static_cast<double>(sorted.size())))];
    };
    return {at(0.5), at(0.99), at(0.999), sorted.back()};
}

} // namespace haptic

#endif
