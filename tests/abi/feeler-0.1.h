/// @file feeler.h
/// feeler: how near are two triangle meshes, and where do they touch?
///
/// - Ownership: handles are opaque; who creates one destroys it, in any order; a pair keeps its models alive; meshes
///   and structs are copied and stay the caller's.
/// - Threads: a const handle may be used by many threads at once, any other by one at a time; two threads on one pair
///   get FEELER_STATUS_BUSY, never a race. Different pairs are independent, also on shared models.
/// - Memory: only create, build and update allocate, and tell FEELER_STATUS_OUT_OF_MEMORY; queries never allocate.
/// - Failures: a status other than FEELER_STATUS_OK leaves all outputs untouched, except that a handle output becomes
///   NULL; feeler_last_error_message tells why. NULL params mean defaults; any other NULL is refused by name, unless
///   its function says what it means.
/// - Structs: those with struct_size are made by feeler_..._default() or feeler_..._init(&s, sizeof s), params and
///   results alike, and grow at the end only; unknown flags, and reserved fields or unknown tails that are not 0, get
///   FEELER_STATUS_UNSUPPORTED.
///
/// Units are the caller's. Results are in world space. Triangles have the caller's numbers. The floating-point
/// environment of the calling thread influences no answer and is left as it was found.
///
/// Made from src/ffi by `FEELER_BLESS=1 cargo test --test header`; not to be edited.
#ifndef FEELER_H
#define FEELER_H


#include <stddef.h>
#include <stdint.h>
/// Major version that this header belongs to.
#define FEELER_VERSION_MAJOR 0
/// Minor version that this header belongs to.
#define FEELER_VERSION_MINOR 1
/// Patch version that this header belongs to.
#define FEELER_VERSION_PATCH 0
/// major * 10000 + minor * 100 + patch of this header; compare with feeler_version().
#define FEELER_VERSION 100

/// Oriented boxes, the default.
#define FEELER_VOLUME_OBB 0

/// Axis-aligned boxes.
#define FEELER_VOLUME_AABB 1

/// Spheres.
#define FEELER_VOLUME_SPHERE 2

/// Line-swept spheres.
#define FEELER_VOLUME_LSS 3

/// Rectangle-swept spheres.
#define FEELER_VOLUME_RSS 4

/// A point-, line- or rectangle-swept sphere per node.
#define FEELER_VOLUME_HYBRID 5

/// Oriented boxes that are tested as spheres first.
#define FEELER_VOLUME_OBB_SPHERE 6

/// Spherical shells.
#define FEELER_VOLUME_SHELL 7

/// Slabs in nine fixed directions.
#define FEELER_VOLUME_KDOP18 8


/// The call did what it was asked to do.
#define FEELER_STATUS_OK 0

/// A pointer that must not be NULL is NULL.
#define FEELER_STATUS_NULL_ARGUMENT 1

/// A number, a choice, a pose or a handle is not acceptable.
#define FEELER_STATUS_INVALID_ARGUMENT 2

/// A struct_size is below that of version 0.1 or above 4096: the struct was not initialised.
#define FEELER_STATUS_INVALID_STRUCT 3

/// The mesh is empty, too large, or has a bad vertex or index; the sentence names it.
#define FEELER_STATUS_INVALID_MESH 4

/// The model has to be built first, by feeler_model_build.
#define FEELER_STATUS_NOT_BUILT 5

/// The volumes of the two models do not pair.
#define FEELER_STATUS_INCOMPATIBLE 6

/// This version cannot do it: an unknown flag, a set reserved field, unknown bytes at the end of a struct, or a
/// choice that is reserved for a later version.
#define FEELER_STATUS_UNSUPPORTED 7

/// Memory ran out; nothing was changed and nothing is lost.
#define FEELER_STATUS_OUT_OF_MEMORY 8

/// Another thread uses the handle, or a living pair uses the model.
#define FEELER_STATUS_BUSY 9

/// A defect of this library was caught; please report the sentence.
#define FEELER_STATUS_INTERNAL 10

/// Vertices are three floats.
#define FEELER_SCALAR_F32 0

/// Vertices are three doubles.
#define FEELER_SCALAR_F64 1

/// Flag of feeler_build_params: the vertices are going to move, see feeler_model_update_vertices.
#define FEELER_BUILD_DEFORMABLE 1

/// The tree that is searched fastest, the default.
#define FEELER_QUALITY_HIGH 0

/// The tree that is built fastest.
#define FEELER_QUALITY_FAST 1

/// The rule that suits the volume, the default.
#define FEELER_SPLIT_AUTO 0

/// Surface area heuristic.
#define FEELER_SPLIT_SAH 1

/// The middle of the longest extent.
#define FEELER_SPLIT_MIDPOINT 2

/// The mean of the centroids.
#define FEELER_SPLIT_MEAN 3

/// Equal numbers of triangles on both sides.
#define FEELER_SPLIT_MEDIAN 4

/// The volume of each node of a hybrid tree is chosen by the build, the default.
#define FEELER_HYBRID_STATIC 0

/// The volume of each node of a hybrid tree is chosen by the query.
#define FEELER_HYBRID_DYNAMIC 1

/// Flag of feeler_pair_params: the pair keeps no front of its searches, which saves memory.
#define FEELER_PAIR_NO_FRONT 1

/// Flag of all four queries: use nothing that earlier queries left behind.
#define FEELER_QUERY_NO_COHERENCE 1

/// Flag of feeler_pair_contacts: end when the array is full; found then stops at capacity and complete is 0.
#define FEELER_CONTACTS_STOP_WHEN_FULL 2

/// The search order that suits the query, the default.
#define FEELER_SEARCH_AUTO 0

/// Nearest child first, to the leaves.
#define FEELER_SEARCH_DEPTH_FIRST 1

/// Nearest node of all first.
#define FEELER_SEARCH_BEST_FIRST 2

/// The triangle id that names no triangle.
#define FEELER_NO_TRIANGLE UINT32_MAX

/// Feature of a triangle: its first vertex. Part of feeler_contact.feature.
#define FEELER_FEATURE_VERTEX_0 0

/// Feature of a triangle: its second vertex.
#define FEELER_FEATURE_VERTEX_1 1

/// Feature of a triangle: its third vertex.
#define FEELER_FEATURE_VERTEX_2 2

/// Feature of a triangle: the edge from its first to its second vertex.
#define FEELER_FEATURE_EDGE_01 3

/// Feature of a triangle: the edge from its second to its third vertex.
#define FEELER_FEATURE_EDGE_12 4

/// Feature of a triangle: the edge from its third to its first vertex.
#define FEELER_FEATURE_EDGE_20 5

/// Feature of a triangle: its inside.
#define FEELER_FEATURE_FACE 6

/// A triangle mesh, made by feeler_model_create. Opaque; released by feeler_model_destroy.
typedef struct feeler_model feeler_model;

/// Two models with their poses, made by feeler_pair_create. Opaque; released by feeler_pair_destroy.
typedef struct feeler_pair feeler_pair;

/// What a call answers: one of FEELER_STATUS_...; 0 is success.
typedef uint32_t feeler_status;

/// Where the vertices and triangles of a mesh are. The arrays are copied; they need no alignment.
typedef struct feeler_mesh {
    /// Size of this struct in bytes; set by feeler_mesh_init.
    uint32_t struct_size;
    /// Type of a coordinate: FEELER_SCALAR_F32 (default) or FEELER_SCALAR_F64.
    uint32_t scalar;
    /// No flag is defined; 0.
    uint32_t flags;
    /// Kept 0.
    uint32_t reserved;
    /// First coordinate of the first vertex: x, y, z in the caller's unit and the model's frame, finite and at most
    /// 1e300 in magnitude; not NULL.
    const void *vertices;
    /// Number of vertices, at least 1, without indices at most UINT32_MAX; default 0.
    size_t vertex_count;
    /// Bytes from one vertex to the next; 0 (default) is packed, else at least the size of a vertex (12 or 24).
    size_t vertex_stride;
    /// Three vertex numbers per triangle, each below vertex_count; NULL (default): vertices come in threes.
    const uint32_t *indices;
    /// Number of triangles, 1 to UINT32_MAX - 1; without indices 0 (default) stands for vertex_count / 3.
    size_t triangle_count;
} feeler_mesh;

/// How the tree of a model is built.
typedef struct feeler_build_params {
    /// Size of this struct in bytes; set by feeler_build_params_init.
    uint32_t struct_size;
    /// Any of FEELER_BUILD_DEFORMABLE; default 0.
    uint32_t flags;
    /// Bounding volume: one of FEELER_VOLUME_..., default FEELER_VOLUME_OBB.
    uint32_t volume;
    /// FEELER_QUALITY_HIGH (default) or FEELER_QUALITY_FAST.
    uint32_t quality;
    /// How triangles are divided: one of FEELER_SPLIT_..., default FEELER_SPLIT_AUTO.
    uint32_t split;
    /// Number of threads that build; 0 (default) is all of the machine. The tree does not depend on it.
    uint32_t threads;
    /// For FEELER_VOLUME_HYBRID: FEELER_HYBRID_STATIC (default) or FEELER_HYBRID_DYNAMIC.
    uint32_t hybrid_selection;
    /// Kept 0.
    uint32_t reserved;
} feeler_build_params;

/// What a model is.
typedef struct feeler_model_info {
    /// Size of this struct in bytes; set by feeler_model_info_init, kept by feeler_model_get_info.
    uint32_t struct_size;
    /// Bounding volume of the tree: one of FEELER_VOLUME_...; FEELER_VOLUME_OBB before the build.
    uint32_t volume;
    /// Levels of the tree; 0 before the build.
    uint32_t depth;
    /// Flags that the model was built with: FEELER_BUILD_...; 0 before the build.
    uint32_t flags;
    /// Number of triangles, degenerate ones included.
    uint64_t triangle_count;
    /// Number of triangles whose vertices lie on one line or in one point; they are legal.
    uint64_t degenerate_count;
    /// Number of tree nodes; 0 before the build.
    uint64_t node_count;
    /// Bytes that the model occupies.
    uint64_t memory_bytes;
    /// Smallest coordinates of the vertices that triangles use, model frame, the caller's unit.
    double bounds_min[3];
    /// Largest coordinates of the vertices that triangles use, model frame, the caller's unit.
    double bounds_max[3];
    /// Duration of the last build in seconds; 0 before the build.
    double build_seconds;
    /// 1 as built; grows as the tree decays under feeler_model_update_vertices.
    double refit_quality;
} feeler_model_info;

/// What a pair may remember.
typedef struct feeler_pair_params {
    /// Size of this struct in bytes; set by feeler_pair_params_init.
    uint32_t struct_size;
    /// Any of FEELER_PAIR_NO_FRONT; default 0.
    uint32_t flags;
    /// Entries of the search queue; 0 (default) is chosen from the models. A full queue costs speed, never the answer.
    uint32_t max_queue;
    /// Entries of the front; 0 (default) is chosen from the models. A full front costs speed, never the answer.
    uint32_t max_front;
} feeler_pair_params;

/// How feeler_pair_collide asks.
typedef struct feeler_collide_params {
    /// Size of this struct in bytes; set by feeler_collide_params_init.
    uint32_t struct_size;
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    uint32_t flags;
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    uint64_t max_work;
} feeler_collide_params;

/// How feeler_pair_contacts asks.
typedef struct feeler_contacts_params {
    /// Size of this struct in bytes; set by feeler_contacts_params_init.
    uint32_t struct_size;
    /// Any of FEELER_QUERY_NO_COHERENCE, FEELER_CONTACTS_STOP_WHEN_FULL; default 0.
    uint32_t flags;
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    uint64_t max_work;
    /// Triangle pairs at most this far apart are contacts: world unit, not negative, finite; 0 (default) is touching.
    double margin;
} feeler_contacts_params;

/// How feeler_pair_distance asks.
typedef struct feeler_distance_params {
    /// Size of this struct in bytes; set by feeler_distance_params_init.
    uint32_t struct_size;
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    uint32_t flags;
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    uint64_t max_work;
    /// The search may stop at upper <= distance * (1 + relative_error); not negative, finite, default 0.
    double relative_error;
    /// The search may stop at upper <= distance + absolute_error; world unit, not negative, finite, default 0.
    double absolute_error;
    /// Nothing farther than this is looked for; world unit, not negative, default infinity.
    double max_distance;
    /// Search order: one of FEELER_SEARCH_..., default FEELER_SEARCH_AUTO; it changes the speed, never the answer.
    uint32_t search;
    /// Kept 0.
    uint32_t reserved;
} feeler_distance_params;

/// How feeler_pair_tolerance asks.
typedef struct feeler_tolerance_params {
    /// Size of this struct in bytes; set by feeler_tolerance_params_init.
    uint32_t struct_size;
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    uint32_t flags;
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    uint64_t max_work;
    /// The distance that is compared with: world unit, not negative, finite, default 0.
    double tolerance;
} feeler_tolerance_params;

/// What feeler_pair_collide found.
typedef struct feeler_collide_result {
    /// Size of this struct in bytes; set by feeler_collide_result_init, kept by the query.
    uint32_t struct_size;
    /// 1 when the verdict is certain, 0 when max_work ran out before.
    uint32_t complete;
    /// 1 when the models touch, 0 when they do not or when it is not known.
    uint32_t colliding;
    /// Touching triangle of A, or FEELER_NO_TRIANGLE.
    uint32_t triangle_a;
    /// Touching triangle of B, or FEELER_NO_TRIANGLE.
    uint32_t triangle_b;
    /// Written as 0.
    uint32_t reserved;
    /// A point of both triangles, world space; 0 when there is none.
    double point[3];
} feeler_collide_result;

/// What feeler_pair_contacts found.
typedef struct feeler_contacts_result {
    /// Size of this struct in bytes; set by feeler_contacts_result_init, kept by the query.
    uint32_t struct_size;
    /// 1 when every contact was counted, 0 when max_work ran out or the array was full and the query was to stop.
    uint32_t complete;
    /// Number of contacts, also of those that found no room in the array.
    uint64_t found;
    /// Number of contacts that were written to the array, at most its capacity.
    uint64_t written;
} feeler_contacts_result;

/// What feeler_pair_distance found: lower <= distance <= upper.
typedef struct feeler_distance_result {
    /// Size of this struct in bytes; set by feeler_distance_result_init, kept by the query.
    uint32_t struct_size;
    /// 1 when the answer is as exact as asked, 0 when max_work ran out before.
    uint32_t complete;
    /// Certified lower bound of the distance, world unit; max_distance when the models are farther apart.
    double lower;
    /// Distance of the two points, world unit; infinity when the models are farther apart than max_distance.
    double upper;
    /// Closest point on A, world space; 0 when there is none.
    double point_a[3];
    /// Closest point on B, world space; 0 when there is none.
    double point_b[3];
    /// Unit vector from A to B, world space; 0 when there is none.
    double normal[3];
    /// Triangle of point_a, or FEELER_NO_TRIANGLE.
    uint32_t triangle_a;
    /// Triangle of point_b, or FEELER_NO_TRIANGLE.
    uint32_t triangle_b;
} feeler_distance_result;

/// What feeler_pair_tolerance found.
typedef struct feeler_tolerance_result {
    /// Size of this struct in bytes; set by feeler_tolerance_result_init, kept by the query.
    uint32_t struct_size;
    /// 1 when the verdict is certain, 0 when max_work ran out before.
    uint32_t complete;
    /// 1 when the distance is at most the tolerance, 0 when it is larger or when it is not known.
    uint32_t closer;
    /// Written as 0.
    uint32_t reserved;
    /// Certified lower bound of the distance, world unit.
    double lower;
    /// Certified upper bound of the distance, world unit; infinity when no triangle pair was near enough.
    double upper;
    /// Point on A that is upper away from point_b, world space; 0 when there is none.
    double point_a[3];
    /// Point on B that is upper away from point_a, world space; 0 when there is none.
    double point_b[3];
    /// Unit vector from A to B, world space; 0 when there is none.
    double normal[3];
    /// Triangle of point_a, or FEELER_NO_TRIANGLE.
    uint32_t triangle_a;
    /// Triangle of point_b, or FEELER_NO_TRIANGLE.
    uint32_t triangle_b;
} feeler_tolerance_result;

/// What the last query of a pair did.
typedef struct feeler_counters {
    /// Size of this struct in bytes; set by feeler_counters_init, kept by feeler_pair_get_counters.
    uint32_t struct_size;
    /// Written as 0.
    uint32_t reserved;
    /// Nodes that were opened: one volume against eight children each.
    uint64_t expansions;
    /// Volume pairs that were tested.
    uint64_t volume_tests;
    /// Volume pairs that the first stage of a staged volume decided.
    uint64_t cheap_tests;
    /// Triangle pairs that were measured.
    uint64_t triangle_tests;
    /// Triangle pairs that needed the robust path.
    uint64_t robust_tests;
    /// Blocks of the front that were tested.
    uint64_t front_tests;
    /// Blocks of the front that were made anew.
    uint64_t front_updates;
    /// Times the front was built anew.
    uint64_t front_rebuilds;
    /// What counts against max_work: expansions, triangle pairs and front blocks.
    uint64_t work;
} feeler_counters;

/// The pose of a model: x_world = rotation * (scale .* x_model) + translation. Plain data, never grows.
typedef struct feeler_transform {
    /// Row-major rotation matrix within 1e-6 of orthonormal, no reflection; the nearest rotation is used.
    double rotation[9];
    /// World position of the model's origin, the caller's unit, at most 1e300 in magnitude.
    double translation[3];
    /// Factors along the model's axes, positive, finite and equal; unequal ones are UNSUPPORTED in
    /// this version.
    double scale[3];
} feeler_transform;

/// Two triangles that are near each other or touch. Plain data, never grows.
typedef struct feeler_contact {
    /// Triangle of A, counted in the caller's order from 0.
    uint32_t triangle_a;
    /// Triangle of B, counted in the caller's order from 0.
    uint32_t triangle_b;
    /// Distance of the two triangles, world unit; 0 exactly when they intersect.
    double distance;
    /// Closest point on the triangle of A, world space.
    double point_a[3];
    /// Closest point on the triangle of B, world space; equal to point_a when they intersect.
    double point_b[3];
    /// Unit vector from A to B, world space.
    double normal[3];
    /// Closest features, FEELER_FEATURE_...: that of A in the lowest byte, that of B in the next.
    uint32_t feature;
    /// Written as 0.
    uint32_t reserved;
} feeler_contact;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// The version of the library that runs: major * 10000 + minor * 100 + patch. Compare with FEELER_VERSION.
uint32_t feeler_version(void);

/// The version of the library that runs, as in "0.1.0"; a constant.
const char *feeler_version_string(void);

/// The instruction set that queries run on: "avx512", "avx2", "sse2", "neon" or "portable"; a constant. Answers do not depend
/// on it. The environment variable FEELER_ISA, read once, can ask for "sse2".
const char *feeler_instruction_set(void);

/// The name of a status, as in "FEELER_STATUS_OK"; a constant, and never NULL.
const char *feeler_status_name(uint32_t status);

/// Why the last call that failed on this thread failed: a sentence that names the argument. Never NULL, empty before
/// the first failure; it stays until the next failure on this thread and is not changed by success.
const char *feeler_last_error_message(void);

/// Writes the defaults and the size, sizeof(feeler_mesh), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_mesh_init(struct feeler_mesh *mesh, size_t size);

/// Writes the defaults and the size, sizeof(feeler_build_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_build_params_init(struct feeler_build_params *params,
                                       size_t size);

/// Writes the defaults and the size, sizeof(feeler_model_info), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_model_info_init(struct feeler_model_info *info,
                                     size_t size);

/// Writes the defaults and the size, sizeof(feeler_pair_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_pair_params_init(struct feeler_pair_params *params,
                                      size_t size);

/// Writes the defaults and the size, sizeof(feeler_collide_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_collide_params_init(struct feeler_collide_params *params,
                                         size_t size);

/// Writes the defaults and the size, sizeof(feeler_contacts_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_contacts_params_init(struct feeler_contacts_params *params,
                                          size_t size);

/// Writes the defaults and the size, sizeof(feeler_distance_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_distance_params_init(struct feeler_distance_params *params,
                                          size_t size);

/// Writes the defaults and the size, sizeof(feeler_tolerance_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_tolerance_params_init(struct feeler_tolerance_params *params,
                                           size_t size);

/// Writes the defaults and the size, sizeof(feeler_collide_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_collide_result_init(struct feeler_collide_result *result,
                                         size_t size);

/// Writes the defaults and the size, sizeof(feeler_contacts_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_contacts_result_init(struct feeler_contacts_result *result,
                                          size_t size);

/// Writes the defaults and the size, sizeof(feeler_distance_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_distance_result_init(struct feeler_distance_result *result,
                                          size_t size);

/// Writes the defaults and the size, sizeof(feeler_tolerance_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_tolerance_result_init(struct feeler_tolerance_result *result,
                                           size_t size);

/// Writes the defaults and the size, sizeof(feeler_counters), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_counters_init(struct feeler_counters *counters,
                                   size_t size);

/// Copies and checks a mesh; the handle goes to out, which becomes NULL on failure. The model has to be built before
/// it can be paired.
feeler_status feeler_model_create(const struct feeler_mesh *mesh, struct feeler_model **out);

/// Ends the use of the handle; pairs that use the model keep it alive. NULL is fine.
void feeler_model_destroy(struct feeler_model *model);

/// Builds the tree, or builds it anew; params NULL means defaults. BUSY while a pair uses the model. On failure the
/// model stays as it was.
feeler_status feeler_model_build(struct feeler_model *model, const struct feeler_build_params *params);

/// Tells what a model is; before its build, too.
feeler_status feeler_model_get_info(const struct feeler_model *model, struct feeler_model_info *info);

/// Writes triangles that show the volumes of one depth of the tree, in the coordinates of the mesh; depth 0 is the one
/// around everything, and feeler_model_info.depth says how many depths there are. Where the tree ends above the depth
/// its last volume is shown. A triangle is nine numbers: three corners, counterclockwise from outside; round volumes
/// are shown by flat triangles between points on them. At most capacity triangles are written to triangles; count
/// becomes the number of all of them, also beyond capacity. triangles NULL with capacity 0 counts.
feeler_status feeler_model_export_volumes(const struct feeler_model *model,
                                          uint32_t depth,
                                          double *triangles,
                                          size_t capacity,
                                          size_t *count);

/// Moves the vertices of a model that was built with FEELER_BUILD_DEFORMABLE; counts and connectivity stay. BUSY
/// while a query reads the model. UNSUPPORTED in this version.
feeler_status feeler_model_update_vertices(struct feeler_model *model, const struct feeler_mesh *mesh);

/// Takes an affine matrix apart into rotation, scale and translation. The matrix is column-major, as in OpenGL. Its
/// last row must be 0 0 0 1; shear beyond 1e-6 and reflections are refused. Scales that agree within 1e-6 become
/// equal, and those within 1e-12 of 1 become 1.
///
feeler_status feeler_transform_from_matrix4_f64(const double m[16], struct feeler_transform *out);

/// As feeler_transform_from_matrix4_f64, for single precision: scales within 1e-6 of 1 become 1.
///
feeler_status feeler_transform_from_matrix4_f32(const float m[16], struct feeler_transform *out);

/// A pose without scale from a quaternion in x, y, z, w order, whose length is divided out, and a translation.
///
feeler_status feeler_transform_from_quaternion(const double xyzw[4],
                                               const double translation[3],
                                               struct feeler_transform *out);

/// Makes a pair of two built models, which may be the same one, both at the identity; params NULL means defaults. The
/// handle goes to out, which becomes NULL on failure. All memory that queries need is allocated and touched here.
feeler_status feeler_pair_create(const struct feeler_model *a,
                                 const struct feeler_model *b,
                                 const struct feeler_pair_params *params,
                                 struct feeler_pair **out);

/// Frees the pair. NULL is fine. A pair that another thread is using is not freed.
void feeler_pair_destroy(struct feeler_pair *pair);

/// Forgets what earlier queries left behind, as if the pair were new; the poses stay. Does nothing to NULL or to a
/// pair that another thread is using.
void feeler_pair_reset(struct feeler_pair *pair);

/// Bytes that the pair occupies, its models excluded; 0 for NULL.
size_t feeler_pair_memory(const struct feeler_pair *pair);

/// Moves the models; NULL keeps a pose. Both poses are checked before anything changes.
feeler_status feeler_pair_set_transforms(struct feeler_pair *pair,
                                         const struct feeler_transform *a,
                                         const struct feeler_transform *b);

/// Tells what the last query of the pair did; zeros before the first.
feeler_status feeler_pair_get_counters(const struct feeler_pair *pair, struct feeler_counters *counters);

/// Do the models touch? Stops at the first contact. params NULL means defaults.
feeler_status feeler_pair_collide(struct feeler_pair *pair,
                                  const struct feeler_collide_params *params,
                                  struct feeler_collide_result *result);

/// Which triangles are within the margin of each other? Writes the first contacts, ordered by triangle_a, then by
/// triangle_b, to out, up to its capacity, and counts all; out NULL with capacity 0 only counts. params NULL means
/// defaults: touching triangles.
feeler_status feeler_pair_contacts(struct feeler_pair *pair,
                                   const struct feeler_contacts_params *params,
                                   struct feeler_contact *out,
                                   size_t capacity,
                                   struct feeler_contacts_result *result);

/// How far are the models apart, and where? params NULL means defaults: the exact distance.
feeler_status feeler_pair_distance(struct feeler_pair *pair,
                                   const struct feeler_distance_params *params,
                                   struct feeler_distance_result *result);

/// Are the models closer than a tolerance, or just as far? params NULL means defaults: tolerance 0.
feeler_status feeler_pair_tolerance(struct feeler_pair *pair,
                                    const struct feeler_tolerance_params *params,
                                    struct feeler_tolerance_result *result);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/// The defaults of feeler_mesh.
static inline feeler_mesh feeler_mesh_default(void) {
    feeler_mesh value;
    (void)feeler_mesh_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_build_params.
static inline feeler_build_params feeler_build_params_default(void) {
    feeler_build_params value;
    (void)feeler_build_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_model_info.
static inline feeler_model_info feeler_model_info_default(void) {
    feeler_model_info value;
    (void)feeler_model_info_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_pair_params.
static inline feeler_pair_params feeler_pair_params_default(void) {
    feeler_pair_params value;
    (void)feeler_pair_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_collide_params.
static inline feeler_collide_params feeler_collide_params_default(void) {
    feeler_collide_params value;
    (void)feeler_collide_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_contacts_params.
static inline feeler_contacts_params feeler_contacts_params_default(void) {
    feeler_contacts_params value;
    (void)feeler_contacts_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_distance_params.
static inline feeler_distance_params feeler_distance_params_default(void) {
    feeler_distance_params value;
    (void)feeler_distance_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_tolerance_params.
static inline feeler_tolerance_params feeler_tolerance_params_default(void) {
    feeler_tolerance_params value;
    (void)feeler_tolerance_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_collide_result.
static inline feeler_collide_result feeler_collide_result_default(void) {
    feeler_collide_result value;
    (void)feeler_collide_result_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_contacts_result.
static inline feeler_contacts_result feeler_contacts_result_default(void) {
    feeler_contacts_result value;
    (void)feeler_contacts_result_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_distance_result.
static inline feeler_distance_result feeler_distance_result_default(void) {
    feeler_distance_result value;
    (void)feeler_distance_result_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_tolerance_result.
static inline feeler_tolerance_result feeler_tolerance_result_default(void) {
    feeler_tolerance_result value;
    (void)feeler_tolerance_result_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_counters.
static inline feeler_counters feeler_counters_default(void) {
    feeler_counters value;
    (void)feeler_counters_init(&value, sizeof value);
    return value;
}

/// The pose that changes nothing.
static inline feeler_transform feeler_transform_identity(void) {
    feeler_transform transform = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    return transform;
}

#endif /* FEELER_H */
