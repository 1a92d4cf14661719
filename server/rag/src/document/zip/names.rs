//! The names of files in archives. Most are UTF-8; older programs write them in the encoding of their system, which the
//! archive does not name.

use std::borrow::Cow;

use encoding_rs::{GBK, SHIFT_JIS, WINDOWS_1252};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The upper halves of the code pages of DOS.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
/// Letters of the languages of western Europe.
const LETTERS: &str = "äöüßéèêëàâáçñíìîïóòôúùûœæøåãõýÄÖÜÉÈÊÀÂÁÇÑÍÓÔÚØÅÃÕŒÆ";

/// An encoding of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Encoding {
    Dos(&'static str),
    Other(&'static encoding_rs::Encoding),
}

/// The encodings that are tried, the most usual of an archive first.
const ENCODINGS: [Encoding; 5] = [
    Encoding::Dos(CP437),
    Encoding::Dos(CP850),
    Encoding::Other(WINDOWS_1252),
    Encoding::Other(SHIFT_JIS),
    Encoding::Other(GBK),
];

impl Encoding {
    /// The encoding in which these names make the most sense.
    pub(in super::super) fn of<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut scores = [0; ENCODINGS.len()];
        for name in names {
            for (score, encoding) in scores.iter_mut().zip(ENCODINGS) {
                *score += encoding.score(name);
            }
        }
        // Of equal ones, the first.
        let best = scores.iter().copied().max().unwrap_or(0);
        ENCODINGS
            .into_iter()
            .zip(scores)
            .find(|(_, score)| *score == best)
            .map_or(ENCODINGS[0], |(encoding, _)| encoding)
    }

    fn decode(self, name: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Self::Dos(upper) => {
                let letter = |byte: &u8| match byte.checked_sub(128) {
                    None => char::from(*byte),
                    Some(at) => upper.chars().nth(usize::from(at)).unwrap_or('\u{fffd}'),
                };
                Some(name.iter().map(letter).collect::<String>().into())
            }
            Self::Other(encoding) => encoding.decode_without_bom_handling_and_without_replacement(name),
        }
    }

    /// How much a name looks like words.
    fn score(self, name: &[u8]) -> i32 {
        let Some(text) = self.decode(name) else { return -100 };
        let letters: Vec<char> = text.chars().collect();
        let is_beside_latin = |at: usize| {
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| letters.get(at));
            beside.into_iter().any(char::is_ascii_alphabetic)
        };
        let points = |(at, letter): (usize, &char)| match *letter {
            letter if letter.is_ascii() => 0,
            letter if LETTERS.contains(letter) => {
                let is_torn = letter.is_uppercase() && at > 0 && letters[at - 1].is_lowercase();
                if is_torn {
                    -2
                } else if is_beside_latin(at) {
                    3
                } else {
                    0
                }
            }
            '\u{3041}'..='\u{30ff}' => 6,
            letter @ '\u{4e00}'..='\u{9fff}' => self.score_of_ideograph(letter),
            '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff5e}' => 2,
            'º' | 'ª' | '°' | '§' | '«' | '»' | '–' | '—' | '’' | '“' | '”' | '„' | '€' => 0,
            _ => -3,
        };
        letters.iter().enumerate().map(points).sum()
    }

    /// The usual ideographs come first in both encodings.
    fn score_of_ideograph(self, letter: char) -> i32 {
        let Self::Other(encoding) = self else { return -3 };
        let mut buffer = [0; 4];
        let (bytes, _, _) = encoding.encode(letter.encode_utf8(&mut buffer));
        let is_usual = match (encoding == SHIFT_JIS, bytes.as_ref()) {
            (true, [first, _]) => (0x88..=0x97).contains(first),
            (false, [first, second]) => (0xb0..=0xd7).contains(first) && *second >= 0xa1,
            _ => false,
        };
        if is_usual { 4 } else { -2 }
    }
}

/// The name in its composed form. `encoding` is asked when it is not UTF-8.
pub(in super::super) fn name(bytes: &[u8], encoding: impl FnOnce() -> Encoding) -> String {
    let name = match std::str::from_utf8(bytes) {
        Ok(name) => Cow::Borrowed(name),
        Err(_) => encoding().decode(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes)),
    };
    if is_nfc(&name) { name.into_owned() } else { name.nfc().collect() }
}

/// The forms in which a name may be stored: as written, composed, and decomposed as macOS writes it. All of them look
/// alike and name one file.
pub fn name_forms(name: &str) -> Vec<String> {
    let mut forms = vec![name.to_owned()];
    for form in [name.nfc().collect::<String>(), name.nfd().collect()] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// The composed form of a name, under which new files are stored.
pub fn composed_name(name: &str) -> String {
    name.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(names: &[&[u8]]) -> Vec<String> {
        let encoding = Encoding::of(names.iter().copied());
        names.iter().map(|bytes| name(bytes, || encoding)).collect()
    }

    #[test]
    fn names_of_older_programs_are_decoded() {
        assert_eq!(decode(&[b"Gr\x81\xe1e.txt", b"\x99ffnung.md"]), ["Grüße.txt", "Öffnung.md"], "CP437");
        assert_eq!(
            decode(&[b"Informa\x87\xe4es.txt", b"Sm\x9brebr\x9bd.md"]),
            ["Informações.txt", "Smørebrød.md"],
            "CP850"
        );
        assert_eq!(decode(&[b"Gr\xfc\xdfe.txt", b"\xd6ffnung.md"]), ["Grüße.txt", "Öffnung.md"], "Windows-1252");
        for text in ["料金表.txt", "ご案内/アクセス.md", "営業時間.pdf", "お知らせ2026.txt"] {
            let (bytes, _, _) = SHIFT_JIS.encode(text);
            assert_eq!(decode(&[&bytes]), [text], "Shift_JIS");
        }
        for text in ["价格表.txt", "营业时间.md", "说明/地址.txt"] {
            let (bytes, _, _) = GBK.encode(text);
            assert_eq!(decode(&[&bytes]), [text], "GBK");
        }
        for text in ["Préface.txt", "Año nuevo.md", "Über uns.txt", "Perché.md", "Menü Café.txt", "Garçon.txt"] {
            let bytes: Vec<u8> = text
                .chars()
                .map(|letter| CP437.chars().position(|one| one == letter).map_or(letter as u8, |at| at as u8 + 128))
                .collect();
            assert_eq!(decode(&[&bytes]), [text], "CP437");
        }
    }

    #[test]
    fn names_are_composed() {
        assert_eq!(decode(&["Gru\u{308}ße.txt".as_bytes()]), ["Grüße.txt"]);
        assert_eq!(composed_name("Gru\u{308}ße.txt"), "Grüße.txt");
        assert_eq!(name_forms("Gru\u{308}ße.txt"), ["Gru\u{308}ße.txt", "Grüße.txt"]);
        assert_eq!(name_forms("Grüße.txt"), ["Grüße.txt", "Gru\u{308}ße.txt"]);
        assert_eq!(name_forms("a.txt"), ["a.txt"]);
    }
}
