//! The reranker in this process: a cross-encoder on the CPU, of the BERT family (such as ms-marco-MiniLM) or the
//! XLM-RoBERTa family (such as bge-reranker), with one output.

use std::{path::Path, sync::Arc};

use encoder::{CrossEncoder, Input, Shape, Tokenizer};
use futures::future::BoxFuture;

use super::{RerankError, Reranker};
use crate::{
    embed::EmbedError,
    local_model::{batches, blocking, load_weights, read_config, read_tokenizer},
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
}

impl LocalReranker {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` from `folder`. The folder's name becomes the
    /// model's name. Blocks for up to a second; do not call it on an async thread of a busy server.
    ///
    /// # Errors
    /// [`RerankError::Local`] with the file that is missing or does not fit.
    pub fn load(folder: &Path) -> Result<Self, RerankError> {
        let shape: Shape = read_config(folder)?;
        let model = load_weights(folder, |tensors| CrossEncoder::load(&shape, tensors))?;
        let tokenizer = read_tokenizer(folder)?;
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            engine: Arc::new(Engine { model, tokenizer }),
            threads: ModelThreads::shared()?,
        })
    }

    /// Runs batch by batch, so that a cancelled call stops after the current batch.
    async fn score_all(&self, question: String, texts: Vec<String>) -> Result<Vec<f32>, EmbedError> {
        let engine = Arc::clone(&self.engine);
        let inputs = blocking(move || Ok(engine.inputs(&question, &texts))).await?;
        let mut scores = vec![0.0; inputs.len()];
        for batch in batches(inputs, |input| input.tokens.len()) {
            let engine = Arc::clone(&self.engine);
            let (batch, batch_scores) =
                self.threads.run(move || engine.run(&batch).map(|scores| (batch, scores))).await?;
            for ((position, _), score) in batch.into_iter().zip(batch_scores) {
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
    fn inputs(&self, question: &str, texts: &[String]) -> Vec<Input> {
        let longest = self.model.max_tokens().min(MAX_TOKENS);
        texts.iter().map(|text| self.tokenizer.pair(question, text, longest)).collect()
    }

    /// The scores of one batch, in its order.
    fn run(&self, batch: &[(usize, Input)]) -> Result<Vec<f32>, EmbedError> {
        let pairs: Vec<&Input> = batch.iter().map(|(_, input)| input).collect();
        Ok(self.model.score(&pairs)?)
    }
}
