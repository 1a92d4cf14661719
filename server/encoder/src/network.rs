//! The network of the BERT and XLM-RoBERTa families: embeddings, then layers of attention and feed-forward.
//!
//! The tokens of all texts of a batch form one matrix, so that nothing is padded and each weight is read once. Only
//! attention runs text by text, and therefore needs no mask.

use serde::Deserialize;

use crate::{
    Error, Result, Tensors,
    arithmetic::{Norm, add_bias, add_bias_gelu},
    attention::attend,
    matrix::Linear,
    table::Table,
};

/// The dimensions of a network, as in `config.json` of its model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Shape {
    #[serde(default)]
    pub model_type: Family,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub layer_norm_eps: f32,
    pub hidden_act: Activation,
    #[serde(default)]
    pub pad_token_id: usize,
}

/// What the numbers of a network mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    #[default]
    Bert,
    /// It counts positions from the padding token plus 1, and has no token types.
    XlmRoberta,
}

/// The function between both feed-forward products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    Gelu,
}

/// The tokens of a text, or of two texts that the network reads together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub tokens: Vec<u32>,
    /// How many tokens are of the first type; the others are of the second.
    pub first_type: usize,
}

/// A network with its weights.
pub(crate) struct Network {
    words: Table,
    positions: Vec<f32>,
    /// One vector for each token type.
    types: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    width: usize,
    heads: usize,
}

struct Layer {
    /// Queries, keys and values in one product.
    attention: Linear,
    attention_output: Linear,
    attention_norm: Norm,
    feed_forward: Linear,
    output: Linear,
    output_norm: Norm,
}

impl Network {
    /// # Errors
    /// When a weight is missing or its length differs from `shape`.
    pub(crate) fn load(shape: &Shape, tensors: &dyn Tensors) -> Result<Self> {
        shape.check()?;
        let width = shape.hidden_size;
        let mut positions = tensors.numbers("emb.pos", shape.max_position_embeddings * width)?;
        positions.drain(..shape.first_position() * width);
        let mut types = tensors.numbers("emb.type", shape.type_vocab_size * width)?;
        if shape.model_type == Family::XlmRoberta {
            types.truncate(width);
        }
        Ok(Self {
            words: tensors.table(shape.vocab_size, width)?,
            positions,
            types,
            norm: Norm::load(shape, "emb.ln", tensors)?,
            layers: (0..shape.num_hidden_layers).map(|n| Layer::load(shape, n, tensors)).collect::<Result<_>>()?,
            width,
            heads: shape.num_attention_heads,
        })
    }

    /// The length of a token's vector.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Maximum tokens of one input.
    pub(crate) fn max_tokens(&self) -> usize {
        self.positions.len() / self.width
    }

    /// The vectors of each input's tokens, one input after the other.
    ///
    /// # Errors
    /// When an input has no token, too many, or one that the model does not know.
    pub(crate) fn forward(&self, inputs: &[&Input]) -> Result<Vec<f32>> {
        let lengths: Vec<usize> = inputs.iter().map(|input| input.tokens.len()).collect();
        let mut hidden = self.embed(inputs)?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, &lengths, self.heads)?;
        }
        Ok(hidden)
    }

    /// Writes a token's row of the embedding table to `row`; leaves it when the token is unknown.
    pub(crate) fn read_token(&self, token: u32, row: &mut [f32]) {
        self.words.read(token, row);
    }

    /// The first matrix: a row for each token of all inputs.
    fn embed(&self, inputs: &[&Input]) -> Result<Vec<f32>> {
        let total = inputs.iter().map(|input| input.tokens.len()).sum::<usize>();
        let mut rows = vec![0.0; total * self.width];
        let mut next = rows.chunks_exact_mut(self.width);
        let last_type = self.types.len() - self.width;
        for Input { tokens, first_type } in inputs {
            if tokens.is_empty() || tokens.len() > self.max_tokens() {
                return Err(Error::format(format!("a text has {} tokens", tokens.len())));
            }
            for (place, token) in tokens.iter().enumerate() {
                let row = next.next().ok_or_else(|| Error::format("there are fewer rows than tokens"))?;
                if !self.words.read(*token, row) {
                    return Err(Error::format(format!("the model knows no token {token}")));
                }
                let position = &self.positions[place * self.width..][..self.width];
                let token_type = if place < *first_type { 0 } else { last_type.min(self.width) };
                let token_type = &self.types[token_type..][..self.width];
                for ((number, position), token_type) in row.iter_mut().zip(position).zip(token_type) {
                    *number += position + token_type;
                }
            }
        }
        self.norm.apply(&mut rows);
        Ok(rows)
    }
}

impl Shape {
    fn first_position(&self) -> usize {
        match self.model_type {
            Family::Bert => 0,
            Family::XlmRoberta => self.pad_token_id + 1,
        }
    }

    fn check(&self) -> Result<()> {
        let Self { hidden_size, num_attention_heads, type_vocab_size, max_position_embeddings, .. } = *self;
        let is_sound = hidden_size > 0
            && num_attention_heads > 0
            && type_vocab_size > 0
            && max_position_embeddings > self.first_position().saturating_add(1)
            && hidden_size.is_multiple_of(num_attention_heads);
        if is_sound { Ok(()) } else { Err(Error::format("the sizes of the network contradict each other")) }
    }
}

impl Norm {
    fn load(shape: &Shape, name: &str, tensors: &dyn Tensors) -> Result<Self> {
        Ok(Self {
            weight: tensors.numbers(&format!("{name}.w"), shape.hidden_size)?,
            bias: tensors.numbers(&format!("{name}.b"), shape.hidden_size)?,
            epsilon: shape.layer_norm_eps,
        })
    }
}

impl Layer {
    fn load(shape: &Shape, number: usize, tensors: &dyn Tensors) -> Result<Self> {
        let (width, inner) = (shape.hidden_size, shape.intermediate_size);
        let name = |part: &str| format!("l{number}.{part}");
        let [q, k, v] = ["q", "k", "v"].map(name);
        Ok(Self {
            attention: Linear::load_stacked(&[&q, &k, &v], width, width, tensors)?,
            attention_output: Linear::load(&name("ao"), width, width, tensors)?,
            attention_norm: Norm::load(shape, &name("aln"), tensors)?,
            feed_forward: Linear::load(&name("fi"), width, inner, tensors)?,
            output: Linear::load(&name("fo"), inner, width, tensors)?,
            output_norm: Norm::load(shape, &name("oln"), tensors)?,
        })
    }

    fn forward(&self, hidden: &[f32], lengths: &[usize], heads: usize) -> Result<Vec<f32>> {
        let mut projected = self.attention.multiply(hidden)?;
        add_bias(&mut projected, &self.attention.bias);
        let attended = attend(&projected, lengths, self.output.bias.len(), heads)?;
        let mut attended = self.attention_output.multiply(&attended)?;
        self.attention_norm.apply_to_sum(&mut attended, hidden, &self.attention_output.bias);
        let mut inner = self.feed_forward.multiply(&attended)?;
        add_bias_gelu(&mut inner, &self.feed_forward.bias);
        let mut output = self.output.multiply(&inner)?;
        self.output_norm.apply_to_sum(&mut output, &attended, &self.output.bias);
        Ok(output)
    }
}
