/// @file feeler.h
/// feeler: how near are two triangle meshes, and where do they touch?
///
/// Six rules hold for every function:
/// - Ownership: Whoever creates a handle destroys it, in any order. A pair keeps its models alive. The library copies
///   meshes and structs; the caller keeps its own.
/// - Threads: Many threads may use a const handle at once. Any other handle belongs to one thread at a time; a second
///   thread on the same pair gets FEELER_STATUS_BUSY. Different pairs are independent, even when they share models.
///   After a fork the child may use the handles that no other thread was using; the others stay BUSY there. A thread is
///   not cancelled inside feeler_model_build; the request waits. Threads of a build receive no signals.
/// - Memory: Only create, build and update functions allocate. They return FEELER_STATUS_OUT_OF_MEMORY when memory runs
///   out. Queries never allocate.
/// - Failures: A call that fails returns a status other than FEELER_STATUS_OK and leaves its outputs as they were, but
///   a handle output becomes NULL. feeler_last_error_message says why. params NULL means the defaults. Any other NULL is
///   an error, unless the function says what it means.
/// - Structs: Initialise every struct that starts with struct_size, params and results alike, by feeler_..._default() or
///   feeler_..._init(&s, sizeof s). These structs only grow at the end. Unknown flags, and reserved or unknown bytes
///   that are not 0, get FEELER_STATUS_UNSUPPORTED.
///
/// Frames and units: lengths are in the caller's unit. A pose takes a model into world space, and all results are in
/// world space. A is the first model of a pair, B the second. Triangles have the numbers of the caller's mesh. The
/// floating-point environment of the calling thread changes no answer and is left as it was.
///
/// Words:
/// - volume: a simple shape around some triangles. A built model has a tree of volumes; a node has up to eight children.
/// - expansion: the step of a search. It tests one volume of a model against the children of a node of the other.
/// - work: the cost of a query that does not depend on the machine: expansions + triangle pairs + front blocks.
/// - cold: a cold query uses nothing that earlier queries found; a warm one does. Both give the same distance and the
///   same verdict.
/// - front: what a pair remembers of its last search: where it stopped in the two trees, and why. While the models move
///   by small steps, the next query only looks again at what came near. A block of the front is one expansion.
/// - staged volume: a volume with a cheap first test, OBB_SPHERE or HYBRID. The full test is for what it leaves open.
/// - robust path: slower, more precise arithmetic for triangle pairs that plain f64 arithmetic cannot decide.
///
/// This file is generated from src/ffi by `FEELER_BLESS=1 cargo test --test header`. Do not edit it.
#ifndef FEELER_H
#define FEELER_H


#include <stddef.h>
#include <stdint.h>
/// Major version that this header belongs to.
#define FEELER_VERSION_MAJOR 0
/// Minor version that this header belongs to.
#define FEELER_VERSION_MINOR 2
/// Patch version that this header belongs to.
#define FEELER_VERSION_PATCH 0
/// Version of this header: major * 10000 + minor * 100 + patch. Compare it with feeler_version().
#define FEELER_VERSION 200

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


/// The call succeeded.
#define FEELER_STATUS_OK 0

/// A pointer that must not be NULL is NULL.
#define FEELER_STATUS_NULL_ARGUMENT 1

/// A number, an option, a pose or a handle is not valid.
#define FEELER_STATUS_INVALID_ARGUMENT 2

/// A struct_size is below that of version 0.1 or above 4096. The struct was probably not initialised.
#define FEELER_STATUS_INVALID_STRUCT 3

/// The mesh is empty, too large, or has a bad vertex or index. The error message names the bad one.
#define FEELER_STATUS_INVALID_MESH 4

/// The model has no tree yet. Call feeler_model_build first.
#define FEELER_STATUS_NOT_BUILT 5

/// The volumes of the two models belong to different families, so that the models cannot form a pair.
#define FEELER_STATUS_INCOMPATIBLE 6

/// This version cannot do it. The call used an unknown flag, a reserved field, unknown bytes at the end of a struct,
/// or an option of a newer version.
#define FEELER_STATUS_UNSUPPORTED 7

/// Memory ran out. The call changed nothing.
#define FEELER_STATUS_OUT_OF_MEMORY 8

/// Another thread uses the handle, or a pair uses the model.
#define FEELER_STATUS_BUSY 9

/// A defect in this library. Please report the error message.
#define FEELER_STATUS_INTERNAL 10

/// A vertex is three floats.
#define FEELER_SCALAR_F32 0

/// A vertex is three doubles.
#define FEELER_SCALAR_F64 1

/// Flag of feeler_build_params: the vertices of the model may move. feeler_model_update_vertices requires it. The first
/// build of a model must set it, because any other build forgets the caller's vertex numbers.
#define FEELER_BUILD_DEFORMABLE 1

/// Flag of feeler_build_params: keep no neighbourhoods of triangles, which saves 12 bytes per triangle. Then
/// feeler_pair_local_minima and FEELER_CLOSEST_SIDE are UNSUPPORTED.
#define FEELER_BUILD_NO_TOPOLOGY 2

/// Build the tree that queries search fastest. The default.
#define FEELER_QUALITY_HIGH 0

/// Build the tree in less time. Queries may take longer.
#define FEELER_QUALITY_FAST 1

/// The rule that suits the volume: FEELER_SPLIT_SAH. The default.
#define FEELER_SPLIT_AUTO 0

/// Surface area heuristic: the cut that makes the surfaces of the two parts, times their nodes, smallest.
#define FEELER_SPLIT_SAH 1

/// Cut in the middle between the first and the last triangle centre, along the axis on which the centres spread most.
#define FEELER_SPLIT_MIDPOINT 2

/// Cut at the mean of the triangle centres, along the axis on which the centres spread most.
#define FEELER_SPLIT_MEAN 3

/// Equal numbers of triangles on both sides, along the axis on which the triangle centres spread most.
#define FEELER_SPLIT_MEDIAN 4

/// The build chooses one swept sphere for each node of a hybrid tree. The default.
#define FEELER_HYBRID_STATIC 0

/// Each node of a hybrid tree keeps all three swept spheres. The query tests the cheapest first.
#define FEELER_HYBRID_DYNAMIC 1

/// Flag of feeler_pair_params: the pair keeps no front. This saves memory; queries along small steps take longer.
#define FEELER_PAIR_NO_FRONT 1

/// Flag of all queries of pairs: run cold, that is, use nothing that earlier queries found.
#define FEELER_QUERY_NO_COHERENCE 1

/// Flag of feeler_pair_contacts: stop when the array is full. Then found equals capacity and complete is 0.
#define FEELER_CONTACTS_STOP_WHEN_FULL 2

/// Flag of feeler_pair_contacts: write only triangle_a and triangle_b of each contact. All other fields are 0. This is
/// faster where no points are needed.
#define FEELER_CONTACTS_IDS_ONLY 4

/// Flag of feeler_closest_params: tell whether the point is inside of the model.
#define FEELER_CLOSEST_SIDE 1

/// The side was not asked for, or the point is on the surface, or the mesh is not closed.
#define FEELER_SIDE_UNKNOWN 0

/// The point is outside of a closed mesh.
#define FEELER_SIDE_OUTSIDE 1

/// The point is inside of a closed mesh.
#define FEELER_SIDE_INSIDE 2

/// Flag of feeler_cast_params: every triangle that is met counts, not only the first.
#define FEELER_CAST_ALL 1

/// Flag of feeler_cast_params: only triangles met from the side that the normal of their winding points to. A segment
/// in the plane of a triangle meets it from neither side; for a sphere the side of its centre at contact counts.
#define FEELER_CAST_FRONT_ONLY 2

/// Flag of feeler_cast_params: only triangles met from the other side.
#define FEELER_CAST_BACK_ONLY 4

/// Flag of feeler_cast_params: leave out triangles that are touched at time 0.
#define FEELER_CAST_IGNORE_START_INSIDE 8

/// The search order that suits the query. The default.
#define FEELER_SEARCH_AUTO 0

/// Depth first: always continue with the nearest child of the node just opened.
#define FEELER_SEARCH_DEPTH_FIRST 1

/// Best first: always continue with the nearest of all nodes that wait.
#define FEELER_SEARCH_BEST_FIRST 2

/// The number that stands for no triangle.
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

/// A triangle mesh and its tree of bounding volumes. feeler_model_create makes it, feeler_model_destroy releases it.
typedef struct feeler_model feeler_model;

/// Two models, A and B, with their poses and the memory of their queries. feeler_pair_create makes it,
/// feeler_pair_destroy releases it.
typedef struct feeler_pair feeler_pair;

/// What a call returns: one of FEELER_STATUS_.... 0 means success.
typedef uint32_t feeler_status;

/// Where the vertices and triangles of a mesh are. The library copies the arrays. They need no alignment.
typedef struct feeler_mesh {
    /// Size of this struct in bytes. feeler_mesh_init writes it.
    uint32_t struct_size;
    /// Type of a coordinate: FEELER_SCALAR_F32 (default) or FEELER_SCALAR_F64.
    uint32_t scalar;
    /// No flag is defined yet: 0.
    uint32_t flags;
    /// Must be 0.
    uint32_t reserved;
    /// The first vertex: x, y, z in the model's frame and the caller's unit. Each is finite and at most 1e300 in
    /// magnitude. Not NULL.
    const void *vertices;
    /// Number of vertices, at least 1; without indices at most UINT32_MAX. The default, 0, is refused.
    size_t vertex_count;
    /// Bytes from one vertex to the next, at least the size of a vertex (12 or 24). 0 (default) means packed.
    size_t vertex_stride;
    /// Three vertex numbers per triangle, each below vertex_count. NULL (default): every three vertices are a triangle.
    const uint32_t *indices;
    /// Number of triangles, 1 to UINT32_MAX - 1; a tree can have at most 2^31 - 1. Without indices, 0 (default) means
    /// vertex_count / 3.
    size_t triangle_count;
} feeler_mesh;

/// Options of feeler_model_build.
typedef struct feeler_build_params {
    /// Size of this struct in bytes. feeler_build_params_init writes it.
    uint32_t struct_size;
    /// Any of FEELER_BUILD_DEFORMABLE, FEELER_BUILD_NO_TOPOLOGY. Default 0.
    uint32_t flags;
    /// Bounding volume: one of FEELER_VOLUME_..., default FEELER_VOLUME_OBB.
    uint32_t volume;
    /// FEELER_QUALITY_HIGH (default) or FEELER_QUALITY_FAST.
    uint32_t quality;
    /// How the build divides a set of triangles: one of FEELER_SPLIT_..., default FEELER_SPLIT_AUTO.
    uint32_t split;
    /// Number of threads that build. 0 (default) means one per processor. The tree does not depend on this number.
    uint32_t threads;
    /// FEELER_HYBRID_STATIC (default) or FEELER_HYBRID_DYNAMIC. Only FEELER_VOLUME_HYBRID reads this field.
    uint32_t hybrid_selection;
    /// Must be 0.
    uint32_t reserved;
} feeler_build_params;

/// What feeler_model_get_info tells about a model.
typedef struct feeler_model_info {
    /// Size of this struct in bytes. feeler_model_info_init writes it, and feeler_model_get_info keeps it.
    uint32_t struct_size;
    /// Bounding volume of the tree: one of FEELER_VOLUME_.... FEELER_VOLUME_OBB before the build.
    uint32_t volume;
    /// Number of levels of the tree. 0 before the build.
    uint32_t depth;
    /// The flags of the last build: FEELER_BUILD_.... 0 before the build.
    uint32_t flags;
    /// Number of triangles, degenerate ones included.
    uint64_t triangle_count;
    /// Number of triangles without area: their vertices lie on one line. Such triangles are legal.
    uint64_t degenerate_count;
    /// Number of nodes of the tree. 0 before the build.
    uint64_t node_count;
    /// Memory of the model in bytes, its tree included.
    uint64_t memory_bytes;
    /// Smallest x, y, z of the vertices that triangles use, in the model's frame and the caller's unit.
    double bounds_min[3];
    /// Largest x, y, z of the vertices that triangles use, in the model's frame and the caller's unit.
    double bounds_max[3];
    /// Duration of the last build in seconds. 0 before the build.
    double build_seconds;
    /// Surface of the volumes of the tree over that after the build, both relative to the size of the model. 1 after a
    /// build; grows as the tree of a deformable model decays. Rebuild when it exceeds about 2.
    double refit_quality;
    /// Number of edges with one triangle; 0 before the build and without topology. Vertices with equal coordinates are
    /// one vertex here, those of deformable models only if they have one number.
    uint64_t boundary_edges;
    /// Number of edges with three triangles or more.
    uint64_t nonmanifold_edges;
} feeler_model_info;

/// Options of feeler_pair_create: how much memory a pair gets.
typedef struct feeler_pair_params {
    /// Size of this struct in bytes. feeler_pair_params_init writes it.
    uint32_t struct_size;
    /// 0 (default) or FEELER_PAIR_NO_FRONT.
    uint32_t flags;
    /// Entries of the search queue, 64 bytes each, for up to eight pairs of volumes. 0 (default) means 1024. Models so small
    /// that no search can fill them get fewer. A full queue costs speed, never the answer.
    uint32_t max_queue;
    /// Pairs of volumes that the front can hold, at most 1,048,576. 0 (default) chooses 2,048 to 16,384 by the size of the
    /// trees. A front that is too small costs speed, never the answer.
    uint32_t max_front;
} feeler_pair_params;

/// Options of feeler_pair_collide.
typedef struct feeler_collide_params {
    /// Size of this struct in bytes. feeler_collide_params_init writes it.
    uint32_t struct_size;
    /// 0 (default) or FEELER_QUERY_NO_COHERENCE.
    uint32_t flags;
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    uint64_t max_work;
} feeler_collide_params;

/// Options of feeler_pair_contacts.
typedef struct feeler_contacts_params {
    /// Size of this struct in bytes. feeler_contacts_params_init writes it.
    uint32_t struct_size;
    /// 0 (default), or FEELER_QUERY_NO_COHERENCE, FEELER_CONTACTS_STOP_WHEN_FULL and FEELER_CONTACTS_IDS_ONLY joined
    /// by |.
    uint32_t flags;
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    uint64_t max_work;
    /// Two triangles are a contact when they are at most this far apart. World unit, finite, 0 or more. 0 (default)
    /// means touching.
    double margin;
} feeler_contacts_params;

/// Options of feeler_pair_distance.
typedef struct feeler_distance_params {
    /// Size of this struct in bytes. feeler_distance_params_init writes it.
    uint32_t struct_size;
    /// 0 (default) or FEELER_QUERY_NO_COHERENCE.
    uint32_t flags;
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    uint64_t max_work;
    /// The search may stop when upper <= distance * (1 + relative_error). Finite, 0 or more, default 0.
    double relative_error;
    /// The search may stop when upper <= distance + absolute_error. World unit, finite, 0 or more, default 0.
    double absolute_error;
    /// The search ignores everything farther apart than this. World unit, 0 or more, default infinity.
    double max_distance;
    /// Search order: one of FEELER_SEARCH_..., default FEELER_SEARCH_AUTO. It changes the speed, never the answer.
    uint32_t search;
    /// Must be 0.
    uint32_t reserved;
} feeler_distance_params;

/// Options of feeler_pair_tolerance.
typedef struct feeler_tolerance_params {
    /// Size of this struct in bytes. feeler_tolerance_params_init writes it.
    uint32_t struct_size;
    /// 0 (default) or FEELER_QUERY_NO_COHERENCE.
    uint32_t flags;
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    uint64_t max_work;
    /// The query compares the distance with this one. World unit, finite, 0 or more, default 0.
    double tolerance;
} feeler_tolerance_params;

/// Answer of feeler_pair_collide.
typedef struct feeler_collide_result {
    /// Size of this struct in bytes. feeler_collide_result_init writes it, and the query keeps it.
    uint32_t struct_size;
    /// 1 when the answer is certain. 0 when the query spent max_work first.
    uint32_t complete;
    /// 1 when the models touch. 0 when they do not, or when the answer is not certain.
    uint32_t colliding;
    /// A triangle of A that touches B, or FEELER_NO_TRIANGLE.
    uint32_t triangle_a;
    /// The triangle of B that touches triangle_a, or FEELER_NO_TRIANGLE.
    uint32_t triangle_b;
    /// Always 0.
    uint32_t reserved;
    /// A point of both triangles, world space. 0, 0, 0 when there is none.
    double point[3];
} feeler_collide_result;

/// Answer of feeler_pair_contacts.
typedef struct feeler_contacts_result {
    /// Size of this struct in bytes. feeler_contacts_result_init writes it, and the query keeps it.
    uint32_t struct_size;
    /// 1 when every contact was counted. 0 when the query spent max_work, or stopped because the array was full.
    uint32_t complete;
    /// Number of contacts. It counts those without room in the array, too.
    uint64_t found;
    /// Number of contacts in the array, at most its capacity.
    uint64_t written;
} feeler_contacts_result;

/// Answer of feeler_pair_distance. Always lower <= distance <= upper.
typedef struct feeler_distance_result {
    /// Size of this struct in bytes. feeler_distance_result_init writes it, and the query keeps it.
    uint32_t struct_size;
    /// 1 when the answer is as exact as the options ask. 0 when the query spent max_work first.
    uint32_t complete;
    /// Certified lower bound of the distance, world unit. max_distance when the models are farther apart.
    double lower;
    /// Distance between point_a and point_b, world unit. Infinity when the models are farther apart than max_distance.
    double upper;
    /// Closest point on A, world space. 0, 0, 0 when there is none.
    double point_a[3];
    /// Closest point on B, world space. 0, 0, 0 when there is none.
    double point_b[3];
    /// Unit vector from A to B, world space. 0, 0, 0 when there is none.
    double normal[3];
    /// The triangle of A that point_a lies on, or FEELER_NO_TRIANGLE.
    uint32_t triangle_a;
    /// The triangle of B that point_b lies on, or FEELER_NO_TRIANGLE.
    uint32_t triangle_b;
} feeler_distance_result;

/// Answer of feeler_pair_tolerance. Always lower <= distance <= upper.
typedef struct feeler_tolerance_result {
    /// Size of this struct in bytes. feeler_tolerance_result_init writes it, and the query keeps it.
    uint32_t struct_size;
    /// 1 when the answer is certain. 0 when the query spent max_work first.
    uint32_t complete;
    /// 1 when the distance is at most the tolerance. 0 when it is larger, or when the answer is not certain.
    uint32_t closer;
    /// Always 0.
    uint32_t reserved;
    /// Certified lower bound of the distance, world unit.
    double lower;
    /// Certified upper bound of the distance, world unit. Infinity when no triangle pair was near enough.
    double upper;
    /// Point on A at the distance upper from point_b, world space. 0, 0, 0 when there is none.
    double point_a[3];
    /// Point on B at the distance upper from point_a, world space. 0, 0, 0 when there is none.
    double point_b[3];
    /// Unit vector from A to B, world space. 0, 0, 0 when there is none.
    double normal[3];
    /// The triangle of A that point_a lies on, or FEELER_NO_TRIANGLE.
    uint32_t triangle_a;
    /// The triangle of B that point_b lies on, or FEELER_NO_TRIANGLE.
    uint32_t triangle_b;
} feeler_tolerance_result;

/// Counts of the last query of a pair. They are the same on every machine.
typedef struct feeler_counters {
    /// Size of this struct in bytes. feeler_counters_init writes it, and feeler_pair_get_counters keeps it.
    uint32_t struct_size;
    /// Always 0.
    uint32_t reserved;
    /// Expansions: one volume of a model tested against the up to eight children of a node of the other model.
    uint64_t expansions;
    /// Pairs of volumes tested: the children in all expansions. Empty places of a node do not count.
    uint64_t volume_tests;
    /// Those of them that the cheap first test of a staged volume decided: the spheres of OBB_SPHERE, the points and lines of
    /// HYBRID. 0 for other volumes.
    uint64_t cheap_tests;
    /// Pairs of triangles measured or tested for intersection.
    uint64_t triangle_tests;
    /// Pairs of triangles that took the robust path: plain f64 arithmetic could not prove the result.
    uint64_t robust_tests;
    /// Blocks of the front that were checked. A block is the up to eight volume pairs of one expansion.
    uint64_t front_tests;
    /// Blocks of the front that were recomputed. Each of them is an expansion, too.
    uint64_t front_updates;
    /// Times the front was built from the roots of the trees: 0 or 1.
    uint64_t front_rebuilds;
    /// Work: expansions, triangle pairs and front blocks together. max_work limits it. The first triangle pair is free.
    uint64_t work;
} feeler_counters;

/// How feeler_model_closest_point and feeler_model_closest_points ask.
typedef struct feeler_closest_params {
    /// Size of this struct in bytes; set by feeler_closest_params_init.
    uint32_t struct_size;
    /// Any of FEELER_CLOSEST_SIDE; default 0.
    uint32_t flags;
    /// Expansions and triangles to spend at most for each point; 0 (default) is unlimited. The first triangle is free.
    uint64_t max_work;
    /// Nothing farther than this is looked for, the caller's unit, not negative; default infinity.
    double max_distance;
} feeler_closest_params;

/// How feeler_model_cast asks.
typedef struct feeler_cast_params {
    /// Size of this struct in bytes; set by feeler_cast_params_init.
    uint32_t struct_size;
    /// Any of FEELER_CAST_ALL, FEELER_CAST_FRONT_ONLY, FEELER_CAST_BACK_ONLY, FEELER_CAST_IGNORE_START_INSIDE; default 0.
    uint32_t flags;
    /// Expansions and triangles to spend at most; 0 (default) is unlimited.
    uint64_t max_work;
    /// Radius of a moving sphere, the caller's unit, finite and not negative; 0 (default) casts a segment.
    double radius;
} feeler_cast_params;

/// What feeler_model_cast found besides the hits.
typedef struct feeler_cast_result {
    /// Size of this struct in bytes; set by feeler_cast_result_init, kept by the query.
    uint32_t struct_size;
    /// 1 when the answer is final, 0 when max_work ran out.
    uint32_t complete;
    /// Number of triangles met; without FEELER_CAST_ALL at most 1.
    uint64_t found;
    /// Number of hits written to the array.
    uint64_t written;
} feeler_cast_result;

/// How feeler_pair_local_minima asks.
typedef struct feeler_minima_params {
    /// Size of this struct in bytes; set by feeler_minima_params_init.
    uint32_t struct_size;
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    uint32_t flags;
    /// Expansions and triangle pairs to spend at most, those around minima included; 0 (default) is unlimited.
    uint64_t max_work;
    /// Largest distance of a minimum, the caller's unit, finite and not negative; 0 (default): intersecting triangles.
    double margin;
    /// Minima whose points on both models are within this of a nearer one's are merged into it; 0 (default) merges nothing.
    double merge_distance;
} feeler_minima_params;

/// How feeler_pair_sweep asks.
typedef struct feeler_sweep_params {
    /// Size of this struct in bytes; set by feeler_sweep_params_init.
    uint32_t struct_size;
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    uint32_t flags;
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    uint64_t max_work;
    /// Distance that counts as contact, the caller's unit, finite and above 0; there is no default.
    double tolerance;
} feeler_sweep_params;

/// What feeler_pair_sweep found.
typedef struct feeler_sweep_result {
    /// Size of this struct in bytes; set by feeler_sweep_result_init, kept by the query.
    uint32_t struct_size;
    /// 1 when the answer is final; 0 when max_work ran out or the tolerance is below the rounding of the poses.
    uint32_t complete;
    /// 1 when the models come within the tolerance of each other.
    uint32_t hit;
    /// Kept 0.
    uint32_t reserved;
    /// At all times up to this the models are farther apart than half of the tolerance: certified.
    double time_free;
    /// First time looked at with a distance within the tolerance, 0 to 1; 1 without a hit.
    double time_hit;
    /// Nearest point of A at time_hit, world; zeros without a hit.
    double point_a[3];
    /// Nearest point of B at time_hit, world; zeros without a hit.
    double point_b[3];
    /// Unit vector from A to B at time_hit, world; zeros without a hit.
    double normal[3];
    /// Triangle of A at time_hit; FEELER_NO_TRIANGLE without a hit.
    uint32_t triangle_a;
    /// Triangle of B at time_hit; FEELER_NO_TRIANGLE without a hit.
    uint32_t triangle_b;
} feeler_sweep_result;

/// The pose of a model: x_world = rotation * (scale .* x_model) + translation, where .* multiplies component by
/// component. This struct never grows.
typedef struct feeler_transform {
    /// Rotation matrix, row-major, orthonormal to 1e-6, not a reflection. The library uses the nearest rotation.
    double rotation[9];
    /// Where the model's origin is in world space, in the caller's unit. Each component is at most 1e300 in magnitude.
    double translation[3];
    /// Factors along the model's axes, finite and not 0. Negative factors mirror the model. Every volume takes factors of
    /// equal magnitude; factors of different magnitudes need FEELER_VOLUME_AABB, else FEELER_STATUS_UNSUPPORTED.
    double scale[3];
} feeler_transform;

/// The point of a model that is nearest to a point of space. Plain data, never grows.
typedef struct feeler_surface_point {
    /// Distance from the point asked about, the caller's unit; infinity when nothing is within max_distance.
    double distance;
    /// Nearest point of the model, world.
    double point[3];
    /// Unit vector from there to the point asked about, world; the normal of the surface when distance is 0.
    double normal[3];
    /// Weights of the triangle's vertices at the point, 0 to 1.
    double barycentric[3];
    /// Triangle with the nearest point; FEELER_NO_TRIANGLE when nothing is within max_distance.
    uint32_t triangle;
    /// Feature of the triangle with the nearest point: FEELER_FEATURE_...
    uint32_t feature;
    /// FEELER_SIDE_UNKNOWN, FEELER_SIDE_OUTSIDE or FEELER_SIDE_INSIDE.
    uint32_t side;
    /// 1 when the answer is final, 0 when max_work ran out.
    uint32_t complete;
} feeler_surface_point;

/// Where a cast first meets a triangle. Plain data, never grows.
typedef struct feeler_hit {
    /// When: 0 at from, 1 at to.
    double time;
    /// Point of the triangle, world.
    double point[3];
    /// Unit vector, world: by the winding of the triangle for segments, from the point to the centre for spheres.
    double normal[3];
    /// Weights of the triangle's vertices at the point, 0 to 1.
    double barycentric[3];
    /// The triangle.
    uint32_t triangle;
    /// Feature of the triangle with the point: FEELER_FEATURE_...
    uint32_t feature;
} feeler_hit;

/// Two triangles that are near each other or touch. This struct never grows.
typedef struct feeler_contact {
    /// Triangle of A: its number in the caller's order, from 0.
    uint32_t triangle_a;
    /// Triangle of B: its number in the caller's order, from 0.
    uint32_t triangle_b;
    /// Distance between the two triangles, world unit. 0 exactly when they intersect.
    double distance;
    /// Closest point on the triangle of A, world space.
    double point_a[3];
    /// Closest point on the triangle of B, world space. Equal to point_a when the triangles intersect.
    double point_b[3];
    /// Unit vector from A to B, world space. When the triangles intersect it follows from how they lie.
    double normal[3];
    /// On which vertex, edge or face the points lie: FEELER_FEATURE_... of A in bits 0 to 7, of B in bits 8 to 15.
    uint32_t feature;
    /// Always 0.
    uint32_t reserved;
} feeler_contact;

/// A local minimum of the distance. Plain data, never grows.
typedef struct feeler_minimum {
    /// Where: the triangles are those with the smallest ids that have the features.
    struct feeler_contact contact;
    /// Names the pair of mesh features: key_a << 32 | key_b with key = 8 * triangle + feature.
    uint64_t id;
    /// Weights of the vertices of contact.triangle_a at contact.point_a, 0 to 1.
    double barycentric_a[3];
    /// Weights of the vertices of contact.triangle_b at contact.point_b, 0 to 1.
    double barycentric_b[3];
    /// How many minima this one stands for: 1 and those that were merged into it.
    uint32_t merged;
    /// 0.
    uint32_t reserved;
} feeler_minimum;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// The version of the library that runs: major * 10000 + minor * 100 + patch. Compare with FEELER_VERSION.
uint32_t feeler_version(void);

/// The version of the library that runs, for example "0.1.0". A constant string.
const char *feeler_version_string(void);

/// The instruction set that queries use: "avx512", "avx2", "sse2", "neon" or "portable". A constant string. Answers do
/// not depend on it. On x86 the environment variable FEELER_ISA can ask for "avx2" or "sse2". It is read once.
const char *feeler_instruction_set(void);

/// The name of a status, for example "FEELER_STATUS_OK". A constant string, never NULL.
const char *feeler_status_name(uint32_t status);

/// Why the last failing call on this thread failed: a sentence that names the argument. Never NULL, empty before the
/// first failure. The sentence stays until the next failure on this thread; successful calls do not change it.
const char *feeler_last_error_message(void);

/// Writes the defaults of feeler_mesh to a struct of size bytes; pass sizeof(feeler_mesh).
/// Fields that this library does not know become 0.
feeler_status feeler_mesh_init(struct feeler_mesh *mesh, size_t size);

/// Writes the defaults of feeler_build_params to a struct of size bytes; pass sizeof(feeler_build_params).
/// Fields that this library does not know become 0.
feeler_status feeler_build_params_init(struct feeler_build_params *params, size_t size);

/// Writes the defaults of feeler_model_info to a struct of size bytes; pass sizeof(feeler_model_info).
/// Fields that this library does not know become 0.
feeler_status feeler_model_info_init(struct feeler_model_info *info, size_t size);

/// Writes the defaults of feeler_pair_params to a struct of size bytes; pass sizeof(feeler_pair_params).
/// Fields that this library does not know become 0.
feeler_status feeler_pair_params_init(struct feeler_pair_params *params, size_t size);

/// Writes the defaults of feeler_collide_params to a struct of size bytes; pass sizeof(feeler_collide_params).
/// Fields that this library does not know become 0.
feeler_status feeler_collide_params_init(struct feeler_collide_params *params, size_t size);

/// Writes the defaults of feeler_contacts_params to a struct of size bytes; pass sizeof(feeler_contacts_params).
/// Fields that this library does not know become 0.
feeler_status feeler_contacts_params_init(struct feeler_contacts_params *params, size_t size);

/// Writes the defaults of feeler_distance_params to a struct of size bytes; pass sizeof(feeler_distance_params).
/// Fields that this library does not know become 0.
feeler_status feeler_distance_params_init(struct feeler_distance_params *params, size_t size);

/// Writes the defaults of feeler_tolerance_params to a struct of size bytes; pass sizeof(feeler_tolerance_params).
/// Fields that this library does not know become 0.
feeler_status feeler_tolerance_params_init(struct feeler_tolerance_params *params, size_t size);

/// Writes the defaults of feeler_collide_result to a struct of size bytes; pass sizeof(feeler_collide_result).
/// Fields that this library does not know become 0.
feeler_status feeler_collide_result_init(struct feeler_collide_result *result, size_t size);

/// Writes the defaults of feeler_contacts_result to a struct of size bytes; pass sizeof(feeler_contacts_result).
/// Fields that this library does not know become 0.
feeler_status feeler_contacts_result_init(struct feeler_contacts_result *result, size_t size);

/// Writes the defaults of feeler_distance_result to a struct of size bytes; pass sizeof(feeler_distance_result).
/// Fields that this library does not know become 0.
feeler_status feeler_distance_result_init(struct feeler_distance_result *result, size_t size);

/// Writes the defaults of feeler_tolerance_result to a struct of size bytes; pass sizeof(feeler_tolerance_result).
/// Fields that this library does not know become 0.
feeler_status feeler_tolerance_result_init(struct feeler_tolerance_result *result, size_t size);

/// Writes the defaults of feeler_counters to a struct of size bytes; pass sizeof(feeler_counters).
/// Fields that this library does not know become 0.
feeler_status feeler_counters_init(struct feeler_counters *counters, size_t size);

/// Writes the defaults and the size, sizeof(feeler_closest_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_closest_params_init(struct feeler_closest_params *params,
                                         size_t size);

/// Writes the defaults and the size, sizeof(feeler_cast_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_cast_params_init(struct feeler_cast_params *params,
                                      size_t size);

/// Writes the defaults and the size, sizeof(feeler_cast_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_cast_result_init(struct feeler_cast_result *result,
                                      size_t size);

/// Writes the defaults and the size, sizeof(feeler_minima_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_minima_params_init(struct feeler_minima_params *params,
                                        size_t size);

/// Writes the defaults and the size, sizeof(feeler_sweep_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_sweep_params_init(struct feeler_sweep_params *params,
                                       size_t size);

/// Writes the defaults and the size, sizeof(feeler_sweep_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
feeler_status feeler_sweep_result_init(struct feeler_sweep_result *result,
                                       size_t size);

/// Copies and checks a mesh. The new handle goes to out; on failure out becomes NULL. Build the model with
/// feeler_model_build before you make a pair of it.
feeler_status feeler_model_create(const struct feeler_mesh *mesh, struct feeler_model **out);

/// Destroys the handle. Pairs that use the model keep the model itself alive. NULL is allowed and does nothing.
void feeler_model_destroy(struct feeler_model *model);

/// Builds the tree, or rebuilds it. params NULL means the defaults. FEELER_STATUS_BUSY while a pair uses the model. A
/// model that was built with FEELER_BUILD_DEFORMABLE can be rebuilt while pairs use it, with the same volume,
/// hybrid_selection and flags; it is busy only while a query reads it. On failure the model stays as it was.
feeler_status feeler_model_build(struct feeler_model *model, const struct feeler_build_params *params);

/// Writes size, bounds, memory and build time of a model to info. Works before the build, too.
feeler_status feeler_model_get_info(const struct feeler_model *model, struct feeler_model_info *info);

/// Writes triangles that show the bounding volumes of one depth of the tree, for drawing. Depth 0 is the volume around
/// the whole model; feeler_model_info.depth is the number of depths. A branch that ends above the depth shows its last
/// volume. A triangle is nine numbers in the coordinates of the mesh: three corners, counterclockwise seen from outside.
/// Flat triangles stand for round volumes. At most capacity triangles are written; count becomes the number of all of
/// them. triangles NULL with capacity 0 only counts.
feeler_status feeler_model_export_volumes(const struct feeler_model *model,
                                          uint32_t depth,
                                          double *triangles,
                                          size_t capacity,
                                          size_t *count);

/// Moves the vertices of a model that was built with FEELER_BUILD_DEFORMABLE; the tree follows. mesh holds as many vertices
/// as the model was created from, in the same order. scalar and vertex_stride may differ; indices is NULL or the same as at
/// creation. Afterwards every answer has the bits of a model created from the new vertices. The tree keeps its layout;
/// feeler_model_info.refit_quality says how much the tree has decayed. FEELER_STATUS_BUSY while a query reads the model,
/// and queries are busy while this function runs. It runs on the calling thread and does not allocate. On failure the
/// model stays as it was.
feeler_status feeler_model_update_vertices(struct feeler_model *model,
                                           const struct feeler_mesh *mesh);

/// As feeler_model_update_vertices for mesh.vertex_count vertices from first_vertex on; the others stay. Touches only the
/// part of the tree above them, unless the unit or the place of the model changes very much. The first call allocates.
feeler_status feeler_model_update_range(struct feeler_model *model,
                                        const struct feeler_mesh *mesh,
                                        size_t first_vertex);

/// Splits an affine matrix into rotation, scale and translation. The matrix is column-major, as in OpenGL. Its last row
/// must be 0 0 0 1. Shear beyond 1e-6 is refused. A reflection becomes a negative scale[0]. Scales that agree to 1e-6
/// become equal, and a scale within 1e-12 of 1 becomes 1.
///
feeler_status feeler_transform_from_matrix4_f64(const double m[16], struct feeler_transform *out);

/// The same as feeler_transform_from_matrix4_f64 in single precision. A scale within 1e-6 of 1 becomes 1.
///
feeler_status feeler_transform_from_matrix4_f32(const float m[16], struct feeler_transform *out);

/// Makes a pose from a quaternion in the order x, y, z, w and a translation. The quaternion need not have length 1; the
/// scale of the pose is 1.
///
feeler_status feeler_transform_from_quaternion(const double xyzw[4],
                                               const double translation[3],
                                               struct feeler_transform *out);

/// Which point of a model is nearest to a point of space? The model is in the given pose; NULL is the identity. params
/// NULL means defaults. The answer has the bits of feeler_pair_distance between the model and one whose only vertex is
/// the point. With FEELER_CLOSEST_SIDE it tells whether the point is inside, if the mesh is closed: every edge has an
/// even number of triangles.
///
feeler_status feeler_model_closest_point(const struct feeler_model *model,
                                         const struct feeler_transform *pose,
                                         const double point[3],
                                         const struct feeler_closest_params *params,
                                         struct feeler_surface_point *out);

/// feeler_model_closest_point for count points, stride bytes from one to the next (0 is packed), one answer for each to
/// out. All points are checked before anything is written; max_work is for each point.
feeler_status feeler_model_closest_points(const struct feeler_model *model,
                                          const struct feeler_transform *pose,
                                          const double *points,
                                          size_t stride,
                                          size_t count,
                                          const struct feeler_closest_params *params,
                                          struct feeler_surface_point *out);

/// What does a segment, or a sphere of params.radius that moves along it, meet of a model in the given pose (NULL is the
/// identity)? Writes the earliest hits to out, ordered by time, then by triangle, up to its capacity; out NULL with
/// capacity 0 only counts. Whether a segment meets a triangle is exact, edges and vertices included: nothing slips
/// through a closed mesh. from and to may be equal: then what is touched at time 0 counts. params NULL means defaults:
/// the first hit of a segment.
///
feeler_status feeler_model_cast(const struct feeler_model *model,
                                const struct feeler_transform *pose,
                                const double from[3],
                                const double to[3],
                                const struct feeler_cast_params *params,
                                struct feeler_hit *out,
                                size_t capacity,
                                struct feeler_cast_result *result);

/// Which triangles of a model, in the given pose (NULL is the identity), does a ball touch? Writes the smallest ids in
/// ascending order to triangles, up to its capacity; count becomes the number of all of them, also beyond capacity.
/// triangles NULL with capacity 0 counts.
///
feeler_status feeler_model_within(const struct feeler_model *model,
                                  const struct feeler_transform *pose,
                                  const double centre[3],
                                  double radius,
                                  uint32_t *triangles,
                                  size_t capacity,
                                  size_t *count);

/// The pose between two poses that feeler_pair_sweep looks at at a time from 0 to 1: the centre of the model's bounds
/// moves straight, the rotation turns by the smaller angle about one axis. The scales must be equal.
feeler_status feeler_model_pose_between(const struct feeler_model *model,
                                        const struct feeler_transform *from,
                                        const struct feeler_transform *to,
                                        double time,
                                        struct feeler_transform *out);

/// Makes a pair of two built models. a and b may be the same model. Both start at the identity pose. params NULL means
/// the defaults. The new handle goes to out; on failure out becomes NULL. This call allocates and touches all memory
/// that the queries of the pair need.
feeler_status feeler_pair_create(const struct feeler_model *a,
                                 const struct feeler_model *b,
                                 const struct feeler_pair_params *params,
                                 struct feeler_pair **out);

/// Destroys the pair. NULL is allowed and does nothing. A pair that another thread is using is not destroyed.
void feeler_pair_destroy(struct feeler_pair *pair);

/// Forgets what earlier queries found, as if the pair were new. The poses stay. Does nothing to NULL or to a pair that
/// another thread is using.
void feeler_pair_reset(struct feeler_pair *pair);

/// Memory of the pair in bytes, without its models. 0 for NULL.
size_t feeler_pair_memory(const struct feeler_pair *pair);

/// Replaces the models of the pair. NULL keeps a model. The poses stay, the pair forgets what earlier queries found, and
/// nothing is allocated. FEELER_STATUS_INCOMPATIBLE for models of different families, FEELER_STATUS_UNSUPPORTED for a
/// volume that cannot take the scale of its pose; then nothing has changed. A model without a handle is freed here if
/// this pair was the last to use it, so keep the handle where that would take too long.
feeler_status feeler_pair_set_models(struct feeler_pair *pair,
                                     const struct feeler_model *a,
                                     const struct feeler_model *b);

/// Sets the poses of both models. NULL keeps the pose of that model. When one pose is not valid, neither changes.
feeler_status feeler_pair_set_transforms(struct feeler_pair *pair,
                                         const struct feeler_transform *a,
                                         const struct feeler_transform *b);

/// Writes the counts of the last query of the pair to counters. All counts are 0 before the first query.
feeler_status feeler_pair_get_counters(const struct feeler_pair *pair, struct feeler_counters *counters);

/// Do the models touch? The query stops at the first contact. Which contact this is depends on the trees and on earlier
/// queries; the verdict does not. params NULL means the defaults.
feeler_status feeler_pair_collide(struct feeler_pair *pair,
                                  const struct feeler_collide_params *params,
                                  struct feeler_collide_result *result);

/// Which triangles of A and B are at most the margin apart? The query counts all such pairs and writes the first ones,
/// up to capacity, to out. They are ordered by triangle_a, then by triangle_b. out NULL with capacity 0 only counts.
/// params NULL means the defaults: triangles that touch.
feeler_status feeler_pair_contacts(struct feeler_pair *pair,
                                   const struct feeler_contacts_params *params,
                                   struct feeler_contact *out,
                                   size_t capacity,
                                   struct feeler_contacts_result *result);

/// How far apart are the models, and at which points? params NULL means the defaults: the exact distance. lower and upper
/// of an exact answer depend only on meshes and poses. When several triangle pairs are equally near, any of them may be
/// returned, with its points and normal. Which one depends on earlier queries and, at distance 0 or with an error
/// allowed, on the search. With FEELER_QUERY_NO_COHERENCE an exact distance above 0 comes with the smallest numbers,
/// triangle_a first.
feeler_status feeler_pair_distance(struct feeler_pair *pair,
                                   const struct feeler_distance_params *params,
                                   struct feeler_distance_result *result);

/// Is the distance between the models at most the tolerance? params NULL means the defaults: tolerance 0. The verdict
/// depends only on meshes and poses; lower, upper and the triangle pair depend on earlier queries, too.
feeler_status feeler_pair_tolerance(struct feeler_pair *pair,
                                    const struct feeler_tolerance_params *params,
                                    struct feeler_tolerance_result *result);

/// Where are the models nearest locally? A minimum is a pair of mesh features (vertex, edge, face) within the margin
/// such that no triangles around them are nearer; intersecting triangles are minima of distance 0. Few contacts
/// instead of all triangle pairs, with ids that stay while the models slide. Counts all in result.found, keeps the
/// nearest, ordered by distance, then by id, in out, up to its capacity, and then merges them; out NULL with capacity
/// 0 only counts. params NULL means defaults: intersecting triangles. UNSUPPORTED for models without topology.
feeler_status feeler_pair_local_minima(struct feeler_pair *pair,
                                       const struct feeler_minima_params *params,
                                       struct feeler_minimum *out,
                                       size_t capacity,
                                       struct feeler_contacts_result *result);

/// When do the models meet if they move from the poses of the pair to others? NULL: that model stays. Each moves as
/// feeler_model_pose_between says, all at once, from time 0 to time 1. The search is by conservative advancement:
/// nothing is passed, however thin or fast. A start within the tolerance is a hit at time 0. The poses of the pair stay.
/// Where several triangle pairs are equally near, the last digits of the times may depend on earlier queries. params
/// NULL or a tolerance of 0: INVALID_ARGUMENT.
feeler_status feeler_pair_sweep(struct feeler_pair *pair,
                                const struct feeler_transform *a_end,
                                const struct feeler_transform *b_end,
                                const struct feeler_sweep_params *params,
                                struct feeler_sweep_result *result);

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

/// The defaults of feeler_closest_params.
static inline feeler_closest_params feeler_closest_params_default(void) {
    feeler_closest_params value;
    (void)feeler_closest_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_cast_params.
static inline feeler_cast_params feeler_cast_params_default(void) {
    feeler_cast_params value;
    (void)feeler_cast_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_cast_result.
static inline feeler_cast_result feeler_cast_result_default(void) {
    feeler_cast_result value;
    (void)feeler_cast_result_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_minima_params.
static inline feeler_minima_params feeler_minima_params_default(void) {
    feeler_minima_params value;
    (void)feeler_minima_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_sweep_params.
static inline feeler_sweep_params feeler_sweep_params_default(void) {
    feeler_sweep_params value;
    (void)feeler_sweep_params_init(&value, sizeof value);
    return value;
}

/// The defaults of feeler_sweep_result.
static inline feeler_sweep_result feeler_sweep_result_default(void) {
    feeler_sweep_result value;
    (void)feeler_sweep_result_init(&value, sizeof value);
    return value;
}

/// The pose that moves nothing.
static inline feeler_transform feeler_transform_identity(void) {
    feeler_transform transform = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    return transform;
}

#endif /* FEELER_H */
