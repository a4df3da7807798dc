// What FCL and Coal say about the triangle pairs of tests/data/triangle_pairs.txt, beside what is right and what was recorded for PQP,
// whose kernel both took over; then about random pairs at smaller and smaller scales:
//   pip install coal --target target/coal && coal=target/coal/cmeel.prefix
//   g++ -O2 -I/usr/include/eigen3 -isystem $coal/include benches/peers/triangle_pairs.cpp -o target/triangle_pairs \
//       -lfcl -L$coal/lib -lcoal -Wl,-rpath,$PWD/$coal/lib && target/triangle_pairs
#include <coal/internal/intersect.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

using Vector = Eigen::Vector3d;
using Triangle = Vector[3];

static double by_fcl(const Triangle &s, const Triangle &t) {
    Vector p, q;
    return fcl::detail::TriangleDistance<double>::triDistance(s, t, p, q);
}

static double by_coal(const Triangle &s, const Triangle &t) {
    Vector p, q;
    return std::sqrt(coal::TriangleDistance::sqrTriDistance(s, t, p, q));
}

static void published() {
    std::ifstream file("tests/data/triangle_pairs.txt");
    std::string line;
    std::printf("| pair | exact | recorded for PQP | FCL | Coal |\n|--:|--:|--:|--:|--:|\n");
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
        Triangle s, t;
        for (int k = 0; k < 3; ++k) {
            s[k] = Vector(v[3 * k], v[3 * k + 1], v[3 * k + 2]);
            t[k] = Vector(v[9 + 3 * k], v[10 + 3 * k], v[11 + 3 * k]);
        }
        std::printf("| %d | %.6g | %.6g | %.6g | %.6g |\n", number++, exact, recorded, by_fcl(s, t), by_coal(s, t));
    }
}

// A distance scales with its triangles. Where the scaled one does not, the kernel is wrong.
static void scaled(int decade, double (*distance)(const Triangle &, const Triangle &)) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> even(-1, 1);
    const double scale = std::pow(10, decade);
    const int count = 200000;
    int wrong = 0, zero = 0;
    for (int n = 0; n < count; ++n) {
        Triangle s, t, small_s, small_t;
        const Vector away(2 * even(random), 2 * even(random), 2 * even(random));
        for (int k = 0; k < 3; ++k) {
            s[k] = Vector(even(random), even(random), even(random));
            t[k] = Vector(even(random), even(random), even(random)) + away;
            small_s[k] = s[k] * scale;
            small_t[k] = t[k] * scale;
        }
        const double whole = distance(s, t), part = distance(small_s, small_t) / scale;
        wrong += std::abs(part - whole) > 1e-6 * whole + 1e-12;
        zero += part == 0 && whole > 1e-9;
    }
    std::printf(" %.2f %% | %.2f %% |", 100.0 * wrong / count, 100.0 * zero / count);
}

int main() {
    published();
    std::printf("\n| 200 000 random pairs of size 1 times | FCL wrong by more than 1e-6 | touching by mistake | Coal wrong | touching |\n");
    std::printf("|---|--:|--:|--:|--:|\n");
    for (int decade = 0; decade >= -8; decade -= 2) {
        std::printf("| 10^%d |", decade);
        scaled(decade, by_fcl);
        scaled(decade, by_coal);
        std::printf("\n");
    }
    std::fflush(stdout);
    // FCL and Coal bring an octomap each, and their destructors free one string twice.
    std::_Exit(0);
}
