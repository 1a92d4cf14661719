//! The figures as one HTML page with charts.

use std::fmt::Write as _;

use super::{
    Figures, QuestionOutcome,
    figures::{Metrics, Row, STEPS},
    text::{faults, optional},
};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color-scheme:light dark}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .7rem;text-align:right;\
border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}svg text{fill:currentColor;font-size:12px}\
.b0{fill:#9aa5b1}.b1{fill:#c99a2e}.b2{fill:#7aa97a}.b3{fill:#2563eb}.b4{fill:#9333ea}.axis{stroke:#8888}";
const BAR: usize = 16;
const WIDTH: usize = 420;

/// The report as a self-contained page.
pub fn html(title: &str, outcomes: &[QuestionOutcome], figures: &Figures) -> String {
    let title = escape(title);
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style><h1>{title}</h1><p>{} questions.</p>",
        outcomes.len()
    );
    let answerable: Vec<&Row> = figures.rows.iter().filter(|row| row.answerable > 0).collect();
    plot(&mut page, "Right passage among the first five", &answerable, |metrics| metrics.recall_5);
    plot(&mut page, "Right passage first", &answerable, |metrics| metrics.recall_1);
    plot(&mut page, "Answered from a right passage", &answerable, |metrics| metrics.right);
    table(&mut page, figures);
    cosines(&mut page, outcomes);
    times(&mut page, figures);
    for (name, list) in faults(outcomes) {
        // Writing to a string cannot fail.
        let _ = write!(page, "<h2>{name} ({})</h2><ul>", list.len());
        for outcome in list {
            let _ = write!(page, "<li>{} <small>({:.2})</small>", escape(&outcome.question.question), outcome.evidence);
        }
        page.push_str("</ul>");
    }
    page.push('\n');
    page
}

/// Bars from 0 to 1: for each group one for each way of searching.
fn plot(page: &mut String, title: &str, rows: &[&Row], value: impl Fn(&Metrics) -> f64) {
    let group = BAR * rows.first().map_or(0, |row| row.metrics.len()) + 14;
    let height = rows.len() * group + 24;
    let _ = write!(
        page,
        "<h2>{title}</h2><svg role=\"img\" aria-label=\"{title}; the table below has the figures\" width=\"640\" \
         height=\"{height}\" viewBox=\"0 0 640 {height}\">"
    );
    for (index, row) in rows.iter().enumerate() {
        let top = index * group;
        let _ = write!(page, "<text x=\"0\" y=\"{}\">{}</text>", top + group / 2, escape(&row.name));
        for (variant, metrics) in row.metrics.iter().enumerate() {
            let (value, y) = (value(metrics), top + variant * BAR);
            #[allow(clippy::cast_precision_loss, reason = "a width in pixels")]
            let width = value * WIDTH as f64;
            let _ = write!(
                page,
                "<rect class=\"b{variant}\" x=\"110\" y=\"{y}\" width=\"{width:.0}\" height=\"{}\"/>\
                 <text x=\"{:.0}\" y=\"{}\">{value:.2}{}</text>",
                BAR - 3,
                116.0 + width,
                y + BAR - 5,
                if index == 0 { format!(" {}", metrics.variant.name()) } else { String::new() }
            );
        }
    }
    page.push_str("</svg>");
}

fn table(page: &mut String, figures: &Figures) {
    page.push_str(
        "<h2>Figures</h2><table><tr><th>group<th>questions<th>search<th>recall@1<th>recall@5<th>MRR<th>answered<th>right\
         <th>answered without an answer<th>words in the text<th>words that are read<th>complete<th>median length",
    );
    for row in &figures.rows {
        for metrics in &row.metrics {
            let _ = write!(page, "<tr><td>{}<td>{}<td>{}", escape(&row.name), row.count, metrics.variant.name());
            let Metrics {
                recall_1, recall_5, mrr, answered, right, invented, in_text, read, complete, characters, ..
            } = *metrics;
            for value in [recall_1, recall_5, mrr, answered, right] {
                let _ = if row.answerable > 0 { write!(page, "<td>{value:.2}") } else { write!(page, "<td>") };
            }
            let _ = write!(page, "<td>{invented} of {}", row.count - row.answerable);
            let length = characters.map_or_else(|| "-".to_owned(), |characters| characters.to_string());
            let _ =
                write!(page, "<td>{}<td>{}<td>{}<td>{length}", optional(in_text), optional(read), optional(complete));
        }
    }
    page.push_str("</table>");
}

/// The distribution of the evidence for answerable and unanswerable questions.
fn cosines(page: &mut String, outcomes: &[QuestionOutcome]) {
    page.push_str(
        "<h2>Evidence</h2><p>One dot a question: above those with an answer, below those without, by the probability that the \
         best passage answers it.</p><svg role=\"img\" aria-label=\"evidence of each question\" \
         width=\"640\" height=\"90\" viewBox=\"0 0 640 90\"><line class=\"axis\" x1=\"20\" x2=\"620\" y1=\"70\" y2=\"70\"/>",
    );
    for outcome in outcomes {
        let x = 20.0 + 600.0 / (1.0 + (-outcome.evidence).exp());
        let (y, class) = if outcome.question.is_answerable() { (25, 3) } else { (50, 1) };
        let _ = write!(page, "<circle class=\"b{class}\" cx=\"{x:.0}\" cy=\"{y}\" r=\"5\" fill-opacity=\".6\"/>");
    }
    for tenth in 0..=10 {
        let _ = write!(
            page,
            "<text x=\"{}\" y=\"86\" text-anchor=\"middle\">{:.1}</text>",
            20 + 60 * tenth,
            f64::from(tenth) / 10.0
        );
    }
    page.push_str("</svg>");
}

fn times(page: &mut String, figures: &Figures) {
    page.push_str("<h2>Time</h2><table><tr><th>step<th>p50 ms<th>p95 ms");
    for (name, (p50, p95)) in STEPS.iter().zip(figures.times) {
        let _ = write!(page, "<tr><td>{name}<td>{:.1}<td>{:.1}", p50.as_secs_f64() * 1e3, p95.as_secs_f64() * 1e3);
    }
    page.push_str("</table>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
