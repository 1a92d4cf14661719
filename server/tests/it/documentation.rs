//! Checks that the documentation agrees with the code.

use std::{collections::BTreeSet, path::Path};

use contract::{ErrorCode, branding::MAX_PICTURE_BYTES, faq::import::MAX_FAQ_CSV_BYTES, jobs::JobKind};

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)).unwrap()
}

#[test]
fn every_error_code_is_documented_with_its_status() {
    let page = page("errors.md");
    let mut status = 0;
    let mut written = BTreeSet::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            status = heading.parse().unwrap();
        } else if let Some((code, meaning)) = line.strip_prefix("- `").and_then(|item| item.split_once("`: ")) {
            assert!(meaning.len() > 10, "a code without a meaning: {line}");
            assert!(written.insert((status, code.to_owned())), "a code that is listed twice: {line}");
        }
    }
    let defined: BTreeSet<(u16, String)> =
        ErrorCode::ALL.iter().map(|code| (code.status(), code.as_str().to_owned())).collect();
    assert_eq!(written, defined);
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

/// An entry of "Every bound" in docs/operations.md.
struct Bound {
    title: String,
    /// Endpoints, server functions and kinds of jobs.
    names: Vec<String>,
    /// The label and the text of each item.
    items: Vec<(String, String)>,
}

fn bounds() -> Vec<Bound> {
    let page = page("operations.md");
    let (_, section) = page.split_once("\n## Every bound\n").unwrap();
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let bound = |entry: &str| {
        let (title, text) = entry.split_once('\n').unwrap();
        let mut parts = text.trim_end().split("\n- ");
        let names = parts.next().unwrap().split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let items = parts.map(|item| {
            let (label, text) = item.split_once("**: ").unwrap_or_else(|| panic!("an item without a label: {item}"));
            (label.trim_start_matches('*').to_owned(), text.split_whitespace().collect::<Vec<_>>().join(" "))
        });
        Bound { title: title.to_owned(), names, items: items.collect() }
    };
    section.split("\n### ").skip(1).map(bound).collect()
}

#[test]
fn each_numeric_setting_is_among_the_bounds() {
    /// Settings with a number that bounds nothing.
    const NO_BOUND: &[&str] = &["rag.relevance_threshold"];
    let texts: Vec<String> = bounds().into_iter().flat_map(|bound| bound.items).map(|(_, text)| text).collect();
    let texts = texts.join("\n");
    for setting in server::config::SETTINGS.iter() {
        if !setting.allowed.starts_with(|first: char| first.is_ascii_digit()) || NO_BOUND.contains(&setting.key) {
            continue;
        }
        let default = if setting.default.is_empty() { "-".to_owned() } else { format!("`{}`", setting.default) };
        let written = format!("`{}` ({default})", setting.key);
        assert_eq!(texts.matches(&written).count(), 1, "docs/operations.md, \"Every bound\": {written}");
    }
}

#[test]
fn each_endpoint_and_job_has_one_entry_of_bounds() {
    const LABELS: [&str; 9] = ["Memory", "Disk", "Time", "Rows", "Calls", "Tenant", "Caller", "In all", "Beyond"];
    let bounds = bounds();
    for Bound { title, items, .. } in &bounds {
        let positions: Vec<_> =
            items.iter().map(|(label, _)| LABELS.iter().position(|listed| listed == label)).collect();
        assert!(positions.is_sorted_by(|one, next| one < next) && positions[0].is_some(), "{title}: {items:?}");
        assert!(items.len() > 1 && items.iter().all(|(_, text)| !text.is_empty()), "{title}: {items:?}");
        assert_eq!(items.last().unwrap().0, "Beyond", "{title}");
    }
    let written: Vec<String> = bounds.into_iter().flat_map(|bound| bound.names).collect();
    let endpoints = contract::table().into_iter().map(|endpoint| endpoint.name.to_owned());
    let functions = app::server_fns::table().into_iter().map(|function| function.path.to_owned());
    let jobs = JobKind::ALL.iter().map(|kind| kind.as_str().to_owned());
    let expected: Vec<String> = endpoints.chain(functions).chain(jobs).collect();
    let count = |names: &[String], name: &String| names.iter().filter(|other| *other == name).count();
    let is_wrong = |name: &&String| (count(&written, name), count(&expected, name)) != (1, 1);
    let wrong: BTreeSet<_> = expected.iter().chain(&written).filter(is_wrong).collect();
    assert!(wrong.is_empty(), "docs/operations.md, \"Every bound\": without an entry, with two, or unknown: {wrong:?}");
}

#[test]
fn the_nginx_site_lets_the_platform_refuse_large_bodies() {
    let site = page("../deploy/nginx-site.conf");
    let sizes = site.lines().filter_map(|line| line.trim().strip_prefix("client_max_body_size ")?.strip_suffix("m;"));
    let smallest = sizes.map(|size| size.parse::<usize>().unwrap() * 1024 * 1024).min().unwrap();
    assert!(smallest > MAX_PICTURE_BYTES.max(MAX_FAQ_CSV_BYTES), "{smallest}");
}
