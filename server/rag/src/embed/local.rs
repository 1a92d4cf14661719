//! The sentence transformer in this process: candle runs a BERT model folder on the CPU.
//!
//! Work is done in small batches, each on one thread. A call of one batch (a question, the sentences of an
//! answer) never waits behind a call of many batches (an ingestion), of which only one batch runs at a time.

use std::{path::Path, sync::Arc};

use candle_core::Device;
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config, DTYPE};
use futures::future::BoxFuture;
use tokenizers::{Encoding, Tokenizer};
use tokio::sync::Semaphore;

use super::{EmbedError, Embedder, pooling::mean_and_normalise};
use crate::lanes::Lanes;
use crate::local_model::{batches, blocking, broken, load_tokenizer, read, tensor};

/// Tokens of one text that the model reads; the rest of a longer text is ignored.
const MAX_TOKENS: usize = 256;

/// An embedding model that was read from a folder.
pub struct LocalEmbedder {
    name: String,
    dimensions: usize,
    engine: Arc<Engine>,
    /// Where batches run.
    lanes: Lanes,
    /// Batches of long calls that may run at once.
    long_calls: Semaphore,
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
            lanes: Lanes::new()?,
            long_calls: Semaphore::new(1),
        })
    }

    async fn embed_all(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let engine = Arc::clone(&self.engine);
        let encodings = blocking(move || engine.encode(texts)).await?;
        let mut vectors = vec![Vec::new(); encodings.len()];
        let batches = batches(encodings);
        let long = batches.len() > 1;
        for batch in batches {
            let _turn = match long {
                true => Some(self.long_calls.acquire().await.map_err(|_| EmbedError::Interrupted)?),
                false => None,
            };
            let engine = Arc::clone(&self.engine);
            let (batch, rows) = self.lanes.run(move || engine.run(&batch).map(|rows| (batch, rows))).await?;
            for ((position, _), row) in batch.into_iter().zip(rows) {
                vectors[position] = row;
            }
        }
        Ok(vectors)
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
