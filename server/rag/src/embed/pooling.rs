//! From one vector per token to one vector per text: the mean over real tokens, scaled to norm 1.

use candle_core::{DType, Result, Tensor};

/// `hidden` is `[texts, tokens, dimensions]`, `mask` is `[texts, tokens]` with 1 for a real token and 0 for
/// padding. Gives `[texts, dimensions]`, each row of norm 1.
pub(super) fn mean_and_normalise(hidden: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let mask = mask.to_dtype(DType::F32)?.unsqueeze(2)?;
    let sum = hidden.broadcast_mul(&mask)?.sum(1)?;
    let mean = sum.broadcast_div(&mask.sum(1)?)?;
    let norm = mean.sqr()?.sum_keepdim(1)?.sqrt()?;
    mean.broadcast_div(&norm)
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;

    #[test]
    fn padding_has_no_influence_on_the_mean() {
        let hidden = Tensor::new(&[[[3.0_f32, 0.0], [0.0, 4.0], [900.0, 900.0]]], &Device::Cpu).unwrap();
        let mask = Tensor::new(&[[1_u32, 1, 0]], &Device::Cpu).unwrap();
        let vectors = mean_and_normalise(&hidden, &mask).unwrap().to_vec2::<f32>().unwrap();
        assert!((vectors[0][0] - 0.6).abs() < 1e-6 && (vectors[0][1] - 0.8).abs() < 1e-6, "{vectors:?}");
    }
}
