// Poses as PQP and RAPID give them: any R[3][3] that is nearly a rotation, and T[3].
#ifndef FEELER_LEGACY_POSE_H
#define FEELER_LEGACY_POSE_H

#include <feeler.h>

#include <cmath>
#include <cstring>

namespace feeler_legacy {

inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// out = a x b
inline void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// How far R * transpose(R) is from the identity, as a sum; not a number when R has one.
inline double deviation(const double R[3][3]) {
    return (std::fabs(dot(R[0], R[0]) - 1.0) + std::fabs(dot(R[1], R[1]) - 1.0)) + (std::fabs(dot(R[2], R[2]) - 1.0) + std::fabs(dot(R[0], R[1]))) +
           (std::fabs(dot(R[0], R[2])) + std::fabs(dot(R[1], R[2])));
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

/// A rotation as a program gave it, or the nearest orthogonal matrix when it has drifted by more than rounding.
class Rotation {
public:
    explicit Rotation(const double R[3][3]) : rows_(R), good_(true) {
        if (deviation(R) <= 1e-14) return;
        std::memcpy(cleaned_, R, sizeof cleaned_);
        good_ = make_orthonormal(cleaned_);
        rows_ = cleaned_;
    }
    /// False when R is no rotation, however far drifted.
    bool good() const { return good_; }
    const double *operator[](int row) const { return rows_[row]; }

private:
    Rotation(const Rotation &);
    Rotation &operator=(const Rotation &);

    const double (*rows_)[3];
    bool good_;
    double cleaned_[3][3];
};

/// The pose of model 2 in the frame of model 1: R = transpose(R1) * R2, T = transpose(R1) * (T2 - T1). Queries run in
/// that frame, so that points need no way back from a far place in the world. False when R1 or R2 is no rotation.
inline bool relative_pose(const double R1[3][3], const double T1[3], const double R2[3][3], const double T2[3], double R[3][3], double T[3]) {
    const Rotation first(R1), second(R2);
    if (!first.good() || !second.good()) return false;
    const double x = T2[0] - T1[0], y = T2[1] - T1[1], z = T2[2] - T1[2];
    const double *top = second[0], *middle = second[1], *bottom = second[2];
    for (int i = 0; i < 3; ++i) {
        const double a = first[0][i], b = first[1][i], c = first[2][i];
        R[i][0] = a * top[0] + b * middle[0] + c * bottom[0];
        R[i][1] = a * top[1] + b * middle[1] + c * bottom[1];
        R[i][2] = a * top[2] + b * middle[2] + c * bottom[2];
        T[i] = a * x + b * y + c * z;
    }
    return true;
}

inline void set_pose(feeler_transform &pose, const double R[3][3], const double T[3]) {
    std::memcpy(pose.rotation, R, sizeof pose.rotation);
    std::memcpy(pose.translation, T, sizeof pose.translation);
}

inline void set_scale(feeler_transform &pose, double scale) { pose.scale[0] = pose.scale[1] = pose.scale[2] = scale; }

/// out = transpose(R) * (point - T): a point of the frame of model 1 in the frame of model 2.
inline void into_second_frame(const double R[3][3], const double T[3], const double point[3], double out[3]) {
    const double x = point[0] - T[0], y = point[1] - T[1], z = point[2] - T[2];
    out[0] = R[0][0] * x + R[1][0] * y + R[2][0] * z;
    out[1] = R[0][1] * x + R[1][1] * y + R[2][1] * z;
    out[2] = R[0][2] * x + R[1][2] * y + R[2][2] * z;
}

} // namespace feeler_legacy

#endif
