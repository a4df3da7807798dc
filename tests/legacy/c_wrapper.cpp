// A C interface for an interpreter, as Lisp systems have: functions whose names overload those of PQP, and the matrix
// functions of MatVec.h.
#include "PQP/src/MatVec.h"
#include "PQP/src/PQP.h"

#include "shared.hpp"

extern "C" {

PQP_Model *client_make_model() { return new PQP_Model(); }
void client_delete_model(PQP_Model *model) { delete (model); }
int client_begin(PQP_Model *model) { return model->BeginModel(); }
int client_end(PQP_Model *model) { return model->EndModel(); }
int client_add(PQP_Model *model, double p1[], double p2[], double p3[], int flag) { return model->AddTri(p1, p2, p3, flag); }

int PQP_Collide(double R1[3][3], double T1[3], PQP_Model *a, double R2[3][3], double T2[3], PQP_Model *b, int flag) {
    PQP_CollideResult result;
    PQP_Collide(&result, R1, T1, a, R2, T2, b, flag);
    return result.NumPairs();
}

double PQP_Distance(double R1[3][3], double T1[3], PQP_Model *a, double R2[3][3], double T2[3], PQP_Model *b, PQP_REAL *P1, PQP_REAL *P2, int qsize) {
    PQP_REAL V1[3], V2[3];
    PQP_DistanceResult result;
    PQP_Distance(&result, R1, T1, a, R2, T2, b, 0.0, 0.0, qsize);
    VcV(V1, result.P1());
    VcV(V2, result.P2());
    MxVpV(P1, R1, V1, T1);
    MxVpV(P2, R2, V2, T2);
    return static_cast<double>(result.Distance());
}
}

namespace {

bool same(const double a[3], const double b[3], double tolerance = 1e-14) {
    return near(a[0], b[0], tolerance) && near(a[1], b[1], tolerance) && near(a[2], b[2], tolerance);
}
bool same(const double a[3][3], const double b[3][3], double tolerance = 1e-14) {
    return same(a[0], b[0], tolerance) && same(a[1], b[1], tolerance) && same(a[2], b[2], tolerance);
}

void matrices() {
    const double a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, v[3] = {1, -2, 3}, w[3] = {0.5, 4, -1}, identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double m[3][3], n[3][3], k[3][3], x[3], y[3], z[3];
    Midentity(m);
    CHECK(same(m, identity));
    Videntity(x);
    CHECK(Vlength(x) == 0.0);
    McM(m, a);
    CHECK(same(m, a));
    MTcM(m, a);
    CHECK(m[0][2] == 7 && m[2][0] == 3);
    MxMT(n, a, m);
    MxM(k, a, a);
    CHECK(same(n, k) && k[0][0] == 30 && k[2][1] == 134);
    MTxM(n, m, a);
    CHECK(same(n, k));
    MxMpV(n, a, a, v);
    CHECK(n[0][0] == 31 && n[1][2] == k[1][2] - 2);
    MxV(x, a, v);
    const double av[3] = {6, 12, 21};
    CHECK(same(x, av));
    MTxV(y, m, v);
    CHECK(same(x, y));
    MxVpV(y, a, v, w);
    VmV(z, y, w);
    CHECK(same(z, av));
    sMxV(y, 2.0, a, v);
    CHECK(y[2] == 42);
    sMTxV(z, 2.0, m, v);
    CHECK(same(y, z));
    sMxVpV(z, 2.0, a, v, w);
    CHECK(z[0] == 12.5);
    VpV(y, v, w);
    VpVxS(z, v, w, 1.0);
    CHECK(same(y, z) && y[1] == 2);
    VcrossV(x, v, w);
    CHECK(near(VdotV(x, v), 0.0, 1e-14) && near(VdotV(x, w), 0.0, 1e-14) && x[0] == -10);
    MskewV(m, v);
    MxV(y, m, w);
    CHECK(same(x, y));
    CHECK(near(VdistV2(v, w), 52.25, 1e-12));
    VcV(x, v);
    Vnormalize(x);
    CHECK(near(Vlength(x), 1.0, 1e-15));
    McolcV(x, a, 1);
    CHECK(x[0] == 2 && x[2] == 8);
    McM(m, a);
    McolcMcol(m, 0, a, 2);
    CHECK(m[1][0] == 6);

    const double quarter = 1.5707963267948966, ex[3] = {1, 0, 0}, ey[3] = {0, 1, 0}, ez[3] = {0, 0, 1};
    MRotZ(m, quarter);
    MxV(x, m, ex);
    CHECK(same(x, ey));
    MRotX(m, quarter);
    MxV(x, m, ey);
    CHECK(same(x, ez));
    MRotY(m, quarter);
    MxV(x, m, ez);
    CHECK(same(x, ex));
    double q[4] = {0.0, 0.0, 2.0 * std::sin(0.35), 2.0 * std::cos(0.35)};
    MRotQ(m, q);
    MRotZ(n, 0.7);
    CHECK(same(m, n));
    double gl[16], back[3];
    MVtoOGL(gl, n, v);
    CHECK(gl[0] == n[0][0] && gl[1] == n[1][0] && gl[12] == v[0] && gl[3] == 0.0 && gl[11] == 0.0 && gl[15] == 1.0);
    OGLtoMV(m, back, gl);
    CHECK(same(m, n) && same(back, v));
    McM(k, a);
    Mqinverse(m, k);
    MxM(n, m, a);
    CHECK(same(n, identity, 1e-13));

    double symmetric[3][3] = {{4, 1, -2}, {1, 3, 0.5}, {-2, 0.5, 5}}, vectors[3][3], values[3];
    Meigen(vectors, values, symmetric);
    for (int i = 0; i < 3; ++i) {
        McolcV(x, vectors, i);
        MxV(y, symmetric, x);
        VxS(z, x, values[i]);
        CHECK(same(y, z, 1e-12) && near(Vlength(x), 1.0, 1e-13));
    }
    FILE *nowhere = std::tmpfile();
    if (nowhere) {
        Mfprint(nowhere, a);
        Vfprint(nowhere, v);
        CHECK(std::ftell(nowhere) > 20);
        std::fclose(nowhere);
    }
}

} // namespace

void c_wrapper_client() {
    matrices();
    PQP_Model *a = client_make_model(), *b = client_make_model();
    const Mesh mesh = box(corner(0, 0, 0), corner(1, 1, 1));
    CHECK(client_begin(a) == PQP_OK && client_begin(b) == PQP_OK);
    for (std::size_t i = 0; i < mesh.size(); ++i) {
        Triangle t = mesh[i];
        CHECK(client_add(a, t.corner[0].x, t.corner[1].x, t.corner[2].x, 5) == PQP_OK);
        CHECK(client_add(b, t.corner[0].x, t.corner[1].x, t.corner[2].x, 6) == PQP_OK);
    }
    CHECK(client_end(a) == PQP_OK && client_end(b) == PQP_OK);
    Pose one = at_rest(), other = pose(1.5707963267948966, 0, 0, 1, 4.0, 0.0, 0.0); // the second box now is at x 3 .. 4
    double p1[3], p2[3];
    CHECK(near(PQP_Distance(one.R, one.T, a, other.R, other.T, b, p1, p2, 2), 2.0, 1e-14));
    CHECK(near(p1[0], 1.0, 1e-14) && near(p2[0], 3.0, 1e-14) && near(p1[1], p2[1], 1e-14));
    CHECK(PQP_Collide(one.R, one.T, a, other.R, other.T, b, PQP_ALL_CONTACTS) == 0);
    other.T[0] = 1.5;
    CHECK(PQP_Collide(one.R, one.T, a, other.R, other.T, b, PQP_FIRST_CONTACT) == 1);
    CHECK(PQP_Collide(one.R, one.T, a, other.R, other.T, b, PQP_ALL_CONTACTS) > 1);
    client_delete_model(a);
    client_delete_model(b);
}
