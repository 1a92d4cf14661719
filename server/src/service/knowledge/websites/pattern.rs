//! Path patterns as in robots.txt: `*` matches any text, `$` at the end anchors the end, and everything else is a
//! prefix.

/// Whether a path with its query matches the pattern. The time is proportional to both lengths.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        last = Some(part);
        // The earliest match leaves the most text for the following parts.
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    match last {
        _ if !is_anchored => true,
        None => rest.is_empty(),
        // The last part may match later as well.
        Some(part) => rest.is_empty() || path[first.len()..].ends_with(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_robots_txt_says() {
        for (pattern, path, is_match) in [
            ("/", "/a", true),
            ("/fish", "/fish.html", true),
            ("/fish", "/Fish", false),
            ("/fish*", "/fishheads/yummy.html", true),
            ("/fish/", "/fish", false),
            ("/*.php", "/folder/filename.php?parameters", true),
            ("/*.php$", "/filename.php", true),
            ("/*.php$", "/filename.php?parameters", false),
            ("/*.php$", "/a.php/b.php", true),
            ("/fish*.php", "/fishheads/catfish.php?id", true),
            ("/fish*.php", "/Fish.PHP", false),
            ("/$", "/", true),
            ("/$", "/a", false),
            ("*", "/a", true),
            ("/a*b*c$", "/abcbc", true),
            ("/a*b*c$", "/acb", false),
        ] {
            assert_eq!(matches(pattern, path), is_match, "{pattern} {path}");
        }
    }
}
