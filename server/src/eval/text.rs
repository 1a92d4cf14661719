//! The figures as text for a terminal.

use std::fmt::Write as _;

use super::{Figures, Outcome, VARIANTS};

/// The report: a table of each way of searching, what was answered, and how long it took; then every question that went
/// wrong.
pub fn text(outcomes: &[Outcome], figures: &Figures) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:<14} {:>5} {:>22} {:>22} {:>22}", "", "", "recall@1", "recall@5", "MRR");
    let names = VARIANTS.map(|name| format!("{name:>7}")).concat();
    let _ = writeln!(out, "{:<14} {:>5} {names:>22} {names:>22} {names:>22}  answered  right", "group", "count");
    for row in &figures.rows {
        let cells = |values: &[f64; 3]| values.map(|value| format!("{value:>7.2}")).concat();
        let right = if row.answerable > 0 { format!("{:.2}", row.right) } else { "-".to_owned() };
        let [one, five, mrr] = if row.answerable > 0 {
            [cells(&row.recall_1), cells(&row.recall_5), cells(&row.mrr)]
        } else {
            [const { String::new() }; 3]
        };
        let _ = writeln!(
            out,
            "{:<14} {:>5} {one:>22} {five:>22} {mrr:>22} {:>9.2} {right:>6}",
            row.name, row.count, row.answered
        );
    }
    out.push('\n');
    for (name, (p50, p95)) in ["embedding", "search", "extraction", "together"].iter().zip(figures.times) {
        let millis = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        let _ = writeln!(out, "{name:<12} p50 {:>7.1} ms   p95 {:>7.1} ms", millis(p50), millis(p95));
    }
    for (title, list) in faults(outcomes) {
        let _ = writeln!(out, "\n{title} ({})", list.len());
        for outcome in list {
            let _ = writeln!(out, "  {:.2}  {}", outcome.best_cosine, outcome.question.question);
        }
    }
    out
}

/// Questions that went wrong, by how.
pub(super) fn faults(outcomes: &[Outcome]) -> Vec<(&'static str, Vec<&Outcome>)> {
    let pick = |holds: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|o| holds(o)).collect::<Vec<_>>();
    let mut faults = vec![
        ("Refused although there is an answer", pick(&|o| o.question.is_answerable() && !o.answered)),
        ("Answered from another passage", pick(&|o| o.question.is_answerable() && o.answered && !o.is_right)),
        ("Answered although there is no answer", pick(&|o| !o.question.is_answerable() && o.answered)),
    ];
    faults.retain(|(_, list)| !list.is_empty());
    faults
}
