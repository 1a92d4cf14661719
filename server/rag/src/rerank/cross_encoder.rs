//! A cross-encoder: a network of the BERT or the XLM-RoBERTa family that reads two texts together and gives one score.

use candle_core::{D, DType, IndexOp, Result, Tensor};
use candle_nn::{
    Activation, Embedding, LayerNorm, Linear, Module, VarBuilder, embedding, layer_norm, linear, ops::softmax_last_dim,
};
use serde::Deserialize;

/// The dimensions of a network, as in its `config.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Shape {
    model_type: Family,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: Activation,
    layer_norm_eps: f64,
    vocab_size: usize,
    type_vocab_size: usize,
    max_position_embeddings: usize,
    #[serde(default)]
    pad_token_id: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Family {
    Bert,
    XlmRoberta,
}

/// A network with its weights.
pub(super) struct CrossEncoder {
    family: Family,
    words: Embedding,
    /// The vectors of the positions, from the first token's on.
    positions: Tensor,
    types: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
    pooler: Linear,
    classifier: Linear,
}

struct Layer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    attention_output: Linear,
    attention_norm: LayerNorm,
    feed_forward: Linear,
    activation: Activation,
    output: Linear,
    output_norm: LayerNorm,
}

impl Shape {
    /// The token that fills shorter texts of a batch.
    pub(super) fn padding(&self) -> u32 {
        self.pad_token_id
    }

    /// Maximum tokens of both texts together.
    pub(super) fn max_tokens(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_position())
    }

    /// XLM-RoBERTa counts positions from the padding token plus 1.
    fn first_position(&self) -> usize {
        match self.model_type {
            Family::Bert => 0,
            Family::XlmRoberta => self.pad_token_id as usize + 1,
        }
    }
}

impl CrossEncoder {
    /// # Errors
    /// When a weight is missing or its length differs from `shape`.
    pub(super) fn load(shape: &Shape, vars: &VarBuilder<'_>) -> Result<Self> {
        let width = shape.hidden_size;
        let (network, pooler, classifier) = match shape.model_type {
            Family::Bert => ("bert", "bert.pooler.dense", "classifier"),
            Family::XlmRoberta => ("roberta", "classifier.dense", "classifier.out_proj"),
        };
        let (inputs, layers) = (vars.pp(network).pp("embeddings"), vars.pp(network).pp("encoder.layer"));
        let positions = (shape.max_position_embeddings, width);
        let positions = inputs.pp("position_embeddings").get(positions, "weight")?;
        Ok(Self {
            family: shape.model_type,
            words: embedding(shape.vocab_size, width, inputs.pp("word_embeddings"))?,
            positions: positions.narrow(0, shape.first_position(), shape.max_tokens())?,
            types: embedding(shape.type_vocab_size, width, inputs.pp("token_type_embeddings"))?,
            norm: layer_norm(width, shape.layer_norm_eps, inputs.pp("LayerNorm"))?,
            layers: (0..shape.num_hidden_layers)
                .map(|number| Layer::load(shape, &layers.pp(number)))
                .collect::<Result<_>>()?,
            pooler: linear(width, width, vars.pp(pooler))?,
            classifier: linear(width, 1, vars.pp(classifier))?,
        })
    }

    /// The scores of a batch. `ids`, `types` and `mask` are `[texts, tokens]`; the mask is 1 for a token and 0 for padding.
    pub(super) fn score(&self, ids: &Tensor, types: &Tensor, mask: &Tensor) -> Result<Vec<f32>> {
        // XLM-RoBERTa has no token types.
        let types = if self.family == Family::Bert { types.clone() } else { types.zeros_like()? };
        let positions = self.positions.narrow(0, 0, ids.dim(1)?)?;
        let inputs = (self.words.forward(ids)? + self.types.forward(&types)?)?.broadcast_add(&positions)?;
        let padding = (1.0 - mask.to_dtype(DType::F32)?.unsqueeze(1)?.unsqueeze(1)?)?;
        let bias = (padding * f64::from(f32::MIN))?;
        let mut hidden = self.norm.forward(&inputs)?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, &bias)?;
        }
        let first = hidden.i((.., 0))?.contiguous()?;
        let scores = self.classifier.forward(&self.pooler.forward(&first)?.tanh()?)?;
        scores.squeeze(1)?.to_vec1()
    }
}

impl Layer {
    fn load(shape: &Shape, vars: &VarBuilder<'_>) -> Result<Self> {
        let (width, inner) = (shape.hidden_size, shape.intermediate_size);
        let square = |name: &str| linear(width, width, vars.pp(name));
        let norm = |name: &str| layer_norm(width, shape.layer_norm_eps, vars.pp(name));
        Ok(Self {
            heads: shape.num_attention_heads,
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            attention_output: square("attention.output.dense")?,
            attention_norm: norm("attention.output.LayerNorm")?,
            feed_forward: linear(width, inner, vars.pp("intermediate.dense"))?,
            activation: shape.hidden_act,
            output: linear(inner, width, vars.pp("output.dense"))?,
            output_norm: norm("output.LayerNorm")?,
        })
    }

    fn forward(&self, hidden: &Tensor, bias: &Tensor) -> Result<Tensor> {
        let attended = self.attention_output.forward(&self.attend(hidden, bias)?)?;
        let attended = self.attention_norm.forward(&(attended + hidden)?)?;
        let inner = self.activation.forward(&self.feed_forward.forward(&attended)?)?;
        let output = self.output.forward(&inner)?;
        self.output_norm.forward(&(output + &attended)?)
    }

    /// Attention of all heads. `bias` is added to the weights, so that no token attends to padding.
    fn attend(&self, hidden: &Tensor, bias: &Tensor) -> Result<Tensor> {
        let query = self.split(&self.query.forward(hidden)?)?;
        let key = self.split(&self.key.forward(hidden)?)?;
        let value = self.split(&self.value.forward(hidden)?)?;
        let scale = (query.dim(D::Minus1)? as f64).sqrt();
        let weights = (query.matmul(&key.t()?)? / scale)?.broadcast_add(bias)?;
        let attended = softmax_last_dim(&weights)?.matmul(&value)?;
        attended.transpose(1, 2)?.contiguous()?.flatten_from(D::Minus2)
    }

    /// `[texts, tokens, width]` as `[texts, heads, tokens, width of a head]`.
    fn split(&self, projected: &Tensor) -> Result<Tensor> {
        let (texts, tokens, _) = projected.dims3()?;
        projected.reshape((texts, tokens, self.heads, ()))?.transpose(1, 2)?.contiguous()
    }
}
