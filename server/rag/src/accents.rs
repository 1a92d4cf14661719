//! Letters without their accents, because visitors often write words without them.

/// Appends a letter in lower case without its accent: `e` for `é`, `ss` for `ß`.
pub(crate) fn push(text: &mut String, letter: char) {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => text.push('a'),
        'ç' => text.push('c'),
        'è' | 'é' | 'ê' | 'ë' => text.push('e'),
        'ì' | 'í' | 'î' | 'ï' => text.push('i'),
        'ñ' => text.push('n'),
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => text.push('o'),
        'ù' | 'ú' | 'û' | 'ü' => text.push('u'),
        'ý' | 'ÿ' => text.push('y'),
        'ß' => text.push_str("ss"),
        'œ' => text.push_str("oe"),
        'æ' => text.push_str("ae"),
        letter => text.push(letter),
    }
}

/// A word in lower case without accents: `rececao` for `receção`.
pub(crate) fn without(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars() {
        push(&mut plain, letter);
    }
    plain
}
