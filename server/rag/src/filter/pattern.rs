//! A rule's regular expression: parsed, bounded, with word boundaries that a deterministic automaton supports.

use regex_automata::nfa::thompson::NFA;
use regex_syntax::{
    Parser,
    hir::{Capture, Hir, HirKind, Look, Repetition},
};

/// Maximum length of a match of an inline rule in bytes, and thus of the text that is held back.
pub const LONGEST_INLINE: usize = 8192;
/// Maximum memory of one compiled pattern, in bytes.
const COMPILED: usize = 4 << 20;

/// Parses a pattern and replaces its word boundaries by ASCII ones.
///
/// # Errors
/// Part of a sentence: the pattern is invalid, matches nothing or the empty text, or is too large.
pub(super) fn parse(pattern: &str) -> Result<Hir, String> {
    let hir = Parser::new().parse(pattern).map_err(|error| format!("the pattern is wrong: {error}"))?;
    let hir = ascii_boundaries(hir);
    match hir.properties().minimum_len() {
        None => return Err("the pattern can match nothing".to_owned()),
        Some(0) => return Err("the pattern matches the empty text".to_owned()),
        Some(_) => {}
    }
    let config = NFA::config().nfa_size_limit(Some(COMPILED));
    let compiled = NFA::compiler().configure(config).build_from_hir(&hir);
    compiled.map_err(|error| format!("the pattern is too large: {error}"))?;
    Ok(hir)
}

/// The maximum length of a match of an inline rule's pattern in bytes.
///
/// # Errors
/// Part of a sentence: the length is unbounded or above [`LONGEST_INLINE`].
pub(super) fn longest(hir: &Hir) -> Result<usize, String> {
    match hir.properties().maximum_len() {
        Some(bytes) if bytes <= LONGEST_INLINE => Ok(bytes),
        Some(bytes) => {
            Err(format!("a match may have {bytes} bytes, but an inline rule's may have {LONGEST_INLINE} at most"))
        }
        None => {
            Err("a match may be of any length, which an inline rule cannot hold back; write {m,n} instead of * and +"
                .to_owned())
        }
    }
}

/// The same expression with ASCII word boundaries. They differ only next to letters outside ASCII, which do not count
/// as letters.
fn ascii_boundaries(hir: Hir) -> Hir {
    let all = |parts: Vec<Hir>| parts.into_iter().map(ascii_boundaries).collect();
    match hir.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look) => Hir::look(ascii(look)),
        HirKind::Repetition(repeated) => {
            Hir::repetition(Repetition { sub: Box::new(ascii_boundaries(*repeated.sub)), ..repeated })
        }
        HirKind::Capture(group) => Hir::capture(Capture { sub: Box::new(ascii_boundaries(*group.sub)), ..group }),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
    }
}

fn ascii(look: Look) -> Look {
    match look {
        Look::WordUnicode => Look::WordAscii,
        Look::WordUnicodeNegate => Look::WordAsciiNegate,
        Look::WordStartUnicode => Look::WordStartAscii,
        Look::WordEndUnicode => Look::WordEndAscii,
        Look::WordStartHalfUnicode => Look::WordStartHalfAscii,
        Look::WordEndHalfUnicode => Look::WordEndHalfAscii,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_counts_bytes_of_characters() {
        assert_eq!(longest(&parse(r"\bab{2,5}\b").unwrap()), Ok(6));
        assert_eq!(longest(&parse("x[ä-ü]{1,3}").unwrap()), Ok(7));
    }

    #[test]
    fn unbounded_and_very_long_matches_are_refused_for_inline_rules() {
        assert!(longest(&parse("a+").unwrap()).unwrap_err().contains("any length"));
        assert!(longest(&parse("a{1,9000}").unwrap()).unwrap_err().contains("9000 bytes"));
    }

    #[test]
    fn patterns_without_use_are_refused() {
        for (pattern, reason) in
            [("a(b", "wrong"), ("(?:a)?", "empty text"), ("[^\\s\\S]", "nothing"), ("(?:\\w{900}){900}", "too large")]
        {
            assert!(parse(pattern).unwrap_err().contains(reason), "{pattern}");
        }
    }
}
