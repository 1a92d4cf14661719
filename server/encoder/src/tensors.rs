//! The source of an encoder's weights. Both formats use the short names of the compact file.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};

use crate::{Error, Result, table::Table};

/// The weights of an encoder by name: `emb.word`, `emb.pos`, `emb.type`, `emb.ln.w`, and for layer `n` `ln.q.w`, with
/// `k`, `v`, `ao` (attention's output), `aln` (the norm after it), `fi`, `fo` (feed-forward) and `oln`; `.b` is a bias.
pub trait Tensors {
    /// All numbers of a tensor, row by row.
    ///
    /// # Errors
    /// When it does not exist, or has another length.
    fn numbers(&mut self, name: &str, length: usize) -> Result<Vec<f32>>;

    /// The embeddings of the tokens.
    ///
    /// # Errors
    /// Like [`Tensors::numbers`].
    fn table(&mut self, rows: usize, width: usize) -> Result<Table>;
}

/// The weights of a BERT model as its authors publish them.
pub struct Safetensors(HashMap<String, Tensor>);

impl Safetensors {
    /// # Errors
    /// When `file` is not such a file, or is cut off.
    pub fn read(file: &[u8]) -> Result<Self> {
        Ok(Self(candle_core::safetensors::load_buffer(file, &Device::Cpu)?))
    }
}

impl Tensors for Safetensors {
    fn numbers(&mut self, name: &str, length: usize) -> Result<Vec<f32>> {
        let published = published_name(name);
        // Models with a head have the encoder under a prefix.
        let tensor = self.0.remove(&published).or_else(|| self.0.remove(&format!("bert.{published}")));
        let tensor = tensor.ok_or_else(|| Error::format(format!("there is no tensor {published}")))?;
        if tensor.elem_count() != length {
            let found = tensor.elem_count();
            return Err(Error::format(format!("the tensor {published} has {found} numbers instead of {length}")));
        }
        Ok(tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1()?)
    }

    fn table(&mut self, rows: usize, width: usize) -> Result<Table> {
        Ok(Table::plain(self.numbers("emb.word", rows * width)?, width))
    }
}

/// The name that a tensor has in BERT's own files.
fn published_name(name: &str) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    let kind = |kind: &str| if kind == "b" { "bias" } else { "weight" };
    match parts[..] {
        ["emb", "word"] => "embeddings.word_embeddings.weight".to_owned(),
        ["emb", "pos"] => "embeddings.position_embeddings.weight".to_owned(),
        ["emb", "type"] => "embeddings.token_type_embeddings.weight".to_owned(),
        ["emb", "ln", of] => format!("embeddings.LayerNorm.{}", kind(of)),
        [layer, part, of] => {
            let part = match part {
                "q" => "attention.self.query",
                "k" => "attention.self.key",
                "v" => "attention.self.value",
                "ao" => "attention.output.dense",
                "aln" => "attention.output.LayerNorm",
                "fi" => "intermediate.dense",
                "fo" => "output.dense",
                "oln" => "output.LayerNorm",
                other => other,
            };
            format!("encoder.layer.{}.{part}.{}", layer.trim_start_matches('l'), kind(of))
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_become_berts_names() {
        assert_eq!(published_name("l11.ao.b"), "encoder.layer.11.attention.output.dense.bias");
        assert_eq!(published_name("emb.ln.w"), "embeddings.LayerNorm.weight");
    }

    #[test]
    fn what_is_no_safetensors_file_is_refused() {
        for file in [&b""[..], b"short", &[0xff; 64]] {
            assert!(Safetensors::read(file).is_err());
        }
    }
}
