//! Shared code of all models in this process: their folder, their tokenizer, batches of texts, and a thread to run on.

use std::{fs, path::Path};

use candle_core::{Device, Tensor};
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use crate::embed_error::EmbedError;

/// Maximum texts of one batch.
const BATCH_TEXTS: usize = 16;
/// Maximum tokens of one batch, including padding: 150 to 400 ms on one core.
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

/// A number for each token of a batch as `[texts, tokens]`; shorter texts are padded with `fill`.
pub(crate) fn tensor(
    batch: &[(usize, Encoding)],
    of: impl Fn(&Encoding) -> &[u32],
    fill: u32,
) -> candle_core::Result<Tensor> {
    let width = batch.iter().map(|(_, encoding)| encoding.len()).max().unwrap_or(0);
    let mut numbers = Vec::with_capacity(batch.len() * width);
    for (_, encoding) in batch {
        numbers.extend_from_slice(of(encoding));
        numbers.extend(std::iter::repeat_n(fill, width - encoding.len()));
    }
    Tensor::from_vec(numbers, (batch.len(), width), &Device::Cpu)
}

/// The folder's tokenizer without its own padding; cuts texts after `longest` tokens.
pub(crate) fn load_tokenizer(folder: &Path, longest: usize) -> Result<Tokenizer, EmbedError> {
    const FILE: &str = "tokenizer.json";
    let mut tokenizer =
        Tokenizer::from_bytes(read(folder, FILE)?).map_err(|error| broken(folder, FILE, &error.to_string()))?;
    let limit = TruncationParams { max_length: longest, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(limit)).map_err(|error| broken(folder, FILE, &error.to_string()))?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
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
