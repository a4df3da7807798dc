// The smallest program over PQP's interface: two triangles, one above the other.
#include <PQP.h>

#include <cstdio>

int main() {
    PQP_REAL p[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, T1[3] = {0, 0, 0}, T2[3] = {0, 0, 1.5};
    PQP_Model a, b;
    a.BeginModel();
    a.AddTri(p[0], p[1], p[2], 0);
    a.EndModel();
    b = a;
    PQP_DistanceResult result;
    if (PQP_Distance(&result, R, T1, &a, R, T2, &b, 0.0, 0.0) != PQP_OK) return 1;
    std::printf("distance %g\n", result.Distance());
    return result.Distance() != 1.5;
}
