//! Lines of a DOCX with tabulators, and signs of its formulas.

use super::docx::{document, paragraph, run};

fn text(body: &str) -> String {
    document(body, &[]).sections.into_iter().map(|section| section.text).collect::<Vec<_>>().join("\n\n")
}

/// Lines whose cells are written between commas.
fn lines(lines: &[&str]) -> String {
    let tabs = "<w:pPr><w:tabs><w:tab w:pos=\"900\"/></w:tabs></w:pPr>";
    let line = |line: &&str| {
        let cells: Vec<String> = line.split(',').map(|cell| run("", cell)).collect();
        format!("<w:p>{tabs}{}</w:p>", cells.join("<w:r><w:tab/></w:r>"))
    };
    lines.iter().map(line).collect()
}

#[test]
fn lines_with_as_many_tabulators_are_a_table() {
    let body =
        paragraph("", "Prices") + &lines(&["Boat,Hour,,Day", "Canoe,9 €,30 €", "Raft,,12 €,45 €", "All with vests."]);
    let table = "| Boat | Hour | Day |\n|---|---|---|\n| Canoe | 9 € | 30 € |\n| Raft | 12 € | 45 € |";
    assert_eq!(text(&body), format!("Prices\n\n{table}\n\nAll with vests."));
}

#[test]
fn other_lines_with_tabulators_are_paragraphs() {
    let paragraphs = text(&lines(&["Signed,Berlin,2026", "Anna Alt,Ben Bau,Cem Can", "Adults,12 €"]));
    assert_eq!(paragraphs, "Signed Berlin 2026\n\nAnna Alt Ben Bau Cem Can\n\nAdults 12 €");
}

#[test]
fn roots_sums_and_brackets_of_formulas_are_shown() {
    let part = |text: &str| format!("<m:e><m:r><m:t>{text}</m:t></m:r></m:e>");
    let sum = "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr>".to_owned() + &part("a") + "</m:nary>";
    let brackets =
        "<m:d><m:dPr><m:begChr m:val=\"[\"/><m:endChr m:val=\"]\"/></m:dPr>".to_owned() + &part("y") + "</m:d>";
    let formula = format!("<m:rad><m:radPr/>{}</m:rad>{sum}{brackets}<m:d>{}</m:d>", part("x"), part("z"));
    assert_eq!(text(&format!("<w:p><m:oMath xmlns:m=\"m\">{formula}</m:oMath></w:p>")), "√x∑a[y](z)");
}
