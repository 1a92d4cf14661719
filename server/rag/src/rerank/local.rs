//! The reranker in this process: candle runs a cross-encoder on the CPU, of the BERT family (such as ms-marco-MiniLM)
//! or the XLM-RoBERTa family (such as bge-reranker), with one output.

use std::{path::Path, sync::Arc};

use candle_core::{Device, IndexOp, Tensor};
use candle_nn::{Linear, Module, VarBuilder, linear};
use candle_transformers::models::{
    bert::{self, BertModel, DTYPE},
    xlm_roberta::{self, XLMRobertaForSequenceClassification},
};
use futures::future::BoxFuture;
use serde::Deserialize;
use tokenizers::{Encoding, Tokenizer};

use super::{RerankError, Reranker};
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
    model: Model,
    tokenizer: Tokenizer,
    padding: u32,
}

enum Model {
    Bert { encoder: BertModel, pooler: Linear, classifier: Linear },
    Roberta(XLMRobertaForSequenceClassification),
}

/// The fields of `config.json` that decide how to read the rest.
#[derive(Deserialize)]
struct Family {
    model_type: String,
    #[serde(default)]
    pad_token_id: u32,
    max_position_embeddings: usize,
}

impl LocalReranker {
    /// Loads `config.json`, `tokenizer.json` and `model.safetensors` from `folder`. The folder's name becomes the
    /// model's name. Blocks for up to a second; do not call it on an async thread of a busy server.
    ///
    /// # Errors
    /// [`RerankError::Local`] with the file that is missing or does not fit.
    pub fn load(folder: &Path) -> Result<Self, RerankError> {
        let file = read(folder, "config.json")?;
        let family: Family =
            serde_json::from_slice(&file).map_err(|error| broken(folder, "config.json", &error.to_string()))?;
        let weights = read(folder, "model.safetensors")?;
        let unfit = |error: candle_core::Error| broken(folder, "model.safetensors", &error.to_string());
        let vars = VarBuilder::from_slice_safetensors(&weights, DTYPE, &Device::Cpu).map_err(unfit)?;
        let model = Model::load(folder, &family.model_type, &file, vars)?;
        // XLM-RoBERTa counts positions from the padding id plus 1.
        let positions = match model {
            Model::Bert { .. } => family.max_position_embeddings,
            Model::Roberta(_) => family.max_position_embeddings.saturating_sub(family.pad_token_id as usize + 1),
        };
        let tokenizer = load_tokenizer(folder, positions.min(MAX_TOKENS))?;
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            engine: Arc::new(Engine { model, tokenizer, padding: family.pad_token_id }),
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

impl Model {
    fn load(folder: &Path, family: &str, config: &[u8], vars: VarBuilder<'_>) -> Result<Self, EmbedError> {
        let unread = |error: serde_json::Error| broken(folder, "config.json", &error.to_string());
        let unfit = |error: candle_core::Error| broken(folder, "model.safetensors", &error.to_string());
        match family {
            "bert" => {
                let config: bert::Config = serde_json::from_slice(config).map_err(unread)?;
                let (size, inner) = (config.hidden_size, vars.pp("bert"));
                Ok(Self::Bert {
                    encoder: BertModel::load(inner.clone(), &config).map_err(unfit)?,
                    pooler: linear(size, size, inner.pp("pooler.dense")).map_err(unfit)?,
                    classifier: linear(size, 1, vars.pp("classifier")).map_err(unfit)?,
                })
            }
            "xlm-roberta" => {
                let config: xlm_roberta::Config = serde_json::from_slice(config).map_err(unread)?;
                XLMRobertaForSequenceClassification::new(1, &config, vars).map(Self::Roberta).map_err(unfit)
            }
            _ => Err(broken(folder, "config.json", "model_type is neither bert nor xlm-roberta")),
        }
    }

    fn score(&self, ids: &Tensor, types: &Tensor, mask: &Tensor) -> candle_core::Result<Vec<f32>> {
        let scores = match self {
            Self::Bert { encoder, pooler, classifier } => {
                let first = encoder.forward(ids, types, Some(mask))?.i((.., 0))?.contiguous()?;
                classifier.forward(&pooler.forward(&first)?.tanh()?)?
            }
            // This family has no token types.
            Self::Roberta(model) => model.forward(ids, mask, &types.zeros_like()?)?,
        };
        scores.squeeze(1)?.to_vec1()
    }
}
