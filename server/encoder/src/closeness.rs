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

/// The states of a text's tokens at the last layer.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenStates {
    tokens: Vec<u32>,
    states: Vec<f32>,
}

impl Encoder {
    /// The states of each text's tokens.
    ///
    /// # Errors
    /// When a text has no token, too many, or one that the model does not know.
    pub fn states(&self, texts: &[&Input]) -> Result<Vec<TokenStates>> {
        let states = self.network.forward(texts)?;
        let of_each = split(&states, texts, self.dimensions()).zip(texts);
        Ok(of_each.map(|(states, text)| TokenStates { tokens: text.tokens.clone(), states: states.to_vec() }).collect())
    }

    /// The closeness of the question and each text: the cosine of their vectors, plus the mean, over the question's tokens, of
    /// the cosine with the text's most similar token. Tokens that fewer texts have weigh more. The mean state of the texts is
    /// subtracted first, because all states of a network share a direction.
    pub fn closeness(&self, mut question: TokenStates, mut texts: Vec<TokenStates>) -> Vec<f32> {
        let width = self.dimensions();
        let vector = self.vector(&question.states);
        let cosines: Vec<f32> = texts.iter().map(|text| dot(&vector, &self.vector(&text.states))).collect();
        centre(&mut question, &mut texts, width);
        let weights: Vec<f32> = inner(&question.tokens, 1).iter().map(|token| rarity(*token, &texts)).collect();
        let total = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let nearest = |states: &[f32]| {
            let tokens = inner(&question.states, width).chunks_exact(width).zip(&weights);
            let near = |token: &[f32]| {
                inner(states, width).chunks_exact(width).map(|state| dot(token, state)).fold(0.0, f32::max)
            };
            tokens.map(|(token, weight)| weight * near(token)).sum::<f32>() / total
        };
        texts.iter().zip(cosines).map(|(text, cosine)| cosine + nearest(&text.states)).collect()
    }
}

/// Without the first and the last token, which begin and end each text.
fn inner<T>(tokens: &[T], width: usize) -> &[T] {
    tokens.get(width..tokens.len().saturating_sub(width)).unwrap_or_default()
}

/// Subtracts the mean state of the texts from each state, and gives each the norm 1.
#[allow(clippy::cast_precision_loss, reason = "a few hundred tokens")]
fn centre(question: &mut TokenStates, texts: &mut [TokenStates], width: usize) {
    let mut mean = vec![0.0; width];
    let count = texts.iter().map(|text| text.states.len() / width).sum::<usize>() as f32;
    for state in texts.iter().flat_map(|text| text.states.chunks_exact(width)) {
        mean.iter_mut().zip(state).for_each(|(mean, number)| *mean += number / count);
    }
    for text in texts.iter_mut().chain([question]) {
        for state in text.states.chunks_exact_mut(width) {
            state.iter_mut().zip(&mean).for_each(|(number, mean)| *number -= mean);
            normalise(state);
        }
    }
}

/// The inverse document frequency of a token among the texts.
#[allow(clippy::cast_precision_loss, reason = "a few texts")]
fn rarity(token: u32, texts: &[TokenStates]) -> f32 {
    let having = texts.iter().filter(|text| text.tokens.contains(&token)).count() as f32;
    ((texts.len() as f32 + 1.0) / (having + 0.5)).ln().max(MIN_WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tokens: &[u32], states: &[f32]) -> TokenStates {
        TokenStates { tokens: tokens.to_vec(), states: states.to_vec() }
    }

    #[test]
    fn states_are_compared_without_what_they_share() {
        let mut question = text(&[1], &[11.0, 1.0]);
        let mut texts = [text(&[1, 2], &[11.0, 1.0, 9.0, 1.0]), text(&[3, 4], &[10.0, 2.0, 10.0, 0.0])];
        centre(&mut question, &mut texts, 2);
        assert_eq!(question.states, [1.0, 0.0]);
        assert_eq!(texts.map(|text| text.states), [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0]]);
    }

    #[test]
    fn the_first_and_the_last_token_do_not_count() {
        assert_eq!(inner(&[1, 2, 3], 1), [2]);
        assert_eq!(inner(&[1, 2, 3, 4, 5, 6], 2), [3, 4]);
        assert!(inner(&[1], 1).is_empty());
    }

    #[test]
    fn rare_tokens_weigh_more() {
        let texts = [text(&[1, 7, 2], &[]), text(&[1, 8, 2], &[])];
        assert!(rarity(8, &texts) > rarity(1, &texts));
        assert!(rarity(1, &texts) >= MIN_WEIGHT);
    }
}
