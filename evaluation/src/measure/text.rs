//! The figures as text for a terminal.

use std::fmt::Write as _;

use super::{Figures, QuestionOutcome, STEPS};

/// The report: a table of each group and way of searching, and how long it took; then every question that went wrong in
/// the way that visitors get, the last one of each group.
pub fn text(outcomes: &[QuestionOutcome], figures: &Figures) -> String {
    let mut out = String::new();
    table(&mut out, figures);
    out.push('\n');
    for (name, (p50, p95)) in STEPS.iter().zip(figures.times) {
        let millis = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        let _ = writeln!(out, "{name:<12} p50 {:>7.1} ms   p95 {:>7.1} ms", millis(p50), millis(p95));
    }
    for (title, list) in faults(outcomes) {
        let _ = writeln!(out, "\n{title} ({})", list.len());
        for outcome in list {
            let _ = writeln!(out, "  {:.2}  {}", outcome.evidence, outcome.question.question);
        }
    }
    out
}

/// Each group and way of searching.
fn table(out: &mut String, figures: &Figures) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:<14} {:>5}  {:<10} {:>8} {:>8} {:>6} {:>8} {:>6} {:>14} {:>7} {:>5} {:>8} {:>6} {:>5} {:>8} {:>5}",
        "group",
        "count",
        "search",
        "recall@1",
        "recall@5",
        "MRR",
        "answered",
        "right",
        "without answer",
        "in text",
        "read",
        "complete",
        "length",
        "AUC",
        "not sure",
        "none"
    );
    for row in &figures.rows {
        for (number, metrics) in row.metrics.iter().enumerate() {
            let (name, count, auc) = if number == 0 {
                (row.name.as_str(), row.count.to_string(), optional(row.auc))
            } else {
                Default::default()
            };
            let _ = write!(out, "{name:<14} {count:>5}  {:<10}", metrics.variant.name());
            let share = |value: f64| if row.answerable > 0 { format!("{value:.2}") } else { "-".to_owned() };
            let _ = writeln!(
                out,
                " {:>8} {:>8} {:>6} {:>8} {:>6} {:>14} {:>7} {:>5} {:>8} {:>6} {auc:>5} {:>8} {:>5}",
                share(metrics.recall_1),
                share(metrics.recall_5),
                share(metrics.mrr),
                share(metrics.answered),
                share(metrics.right),
                format!("{} of {}", metrics.invented, row.count - row.answerable),
                optional(metrics.in_text),
                optional(metrics.read),
                optional(metrics.complete),
                metrics.characters.map_or_else(|| "-".to_owned(), |characters| characters.to_string()),
                share(metrics.low),
                share(metrics.none),
            );
        }
    }
}

/// A share, or a dash for `None`.
pub(super) fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

/// Questions that went wrong, by how.
pub(super) fn faults(outcomes: &[QuestionOutcome]) -> Vec<(&'static str, Vec<&QuestionOutcome>)> {
    let pick = |holds: &dyn Fn(&QuestionOutcome) -> bool| outcomes.iter().filter(|o| holds(o)).collect::<Vec<_>>();
    let mut faults = vec![
        ("Refused, or not sure, although there is an answer", pick(&|o| o.question.is_answerable() && !o.answered())),
        ("Answered from another passage", pick(&|o| o.question.is_answerable() && o.answered() && !o.is_right())),
        ("Answered although there is no answer", pick(&|o| !o.question.is_answerable() && o.answered())),
    ];
    faults.retain(|(_, list)| !list.is_empty());
    faults
}
