//! Shared code of all models in this process: their folder, batches of texts, and a thread to run on.

use std::{fs, path::Path};

use encoder::{Safetensors, Tensors, Tokenizer};
use serde::de::DeserializeOwned;

use crate::embed_error::EmbedError;

/// Maximum texts of one batch.
const BATCH_TEXTS: usize = 16;
/// Maximum tokens of one batch, counted as if all texts were as long as the longest: 150 to 400 ms on one core.
const BATCH_TOKENS: usize = 512;

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
