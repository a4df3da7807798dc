// One model beside Embree, in one run and on one thread: the closest point against its point query, the first hit of a
// segment against its single ray. A second row for each mesh asks about the same places with the model in a pose that turns and
// moves it; Embree has no poses but instances, so its times are those of the mesh at rest. Prints a table in Markdown.
//
//   benches/embree/run.sh [most triangles]
#include <feeler.hpp>

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using point = std::array<float, 3>;

struct mesh {
    std::vector<point> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

// A closed, bumpy ball: about as uneven as a scanned figure.
mesh bumpy_ball(std::uint32_t wanted) {
    const auto rows = static_cast<std::uint32_t>(std::max(3.0, std::sqrt(wanted / 4.0)));
    const std::uint32_t columns = 2 * rows;
    mesh m;
    for (std::uint32_t i = 0; i <= rows; ++i) {
        for (std::uint32_t j = 0; j < columns; ++j) {
            const double v = M_PI * i / rows, u = 2 * M_PI * j / columns;
            const double r = 1 + 0.15 * std::sin(5 * u) * std::sin(4 * v) + 0.03 * std::sin(23 * u + 3) * std::sin(19 * v);
            m.vertices.push_back({static_cast<float>(r * std::sin(v) * std::cos(u)), static_cast<float>(r * std::sin(v) * std::sin(u)),
                                  static_cast<float>(r * std::cos(v))});
        }
    }
    for (std::uint32_t i = 0; i < rows; ++i) {
        for (std::uint32_t j = 0; j < columns; ++j) {
            const std::uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns;
            m.triangles.push_back({a, a + columns, b});
            m.triangles.push_back({b, a + columns, b + columns});
        }
    }
    return m;
}

struct random {
    std::uint64_t state = 1;
    double next() { // in [-1, 1)
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 11) * 0x1p-52 - 1;
    }
};

// Ericson, Real-Time Collision Detection, 5.1.5, in single precision: what users of the point query write.
float squared_distance(const point &a, const point &b, const point &c, const float p[3]) {
    const auto minus = [](const float *x, const float *y) { return point{x[0] - y[0], x[1] - y[1], x[2] - y[2]}; };
    const auto dot = [](const point &x, const point &y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; };
    const point ab = minus(b.data(), a.data()), ac = minus(c.data(), a.data()), ap = minus(p, a.data());
    const auto at = [&](float v, float w) {
        const point q = {a[0] + v * ab[0] + w * ac[0] - p[0], a[1] + v * ab[1] + w * ac[1] - p[1], a[2] + v * ab[2] + w * ac[2] - p[2]};
        return dot(q, q);
    };
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return at(0, 0);
    const point bp = minus(p, b.data());
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return at(1, 0);
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0);
    const point cp = minus(p, c.data());
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return at(0, 1);
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return at(1 - w, w);
    }
    const float scale = 1 / (va + vb + vc);
    return at(vb * scale, vc * scale);
}

struct nearest {
    const mesh *of;
    float squared;
};

bool measure(RTCPointQueryFunctionArguments *asked) {
    nearest &best = *static_cast<nearest *>(asked->userPtr);
    const auto &t = best.of->triangles[asked->primID];
    const float p[3] = {asked->query->x, asked->query->y, asked->query->z};
    const float squared = squared_distance(best.of->vertices[t[0]], best.of->vertices[t[1]], best.of->vertices[t[2]], p);
    if (squared < best.squared) {
        best.squared = squared;
        asked->query->radius = std::sqrt(squared);
        return true;
    }
    return false;
}

constexpr int rounds = 9;

// Nanoseconds per query. Of each slice of the queries the best round counts, so that what interrupts the program is left out.
template <typename Work>
double timed(std::size_t count, Work work) {
    constexpr std::size_t slice = 250;
    std::vector<double> best(count / slice, 1e300);
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t part = 0; part < best.size(); ++part) {
            const auto start = std::chrono::steady_clock::now();
            for (std::size_t index = part * slice; index < (part + 1) * slice; ++index) {
                work(index);
            }
            best[part] = std::min(best[part], std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
        }
    }
    return std::accumulate(best.begin(), best.end(), 0.0) / static_cast<double>(best.size() * slice);
}

feeler::model built(const mesh &m, std::uint32_t volume) {
    feeler::build_params params;
    params.volume = volume;
    return feeler::model(m.vertices, m.triangles, &params);
}

void compare(std::uint32_t triangles, RTCDevice device) {
    const mesh m = bumpy_ball(triangles);
    const feeler::model boxes = built(m, FEELER_VOLUME_AABB), turned = built(m, FEELER_VOLUME_OBB);
    const RTCScene scene = rtcNewScene(device);
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, m.vertices.data(), 0, sizeof(point), m.vertices.size());
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m.triangles.data(), 0, 12, m.triangles.size());
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);

    constexpr std::size_t count = 20000;
    random numbers;
    std::vector<std::array<double, 3>> from(count), to(count);
    for (std::size_t index = 0; index < count; ++index) {
        for (int axis = 0; axis < 3; ++axis) {
            from[index][axis] = static_cast<float>(1.6 * numbers.next());
            to[index][axis] = static_cast<float>(1.6 * numbers.next());
        }
    }
    double wrong = 0;
    std::vector<float> theirs(count);
    const double embree_point = timed(count, [&](std::size_t index) {
        RTCPointQuery query = {static_cast<float>(from[index][0]), static_cast<float>(from[index][1]), static_cast<float>(from[index][2]), 0,
                               std::numeric_limits<float>::infinity()};
        RTCPointQueryContext context;
        rtcInitPointQueryContext(&context);
        nearest best = {&m, std::numeric_limits<float>::infinity()};
        rtcPointQuery(scene, &query, &context, measure, &best);
        theirs[index] = std::sqrt(best.squared);
    });
    const double quaternion[4] = {0.3, -0.5, 0.2, 0.8}, shift[3] = {0.7, -1.3, 0.4};
    const feeler::transform turned_pose = feeler::from_quaternion(quaternion, shift);
    const auto in_pose = [&](std::vector<std::array<double, 3>> points) {
        for (auto &point : points) {
            const auto given = point;
            for (int row = 0; row < 3; ++row) {
                const double *r = turned_pose.rotation + 3 * row;
                point[row] = r[0] * given[0] + r[1] * given[1] + r[2] * given[2] + turned_pose.translation[row];
            }
        }
        return points;
    };
    const auto posed_from = in_pose(from), posed_to = in_pose(to);
    const auto ours_point = [&](const feeler::model &model, const feeler::transform *pose) {
        const auto &points = pose ? posed_from : from;
        return timed(count, [&](std::size_t index) {
            const double distance = model.closest_point(points[index].data(), pose)->distance;
            wrong = std::max(wrong, std::abs(distance - static_cast<double>(theirs[index])));
        });
    };
    const double point_boxes = ours_point(boxes, nullptr), point_turned = ours_point(turned, nullptr);
    const double posed_point_boxes = ours_point(boxes, &turned_pose), posed_point_turned = ours_point(turned, &turned_pose);

    std::size_t different = 0;
    std::vector<char> met(count);
    const double embree_ray = timed(count, [&](std::size_t index) {
        RTCRayHit ray = {};
        ray.ray.org_x = static_cast<float>(from[index][0]);
        ray.ray.org_y = static_cast<float>(from[index][1]);
        ray.ray.org_z = static_cast<float>(from[index][2]);
        ray.ray.dir_x = static_cast<float>(to[index][0] - from[index][0]);
        ray.ray.dir_y = static_cast<float>(to[index][1] - from[index][1]);
        ray.ray.dir_z = static_cast<float>(to[index][2] - from[index][2]);
        ray.ray.tfar = 1;
        ray.ray.mask = ~0u;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
        rtcIntersect1(scene, &ray);
#else
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene, &context, &ray);
#endif
        met[index] = ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    });
    const auto ours_ray = [&](const feeler::model &model, const feeler::transform *pose) {
        const auto &starts = pose ? posed_from : from, &ends = pose ? posed_to : to;
        return timed(count, [&](std::size_t index) {
            feeler::hit hit;
            different += (model.cast(starts[index].data(), ends[index].data(), hit, pose)->found != 0) != (met[index] != 0);
        });
    };
    const double posed_ray_boxes = ours_ray(boxes, &turned_pose), posed_ray_turned = ours_ray(turned, &turned_pose);
    const std::size_t different_posed = different;
    different = 0;
    const double ray_boxes = ours_ray(boxes, nullptr), ray_turned = ours_ray(turned, nullptr);
    std::printf("| %zu | %.0f | %.0f (%.2f) | %.0f (%.2f) | %.0f | %.0f (%.2f) | %.0f (%.2f) | %.1e | %zu |\n", m.triangles.size(), embree_point,
                point_boxes, point_boxes / embree_point, point_turned, point_turned / embree_point, embree_ray, ray_boxes,
                ray_boxes / embree_ray, ray_turned, ray_turned / embree_ray, wrong, different / rounds / 2);
    std::printf("| %zu, in a pose | | %.0f (%.2f) | %.0f (%.2f) | | %.0f (%.2f) | %.0f (%.2f) | | %zu |\n", m.triangles.size(),
                posed_point_boxes, posed_point_boxes / embree_point, posed_point_turned, posed_point_turned / embree_point,
                posed_ray_boxes, posed_ray_boxes / embree_ray, posed_ray_turned, posed_ray_turned / embree_ray,
                different_posed / rounds / 2);
    std::fflush(stdout);
    rtcReleaseGeometry(geometry);
    rtcReleaseScene(scene);
}

} // namespace

int main(int count, char **arguments) {
    const double largest = count > 1 ? std::atof(arguments[1]) : 2e6;
    const RTCDevice device = rtcNewDevice("threads=1");
    std::printf("Nanoseconds per query on one thread; in brackets as a multiple of Embree's.\n\n"
                "| triangles | Embree point | feeler AABB | feeler OBB | Embree ray | feeler AABB | feeler OBB | largest difference | rays that differ |\n"
                "|---|---|---|---|---|---|---|---|---|\n");
    for (double triangles = 1000; triangles <= largest; triangles *= triangles < 1e6 ? 10 : 2) {
        compare(static_cast<std::uint32_t>(triangles), device);
    }
    rtcReleaseDevice(device);
    return 0;
}
