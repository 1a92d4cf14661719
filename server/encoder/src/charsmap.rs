//! The character map of a SentencePiece model: a trie of UTF-8 bytes (Darts) whose values point to replacements.

use std::collections::HashMap;

/// Replacements by character. The map's sequences of several characters are left out: they compose characters, as
/// normalization form C does. `None` when the map is cut off.
pub(crate) fn replacements(map: &[u8]) -> Option<HashMap<char, Box<str>>> {
    let (length, rest) = map.split_first_chunk::<4>()?;
    let (trie, texts) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let trie: Vec<u32> = trie.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let texts = std::str::from_utf8(texts).ok()?;
    let replacement = |character: char| {
        let text = texts.get(find(&trie, character.encode_utf8(&mut [0; 4]))?..)?;
        Some((character, text.split('\0').next()?.into()))
    };
    // No rule begins with the zero character, which ends the replacements.
    Some(('\u{1}'..=char::MAX).filter_map(replacement).collect())
}

/// The value of a key. A node's unit holds the label that leads to it, where its children are, and whether it ends a
/// key; then the first child is the value.
fn find(trie: &[u32], key: &str) -> Option<usize> {
    let child_base = |place: usize, unit: u32| place ^ ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize;
    let mut unit = *trie.first()?;
    let mut base = child_base(0, unit);
    for byte in key.bytes() {
        let place = base ^ usize::from(byte);
        unit = *trie.get(place)?;
        if unit & (1 << 31 | 0xff) != u32::from(byte) {
            return None;
        }
        base = child_base(place, unit);
    }
    let has_value = unit >> 8 & 1 == 1;
    has_value.then(|| trie.get(base).map(|value| (value & !(1 << 31)) as usize))?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map with the one rule that `a` becomes `bc`: the root's children are at 256, and those of `a` at 512.
    fn map() -> Vec<u8> {
        let mut trie = vec![0_u32; 1024];
        trie[0] = 256 << 10;
        let place = 256 ^ usize::from(b'a');
        trie[place] = u32::try_from(place ^ 512).unwrap() << 10 | 1 << 8 | u32::from(b'a');
        trie[512] = 3 | 1 << 31;
        let trie: Vec<u8> = trie.into_iter().flat_map(u32::to_le_bytes).collect();
        [&u32::try_from(trie.len()).unwrap().to_le_bytes()[..], &trie, b"de\0bc\0"].concat()
    }

    #[test]
    fn a_character_has_its_replacement() {
        let expected: HashMap<char, Box<str>> = [('a', "bc".into())].into();
        assert_eq!(replacements(&map()), Some(expected));
    }

    #[test]
    fn a_map_that_is_cut_off_is_refused() {
        assert!([0, 3, 4, 4000].iter().all(|length| replacements(&map()[..*length]).is_none()));
        assert_eq!(replacements(&[0; 4]), Some(HashMap::new()));
    }
}
