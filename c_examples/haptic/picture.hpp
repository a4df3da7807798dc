// The picture of a run: the scene with the felt path, the latency histogram, and distance, force and latency over time.
#ifndef HAPTIC_PICTURE_HPP
#define HAPTIC_PICTURE_HPP

#include "recording.hpp"

namespace haptic {

// Writes a self-contained SVG file; false when the file cannot be written.
bool write_picture(const std::string &path, const recording &run, const triangle_mesh &tool);

} // namespace haptic

#endif
