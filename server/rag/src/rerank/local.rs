//! The reranker in this process: candle runs a cross-encoder on the CPU, of the BERT family (such as ms-marco-MiniLM)
//! or the XLM-RoBERTa family (such as bge-reranker), with one output.

use std::{path::Path, sync::Arc};

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use futures::future::BoxFuture;
use tokenizers::{Encoding, Tokenizer};

use super::{
    RerankError, Reranker,
    cross_encoder::{CrossEncoder, Shape},
};
use crate::{
    embed::EmbedError,
    local_model::{batches, blocking, broken, load_tokenizer, read, tensor},
    model_threads::ModelThreads,
};

/// Maximum tokens of question and passage together; the longer one is cut.
const MAX_TOKENS: usize = 512;

/// A cross-encoder loaded from a folder.
pub struct LocalReranker {
    name: String,
    engine: Arc<Engine>,
    /// Threads for the batches.
    threads: Arc<ModelThreads>,
}

struct Engine {
    model: CrossEncoder,
    tokenizer: Tokenizer,
    padding: u32,
}

impl LocalReranker {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` from `folder`. The folder's name becomes the
    /// model's name. Blocks for up to a second; do not call it on an async thread of a busy server.
    ///
    /// # Errors
    /// [`RerankError::Local`] with the file that is missing or does not fit.
    pub fn load(folder: &Path) -> Result<Self, RerankError> {
        let shape: Shape = serde_json::from_slice(&read(folder, "config.json")?)
            .map_err(|error| broken(folder, "config.json", &error.to_string()))?;
        let weights = read(folder, "model.safetensors")?;
        let model = VarBuilder::from_slice_safetensors(&weights, DType::F32, &Device::Cpu)
            .and_then(|vars| CrossEncoder::load(&shape, &vars))
            .map_err(|error| broken(folder, "model.safetensors", &error.to_string()))?;
        let tokenizer = load_tokenizer(folder, shape.max_tokens().min(MAX_TOKENS))?;
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            engine: Arc::new(Engine { model, tokenizer, padding: shape.padding() }),
            threads: ModelThreads::shared()?,
        })
    }

    /// Runs batch by batch, so that a cancelled call stops after the current batch.
    async fn score_all(&self, question: String, texts: Vec<String>) -> Result<Vec<f32>, EmbedError> {
        let engine = Arc::clone(&self.engine);
        let encodings = blocking(move || engine.encode(&question, texts)).await?;
        let mut scores = vec![0.0; encodings.len()];
        for batch in batches(encodings, Encoding::len) {
            let engine = Arc::clone(&self.engine);
            let (batch, found) = self.threads.run(move || engine.run(&batch).map(|scores| (batch, scores))).await?;
            for ((position, _), score) in batch.into_iter().zip(found) {
                scores[position] = score;
            }
        }
        Ok(scores)
    }
}

impl Reranker for LocalReranker {
    fn model(&self) -> &str {
        &self.name
    }

    fn scores(&self, question: String, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<f32>, RerankError>> {
        Box::pin(async move { Ok(self.score_all(question, texts).await?) })
    }
}

impl Engine {
    fn encode(&self, question: &str, texts: Vec<String>) -> Result<Vec<Encoding>, EmbedError> {
        let encode = |text: String| self.tokenizer.encode((question, text), true);
        texts.into_iter().map(|text| encode(text).map_err(|error| EmbedError::Tokens(error.to_string()))).collect()
    }

    /// The scores of one batch, in its order.
    fn run(&self, batch: &[(usize, Encoding)]) -> Result<Vec<f32>, EmbedError> {
        let ids = tensor(batch, Encoding::get_ids, self.padding)?;
        let types = tensor(batch, Encoding::get_type_ids, 0)?;
        let mask = tensor(batch, Encoding::get_attention_mask, 0)?;
        Ok(self.model.score(&ids, &types, &mask)?)
    }
}
