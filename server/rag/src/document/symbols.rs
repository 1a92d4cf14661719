//! The signs of the fonts that word processors insert symbols from. Their codes stand for no letters: `a` of the font Symbol is
//! `α`, and `à` of the font Wingdings is an arrow.

/// The first code of these fonts in Unicode's area for private use.
const PRIVATE: u32 = 0xf000;
/// The signs of the font Symbol from `A` and from 0xA0 on.
const SYMBOL: [(u32, &str); 2] = [
    (0x41, "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
    (0xa0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"),
];
/// Other signs of the font Symbol.
const SYMBOL_MARKS: [(char, char); 6] = [('"', '∀'), ('$', '∃'), ('\'', '∋'), ('*', '∗'), ('-', '−'), ('@', '≅')];
/// The signs of the font Wingdings that stand for something in a text.
const WINGDINGS: [(u32, char); 21] = [
    (0x28, '☎'),
    (0x29, '✆'),
    (0x2a, '✉'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6c, '•'),
    (0x6e, '•'),
    (0x6f, '☐'),
    (0x71, '☐'),
    (0x78, '☒'),
    (0xa7, '•'),
    (0xa8, '☐'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe8, '→'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
    (0xf3, '⬄'),
];

/// The sign that a code shows in a font; `None` if the font is no font of signs or has none that stands for something.
pub(super) fn sign(font: &str, code: u32) -> Option<char> {
    let code = if code >= PRIVATE { code.checked_sub(PRIVATE)? } else { code };
    let letter = char::from_u32(code)?;
    match font.to_ascii_lowercase().as_str() {
        "symbol" => {
            let mark = || SYMBOL_MARKS.iter().find(|(mark, _)| *mark == letter).map(|(_, sign)| *sign);
            let sign_at = |(first, signs): &(u32, &str)| signs.chars().nth(code.checked_sub(*first)? as usize);
            let own = || (' '..='?').contains(&letter).then_some(letter);
            mark().or_else(|| SYMBOL.iter().rev().find_map(sign_at)).or_else(own)
        }
        "wingdings" => WINGDINGS.iter().find(|(own, _)| *own == code).map(|(_, sign)| *sign),
        _ => None,
    }
}

/// The text with the signs that its font shows, if that is a font of signs.
pub(super) fn signs(font: &str, text: &str) -> Option<String> {
    let is_font_of_signs = ["symbol", "wingdings", "wingdings 2", "wingdings 3", "webdings"];
    let sign = |letter: char| if letter.is_whitespace() { Some(letter) } else { sign(font, letter as u32) };
    is_font_of_signs.iter().any(|name| font.eq_ignore_ascii_case(name)).then(|| text.chars().filter_map(sign).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_fonts_of_signs_are_signs() {
        assert_eq!(signs("Symbol", "5 \u{f0a3} 6 \u{f06d}m a").as_deref(), Some("5 ≤ 6 μμ α"));
        assert_eq!(signs("Symbol", "\u{f0b0}\u{f0b1}\u{f0b3}\u{f0b4}\u{f0e5}\u{f0a0}").as_deref(), Some("°±≥×∑€"));
        assert_eq!(signs("Wingdings", "à\u{f0fc}\u{f001}").as_deref(), Some("→✓"));
        assert_eq!((sign("Symbol", 0xf041), sign("Symbol", 0x7a)), (Some('Α'), Some('ζ')));
        assert_eq!(signs("Arial", "à"), None);
    }
}
