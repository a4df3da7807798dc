//! The structs of the C header. New fields are added at the end only. No struct has implicit padding.

use core::ffi::c_void;

/// A triangle mesh and its tree of bounding volumes. feeler_model_create makes it, feeler_model_destroy releases it.
pub struct feeler_model {
    _opaque: [u8; 0],
}

/// Two models, A and B, with their poses and the memory of their queries. feeler_pair_create makes it,
/// feeler_pair_destroy releases it.
pub struct feeler_pair {
    _opaque: [u8; 0],
}

/// Where the vertices and triangles of a mesh are. The library copies the arrays. They need no alignment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_mesh {
    /// Size of this struct in bytes. feeler_mesh_init writes it.
    pub struct_size: u32,
    /// Type of a coordinate: FEELER_SCALAR_F32 (default) or FEELER_SCALAR_F64.
    pub scalar: u32,
    /// No flag is defined yet: 0.
    pub flags: u32,
    /// Must be 0.
    pub reserved: u32,
    /// The first vertex: x, y, z in the model's frame and the caller's unit. Each is finite and at most 1e300 in
    /// magnitude. Not NULL.
    pub vertices: *const c_void,
    /// Number of vertices, at least 1; without indices at most UINT32_MAX. The default, 0, is refused.
    pub vertex_count: usize,
    /// Bytes from one vertex to the next, at least the size of a vertex (12 or 24). 0 (default) means packed.
    pub vertex_stride: usize,
    /// Three vertex numbers per triangle, each below vertex_count. NULL (default): every three vertices are a triangle.
    pub indices: *const u32,
    /// Number of triangles, 1 to UINT32_MAX - 1; a tree can have at most 2^31 - 1. Without indices, 0 (default) means
    /// vertex_count / 3.
    pub triangle_count: usize,
}

/// Options of feeler_model_build.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_build_params {
    /// Size of this struct in bytes. feeler_build_params_init writes it.
    pub struct_size: u32,
    /// Any of FEELER_BUILD_DEFORMABLE, FEELER_BUILD_NO_TOPOLOGY. Default 0.
    pub flags: u32,
    /// Bounding volume: one of FEELER_VOLUME_..., default FEELER_VOLUME_OBB.
    pub volume: u32,
    /// FEELER_QUALITY_HIGH (default) or FEELER_QUALITY_FAST.
    pub quality: u32,
    /// How the build divides a set of triangles: one of FEELER_SPLIT_..., default FEELER_SPLIT_AUTO.
    pub split: u32,
    /// Number of threads that build. 0 (default) means one per processor. The tree does not depend on this number.
    pub threads: u32,
    /// FEELER_HYBRID_STATIC (default) or FEELER_HYBRID_DYNAMIC. Only FEELER_VOLUME_HYBRID reads this field.
    pub hybrid_selection: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// What feeler_model_get_info tells about a model.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_model_info {
    /// Size of this struct in bytes. feeler_model_info_init writes it, and feeler_model_get_info keeps it.
    pub struct_size: u32,
    /// Bounding volume of the tree: one of FEELER_VOLUME_.... FEELER_VOLUME_OBB before the build.
    pub volume: u32,
    /// Number of levels of the tree. 0 before the build.
    pub depth: u32,
    /// The flags of the last build: FEELER_BUILD_.... 0 before the build.
    pub flags: u32,
    /// Number of triangles, degenerate ones included.
    pub triangle_count: u64,
    /// Number of triangles without area: their vertices lie on one line. Such triangles are legal.
    pub degenerate_count: u64,
    /// Number of nodes of the tree. 0 before the build.
    pub node_count: u64,
    /// Memory of the model in bytes, its tree included.
    pub memory_bytes: u64,
    /// Smallest x, y, z of the vertices that triangles use, in the model's frame and the caller's unit.
    pub bounds_min: [f64; 3],
    /// Largest x, y, z of the vertices that triangles use, in the model's frame and the caller's unit.
    pub bounds_max: [f64; 3],
    /// Duration of the last build in seconds. 0 before the build.
    pub build_seconds: f64,
    /// Surface of the volumes of the tree over that after the build, both relative to the size of the model. 1 after a
    /// build; grows as the tree of a deformable model decays. Rebuild when it exceeds about 2.
    pub refit_quality: f64,
    /// Number of edges with one triangle; 0 before the build and without topology. Vertices with equal coordinates are
    /// one vertex here, those of deformable models only if they have one number.
    pub boundary_edges: u64,
    /// Number of edges with three triangles or more.
    pub nonmanifold_edges: u64,
}

/// The pose of a model: x_world = rotation * (scale .* x_model) + translation, where .* multiplies component by
/// component. This struct never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_transform {
    /// Rotation matrix, row-major, orthonormal to 1e-6, not a reflection. The library uses the nearest rotation.
    pub rotation: [f64; 9],
    /// Where the model's origin is in world space, in the caller's unit. Each component is at most 1e300 in magnitude.
    pub translation: [f64; 3],
    /// Factors along the model's axes, finite and not 0. Negative factors mirror the model. Every volume takes factors of
    /// equal magnitude; factors of different magnitudes need FEELER_VOLUME_AABB, else FEELER_STATUS_UNSUPPORTED.
    pub scale: [f64; 3],
}

/// Options of feeler_pair_create: how much memory a pair gets.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_pair_params {
    /// Size of this struct in bytes. feeler_pair_params_init writes it.
    pub struct_size: u32,
    /// 0 (default) or FEELER_PAIR_NO_FRONT.
    pub flags: u32,
    /// Entries of the search queue, 64 bytes each, for up to eight pairs of volumes. 0 (default) means 1024. Models so small
    /// that no search can fill them get fewer. A full queue costs speed, never the answer.
    pub max_queue: u32,
    /// Pairs of volumes that the front can hold, at most 1,048,576. 0 (default) chooses 2,048 to 16,384 by the size of the
    /// trees. A front that is too small costs speed, never the answer.
    pub max_front: u32,
}

/// Options of feeler_pair_collide.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_collide_params {
    /// Size of this struct in bytes. feeler_collide_params_init writes it.
    pub struct_size: u32,
    /// 0 (default) or FEELER_QUERY_NO_COHERENCE.
    pub flags: u32,
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    pub max_work: u64,
}

/// Options of feeler_pair_contacts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_contacts_params {
    /// Size of this struct in bytes. feeler_contacts_params_init writes it.
    pub struct_size: u32,
    /// 0 (default), or FEELER_QUERY_NO_COHERENCE, FEELER_CONTACTS_STOP_WHEN_FULL and FEELER_CONTACTS_IDS_ONLY joined
    /// by |.
    pub flags: u32,
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    pub max_work: u64,
    /// Two triangles are a contact when they are at most this far apart. World unit, finite, 0 or more. 0 (default)
    /// means touching.
    pub margin: f64,
}

/// Options of feeler_pair_distance.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_distance_params {
    /// Size of this struct in bytes. feeler_distance_params_init writes it.
    pub struct_size: u32,
    /// 0 (default) or FEELER_QUERY_NO_COHERENCE.
    pub flags: u32,
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    pub max_work: u64,
    /// The search may stop when upper <= distance * (1 + relative_error). Finite, 0 or more, default 0.
    pub relative_error: f64,
    /// The search may stop when upper <= distance + absolute_error. World unit, finite, 0 or more, default 0.
    pub absolute_error: f64,
    /// The search ignores everything farther apart than this. World unit, 0 or more, default infinity.
    pub max_distance: f64,
    /// Search order: one of FEELER_SEARCH_..., default FEELER_SEARCH_AUTO. It changes the speed, never the answer.
    pub search: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// Options of feeler_pair_tolerance.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_tolerance_params {
    /// Size of this struct in bytes. feeler_tolerance_params_init writes it.
    pub struct_size: u32,
    /// 0 (default) or FEELER_QUERY_NO_COHERENCE.
    pub flags: u32,
    /// Largest work of this query, in the units of feeler_counters.work. 0 (default) means no limit.
    pub max_work: u64,
    /// The query compares the distance with this one. World unit, finite, 0 or more, default 0.
    pub tolerance: f64,
}

/// Two triangles that are near each other or touch. This struct never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_contact {
    /// Triangle of A: its number in the caller's order, from 0.
    pub triangle_a: u32,
    /// Triangle of B: its number in the caller's order, from 0.
    pub triangle_b: u32,
    /// Distance between the two triangles, world unit. 0 exactly when they intersect.
    pub distance: f64,
    /// Closest point on the triangle of A, world space.
    pub point_a: [f64; 3],
    /// Closest point on the triangle of B, world space. Equal to point_a when the triangles intersect.
    pub point_b: [f64; 3],
    /// Unit vector from A to B, world space. When the triangles intersect it follows from how they lie.
    pub normal: [f64; 3],
    /// On which vertex, edge or face the points lie: FEELER_FEATURE_... of A in bits 0 to 7, of B in bits 8 to 15.
    pub feature: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Answer of feeler_pair_collide.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_collide_result {
    /// Size of this struct in bytes. feeler_collide_result_init writes it, and the query keeps it.
    pub struct_size: u32,
    /// 1 when the answer is certain. 0 when the query spent max_work first.
    pub complete: u32,
    /// 1 when the models touch. 0 when they do not, or when the answer is not certain.
    pub colliding: u32,
    /// A triangle of A that touches B, or FEELER_NO_TRIANGLE.
    pub triangle_a: u32,
    /// The triangle of B that touches triangle_a, or FEELER_NO_TRIANGLE.
    pub triangle_b: u32,
    /// Always 0.
    pub reserved: u32,
    /// A point of both triangles, world space. 0, 0, 0 when there is none.
    pub point: [f64; 3],
}

/// Answer of feeler_pair_contacts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_contacts_result {
    /// Size of this struct in bytes. feeler_contacts_result_init writes it, and the query keeps it.
    pub struct_size: u32,
    /// 1 when every contact was counted. 0 when the query spent max_work, or stopped because the array was full.
    pub complete: u32,
    /// Number of contacts. It counts those without room in the array, too.
    pub found: u64,
    /// Number of contacts in the array, at most its capacity.
    pub written: u64,
}

/// Answer of feeler_pair_distance. Always lower <= distance <= upper.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_distance_result {
    /// Size of this struct in bytes. feeler_distance_result_init writes it, and the query keeps it.
    pub struct_size: u32,
    /// 1 when the answer is as exact as the options ask. 0 when the query spent max_work first.
    pub complete: u32,
    /// Certified lower bound of the distance, world unit. max_distance when the models are farther apart.
    pub lower: f64,
    /// Distance between point_a and point_b, world unit. Infinity when the models are farther apart than max_distance.
    pub upper: f64,
    /// Closest point on A, world space. 0, 0, 0 when there is none.
    pub point_a: [f64; 3],
    /// Closest point on B, world space. 0, 0, 0 when there is none.
    pub point_b: [f64; 3],
    /// Unit vector from A to B, world space. 0, 0, 0 when there is none.
    pub normal: [f64; 3],
    /// The triangle of A that point_a lies on, or FEELER_NO_TRIANGLE.
    pub triangle_a: u32,
    /// The triangle of B that point_b lies on, or FEELER_NO_TRIANGLE.
    pub triangle_b: u32,
}

/// Answer of feeler_pair_tolerance. Always lower <= distance <= upper.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_tolerance_result {
    /// Size of this struct in bytes. feeler_tolerance_result_init writes it, and the query keeps it.
    pub struct_size: u32,
    /// 1 when the answer is certain. 0 when the query spent max_work first.
    pub complete: u32,
    /// 1 when the distance is at most the tolerance. 0 when it is larger, or when the answer is not certain.
    pub closer: u32,
    /// Always 0.
    pub reserved: u32,
    /// Certified lower bound of the distance, world unit.
    pub lower: f64,
    /// Certified upper bound of the distance, world unit. Infinity when no triangle pair was near enough.
    pub upper: f64,
    /// Point on A at the distance upper from point_b, world space. 0, 0, 0 when there is none.
    pub point_a: [f64; 3],
    /// Point on B at the distance upper from point_a, world space. 0, 0, 0 when there is none.
    pub point_b: [f64; 3],
    /// Unit vector from A to B, world space. 0, 0, 0 when there is none.
    pub normal: [f64; 3],
    /// The triangle of A that point_a lies on, or FEELER_NO_TRIANGLE.
    pub triangle_a: u32,
    /// The triangle of B that point_b lies on, or FEELER_NO_TRIANGLE.
    pub triangle_b: u32,
}

/// Counts of the last query of a pair. They are the same on every machine.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_counters {
    /// Size of this struct in bytes. feeler_counters_init writes it, and feeler_pair_get_counters keeps it.
    pub struct_size: u32,
    /// Always 0.
    pub reserved: u32,
    /// Expansions: one volume of a model tested against the up to eight children of a node of the other model.
    pub expansions: u64,
    /// Pairs of volumes tested: the children in all expansions. Empty places of a node do not count.
    pub volume_tests: u64,
    /// Those of them that the cheap first test of a staged volume decided: the spheres of OBB_SPHERE, the points and lines of
    /// HYBRID. 0 for other volumes.
    pub cheap_tests: u64,
    /// Pairs of triangles measured or tested for intersection.
    pub triangle_tests: u64,
    /// Pairs of triangles that took the robust path: plain f64 arithmetic could not prove the result.
    pub robust_tests: u64,
    /// Blocks of the front that were checked. A block is the up to eight volume pairs of one expansion.
    pub front_tests: u64,
    /// Blocks of the front that were recomputed. Each of them is an expansion, too.
    pub front_updates: u64,
    /// Times the front was built from the roots of the trees: 0 or 1.
    pub front_rebuilds: u64,
    /// Work: expansions, triangle pairs and front blocks together. max_work limits it. The first triangle pair is free.
    pub work: u64,
}

/// How feeler_model_closest_point and feeler_model_closest_points ask.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_closest_params {
    /// Size of this struct in bytes; set by feeler_closest_params_init.
    pub struct_size: u32,
    /// Any of FEELER_CLOSEST_SIDE; default 0.
    pub flags: u32,
    /// Expansions and triangles to spend at most for each point; 0 (default) is unlimited. The first triangle is free.
    pub max_work: u64,
    /// Nothing farther than this is looked for, the caller's unit, not negative; default infinity.
    pub max_distance: f64,
}

/// The point of a model that is nearest to a point of space. Plain data, never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_surface_point {
    /// Distance from the point asked about, the caller's unit; infinity when nothing is within max_distance.
    pub distance: f64,
    /// Nearest point of the model, world.
    pub point: [f64; 3],
    /// Unit vector from there to the point asked about, world; the normal of the surface when distance is 0.
    pub normal: [f64; 3],
    /// Weights of the triangle's vertices at the point, 0 to 1.
    pub barycentric: [f64; 3],
    /// Triangle with the nearest point; FEELER_NO_TRIANGLE when nothing is within max_distance.
    pub triangle: u32,
    /// Feature of the triangle with the nearest point: FEELER_FEATURE_...
    pub feature: u32,
    /// FEELER_SIDE_UNKNOWN, FEELER_SIDE_OUTSIDE or FEELER_SIDE_INSIDE.
    pub side: u32,
    /// 1 when the answer is final, 0 when max_work ran out.
    pub complete: u32,
}

/// How feeler_model_cast asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_cast_params {
    /// Size of this struct in bytes; set by feeler_cast_params_init.
    pub struct_size: u32,
    /// Any of FEELER_CAST_ALL, FEELER_CAST_FRONT_ONLY, FEELER_CAST_BACK_ONLY, FEELER_CAST_IGNORE_START_INSIDE; default 0.
    pub flags: u32,
    /// Expansions and triangles to spend at most; 0 (default) is unlimited.
    pub max_work: u64,
    /// Radius of a moving sphere, the caller's unit, finite and not negative; 0 (default) casts a segment.
    pub radius: f64,
}

/// Where a cast first meets a triangle. Plain data, never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_hit {
    /// When: 0 at from, 1 at to.
    pub time: f64,
    /// Point of the triangle, world.
    pub point: [f64; 3],
    /// Unit vector, world: by the winding of the triangle for segments, from the point to the centre for spheres.
    pub normal: [f64; 3],
    /// Weights of the triangle's vertices at the point, 0 to 1.
    pub barycentric: [f64; 3],
    /// The triangle.
    pub triangle: u32,
    /// Feature of the triangle with the point: FEELER_FEATURE_...
    pub feature: u32,
}

/// What feeler_model_cast found besides the hits.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_cast_result {
    /// Size of this struct in bytes; set by feeler_cast_result_init, kept by the query.
    pub struct_size: u32,
    /// 1 when the answer is final, 0 when max_work ran out.
    pub complete: u32,
    /// Number of triangles met; without FEELER_CAST_ALL at most 1.
    pub found: u64,
    /// Number of hits written to the array.
    pub written: u64,
}

/// How feeler_pair_local_minima asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_minima_params {
    /// Size of this struct in bytes; set by feeler_minima_params_init.
    pub struct_size: u32,
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    pub flags: u32,
    /// Expansions and triangle pairs to spend at most, those around minima included; 0 (default) is unlimited.
    pub max_work: u64,
    /// Largest distance of a minimum, the caller's unit, finite and not negative; 0 (default): intersecting triangles.
    pub margin: f64,
    /// Minima whose points on both models are within this of a nearer one's are merged into it; 0 (default) merges nothing.
    pub merge_distance: f64,
}

/// A local minimum of the distance. Plain data, never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_minimum {
    /// Where: the triangles are those with the smallest ids that have the features.
    pub contact: feeler_contact,
    /// Names the pair of mesh features: key_a << 32 | key_b with key = 8 * triangle + feature.
    pub id: u64,
    /// Weights of the vertices of contact.triangle_a at contact.point_a, 0 to 1.
    pub barycentric_a: [f64; 3],
    /// Weights of the vertices of contact.triangle_b at contact.point_b, 0 to 1.
    pub barycentric_b: [f64; 3],
    /// How many minima this one stands for: 1 and those that were merged into it.
    pub merged: u32,
    /// 0.
    pub reserved: u32,
}

/// How feeler_pair_sweep asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_sweep_params {
    /// Size of this struct in bytes; set by feeler_sweep_params_init.
    pub struct_size: u32,
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    pub flags: u32,
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    pub max_work: u64,
    /// Distance that counts as contact, the caller's unit, finite and above 0; there is no default.
    pub tolerance: f64,
}

/// What feeler_pair_sweep found.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_sweep_result {
    /// Size of this struct in bytes; set by feeler_sweep_result_init, kept by the query.
    pub struct_size: u32,
    /// 1 when the answer is final; 0 when max_work ran out or the tolerance is below the rounding of the poses.
    pub complete: u32,
    /// 1 when the models come within the tolerance of each other.
    pub hit: u32,
    /// Kept 0.
    pub reserved: u32,
    /// At all times up to this the models are farther apart than half of the tolerance: certified.
    pub time_free: f64,
    /// First time looked at with a distance within the tolerance, 0 to 1; 1 without a hit.
    pub time_hit: f64,
    /// Nearest point of A at time_hit, world; zeros without a hit.
    pub point_a: [f64; 3],
    /// Nearest point of B at time_hit, world; zeros without a hit.
    pub point_b: [f64; 3],
    /// Unit vector from A to B at time_hit, world; zeros without a hit.
    pub normal: [f64; 3],
    /// Triangle of A at time_hit; FEELER_NO_TRIANGLE without a hit.
    pub triangle_a: u32,
    /// Triangle of B at time_hit; FEELER_NO_TRIANGLE without a hit.
    pub triangle_b: u32,
}
