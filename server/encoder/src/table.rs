//! The embedding table: one row of numbers per token, of which a text needs only a few.

use crate::{Error, Result};

/// Numbers that share a scale.
const BLOCK: usize = 32;
/// Bytes of a block: its scale and four bits for each number.
const BLOCK_BYTES: usize = 2 + BLOCK / 2;

/// Rows of one width.
pub struct Table {
    rows: Rows,
    width: usize,
}

enum Rows {
    Plain(Vec<f32>),
    /// Blocks of `Q4_0`: a quarter of a table's memory at a thousandth of a text's time.
    Quantised(Vec<u8>),
}

impl Table {
    pub(crate) fn plain(numbers: Vec<f32>, width: usize) -> Self {
        Self { rows: Rows::Plain(numbers), width }
    }

    /// # Errors
    /// When a row is not a whole number of blocks.
    pub(crate) fn quantised(blocks: Vec<u8>, width: usize) -> Result<Self> {
        match width.is_multiple_of(BLOCK) && blocks.len().is_multiple_of(row_bytes(width)) {
            true => Ok(Self { rows: Rows::Quantised(blocks), width }),
            false => Err(Error::format("the table of tokens has no whole rows")),
        }
    }

    /// Number of tokens.
    pub(crate) fn len(&self) -> usize {
        match &self.rows {
            Rows::Plain(numbers) => numbers.len() / self.width,
            Rows::Quantised(blocks) => blocks.len() / row_bytes(self.width),
        }
    }

    /// Writes a token's row to `row`; false when the token is unknown.
    pub(crate) fn read(&self, token: u32, row: &mut [f32]) -> bool {
        let token = token as usize;
        if token >= self.len() {
            return false;
        }
        match &self.rows {
            Rows::Plain(numbers) => row.copy_from_slice(&numbers[token * self.width..][..self.width]),
            Rows::Quantised(blocks) => {
                let bytes = row_bytes(self.width);
                dequantise(&blocks[token * bytes..][..bytes], row);
            }
        }
        true
    }
}

fn row_bytes(width: usize) -> usize {
    width / BLOCK * BLOCK_BYTES
}

/// Decodes whole blocks of `Q4_0`: a scale as a half-precision float, then 16 bytes whose low halves are the first 16
/// numbers and whose high halves are the others; 8 represents zero.
pub(crate) fn dequantise(blocks: &[u8], numbers: &mut [f32]) {
    for (block, numbers) in blocks.chunks_exact(BLOCK_BYTES).zip(numbers.chunks_exact_mut(BLOCK)) {
        let scale = half_precision(u16::from_le_bytes([block[0], block[1]]));
        let (low, high) = numbers.split_at_mut(BLOCK / 2);
        for ((byte, low), high) in block[2..].iter().zip(low).zip(high) {
            *low = (f32::from(byte & 15) - 8.0) * scale;
            *high = (f32::from(byte >> 4) - 8.0) * scale;
        }
    }
}

/// The number that these bits are as a half-precision float.
pub(crate) fn half_precision(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let number = match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2.0_f32.powi(exponent - 25),
    };
    if bits >> 15 == 0 { number } else { -number }
}

/// The size of this many numbers in blocks, in bytes.
pub(crate) fn quantised_bytes(numbers: usize) -> usize {
    numbers / BLOCK * BLOCK_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scales 1 and 0.5 in half precision.
    const ONE: u16 = 0x3c00;
    const HALF: u16 = 0x3800;

    fn block(scale: u16) -> Vec<u8> {
        let mut bytes = scale.to_le_bytes().to_vec();
        bytes.extend((0..16_u8).map(|number| number | ((15 - number) << 4)));
        bytes
    }

    #[test]
    fn a_quantised_row_is_its_scaled_halves() {
        let table = Table::quantised([block(ONE), block(HALF)].concat(), 32).unwrap();
        let mut row = [0.0; 32];
        assert!(table.read(1, &mut row));
        assert_eq!((row[0], row[15], row[16], row[31]), (-4.0, 3.5, 3.5, -4.0));
        assert!(!table.read(2, &mut row), "there are two rows");
    }

    #[test]
    fn half_a_row_is_refused() {
        assert!(Table::quantised(block(ONE), 64).is_err());
        assert!(Table::quantised(block(ONE), 33).is_err());
    }

    #[test]
    fn half_precision_has_small_large_and_negative_numbers() {
        for (bits, number) in [(0, 0.0), (1, 5.960_464_5e-8), (0x03ff, 6.097_555e-5), (0x0400, 6.103_515_6e-5)] {
            assert_eq!(half_precision(bits), number, "{bits:x}");
        }
        assert_eq!(half_precision(0x7bff), 65504.0);
        assert_eq!(half_precision(0xc100), -2.5);
        assert_eq!(half_precision(0xfc00), f32::NEG_INFINITY);
        assert!(half_precision(0x7e00).is_nan());
    }
}
