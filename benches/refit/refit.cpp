// A sphere whose surface waves: build once, then follow the vertices; feeler, FCL and Embree on the same mesh, one thread each.
//
//   refit [columns]      columns x columns/2 cells, two triangles each; default 400: 160,000 triangles
#include <feeler.h>

#include <embree3/rtcore.h>
#include <fcl/math/bv/utility.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/AABB.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/math/bv/OBBRSS.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

struct Mesh {
    std::vector<float> vertices;
    std::vector<std::uint32_t> indices;
};

void place(Mesh &mesh, int columns, int rows, double phase) {
    mesh.vertices.clear();
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= columns; ++column) {
            const double around = 6.283185307179586 * column / columns, across = 3.141592653589793 * row / rows;
            const double radius = 1.0 + 0.1 * std::sin(5.0 * around + phase) * std::sin(across);
            mesh.vertices.push_back(static_cast<float>(radius * std::sin(across) * std::cos(around)));
            mesh.vertices.push_back(static_cast<float>(radius * std::sin(across) * std::sin(around)));
            mesh.vertices.push_back(static_cast<float>(radius * std::cos(across)));
        }
    }
}

Mesh make(int columns, int rows) {
    Mesh mesh;
    place(mesh, columns, rows, 0.0);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const auto corner = static_cast<std::uint32_t>(row * (columns + 1) + column), above = corner + columns + 1;
            for (const std::uint32_t index : {corner, corner + 1, above + 1, corner, above + 1, above}) {
                mesh.indices.push_back(index);
            }
        }
    }
    return mesh;
}

double seconds(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Builds, then follows `FRAMES` shapes; the shortest times count.
constexpr int FRAMES = 7;

void report(const char *name, std::size_t triangles, double build, double update) {
    std::printf("| %s | %.2f | %.3f | %.1f | %.1f |\n", name, build * 1e3, update * 1e3, triangles / update * 1e-6, build / update);
}

void ok(feeler_status status) {
    if (status != FEELER_STATUS_OK) {
        std::fprintf(stderr, "%s\n", feeler_last_error_message());
        std::exit(1);
    }
}

void measure_feeler(const char *name, std::uint32_t volume, Mesh mesh, int columns, int rows) {
    feeler_mesh arrays = feeler_mesh_default();
    arrays.vertices = mesh.vertices.data();
    arrays.vertex_count = mesh.vertices.size() / 3;
    arrays.indices = mesh.indices.data();
    arrays.triangle_count = mesh.indices.size() / 3;
    feeler_build_params params = feeler_build_params_default();
    params.volume = volume;
    params.flags = FEELER_BUILD_DEFORMABLE;
    params.threads = 1;
    feeler_model *model = nullptr;
    const double build = seconds([&] {
        ok(feeler_model_create(&arrays, &model));
        ok(feeler_model_build(model, &params));
    });
    double update = 1e9;
    for (int frame = 0; frame < FRAMES; ++frame) {
        place(mesh, columns, rows, 0.1 * (frame + 1));
        arrays.vertices = mesh.vertices.data();
        arrays.indices = nullptr;
        arrays.triangle_count = 0;
        update = std::min(update, seconds([&] { ok(feeler_model_update_vertices(model, &arrays)); }));
    }
    report(name, mesh.indices.size() / 3, build, update);
    feeler_model_destroy(model);
}

template <typename Volume>
void measure_fcl(const char *name, Mesh mesh, int columns, int rows) {
    std::vector<fcl::Vector3<double>> vertices;
    std::vector<fcl::Triangle> triangles;
    const auto copy = [&] {
        vertices.clear();
        for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
            vertices.emplace_back(mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
        }
    };
    copy();
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        triangles.emplace_back(mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]);
    }
    fcl::BVHModel<Volume> model;
    const double build = seconds([&] {
        model.beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
        model.addSubModel(vertices, triangles);
        model.endModel();
    });
    double update = 1e9;
    for (int frame = 0; frame < FRAMES; ++frame) {
        place(mesh, columns, rows, 0.1 * (frame + 1));
        copy();
        update = std::min(update, seconds([&] {
            model.beginReplaceModel();
            model.replaceSubModel(vertices);
            model.endReplaceModel(true, true); // refit, bottom up
        }));
    }
    report(name, triangles.size(), build, update);
}

void measure_embree(Mesh mesh, int columns, int rows) {
    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    const std::size_t count = mesh.vertices.size() / 3, triangles = mesh.indices.size() / 3;
    auto *vertices = static_cast<float *>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, count));
    auto *indices = static_cast<std::uint32_t *>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles));
    std::copy(mesh.vertices.begin(), mesh.vertices.end(), vertices);
    std::copy(mesh.indices.begin(), mesh.indices.end(), indices);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    const double build = seconds([&] { rtcCommitScene(scene); });
    double update = 1e9;
    for (int frame = 0; frame < FRAMES; ++frame) {
        place(mesh, columns, rows, 0.1 * (frame + 1));
        update = std::min(update, seconds([&] {
            std::copy(mesh.vertices.begin(), mesh.vertices.end(), vertices);
            rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
            rtcCommitGeometry(geometry);
            rtcCommitScene(scene);
        }));
    }
    report("Embree, REFIT (float)", triangles, build, update);
    rtcReleaseGeometry(geometry);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
}

} // namespace

int main(int argc, char **argv) {
    const int columns = argc > 1 ? std::atoi(argv[1]) : 400;
    if (columns < 4 || columns > 10000) {
        std::fprintf(stderr, "usage: refit [columns]\n");
        return 2;
    }
    const int rows = columns / 2;
    const Mesh mesh = make(columns, rows);
    std::printf("%zu triangles, one thread\n\n| library | build ms | update ms | M triangles/s | build / update |\n|---|---|---|---|---|\n",
                mesh.indices.size() / 3);
    measure_feeler("feeler AABB", FEELER_VOLUME_AABB, mesh, columns, rows);
    measure_feeler("feeler KDOP18", FEELER_VOLUME_KDOP18, mesh, columns, rows);
    measure_feeler("feeler OBB", FEELER_VOLUME_OBB, mesh, columns, rows);
    measure_feeler("feeler RSS", FEELER_VOLUME_RSS, mesh, columns, rows);
    measure_fcl<fcl::AABB<double>>("FCL AABB", mesh, columns, rows);
    measure_fcl<fcl::OBB<double>>("FCL OBB", mesh, columns, rows);
    measure_fcl<fcl::OBBRSS<double>>("FCL OBBRSS", mesh, columns, rows);
    measure_embree(mesh, columns, rows);
}
