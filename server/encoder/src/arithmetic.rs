//! The steps between two matrix products, each a single pass over the numbers, in place. The loops have no branches and
//! no fixed order of additions, so that the compiler can vectorise them; `pulp` selects the widest instructions of the
//! processor.

use candle_core::{CpuStorage, InplaceOp1, InplaceOp2, Layout, Result, bail};
use pulp::{Arch, Simd, WithSimd};

/// Independent partial sums.
const LANES: usize = 16;

/// `x = gelu(x + bias)` for each row of `x`.
pub(crate) struct BiasGelu<'a>(pub(crate) &'a [f32]);

/// `x = layer_norm(x + residual + bias)` for each row of `x`.
pub(crate) struct AddNorm<'a> {
    pub(crate) bias: &'a [f32],
    pub(crate) norm: &'a Norm,
}

/// `x = x + bias` for each row of `x`.
pub(crate) struct Bias<'a>(pub(crate) &'a [f32]);

/// `x = softmax(scale * x)` for each row of `x`.
pub(crate) struct ScaledSoftmax {
    pub(crate) scale: f32,
    pub(crate) width: usize,
}

/// The weights of a layer norm.
pub(crate) struct Norm {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) epsilon: f32,
}

impl Norm {
    pub(crate) fn apply(&self, rows: &mut [f32]) {
        Arch::new().dispatch(NormRows { norm: self, rows });
    }
}

impl InplaceOp1 for BiasGelu<'_> {
    fn name(&self) -> &'static str {
        "bias-gelu"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        Arch::new().dispatch(GeluRows { bias: self.0, rows: numbers_mut(storage, layout)? });
        Ok(())
    }
}

impl InplaceOp1 for Bias<'_> {
    fn name(&self) -> &'static str {
        "bias"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        Arch::new().dispatch(BiasRows { bias: self.0, rows: numbers_mut(storage, layout)? });
        Ok(())
    }
}

impl InplaceOp1 for ScaledSoftmax {
    fn name(&self) -> &'static str {
        "scaled-softmax"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let rows = numbers_mut(storage, layout)?;
        Arch::new().dispatch(SoftmaxRows { scale: self.scale, width: self.width, rows });
        Ok(())
    }
}

impl InplaceOp2 for AddNorm<'_> {
    fn name(&self) -> &'static str {
        "add-norm"
    }

    fn cpu_fwd(&self, rows: &mut CpuStorage, layout: &Layout, other: &CpuStorage, other_layout: &Layout) -> Result<()> {
        let (rows, residual) = (numbers_mut(rows, layout)?, numbers(other, other_layout)?);
        Arch::new().dispatch(AddRows { bias: self.bias, residual, rows });
        self.norm.apply(rows);
        Ok(())
    }
}

fn numbers<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(all), Some((start, end))) => Ok(&all[start..end]),
        _ => bail!("needs contiguous numbers of 32 bits"),
    }
}

fn numbers_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(all), Some((start, end))) => Ok(&mut all[start..end]),
        _ => bail!("needs contiguous numbers of 32 bits"),
    }
}

struct GeluRows<'a> {
    bias: &'a [f32],
    rows: &'a mut [f32],
}

impl WithSimd for GeluRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.rows.chunks_exact_mut(self.bias.len()) {
            for (value, bias) in row.iter_mut().zip(self.bias) {
                *value = gelu(*value + bias);
            }
        }
    }
}

struct BiasRows<'a> {
    bias: &'a [f32],
    rows: &'a mut [f32],
}

impl WithSimd for BiasRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.rows.chunks_exact_mut(self.bias.len()) {
            for (value, bias) in row.iter_mut().zip(self.bias) {
                *value += bias;
            }
        }
    }
}

struct AddRows<'a> {
    bias: &'a [f32],
    residual: &'a [f32],
    rows: &'a mut [f32],
}

impl WithSimd for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.bias.len();
        for (row, residual) in self.rows.chunks_exact_mut(width).zip(self.residual.chunks_exact(width)) {
            for ((value, residual), bias) in row.iter_mut().zip(residual).zip(self.bias) {
                *value += residual + bias;
            }
        }
    }
}

struct NormRows<'a> {
    norm: &'a Norm,
    rows: &'a mut [f32],
}

impl WithSimd for NormRows<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::cast_precision_loss, reason = "a row has a few thousand numbers at most")]
    fn with_simd<S: Simd>(self, _: S) {
        let Norm { weight, bias, epsilon } = self.norm;
        let width = weight.len() as f32;
        for row in self.rows.chunks_exact_mut(weight.len()) {
            let mean = sum(row, |value| value) / width;
            let variance = sum(row, |value| (value - mean) * (value - mean)) / width;
            let scale = 1.0 / (variance + epsilon).sqrt();
            for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
                *value = (*value - mean) * scale * weight + bias;
            }
        }
    }
}

struct SoftmaxRows<'a> {
    scale: f32,
    width: usize,
    rows: &'a mut [f32],
}

impl WithSimd for SoftmaxRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.rows.chunks_exact_mut(self.width) {
            let highest = max(row);
            for value in row.iter_mut() {
                *value = exp((*value - highest) * self.scale);
            }
            let factor = 1.0 / sum(row, |value| value);
            for value in row.iter_mut() {
                *value *= factor;
            }
        }
    }
}

#[inline(always)]
fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().map(|value| of(*value)).sum();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += of(*value);
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[inline(always)]
fn max(row: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder().iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = if *value > *lane { *value } else { *lane };
        }
    }
    lanes.into_iter().fold(rest, f32::max)
}

/// `e^x` with a relative error below 3e-7; an underflow gives the smallest normal number.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Added to a small number, it leaves the nearest integer in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    const EXPONENT_BIAS: u32 = 127;
    const MANTISSA_BITS: u32 = 23;
    let x = clamp(x, -87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let power = rounded - ROUND;
    // The logarithm of 2 in two parts: the first one times a small integer is exact.
    let r = x - power * 0.693_359_4 - power * -2.121_944_4e-4;
    let mut polynomial = 1.0 / 720.0;
    polynomial = polynomial * r + 1.0 / 120.0;
    polynomial = polynomial * r + 1.0 / 24.0;
    polynomial = polynomial * r + 1.0 / 6.0;
    polynomial = polynomial * r + 0.5;
    polynomial = polynomial * r + 1.0;
    polynomial = polynomial * r + 1.0;
    polynomial * f32::from_bits(rounded.to_bits().wrapping_add(EXPONENT_BIAS) << MANTISSA_BITS)
}

/// The exact GELU, `x * (1 + erf(x / sqrt(2))) / 2`, with an absolute error below 1e-6.
#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function as the quotient of two polynomials, as Eigen and XLA compute it.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = clamp(x, -4.0, 4.0);
    let square = x * x;
    let mut above = -2.726_142_3e-10;
    for factor in [2.770_681_4e-8, -2.101_024e-6, -5.692_506_4e-5, -7.349_906_3e-4, -2.954_6e-3, -1.609_603_3e-2] {
        above = above * square + factor;
    }
    let mut below = -1.456_607_2e-5;
    for factor in [-2.133_740_5e-4, -1.682_826_9e-3, -7.373_329e-3, -1.426_474e-2] {
        below = below * square + factor;
    }
    x * above / below
}

/// Unlike `f32::clamp` it does not handle NaN, which makes it cheaper.
#[inline(always)]
fn clamp(x: f32, lowest: f32, highest: f32) -> f32 {
    let x = if x > lowest { x } else { lowest };
    if x < highest { x } else { highest }
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Tensor};

    use super::*;

    /// Numbers of both signs and many sizes; 50 a row, which is not a multiple of a vector's length.
    fn matrix() -> Tensor {
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        let numbers: Vec<f32> = (0..1000).map(|n| ((n * 7919) % 1000) as f32 / 60.0 - 8.0).collect();
        Tensor::from_vec(numbers, (20, 50), &Device::Cpu).unwrap()
    }

    fn worst(one: &Tensor, other: &Tensor) -> f32 {
        let difference = (one - other).unwrap().abs().unwrap().flatten_all().unwrap();
        difference.max(0).unwrap().to_scalar().unwrap()
    }

    #[test]
    fn gelu_is_candles_exact_one() {
        let (changed, bias) = (matrix().copy().unwrap(), vec![0.25; 50]);
        changed.inplace_op1(&BiasGelu(&bias)).unwrap();
        let expected = (matrix() + 0.25).unwrap().gelu_erf().unwrap();
        assert!(worst(&changed, &expected) < 2e-6, "{}", worst(&changed, &expected));
    }

    #[test]
    fn softmax_is_candles_one() {
        let changed = matrix().copy().unwrap();
        changed.inplace_op1(&ScaledSoftmax { scale: 0.5, width: 50 }).unwrap();
        let expected = candle_nn::ops::softmax_last_dim(&(matrix() * 0.5).unwrap()).unwrap();
        assert!(worst(&changed, &expected) < 1e-6, "{}", worst(&changed, &expected));
    }

    #[test]
    fn layer_norm_is_candles_one() {
        let (weight, bias) = (vec![1.5; 50], vec![-0.5; 50]);
        let norm = Norm { weight: weight.clone(), bias: bias.clone(), epsilon: 1e-12 };
        let changed = matrix().copy().unwrap();
        changed.inplace_op2(&matrix().copy().unwrap(), &AddNorm { bias: &[0.1; 50], norm: &norm }).unwrap();
        let vector = |numbers: Vec<f32>| Tensor::new(numbers, &Device::Cpu).unwrap();
        let sum = ((matrix() * 2.0).unwrap() + 0.1).unwrap();
        let expected = candle_nn::ops::layer_norm(&sum, &vector(weight), &vector(bias), 1e-12).unwrap();
        assert!(worst(&changed, &expected) < 2e-5, "{}", worst(&changed, &expected));
    }

    #[test]
    fn a_bias_is_added_to_each_row() {
        let changed = matrix().copy().unwrap();
        changed.inplace_op1(&Bias(&[3.0; 50])).unwrap();
        assert!(worst(&changed, &(matrix() + 3.0).unwrap()) < 1e-6);
    }
}
