// The small matrix and vector functions that PQP's programs call: M is a matrix [3][3], row-major, V a vector [3], T at
// the start of a name's letters a transpose, c a copy, x a product, p a sum, m a difference, s a scale. Results come
// first; a result must not be one of the other arguments, except in VpV, VmV, VpVxS and VxS.
#ifndef FEELER_LEGACY_PQP_MATVEC_H
#define FEELER_LEGACY_PQP_MATVEC_H

#include "PQP_Compile.h"

#include <cmath>
#include <cstdio>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

inline void Mfprint(FILE *f, const PQP_REAL M[3][3]) {
    for (int i = 0; i < 3; ++i) std::fprintf(f, "%g %g %g\n", M[i][0], M[i][1], M[i][2]);
}
inline void Mprint(const PQP_REAL M[3][3]) { Mfprint(stdout, M); }
inline void Mprintg(const PQP_REAL M[3][3]) { Mfprint(stdout, M); }
inline void Vfprint(FILE *f, const PQP_REAL V[3]) { std::fprintf(f, "%g %g %g\n", V[0], V[1], V[2]); }
inline void Vprint(const PQP_REAL V[3]) { Vfprint(stdout, V); }
inline void Vprintg(const PQP_REAL V[3]) { Vfprint(stdout, V); }

/// M = identity
inline void Midentity(PQP_REAL M[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) M[i][j] = i == j ? 1.0 : 0.0;
    }
}
/// V = 0
inline void Videntity(PQP_REAL V[3]) { V[0] = V[1] = V[2] = 0.0; }
/// Mr = M
inline void McM(PQP_REAL Mr[3][3], const PQP_REAL M[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = M[i][j];
    }
}
/// Mr = transpose(M)
inline void MTcM(PQP_REAL Mr[3][3], const PQP_REAL M[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = M[j][i];
    }
}
/// Vr = V
inline void VcV(PQP_REAL Vr[3], const PQP_REAL V[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = V[i];
}
/// Vr = column c of M
inline void McolcV(PQP_REAL Vr[3], const PQP_REAL M[3][3], int c) {
    for (int i = 0; i < 3; ++i) Vr[i] = M[i][c];
}
/// column cr of Mr = column c of M
inline void McolcMcol(PQP_REAL Mr[3][3], int cr, const PQP_REAL M[3][3], int c) {
    for (int i = 0; i < 3; ++i) Mr[i][cr] = M[i][c];
}
/// Mr = M1 * M2
inline void MxM(PQP_REAL Mr[3][3], const PQP_REAL M1[3][3], const PQP_REAL M2[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = M1[i][0] * M2[0][j] + M1[i][1] * M2[1][j] + M1[i][2] * M2[2][j];
    }
}
/// Mr = M1 * M2, plus T in every column
inline void MxMpV(PQP_REAL Mr[3][3], const PQP_REAL M1[3][3], const PQP_REAL M2[3][3], const PQP_REAL T[3]) {
    MxM(Mr, M1, M2);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] += T[i];
    }
}
/// Mr = M1 * transpose(M2)
inline void MxMT(PQP_REAL Mr[3][3], const PQP_REAL M1[3][3], const PQP_REAL M2[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = M1[i][0] * M2[j][0] + M1[i][1] * M2[j][1] + M1[i][2] * M2[j][2];
    }
}
/// Mr = transpose(M1) * M2
inline void MTxM(PQP_REAL Mr[3][3], const PQP_REAL M1[3][3], const PQP_REAL M2[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = M1[0][i] * M2[0][j] + M1[1][i] * M2[1][j] + M1[2][i] * M2[2][j];
    }
}
/// Vr = M * V
inline void MxV(PQP_REAL Vr[3], const PQP_REAL M[3][3], const PQP_REAL V[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = M[i][0] * V[0] + M[i][1] * V[1] + M[i][2] * V[2];
}
/// Vr = M * V1 + V2
inline void MxVpV(PQP_REAL Vr[3], const PQP_REAL M[3][3], const PQP_REAL V1[3], const PQP_REAL V2[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = M[i][0] * V1[0] + M[i][1] * V1[1] + M[i][2] * V1[2] + V2[i];
}
/// Vr = s * M * V
inline void sMxV(PQP_REAL Vr[3], PQP_REAL s, const PQP_REAL M[3][3], const PQP_REAL V[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = s * (M[i][0] * V[0] + M[i][1] * V[1] + M[i][2] * V[2]);
}
/// Vr = s * M * V1 + V2
inline void sMxVpV(PQP_REAL Vr[3], PQP_REAL s, const PQP_REAL M[3][3], const PQP_REAL V1[3], const PQP_REAL V2[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = s * (M[i][0] * V1[0] + M[i][1] * V1[1] + M[i][2] * V1[2]) + V2[i];
}
/// Vr = transpose(M) * V
inline void MTxV(PQP_REAL Vr[3], const PQP_REAL M[3][3], const PQP_REAL V[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = M[0][i] * V[0] + M[1][i] * V[1] + M[2][i] * V[2];
}
/// Vr = s * transpose(M) * V
inline void sMTxV(PQP_REAL Vr[3], PQP_REAL s, const PQP_REAL M[3][3], const PQP_REAL V[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = s * (M[0][i] * V[0] + M[1][i] * V[1] + M[2][i] * V[2]);
}
/// Vr = V1 - V2
inline void VmV(PQP_REAL Vr[3], const PQP_REAL V1[3], const PQP_REAL V2[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = V1[i] - V2[i];
}
/// Vr = V1 + V2
inline void VpV(PQP_REAL Vr[3], const PQP_REAL V1[3], const PQP_REAL V2[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = V1[i] + V2[i];
}
/// Vr = V1 + V2 * s
inline void VpVxS(PQP_REAL Vr[3], const PQP_REAL V1[3], const PQP_REAL V2[3], PQP_REAL s) {
    for (int i = 0; i < 3; ++i) Vr[i] = V1[i] + V2[i] * s;
}
/// Vr = V * s
inline void VxS(PQP_REAL Vr[3], const PQP_REAL V[3], PQP_REAL s) {
    for (int i = 0; i < 3; ++i) Vr[i] = V[i] * s;
}
/// M * x = v cross x, for every x
inline void MskewV(PQP_REAL M[3][3], const PQP_REAL v[3]) {
    for (int i = 0; i < 3; ++i) {
        M[i][i] = 0.0;
        M[(i + 2) % 3][(i + 1) % 3] = v[i];
        M[(i + 1) % 3][(i + 2) % 3] = -v[i];
    }
}
/// Vr = V1 cross V2
inline void VcrossV(PQP_REAL Vr[3], const PQP_REAL V1[3], const PQP_REAL V2[3]) {
    for (int i = 0; i < 3; ++i) Vr[i] = V1[(i + 1) % 3] * V2[(i + 2) % 3] - V1[(i + 2) % 3] * V2[(i + 1) % 3];
}
inline PQP_REAL VdotV(const PQP_REAL V1[3], const PQP_REAL V2[3]) { return V1[0] * V2[0] + V1[1] * V2[1] + V1[2] * V2[2]; }
inline PQP_REAL Vlength(const PQP_REAL V[3]) { return std::sqrt(VdotV(V, V)); }
/// The square of the distance of two points.
inline PQP_REAL VdistV2(const PQP_REAL V1[3], const PQP_REAL V2[3]) {
    PQP_REAL between[3];
    VmV(between, V1, V2);
    return VdotV(between, between);
}
/// V gets the length 1.
inline void Vnormalize(PQP_REAL V[3]) { VxS(V, V, 1.0 / Vlength(V)); }

namespace feeler_legacy {
/// The rotation by t radians that turns axis i towards axis j.
inline void rotation_in_plane(PQP_REAL Mr[3][3], int i, int j, PQP_REAL t) {
    Midentity(Mr);
    Mr[i][i] = Mr[j][j] = std::cos(t);
    Mr[j][i] = std::sin(t);
    Mr[i][j] = -Mr[j][i];
}
} // namespace feeler_legacy

/// Rotations about the axes by t radians.
inline void MRotX(PQP_REAL Mr[3][3], PQP_REAL t) { feeler_legacy::rotation_in_plane(Mr, 1, 2, t); }
inline void MRotY(PQP_REAL Mr[3][3], PQP_REAL t) { feeler_legacy::rotation_in_plane(Mr, 2, 0, t); }
inline void MRotZ(PQP_REAL Mr[3][3], PQP_REAL t) { feeler_legacy::rotation_in_plane(Mr, 0, 1, t); }
/// The rotation of a quaternion x, y, z, w, whose length does not matter.
inline void MRotQ(PQP_REAL Mr[3][3], const PQP_REAL q[4]) {
    const PQP_REAL length2 = VdotV(q, q) + q[3] * q[3], twice = length2 > 0.0 ? 2.0 / length2 : 0.0;
    PQP_REAL turn[3][3];
    MskewV(turn, q);
    // Rodrigues' formula: identity + 2 w [v] + 2 [v]^2, for the vector part v and the skew matrix [v] of v.
    MxM(Mr, turn, turn);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = (i == j ? 1.0 : 0.0) + twice * (q[3] * turn[i][j] + Mr[i][j]);
    }
}

/// A column-major 4 x 4 matrix, as OpenGL has them, from a pose.
inline void MVtoOGL(double oglm[16], const PQP_REAL R[3][3], const PQP_REAL T[3]) {
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) oglm[4 * column + row] = R[row][column];
        oglm[12 + row] = T[row];
        oglm[4 * row + 3] = 0.0;
    }
    oglm[15] = 1.0;
}
/// The pose of a column-major 4 x 4 matrix.
inline void OGLtoMV(PQP_REAL R[3][3], PQP_REAL T[3], const double oglm[16]) {
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) R[row][column] = oglm[4 * column + row];
        T[row] = oglm[12 + row];
    }
}

/// Mr = inverse of m, which is not singular
inline void Mqinverse(PQP_REAL Mr[3][3], PQP_REAL m[3][3]) {
    PQP_REAL cofactors[3][3]; // one row for each row of m
    for (int i = 0; i < 3; ++i) VcrossV(cofactors[i], m[(i + 1) % 3], m[(i + 2) % 3]);
    const PQP_REAL determinant = VdotV(m[0], cofactors[0]);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Mr[i][j] = cofactors[j][i] / determinant;
    }
}

/// Eigenvectors (columns of vout) and eigenvalues dout of a symmetric matrix, by Jacobi's rotations.
inline void Meigen(PQP_REAL vout[3][3], PQP_REAL dout[3], PQP_REAL a[3][3]) {
    PQP_REAL m[3][3];
    McM(m, a);
    Midentity(vout);
    for (int sweep = 0; sweep < 50; ++sweep) {
        if (std::fabs(m[0][1]) + std::fabs(m[0][2]) + std::fabs(m[1][2]) == 0.0) break;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (m[p][q] == 0.0) continue;
                // The angle that makes m[p][q] zero, the smaller of the two.
                const PQP_REAL ratio = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
                const PQP_REAL t = (ratio < 0.0 ? -1.0 : 1.0) / (std::fabs(ratio) + std::hypot(ratio, 1.0));
                const PQP_REAL c = 1.0 / std::hypot(t, 1.0), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    const PQP_REAL x = m[k][p], y = m[k][q];
                    m[k][p] = c * x - s * y;
                    m[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; ++k) {
                    const PQP_REAL x = m[p][k], y = m[q][k];
                    m[p][k] = c * x - s * y;
                    m[q][k] = s * x + c * y;
                    const PQP_REAL v = vout[k][p], w = vout[k][q];
                    vout[k][p] = c * v - s * w;
                    vout[k][q] = s * v + c * w;
                }
                m[p][q] = m[q][p] = 0.0;
            }
        }
    }
    for (int i = 0; i < 3; ++i) dout[i] = m[i][i];
}

#endif
