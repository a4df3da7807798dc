//! The constants of the C header.

// Some of them only callers use.
#![allow(dead_code)]

use crate::error::Status;

/// What a call returns: one of FEELER_STATUS_.... 0 means success.
pub type feeler_status = u32;

/// The call succeeded.
pub const FEELER_STATUS_OK: u32 = 0;
/// A pointer that must not be NULL is NULL.
pub const FEELER_STATUS_NULL_ARGUMENT: u32 = 1;
/// A number, an option, a pose or a handle is not valid.
pub const FEELER_STATUS_INVALID_ARGUMENT: u32 = 2;
/// A struct_size is below that of version 0.1 or above 4096. The struct was probably not initialised.
pub const FEELER_STATUS_INVALID_STRUCT: u32 = 3;
/// The mesh is empty, too large, or has a bad vertex or index. The error message names the bad one.
pub const FEELER_STATUS_INVALID_MESH: u32 = 4;
/// The model has no tree yet. Call feeler_model_build first.
pub const FEELER_STATUS_NOT_BUILT: u32 = 5;
/// The volumes of the two models belong to different families, so that the models cannot form a pair.
pub const FEELER_STATUS_INCOMPATIBLE: u32 = 6;
/// This version cannot do it. The call used an unknown flag, a reserved field, unknown bytes at the end of a struct,
/// or an option of a newer version.
pub const FEELER_STATUS_UNSUPPORTED: u32 = 7;
/// Memory ran out. The call changed nothing.
pub const FEELER_STATUS_OUT_OF_MEMORY: u32 = 8;
/// Another thread uses the handle, or a pair uses the model.
pub const FEELER_STATUS_BUSY: u32 = 9;
/// A defect in this library. Please report the error message.
pub const FEELER_STATUS_INTERNAL: u32 = 10;

/// A vertex is three floats.
pub const FEELER_SCALAR_F32: u32 = 0;
/// A vertex is three doubles.
pub const FEELER_SCALAR_F64: u32 = 1;

/// Flag of feeler_build_params: the vertices of the model may move. feeler_model_update_vertices requires it. The first
/// build of a model must set it, because any other build forgets the caller's vertex numbers.
pub const FEELER_BUILD_DEFORMABLE: u32 = 1;

/// Build the tree that queries search fastest. The default.
pub const FEELER_QUALITY_HIGH: u32 = 0;
/// Build the tree in less time. Queries may take longer.
pub const FEELER_QUALITY_FAST: u32 = 1;

/// The rule that suits the volume: FEELER_SPLIT_SAH. The default.
pub const FEELER_SPLIT_AUTO: u32 = 0;
/// Surface area heuristic: the cut that makes the surfaces of the two parts, times their nodes, smallest.
pub const FEELER_SPLIT_SAH: u32 = 1;
/// Cut in the middle between the first and the last triangle centre, along the axis on which the centres spread most.
pub const FEELER_SPLIT_MIDPOINT: u32 = 2;
/// Cut at the mean of the triangle centres, along the axis on which the centres spread most.
pub const FEELER_SPLIT_MEAN: u32 = 3;
/// Equal numbers of triangles on both sides, along the axis on which the triangle centres spread most.
pub const FEELER_SPLIT_MEDIAN: u32 = 4;

/// The build chooses one swept sphere for each node of a hybrid tree. The default.
pub const FEELER_HYBRID_STATIC: u32 = 0;
/// Each node of a hybrid tree keeps all three swept spheres. The query tests the cheapest first.
pub const FEELER_HYBRID_DYNAMIC: u32 = 1;

/// Flag of feeler_pair_params: the pair keeps no front. This saves memory; queries along small steps take longer.
pub const FEELER_PAIR_NO_FRONT: u32 = 1;

/// Flag of all four queries: run cold, that is, use nothing that earlier queries found.
pub const FEELER_QUERY_NO_COHERENCE: u32 = 1;
/// Flag of feeler_pair_contacts: stop when the array is full. Then found equals capacity and complete is 0.
pub const FEELER_CONTACTS_STOP_WHEN_FULL: u32 = 2;
/// Flag of feeler_pair_contacts: write only triangle_a and triangle_b of each contact. All other fields are 0. This is
/// faster where no points are needed.
pub const FEELER_CONTACTS_IDS_ONLY: u32 = 4;

/// The search order that suits the query. The default.
pub const FEELER_SEARCH_AUTO: u32 = 0;
/// Depth first: always continue with the nearest child of the node just opened.
pub const FEELER_SEARCH_DEPTH_FIRST: u32 = 1;
/// Best first: always continue with the nearest of all nodes that wait.
pub const FEELER_SEARCH_BEST_FIRST: u32 = 2;

/// The number that stands for no triangle.
pub const FEELER_NO_TRIANGLE: u32 = u32::MAX;

/// Feature of a triangle: its first vertex. Part of feeler_contact.feature.
pub const FEELER_FEATURE_VERTEX_0: u32 = 0;
/// Feature of a triangle: its second vertex.
pub const FEELER_FEATURE_VERTEX_1: u32 = 1;
/// Feature of a triangle: its third vertex.
pub const FEELER_FEATURE_VERTEX_2: u32 = 2;
/// Feature of a triangle: the edge from its first to its second vertex.
pub const FEELER_FEATURE_EDGE_01: u32 = 3;
/// Feature of a triangle: the edge from its second to its third vertex.
pub const FEELER_FEATURE_EDGE_12: u32 = 4;
/// Feature of a triangle: the edge from its third to its first vertex.
pub const FEELER_FEATURE_EDGE_20: u32 = 5;
/// Feature of a triangle: its inside.
pub const FEELER_FEATURE_FACE: u32 = 6;

// The core has its own enums. Their numbers must be these.
const _: () = {
    assert!(FEELER_STATUS_NULL_ARGUMENT == Status::NullArgument as u32);
    assert!(FEELER_STATUS_INVALID_ARGUMENT == Status::InvalidArgument as u32);
    assert!(FEELER_STATUS_INVALID_STRUCT == Status::InvalidStruct as u32);
    assert!(FEELER_STATUS_INVALID_MESH == Status::InvalidMesh as u32);
    assert!(FEELER_STATUS_NOT_BUILT == Status::NotBuilt as u32);
    assert!(FEELER_STATUS_INCOMPATIBLE == Status::Incompatible as u32);
    assert!(FEELER_STATUS_UNSUPPORTED == Status::Unsupported as u32);
    assert!(FEELER_STATUS_OUT_OF_MEMORY == Status::OutOfMemory as u32);
    assert!(FEELER_STATUS_BUSY == Status::Busy as u32);
    assert!(FEELER_STATUS_INTERNAL == Status::Internal as u32);
    assert!(FEELER_NO_TRIANGLE == crate::query::NO_TRIANGLE);
};
