//! A map from codes to numbers of glyphs (a CMap) that a PDF brings along.

/// Maximum ranges of a map.
const MAX_RANGES: usize = 0x1_0000;

#[derive(Default)]
pub(super) struct CodeMap {
    /// The first bytes of codes, and how many bytes the codes have.
    lengths: Vec<(u8, u8, usize)>,
    /// Bytes of the codes, the first and last code, and the number of the first one's glyph.
    ranges: Vec<(usize, u32, u32, u32)>,
    /// Whether lines run from top to bottom.
    pub(super) is_vertical: bool,
}

impl CodeMap {
    /// Reads a map; none when it does not say how long its codes are.
    pub(super) fn parse(map: &str) -> Option<Self> {
        let mut read = Self::default();
        let mut block = "";
        let mut codes: Vec<&str> = Vec::new();
        let spaced = map.replace('<', " <").replace('>', "> ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            match *word {
                "begincodespacerange" | "begincidrange" | "begincidchar" => block = word,
                "endcodespacerange" | "endcidrange" | "endcidchar" => block = "",
                "/WMode" => read.is_vertical = words.get(at + 1) == Some(&"1"),
                word if !block.is_empty() => {
                    codes.push(word);
                    if read.add(block, &codes) {
                        codes.clear();
                    }
                }
                _ => {}
            }
            if block.is_empty() {
                codes.clear();
            }
        }
        read.lengths.sort_by_key(|(_, _, length)| *length);
        (!read.lengths.is_empty()).then_some(read)
    }

    /// Adds an entry of a block once it is whole.
    fn add(&mut self, block: &str, words: &[&str]) -> bool {
        let digits = |word: &str| Some(word.strip_prefix('<')?.strip_suffix('>')?.to_owned());
        let code = |word: &str| u32::from_str_radix(&digits(word)?, 16).ok();
        let bytes = |word: &str| digits(word).map_or(0, |digits| digits.len() / 2);
        let first_byte = |word: &str| u8::from_str_radix(digits(word)?.get(..2)?, 16).ok();
        let range = match (block, words) {
            ("begincodespacerange", [low, high]) => {
                let range = first_byte(low).zip(first_byte(high));
                self.lengths.extend(range.map(|(first, last)| (first, last, bytes(low).max(1))));
                return true;
            }
            ("begincidchar", [one, glyph]) => {
                code(one).zip(glyph.parse().ok()).map(|(at, id)| (bytes(one), at, at, id))
            }
            ("begincidrange", [low, high, glyph]) => code(low)
                .zip(code(high))
                .zip(glyph.parse().ok())
                .map(|((first, last), id)| (bytes(low), first, last, id)),
            _ => return false,
        };
        self.ranges.extend(range.filter(|_| self.ranges.len() < MAX_RANGES));
        true
    }

    /// Bytes of a code with this first byte.
    pub(super) fn length(&self, first: u8) -> usize {
        let range = self.lengths.iter().find(|(low, high, _)| (*low..=*high).contains(&first));
        range.map_or(2, |(_, _, length)| *length)
    }

    /// The number of a code's glyph.
    pub(super) fn cid(&self, length: usize, code: u32) -> Option<u32> {
        let is_in =
            |(bytes, first, last, _): &&(usize, u32, u32, u32)| *bytes == length && (*first..=*last).contains(&code);
        let (_, first, _, glyph) = self.ranges.iter().find(is_in)?;
        glyph.checked_add(code - first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_one_and_two_bytes_have_their_glyphs() {
        let map = "/WMode 1 def 2 begincodespacerange <00> <80> <8140><9ffc> endcodespacerange
            1 begincidrange <20><7e> 231 endcidrange 2 begincidchar <8140> 633 <8141>634 endcidchar";
        let map = CodeMap::parse(map).unwrap();
        assert_eq!((map.length(0x20), map.length(0x81), map.is_vertical), (1, 2, true));
        assert_eq!([map.cid(1, 0x21), map.cid(2, 0x8141), map.cid(2, 0x21)], [Some(232), Some(634), None]);
        assert!(CodeMap::parse("no map").is_none());
    }
}
