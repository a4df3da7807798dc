//! A pair: two models, their poses, and everything that a query writes to.

use crate::error::Error;
use crate::math::placement::Placement;
use crate::math::transform::Transform;
use crate::model::Model;
use core::ops::Deref;

/// Two models that are asked about each other; `M` is any handle to a model: `&Model`, `Arc<Model>`, ...
#[derive(Debug)]
pub struct Pair<M> {
    a: M,
    b: M,
    transform_a: Transform,
    transform_b: Transform,
    placement: Placement,
}

impl<M: Deref<Target = Model>> Pair<M> {
    pub fn new(a: M, b: M) -> Result<Self, Error> {
        let (transform_a, transform_b) = (Transform::IDENTITY, Transform::IDENTITY);
        let placement = Placement::new(&transform_a, a.exponent(), &transform_b, b.exponent());
        Ok(Self { a, b, transform_a, transform_b, placement })
    }

    /// Moves the models; `None` keeps a pose. The poses are checked before anything changes.
    pub fn set_transforms(&mut self, a: Option<&Transform>, b: Option<&Transform>) -> Result<(), Error> {
        let transform_a = a.map_or(Ok(self.transform_a), |pose| pose.checked("a"))?;
        let transform_b = b.map_or(Ok(self.transform_b), |pose| pose.checked("b"))?;
        self.placement = Placement::new(&transform_a, self.a.exponent(), &transform_b, self.b.exponent());
        (self.transform_a, self.transform_b) = (transform_a, transform_b);
        Ok(())
    }

    pub fn models(&self) -> (&Model, &Model) {
        (&self.a, &self.b)
    }

    pub fn placement(&self) -> &Placement {
        &self.placement
    }
}
