//! All sets of an evaluation in one table, for the visitors' variant.

use std::fmt::Write as _;

use super::{
    Grouping, Intervals, Row, SetReport,
    intervals::{Interval, invented_share, visitors},
};

/// One line for each half and one for the whole of each set, with the middle 95 % of each figure in brackets.
pub fn summary(sets: &[SetReport]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:<18} {:<6} {:>5}  {:<16} {:<16} {:<16} {:<16} {:<16} {:<16} {:<16} {:<16} {:<16}",
        "set",
        "group",
        "count",
        "recall@1",
        "recall@5",
        "right",
        "in text",
        "read",
        "without answer",
        "AUC",
        "not sure",
        "none"
    );
    for set in sets {
        let rows = set.figures.rows.iter().filter(|row| row.by != Grouping::Kind);
        for row in rows {
            let name = if set.tuned { format!("{} (tuned)", set.name) } else { set.name.clone() };
            let _ = writeln!(out, "{name:<18} {:<6} {:>5}  {}", row.name, row.count, cells(set, row).trim_end());
        }
    }
    out
}

fn cells(set: &SetReport, row: &Row) -> String {
    let group = set.group(row);
    let (Some(metrics), intervals) = (visitors(&group), Intervals::of(&group)) else { return String::new() };
    let cells = [
        (Some(metrics.recall_1), intervals.recall_1),
        (Some(metrics.recall_5), intervals.recall_5),
        (Some(metrics.right), intervals.right),
        (metrics.in_text, intervals.in_text),
        (metrics.read, intervals.read),
        (invented_share(&group), intervals.invented),
        (row.auc, intervals.auc),
        (Some(metrics.low), None),
        (Some(metrics.none), None),
    ];
    cells.map(|(value, interval)| format!("{:<16}", cell(value, interval))).join(" ")
}

fn cell(value: Option<f64>, interval: Interval) -> String {
    match (value, interval) {
        (Some(value), Some((low, high))) => format!("{value:.2} ({low:.2}-{high:.2})"),
        (Some(value), None) => format!("{value:.2}"),
        (None, _) => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Figures, figures::tests::outcome};

    #[test]
    fn each_set_has_a_line_for_its_halves_and_its_whole() {
        let outcomes =
            vec![outcome("direct", Some(1), Some("It closes at six."), true), outcome("none", None, None, false)];
        let figures = Figures::of(&outcomes);
        let (name, language) = ("english".to_owned(), "en".to_owned());
        let text = summary(&[SetReport { name, language, tuned: true, outcomes, figures }]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[1].starts_with("english (tuned)    half b     2  1.00 (1.00-1.00)"), "{text}");
        assert!(
            lines[2].contains("all") && lines[2].ends_with(" 0.00 (0.00-0.00) 1.00             0.00             0.00"),
            "{text}"
        );
        assert!(lines[0].trim_end().ends_with(" not sure         none"), "{text}");
    }
}
