// The C++ wrapper: what it accepts, what it refuses, who owns what. Compiled by gcc and clang with all warnings.
#include "feeler.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

int passed = 0;
int failed = 0;

void expect(bool condition, const char *what, int line) {
    if (condition) {
        ++passed;
    } else {
        ++failed;
        std::printf("wrapper.cpp:%d: %s\n", line, what);
    }
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

// Stand-ins for the vector types of other libraries.
struct glm_like {
    using value_type = float;
    float x, y, z;
};
struct eigen_like {
    using Scalar = double;
    double numbers[3];
};
struct eigen_matrix_like { // 3 x n, column-major
    std::vector<double> numbers;
    const double *data() const { return numbers.data(); }
    std::size_t cols() const { return numbers.size() / 3; }
};
struct vertex_with_normal {
    float x, y, z, nx, ny, nz;
};

// A unit square in z = 0 as two triangles.
const std::vector<float> square_f32 = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
const std::vector<std::uint32_t> two_triangles = {0, 1, 2, 0, 2, 3};

double distance_at(const feeler::model &a, const feeler::model &b, double height) {
    feeler::pair pair(a, b);
    feeler::check(pair.set_transform_b(feeler::translation(0, 0, height)));
    return pair.distance().value().upper;
}

template <typename Action>
feeler_status thrown_status(Action action, std::string *message = nullptr) {
    try {
        action();
    } catch (const feeler::error &error) {
        if (message) {
            *message = error.what();
        }
        return error.status();
    }
    return FEELER_STATUS_OK;
}

void every_kind_of_range() {
    const feeler::model flat(square_f32, two_triangles);
    EXPECT(distance_at(flat, flat, 2.0) == 2.0);
    EXPECT(flat.info().triangle_count == 2);

    const std::vector<double> doubles(square_f32.begin(), square_f32.end());
    EXPECT(distance_at(flat, feeler::model(doubles, two_triangles), 3.0) == 3.0);

    const std::vector<std::array<float, 3>> arrays = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const std::vector<std::array<int, 3>> triples = {{0, 1, 2}, {0, 2, 3}};
    EXPECT(distance_at(flat, feeler::model(arrays, triples), 1.5) == 1.5);

    const std::array<glm_like, 3> glm = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}};
    const std::array<std::uint32_t, 3> one = {0, 1, 2};
    EXPECT(distance_at(flat, feeler::model(glm, one), 0.5) == 0.5);

    const std::vector<eigen_like> eigen = {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}};
    EXPECT(distance_at(flat, feeler::model(eigen, one), 0.25) == 0.25);

    const vertex_with_normal vertices[] = {{0, 0, 0, 9, 9, 9}, {1, 0, 0, 9, 9, 9}, {1, 1, 0, 9, 9, 9}};
    const std::uint32_t indices[] = {0, 1, 2};
    const feeler::model with_normals(vertices, indices);
    EXPECT(with_normals.info().bounds_max[2] == 0.0);
    EXPECT(distance_at(flat, with_normals, 4.0) == 4.0);

    const double rows[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    EXPECT(distance_at(flat, feeler::model(rows, indices), 4.0) == 4.0);
}

void plain_pointers() {
    const feeler::model flat(square_f32.data(), 4, two_triangles.data(), 2);
    EXPECT(flat.info().triangle_count == 2);
    const eigen_matrix_like matrix = {{0, 0, 0, 1, 0, 0, 1, 1, 0}};
    const feeler::model from_matrix(matrix.data(), matrix.cols(), nullptr, 0);
    EXPECT(from_matrix.info().triangle_count == 1);
    EXPECT(distance_at(flat, from_matrix, 1.0) == 1.0);
    const vertex_with_normal vertices[] = {{0, 0, 0, 9, 9, 9}, {1, 0, 0, 9, 9, 9}, {1, 1, 0, 9, 9, 9}};
    const feeler::model strided(&vertices[0].x, 3, nullptr, 0, nullptr, sizeof vertices[0]);
    EXPECT(distance_at(flat, strided, 1.0) == 1.0);
    feeler::mesh mesh;
    mesh.vertices = square_f32.data();
    mesh.vertex_count = 3;
    EXPECT(feeler::model(mesh).info().triangle_count == 1);
}

void owners_move() {
    static_assert(!std::is_copy_constructible_v<feeler::model> && !std::is_copy_assignable_v<feeler::model>);
    static_assert(!std::is_copy_constructible_v<feeler::pair> && !std::is_copy_assignable_v<feeler::pair>);
    static_assert(std::is_nothrow_move_constructible_v<feeler::model> && std::is_nothrow_move_assignable_v<feeler::model>);
    static_assert(std::is_nothrow_move_constructible_v<feeler::pair> && std::is_nothrow_move_assignable_v<feeler::pair>);
    feeler::model first(square_f32, two_triangles);
    feeler::model second(std::move(first));
    EXPECT(!first && second);
    first = std::move(second);
    EXPECT(first && !second);
    feeler::model &same = first;
    first = std::move(same);
    EXPECT(static_cast<bool>(first));
    feeler::pair pair(first, first);
    first = feeler::model(); // the pair keeps its models alive
    std::vector<feeler::pair> pairs;
    pairs.push_back(std::move(pair));
    pairs.emplace_back();
    EXPECT(!pair && pairs[0] && !pairs[1]);
    EXPECT(pairs[0].set_transform_b(feeler::translation(0, 0, 1)) == FEELER_STATUS_OK);
    EXPECT(pairs[0].distance()->upper == 1.0);
    feeler_pair *released = pairs[0].release();
    EXPECT(released != nullptr && !pairs[0]);
    feeler_pair_destroy(released);
}

void failures_are_told() {
    std::string message;
    EXPECT(thrown_status([] { feeler::model(std::vector<float>{}, std::vector<std::uint32_t>{}); }, &message) ==
           FEELER_STATUS_INVALID_MESH);
    EXPECT(message.find("FEELER_STATUS_INVALID_MESH: ") == 0 && message.size() > 30);
    EXPECT(thrown_status([] { feeler::model(square_f32, std::vector<std::uint32_t>{0, 1, 99}); }, &message) ==
           FEELER_STATUS_INVALID_MESH);
    EXPECT(message.find("99") != std::string::npos);
    EXPECT(thrown_status([] { feeler::model(square_f32, std::vector<int>{0, 1, -1}); }) == FEELER_STATUS_INVALID_MESH);
    EXPECT(thrown_status([] { feeler::model(std::vector<float>{1, 2}, two_triangles); }, &message) ==
           FEELER_STATUS_INVALID_MESH);
    EXPECT(message.find("2 coordinates") != std::string::npos);
    EXPECT(thrown_status([] { feeler::model(square_f32, std::vector<int>{0, 1}); }) == FEELER_STATUS_INVALID_MESH);
    feeler::build_params params;
    params.volume = 12345;
    EXPECT(thrown_status([&] { feeler::model(square_f32, two_triangles, &params); }) != FEELER_STATUS_OK);
    EXPECT(thrown_status([] { feeler::pair(feeler::model(), feeler::model()); }) == FEELER_STATUS_NULL_ARGUMENT);
    const double zeros[16] = {};
    EXPECT(thrown_status([&] { feeler::from_matrix4(zeros); }) == FEELER_STATUS_INVALID_ARGUMENT);
    EXPECT(thrown_status([] { feeler::model().info(); }) == FEELER_STATUS_NULL_ARGUMENT);
}

void queries_do_not_throw() {
    static_assert(noexcept(std::declval<feeler::pair &>().distance()));
    static_assert(noexcept(std::declval<feeler::pair &>().collide()));
    static_assert(noexcept(std::declval<feeler::pair &>().tolerance(0.0)));
    static_assert(noexcept(std::declval<feeler::pair &>().contacts(0.0, nullptr, 0)));
    static_assert(noexcept(std::declval<feeler::pair &>().set_transforms(feeler::identity(), feeler::identity())));
    feeler::pair nothing;
    EXPECT(nothing.distance().status == FEELER_STATUS_NULL_ARGUMENT);
    EXPECT(!nothing.collide() && !nothing.tolerance(1.0) && !nothing.counters());
    EXPECT(nothing.memory() == 0);
    EXPECT(thrown_status([&] { (void)nothing.distance().value(); }) == FEELER_STATUS_NULL_ARGUMENT);

    const feeler::model flat(square_f32, two_triangles);
    feeler::pair pair(flat, flat);
    EXPECT(pair.set_transforms(feeler::identity(), feeler::translation(0.25, 0.25, 0.5)) == FEELER_STATUS_OK);
    EXPECT(pair.collide()->colliding == 0);
    EXPECT(pair.tolerance(0.5)->closer == 1);
    EXPECT(pair.tolerance(0.25)->closer == 0);
    feeler::distance_params far_away;
    far_away.max_distance = 0.1;
    EXPECT(std::isinf(pair.distance(far_away)->upper));
    std::array<feeler::contact, 8> contacts = {};
    const auto found = pair.contacts(0.5, contacts);
    EXPECT(found && found->found == 4 && found->written == 4 && found->complete == 1);
    EXPECT(contacts[0].distance == 0.5 && contacts[0].normal[2] == 1.0);
    EXPECT(pair.contacts(0.5, nullptr, 0)->found == 4);
    EXPECT(pair.contacts(-1.0, contacts).status == FEELER_STATUS_INVALID_ARGUMENT);
    feeler::contacts_params ids_only;
    ids_only.margin = 0.5;
    ids_only.flags = FEELER_CONTACTS_IDS_ONLY;
    const auto named = pair.contacts(ids_only, contacts.data(), contacts.size());
    EXPECT(named && named->written == 4 && contacts[1].triangle_b == 1 && contacts[1].distance == 0.0);
    EXPECT(pair.set_transform_b(feeler::translation(NAN, 0, 0)) == FEELER_STATUS_INVALID_ARGUMENT);
    EXPECT(pair.counters()->struct_size == sizeof(feeler_counters));
    pair.reset();
    EXPECT(pair.memory() > 0);
}

void deforming_models() {
    feeler::build_params params;
    params.volume = FEELER_VOLUME_AABB;
    params.flags = FEELER_BUILD_DEFORMABLE;
    feeler::model soft(square_f32, two_triangles, &params);
    const feeler::model rigid(square_f32, two_triangles);
    feeler::pair pair(rigid, soft);
    EXPECT(pair.distance()->upper == 0.0);
    auto raised = square_f32;
    for (std::size_t i = 2; i < raised.size(); i += 3) {
        raised[i] += 0.5f;
    }
    soft.update_vertices(raised);
    EXPECT(pair.distance()->upper == 0.5 && soft.info().refit_quality == 1.0);
    soft.update_range(std::vector<float>{0.0f, 0.0f, 0.25f}, 0);
    EXPECT(pair.distance()->upper == 0.25);
    soft.build(params);
    EXPECT(pair.distance()->upper == 0.25);
    EXPECT(pair.set_model_b(rigid) == FEELER_STATUS_OK && pair.distance()->upper == 0.0);
    EXPECT(pair.set_models(soft, rigid) == FEELER_STATUS_OK && pair.distance()->upper == 0.25);
    EXPECT(pair.set_model_a(feeler::model()) == FEELER_STATUS_OK); // nothing to replace it by
    EXPECT(thrown_status([&] { soft.update_range(raised, 1); }) == FEELER_STATUS_INVALID_ARGUMENT);
    EXPECT(thrown_status([&] { soft.update_vertices(std::vector<double>{1, 2, 3}); }) == FEELER_STATUS_INVALID_MESH);
    EXPECT(thrown_status([&] { feeler::model(square_f32, two_triangles).update_vertices(raised); }) ==
           FEELER_STATUS_UNSUPPORTED);
}

void poses() {
    const float matrix[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};
    const feeler::transform turned = feeler::from_matrix4(matrix);
    EXPECT(turned.rotation[1] == -1.0 && turned.rotation[3] == 1.0 && turned.translation[2] == 7.0);
    const double quaternion[4] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
    const double place[3] = {5, 6, 7};
    const feeler::transform same = feeler::from_quaternion(quaternion, place);
    EXPECT(std::fabs(same.rotation[1] + 1.0) < 1e-15 && same.translation[0] == 5.0);
}

void threads_share_a_model() {
    const feeler::model flat(square_f32, two_triangles);
    double distances[4] = {};
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; ++index) {
        threads.emplace_back([&flat, &distances, index] { distances[index] = distance_at(flat, flat, index + 1.0); });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT(distances[0] == 1.0 && distances[1] == 2.0 && distances[2] == 3.0 && distances[3] == 4.0);
}

void one_model_minima_and_sweeps() {
    const feeler::model flat(square_f32, two_triangles);
    const double above[3] = {0.25, 0.5, 2}, below[3] = {0.25, 0.5, -2};
    const feeler::transform raised = feeler::translation(0, 0, 1);
    static_assert(noexcept(flat.closest_point(above)) && noexcept(flat.within(above, 1, nullptr, 0)));
    EXPECT(flat.closest_point(above).value().distance == 2);
    EXPECT(flat.closest_point(above, &raised).value().distance == 1);
    feeler::closest_params near_only;
    near_only.max_distance = 1;
    EXPECT(std::isinf(flat.closest_point(above, near_only).value().distance));
    const double points[6] = {0.25, 0.5, 2, 0.25, 0.5, -3};
    feeler::surface_point found[2];
    EXPECT(flat.closest_points(points, 2, found) == FEELER_STATUS_OK && found[1].distance == 3);
    feeler::hit hit;
    EXPECT(flat.cast(above, below, hit).value().found == 1 && hit.time == 0.5 && hit.triangle == 1);
    feeler::cast_params ball;
    ball.radius = 0.5;
    EXPECT(flat.cast(above, below, ball, &hit, 1).value().found == 1 && std::abs(hit.time - 0.375) < 1e-9);
    std::uint32_t ids[2] = {9, 9};
    EXPECT(flat.within(below, 2.5, ids, 2).value() == 2 && ids[0] == 0 && ids[1] == 1);
    EXPECT(flat.pose_between(feeler::identity(), raised, 0.5).translation[2] == 0.5);
    EXPECT(thrown_status([&] { (void)flat.pose_between(feeler::identity(), raised, 2); }) == FEELER_STATUS_INVALID_ARGUMENT);
    EXPECT(!feeler::model().closest_point(above));

    feeler::pair pair(flat, flat);
    feeler::check(pair.set_transform_b(raised));
    static_assert(noexcept(pair.sweep(nullptr, nullptr, 1.0)));
    std::array<feeler::minimum, 8> minima;
    feeler::minima_params within;
    within.margin = 1.5;
    within.merge_distance = 10;
    const auto local = pair.local_minima(within, minima).value();
    EXPECT(local.found >= 1 && local.written == 1 && minima[0].contact.distance == 1 && minima[0].merged == local.found);
    EXPECT(pair.local_minima(0.5, minima.data(), minima.size()).value().found == 0);
    const feeler::transform under = feeler::translation(0, 0, -1);
    const auto met = pair.sweep(nullptr, &under, 0.01).value();
    EXPECT(met.hit == 1 && met.time_free <= met.time_hit && std::abs(met.time_hit - 0.5) < 0.01);
    EXPECT(pair.sweep(nullptr, &under, 0.0).status == FEELER_STATUS_INVALID_ARGUMENT);
}

} // namespace

// Structs that the wrapper fills itself have the defaults of the library.
void zeros_are_defaults() {
    const feeler::cast_result cast;
    const feeler::contacts_result contacts;
    const feeler_cast_result cast_default = feeler_cast_result_default();
    const feeler_contacts_result contacts_default = feeler_contacts_result_default();
    EXPECT(sizeof cast == sizeof cast_default && std::memcmp(&cast, &cast_default, sizeof cast) == 0);
    EXPECT(sizeof contacts == sizeof contacts_default && std::memcmp(&contacts, &contacts_default, sizeof contacts) == 0);
}

int main() {
    EXPECT(feeler_version() == FEELER_VERSION);
    every_kind_of_range();
    plain_pointers();
    owners_move();
    failures_are_told();
    queries_do_not_throw();
    deforming_models();
    poses();
    threads_share_a_model();
    one_model_minima_and_sweeps();
    zeros_are_defaults();
    std::printf("wrapper: %d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
