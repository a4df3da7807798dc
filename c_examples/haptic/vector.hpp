// The vector arithmetic of the demo.
#ifndef HAPTIC_VECTOR_HPP
#define HAPTIC_VECTOR_HPP

#include <cmath>

namespace haptic {

struct vec3 {
    double x = 0, y = 0, z = 0;
};

inline vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline vec3 operator*(double s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline vec3 cross(vec3 a, vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(vec3 a) { return std::sqrt(dot(a, a)); }
inline vec3 from(const double *numbers) { return {numbers[0], numbers[1], numbers[2]}; }

// The vector, no longer than the limit.
inline vec3 limited(vec3 a, double limit) {
    const double size = length(a);
    return size > limit ? (limit / size) * a : a;
}

// A rotation as a unit quaternion.
struct quaternion {
    double x = 0, y = 0, z = 0, w = 1;
};

inline quaternion operator*(quaternion a, quaternion b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
inline quaternion inverse(quaternion q) { return {-q.x, -q.y, -q.z, q.w}; }

inline quaternion normalised(quaternion q) {
    const double scale = 1 / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

// The rotation about a vector by its length in radians, and back.
inline quaternion from_rotation_vector(vec3 rotation) {
    const double angle = length(rotation);
    const double factor = angle > 1e-12 ? std::sin(angle / 2) / angle : 0.5;
    return normalised({factor * rotation.x, factor * rotation.y, factor * rotation.z, std::cos(angle / 2)});
}
inline vec3 to_rotation_vector(quaternion q) {
    const double sign = q.w < 0 ? -1 : 1;
    const vec3 axis = {sign * q.x, sign * q.y, sign * q.z};
    const double sine = length(axis);
    return sine > 1e-12 ? (2 * std::atan2(sine, sign * q.w) / sine) * axis : 2.0 * axis;
}

inline vec3 rotate(quaternion q, vec3 a) {
    const vec3 u = {q.x, q.y, q.z};
    const vec3 t = 2.0 * cross(u, a);
    return a + q.w * t + cross(u, t);
}

} // namespace haptic

#endif
