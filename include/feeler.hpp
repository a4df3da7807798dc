/// @file feeler.hpp
/// C++17 classes that own the handles of feeler.h. Header-only: link the C library and nothing else.
///
/// Constructors, poses and info throw feeler::error with the message of feeler_last_error_message(). Moving a pair and
/// querying it is noexcept and allocates nothing. A query returns its status with its result, so a real-time thread
/// never meets an exception. The structs are those of feeler.h; the names here start with their defaults.
#ifndef FEELER_HPP
#define FEELER_HPP

#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "feeler.hpp needs C++17; feeler.h needs only C99"
#endif

#include "feeler.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace feeler {

/// Thrown by a call that fails, except by queries.
class error : public std::runtime_error {
public:
    /// The status, and the message of the last failure on this thread.
    explicit error(feeler_status status) : error(status, feeler_last_error_message()) {}
    /// A failure that this wrapper found itself.
    error(feeler_status status, const std::string &message)
        : std::runtime_error(std::string(feeler_status_name(status)) + ": " + message), status_(status) {}
    /// One of FEELER_STATUS_..., never FEELER_STATUS_OK.
    feeler_status status() const noexcept { return status_; }

private:
    feeler_status status_;
};

/// Throws feeler::error unless the status is FEELER_STATUS_OK.
inline void check(feeler_status status) {
    if (status != FEELER_STATUS_OK) {
        throw error(status);
    }
}

/// A C struct whose constructor writes its defaults.
template <typename Struct, feeler_status (*initialise)(Struct *, std::size_t)>
struct defaulted : Struct {
    /// Writes the defaults.
    defaulted() noexcept : Struct() { (void)initialise(this, sizeof(Struct)); }
};

/// A C struct whose defaults are zeros and its size.
template <typename Struct>
struct zeroed : Struct {
    /// Writes the defaults.
    zeroed() noexcept : Struct() { this->struct_size = sizeof(Struct); }
};

/// Where the vertices and triangles are.
using mesh = defaulted<feeler_mesh, feeler_mesh_init>;
/// Options of model::build.
using build_params = defaulted<feeler_build_params, feeler_build_params_init>;
/// Size, bounds, memory and build time of a model.
using model_info = defaulted<feeler_model_info, feeler_model_info_init>;
/// Options of a pair: how much memory it gets.
using pair_params = defaulted<feeler_pair_params, feeler_pair_params_init>;
/// Options of pair::collide.
using collide_params = defaulted<feeler_collide_params, feeler_collide_params_init>;
/// Options of pair::contacts.
using contacts_params = defaulted<feeler_contacts_params, feeler_contacts_params_init>;
/// Options of pair::distance.
using distance_params = defaulted<feeler_distance_params, feeler_distance_params_init>;
/// Options of pair::tolerance.
using tolerance_params = defaulted<feeler_tolerance_params, feeler_tolerance_params_init>;
/// Answer of pair::collide.
using collide_result = defaulted<feeler_collide_result, feeler_collide_result_init>;
/// Answer of pair::contacts.
using contacts_result = zeroed<feeler_contacts_result>;
/// Answer of pair::distance.
using distance_result = defaulted<feeler_distance_result, feeler_distance_result_init>;
/// Answer of pair::tolerance.
using tolerance_result = defaulted<feeler_tolerance_result, feeler_tolerance_result_init>;
/// Counts of the last query of a pair.
using counters = defaulted<feeler_counters, feeler_counters_init>;
/// How model::closest_point asks.
using closest_params = defaulted<feeler_closest_params, feeler_closest_params_init>;
/// How model::cast asks.
using cast_params = defaulted<feeler_cast_params, feeler_cast_params_init>;
/// What model::cast found besides the hits.
using cast_result = zeroed<feeler_cast_result>;
/// How pair::local_minima asks.
using minima_params = defaulted<feeler_minima_params, feeler_minima_params_init>;
/// How pair::sweep asks.
using sweep_params = defaulted<feeler_sweep_params, feeler_sweep_params_init>;
/// What pair::sweep found.
using sweep_result = defaulted<feeler_sweep_result, feeler_sweep_result_init>;
/// Two triangles that are near each other or touch.
using contact = feeler_contact;
/// A local minimum of the distance.
using minimum = feeler_minimum;
/// The point of a model that is nearest to a point of space.
using surface_point = feeler_surface_point;
/// Where a cast first meets a triangle.
using hit = feeler_hit;
/// The pose of a model.
using transform = feeler_transform;

/// What a query returns: its status and its result. The result is valid when the status is FEELER_STATUS_OK.
template <typename Result>
struct answer {
    /// One of FEELER_STATUS_...
    feeler_status status = FEELER_STATUS_OK;
    /// The answer. It has its defaults when the query failed.
    Result result;

    /// True when the query succeeded.
    explicit operator bool() const noexcept { return status == FEELER_STATUS_OK; }
    /// A field of the result.
    const Result *operator->() const noexcept { return &result; }
    /// The result.
    const Result &operator*() const noexcept { return result; }
    /// The result. Throws feeler::error if the query failed. Call this before the next failure on this thread, which
    /// replaces the message.
    const Result &value() const {
        check(status);
        return result;
    }
};

/// The pose that moves nothing.
inline transform identity() noexcept { return feeler_transform_identity(); }

/// A pose that only translates.
inline transform translation(double x, double y, double z) noexcept {
    transform pose = feeler_transform_identity();
    pose.translation[0] = x;
    pose.translation[1] = y;
    pose.translation[2] = z;
    return pose;
}

/// A pose from a column-major 4x4 matrix, as in OpenGL, glm (`&m[0][0]`) or Eigen (`m.data()`).
inline transform from_matrix4(const double *column_major) {
    transform pose = feeler_transform_identity();
    check(feeler_transform_from_matrix4_f64(column_major, &pose));
    return pose;
}

/// A pose from a column-major 4x4 matrix in single precision.
inline transform from_matrix4(const float *column_major) {
    transform pose = feeler_transform_identity();
    check(feeler_transform_from_matrix4_f32(column_major, &pose));
    return pose;
}

/// A pose from a quaternion in x, y, z, w order and a translation, each by pointer to its first number.
inline transform from_quaternion(const double *xyzw, const double *place) {
    transform pose = feeler_transform_identity();
    check(feeler_transform_from_quaternion(xyzw, place, &pose));
    return pose;
}

/// How this wrapper reads ranges of vertices and triangles. Not for callers.
namespace detail {

template <typename Type>
struct always_false : std::false_type {};

template <typename Type, typename = void>
struct has_value_type : std::false_type {};
template <typename Type>
struct has_value_type<Type, std::void_t<typename Type::value_type>> : std::true_type {};

template <typename Type, typename = void>
struct has_scalar : std::false_type {};
template <typename Type>
struct has_scalar<Type, std::void_t<typename Type::Scalar>> : std::true_type {};

template <typename Type, typename = void>
struct has_x : std::false_type {};
template <typename Type>
struct has_x<Type, std::void_t<decltype(std::declval<Type &>().x)>> : std::true_type {};

/// The number type of an element of a range.
template <typename Element>
constexpr auto number_of() {
    if constexpr (std::is_arithmetic_v<Element>) {
        return Element{};
    } else if constexpr (std::is_array_v<Element>) {
        return std::remove_cv_t<std::remove_all_extents_t<Element>>{};
    } else if constexpr (has_value_type<Element>::value) {
        return typename Element::value_type{};
    } else if constexpr (has_scalar<Element>::value) {
        return typename Element::Scalar{};
    } else if constexpr (has_x<Element>::value) {
        return std::decay_t<decltype(std::declval<Element &>().x)>{};
    } else {
        static_assert(always_false<Element>::value, "feeler: the number type of this element is unknown. Use the constructor "
                                                    "with pointers, or fill a feeler::mesh");
    }
}

template <typename Range>
using element_of = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Range &>()))>>;

/// A vertex array: its first number, the number of vertices and the bytes from one vertex to the next.
template <typename Number>
void set_vertices(feeler_mesh &arrays, const Number *first, std::size_t count, std::size_t stride) {
    static_assert(std::is_same_v<Number, float> || std::is_same_v<Number, double>,
                  "feeler: coordinates are float or double");
    arrays.scalar = std::is_same_v<Number, double> ? FEELER_SCALAR_F64 : FEELER_SCALAR_F32;
    arrays.vertices = first;
    arrays.vertex_count = count;
    arrays.vertex_stride = stride;
}

/// Numbers in threes, or elements that begin with three numbers.
template <typename Vertices>
void set_vertices(feeler_mesh &arrays, const Vertices &vertices) {
    using element = element_of<Vertices>;
    using number = decltype(number_of<element>());
    if constexpr (std::is_arithmetic_v<element>) {
        if (std::size(vertices) % 3 != 0) {
            throw error(FEELER_STATUS_INVALID_MESH,
                        std::to_string(std::size(vertices)) + " coordinates are not a multiple of three");
        }
        set_vertices(arrays, std::data(vertices), std::size(vertices) / 3, 0);
    } else {
        static_assert(sizeof(element) >= 3 * sizeof(number), "feeler: a vertex begins with three coordinates");
        set_vertices(arrays, reinterpret_cast<const number *>(std::data(vertices)), std::size(vertices), sizeof(element));
    }
}

/// Vertex numbers in threes, or elements that are three vertex numbers.
template <typename Indices>
void set_indices(feeler_mesh &arrays, const Indices &indices) {
    using element = element_of<Indices>;
    using number = decltype(number_of<element>());
    static_assert(std::is_integral_v<number> && sizeof(number) == sizeof(std::uint32_t),
                  "feeler: vertex numbers are integers of 32 bits");
    static_assert(std::is_arithmetic_v<element> || sizeof(element) == 3 * sizeof(number),
                  "feeler: a triangle is three vertex numbers and nothing else");
    const std::size_t numbers = std::size(indices) * (sizeof(element) / sizeof(number));
    if (numbers % 3 != 0) {
        throw error(FEELER_STATUS_INVALID_MESH, std::to_string(numbers) + " vertex numbers are not a multiple of three");
    }
    arrays.indices = reinterpret_cast<const std::uint32_t *>(std::data(indices));
    arrays.triangle_count = numbers / 3;
}

} // namespace detail

/// A built triangle mesh. Move-only. A model that was moved from holds nothing. Many threads may use a const model.
class model {
public:
    /// Holds nothing.
    model() noexcept = default;

    /// From a mesh in the C struct, for layouts that the other constructors do not know.
    explicit model(const feeler_mesh &arrays, const feeler_build_params *params = nullptr) {
        check(feeler_model_create(&arrays, &handle_));
        const feeler_status status = feeler_model_build(handle_, params);
        if (status != FEELER_STATUS_OK) {
            const error reason(status);
            feeler_model_destroy(handle_);
            throw reason;
        }
    }

    /// From any two contiguous ranges (std::vector, std::array, C arrays, spans). Vertices: float or double in threes,
    /// or elements that begin with three of them (std::array, glm::vec3, Eigen::Vector3f, a struct with x first).
    /// Indices: 32-bit integers in threes, or triples of them.
    template <typename Vertices, typename Indices, typename = detail::element_of<Vertices>,
              typename = detail::element_of<Indices>>
    model(const Vertices &vertices, const Indices &indices, const feeler_build_params *params = nullptr)
        : model(make_mesh(vertices, indices), params) {}

    /// From plain pointers: count vertices that start stride bytes apart (0: packed), and three numbers per triangle
    /// (NULL: the vertices come in threes). A 3 x n column-major or n x 3 row-major matrix is such an array:
    /// `model(v.data(), v.cols(), f.data(), f.cols())`.
    template <typename Number, typename = std::enable_if_t<std::is_floating_point_v<Number>>>
    model(const Number *vertices, std::size_t vertex_count, const std::uint32_t *indices, std::size_t triangle_count,
          const feeler_build_params *params = nullptr, std::size_t vertex_stride = 0)
        : model(make_mesh(vertices, vertex_count, vertex_stride, indices, triangle_count), params) {}

    /// Takes the handle of the other object and leaves it empty.
    model(model &&other) noexcept : handle_(other.release()) {}
    /// Takes the handle of the other object and leaves it empty. Destroys the handle that this object held.
    model &operator=(model &&other) noexcept {
        model taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    model(const model &) = delete;
    model &operator=(const model &) = delete;
    ~model() { feeler_model_destroy(handle_); }

    /// Builds the tree again, for example with another volume. FEELER_STATUS_BUSY while a pair uses the model, unless it is
    /// deformable and volume and flags stay.
    void build(const feeler_build_params &params) { check(feeler_model_build(handle_, &params)); }
    /// Moves the vertices of a model that was built with FEELER_BUILD_DEFORMABLE; throws also when the model is busy.
    void update_vertices(const feeler_mesh &arrays) { check(feeler_model_update_vertices(handle_, &arrays)); }
    /// The same from any contiguous range of vertices, as in the constructor.
    template <typename Vertices, typename = detail::element_of<Vertices>>
    void update_vertices(const Vertices &vertices) {
        update_vertices(make_vertices(vertices));
    }
    /// Moves the vertices from first_vertex on.
    void update_range(const feeler_mesh &arrays, std::size_t first_vertex) {
        check(feeler_model_update_range(handle_, &arrays, first_vertex));
    }
    /// The same from any contiguous range of vertices.
    template <typename Vertices, typename = detail::element_of<Vertices>>
    void update_range(const Vertices &vertices, std::size_t first_vertex) {
        update_range(make_vertices(vertices), first_vertex);
    }
    /// Size, bounds, memory and build time.
    model_info info() const {
        model_info value;
        check(feeler_model_get_info(handle_, &value));
        return value;
    }

    // Questions about the model alone. All are const and noexcept, so that many threads may ask one model. A point is
    // given by a pointer to its three coordinates, a pose by a pointer that may be NULL (the identity).

    /// Which point of the model is nearest to a point of space?
    [[nodiscard]] answer<surface_point> closest_point(const double *point, const transform *pose = nullptr) const noexcept {
        return ask_closest(point, nullptr, pose);
    }
    /// Which point of the model is nearest to a point of space? With parameters.
    [[nodiscard]] answer<surface_point> closest_point(const double *point, const feeler_closest_params &params,
                                                      const transform *pose = nullptr) const noexcept {
        return ask_closest(point, &params, pose);
    }
    /// The same for count packed points; out has room for count answers.
    [[nodiscard]] feeler_status closest_points(const double *points, std::size_t count, surface_point *out,
                                               const feeler_closest_params *params = nullptr,
                                               const transform *pose = nullptr) const noexcept {
        return feeler_model_closest_points(handle_, pose, points, 0, count, params, out);
    }

    /// What does a segment meet first? found is 0 or 1, and the hit goes to out.
    [[nodiscard]] answer<cast_result> cast(const double *from, const double *to, feeler_hit &out,
                                           const transform *pose = nullptr) const noexcept {
        return ask_cast(from, to, nullptr, &out, 1, pose);
    }
    /// What does a segment or a moving sphere meet? The earliest hits go to out, up to its capacity.
    [[nodiscard]] answer<cast_result> cast(const double *from, const double *to, const feeler_cast_params &params,
                                           feeler_hit *out, std::size_t capacity,
                                           const transform *pose = nullptr) const noexcept {
        return ask_cast(from, to, &params, out, capacity, pose);
    }

    /// How many triangles does a ball touch? Their ids go to triangles in ascending order, up to its capacity.
    [[nodiscard]] answer<std::size_t> within(const double *centre, double radius, std::uint32_t *triangles,
                                             std::size_t capacity, const transform *pose = nullptr) const noexcept {
        answer<std::size_t> given{};
        given.status = feeler_model_within(handle_, pose, centre, radius, triangles, capacity, &given.result);
        return given;
    }

    /// The pose that a sweep looks at between two poses, at a time from 0 to 1.
    transform pose_between(const transform &from, const transform &to, double time) const {
        transform pose = feeler_transform_identity();
        check(feeler_model_pose_between(handle_, &from, &to, time, &pose));
        return pose;
    }

    /// The C handle, still owned by this object.
    feeler_model *get() const noexcept { return handle_; }
    /// The C handle, which the caller now owns.
    feeler_model *release() noexcept { return std::exchange(handle_, nullptr); }
    /// True when this object holds a handle.
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    answer<surface_point> ask_closest(const double *point, const feeler_closest_params *params,
                                      const transform *pose) const noexcept {
        answer<surface_point> given{};
        given.status = feeler_model_closest_point(handle_, pose, point, params, &given.result);
        return given;
    }
    answer<cast_result> ask_cast(const double *from, const double *to, const feeler_cast_params *params, feeler_hit *out,
                                 std::size_t capacity, const transform *pose) const noexcept {
        answer<cast_result> given;
        given.status = feeler_model_cast(handle_, pose, from, to, params, out, capacity, &given.result);
        return given;
    }
    template <typename Vertices>
    static feeler_mesh make_vertices(const Vertices &vertices) {
        feeler_mesh arrays = feeler_mesh_default();
        detail::set_vertices(arrays, vertices);
        return arrays;
    }
    template <typename Vertices, typename Indices>
    static feeler_mesh make_mesh(const Vertices &vertices, const Indices &indices) {
        feeler_mesh arrays = feeler_mesh_default();
        detail::set_vertices(arrays, vertices);
        detail::set_indices(arrays, indices);
        return arrays;
    }
    template <typename Number>
    static feeler_mesh make_mesh(const Number *vertices, std::size_t vertex_count, std::size_t stride,
                                 const std::uint32_t *indices, std::size_t triangle_count) {
        feeler_mesh arrays = feeler_mesh_default();
        detail::set_vertices(arrays, vertices, vertex_count, stride);
        arrays.indices = indices;
        arrays.triangle_count = triangle_count;
        return arrays;
    }

    feeler_model *handle_ = nullptr;
};

/// Two models with their poses and the memory of their queries. Move-only. It keeps the models alive. One thread at a
/// time.
class pair {
public:
    /// Holds nothing. Every query then returns FEELER_STATUS_NULL_ARGUMENT.
    pair() noexcept = default;

    /// Both models at the identity. All memory that queries need is allocated here.
    pair(const model &a, const model &b, const feeler_pair_params *params = nullptr) {
        check(feeler_pair_create(a.get(), b.get(), params, &handle_));
    }

    /// Takes the handle of the other object and leaves it empty.
    pair(pair &&other) noexcept : handle_(other.release()) {}
    /// Takes the handle of the other object and leaves it empty. Destroys the handle that this object held.
    pair &operator=(pair &&other) noexcept {
        pair taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    pair(const pair &) = delete;
    pair &operator=(const pair &) = delete;
    ~pair() { feeler_pair_destroy(handle_); }

    /// Moves both models.
    [[nodiscard]] feeler_status set_transforms(const transform &a, const transform &b) noexcept {
        return feeler_pair_set_transforms(handle_, &a, &b);
    }
    /// Moves the first model; the second stays.
    [[nodiscard]] feeler_status set_transform_a(const transform &a) noexcept {
        return feeler_pair_set_transforms(handle_, &a, nullptr);
    }
    /// Moves the second model; the first stays.
    [[nodiscard]] feeler_status set_transform_b(const transform &b) noexcept {
        return feeler_pair_set_transforms(handle_, nullptr, &b);
    }

    /// Replaces both models; the poses stay.
    [[nodiscard]] feeler_status set_models(const model &a, const model &b) noexcept {
        return feeler_pair_set_models(handle_, a.get(), b.get());
    }
    /// Replaces the first model.
    [[nodiscard]] feeler_status set_model_a(const model &a) noexcept {
        return feeler_pair_set_models(handle_, a.get(), nullptr);
    }
    /// Replaces the second model.
    [[nodiscard]] feeler_status set_model_b(const model &b) noexcept {
        return feeler_pair_set_models(handle_, nullptr, b.get());
    }

    /// Do the models touch?
    [[nodiscard]] answer<collide_result> collide() noexcept { return ask_collide(nullptr); }
    /// Do the models touch? With parameters.
    [[nodiscard]] answer<collide_result> collide(const feeler_collide_params &params) noexcept {
        return ask_collide(&params);
    }

    /// How far apart are the models, and where?
    [[nodiscard]] answer<distance_result> distance() noexcept { return ask_distance(nullptr); }
    /// How far apart are the models, and where? With parameters.
    [[nodiscard]] answer<distance_result> distance(const feeler_distance_params &params) noexcept {
        return ask_distance(&params);
    }

    /// Are the models at most this far apart?
    [[nodiscard]] answer<tolerance_result> tolerance(double limit) noexcept {
        tolerance_params params;
        params.tolerance = limit;
        return this->tolerance(static_cast<const feeler_tolerance_params &>(params));
    }
    /// Are the models closer than a tolerance? With parameters.
    [[nodiscard]] answer<tolerance_result> tolerance(const feeler_tolerance_params &params) noexcept {
        answer<tolerance_result> given;
        given.status = feeler_pair_tolerance(handle_, &params, &given.result);
        return given;
    }

    /// Which triangles are within the margin? Writes up to capacity contacts to out; `found` counts all of them.
    [[nodiscard]] answer<contacts_result> contacts(double margin, contact *out, std::size_t capacity) noexcept {
        contacts_params params;
        params.margin = margin;
        return contacts(static_cast<const feeler_contacts_params &>(params), out, capacity);
    }
    /// Which triangles are within the margin? With parameters.
    [[nodiscard]] answer<contacts_result> contacts(const feeler_contacts_params &params, contact *out,
                                                   std::size_t capacity) noexcept {
        answer<contacts_result> given;
        given.status = feeler_pair_contacts(handle_, &params, out, capacity, &given.result);
        return given;
    }
    /// Writes the contacts to a range of fixed size. The range does not grow or shrink, so nothing is allocated.
    template <typename Range, typename = decltype(std::data(std::declval<Range &>()))>
    [[nodiscard]] answer<contacts_result> contacts(double margin, Range &out) noexcept {
        return contacts(margin, std::data(out), std::size(out));
    }

    /// Where are the models nearest locally, within a margin? Few contacts with stable ids; the nearest go to out.
    [[nodiscard]] answer<contacts_result> local_minima(double margin, minimum *out, std::size_t capacity) noexcept {
        minima_params params;
        params.margin = margin;
        return local_minima(static_cast<const feeler_minima_params &>(params), out, capacity);
    }
    /// Where are the models nearest locally? With parameters.
    [[nodiscard]] answer<contacts_result> local_minima(const feeler_minima_params &params, minimum *out,
                                                       std::size_t capacity) noexcept {
        answer<contacts_result> given;
        given.status = feeler_pair_local_minima(handle_, &params, out, capacity, &given.result);
        return given;
    }
    /// The same into a range that has its size already.
    template <typename Range, typename = decltype(std::data(std::declval<Range &>()))>
    [[nodiscard]] answer<contacts_result> local_minima(const feeler_minima_params &params, Range &out) noexcept {
        return local_minima(params, std::data(out), std::size(out));
    }

    /// When do the models meet on their way from their poses to others? NULL for one that stays. The poses stay.
    [[nodiscard]] answer<sweep_result> sweep(const transform *a_end, const transform *b_end, double tolerance) noexcept {
        sweep_params params;
        params.tolerance = tolerance;
        return sweep(a_end, b_end, static_cast<const feeler_sweep_params &>(params));
    }
    /// When do the models meet? With parameters.
    [[nodiscard]] answer<sweep_result> sweep(const transform *a_end, const transform *b_end,
                                             const feeler_sweep_params &params) noexcept {
        answer<sweep_result> given;
        given.status = feeler_pair_sweep(handle_, a_end, b_end, &params, &given.result);
        return given;
    }

    /// Counts of the last query.
    [[nodiscard]] answer<feeler::counters> counters() const noexcept {
        answer<feeler::counters> given;
        given.status = feeler_pair_get_counters(handle_, &given.result);
        return given;
    }
    /// Forgets what earlier queries found. The poses stay.
    void reset() noexcept { feeler_pair_reset(handle_); }
    /// Memory of the pair in bytes, without its models.
    std::size_t memory() const noexcept { return feeler_pair_memory(handle_); }

    /// The C handle, still owned by this object.
    feeler_pair *get() const noexcept { return handle_; }
    /// The C handle, which the caller now owns.
    feeler_pair *release() noexcept { return std::exchange(handle_, nullptr); }
    /// True when this object holds a handle.
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    answer<collide_result> ask_collide(const feeler_collide_params *params) noexcept {
        answer<collide_result> given;
        given.status = feeler_pair_collide(handle_, params, &given.result);
        return given;
    }
    answer<distance_result> ask_distance(const feeler_distance_params *params) noexcept {
        answer<distance_result> given;
        given.status = feeler_pair_distance(handle_, params, &given.result);
        return given;
    }

    feeler_pair *handle_ = nullptr;
};

} // namespace feeler

#endif // FEELER_HPP
