// Poses as PQP and RAPID give them: any R[3][3] that is nearly a rotation, and T[3].
#ifndef FEELER_LEGACY_POSE_H
#define FEELER_LEGACY_POSE_H

#include <feeler.h>

#include <cmath>

namespace feeler_legacy {

inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// out = a x b
inline void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// The largest deviation of R * transpose(R) from the identity; not a number when R has one.
inline double deviation(const double R[3][3]) {
    double sum = 0.0;
    const double errors[6] = {dot(R[0], R[0]) - 1.0, dot(R[1], R[1]) - 1.0, dot(R[2], R[2]) - 1.0, dot(R[0], R[1]), dot(R[0], R[2]), dot(R[1], R[2])};
    for (int i = 0; i < 6; ++i) sum += std::fabs(errors[i]);
    return sum;
}

/// Replaces R by the orthogonal matrix nearest to it: Newton's iteration X <- (X + inverse(transpose(X))) / 2 for the
/// polar factor. False when R has none (singular, not finite).
inline bool make_orthonormal(double R[3][3]) {
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (!(std::fabs(R[i][j]) <= 1e300)) return false;
            if (std::fabs(R[i][j]) > largest) largest = std::fabs(R[i][j]);
        }
    }
    if (!(largest > 0.0)) return false;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) R[i][j] /= largest; // scale changes the polar factor not at all
    }
    for (int step = 0; step < 100; ++step) {
        double cofactors[3][3];
        cross(R[1], R[2], cofactors[0]);
        cross(R[2], R[0], cofactors[1]);
        cross(R[0], R[1], cofactors[2]);
        const double determinant = dot(R[0], cofactors[0]);
        if (!(std::fabs(determinant) > 1e-12)) return false;
        double change = 0.0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double next = 0.5 * (R[i][j] + cofactors[i][j] / determinant);
                change += std::fabs(next - R[i][j]);
                R[i][j] = next;
            }
        }
        if (change <= 1e-14) return true;
    }
    return deviation(R) <= 1e-12;
}

/// out = R, or the nearest orthogonal matrix when R has drifted by more than rounding.
inline bool clean(const double R[3][3], double out[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) out[i][j] = R[i][j];
    }
    if (deviation(R) <= 1e-14) return true;
    return make_orthonormal(out);
}

/// The pose of model 2 in the frame of model 1: R = transpose(R1) * R2, T = transpose(R1) * (T2 - T1). Queries run in
/// that frame, so that points need no way back from a far place in the world. False when R1 or R2 is no rotation.
inline bool relative_pose(const double R1[3][3], const double T1[3], const double R2[3][3], const double T2[3], double R[3][3], double T[3]) {
    double first[3][3], second[3][3];
    if (!clean(R1, first) || !clean(R2, second)) return false;
    const double apart[3] = {T2[0] - T1[0], T2[1] - T1[1], T2[2] - T1[2]};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) R[i][j] = first[0][i] * second[0][j] + first[1][i] * second[1][j] + first[2][i] * second[2][j];
        T[i] = first[0][i] * apart[0] + first[1][i] * apart[1] + first[2][i] * apart[2];
    }
    return true;
}

inline void set_pose(feeler_transform &pose, const double R[3][3], const double T[3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) pose.rotation[3 * i + j] = R[i][j];
        pose.translation[i] = T[i];
    }
}

inline void set_scale(feeler_transform &pose, double scale) { pose.scale[0] = pose.scale[1] = pose.scale[2] = scale; }

/// out = transpose(R) * (point - T): a point of the frame of model 1 in the frame of model 2.
inline void into_second_frame(const double R[3][3], const double T[3], const double point[3], double out[3]) {
    const double from[3] = {point[0] - T[0], point[1] - T[1], point[2] - T[2]};
    for (int i = 0; i < 3; ++i) out[i] = R[0][i] * from[0] + R[1][i] * from[1] + R[2][i] * from[2];
}

} // namespace feeler_legacy

#endif
