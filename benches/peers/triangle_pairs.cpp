// What FCL says about the triangle pairs of tests/data/triangle_pairs.txt, beside what is right and what was recorded for PQP, FCL and Coal,
// which share one kernel; then about random pairs at smaller and smaller scales:
//   g++ -O2 -I/usr/include/eigen3 benches/peers/triangle_pairs.cpp -o target/triangle_pairs -lfcl -lccd && target/triangle_pairs
#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

using Kernel = fcl::detail::TriangleDistance<double>;
using Vector = fcl::Vector3<double>;

static double distance(const Vector (&s)[3], const Vector (&t)[3]) {
    Vector p, q;
    return Kernel::triDistance(s, t, p, q);
}

int main() {
    std::ifstream file("tests/data/triangle_pairs.txt");
    std::string line;
    std::printf("| pair | exact | recorded for PQP, FCL and Coal | FCL as installed |\n|--:|--:|--:|--:|\n");
    for (int number = 1; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        for (char &c : line) {
            c = c == '(' || c == ')' ? ' ' : c;
        }
        std::istringstream numbers(line);
        double exact, recorded, v[18];
        numbers >> exact >> recorded;
        for (double &entry : v) {
            numbers >> entry;
        }
        Vector s[3], t[3];
        for (int k = 0; k < 3; ++k) {
            s[k] = Vector(v[3 * k], v[3 * k + 1], v[3 * k + 2]);
            t[k] = Vector(v[9 + 3 * k], v[10 + 3 * k], v[11 + 3 * k]);
        }
        std::printf("| %d | %.6g | %.6g | %.6g |\n", number++, exact, recorded, distance(s, t));
    }
    // A distance scales with its triangles. Where the scaled one does not, the kernel is wrong.
    std::printf("\n| random pairs times | wrong by more than 1e-6 | touching by mistake |\n|---|--:|--:|\n");
    for (int decade = 0; decade >= -8; decade -= 2) {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> even(-1, 1);
        const int count = 200000;
        int wrong = 0, zero = 0;
        for (int n = 0; n < count; ++n) {
            Vector s[3], t[3], small_s[3], small_t[3];
            const Vector away(2 * even(random), 2 * even(random), 2 * even(random));
            for (int k = 0; k < 3; ++k) {
                s[k] = Vector(even(random), even(random), even(random));
                t[k] = Vector(even(random), even(random), even(random)) + away;
                small_s[k] = s[k] * std::pow(10, decade);
                small_t[k] = t[k] * std::pow(10, decade);
            }
            const double whole = distance(s, t), part = distance(small_s, small_t) / std::pow(10, decade);
            wrong += std::abs(part - whole) > 1e-6 * whole + 1e-12;
            zero += part == 0 && whole > 1e-9;
        }
        std::printf("| 10^%d | %.2f %% | %.2f %% |\n", decade, 100.0 * wrong / count, 100.0 * zero / count);
    }
}
