//! The source of a network's weights. All formats use the short names of the compact file.

use safetensors::{Dtype, SafeTensors};

use crate::{
    Error, Result,
    table::{Table, half_precision},
};

/// The weights of a network by name: `emb.word`, `emb.pos`, `emb.type`, `emb.ln.w`, and for layer `n` `ln.q.w`, with
/// `k`, `v`, `ao` (attention's output), `aln` (the norm after it), `fi`, `fo` (feed-forward) and `oln`; `.b` is a bias.
/// A cross-encoder has `pooler` and `classifier`.
pub trait Tensors {
    /// All numbers of a tensor, row by row.
    ///
    /// # Errors
    /// When it does not exist, or has another length.
    fn numbers(&self, name: &str, length: usize) -> Result<Vec<f32>>;

    /// The embeddings of the tokens.
    ///
    /// # Errors
    /// Like [`Tensors::numbers`].
    fn table(&self, rows: usize, width: usize) -> Result<Table>;
}

/// The weights of a BERT or XLM-RoBERTa model as its authors publish them.
pub struct Safetensors<'a>(SafeTensors<'a>);

impl<'a> Safetensors<'a> {
    /// # Errors
    /// When `file` is not such a file, or is cut off.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        SafeTensors::deserialize(file).map(Self).map_err(|error| Error::format(error.to_string()))
    }
}

impl Tensors for Safetensors<'_> {
    fn numbers(&self, name: &str, length: usize) -> Result<Vec<f32>> {
        let names = published_names(name);
        let tensor = names.iter().find_map(|name| self.0.tensor(name).ok());
        let tensor = tensor.ok_or_else(|| Error::format(format!("there is no tensor {}", names[0])))?;
        let bytes = tensor.data();
        let numbers: Vec<f32> = match tensor.dtype() {
            Dtype::F32 => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Dtype::F16 => bytes.as_chunks().0.iter().map(|bytes| half_precision(u16::from_le_bytes(*bytes))).collect(),
            // The upper half of a single-precision float.
            Dtype::BF16 => {
                bytes.as_chunks().0.iter().map(|[low, high]| f32::from_le_bytes([0, 0, *low, *high])).collect()
            }
            other => {
                return Err(Error::format(format!("the tensor {} is of the unsupported type {other:?}", names[0])));
            }
        };
        match numbers.len() == length {
            true => Ok(numbers),
            false => {
                Err(Error::format(format!("the tensor {} has {} numbers instead of {length}", names[0], numbers.len())))
            }
        }
    }

    fn table(&self, rows: usize, width: usize) -> Result<Table> {
        let length = rows.checked_mul(width).ok_or_else(|| Error::format("the table of tokens is too large"))?;
        Ok(Table::plain(self.numbers("emb.word", length)?, width))
    }
}

/// The names that a tensor may have in published files. Models with a head have the network under a prefix.
fn published_names(name: &str) -> Vec<String> {
    let (part, kind) = name.rsplit_once('.').unwrap_or((name, ""));
    let kind = if kind == "b" { "bias" } else { "weight" };
    match part {
        "pooler" => vec![format!("bert.pooler.dense.{kind}"), format!("classifier.dense.{kind}")],
        "classifier" => vec![format!("classifier.{kind}"), format!("classifier.out_proj.{kind}")],
        _ => {
            let name = published_name(name);
            ["", "bert.", "roberta."].iter().map(|prefix| format!("{prefix}{name}")).collect()
        }
    }
}

/// The name that a tensor of the network has in BERT's own files.
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
        assert_eq!(published_names("emb.word")[2], "roberta.embeddings.word_embeddings.weight");
        assert_eq!(published_names("pooler.b"), ["bert.pooler.dense.bias", "classifier.dense.bias"]);
    }

    #[test]
    fn what_is_no_safetensors_file_is_refused() {
        for file in [&b""[..], b"short", &[0xff; 64]] {
            assert!(Safetensors::read(file).is_err());
        }
    }

    #[test]
    fn numbers_of_16_bits_are_widened() {
        use safetensors::tensor::TensorView;
        let (half, brain) = ([0x00, 0x3e, 0x00, 0xc0], [0xc0, 0x3f, 0x00, 0xc0]);
        let view = |dtype, data| TensorView::new(dtype, vec![2], data).unwrap();
        let tensors = [
            ("classifier.weight", view(Dtype::F16, &half[..])),
            ("bert.pooler.dense.bias", view(Dtype::BF16, &brain[..])),
            ("classifier.bias", view(Dtype::I16, &half[..])),
        ];
        let file = safetensors::serialize(tensors, None).unwrap();
        let tensors = Safetensors::read(&file).unwrap();
        assert_eq!(tensors.numbers("classifier.w", 2).unwrap(), [1.5, -2.0]);
        assert_eq!(tensors.numbers("pooler.b", 2).unwrap(), [1.5, -2.0]);
        let refused =
            [tensors.numbers("classifier.b", 2), tensors.numbers("pooler.b", 3), tensors.numbers("emb.pos", 2)];
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
    }
}
