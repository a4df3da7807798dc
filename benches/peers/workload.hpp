// What is measured: two meshes and the poses of the second in the frame of the first.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

struct Vector3 {
    double x = 0, y = 0, z = 0;
};

struct Mesh {
    std::vector<Vector3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    Vector3 bounds_min, bounds_max;

    double diagonal() const;
};

// Pose of B in A's frame, row-major.
struct Pose {
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::array<double, 3> translation{0, 0, 0};
};

struct Workload {
    std::string name;          // the directory's name: the key into the answers and the table of clocks
    std::string label;         // the name as printed, which also says what was changed (resampling)
    Mesh a, b;
    std::vector<Pose> poses;
    bool resampled = false;    // the stored answers do not belong to these poses
    double tolerance = 0;      // 1 % of the diagonal of A's bounds
    double median_motion = 0;  // per step, as a share of B's diagonal

    // Along a path consecutive poses resemble each other; random poses move by the size of the model.
    bool is_path() const { return poses.size() > 1 && median_motion < 0.1; }
};

// The percent of B's diagonal at the end of the name of a path of small steps (NAME_0.1); 0 for other names.
double step_percent(const std::string &name);

Workload load_workload(const std::filesystem::path &directory);

// Inserts poses until no corner of B's bounds moves further than `step` (a share of B's diagonal) at once, and keeps
// `most` of them from the middle of the path (0: all).
void resample(Workload &workload, double step, std::size_t most);

// Largest displacement of a corner of B's bounds between two poses. The displacement is affine in the point,
// so no point of B moves further.
double motion(const Mesh &b, const Pose &from, const Pose &to);
