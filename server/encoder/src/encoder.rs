//! A sentence encoder: one vector for each text.

use crate::{
    Result, Tensors,
    network::{Input, Network, Shape},
};

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pooling {
    #[default]
    Mean,
    /// The vector of the first token.
    First,
}

/// An encoder with its weights.
pub struct Encoder {
    pub(crate) network: Network,
    pooling: Pooling,
}

impl Encoder {
    /// # Errors
    /// When a weight is missing or its length differs from `shape`.
    pub fn load(shape: &Shape, pooling: Pooling, tensors: &dyn Tensors) -> Result<Self> {
        Ok(Self { network: Network::load(shape, tensors)?, pooling })
    }

    /// The vector length.
    pub fn dimensions(&self) -> usize {
        self.network.width()
    }

    /// Maximum tokens of one text.
    pub fn max_tokens(&self) -> usize {
        self.network.max_tokens()
    }

    /// One vector of norm 1 for each text.
    ///
    /// # Errors
    /// When a text has no token, too many, or one that the model does not know.
    pub fn encode(&self, texts: &[&Input]) -> Result<Vec<Vec<f32>>> {
        let hidden = self.states(texts)?;
        let mut rows = hidden.as_slice();
        let vector = |text: &&Input| {
            let (of_text, behind) = rows.split_at(text.tokens.len() * self.dimensions());
            rows = behind;
            self.vector(of_text)
        };
        Ok(texts.iter().map(vector).collect())
    }

    /// The last layer's state of each token of the texts, one after the other.
    pub(crate) fn states(&self, texts: &[&Input]) -> Result<Vec<f32>> {
        Ok(self.network.forward(texts)?.as_slice().to_vec())
    }

    /// The vector of norm 1 of a text with these states.
    pub(crate) fn vector(&self, states: &[f32]) -> Vec<f32> {
        normalised(match self.pooling {
            Pooling::Mean => sum(states, self.dimensions()),
            Pooling::First => states[..self.dimensions()].to_vec(),
        })
    }
}

/// The sum of the rows, which has the direction of their mean.
fn sum(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    sum
}

fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|number| *number /= norm);
    vector
}
