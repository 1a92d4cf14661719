//! Checks that the documentation agrees with the code.

use std::{collections::BTreeSet, path::Path};

use contract::{ErrorCode, branding::MAX_PICTURE_BYTES, faq::import::MAX_FAQ_CSV_BYTES, jobs::JobKind};

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

/// The cells of the rows of "Every bound" in docs/operations.md, the head first.
fn bounds() -> Vec<Vec<String>> {
    let page = page("operations.md");
    let (_, section) = page.split_once("\n## Every bound\n").unwrap();
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let lines = section.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let rows = lines.filter(|line| !line.starts_with("---"));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn every_numeric_setting_is_in_the_table_of_bounds() {
    /// Settings with a number that bounds nothing.
    const NO_BOUND: &[&str] = &["rag.relevance_threshold"];
    let cells: String = bounds().concat().join("\n");
    for setting in server::config::SETTINGS.iter() {
        if !setting.allowed.starts_with("a number ") || NO_BOUND.contains(&setting.key) {
            continue;
        }
        let default = if setting.default.is_empty() { "-".to_owned() } else { format!("`{}`", setting.default) };
        let written = format!("`{}` ({default})", setting.key);
        assert_eq!(cells.matches(&written).count(), 1, "docs/operations.md, \"Every bound\": {written}");
    }
}

#[test]
fn every_endpoint_and_kind_of_job_has_one_row_in_the_table_of_bounds() {
    const COLUMNS: [&str; 10] = [
        "what",
        "bytes in memory",
        "bytes on disk",
        "seconds",
        "rows",
        "calls to other systems",
        "bound per tenant",
        "bound per address or person",
        "bound in all",
        "beyond it",
    ];
    let rows = bounds();
    assert_eq!(rows[0], COLUMNS);
    for row in &rows {
        assert!(row.len() == COLUMNS.len() && row.iter().all(|cell| !cell.is_empty()), "an empty cell: {row:?}");
    }
    let names = rows[1..].iter().flat_map(|row| row[0].split('`').skip(1).step_by(2).map(str::to_owned));
    let written: Vec<String> = names.collect();
    let endpoints = contract::table().into_iter().map(|endpoint| endpoint.name.to_owned());
    let functions = app::server_fns::table().into_iter().map(|function| function.path.to_owned());
    let jobs = JobKind::ALL.iter().map(|kind| kind.as_str().to_owned());
    let known: Vec<String> = endpoints.chain(functions).chain(jobs).collect();
    let count = |names: &[String], name: &String| names.iter().filter(|other| *other == name).count();
    let is_wrong = |name: &&String| (count(&written, name), count(&known, name)) != (1, 1);
    let wrong: BTreeSet<_> = known.iter().chain(&written).filter(is_wrong).collect();
    assert!(wrong.is_empty(), "docs/operations.md, \"Every bound\": without a row, with two, or unknown: {wrong:?}");
}

#[test]
fn the_nginx_site_lets_the_platform_refuse_large_bodies() {
    let site = page("../deploy/nginx-site.conf");
    let sizes = site.lines().filter_map(|line| line.trim().strip_prefix("client_max_body_size ")?.strip_suffix("m;"));
    let smallest = sizes.map(|size| size.parse::<usize>().unwrap() * 1024 * 1024).min().unwrap();
    assert!(smallest > MAX_PICTURE_BYTES.max(MAX_FAQ_CSV_BYTES), "{smallest}");
}
