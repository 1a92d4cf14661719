//! The network: embeddings, layers of attention and feed-forward, the mean of the tokens' vectors.
//!
//! The tokens of all texts of a batch form one matrix, so that nothing is padded and each weight is read once. Only
//! attention runs text by text, and therefore needs no mask.

use candle_core::{D, Device, Tensor};
use serde::Deserialize;

use crate::{
    Error, Result, Tensors,
    arithmetic::{AddNorm, Bias, BiasGelu, Norm},
    attention::attend,
    table::Table,
};

/// The dimensions of a network, as in `config.json` of a BERT model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Shape {
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub vocab_size: usize,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub layer_norm_eps: f32,
    pub hidden_act: Activation,
}

/// The function between both feed-forward products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    Gelu,
}

/// An encoder with its weights.
pub struct Encoder {
    words: Table,
    /// Each position's vector, with the vector of the first token type added.
    positions: Vec<f32>,
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

struct Linear {
    /// `[in, out]`, a transposed view of the stored weight.
    weight: Tensor,
    bias: Vec<f32>,
}

impl Encoder {
    /// # Errors
    /// When a weight is missing or its length differs from `shape`.
    pub fn load(shape: &Shape, tensors: &mut dyn Tensors) -> Result<Self> {
        shape.check()?;
        let Shape { hidden_size: width, max_position_embeddings: longest, .. } = *shape;
        let mut positions = tensors.numbers("emb.pos", longest * width)?;
        let types = tensors.numbers("emb.type", shape.type_vocab_size * width)?;
        for position in positions.chunks_exact_mut(width) {
            position.iter_mut().zip(&types).for_each(|(number, first)| *number += first);
        }
        Ok(Self {
            words: tensors.table(shape.vocab_size, width)?,
            positions,
            norm: Norm::load(shape, "emb.ln", tensors)?,
            layers: (0..shape.num_hidden_layers).map(|n| Layer::load(shape, n, tensors)).collect::<Result<_>>()?,
            width,
            heads: shape.num_attention_heads,
        })
    }

    /// The vector length.
    pub fn dimensions(&self) -> usize {
        self.width
    }

    /// Maximum tokens of one text.
    pub fn max_tokens(&self) -> usize {
        self.positions.len() / self.width
    }

    /// One vector of norm 1 for each text, which is given as its tokens.
    ///
    /// # Errors
    /// When a text has no token, too many, or one that the model does not know.
    pub fn encode(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
        let mut hidden = self.embed(texts)?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, &lengths, self.heads)?;
        }
        let mut vectors = Vec::with_capacity(texts.len());
        let mut start = 0;
        for length in lengths {
            let mean = hidden.narrow(0, start, length)?.mean(0)?;
            vectors.push(normalised(mean.to_vec1()?));
            start += length;
        }
        Ok(vectors)
    }

    /// Writes the vector that the network begins with to `row`; leaves it when the token is unknown.
    pub(crate) fn read_token(&self, token: u32, row: &mut [f32]) {
        self.words.read(token, row);
    }

    /// The first matrix: a row for each token of all texts.
    fn embed(&self, texts: &[&[u32]]) -> Result<Tensor> {
        let total = texts.iter().map(|text| text.len()).sum::<usize>();
        let mut rows = vec![0.0; total * self.width];
        let mut next = rows.chunks_exact_mut(self.width);
        for text in texts {
            if text.is_empty() || text.len() > self.max_tokens() {
                return Err(Error::format(format!("a text has {} tokens", text.len())));
            }
            for (token, position) in text.iter().zip(self.positions.chunks_exact(self.width)) {
                let row = next.next().ok_or_else(|| Error::format("there are fewer rows than tokens"))?;
                if !self.words.read(*token, row) {
                    return Err(Error::format(format!("the model knows no token {token}")));
                }
                row.iter_mut().zip(position).for_each(|(number, position)| *number += position);
            }
        }
        self.norm.apply(&mut rows);
        Ok(Tensor::from_vec(rows, (total, self.width), &Device::Cpu)?)
    }
}

impl Shape {
    fn check(&self) -> Result<()> {
        let Self { hidden_size, num_attention_heads, type_vocab_size, max_position_embeddings, .. } = *self;
        let is_sound = hidden_size > 0
            && num_attention_heads > 0
            && type_vocab_size > 0
            && max_position_embeddings > 1
            && hidden_size.is_multiple_of(num_attention_heads);
        if is_sound { Ok(()) } else { Err(Error::format("the sizes of the network contradict each other")) }
    }
}

impl Norm {
    fn load(shape: &Shape, name: &str, tensors: &mut dyn Tensors) -> Result<Self> {
        Ok(Self {
            weight: tensors.numbers(&format!("{name}.w"), shape.hidden_size)?,
            bias: tensors.numbers(&format!("{name}.b"), shape.hidden_size)?,
            epsilon: shape.layer_norm_eps,
        })
    }
}

impl Linear {
    fn load(name: &str, from: usize, to: usize, tensors: &mut dyn Tensors) -> Result<Self> {
        Self::stacked(&[name], from, to, tensors)
    }

    /// Several products of one matrix as one.
    fn stacked(names: &[&str], from: usize, to: usize, tensors: &mut dyn Tensors) -> Result<Self> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            weight.extend(tensors.numbers(&format!("{name}.w"), from * to)?);
            bias.extend(tensors.numbers(&format!("{name}.b"), to)?);
        }
        let weight = Tensor::from_vec(weight, (bias.len(), from), &Device::Cpu)?.t()?;
        Ok(Self { weight, bias })
    }
}

impl Layer {
    fn load(shape: &Shape, number: usize, tensors: &mut dyn Tensors) -> Result<Self> {
        let (width, inner) = (shape.hidden_size, shape.intermediate_size);
        let name = |part: &str| format!("l{number}.{part}");
        let [q, k, v] = ["q", "k", "v"].map(name);
        Ok(Self {
            attention: Linear::stacked(&[&q, &k, &v], width, width, tensors)?,
            attention_output: Linear::load(&name("ao"), width, width, tensors)?,
            attention_norm: Norm::load(shape, &name("aln"), tensors)?,
            feed_forward: Linear::load(&name("fi"), width, inner, tensors)?,
            output: Linear::load(&name("fo"), inner, width, tensors)?,
            output_norm: Norm::load(shape, &name("oln"), tensors)?,
        })
    }

    fn forward(&self, hidden: &Tensor, lengths: &[usize], heads: usize) -> Result<Tensor> {
        let projected = hidden.matmul(&self.attention.weight)?;
        projected.inplace_op1(&Bias(&self.attention.bias))?;
        let attended = attend(&projected, lengths, heads)?.matmul(&self.attention_output.weight)?;
        attended.inplace_op2(hidden, &AddNorm { bias: &self.attention_output.bias, norm: &self.attention_norm })?;
        let inner = attended.matmul(&self.feed_forward.weight)?;
        inner.inplace_op1(&BiasGelu(&self.feed_forward.bias))?;
        let output = inner.matmul(&self.output.weight)?;
        output.inplace_op2(&attended, &AddNorm { bias: &self.output.bias, norm: &self.output_norm })?;
        debug_assert_eq!(output.dim(D::Minus1)?, hidden.dim(D::Minus1)?);
        Ok(output)
    }
}

fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|number| *number /= norm);
    vector
}
