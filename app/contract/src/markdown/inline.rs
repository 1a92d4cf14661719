//! Runs of text: emphasis, code, links, citation marks and escapes.

use super::scan::{find, parse_decimal};
use super::{Inline, MAX_DEPTH};

/// Parses the text of one block.
pub(crate) fn parse_inline(text: &str) -> Vec<Inline> {
    let mut parser = Parser { out: Vec::new(), plain: String::new(), depth: 0 };
    parser.run(text);
    parser.out
}

struct Parser {
    out: Vec<Inline>,
    plain: String,
    depth: usize,
}

impl Parser {
    fn run(&mut self, text: &str) {
        let mut rest = text;
        let mut before = ' ';
        // A delimiter without a partner is not looked for again: bad input stays linear.
        let mut hopeless: Vec<&'static str> = Vec::new();
        while let Some(next) = rest.chars().next() {
            let used = self.special(rest, next, before, &mut hopeless).unwrap_or_else(|| {
                self.plain.push(next);
                next.len_utf8()
            });
            before = rest.get(..used).and_then(|taken| taken.chars().next_back()).unwrap_or(' ');
            rest = rest.get(used..).unwrap_or_default();
        }
        self.flush();
    }

    /// Handles what begins with a special character and returns the bytes it took.
    fn special(&mut self, rest: &str, next: char, before: char, hopeless: &mut Vec<&'static str>) -> Option<usize> {
        match next {
            '\\' => self.escape(rest),
            '\n' => Some(self.line_end()),
            '`' => self.code(rest, hopeless),
            '*' | '_' => self.emphasis(rest, before, hopeless),
            '[' => self.marker(rest).or_else(|| self.link(rest)),
            '!' if rest.starts_with("![") => self.image(rest),
            '<' => self.angle_link(rest),
            'h' if !is_word(before) => self.bare_link(rest),
            _ => None,
        }
    }

    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.out.push(Inline::Text(std::mem::take(&mut self.plain)));
        }
    }

    fn push(&mut self, inline: Inline) {
        self.flush();
        self.out.push(inline);
    }

    fn nested(&self, text: &str) -> Vec<Inline> {
        if self.depth >= MAX_DEPTH {
            return vec![Inline::Text(text.to_owned())];
        }
        let mut parser = Self { out: Vec::new(), plain: String::new(), depth: self.depth + 1 };
        parser.run(text);
        parser.out
    }

    fn escape(&mut self, rest: &str) -> Option<usize> {
        match rest.chars().nth(1)? {
            '\n' => {
                self.push(Inline::Break);
                Some(2)
            }
            mark if mark.is_ascii_punctuation() => {
                self.plain.push(mark);
                Some(2)
            }
            _ => None,
        }
    }

    /// Two spaces before a line end force a break; otherwise it is a space.
    fn line_end(&mut self) -> usize {
        if self.plain.ends_with("  ") {
            while self.plain.ends_with(' ') {
                self.plain.pop();
            }
            self.push(Inline::Break);
        } else {
            self.plain.push('\n');
        }
        1
    }

    fn code(&mut self, rest: &str, hopeless: &mut Vec<&'static str>) -> Option<usize> {
        let fence = ["```", "``", "`"].into_iter().find(|fence| rest.starts_with(fence))?;
        let inside = between(rest, fence, hopeless)?;
        self.push(Inline::Code(inside.trim().to_owned()));
        Some(inside.len() + 2 * fence.len())
    }

    fn emphasis(&mut self, rest: &str, before: char, hopeless: &mut Vec<&'static str>) -> Option<usize> {
        let mark = ["**", "__", "*", "_"].into_iter().find(|mark| rest.starts_with(mark))?;
        if mark.starts_with('_') && is_word(before) {
            return None;
        }
        let inside = between(rest, mark, hopeless)?;
        if inside.starts_with(char::is_whitespace) || inside.ends_with(char::is_whitespace) {
            return None;
        }
        let after = rest.get(inside.len() + 2 * mark.len()..).and_then(|after| after.chars().next());
        if mark.starts_with('_') && after.is_some_and(is_word) {
            return None;
        }
        let children = self.nested(inside);
        self.push(if mark.len() == 2 { Inline::Strong(children) } else { Inline::Emphasis(children) });
        Some(inside.len() + 2 * mark.len())
    }

    /// `[12]`, unless it is the text of a link.
    fn marker(&mut self, rest: &str) -> Option<usize> {
        let inside = rest.strip_prefix('[')?;
        let length = inside.bytes().take(4).position(|byte| byte == b']')?;
        let (number, after) = inside.split_at_checked(length)?;
        if after.starts_with("](") {
            return None;
        }
        self.push(Inline::Marker(parse_decimal(number)?));
        Some(number.len() + 2)
    }

    /// `[text](address)`; an address that may not be linked leaves its text.
    fn link(&mut self, rest: &str) -> Option<usize> {
        let (text, address, used) = link_parts(rest)?;
        let children = self.nested(text);
        match safe_address(address) {
            Some(href) => self.push(Inline::Link { href: href.to_owned(), children }),
            None => {
                self.flush();
                self.out.extend(children);
            }
        }
        Some(used)
    }

    /// An image leaves its description: answers load nothing from anywhere.
    fn image(&mut self, rest: &str) -> Option<usize> {
        let (text, _, used) = link_parts(rest.get(1..)?)?;
        self.plain.push_str(text);
        Some(used + 1)
    }

    fn angle_link(&mut self, rest: &str) -> Option<usize> {
        let (inside, _) = head(rest.get(1..)?).split_once('>')?;
        self.address_link(inside).map(|()| inside.len() + 2)
    }

    fn bare_link(&mut self, rest: &str) -> Option<usize> {
        if !rest.starts_with("http://") && !rest.starts_with("https://") {
            return None;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '*' | ']'))
            .unwrap_or(rest.len());
        let mut address = rest.get(..end)?.trim_end_matches(&['.', ',', ';', ':', '!', '?', '\''][..]);
        if !address.contains('(') {
            address = address.trim_end_matches(&[')', '.'][..]);
        }
        self.address_link(address).map(|()| address.len())
    }

    fn address_link(&mut self, address: &str) -> Option<()> {
        let href = safe_address(address)?.to_owned();
        let children = vec![Inline::Text(address.to_owned())];
        self.push(Inline::Link { href, children });
        Some(())
    }
}

/// Letters and digits, near enough: everything beyond ASCII counts as one.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii()
}

/// The text between two equal marks at the head of `rest`, not empty.
fn between<'a>(rest: &'a str, mark: &'static str, hopeless: &mut Vec<&'static str>) -> Option<&'a str> {
    if hopeless.contains(&mark) {
        return None;
    }
    let after = rest.get(mark.len()..)?;
    let mut from = 0;
    while let Some(distance) = after.get(from..).and_then(|tail| find(tail, mark)) {
        let at = from + distance;
        // A single `*` must not close on the first half of `**`.
        let doubled = mark.len() == 1 && mark != "`" && after.get(at + 1..).is_some_and(|tail| tail.starts_with(mark));
        if at > 0 && !doubled {
            // `**a *b***` closes with the last two of three.
            let tripled = mark.len() == 2
                && after.get(at + 2..).is_some_and(|tail| tail.as_bytes().first() == mark.as_bytes().first());
            return after.get(..if tripled && mark != "``" { at + 1 } else { at });
        }
        from = at + if doubled { 2 } else { mark.len() };
    }
    hopeless.push(mark);
    None
}

/// The part of a text in which a link must end: a bound on the work that broken links cause.
fn head(rest: &str) -> &str {
    rest.get(..rest.floor_char_boundary(2_500)).unwrap_or(rest)
}

/// The text and the address of `[text](address "title")`, and the bytes it takes.
fn link_parts(rest: &str) -> Option<(&str, &str, usize)> {
    let inside = head(rest).strip_prefix('[')?;
    let (text, after) = inside.split_at_checked(find(inside, "](")?)?;
    let after = after.get(2..)?;
    if text.contains(['[', ']']) {
        return None;
    }
    let mut open = 1_u32;
    let close = after.bytes().position(|byte| {
        open = match byte {
            b'(' => open + 1,
            b')' => open - 1,
            _ => open,
        };
        open == 0
    })?;
    let inside = after.get(..close)?;
    let address = inside.split([' ', '\n']).next().unwrap_or_default();
    Some((text, address.trim_matches(&['<', '>'][..]), text.len() + close + 4))
}

/// The address itself when it may be linked: absolute http or https, or mailto.
fn safe_address(address: &str) -> Option<&str> {
    let scheme = address.get(..address.find(':')?)?;
    let has_safe_scheme =
        ["http", "https", "mailto"].iter().any(|has_safe_scheme| scheme.eq_ignore_ascii_case(has_safe_scheme));
    let clean = !address.contains(|c: char| c.is_whitespace() || c.is_control());
    (has_safe_scheme && clean && address.len() > scheme.len() + 3).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::scan::SEARCHED;

    fn text(text: &str) -> Inline {
        Inline::Text(text.to_owned())
    }

    fn link(href: &str, label: &str) -> Inline {
        Inline::Link { href: href.to_owned(), children: vec![text(label)] }
    }

    #[test]
    fn emphasis_code_and_escapes_are_recognised() {
        let parsed = parse_inline("a **b *c*** `<d>` \\*e\\*");
        let strong = Inline::Strong(vec![text("b "), Inline::Emphasis(vec![text("c")])]);
        assert_eq!(parsed, [text("a "), strong, text(" "), Inline::Code("<d>".to_owned()), text(" *e*")]);
    }

    #[test]
    fn code_ends_with_as_many_backticks_as_it_begins_with() {
        for (marked, inside) in [("`a`", "a"), ("``a`b``", "a`b"), ("```a``b```", "a``b")] {
            let parsed = parse_inline(&["see ", marked, " here"].concat());
            assert_eq!(parsed, [text("see "), Inline::Code(inside.to_owned()), text(" here")], "{marked}");
        }
    }

    #[test]
    fn words_with_underscores_and_lonely_stars_stay_as_they_are() {
        for plain in ["snake_case_name", "2 * 3 * 4", "**open", "*", "_", "a ** b", "`open", "__init"] {
            assert_eq!(parse_inline(plain), [text(plain)], "{plain}");
        }
    }

    #[test]
    fn citation_marks_are_neither_links_nor_brackets() {
        assert_eq!(parse_inline("so [1][12]."), [text("so "), Inline::Marker(1), Inline::Marker(12), text(".")]);
        assert_eq!(parse_inline("[1](https://a.example)"), [link("https://a.example", "1")]);
        for plain in ["[x]", "[]", "[1234]", "[1", "[+1]"] {
            assert_eq!(parse_inline(plain), [text(plain)], "{plain}");
        }
    }

    #[test]
    fn links_are_made_of_safe_addresses_only() {
        assert_eq!(parse_inline("[a](https://b.example/(c) \"t\")"), [link("https://b.example/(c)", "a")]);
        assert_eq!(parse_inline("<mailto:a@b.example>"), [link("mailto:a@b.example", "mailto:a@b.example")]);
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "/local",
            "//x.example",
            "java\tscript:x",
            "blob:x",
        ] {
            let parsed = parse_inline(&["[a](", bad, ")"].concat());
            assert!(!parsed.iter().any(|inline| matches!(inline, Inline::Link { .. })), "{bad}: {parsed:?}");
        }
    }

    #[test]
    fn bare_addresses_become_links_without_their_punctuation() {
        let parsed = parse_inline("see https://a.example/x, (https://b.example).");
        let expected = [
            text("see "),
            link("https://a.example/x", "https://a.example/x"),
            text(", ("),
            link("https://b.example", "https://b.example"),
            text(")."),
        ];
        assert_eq!(parsed, expected);
    }

    #[test]
    fn images_leave_their_description_and_tags_stay_text() {
        assert_eq!(parse_inline("![cat](https://a.example/c.png)!"), [text("cat!")]);
        assert_eq!(parse_inline("<img src=x onerror=alert(1)>"), [text("<img src=x onerror=alert(1)>")]);
    }

    #[test]
    fn two_spaces_or_a_backslash_break_the_line() {
        assert_eq!(parse_inline("a  \nb\\\nc"), [text("a"), Inline::Break, text("b"), Inline::Break, text("c")]);
    }

    #[test]
    fn long_bad_input_is_parsed_in_linear_time() {
        for unit in ["*", "_", "`", "[", "**a", "![", "[](", "<", "*a _b "] {
            let work = |times: usize| {
                SEARCHED.set(0);
                let _ = parse_inline(&unit.repeat(times));
                SEARCHED.get()
            };
            let (once, twice) = (work(5_000), work(10_000));
            assert!(twice <= once * 5 / 2 + 10_000, "{unit}: {once} bytes searched, for twice the text {twice}");
        }
    }
}
