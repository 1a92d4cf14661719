//! Late interaction: compares a question and short texts token by token, by the states of the network's last layer. It
//! finds the text that answers a question in other words more often than the cosine of two vectors alone.

use crate::{
    Encoder, Result,
    arithmetic::{dot, normalise},
    encoder::split,
    network::Input,
};

/// Minimum weight of a token, however many texts have it.
const MIN_WEIGHT: f32 = 0.3;

impl Encoder {
    /// The closeness of the question and each text: the cosine of their vectors, plus the mean, over the question's tokens, of
    /// the cosine with the text's most similar token. Tokens that fewer texts have weigh more. The mean state of the texts is
    /// subtracted first, because all states of a network share a direction.
    ///
    /// # Errors
    /// When a text has no token, too many, or one that the model does not know.
    pub fn closeness(&self, question: &Input, texts: &[&Input]) -> Result<Vec<f32>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let width = self.dimensions();
        let mut question_states = self.network.forward(&[question])?;
        let mut states = self.network.forward(texts)?;
        let vector = self.vector(&question_states);
        let cosines: Vec<f32> = split(&states, texts, width).map(|states| dot(&vector, &self.vector(states))).collect();
        centre(&mut question_states, &mut states, width);
        let weights: Vec<f32> = inner(&question.tokens, 1).iter().map(|token| rarity(*token, texts)).collect();
        let total = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let nearest = |states: &[f32]| {
            let tokens = inner(&question_states, width).chunks_exact(width).zip(&weights);
            let near = |token: &[f32]| {
                inner(states, width).chunks_exact(width).map(|state| dot(token, state)).fold(0.0, f32::max)
            };
            tokens.map(|(token, weight)| weight * near(token)).sum::<f32>() / total
        };
        let states = split(&states, texts, width);
        Ok(states.zip(cosines).map(|(states, cosine)| cosine + nearest(states)).collect())
    }
}

/// Without the first and the last token, which begin and end each text.
fn inner<T>(tokens: &[T], width: usize) -> &[T] {
    tokens.get(width..tokens.len().saturating_sub(width)).unwrap_or_default()
}

/// Subtracts the mean state of the texts from each state, and gives each the norm 1.
#[allow(clippy::cast_precision_loss, reason = "a few hundred tokens")]
fn centre(question_states: &mut [f32], states: &mut [f32], width: usize) {
    let mut mean = vec![0.0; width];
    let count = (states.len() / width) as f32;
    for state in states.chunks_exact(width) {
        mean.iter_mut().zip(state).for_each(|(mean, number)| *mean += number / count);
    }
    for state in question_states.chunks_exact_mut(width).chain(states.chunks_exact_mut(width)) {
        state.iter_mut().zip(&mean).for_each(|(number, mean)| *number -= mean);
        normalise(state);
    }
}

/// The inverse document frequency of a token among the texts.
#[allow(clippy::cast_precision_loss, reason = "a few texts")]
fn rarity(token: u32, texts: &[&Input]) -> f32 {
    let having = texts.iter().filter(|text| text.tokens.contains(&token)).count() as f32;
    ((texts.len() as f32 + 1.0) / (having + 0.5)).ln().max(MIN_WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_compared_without_what_they_share() {
        let (mut question_states, mut states) = (vec![11.0, 1.0], vec![11.0, 1.0, 9.0, 1.0, 10.0, 2.0, 10.0, 0.0]);
        centre(&mut question_states, &mut states, 2);
        assert_eq!(question_states, [1.0, 0.0]);
        assert_eq!(states, [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0]);
    }

    #[test]
    fn the_first_and_the_last_token_do_not_count() {
        assert_eq!(inner(&[1, 2, 3], 1), [2]);
        assert_eq!(inner(&[1, 2, 3, 4, 5, 6], 2), [3, 4]);
        assert!(inner(&[1], 1).is_empty());
    }

    #[test]
    fn rare_tokens_weigh_more() {
        let text = |tokens: &[u32]| Input { tokens: tokens.to_vec(), first_type: tokens.len() };
        let (one, two) = (text(&[1, 7, 2]), text(&[1, 8, 2]));
        assert!(rarity(8, &[&one, &two]) > rarity(1, &[&one, &two]));
        assert!(rarity(1, &[&one, &two]) >= MIN_WEIGHT);
    }
}
