// The surface, the tool and the path of the hand. Units: metres, seconds.
#ifndef HAPTIC_SCENE_HPP
#define HAPTIC_SCENE_HPP

#include "vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace haptic {

constexpr double period = 0.001;
constexpr double contact_margin = 0.0006; // contacts act from this distance on
constexpr double merge_distance = 0.0005; // minima that are nearer to each other than this count as one contact
constexpr double surface_half_width = 0.1;
constexpr double tool_length = 0.09;
constexpr double tip_radius = 0.004;
constexpr double pi = 3.14159265358979323846;

struct triangle_mesh {
    std::vector<vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

// Rings around the middle, two hills and a hollow.
inline double surface_relief(double x, double y) {
    const auto bump = [&](double cx, double cy, double width) {
        return std::exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (2 * width * width));
    };
    const double r = std::sqrt(x * x + y * y);
    return 0.0045 * std::cos(2 * pi * r / 0.042) * std::exp(-r * r / (0.075 * 0.075)) + 0.017 * bump(0.055, 0.04, 0.02) -
           0.010 * bump(-0.05, -0.045, 0.018) + 0.009 * bump(-0.055, 0.055, 0.016);
}

// The relief with a fine weave, which can be felt but is too fine to be drawn.
inline double surface_height(double x, double y) {
    return surface_relief(x, y) + 0.00015 * std::sin(700 * x) * std::sin(700 * y);
}

// A grid of the wanted number of triangles, or a few less.
inline triangle_mesh make_surface(std::size_t triangle_count) {
    const auto cells = static_cast<std::uint32_t>(
        std::max(1.0, std::floor(std::sqrt(static_cast<double>(triangle_count) / 2))));
    triangle_mesh mesh;
    for (std::uint32_t row = 0; row <= cells; ++row) {
        for (std::uint32_t column = 0; column <= cells; ++column) {
            const double x = surface_half_width * (2.0 * column / cells - 1);
            const double y = surface_half_width * (2.0 * row / cells - 1);
            mesh.vertices.push_back({x, y, surface_height(x, y)});
        }
    }
    for (std::uint32_t row = 0; row < cells; ++row) {
        for (std::uint32_t column = 0; column < cells; ++column) {
            const std::uint32_t corner = row * (cells + 1) + column;
            mesh.triangles.push_back({corner, corner + 1, corner + cells + 2});
            mesh.triangles.push_back({corner, corner + cells + 2, corner + cells + 1});
        }
    }
    return mesh;
}

// A stylus along +z that turns about its axis: a ball at the origin, a neck, a grip.
inline triangle_mesh make_tool() {
    std::vector<std::array<double, 2>> profile; // radius, height
    for (int step = 1; step <= 7; ++step) {
        const double angle = 0.78 * pi * step / 7;
        profile.push_back({tip_radius * std::sin(angle), -tip_radius * std::cos(angle)});
    }
    for (const auto &point : std::initializer_list<std::array<double, 2>>{
             {0.0020, 0.0060}, {0.0019, 0.0120}, {0.0022, 0.0200}, {0.0034, 0.0260}, {0.0052, 0.0300}, {0.0058, 0.0340},
             {0.0054, 0.0400}, {0.0054, 0.0460}, {0.0060, 0.0520}, {0.0060, 0.0580}, {0.0056, 0.0660}, {0.0050, 0.0740},
             {0.0044, 0.0800}, {0.0036, 0.0835}, {0.0020, 0.0855}}) {
        profile.push_back(point);
    }
    constexpr std::uint32_t around = 24;
    const auto rings = static_cast<std::uint32_t>(profile.size());
    triangle_mesh mesh;
    for (const auto &[radius, height] : profile) {
        for (std::uint32_t step = 0; step < around; ++step) {
            const double angle = 2 * pi * step / around;
            mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), height});
        }
    }
    mesh.vertices.push_back({0, 0, -tip_radius});
    mesh.vertices.push_back({0, 0, tool_length - tip_radius});
    for (std::uint32_t step = 0; step < around; ++step) {
        const std::uint32_t next = (step + 1) % around;
        mesh.triangles.push_back({rings * around, next, step});
        for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
            const std::uint32_t a = ring * around + step, b = ring * around + next;
            mesh.triangles.push_back({a, b, b + around});
            mesh.triangles.push_back({a, b + around, a + around});
        }
        mesh.triangles.push_back({rings * around + 1, (rings - 1) * around + step, (rings - 1) * around + next});
    }
    return mesh;
}

// Scales a mesh from a file to the size of the tool and puts the middle of its lower end near the origin.
inline void fit_as_tool(triangle_mesh &mesh) {
    vec3 low = mesh.vertices[0], high = low;
    for (const vec3 &v : mesh.vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    const double scale = extent > 0 ? tool_length / extent : 1;
    const vec3 foot = {(low.x + high.x) / 2, (low.y + high.y) / 2, low.z};
    for (vec3 &v : mesh.vertices) {
        v = scale * (v - foot) - vec3{0, 0, tip_radius};
    }
}

struct pose {
    vec3 position;
    quaternion rotation;
};

// Where the hand is: it comes down, presses along a winding path, lifts off now and then, and goes up at the end.
inline pose hand_at(double time, double duration) {
    const auto smooth = [](double t) {
        t = std::clamp(t, 0.0, 1.0);
        return t * t * (3 - 2 * t);
    };
    const double x = 0.066 * std::sin(0.83 * time + 0.4) + 0.012 * std::sin(2.9 * time);
    const double y = 0.066 * std::sin(1.27 * time) + 0.010 * std::cos(3.7 * time);
    double above = 0.022 * (1 - smooth(time / (0.07 * duration))) + 0.022 * smooth(1 + (time - duration) / (0.07 * duration));
    above += 0.012 * smooth((std::sin(1.1 * time - 1.2) - 0.86) / 0.12);
    const double pressed = 0.0011 + 0.0010 * std::sin(2.3 * time);
    pose hand;
    hand.position = {x, y, surface_relief(x, y) + tip_radius + above - pressed};
    hand.rotation = from_rotation_vector({0.45 * std::sin(0.9 * time), 0.35 * std::cos(0.7 * time), 0}) *
                    from_rotation_vector({0, 0, 0.6 * time});
    return hand;
}

} // namespace haptic

#endif
