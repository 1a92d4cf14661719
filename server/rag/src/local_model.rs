//! Shared code of all models in this process: their folder, batches of texts, and a thread to run on.

use std::{fs, path::Path};

use encoder::{Safetensors, Tensors, Tokenizer};
use serde::de::DeserializeOwned;

use crate::embed_error::EmbedError;

/// Maximum texts of one batch.
const BATCH_TEXTS: usize = 16;
/// Maximum tokens of one batch, counted as if all texts were as long as the longest: 150 to 400 ms on one core.
const BATCH_TOKENS: usize = 512;
/// Minimum tokens of a batch that is made for an idle thread: with fewer, too much of its time is reading the weights.
const SPREAD_TOKENS: usize = 40;

/// Batches of texts with a similar number of tokens, each text with its position in the call.
pub(crate) fn batches<T>(texts: Vec<T>, length: impl Fn(&T) -> usize) -> Vec<Vec<(usize, T)>> {
    let mut sorted: Vec<_> = texts.into_iter().enumerate().collect();
    sorted.sort_by_key(|(_, text)| length(text));
    let mut batches: Vec<Vec<(usize, T)>> = Vec::new();
    for item in sorted {
        let width = length(&item.1);
        match batches.last_mut() {
            Some(batch) if batch.len() < BATCH_TEXTS && (batch.len() + 1) * width <= BATCH_TOKENS => batch.push(item),
            _ => batches.push(vec![item]),
        }
    }
    batches
}

/// The same texts in up to `count` batches of nearly as many tokens, if each gets [`SPREAD_TOKENS`].
pub(crate) fn spread<T>(
    batches: Vec<Vec<(usize, T)>>,
    count: usize,
    length: impl Fn(&T) -> usize,
) -> Vec<Vec<(usize, T)>> {
    let total: usize = batches.iter().flatten().map(|(_, text)| length(text)).sum();
    let count = count.min(total / SPREAD_TOKENS);
    if count < batches.len().max(2) {
        return batches;
    }
    let mut parts: Vec<(usize, Vec<(usize, T)>)> = (0..count).map(|_| (0, Vec::new())).collect();
    // The longest first, each to the part with the fewest tokens.
    for item in batches.into_iter().flatten().rev() {
        if let Some((tokens, part)) = parts.iter_mut().min_by_key(|(tokens, _)| *tokens) {
            *tokens += length(&item.1);
            part.push(item);
        }
    }
    parts.into_iter().map(|(_, part)| part).filter(|part| !part.is_empty()).collect()
}

/// The folder's `config.json`.
pub(crate) fn read_config<T: DeserializeOwned>(folder: &Path) -> Result<T, EmbedError> {
    const FILE: &str = "config.json";
    serde_json::from_slice(&read(folder, FILE)?).map_err(|error| broken(folder, FILE, &error.to_string()))
}

/// The folder's tokenizer.
pub(crate) fn read_tokenizer(folder: &Path) -> Result<Tokenizer, EmbedError> {
    const FILE: &str = "tokenizer.json";
    Tokenizer::read(&read(folder, FILE)?).map_err(|error| broken(folder, FILE, &error.to_string()))
}

/// Loads a network from the folder's weights.
pub(crate) fn load_weights<T>(
    folder: &Path,
    load: impl FnOnce(&dyn Tensors) -> encoder::Result<T>,
) -> Result<T, EmbedError> {
    const FILE: &str = "model.safetensors";
    let weights = read(folder, FILE)?;
    let network = Safetensors::read(&weights).and_then(|tensors| load(&tensors));
    network.map_err(|error| broken(folder, FILE, &error.to_string()))
}

/// A file of the model's folder.
pub(crate) fn read(folder: &Path, file: &str) -> Result<Vec<u8>, EmbedError> {
    fs::read(folder.join(file)).map_err(|error| broken(folder, file, &error.to_string()))
}

/// The error that names a file.
pub(crate) fn broken(folder: &Path, file: &str, reason: &str) -> EmbedError {
    EmbedError::File { file: folder.join(file).display().to_string(), reason: reason.to_owned() }
}

/// Runs a computation on a thread for blocking work.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EmbedError> + Send + 'static,
) -> Result<T, EmbedError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| EmbedError::Interrupted)?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(batches: &[Vec<(usize, usize)>]) -> Vec<usize> {
        batches.iter().map(|batch| batch.iter().map(|(_, length)| length).sum()).collect()
    }

    #[test]
    fn few_texts_are_spread_evenly_and_stay_whole() {
        let one = || batches(vec![20, 30, 10, 40, 60, 25], |length| *length);
        assert_eq!(lengths(&one()), [185]);
        assert_eq!(lengths(&spread(one(), 1, |length| *length)), [185]);
        let two = spread(one(), 2, |length| *length);
        assert_eq!(lengths(&two), [95, 90]);
        let mut positions: Vec<usize> = two.iter().flatten().map(|(position, _)| *position).collect();
        positions.sort_unstable();
        assert_eq!(positions, [0, 1, 2, 3, 4, 5]);
        assert_eq!(lengths(&spread(one(), 64, |length| *length)).len(), 4, "each has enough tokens");
    }

    #[test]
    fn batches_of_different_weight_are_evened_out() {
        let uneven = || batches([vec![20; 16], vec![100]].concat(), |length| *length);
        assert_eq!(lengths(&uneven()), [320, 100]);
        assert_eq!(lengths(&spread(uneven(), 2, |length| *length)), [220, 200]);
        assert_eq!(lengths(&spread(uneven(), 1, |length| *length)), [320, 100], "never fewer than before");
    }

    #[test]
    fn a_short_text_stays_alone() {
        assert_eq!(lengths(&spread(batches(vec![12], |length| *length), 8, |length| *length)), [12]);
        assert!(spread(batches(Vec::<usize>::new(), |length| *length), 8, |length| *length).is_empty());
    }
}
