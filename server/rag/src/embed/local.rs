//! The sentence transformer in this process: candle runs a BERT model folder on the CPU.
//!
//! Work is done in small batches, each on one thread. A call of few batches (a question, the sentences of an
//! answer) never waits behind calls of many batches (an ingestion), of which only one batch runs at a time.

use std::{path::Path, sync::Arc};

use candle_core::Device;
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config, DTYPE};
use futures::{
    future::BoxFuture,
    stream::{self, StreamExt, TryStreamExt},
};
use tokenizers::{Encoding, Tokenizer};
use tokio::sync::Semaphore;

use super::{EmbedError, Embedder, pooling::mean_and_normalise};
use crate::local_model::{batches, blocking, broken, load_tokenizer, read, tensor};
use crate::model_threads::{ModelThreads, with_low_priority};

/// Tokens of one text that the model reads; the rest of a longer text is ignored.
const MAX_TOKENS: usize = 512;
/// Batches of a call that belongs to an answer at most; the sentences of an answer are one to four.
const SHORT_CALL: usize = 6;

/// An embedding model that was read from a folder.
pub struct LocalEmbedder {
    name: String,
    dimensions: usize,
    engine: Arc<Engine>,
    /// Where batches run.
    threads: ModelThreads,
    /// Batches of all long calls that may run at once.
    long_calls: Semaphore,
    /// The same of one call.
    at_once: usize,
}

struct Engine {
    model: BertModel,
    tokenizer: Tokenizer,
}

impl LocalEmbedder {
    /// Reads `config.json`, `tokenizer.json` and `model.safetensors` of `folder`; the folder's name becomes the
    /// model's name. Takes about 0.2 s and must not run on an async thread of a busy server.
    pub fn load(folder: &Path) -> Result<Self, EmbedError> {
        let config: Config = serde_json::from_slice(&read(folder, "config.json")?)
            .map_err(|error| broken(folder, "config.json", &error.to_string()))?;
        let weights = read(folder, "model.safetensors")?;
        let vars = VarBuilder::from_slice_safetensors(&weights, DTYPE, &Device::Cpu)
            .map_err(|error| broken(folder, "model.safetensors", &error.to_string()))?;
        let engine = Engine { model: BertModel::load(vars, &config)?, tokenizer: load_tokenizer(folder, MAX_TOKENS)? };
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            dimensions: config.hidden_size,
            engine: Arc::new(engine),
            threads: ModelThreads::new()?,
            long_calls: Semaphore::new(1),
            at_once: 1,
        })
    }

    /// Lets long calls take every core: for a process that answers no questions.
    #[must_use]
    pub fn without_questions(mut self) -> Self {
        self.at_once = self.threads.count();
        self.long_calls = Semaphore::new(self.at_once);
        self
    }

    async fn embed_all(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let engine = Arc::clone(&self.engine);
        let encodings = blocking(move || engine.encode(texts)).await?;
        let mut vectors = vec![Vec::new(); encodings.len()];
        let batches = batches(encodings);
        let is_long = batches.len() > SHORT_CALL;
        let at_once = if is_long { self.at_once } else { 1 };
        let mut done = stream::iter(batches).map(|batch| self.embed_batch(batch, is_long)).buffer_unordered(at_once);
        while let Some(rows) = done.try_next().await? {
            for (position, row) in rows {
                vectors[position] = row;
            }
        }
        drop(done);
        Ok(vectors)
    }

    /// The vectors of one batch, each with its text's position in the call.
    async fn embed_batch(
        &self,
        batch: Vec<(usize, Encoding)>,
        is_long: bool,
    ) -> Result<Vec<(usize, Vec<f32>)>, EmbedError> {
        let _turn = match is_long {
            true => Some(self.long_calls.acquire().await.map_err(|_| EmbedError::Interrupted)?),
            false => None,
        };
        let engine = Arc::clone(&self.engine);
        let run = move || {
            let rows = engine.run(&batch)?;
            Ok(batch.into_iter().map(|(position, _)| position).zip(rows).collect())
        };
        let run = self.threads.run(run);
        if is_long { with_low_priority(run).await } else { run.await }
    }
}

impl Embedder for LocalEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(self.embed_all(texts))
    }
}

impl Engine {
    fn encode(&self, texts: Vec<String>) -> Result<Vec<Encoding>, EmbedError> {
        texts
            .into_iter()
            .map(|text| self.tokenizer.encode(text, true).map_err(|error| EmbedError::Tokens(error.to_string())))
            .collect()
    }

    /// The vectors of one batch, in its order.
    fn run(&self, batch: &[(usize, Encoding)]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let ids = tensor(batch, Encoding::get_ids, 0)?;
        let mask = tensor(batch, Encoding::get_attention_mask, 0)?;
        let hidden = self.model.forward(&ids, &ids.zeros_like()?, Some(&mask))?;
        Ok(mean_and_normalise(&hidden, &mask)?.to_vec2()?)
    }
}

#[cfg(test)]
mod tests {
    use std::{path::PathBuf, time::Duration};

    use super::*;

    #[tokio::test]
    async fn the_sentences_of_an_answer_never_wait_for_long_calls() {
        let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../var/parts/all-minilm-l6-v2");
        let folder = std::env::var_os("MODEL_DIR").map_or_else(default, PathBuf::from);
        let embedder = LocalEmbedder::load(&folder).unwrap();
        let _long_call = embedder.long_calls.acquire().await.unwrap();
        let texts = |many: usize| vec!["The shop opens at nine.".to_owned(); many];
        let sentences = embedder.embed(texts(3 * 16));
        assert_eq!(tokio::time::timeout(Duration::from_secs(60), sentences).await.unwrap().unwrap().len(), 48);
        let documents = embedder.embed(texts((SHORT_CALL + 1) * 16));
        assert!(tokio::time::timeout(Duration::from_millis(300), documents).await.is_err(), "one long call at a time");
    }
}
