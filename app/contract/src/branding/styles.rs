//! Restricts what custom styles may load: nothing from third parties. A style sheet inside the widget runs on a page
//! with the tenant's visitors, and every external file would reveal them to its server.

/// Functions that take an address in quotes, or nothing.
const QUOTING: [&str; 3] = ["src(", "image-set(", "image("];
/// Functions whose value comes from another place.
const REPLACED: [&str; 3] = ["var(", "attr(", "env("];

/// Why custom styles are refused, as a sentence for the form; `None` when they load nothing remote. Comments count as
/// styles: what is one to a browser depends on all the text before.
pub(super) fn refusal(css: &str) -> Option<&'static str> {
    let plain = plain(css);
    if plain.contains("@import") {
        return Some("must not use @import: put the rules themselves here");
    }
    let is_remote_in = |function: &str| {
        let is_replaced = |argument: &str| REPLACED.iter().any(|replaced| argument.contains(replaced));
        arguments(&plain, function).any(|argument| is_replaced(argument) || argument.split(['"', '\'']).any(is_remote))
    };
    // An argument may go on after its first bracket, as in `image-set(")" 1x, "/a.png" 2x)`: every text counts, wherever it is.
    let is_quoting = QUOTING.iter().any(|function| plain.contains(function));
    let has_remote_text = is_quoting && plain.split(['"', '\'']).skip(1).any(is_remote);
    if arguments(&plain, "url(").any(is_remote) || has_remote_text || QUOTING.into_iter().any(is_remote_in) {
        return Some("must not load anything from other hosts: url() takes data: or an address on the page's own host");
    }
    None
}

/// The styles in lower case, with escapes resolved. What addresses ignore (tabs and line breaks) is left out, and a
/// backslash is the slash that it is in an address.
fn plain(css: &str) -> String {
    let mut plain = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let letter = if letter == '\\' { escaped(&mut rest) } else { letter };
        match letter {
            '\t' | '\n' | '\r' | '\u{c}' => {}
            '\\' => plain.push('/'),
            letter => plain.extend(letter.to_lowercase()),
        }
    }
    plain
}

/// The character that an escape stands for: up to six hexadecimal digits and one space, or the character itself.
fn escaped(rest: &mut &str) -> char {
    let digits = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    let Some(first) = rest.chars().next() else { return '\\' };
    if digits == 0 {
        *rest = &rest[first.len_utf8()..];
        return first;
    }
    let (code, after) = rest.split_at(digits);
    *rest = after.strip_prefix([' ', '\t', '\n', '\r', '\u{c}']).unwrap_or(after);
    u32::from_str_radix(code, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
}

/// The text between the brackets of a function, wherever it is called.
fn arguments<'a>(css: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    css.match_indices(name).map(move |(at, _)| {
        let after = &css[at + name.len()..];
        after.split_once(')').map_or(after, |(argument, _)| argument)
    })
}

/// Whether an address leads to another host: it names a scheme other than `data:`, or begins with two slashes.
fn is_remote(argument: &str) -> bool {
    let address = argument.trim_matches(|c: char| c.is_whitespace() || c.is_control() || c == '"' || c == '\'');
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    address.starts_with("//") || scheme.is_some_and(|scheme| scheme != "data" && is_scheme(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_load_from_another_host_are_refused() {
        for css in [
            "@import 'https://a.example/x.css';",
            "@IMPORT url(x.css);",
            "@\\69mport 'x.css';",
            ".svc { background: url(https://a.example/x.png) }",
            ".svc { background: URL( 'HTTPS://a.example/x.png' ) }",
            ".svc { background: url(\"//a.example/x.png\") }",
            ".svc { background: url(\\5c\\5c a.example/x.png) }",
            ".svc { background: u\\72 l(https://a.example/x.png) }",
            ".svc { background: url(ht\\9 tps://a.example/x.png) }",
            ".svc::after { content: '/*'; background: url(https://a.example/x.png); content: '*/' }",
            ".svc { background: url(/*), url(https://a.example/x.png); --x: url(*/) }",
            ".svc { --x: 'https://a.example/x.png'; background: image-set(var(--x) 1x) }",
            ".svc { background: image-set(/* */ 'https://a.example/x.png' 1x) }",
            ".svc { background: image-set(\"https://a.example/x.png\" 1x) }",
            ".svc { background: image-set(linear-gradient(red, blue) 1x, 'https://a.example/x.png' 2x) }",
            ".svc { background: image-set('a.png' type('image/png'), 'https://a.example/x.png' 2x) }",
            ".svc { background: image-set(')' 1x, 'https://a.example/x.png' 2x) }",
            ".svc { background: -webkit-image-set(url(https://a.example/x.png) 1x) }",
            "@font-face { font-family: x; src: url(ftp://a.example/x.woff2) }",
            ".svc { background: url(https://a.example/x.png",
        ] {
            assert!(refusal(css).is_some(), "{css}");
        }
    }

    #[test]
    fn styles_that_load_nothing_remote_are_accepted() {
        for css in [
            "",
            ".svc-header { letter-spacing: 1px; color: #fff }",
            ".svc { background: url(data:image/png;base64,AAAA//BB) }",
            ".svc { background: url('data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>') }",
            ".svc { background: url(/pattern.png), url(images/a.png); mask: url(#shape) }",
            "/* see https://a.example/ */ .svc-header::after { content: \"a: b // c\" }",
            ".svc { background: image-set(\"/a.png\" 1x, \"/b.png\" 2x) }",
            ".svc-a:hover { color: red }",
            "a:hover { background: image-set('a.png' type('image/png') 1x) }",
        ] {
            assert_eq!(refusal(css), None, "{css}");
        }
    }
}
