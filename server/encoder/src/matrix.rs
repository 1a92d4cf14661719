//! Matrix products. Weights are packed once, in the layout that the processor's kernel reads: packing them for each
//! product would take most of a short text's time.

use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::Matrix;

use crate::{Result, Tensors};

thread_local! {
    /// Uses the widest instructions of the processor. A product stays on the calling thread when that is the only one of
    /// its thread pool.
    static EXECUTOR: GemmExecutor = GemmExecutor::new();
}

/// Writes `scale * left * right` to `output`.
pub(crate) fn multiply(left: Matrix<'_>, right: Matrix<'_>, scale: f32, output: &mut [f32]) -> Result<()> {
    let options = GemmOptions { alpha: scale, ..GemmOptions::default() };
    let (left, right) = (GemmInputA::Unpacked(left), GemmInputB::Unpacked(right));
    Ok(EXECUTOR.with(|executor| executor.gemm(output, left, right, options))?)
}

/// A layer of a network that multiplies by a matrix and adds a bias.
pub(crate) struct Linear {
    weight: PackedBMatrix<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Linear {
    pub(crate) fn load(name: &str, from: usize, to: usize, tensors: &dyn Tensors) -> Result<Self> {
        Self::load_stacked(&[name], from, to, tensors)
    }

    /// Several layers with the same input as one.
    pub(crate) fn load_stacked(names: &[&str], from: usize, to: usize, tensors: &dyn Tensors) -> Result<Self> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            weight.extend(tensors.numbers(&format!("{name}.w"), from * to)?);
            bias.extend(tensors.numbers(&format!("{name}.b"), to)?);
        }
        let weight = Matrix::from_data([bias.len(), from], weight.as_slice());
        let weight = EXECUTOR.with(|executor| executor.prepack_b(weight.transposed()));
        Ok(Self { weight, bias })
    }

    /// The rows of `input` times the matrix, without the bias, which the following pass adds.
    pub(crate) fn multiply(&self, input: &[f32]) -> Result<Vec<f32>> {
        let rows = input.len() / self.weight.rows();
        let mut output = vec![0.0; rows * self.bias.len()];
        let input = GemmInputA::Unpacked(Matrix::from_data([rows, self.weight.rows()], input));
        let weight = GemmInputB::Packed(&self.weight);
        EXECUTOR.with(|executor| executor.gemm(&mut output, input, weight, GemmOptions::default()))?;
        Ok(output)
    }
}
