//! A cross-encoder: reads two texts together and gives one score.

use crate::{
    Result, Tensors,
    matrix::Linear,
    network::{Input, Network, Shape},
};

/// A network with a classifier of one output.
pub struct CrossEncoder {
    network: Network,
    pooler: Linear,
    classifier: Linear,
}

impl CrossEncoder {
    /// # Errors
    /// When a weight is missing or its length differs from `shape`.
    pub fn load(shape: &Shape, tensors: &dyn Tensors) -> Result<Self> {
        let width = shape.hidden_size;
        Ok(Self {
            network: Network::load(shape, tensors)?,
            pooler: Linear::load("pooler", width, width, tensors)?,
            classifier: Linear::load("classifier", width, 1, tensors)?,
        })
    }

    /// Maximum tokens of both texts together.
    pub fn max_tokens(&self) -> usize {
        self.network.max_tokens()
    }

    /// The score of each pair of texts.
    ///
    /// # Errors
    /// When a pair has no token, too many, or one that the model does not know.
    pub fn score(&self, pairs: &[&Input]) -> Result<Vec<f32>> {
        let (hidden, width) = (self.network.forward(pairs)?, self.network.width());
        let mut first = Vec::with_capacity(pairs.len() * width);
        let mut start = 0;
        for pair in pairs {
            first.extend_from_slice(&hidden[start * width..][..width]);
            start += pair.tokens.len();
        }
        let mut pooled = self.pooler.multiply(&first)?;
        for row in pooled.chunks_exact_mut(width) {
            row.iter_mut().zip(&self.pooler.bias).for_each(|(number, bias)| *number = (*number + bias).tanh());
        }
        let mut scores = self.classifier.multiply(&pooled)?;
        scores.iter_mut().for_each(|score| *score += self.classifier.bias[0]);
        Ok(scores)
    }
}
