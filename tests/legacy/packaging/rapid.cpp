// The smallest program over RAPID's interface: two crossing triangles.
#include <RAPID.H>

#include <cstdio>

int main() {
    double p[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, R1[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, R2[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    double T1[3] = {0, 0, 0}, T2[3] = {0, 0.25, 0};
    RAPID_model model;
    model.BeginModel();
    model.AddTri(p[0], p[1], p[2], 7);
    model.EndModel();
    if (RAPID_Collide(R1, T1, &model, R2, T2, &model, RAPID_FIRST_CONTACT) != RAPID_OK) return 1;
    std::printf("contacts %d\n", RAPID_num_contacts);
    return RAPID_num_contacts != 1 || RAPID_contact[0].id1 != 7;
}
