//! Late interaction without the network: compares a question and passages token by token, with the vectors of the
//! network's embedding layer. These ignore context, but words with a similar meaning have similar vectors, and reading
//! a row of a table takes a thousandth of a network's time.

use rten_tensor::Matrix;

use crate::{Encoder, Result, arithmetic::normalise, matrix::multiply};

/// Maximum tokens of a question that are compared, which bounds the time.
const COMPARED: usize = 64;

impl Encoder {
    /// The similarity of the question and each passage, at most 1: the mean, over the question's tokens, of the cosine
    /// with the passage's most similar token. Tokens that fewer passages have weigh more. Texts are given as their
    /// tokens.
    ///
    /// # Errors
    /// When the arithmetic fails.
    pub fn likeness(&self, question: &[u32], passages: &[&[u32]]) -> Result<Vec<f32>> {
        let question = &question[..question.len().min(COMPARED)];
        let vocabulary = distinct(passages.iter().copied().flatten());
        if question.is_empty() || vocabulary.is_empty() {
            return Ok(vec![0.0; passages.len()]);
        }
        let (rows, columns) = (self.directions(question), self.directions(&vocabulary));
        let rows = Matrix::from_data([question.len(), self.dimensions()], rows.as_slice());
        let columns = Matrix::from_data([vocabulary.len(), self.dimensions()], columns.as_slice());
        let mut cosines = vec![0.0; question.len() * vocabulary.len()];
        multiply(rows, columns.transposed(), 1.0, &mut cosines)?;
        let places: Vec<Vec<usize>> = passages.iter().map(|passage| places(passage, &vocabulary)).collect();
        let weights: Vec<f32> =
            question.iter().map(|token| rarity(vocabulary.binary_search(token).ok(), &places)).collect();
        let total: f32 = weights.iter().sum();
        let of_passage = |places: &Vec<usize>| {
            let nearest = |row: &[f32]| places.iter().map(|place| row[*place]).fold(0.0, f32::max);
            cosines.chunks_exact(vocabulary.len()).zip(&weights).map(|(row, weight)| weight * nearest(row)).sum::<f32>()
                / total
        };
        Ok(places.iter().map(of_passage).collect())
    }

    /// The tokens' vectors of norm 1; zeros for a token that the model does not know.
    fn directions(&self, tokens: &[u32]) -> Vec<f32> {
        let mut rows = vec![0.0; tokens.len() * self.dimensions()];
        for (token, row) in tokens.iter().zip(rows.chunks_exact_mut(self.dimensions())) {
            self.network.read_token(*token, row);
            normalise(row);
        }
        rows
    }
}

fn distinct<'a>(tokens: impl Iterator<Item = &'a u32>) -> Vec<u32> {
    let mut tokens: Vec<u32> = tokens.copied().collect();
    tokens.sort_unstable();
    tokens.dedup();
    tokens
}

/// The indices of the passage's tokens in `known`, ascending.
fn places(passage: &[u32], vocabulary: &[u32]) -> Vec<usize> {
    distinct(passage.iter()).iter().filter_map(|token| vocabulary.binary_search(token).ok()).collect()
}

/// The inverse document frequency (BM25) of the token at this index among the passages.
#[allow(clippy::cast_precision_loss, reason = "a few passages")]
fn rarity(place: Option<usize>, passages: &[Vec<usize>]) -> f32 {
    let has = |passage: &&Vec<usize>| place.is_some_and(|place| passage.binary_search(&place).is_ok());
    let (having, all) = (passages.iter().filter(has).count() as f32, passages.len() as f32);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}
