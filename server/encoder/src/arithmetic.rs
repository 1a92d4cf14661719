//! The steps between two matrix products, each a single pass over the numbers, in place. The loops have no branches and
//! no fixed order of additions, so that the compiler can vectorise them; `rten_simd` selects the widest instructions of the
//! processor.

use rten_simd::{Isa, SimdOp};

/// Independent partial sums.
const LANES: usize = 16;

/// The weights of a layer norm.
pub(crate) struct Norm {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) epsilon: f32,
}

impl Norm {
    /// `x = layer_norm(x)` for each row of `x`.
    pub(crate) fn apply(&self, rows: &mut [f32]) {
        NormRows { norm: self, rows }.dispatch();
    }

    /// `x = layer_norm(x + residual + bias)` for each row of `x`.
    pub(crate) fn apply_to_sum(&self, rows: &mut [f32], residual: &[f32], bias: &[f32]) {
        AddRows { bias, residual, rows }.dispatch();
        self.apply(rows);
    }
}

/// The sum of the products of two rows.
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Gives a row the norm 1; zeros stay zeros.
pub(crate) fn normalise(row: &mut [f32]) {
    let norm = dot(row, row).sqrt().max(f32::MIN_POSITIVE);
    row.iter_mut().for_each(|number| *number /= norm);
}

/// `x = x + bias` for each row of `x`.
pub(crate) fn add_bias(rows: &mut [f32], bias: &[f32]) {
    BiasRows { bias, rows }.dispatch();
}

/// `x = gelu(x + bias)` for each row of `x`.
pub(crate) fn add_bias_gelu(rows: &mut [f32], bias: &[f32]) {
    GeluRows { bias, rows }.dispatch();
}

/// `x = softmax(x)` for each row of `x`.
pub(crate) fn softmax(rows: &mut [f32], width: usize) {
    SoftmaxRows { width, rows }.dispatch();
}

struct GeluRows<'a> {
    bias: &'a [f32],
    rows: &'a mut [f32],
}

impl SimdOp for GeluRows<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
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

impl SimdOp for BiasRows<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
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

impl SimdOp for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
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

impl SimdOp for NormRows<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::cast_precision_loss, reason = "a row has a few thousand numbers at most")]
    fn eval<I: Isa>(self, _: I) {
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
    width: usize,
    rows: &'a mut [f32],
}

impl SimdOp for SoftmaxRows<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for row in self.rows.chunks_exact_mut(self.width) {
            let highest = max(row);
            for value in row.iter_mut() {
                *value = exp(*value - highest);
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
    use super::*;

    const WIDTH: usize = 50;

    /// Numbers of both signs and many sizes; the width of a row is not a multiple of a vector's length.
    fn matrix() -> Vec<f32> {
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        (0..20 * WIDTH).map(|n| ((n * 7919) % 1000) as f32 / 60.0 - 8.0).collect()
    }

    /// Applies a function of a row, in double precision, to each row of the matrix.
    fn expected(row: impl Fn(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
        matrix().chunks_exact(WIDTH).flat_map(|numbers| row(numbers.iter().copied().map(f64::from).collect())).collect()
    }

    fn worst(numbers: &[f32], expected: &[f64]) -> f64 {
        assert_eq!(numbers.len(), expected.len());
        numbers.iter().zip(expected).map(|(one, other)| (f64::from(*one) - other).abs()).fold(0.0, f64::max)
    }

    /// The error function as its power series, which is exact enough up to 4.5.
    fn exact_erf(x: f64) -> f64 {
        if x.abs() > 4.5 {
            return x.signum();
        }
        let (mut sum, mut power) = (0.0, x);
        for n in 0..200 {
            sum += power / f64::from(2 * n + 1);
            power *= -x * x / f64::from(n + 1);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn gelu_is_the_exact_one() {
        let mut numbers = matrix();
        add_bias_gelu(&mut numbers, &[0.25; WIDTH]);
        let gelu = |x: f64| 0.5 * x * (1.0 + exact_erf(x / std::f64::consts::SQRT_2));
        let expected = expected(|row| row.into_iter().map(|x| gelu(x + 0.25)).collect());
        assert!(worst(&numbers, &expected) < 2e-6, "{}", worst(&numbers, &expected));
    }

    #[test]
    fn softmax_sums_to_one_in_each_row() {
        let mut numbers = matrix();
        softmax(&mut numbers, WIDTH);
        let expected = expected(|row| {
            let total: f64 = row.iter().map(|x| x.exp()).sum();
            row.into_iter().map(|x| x.exp() / total).collect()
        });
        assert!(worst(&numbers, &expected) < 1e-6, "{}", worst(&numbers, &expected));
    }

    #[test]
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    fn layer_norm_normalises_the_sum_of_each_row() {
        let norm = Norm { weight: vec![1.5; WIDTH], bias: vec![-0.5; WIDTH], epsilon: 1e-12 };
        let mut numbers = matrix();
        norm.apply_to_sum(&mut numbers, &matrix(), &[0.1; WIDTH]);
        let expected = expected(|row| {
            let row: Vec<f64> = row.into_iter().map(|x| 2.0 * x + 0.1).collect();
            let mean = row.iter().sum::<f64>() / WIDTH as f64;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / WIDTH as f64;
            row.into_iter().map(|x| (x - mean) / variance.sqrt() * 1.5 - 0.5).collect()
        });
        assert!(worst(&numbers, &expected) < 2e-5, "{}", worst(&numbers, &expected));
    }

    #[test]
    fn a_bias_is_added_to_each_row() {
        let mut numbers = matrix();
        add_bias(&mut numbers, &[3.0; WIDTH]);
        let expected = expected(|row| row.into_iter().map(|x| x + 3.0).collect());
        assert!(worst(&numbers, &expected) < 1e-6);
    }
}
