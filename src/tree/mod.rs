//! Hierarchies: eight-wide nodes in one array, children after parents (`node`), how they are made (`build`), and the
//! check that every node encloses what is below it (`validate`).

pub mod node;
