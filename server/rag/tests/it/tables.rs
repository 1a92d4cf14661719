//! Price tables in twenty layouts: the answer has the asked cell with its heads, and no cell of another row.

use rag::{
    chunk::{ChunkLimits, Passage, chunk},
    document::read_document,
    embed::{Embedder, Purpose, cosine},
    generate::extractive,
    retrieve::{Calibration, Candidate, rank},
    terms::{overlap, terms},
};
use uuid::Uuid;

use crate::model::EMBEDDER;

/// A page with prices, a question about one of them, what its answer must have, and what it must not have.
struct Layout {
    name: &'static str,
    file: &'static str,
    page: String,
    question: &'static str,
    has: &'static [&'static str],
    lacks: &'static [&'static str],
}

fn layout(
    (name, file): (&'static str, &'static str),
    page: impl Into<String>,
    question: &'static str,
    has: &'static [&'static str],
    lacks: &'static [&'static str],
) -> Layout {
    Layout { name, file, page: page.into(), question, has, lacks }
}

fn html(body: &str) -> String {
    format!(
        "<!doctype html><html><head><title>Prices</title></head><body><main><h1>Prices</h1>{body}</main></body></html>"
    )
}

fn layouts() -> Vec<Layout> {
    let rows: String = (1..=40).map(|n| format!("| Course {n} | {} euros |\n", 100 + n)).collect();
    vec![
        layout(
            ("two columns", "a.md"),
            "# Prices\n\n| Service | Price |\n|---|---|\n| Haircut | 25 € |\n| Beard trim | 12 € |\n| Colouring | 48 € |\n",
            "How much is a beard trim?",
            &["Beard trim", "Price: 12 €"],
            &["25 €", "48 €"],
        ),
        layout(
            ("the price first", "a.md"),
            "# Prices\n\n| Price | Service |\n|---|---|\n| 25 € | Haircut |\n| 12 € | Beard trim |\n| 48 € | Colouring |\n",
            "How much is a beard trim?",
            &["Beard trim", "12 €"],
            &["25 €", "48 €"],
        ),
        layout(
            ("a head of its own", "a.html"),
            html(
                "<table><thead><tr><th>Ticket</th><th>Price</th></tr></thead><tbody><tr><td>Adults</td><td>7.50 €</td></tr><tr><td>Pensioners</td><td>5.20 €</td></tr></tbody></table>",
            ),
            "What do pensioners pay?",
            &["Pensioners", "5.20 €"],
            &["7.50 €"],
        ),
        layout(
            ("no marked head", "a.html"),
            html(
                "<table><tr><td><b>Ticket</b></td><td><b>Price</b></td></tr><tr><td>Adults</td><td>7.50 €</td></tr><tr><td>Pensioners</td><td>5.20 €</td></tr></table>",
            ),
            "What do pensioners pay?",
            &["Pensioners", "5.20 €"],
            &["7.50 €"],
        ),
        layout(
            ("heads of rows", "a.html"),
            html(
                "<table><tr><th></th><th>Members</th><th>Guests</th></tr><tr><th scope=row>Tennis court</th><td>8 €</td><td>14 €</td></tr><tr><th scope=row>Squash court</th><td>6 €</td><td>11 €</td></tr></table>",
            ),
            "What does a squash court cost for guests?",
            &["Squash court", "Guests: 11 €"],
            &["14 €", "8 €"],
        ),
        layout(
            ("a head over two columns", "a.html"),
            html(
                "<table><tr><th rowspan=2>Room</th><th colspan=2>Summer</th></tr><tr><th>Weekday</th><th>Weekend</th></tr><tr><td>Single room</td><td>60 €</td><td>75 €</td></tr><tr><td>Double room</td><td>90 €</td><td>110 €</td></tr></table>",
            ),
            "How much is a double room at the weekend?",
            &["Double room", "110 €"],
            &["60 €", "75 €"],
        ),
        layout(
            ("a cell over two rows", "a.html"),
            html(
                "<table><tr><th>Category</th><th>Item</th><th>Price</th></tr><tr><td rowspan=2>Bicycles</td><td>City bike</td><td>12 €</td></tr><tr><td>Cargo bike</td><td>30 €</td></tr><tr><td>Helmets</td><td>Adult helmet</td><td>3 €</td></tr></table>",
            ),
            "What does it cost to rent a cargo bike?",
            &["Cargo bike", "30 €"],
            &["12 €", "3 €"],
        ),
        layout(
            ("a caption and a note", "a.html"),
            html(
                "<table><caption>Fees for passports</caption><tr><th>Document</th><th>Fee</th></tr><tr><td>Passport</td><td>70 €</td></tr><tr><td>Identity card</td><td>37 €</td></tr></table><p>Fees are paid in cash.</p>",
            ),
            "What is the fee for an identity card?",
            &["Identity card", "37 €"],
            &["70 €"],
        ),
        layout(
            ("terms and definitions", "a.html"),
            html(
                "<dl><dt>Dog check-up</dt><dd>45 €</dd><dt>Cat check-up</dt><dd>38 €</dd><dt>Vaccination</dt><dd>52 €</dd></dl>",
            ),
            "How much is a cat check-up?",
            &["Cat check-up", "38 €"],
            &[],
        ),
        layout(
            ("dots between name and price", "a.txt"),
            "Prices\n\nHaircut ............ 25 €\nBeard trim ......... 12 €\nColouring .......... 48 €\n",
            "How much is a beard trim?",
            &["Beard trim", "12 €"],
            &[],
        ),
        layout(
            ("a list", "a.md"),
            "# Prices\n\n- Haircut: 25 €\n- Beard trim: 12 €\n- Colouring: 48 €\n",
            "How much is a beard trim?",
            &["Beard trim: 12 €"],
            &[],
        ),
        layout(
            ("services in the columns", "a.md"),
            "# Plans\n\n| | Basic | Team | Company |\n|---|---|---|---|\n| Price per month | 9 € | 29 € | 99 € |\n| Users | 1 | 10 | 100 |\n",
            "What is the price per month of the Team plan?",
            &["Price per month", "Team: 29 €"],
            &["Users"],
        ),
        layout(
            ("a table in a table", "a.html"),
            html(
                "<table><tr><td><table><tr><th>Ticket</th><th>Price</th></tr><tr><td>Adults</td><td>7.50 €</td></tr><tr><td>Pensioners</td><td>5.20 €</td></tr></table></td></tr></table>",
            ),
            "What do pensioners pay?",
            &["Pensioners", "5.20 €"],
            &["7.50 €"],
        ),
        layout(
            ("two tables below headings", "a.html"),
            html(
                "<h2>Adults</h2><table><tr><th>Course</th><th>Fee</th></tr><tr><td>Swimming</td><td>90 €</td></tr><tr><td>Diving</td><td>150 €</td></tr></table><h2>Children</h2><table><tr><th>Course</th><th>Fee</th></tr><tr><td>Swimming</td><td>55 €</td></tr><tr><td>Diving</td><td>80 €</td></tr></table>",
            ),
            "What is the fee of the swimming course for children?",
            &["Swimming", "55 €"],
            &["90 €", "80 €", "150 €"],
        ),
        layout(
            ("no table element", "a.html"),
            html(
                "<div class=row><div>Haircut</div><div>25 €</div></div><div class=row><div>Beard trim</div><div>12 €</div></div>",
            ),
            "How much is a beard trim?",
            &["Beard trim", "12 €"],
            &[],
        ),
        layout(
            ("empty cells", "a.md"),
            "# Prices\n\n| Ware | Small | Large |\n|---|---|---|\n| Rye bread | 3.20 € | |\n| Wheat bread | | 4.80 € |\n| Rolls | 0.50 € | |\n",
            "How much is the large wheat bread?",
            &["Wheat bread", "Large: 4.80 €"],
            &["3.20 €", "0.50 €"],
        ),
        layout(
            ("forty rows", "a.md"),
            format!("# Courses\n\n| Title | Price |\n|---|---|\n{rows}"),
            "What does course 27 cost?",
            &["Course 27", "127 euros"],
            &["126 euros", "128 euros", "102 euros"],
        ),
        layout(
            ("the unit in the head", "a.md"),
            "# Prices\n\n| Service | Price (€) | Time (min) |\n|---|---|---|\n| Massage | 48 | 40 |\n| Foot care | 32 | 30 |\n",
            "What is the price of foot care?",
            &["Foot care", "Price (€): 32"],
            &["48"],
        ),
        layout(
            ("days and times", "a.html"),
            html(
                "<table><tr><th>Day</th><th>Morning</th><th>Afternoon</th></tr><tr><td>Monday</td><td>8 to 12</td><td>14 to 17</td></tr><tr><td>Wednesday</td><td>8 to 13</td><td>closed</td></tr></table>",
            ),
            "When is the office open on Wednesday morning?",
            &["Wednesday", "Morning: 8 to 13"],
            &["14 to 17"],
        ),
        layout(
            ("text around the table", "a.md"),
            "# Repairs\n\nAll prices include tax.\n\n| Repair | Price |\n|---|---|\n| Flat tyre | 15 € |\n| Brake pads | 28 € |\n| New chain | 35 € |\n\nSpare parts cost extra.\n",
            "How much do new brake pads cost?",
            &["Brake pads", "Price: 28 €"],
            &["15 €", "35 €"],
        ),
    ]
}

/// What is quoted from the page.
async fn ask(layout: &Layout) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(layout.file);
    std::fs::write(&path, &layout.page).unwrap();
    let document = read_document(&path, folder.path()).unwrap();
    let passages = chunk(&document, &ChunkLimits::default());
    let texts = passages.iter().map(|passage| passage.embedding_text(&document.title)).collect();
    let vectors = EMBEDDER.embed(texts, Purpose::Document).await.unwrap();
    let vector = EMBEDDER.embed(vec![layout.question.to_owned()], Purpose::Query).await.unwrap().remove(0);
    let candidate = |(id, (passage, passage_vector)): (usize, (Passage, Vec<f32>))| {
        let Passage { heading, content, .. } = passage;
        let words = overlap(&terms(layout.question), &format!("{heading}\n{content}"));
        let cosine = cosine(&vector, &passage_vector);
        Candidate {
            cosine,
            words,
            coverage: words,
            ..Candidate::new(Uuid::from_u64_pair(0, id as u64), &document.title, heading, content)
        }
    };
    let mut candidates: Vec<_> = passages.into_iter().zip(vectors).enumerate().map(candidate).collect();
    candidates.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
    let candidates = rank(&candidates, &[], &Calibration::of(EMBEDDER.model(), 0.45));
    let answer = extractive::answer(layout.question, "en", &vector, &candidates, &[], &*EMBEDDER).await.unwrap();
    answer.map(|answer| answer.text.replace("**", "")).unwrap_or_default()
}

#[tokio::test]
async fn the_asked_cell_is_quoted_with_its_heads() {
    let layouts = layouts();
    assert_eq!(layouts.len(), 20);
    let mut wrong = Vec::new();
    for layout in &layouts {
        let answer = ask(layout).await;
        let missing = layout.has.iter().filter(|text| !answer.contains(**text));
        let other = layout.lacks.iter().filter(|text| answer.contains(**text));
        let faults: Vec<_> =
            missing.map(|text| format!("lacks {text}")).chain(other.map(|text| format!("has {text}"))).collect();
        if !faults.is_empty() {
            wrong.push(format!("{}: {}\n{answer}\n", layout.name, faults.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {} layouts\n\n{}", wrong.len(), layouts.len(), wrong.join("\n"));
}
