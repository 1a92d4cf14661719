//! Self-attention within each text.

use rten_tensor::Matrix;

use crate::{Result, arithmetic::softmax, matrix::multiply};

/// The attention output of each token over the tokens of its own text. `projected` is `[tokens, 3 * width]`: queries,
/// keys and values of all texts, one text after the other. Returns `[tokens, width]`.
pub(crate) fn attend(projected: &[f32], lengths: &[usize], width: usize, heads: usize) -> Result<Vec<f32>> {
    let head_width = width / heads;
    #[allow(clippy::cast_precision_loss, reason = "a head has less than a thousand numbers")]
    let scale = 1.0 / (head_width as f32).sqrt();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let (mut weights, mut attended) = (vec![0.0; longest * longest], vec![0.0; longest * head_width]);
    let mut output = vec![0.0; projected.len() / 3];
    let mut start = 0;
    for length in lengths {
        let text = Matrix::from_data([*length, 3 * width], &projected[start * 3 * width..][..length * 3 * width]);
        let rows = &mut output[start * width..][..length * width];
        let (weights, attended) = (&mut weights[..length * length], &mut attended[..length * head_width]);
        for head in 0..heads {
            let part = |number: usize| {
                let first = number * width + head * head_width;
                text.slice((.., first..first + head_width))
            };
            multiply(part(0), part(1).transposed(), scale, weights)?;
            softmax(weights, *length);
            multiply(Matrix::from_data([*length, *length], &*weights), part(2), 1.0, attended)?;
            for (row, attended) in rows.chunks_exact_mut(width).zip(attended.chunks_exact(head_width)) {
                row[head * head_width..][..head_width].copy_from_slice(attended);
            }
        }
        start += length;
    }
    Ok(output)
}
