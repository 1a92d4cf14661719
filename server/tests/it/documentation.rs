//! Checks that the documentation agrees with the code.

use std::{collections::BTreeSet, path::Path};

use contract::{ErrorCode, branding::MAX_PICTURE_BYTES, faq::import::MAX_FAQ_CSV_BYTES};

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)).unwrap()
}

#[test]
fn the_documentation_has_every_error_code_with_its_status() {
    let page = page("errors.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let status: u16 = cells.get(1)?.parse().ok()?;
        let meaning = cells.get(3).copied().unwrap_or_default();
        assert!(meaning.len() > 10, "a code without a meaning: {line}");
        Some((status, cells[2].trim_matches('`').to_owned()))
    });
    let written: BTreeSet<_> = rows.collect();
    let known = ErrorCode::ALL.iter().map(|code| (code.status(), code.as_str().to_owned())).collect();
    assert_eq!(written, known);
}

#[test]
fn readme_and_changelog_name_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let snippet = format!("chat-widget.min.js?v={version}\"");
    assert!(page("../README.md").contains(&snippet), "the snippet in README.md is not of {version}");
    let changelog = page("../CHANGELOG.md");
    let newest = changelog.lines().filter(|line| line.starts_with("## [")).nth(1);
    assert!(newest.is_some_and(|line| line.starts_with(&format!("## [{version}] - "))), "{newest:?} is not {version}");
}

#[test]
fn every_numeric_setting_is_in_the_table_of_bounds() {
    /// Settings with a number that bounds nothing.
    const NO_BOUND: &[&str] = &["rag.relevance_threshold", "auth.audit_poll_seconds"];
    let page = page("operations.md");
    for setting in server::config::SETTINGS.iter() {
        if !setting.allowed.starts_with("a number ") || NO_BOUND.contains(&setting.key) {
            continue;
        }
        let default = if setting.default.is_empty() { "-".to_owned() } else { format!("`{}`", setting.default) };
        let cells = format!("| `{}` | {default} |", setting.key);
        assert!(page.contains(&cells), "docs/operations.md lacks {cells}");
    }
}

#[test]
fn the_nginx_site_lets_the_platform_refuse_large_bodies() {
    let site = page("../deploy/nginx-site.conf");
    let sizes = site.lines().filter_map(|line| line.trim().strip_prefix("client_max_body_size ")?.strip_suffix("m;"));
    let smallest = sizes.map(|size| size.parse::<usize>().unwrap() * 1024 * 1024).min().unwrap();
    assert!(smallest > MAX_PICTURE_BYTES.max(MAX_FAQ_CSV_BYTES), "{smallest}");
}
