#include "workload.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Checkouts without symbolic links hold the link's target as the text of the file.
fs::path follow_flattened_link(fs::path path)
{
    for (int hops = 0; hops < 8; ++hops) {
        if (fs::file_size(path) > 4096)
            return path;
        std::string text = read_text(path);
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
            text.pop_back();
        const bool one_word = !text.empty() && text.find_first_of(" \t\r\n") == std::string::npos;
        if (!one_word)
            return path;
        path = path.parent_path() / text;
    }
    throw std::runtime_error("too many links at " + path.string());
}

Mesh load_obj(const fs::path &path)
{
    const std::string text = read_text(follow_flattened_link(path));
    Mesh mesh;
    const char *cursor = text.c_str();
    const auto number = [&cursor] {
        char *end = nullptr;
        const double value = std::strtod(cursor, &end);
        if (end == cursor)
            throw std::runtime_error("a number is missing in an OBJ file");
        cursor = end;
        return value;
    };
    while (*cursor) {
        if (cursor[0] == 'v' && cursor[1] == ' ') {
            cursor += 2;
            Vector3 v;
            v.x = number();
            v.y = number();
            v.z = number();
            mesh.vertices.push_back(v);
        } else if (cursor[0] == 'f' && cursor[1] == ' ') {
            cursor += 2;
            std::array<std::uint32_t, 3> triangle{};
            for (std::uint32_t &index : triangle) {
                char *end = nullptr;
                const long one_based = std::strtol(cursor, &end, 10);
                if (end == cursor || one_based < 1)
                    throw std::runtime_error("a vertex number is missing in " + path.string());
                index = static_cast<std::uint32_t>(one_based - 1);
                cursor = end;
                while (*cursor && !std::isspace(static_cast<unsigned char>(*cursor)))
                    ++cursor;  // texture and normal numbers
            }
            mesh.triangles.push_back(triangle);
        }
        while (*cursor && *cursor != '\n')
            ++cursor;
        if (*cursor)
            ++cursor;
    }
    if (mesh.triangles.empty())
        throw std::runtime_error("no triangles in " + path.string());
    for (const auto &triangle : mesh.triangles)
        for (std::uint32_t index : triangle)
            if (index >= mesh.vertices.size())
                throw std::runtime_error("vertex number out of range in " + path.string());

    const double infinity = std::numeric_limits<double>::infinity();
    mesh.bounds_min = {infinity, infinity, infinity};
    mesh.bounds_max = {-infinity, -infinity, -infinity};
    for (const Vector3 &v : mesh.vertices) {
        mesh.bounds_min = {std::min(mesh.bounds_min.x, v.x), std::min(mesh.bounds_min.y, v.y), std::min(mesh.bounds_min.z, v.z)};
        mesh.bounds_max = {std::max(mesh.bounds_max.x, v.x), std::max(mesh.bounds_max.y, v.y), std::max(mesh.bounds_max.z, v.z)};
    }
    return mesh;
}

std::vector<Pose> load_poses(const fs::path &path)
{
    std::ifstream file(path);
    std::size_t count = 0;
    if (!(file >> count))
        throw std::runtime_error("cannot read " + path.string());
    std::vector<Pose> poses(count);
    for (Pose &pose : poses)
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column)
                file >> pose.rotation[3 * row + column];
            file >> pose.translation[row];
        }
    if (!file)
        throw std::runtime_error("fewer poses than announced in " + path.string());
    return poses;
}

Vector3 apply(const Pose &pose, const Vector3 &p)
{
    const auto &r = pose.rotation;
    const auto &t = pose.translation;
    return {r[0] * p.x + r[1] * p.y + r[2] * p.z + t[0],
            r[3] * p.x + r[4] * p.y + r[5] * p.z + t[1],
            r[6] * p.x + r[7] * p.y + r[8] * p.z + t[2]};
}

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

Vector3 centre(const Mesh &mesh)
{
    return {(mesh.bounds_min.x + mesh.bounds_max.x) / 2,
            (mesh.bounds_min.y + mesh.bounds_max.y) / 2,
            (mesh.bounds_min.z + mesh.bounds_max.z) / 2};
}

using Quaternion = std::array<double, 4>;  // x y z w

Quaternion quaternion_of(const std::array<double, 9> &r)
{
    // Shepperd's choice of the largest component keeps the division well conditioned.
    const double trace = r[0] + r[4] + r[8];
    Quaternion q;
    if (trace >= r[0] && trace >= r[4] && trace >= r[8])
        q = {r[7] - r[5], r[2] - r[6], r[3] - r[1], 1 + trace};
    else if (r[0] >= r[4] && r[0] >= r[8])
        q = {1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6], r[7] - r[5]};
    else if (r[4] >= r[8])
        q = {r[1] + r[3], 1 - r[0] + r[4] - r[8], r[5] + r[7], r[2] - r[6]};
    else
        q = {r[2] + r[6], r[5] + r[7], 1 - r[0] - r[4] + r[8], r[3] - r[1]};
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double &component : q)
        component /= norm;
    return q;
}

std::array<double, 9> matrix_of(const Quaternion &q)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)};
}

Quaternion slerp(const Quaternion &from, Quaternion to, double t)
{
    double cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
    if (cosine < 0) {
        cosine = -cosine;
        for (double &component : to)
            component = -component;
    }
    double weight_from = 1 - t, weight_to = t;
    if (cosine < 0.9999995) {
        const double angle = std::acos(cosine);
        weight_from = std::sin((1 - t) * angle) / std::sin(angle);
        weight_to = std::sin(t * angle) / std::sin(angle);
    }
    Quaternion q;
    double square = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = weight_from * from[i] + weight_to * to[i];
        square += q[i] * q[i];
    }
    for (double &component : q)
        component /= std::sqrt(square);
    return q;
}

// The centre of B moves on a line and B turns about it: turning about the origin of a model that lies
// far from it would bend the path.
Pose between(const Vector3 &pivot, const Pose &from, const Pose &to, double t)
{
    Pose pose;
    pose.rotation = matrix_of(slerp(quaternion_of(from.rotation), quaternion_of(to.rotation), t));
    const Vector3 start = apply(from, pivot), end = apply(to, pivot), turned = apply(pose, pivot);
    pose.translation = {start.x + t * (end.x - start.x) - turned.x,
                        start.y + t * (end.y - start.y) - turned.y,
                        start.z + t * (end.z - start.z) - turned.z};
    return pose;
}

double median_motion(const Workload &workload)
{
    std::vector<double> steps;
    for (std::size_t i = 1; i < workload.poses.size(); ++i)
        steps.push_back(motion(workload.b, workload.poses[i - 1], workload.poses[i]));
    if (steps.empty())
        return 0;
    std::nth_element(steps.begin(), steps.begin() + steps.size() / 2, steps.end());
    return steps[steps.size() / 2] / workload.b.diagonal();
}

}  // namespace

double Mesh::diagonal() const
{
    return length(bounds_max.x - bounds_min.x, bounds_max.y - bounds_min.y, bounds_max.z - bounds_min.z);
}

double motion(const Mesh &b, const Pose &from, const Pose &to)
{
    double largest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vector3 p{corner & 1 ? b.bounds_max.x : b.bounds_min.x,
                        corner & 2 ? b.bounds_max.y : b.bounds_min.y,
                        corner & 4 ? b.bounds_max.z : b.bounds_min.z};
        const Vector3 before = apply(from, p), after = apply(to, p);
        largest = std::max(largest, length(after.x - before.x, after.y - before.y, after.z - before.z));
    }
    return largest;
}

double step_percent(const std::string &name)
{
    const std::size_t end = name.rfind("_0.");
    return end == std::string::npos ? 0 : std::strtod(name.c_str() + end + 1, nullptr);
}

Workload load_workload(const fs::path &directory)
{
    Workload workload;
    workload.name = directory.filename().string();
    workload.label = workload.name;
    workload.a = load_obj(directory / "a.obj");
    workload.b = load_obj(directory / "b.obj");
    workload.poses = load_poses(directory / "poses.txt");
    workload.tolerance = 0.01 * workload.a.diagonal();
    workload.median_motion = median_motion(workload);
    return workload;
}

void resample(Workload &workload, double step, std::size_t most)
{
    if (workload.poses.size() < 2)
        return;
    const double limit = step * workload.b.diagonal();
    const Vector3 pivot = centre(workload.b);
    std::vector<Pose> fine{workload.poses.front()};
    for (std::size_t i = 1; i < workload.poses.size(); ++i) {
        const Pose &from = workload.poses[i - 1], &to = workload.poses[i];
        std::size_t parts = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(motion(workload.b, from, to) / limit)));
        // Arcs are longer than their chords, so the first guess may be one part short.
        for (;; ++parts) {
            std::vector<Pose> inserted;
            Pose previous = from;
            bool fits = true;
            for (std::size_t part = 1; part <= parts && fits; ++part) {
                const Pose pose = part == parts ? to : between(pivot, from, to, static_cast<double>(part) / parts);
                fits = motion(workload.b, previous, pose) <= limit * (1 + 1e-9);
                inserted.push_back(pose);
                previous = pose;
            }
            if (fits) {
                fine.insert(fine.end(), inserted.begin(), inserted.end());
                break;
            }
        }
    }
    if (most && most < fine.size()) {
        const auto first = fine.begin() + static_cast<std::ptrdiff_t>((fine.size() - most) / 2);
        fine = std::vector<Pose>(first, first + static_cast<std::ptrdiff_t>(most));
    }
    workload.poses = std::move(fine);
    workload.resampled = true;
    std::ostringstream label;
    label << workload.name << "@" << step * 100 << "%";
    workload.label = label.str();
    workload.median_motion = median_motion(workload);
}
