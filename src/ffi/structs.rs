//! The structs of the C header, field by field. They grow at the end only, and never have implicit padding.

use core::ffi::c_void;

/// A triangle mesh, made by feeler_model_create. Opaque; released by feeler_model_destroy.
pub struct feeler_model {
    _opaque: [u8; 0],
}

/// Two models with their poses, made by feeler_pair_create. Opaque; released by feeler_pair_destroy.
pub struct feeler_pair {
    _opaque: [u8; 0],
}

/// Where the vertices and triangles of a mesh are. The arrays are copied; they need no alignment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_mesh {
    /// Size of this struct in bytes; set by feeler_mesh_init.
    pub struct_size: u32,
    /// Type of a coordinate: FEELER_SCALAR_F32 (default) or FEELER_SCALAR_F64.
    pub scalar: u32,
    /// No flag is defined; 0.
    pub flags: u32,
    /// Kept 0.
    pub reserved: u32,
    /// First coordinate of the first vertex: x, y, z in the caller's unit and the model's frame, finite and at most
    /// 1e300 in magnitude; not NULL.
    pub vertices: *const c_void,
    /// Number of vertices, at least 1, without indices at most UINT32_MAX; default 0.
    pub vertex_count: usize,
    /// Bytes from one vertex to the next; 0 (default) is packed, else at least the size of a vertex (12 or 24).
    pub vertex_stride: usize,
    /// Three vertex numbers per triangle, each below vertex_count; NULL (default): vertices come in threes.
    pub indices: *const u32,
    /// Number of triangles, 1 to UINT32_MAX - 1; without indices 0 (default) stands for vertex_count / 3.
    pub triangle_count: usize,
}

/// How the tree of a model is built.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_build_params {
    /// Size of this struct in bytes; set by feeler_build_params_init.
    pub struct_size: u32,
    /// Any of FEELER_BUILD_DEFORMABLE, FEELER_BUILD_NO_TOPOLOGY; default 0.
    pub flags: u32,
    /// Bounding volume: one of FEELER_VOLUME_..., default FEELER_VOLUME_OBB.
    pub volume: u32,
    /// FEELER_QUALITY_HIGH (default) or FEELER_QUALITY_FAST.
    pub quality: u32,
    /// How triangles are divided: one of FEELER_SPLIT_..., default FEELER_SPLIT_AUTO.
    pub split: u32,
    /// Number of threads that build; 0 (default) is all of the machine. The tree does not depend on it.
    pub threads: u32,
    /// For FEELER_VOLUME_HYBRID: FEELER_HYBRID_STATIC (default) or FEELER_HYBRID_DYNAMIC.
    pub hybrid_selection: u32,
    /// Kept 0.
    pub reserved: u32,
}

/// What a model is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_model_info {
    /// Size of this struct in bytes; set by feeler_model_info_init, kept by feeler_model_get_info.
    pub struct_size: u32,
    /// Bounding volume of the tree: one of FEELER_VOLUME_...; FEELER_VOLUME_OBB before the build.
    pub volume: u32,
    /// Levels of the tree; 0 before the build.
    pub depth: u32,
    /// Flags that the model was built with: FEELER_BUILD_...; 0 before the build.
    pub flags: u32,
    /// Number of triangles, degenerate ones included.
    pub triangle_count: u64,
    /// Number of triangles whose vertices lie on one line or in one point; they are legal.
    pub degenerate_count: u64,
    /// Number of tree nodes; 0 before the build.
    pub node_count: u64,
    /// Bytes that the model occupies.
    pub memory_bytes: u64,
    /// Smallest coordinates of the vertices that triangles use, model frame, the caller's unit.
    pub bounds_min: [f64; 3],
    /// Largest coordinates of the vertices that triangles use, model frame, the caller's unit.
    pub bounds_max: [f64; 3],
    /// Duration of the last build in seconds; 0 before the build.
    pub build_seconds: f64,
    /// 1 as built; grows as the tree decays under feeler_model_update_vertices.
    pub refit_quality: f64,
    /// Number of edges with one triangle; 0 before the build and without topology. Vertices with equal coordinates are
    /// one vertex here, those of deformable models only if they have one number.
    pub boundary_edges: u64,
    /// Number of edges with three triangles or more.
    pub nonmanifold_edges: u64,
}

/// The pose of a model: x_world = rotation * (scale .* x_model) + translation. Plain data, never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_transform {
    /// Row-major rotation matrix within 1e-6 of orthonormal, no reflection; the nearest rotation is used.
    pub rotation: [f64; 9],
    /// World position of the model's origin, the caller's unit, at most 1e300 in magnitude.
    pub translation: [f64; 3],
    /// Factors along the model's axes, positive, finite and equal; unequal ones are UNSUPPORTED in
    /// this version.
    pub scale: [f64; 3],
}

/// What a pair may remember.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_pair_params {
    /// Size of this struct in bytes; set by feeler_pair_params_init.
    pub struct_size: u32,
    /// Any of FEELER_PAIR_NO_FRONT; default 0.
    pub flags: u32,
    /// Entries of the search queue; 0 (default) is chosen from the models. A full queue costs speed, never the answer.
    pub max_queue: u32,
    /// Entries of the front; 0 (default) is chosen from the models. A full front costs speed, never the answer.
    pub max_front: u32,
}

/// How feeler_pair_collide asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_collide_params {
    /// Size of this struct in bytes; set by feeler_collide_params_init.
    pub struct_size: u32,
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    pub flags: u32,
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    pub max_work: u64,
}

/// How feeler_pair_contacts asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_contacts_params {
    /// Size of this struct in bytes; set by feeler_contacts_params_init.
    pub struct_size: u32,
    /// Any of FEELER_QUERY_NO_COHERENCE, FEELER_CONTACTS_STOP_WHEN_FULL; default 0.
    pub flags: u32,
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    pub max_work: u64,
    /// Triangle pairs at most this far apart are contacts: world unit, not negative, finite; 0 (default) is touching.
    pub margin: f64,
}

/// How feeler_pair_distance asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_distance_params {
    /// Size of this struct in bytes; set by feeler_distance_params_init.
    pub struct_size: u32,
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    pub flags: u32,
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    pub max_work: u64,
    /// The search may stop at upper <= distance * (1 + relative_error); not negative, finite, default 0.
    pub relative_error: f64,
    /// The search may stop at upper <= distance + absolute_error; world unit, not negative, finite, default 0.
    pub absolute_error: f64,
    /// Nothing farther than this is looked for; world unit, not negative, default infinity.
    pub max_distance: f64,
    /// Search order: one of FEELER_SEARCH_..., default FEELER_SEARCH_AUTO; it changes the speed, never the answer.
    pub search: u32,
    /// Kept 0.
    pub reserved: u32,
}

/// How feeler_pair_tolerance asks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_tolerance_params {
    /// Size of this struct in bytes; set by feeler_tolerance_params_init.
    pub struct_size: u32,
    /// Any of FEELER_QUERY_NO_COHERENCE; default 0.
    pub flags: u32,
    /// Expansions, triangle pairs and front blocks to spend at most; 0 (default) is unlimited.
    pub max_work: u64,
    /// The distance that is compared with: world unit, not negative, finite, default 0.
    pub tolerance: f64,
}

/// Two triangles that are near each other or touch. Plain data, never grows.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_contact {
    /// Triangle of A, counted in the caller's order from 0.
    pub triangle_a: u32,
    /// Triangle of B, counted in the caller's order from 0.
    pub triangle_b: u32,
    /// Distance of the two triangles, world unit; 0 exactly when they intersect.
    pub distance: f64,
    /// Closest point on the triangle of A, world space.
    pub point_a: [f64; 3],
    /// Closest point on the triangle of B, world space; equal to point_a when they intersect.
    pub point_b: [f64; 3],
    /// Unit vector from A to B, world space.
    pub normal: [f64; 3],
    /// Closest features, FEELER_FEATURE_...: that of A in the lowest byte, that of B in the next.
    pub feature: u32,
    /// Written as 0.
    pub reserved: u32,
}

/// What feeler_pair_collide found.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_collide_result {
    /// Size of this struct in bytes; set by feeler_collide_result_init, kept by the query.
    pub struct_size: u32,
    /// 1 when the verdict is certain, 0 when max_work ran out before.
    pub complete: u32,
    /// 1 when the models touch, 0 when they do not or when it is not known.
    pub colliding: u32,
    /// Touching triangle of A, or FEELER_NO_TRIANGLE.
    pub triangle_a: u32,
    /// Touching triangle of B, or FEELER_NO_TRIANGLE.
    pub triangle_b: u32,
    /// Written as 0.
    pub reserved: u32,
    /// A point of both triangles, world space; 0 when there is none.
    pub point: [f64; 3],
}

/// What feeler_pair_contacts found.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_contacts_result {
    /// Size of this struct in bytes; set by feeler_contacts_result_init, kept by the query.
    pub struct_size: u32,
    /// 1 when every contact was counted, 0 when max_work ran out or the array was full and the query was to stop.
    pub complete: u32,
    /// Number of contacts, also of those that found no room in the array.
    pub found: u64,
    /// Number of contacts that were written to the array, at most its capacity.
    pub written: u64,
}

/// What feeler_pair_distance found: lower <= distance <= upper.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_distance_result {
    /// Size of this struct in bytes; set by feeler_distance_result_init, kept by the query.
    pub struct_size: u32,
    /// 1 when the answer is as exact as asked, 0 when max_work ran out before.
    pub complete: u32,
    /// Certified lower bound of the distance, world unit; max_distance when the models are farther apart.
    pub lower: f64,
    /// Distance of the two points, world unit; infinity when the models are farther apart than max_distance.
    pub upper: f64,
    /// Closest point on A, world space; 0 when there is none.
    pub point_a: [f64; 3],
    /// Closest point on B, world space; 0 when there is none.
    pub point_b: [f64; 3],
    /// Unit vector from A to B, world space; 0 when there is none.
    pub normal: [f64; 3],
    /// Triangle of point_a, or FEELER_NO_TRIANGLE.
    pub triangle_a: u32,
    /// Triangle of point_b, or FEELER_NO_TRIANGLE.
    pub triangle_b: u32,
}

/// What feeler_pair_tolerance found.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_tolerance_result {
    /// Size of this struct in bytes; set by feeler_tolerance_result_init, kept by the query.
    pub struct_size: u32,
    /// 1 when the verdict is certain, 0 when max_work ran out before.
    pub complete: u32,
    /// 1 when the distance is at most the tolerance, 0 when it is larger or when it is not known.
    pub closer: u32,
    /// Written as 0.
    pub reserved: u32,
    /// Certified lower bound of the distance, world unit.
    pub lower: f64,
    /// Certified upper bound of the distance, world unit; infinity when no triangle pair was near enough.
    pub upper: f64,
    /// Point on A that is upper away from point_b, world space; 0 when there is none.
    pub point_a: [f64; 3],
    /// Point on B that is upper away from point_a, world space; 0 when there is none.
    pub point_b: [f64; 3],
    /// Unit vector from A to B, world space; 0 when there is none.
    pub normal: [f64; 3],
    /// Triangle of point_a, or FEELER_NO_TRIANGLE.
    pub triangle_a: u32,
    /// Triangle of point_b, or FEELER_NO_TRIANGLE.
    pub triangle_b: u32,
}

/// What the last query of a pair did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct feeler_counters {
    /// Size of this struct in bytes; set by feeler_counters_init, kept by feeler_pair_get_counters.
    pub struct_size: u32,
    /// Written as 0.
    pub reserved: u32,
    /// Nodes that were opened: one volume against eight children each.
    pub expansions: u64,
    /// Volume pairs that were tested.
    pub volume_tests: u64,
    /// Volume pairs that the first stage of a staged volume decided.
    pub cheap_tests: u64,
    /// Triangle pairs that were measured.
    pub triangle_tests: u64,
    /// Triangle pairs that needed the robust path.
    pub robust_tests: u64,
    /// Blocks of the front that were tested.
    pub front_tests: u64,
    /// Blocks of the front that were made anew.
    pub front_updates: u64,
    /// Times the front was built anew.
    pub front_rebuilds: u64,
    /// What counts against max_work: expansions, triangle pairs and front blocks.
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
    /// Expansions and triangle pairs to spend at most; 0 (default) is unlimited.
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
