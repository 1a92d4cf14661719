//! Characters of the numbers (CIDs) in Adobe's character collections for Chinese, Japanese and Korean. A collection numbers
//! the characters of a national standard in its order, so the encodings of these standards tell what they are.

use encoding_rs::{BIG5_INIT, EUC_JP, EUC_JP_INIT, EUC_KR_INIT, Encoding, GBK_INIT};

/// A number of a character, its place in the standard, and how many characters follow in the same order.
type Run = (u32, u32, u32);

/// A character collection.
pub(super) struct Collection {
    /// The numbers of the ASCII characters from the space on, in different widths.
    ascii: &'static [u32],
    charset: &'static Encoding,
    runs: &'static [Run],
    /// The trailing bytes of a row of the standard.
    row: u32,
}

static JAPAN: Collection = Collection {
    ascii: &[1, 231],
    charset: &EUC_JP_INIT,
    runs: &[
        (633, 0, 108),
        (741, 119, 8),
        (749, 135, 7),
        (756, 153, 15),
        (771, 175, 8),
        (779, 187, 1),
        (780, 203, 10),
        (790, 220, 26),
        (816, 252, 26),
        (842, 282, 83),
        (925, 376, 86),
        (1011, 470, 24),
        (1035, 502, 24),
        (1059, 564, 33),
        (1092, 612, 33),
        (1125, 1410, 2965),
        (4090, 4418, 3388),
        (8284, 7806, 2),
    ],
    row: 94,
};

static CHINA: Collection = Collection {
    ascii: &[1, 813],
    charset: &GBK_INIT,
    runs: &[
        (96, 0, 94),
        (190, 110, 50),
        (240, 162, 10),
        (250, 174, 12),
        (262, 188, 177),
        (439, 376, 86),
        (525, 470, 24),
        (549, 502, 53),
        (602, 564, 33),
        (635, 612, 33),
        (668, 658, 32),
        (700, 694, 38),
        (738, 755, 76),
        (940, 1410, 3755),
        (4695, 5170, 3008),
    ],
    row: 94,
};

static KOREA: Collection = Collection {
    ascii: &[1, 8094],
    charset: &EUC_KR_INIT,
    runs: &[
        (101, 0, 163),
        (264, 188, 145),
        (409, 334, 52),
        (461, 391, 10),
        (471, 408, 24),
        (495, 440, 24),
        (519, 470, 68),
        (587, 564, 79),
        (666, 658, 4),
        (670, 663, 1),
        (671, 665, 8),
        (679, 674, 255),
        (934, 940, 86),
        (1020, 1034, 33),
        (1053, 1082, 33),
        (1086, 1410, 2350),
    ],
    row: 94,
};

static TAIWAN: Collection = Collection {
    ascii: &[1, 13648],
    charset: &BIG5_INIT,
    runs: &[
        (99, 0, 25),
        (128, 29, 119),
        (250, 150, 254),
        (562, 408, 33),
        (595, 471, 34),
        (629, 505, 1378),
        (2007, 1884, 424),
        (2432, 2308, 1876),
        (4309, 4184, 387),
        (4696, 4572, 525),
        (5222, 5097, 189),
        (5411, 5287, 84),
        (5496, 5371, 54),
        (5552, 5427, 90),
        (5642, 5518, 354),
        (5996, 6280, 10),
        (6006, 6291, 33),
        (6040, 6324, 48),
        (6088, 6373, 46),
        (6135, 6419, 167),
        (6302, 6587, 1840),
        (8143, 8428, 108),
        (8251, 8537, 537),
        (8789, 9075, 100),
        (8890, 9175, 200),
        (9090, 9375, 199),
        (9289, 9575, 1637),
        (10927, 11212, 146),
        (11074, 11358, 287),
        (11362, 11645, 116),
        (11478, 11762, 137),
        (11615, 11900, 104),
        (11720, 12004, 222),
        (11942, 12227, 198),
        (12140, 12426, 82),
        (12222, 12509, 86),
        (12317, 12604, 153),
        (12470, 12758, 56),
        (12527, 12814, 113),
        (12641, 12927, 142),
        (12784, 13069, 45),
        (12829, 13115, 71),
        (12901, 13186, 194),
        (13095, 13381, 490),
        (13586, 13871, 43),
    ],
    row: 157,
};

/// Half-width katakana of the Japanese collection: the first number, the first letter, and how many there are.
const KATAKANA: (u32, u32, u32) = (327, 0xff61, 63);

impl Collection {
    /// The collection with this name.
    pub(super) fn find(ordering: &[u8]) -> Option<&'static Self> {
        match ordering {
            b"Japan1" => Some(&JAPAN),
            b"GB1" => Some(&CHINA),
            b"Korea1" => Some(&KOREA),
            b"CNS1" => Some(&TAIWAN),
            _ => None,
        }
    }

    /// The text of a number.
    pub(super) fn text(&self, cid: u32) -> Option<String> {
        let Some((first, place, _)) = self.runs.iter().find(|(first, _, count)| (*first..first + count).contains(&cid))
        else {
            return self.narrow(cid);
        };
        let place = place + cid - first;
        let (row, cell) = (0xa1 + place / self.row, place % self.row);
        // Trailing bytes of Big5 have two ranges.
        let trail = match self.row {
            94 => 0xa1 + cell,
            _ if cell < 63 => 0x40 + cell,
            _ => 0xa1 + cell - 63,
        };
        let code = [u8::try_from(row).ok()?, u8::try_from(trail).ok()?];
        self.charset.decode_without_bom_handling_and_without_replacement(&code).map(std::borrow::Cow::into_owned)
    }

    /// The ASCII characters and the half-width katakana.
    fn narrow(&self, cid: u32) -> Option<String> {
        let letter = |code: u32| char::from_u32(code).map(String::from);
        if let Some(first) = self.ascii.iter().find(|first| (**first..**first + 95).contains(&cid)) {
            return letter(0x20 + cid - first);
        }
        let is_katakana = (KATAKANA.0..KATAKANA.0 + KATAKANA.2).contains(&cid);
        if self.charset == EUC_JP && is_katakana { letter(KATAKANA.1 + cid - KATAKANA.0) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_collections_are_characters() {
        let text = |ordering: &str, cids: &[u32]| -> String {
            let collection = Collection::find(ordering.as_bytes()).unwrap();
            cids.iter().map(|cid| collection.text(*cid).unwrap_or_default()).collect()
        };
        assert_eq!(text("Japan1", &[34, 264, 843, 7477, 1125, 3722, 340]), "AAあ瑤亜本ｮ");
        assert_eq!(text("GB1", &[34, 846, 940, 4559]), "AA啊中");
        assert_eq!(text("Korea1", &[34, 1086, 3435]), "A가힝");
        assert_eq!(text("CNS1", &[34, 595, 661]), "A一中");
        assert_eq!(JAPAN.text(20_000), None);
    }
}
