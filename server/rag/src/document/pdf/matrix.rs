//! Matrices as PDF writes them: x' = a x + c y + e, y' = b x + d y + f.

use lopdf::{Object, content::Operation};

#[derive(Clone, Copy)]
pub(super) struct Matrix(pub(super) [f32; 6]);

impl Matrix {
    pub(super) const SAME: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// The matrix of these operands.
    pub(super) fn of(operands: &[Object]) -> Option<Self> {
        let numbers: Option<Vec<f32>> = operands.iter().map(|number| number.as_float().ok()).collect();
        numbers?.try_into().ok().map(Self)
    }

    /// The product: first `self`, then `next`.
    pub(super) fn then(self, next: Self) -> Self {
        let (Self([a, b, c, d, e, f]), Self([g, h, i, j, k, l])) = (self, next);
        Self([a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l])
    }

    pub(super) fn moved(self, x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y]).then(self)
    }

    /// Where it moves a point.
    pub(super) fn point(self, x: f32, y: f32) -> (f32, f32) {
        let Self([a, b, c, d, e, f]) = self;
        (a * x + c * y + e, b * x + d * y + f)
    }
}

/// An operand that is a number, otherwise 0.
pub(super) fn number(operation: &Operation, at: usize) -> f32 {
    operation.operands.get(at).and_then(|number| number.as_float().ok()).unwrap_or(0.0)
}
