//! Quotations of passages that were cut from a longer section, and of sections inside a passage.

use std::collections::HashSet;

use futures::future::BoxFuture;
use uuid::Uuid;

use super::*;

/// A long paragraph about something else.
fn filler() -> String {
    ["The weather of the bay changes often."; 35].join(" ")
}

/// Finds the texts about lanterns.
struct AboutLanterns;

impl Embedder for AboutLanterns {
    fn model(&self) -> &str {
        "about-lanterns"
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn embed(&self, texts: Vec<String>, _purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        let vector = |text: &String| if text.contains("lanterns") { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        let vectors: Vec<Vec<f32>> = texts.iter().map(vector).collect();
        Box::pin(async move { Ok(vectors) })
    }
}

fn candidate(id: u8, content: &str) -> Candidate {
    Candidate {
        cosine: 0.5,
        words: 0.5,
        coverage: 0.5,
        ..Candidate::new(Uuid::from_u128(id.into()), "Harbour", "", content)
    }
}

fn around(before: Option<&str>, after: Option<&str>) -> Adjacent {
    Adjacent { before: before.map(str::to_owned), after: after.map(str::to_owned), ..Adjacent::default() }
}

async fn answer_to(question: &str, candidates: &[Candidate], adjacent: &[Adjacent]) -> Answer {
    answer(question, "en", &[1.0, 0.0], candidates, adjacent, &AboutLanterns).await.unwrap().unwrap()
}

/// The answer from one passage of a section.
async fn quoted(content: &str, before: Option<&str>, after: Option<&str>) -> Answer {
    answer_to("lanterns", &[candidate(1, content)], &[around(before, after)]).await
}

/// A list item of about 100 bytes.
fn step(number: usize) -> String {
    format!("{number}. Carry one more lamp along the long quay of the old harbour to the last of the boats out there.")
}

fn steps(numbers: std::ops::RangeInclusive<usize>) -> String {
    numbers.map(step).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_list_goes_on_in_the_next_passage() {
    let content = format!("{}\n\nTo hang up the lanterns:\n\n1. Take the ladder.\n2. Climb to the hook.", filler());
    let after = format!("…\n\n3. Hang them up.\n4. Light them.\n\n{}", filler());
    let answer = quoted(&content, None, Some(&after)).await;
    assert_eq!(
        answer.text,
        "To hang up the lanterns:\n\n1. Take the ladder.\n2. Climb to the hook.\n3. Hang them up.\n4. Light them. [1]"
    );
    let alone = answer_to("lanterns", &[candidate(1, &content)], &[]).await;
    assert_eq!(alone.text, "To hang up the lanterns:\n\n1. Take the ladder.\n2. Climb to the hook. [1]");
}

#[tokio::test]
async fn a_procedure_starts_with_its_lead_in_from_the_passage_before() {
    let before = format!(
        "{}\n\nDo this every evening:\n\n1. Take the ladder out of the shed.\n2. Carry it to the quay.\n\
         3. Lean it against the mast.\n4. Tie its feet to the rail.",
        filler()
    );
    let content = format!("…\n\n5. Hang the lanterns up.\n6. Light them.\n\n{}", filler());
    let answer = quoted(&content, Some(&before), None).await;
    assert_eq!(
        answer.text,
        "Do this every evening:\n\n1. Take the ladder out of the shed.\n2. Carry it to the quay.\n\
         3. Lean it against the mast.\n4. Tie its feet to the rail.\n5. Hang the lanterns up.\n6. Light them. [1]"
    );
    assert_eq!(answer.citations.len(), 1, "the marker is verified with the text around the passage");
    assert_eq!(answer.sources[0].content, content, "the source is the passage that was found");
    assert!(answer.texts.len() == 1 && answer.texts[0].contains("Lean it against the mast."));
}

#[tokio::test]
async fn a_short_section_of_two_passages_is_quoted_whole() {
    let answer = quoted("…\n\n3. Light the lanterns.", Some("Every evening:\n\n1. Climb.\n2. Wait."), None).await;
    assert_eq!(answer.text, "Every evening:\n\n1. Climb.\n2. Wait.\n3. Light the lanterns. [1]");
}

#[tokio::test]
async fn an_item_that_announces_missing_items_is_left_out() {
    let answer = quoted("Every evening:\n\n- Hang the lanterns up.\n- Light them in this order:", None, None).await;
    assert_eq!(answer.text, "Every evening:\n\n- Hang the lanterns up. [1]");
}

#[tokio::test]
async fn code_in_the_next_passage_belongs_to_the_sentence_before_it() {
    let sentence =
        format!("Switch the lanterns on with the tool, {}as you like.", "or with the other tool, ".repeat(14));
    let after = format!("…\n\n```\nlamp on\n```\n\n{}", filler());
    let answer = quoted(&format!("{}\n\n{sentence}", filler()), None, Some(&after)).await;
    assert_eq!(answer.text, format!("{sentence} [1]\n\n```\nlamp on\n```"));
}

#[tokio::test]
async fn prose_that_was_cut_between_sentences_goes_on() {
    let content = format!("{}\n\nThe lanterns are red in winter.", filler());
    let after = format!("…\n\nThey are green in summer.\n\n{}", filler());
    let answer = quoted(&content, None, Some(&after)).await;
    assert_eq!(answer.text, "The lanterns are red in winter.\n\nThey are green in summer. [1]");
}

#[tokio::test]
async fn a_passage_that_is_quoted_whole_stays_whole() {
    let content = "…\n\nThe lanterns hang on the quay. A guard looks after them. He lights them at six.";
    let answer = quoted(content, Some(&filler()), None).await;
    let text = content.trim_start_matches("…\n\n");
    assert_eq!(answer.text, format!("{text} [1]"));
}

#[tokio::test]
async fn the_prose_of_a_whole_passage_is_quoted() {
    let weather = " The weather of the bay changes often.";
    let (first, second) = (weather.repeat(15), weather.repeat(7));
    let content = format!("The lanterns hang on the quay.{first}\n\nA guard lights them at six.{second}");
    let answer = quoted(&content, Some(&filler()), None).await;
    assert_eq!(answer.text, format!("{content} [1]"));
}

#[tokio::test]
async fn a_title_at_the_end_of_a_passage_is_quoted_with_what_follows() {
    let content = format!("{}\n\nHow to light the lanterns", ["The weather of the bay changes often."; 5].join(" "));
    let after = format!("…\n\nTurn the wheel twice.\n\n{}", filler());
    let answer = quoted(&content, None, Some(&after)).await;
    assert_eq!(answer.text, "How to light the lanterns\n\nTurn the wheel twice. [1]");
    let alone = answer_to("lanterns", &[candidate(1, &content)], &[]).await;
    assert_eq!(alone.text, format!("{content} [1]"));
}

#[tokio::test]
async fn a_title_is_not_quoted_alone_when_its_text_does_not_fit() {
    let weather = "The weather of the bay changes often.";
    let content = format!("{}\n\nHow to light the lanterns", [weather; 5].join(" "));
    let after = format!("…\n\nTurn the wheel twice. {}", [weather; 27].join(" "));
    let answer = quoted(&content, None, Some(&after)).await;
    assert_eq!(answer.text, format!("{content} [1]"));
}

#[tokio::test]
async fn a_list_ends_where_the_room_ends() {
    let content = format!("{}\n\nTo hang up the lanterns:\n\n{}", filler(), steps(1..=6));
    let answer = quoted(&content, None, Some(&format!("…\n\n{}", steps(7..=20)))).await;
    assert!(answer.text.starts_with("To hang up the lanterns:\n\n1. "), "{}", answer.text);
    assert!(
        answer.text.contains("\n7. ") && answer.text.ends_with("out there. [1]\n\n… and 9 more"),
        "{}",
        answer.text
    );
    assert!(answer.left_out == 9 && answer.text.len() <= 1230 && !answer.text.contains("\n12. "), "{}", answer.text);
}

#[tokio::test]
async fn a_list_that_is_too_long_begins_with_its_passage() {
    let before = format!("Every evening:\n\n{}", steps(1..=15));
    let content = format!("…\n\n16. Climb.\n17. Hang the lanterns up.\n18. Light them.\n\n{}", filler());
    let answer = quoted(&content, Some(&before), None).await;
    assert_eq!(answer.text, "16. Climb.\n17. Hang the lanterns up.\n18. Light them. [1]");
}

#[tokio::test]
async fn a_table_that_was_cut_between_rows_is_one_list() {
    let head = "| lanterns | colour |\n|---|---|";
    let content = format!("{}\n\n{head}\n| Bow | red |", filler());
    let answer = quoted(&content, None, Some(&format!("…\n\n{head}\n| Stern | white |"))).await;
    assert_eq!(answer.text, "- **Bow**: colour: red\n- **Stern**: colour: white [1]");
}

#[tokio::test]
async fn two_passages_of_a_section_do_not_repeat_its_text() {
    let first = format!(
        "{}\n\nAll of the lanterns throw their light over moles, buoys, cranes, ferries and the white houses above.\n\n\
         Every evening:\n\n- Open the box.",
        filler()
    );
    let second = "…\n\n- Light the lanterns.\n- Close the box.";
    let candidates = [candidate(2, second), candidate(1, &first)];
    let adjacent = [around(Some(&first), None), around(None, Some(second))];
    let answer = answer_to("lanterns light", &candidates, &adjacent).await;
    assert_eq!(answer.text, "Every evening:\n\n- Open the box.\n- Light the lanterns.\n- Close the box. [1]");
}

/// What is quoted about a stove, and its heading, if the section with the answer has this heading.
async fn quoted_below(heading: &str) -> (String, String) {
    let content = format!(
        "### {heading}\n\nBrush the ashes out first.\n\n### In winter\n\nOnce a year a sweep has to clean the stove."
    );
    let answer = answer_to("How do I clean the stove?", &[candidate(1, &content)], &[]).await;
    (answer.text, answer.sources[0].heading.clone())
}

#[tokio::test]
async fn a_heading_that_names_the_topic_outweighs_a_repetition() {
    let pair = |text: &str, heading: &str| (text.to_owned(), heading.to_owned());
    assert_eq!(quoted_below("Cleaning").await, pair("Brush the ashes out first. [1]", "Cleaning"));
    let repetition = pair("Once a year a sweep has to clean the stove. [1]", "In winter");
    assert_eq!(quoted_below("Cleaning the oven").await, repetition, "it is about something else too");
    assert_eq!(quoted_below("How it works").await, repetition);
}

#[tokio::test]
async fn the_heading_of_the_whole_passage_names_no_topic() {
    let content = "Brush the ashes out first.\n\n### In winter\n\nOnce a year a sweep has to clean the stove.";
    let passage = Candidate { heading: "Cleaning".into(), ..candidate(1, content) };
    let answer = answer_to("How do I clean the stove?", &[passage], &[]).await;
    assert_eq!(answer.text, "Once a year a sweep has to clean the stove. [1]");
}

#[tokio::test]
async fn a_price_comes_before_the_topic_of_a_heading() {
    let content = "### Cleaning the stove\n\nBrush the ashes out first.\n\n\
                   ### Services\n\nA sweep who comes for the stove takes 40 euros.";
    let answer = answer_to("How much does it cost to clean the stove?", &[candidate(1, content)], &[]).await;
    assert_eq!(answer.text, "A sweep who comes for the stove takes 40 euros. [1]");
}

/// What is quoted about lanterns from a passage below this heading.
async fn quoted_under(heading: &str, content: &str) -> Answer {
    answer_to("lanterns", &[Candidate { heading: heading.into(), ..candidate(1, content) }], &[]).await
}

#[tokio::test]
async fn a_list_or_table_without_introduction_is_quoted_with_its_heading() {
    let list = "- Old lanterns\n- Ropes";
    let answer = quoted_under("Fees > What we do not repair", list).await;
    assert_eq!(answer.text, format!("**What we do not repair**\n\n{list} [1]"));
    assert_eq!((answer.citations.len(), answer.sources[0].heading.as_str()), (1, "Fees > What we do not repair"));
    assert!(answer.texts[0].starts_with("What we do not repair\n"), "the marker is verified with the heading");
    let inner = quoted_under("Fees", &format!("### Not repaired\n\n{list}")).await;
    assert_eq!(inner.text, format!("**Not repaired**\n\n{list} [1]"));
    let table = quoted_under("Prices [2]", "| Ware | Price |\n|---|---|\n| Red lanterns | 9 euros |").await;
    assert_eq!(table.text, "**Prices**\n\n- **Red lanterns**: Price: 9 euros [1]");
    for (heading, content) in [
        ("Page 3", list),
        ("Slide 12", list),
        ("Tabelle1", list),
        ("", list),
        ("Not repaired", "We do not repair:\n\n- Old lanterns\n- Ropes"),
        ("Repairs", "We repair lanterns."),
    ] {
        assert_eq!(quoted_under(heading, content).await.text, format!("{content} [1]"), "{heading}");
    }
    let titled = |id: u8, content: &str| Candidate { heading: "Fees".into(), ..candidate(id, content) };
    let both = answer_to("lanterns", &[titled(1, list), titled(2, "- New lanterns\n- Sails")], &[]).await;
    assert_eq!(both.text, format!("**Fees**\n\n{list} [1]\n\n- New lanterns\n- Sails [2]"));
    let prepared = Candidate { heading: "Which?".into(), prepared: true, ..candidate(1, list) };
    assert_eq!(answer_to("lanterns", &[prepared], &[]).await.text, format!("{list} [1]"));
}

/// A table of courses, as a part of a longer one.
fn courses(numbers: std::ops::RangeInclusive<usize>) -> String {
    let row = |number: usize| format!("| Course {number} | {} euros | {} euros |", number + 100, number + 200);
    format!("| Title | Members | Guests |\n|---|---|---|\n{}", numbers.map(row).collect::<Vec<_>>().join("\n"))
}

#[tokio::test]
async fn the_row_that_is_asked_for_is_quoted() {
    let table = [candidate(1, &courses(1..=30))];
    let answer = answer_to("What does course 27 cost for guests?", &table, &[]).await;
    assert_eq!(answer.text, "- **Course 27**: Members: 127 euros; Guests: 227 euros [1]");
    assert_eq!(answer.left_out, 0, "the other rows were not asked for");
}

#[tokio::test]
async fn the_part_of_a_table_with_the_row_is_found_behind_better_passages() {
    let parts = [61..=80, 41..=60, 81..=90, 21..=40].map(|rows| candidate(*rows.start() as u8, &courses(rows)));
    let answer = answer_to("What does course 27 cost for guests?", &parts, &[]).await;
    assert_eq!(answer.text, "- **Course 27**: Members: 127 euros; Guests: 227 euros [1]");
    assert_eq!(answer.sources[0].id.as_u128(), 21);
}

#[tokio::test]
async fn a_table_that_is_cut_says_how_many_rows_are_missing() {
    let around = Adjacent {
        after: Some(format!("…\n\n{}", courses(31..=60))),
        further_rows: vec![(courses(1..=1).lines().take(2).collect::<Vec<_>>().join("\n"), 20)],
        ..Adjacent::default()
    };
    let answer = answer_to("Which courses are there?", &[candidate(1, &courses(1..=30))], &[around]).await;
    let listed = answer.text.matches("- **Course").count();
    assert!(answer.text.starts_with("- **Course 1**") && answer.text.len() < 900, "{}", answer.text);
    assert_eq!(answer.left_out, 80 - listed);
    assert!(answer.text.ends_with(&format!("[1]\n\n… and {} more", 80 - listed)), "{}", answer.text);
}

#[tokio::test]
async fn the_closest_units_are_short_and_name_their_sections() {
    let content = "### Parking\n\nThe lanterns hang at the car park. It is free.\n\n### Fees\n\n| Ware | Price |\n|---|---|\n| Old lanterns | 9 euros |";
    let long = format!("The lanterns are {}red.", "very, very ".repeat(60));
    let passages = [candidate(1, content), candidate(2, &long), candidate(3, "- Light the lanterns")];
    let units = closest("lanterns", "en", &[1.0, 0.0], &passages, &AboutLanterns).await.unwrap();
    let texts: Vec<&str> = units.iter().map(|unit| unit.text.as_str()).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts.iter().map(|text| text.chars().count()).sum::<usize>() <= 700, "{texts:?}");
    let parking = "The lanterns hang at the car park. It is free.";
    assert!(units.iter().any(|unit| unit.source.heading == "Parking" && unit.text == parking), "{texts:?}");
}

#[tokio::test]
async fn a_closest_sentence_comes_with_its_paragraph_and_from_any_of_six_passages() {
    let filling = |id: u8| candidate(id, "We bake bread. Rolls are sold from eight in the morning.");
    let content = "Nobody is at the desk at night. The lanterns stay on. Ring twice.\n\nDogs stay outside.";
    let passages = [filling(1), filling(2), filling(3), filling(4), candidate(5, content)];
    let units = closest("Is it dark there?", "en", &[1.0, 0.0], &passages, &AboutLanterns).await.unwrap();
    assert_eq!(units[0].text, "Nobody is at the desk at night. The lanterns stay on. Ring twice.");
    assert_eq!(units[0].source.id.as_u128(), 5);
    let texts: HashSet<&str> = units.iter().map(|unit| unit.text.as_str()).collect();
    assert_eq!(texts.len(), units.len(), "nothing is quoted twice");
}

#[tokio::test]
async fn the_first_passage_is_among_the_closest_although_others_have_closer_units() {
    let long = |word: &str| format!("The lanterns of the {word} are {}red.", "very ".repeat(80));
    let [roof, wall, gate, pier, quay] = ["roof", "wall", "gate", "pier", "quay"].map(long);
    let closer = [(2, &roof), (3, &wall), (4, &gate), (5, &pier), (6, &quay)].map(|(id, text)| candidate(id, text));
    let bakery = candidate(1, "We bake bread. Rolls are sold from eight in the morning.");
    let passages: Vec<_> = std::iter::once(bakery).chain(closer).collect();
    let units = closest("lanterns", "en", &[1.0, 0.0], &passages, &AboutLanterns).await.unwrap();
    let ids: Vec<u128> = units.iter().map(|unit| unit.source.id.as_u128()).collect();
    assert_eq!(ids[..2], [2, 1], "the closest one, then the passage that was found first");
}

#[tokio::test]
async fn a_long_paragraph_is_quoted_around_its_closest_sentence() {
    let sentence = |word: &str| format!("The {word} is {}green.", "very ".repeat(18));
    let content = ["door", "roof", "lanterns", "wall", "gate"].map(sentence).join(" ");
    let units = closest("lanterns", "en", &[1.0, 0.0], &[candidate(1, &content)], &AboutLanterns).await.unwrap();
    assert!(units[0].text.starts_with("The lanterns is") && units[0].text.contains("The wall is"), "{units:?}");
    assert!(units[0].text.chars().count() <= 300 && !units[0].text.ends_with('…'), "{units:?}");
}

#[tokio::test]
async fn a_question_of_the_document_is_closest_with_its_answer() {
    let content = "Boats leave at noon.\n\n**It is dark. Where are the lanterns?**\n\nBelow deck. Ask the crew.\n\n**Can I swim?**\n\nNo.";
    for question in ["lanterns", "Can I swim?"] {
        let units = closest(question, "en", &[1.0, 0.0], &[candidate(1, content)], &AboutLanterns).await.unwrap();
        let texts: Vec<&str> = units.iter().map(|unit| unit.text.as_str()).collect();
        assert_eq!(texts[0], "**It is dark. Where are the lanterns?** Below deck. Ask the crew.", "{texts:?}");
        assert!(texts.contains(&"**Can I swim?** No."), "{texts:?}");
    }
}

#[tokio::test]
async fn an_answer_is_quoted_with_its_question() {
    let filler = filler();
    let content = format!(
        "{filler}\n\n**Is it dark?**\n\nNo, for the lanterns are lit. They hang along the pier.\n\n**Can I swim?**\n\n{filler}"
    );
    let answer = quoted(&content, None, None).await;
    assert!(answer.text.starts_with("**Is it dark?**\n\nNo, for the lanterns are lit."), "{}", answer.text);
}
