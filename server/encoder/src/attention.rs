//! Self-attention within each text.

use candle_core::{Result, Tensor};

use crate::arithmetic::ScaledSoftmax;

/// The attention output of each token over the tokens of its own text. `projected` is `[tokens, 3 * width]`: queries,
/// keys and values of all texts, one text after the other. Returns `[tokens, width]`.
pub(crate) fn attend(projected: &Tensor, lengths: &[usize], heads: usize) -> Result<Tensor> {
    let (_, columns) = projected.dims2()?;
    let width = columns / 3;
    let mut attended = Vec::with_capacity(lengths.len());
    let mut start = 0;
    for length in lengths {
        let text = projected.narrow(0, start, *length)?;
        // `[heads, tokens, width / heads]`, views of the one matrix.
        let part = |number: usize| {
            text.narrow(1, number * width, width)?.reshape((*length, heads, width / heads))?.transpose(0, 1)
        };
        let (queries, keys, values) = (part(0)?, part(1)?, part(2)?);
        let weights = queries.matmul(&keys.t()?)?;
        #[allow(clippy::cast_precision_loss, reason = "a head has less than a thousand numbers")]
        let scale = 1.0 / ((width / heads) as f32).sqrt();
        weights.inplace_op1(&ScaledSoftmax { scale, width: *length })?;
        attended.push(weights.matmul(&values)?.transpose(0, 1)?.reshape((*length, width))?);
        start += length;
    }
    match attended.len() {
        1 => Ok(attended.remove(0)),
        _ => Tensor::cat(&attended, 0),
    }
}
