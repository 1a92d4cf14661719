//! What the written documentation says is what the code does.

use std::{collections::BTreeSet, path::Path};

use contract::ErrorCode;

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)).unwrap()
}

#[test]
fn every_error_code_stands_in_the_documentation_with_its_status() {
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
