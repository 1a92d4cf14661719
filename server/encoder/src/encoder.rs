//! A sentence encoder: one vector for each text.

use crate::{
    Result, Tensors,
    arithmetic::normalise,
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
        let states = self.network.forward(texts)?;
        Ok(split(&states, texts, self.dimensions()).map(|states| self.vector(states)).collect())
    }

    /// The vector of norm 1 of a text with these states.
    pub(crate) fn vector(&self, states: &[f32]) -> Vec<f32> {
        let mut vector = match self.pooling {
            Pooling::Mean => sum(states, self.dimensions()),
            Pooling::First => states[..self.dimensions()].to_vec(),
        };
        normalise(&mut vector);
        vector
    }
}

/// The states of each text, of those of all texts one after the other.
pub(crate) fn split<'a>(
    mut states: &'a [f32],
    texts: &'a [&Input],
    width: usize,
) -> impl Iterator<Item = &'a [f32]> + use<'a> {
    texts.iter().map(move |text| {
        let (of_text, rest) = states.split_at(text.tokens.len() * width);
        states = rest;
        of_text
    })
}

/// The sum of the rows, which has the direction of their mean.
fn sum(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    sum
}
