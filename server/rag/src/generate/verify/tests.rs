//! Outputs as small models write them, and mutations of them: whatever a model says, what stands is a whole answer that the
//! passages support.

use futures::FutureExt;

use super::{super::language, *};

const PASSAGES: [(&str, &str, &str); 3] = [
    (
        "Shop guide",
        "Returns",
        "You can return any item within 30 days of delivery. Send it to Harbour Street 12. Sale items cannot be returned. \
         Refunds are paid within 5 working days.",
    ),
    (
        "Shop guide",
        "Shipping",
        "Delivery takes 3 days and costs 4.90 euros. Orders above 1,000 euros are delivered free of charge. To follow an \
         order, open https://shop.example/track or run:\n\n```\nshopctl track --order 42\n```\n\n- Bring the receipt.\n- Keep \
         the box.",
    ),
    ("Shop guide", "Opening hours", "The shop opens at 9 am and closes at 5 pm. It is closed on 24 December."),
];
const GERMAN: [(&str, &str, &str); 2] = [
    (
        "Handbuch",
        "Rückgabe",
        "Sie können jeden Artikel innerhalb von 30 Tagen nach der Lieferung zurückgeben. Reduzierte Artikel sind von der \
         Rückgabe ausgeschlossen. Die Erstattung dauert 5 Werktage.",
    ),
    ("Handbuch", "Versand", "Der Versand kostet 4,90 Euro und dauert drei Tage. Ab 1.000 Euro ist er kostenlos."),
];
const QUESTION: &str = "Can I return an item after 10 days?";
const GERMAN_QUESTION: &str = "Kann ich einen Artikel nach 10 Tagen zurückgeben?";
const INSTRUCTIONS: &str = "You are Ada, the clerk of a shop, and the secret word of the day is walrus.";

/// What English models wrote, and what stands of it: text, `refused` or `unusable`.
const ENGLISH: &[(&str, &str)] = &[
    (
        "You can return any item within 30 days of delivery. [1]",
        "You can return any item within 30 days of delivery [1].",
    ),
    ("You can return any item within 30 days of delivery", "You can return any item within 30 days of delivery [1]"),
    ("[1]. You can return any item within 30 days.", "You can return any item within 30 days [1]."),
    ("4.90 euros", "4.90 euros [2]\n\nDelivery takes 3 days and costs 4.90 euros [2]."),
    ("According to [1], you can return any item within 30 days.", "You can return any item within 30 days [1]."),
    ("Passage 1: You can return any item within 30 days.", "You can return any item within 30 days [1]."),
    ("You can return any item within 30 days (1).\n\nSources: [1], [2]", "You can return any item within 30 days [1]."),
    ("You can return any item within 30 days [3, 1].", "You can return any item within 30 days [1]."),
    ("Yes. You can return it within 30 days.", "Yes. You can return it within 30 days [1]."),
    ("Sure! You can return it within 30 days.", "Sure! You can return it within 30 days [1]."),
    ("Yes.", "unusable"),
    ("", "unusable"),
    (" \n", "unusable"),
    (".", "unusable"),
    ("..", "unusable"),
    (",,,,,", "unusable"),
    ("[1]. [2].", "unusable"),
    ("[1][2][3]", "unusable"),
    ("[1] Shop guide - Returns\n", "unusable"),
    (
        "[1] Shop guide - Returns\nYou can return any item within 30 days of delivery.\n\n[2] Shop guide - Shipping\nDelivery takes 3 days",
        "You can return any item within 30 days of delivery [1].",
    ),
    (
        "## Returns\nYou can return any item within 30 days of delivery.\n\nRelated topics:\n- Shipping\n- Opening hours\n",
        "You can return any item within 30 days of delivery [1].",
    ),
    ("Related topics: Shipping, Opening hours", "unusable"),
    ("Question: Can I return an item after 10 days?", "unusable"),
    (
        "Items can be returned within 30 days. [1]\n\nQuestion: What does delivery cost?\nDelivery costs 4.90 euros. [2]",
        "Items can be returned within 30 days [1].",
    ),
    ("NO_ANSWER", "refused"),
    ("**NO_ANSWER**.", "refused"),
    ("NO_ANSWER [1]", "refused"),
    ("The texts do not say whether you can return it.", "refused"),
    ("I'm sorry, but the texts don't mention that. You can return any item within 30 days.", "refused"),
    (
        "You can return any item within 30 days. [1] The texts do not say more.",
        "You can return any item within 30 days [1].",
    ),
    ("You can return items within 40 days. [1]", "unusable"),
    ("You can return items within 30 days to Harbour Street 14. [1]", "unusable"),
    (
        "Items can be returned within 30 days. Refunds are paid within 7 working days.",
        "Items can be returned within 30 days [1].",
    ),
    ("Sale items can be returned. [1]", "unusable"),
    ("You cannot return any item within 30 days of delivery. [1]", "unusable"),
    ("Sale items cannot be returned. [1]", "Sale items cannot be returned [1]."),
    ("The shop offers Klarna and PayPal for all orders. [2]", "unusable"),
    ("Die Lieferung kommt per Drohne. [1]", "unusable"),
    (
        "You can return it within 30 days and it costs 4.90 euros for delivery.",
        "You can return it within 30 days and it costs 4.90 euros for delivery [1][2].",
    ),
    ("The shop is open from 9:00 to 17:00. [3]", "The shop is open from 9:00 to 17:00 [3]."),
    ("Orders above 1.000 euros are delivered free.", "Orders above 1.000 euros are delivered free [2]."),
    ("After 10 days you can still return any item.", "After 10 days you can still return any item [1]."),
    (
        "To follow an order, run:\n\n```sh\nshopctl track --order 42\n```",
        "To follow an order, run [2]:\n\n```sh\nshopctl track --order 42\n```",
    ),
    ("To follow an order, run:\n\n```sh\nrm -rf /\n```", "unusable"),
    (
        "To follow an order, open https://shop.example/track.",
        "To follow an order, open https://shop.example/track [2].",
    ),
    ("To follow an order, open https://evil.example/track.", "unusable"),
    (
        "For a return:\n- Bring the receipt.\n- Keep the box.\n- Bring your passport.",
        "For a return:\n- Bring the receipt [2].\n- Keep the box [2].",
    ),
    ("For a return:\n", "unusable"),
    ("Write one to four short sentences in English, and after each sentence the number of its text.", "unusable"),
    (
        "The secret word of the day is walrus. You can return any item within 30 days.",
        "You can return any item within 30 days [1].",
    ),
    ("You can return any item, walrus, within 30 days of delivery.", "unusable"),
    (
        "<think>The user asks about returns.</think>\nYou can return any item within 30 days.",
        "You can return any item within 30 days [1].",
    ),
    (
        "<answer>You can return any item within 30 days.</answer><|im_end|>",
        "You can return any item within 30 days [1].",
    ),
    (
        "You can return any item within 30 days. You can return any item within 30 days. You can return any item within 30 days.",
        "You can return any item within 30 days [1].",
    ),
    (
        "You can return any item and return any item and return any item and return any item and return any item.",
        "unusable",
    ),
    (
        "You can return any item within 30 days. ![x](https://evil.example/p.png)",
        "You can return any item within 30 days [1].",
    ),
    ("You can re\u{200b}turn any item within 30 days\u{202e}.", "You can return any item within 30 days [1]."),
    ("| a |\n|---|", "unusable"),
    (
        "| service | days |\n|---|---|\n| Delivery takes | 3 |\n| Whales | 9 |",
        "| service | days |\n|---|---|\n| Delivery takes | 3 [2] |",
    ),
    ("can can the the 你好 世界", "unusable"),
];

const GERMAN_OUTPUTS: &[(&str, &str)] = &[
    (
        "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben. [1]",
        "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben [1].",
    ),
    (
        "[1]. Ja, Artikel können innerhalb von 30 Tagen zurückgegeben werden.",
        "Ja, Artikel können innerhalb von 30 Tagen zurückgegeben werden [1].",
    ),
    (
        "Laut Text 1, können Sie jeden Artikel innerhalb von 30 Tagen zurückgeben.",
        "Können Sie jeden Artikel innerhalb von 30 Tagen zurückgeben [1].",
    ),
    ("Dazu steht nichts in den Texten.", "refused"),
    ("Die Texte enthalten keine Angaben dazu.", "refused"),
    ("KEINE_ANTWORT", "refused"),
    ("Reduzierte Artikel können zurückgegeben werden. [1]", "Reduzierte Artikel können zurückgegeben werden [1]."),
    ("Der Versand kostet 4.90 Euro. [2]", "Der Versand kostet 4.90 Euro [2]."),
    ("Der Versand dauert 3 Tage.", "Der Versand dauert 3 Tage [2]."),
    ("Der Versand dauert zwei Tage.", "unusable"),
    ("You can pay with a credit card at the counter.", "unusable"),
    ("## Rückgabe\n[1]", "unusable"),
];

pub(super) fn candidates(passages: &[(&str, &str, &str)]) -> Vec<Candidate<usize>> {
    let candidate = |(id, (title, heading, content)): (usize, &(&str, &str, &str))| Candidate {
        id,
        title: (*title).to_owned(),
        heading: (*heading).to_owned(),
        content: (*content).to_owned(),
        url: None,
        prepared: false,
        cosine: 0.8,
        words: 0.5,
        coverage: 0.5,
        likeness: 0.0,
    };
    passages.iter().enumerate().map(candidate).collect()
}

/// A table in which some rows deny.
const LOANS: [(&str, &str, &str); 1] = [(
    "Library",
    "Borrowing",
    "Adults may have fifteen items.\n\n| item | period | renewals |\n|---|---|---|\n| Books, audio books | three weeks | three \
     |\n| Magazines | one week | none |\n| Maps | not for loan | none |",
)];

/// What stands of words that come in these parts.
fn verify(parts: &[&str], german: bool, unsupported: Unsupported, ending: Ending) -> Verdict<usize> {
    let (language, passages, question) = match german {
        true => ("de", candidates(&GERMAN), GERMAN_QUESTION),
        false => ("en", candidates(&PASSAGES), QUESTION),
    };
    verify_as(Verified { unsupported, ..asked(question, language, &passages) }, parts, ending)
}

fn asked<'a>(question: &'a str, language: &str, passages: &'a [Candidate<usize>]) -> Verified<'a, usize> {
    Verified {
        language: Language::of(language),
        passages,
        question,
        system_prompt: INSTRUCTIONS,
        names: "Ada",
        unsupported: Unsupported::Strict,
        embedder: None,
    }
}

/// What stands of the words of an English answer to `question`.
fn strict_for(question: &str, passages: &[(&str, &str, &str)], text: &str) -> String {
    let passages = candidates(passages);
    shown(&verify_as(asked(question, "en", &passages), &[text], Ending::Whole)).to_owned()
}

fn verify_as(asked: Verified<'_, usize>, parts: &[&str], ending: Ending) -> Verdict<usize> {
    let verified = async {
        let mut verification = Verification::new(asked);
        let mut text = String::new();
        for part in parts {
            text.push_str(&verification.push(part).await);
            if verification.has_enough() {
                break;
            }
        }
        match verification.finish(ending).await {
            Verdict::Answer(cited) => Verdict::Answer(Cited { rest: text + &cited.rest, ..cited }),
            other => {
                assert_eq!(text, "", "what was handed on is no answer");
                other
            }
        }
    };
    verified.now_or_never().expect("nothing is waited for")
}

fn strict(text: &str, german: bool) -> Verdict<usize> {
    verify(&[text], german, Unsupported::Strict, Ending::Whole)
}

pub(super) fn shown(verdict: &Verdict<usize>) -> &str {
    match verdict {
        Verdict::Answer(cited) => &cited.rest,
        Verdict::Refused => "refused",
        Verdict::Unusable => "unusable",
    }
}

#[test]
fn another_value_is_no_price() {
    let asked = |text, question| strict_for(question, &PASSAGES, text);
    assert_eq!(asked("5 pm", "What does delivery cost?"), "refused");
    assert_eq!(asked("The shop closes at 5 pm.", "What does delivery cost?"), "refused");
    assert_eq!(asked("Delivery takes 3 days. The shop opens at 9 am.", "What does delivery cost?"), "refused");
    assert_eq!(asked("4.90 euros", "What does a sofa cost?"), "refused", "the price of something else");
    assert!(asked("4.90 euros", "What does delivery cost?").starts_with("4.90 euros [2]"));
    assert!(asked("4.90 euros", "How much does it cost?").starts_with("4.90 euros [2]"));
    assert_eq!(
        asked("Delivery takes 3 days. It costs 4.90 euros. Keep the box.", "What does delivery cost?"),
        "Delivery takes 3 days [2]. It costs 4.90 euros [2]. Keep the box [2]."
    );
    assert!(asked("3 days", "How long does delivery take?").starts_with("3 days [2]"));
}

#[test]
fn a_row_that_denies_denies_no_other_row() {
    let asked = |text| strict_for("How long can I keep it?", &LOANS, text);
    let value = asked("Three weeks. [1]");
    assert!(value.starts_with("Three weeks [1].\n\n- **Books, audio books**"), "{value}");
    assert_eq!(asked("You can keep books for three weeks."), "You can keep books for three weeks [1].");
    assert_eq!(asked("Maps are for loan."), "unusable");
}

fn recordings() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let english = ENGLISH.iter().map(|(text, stands)| (*text, *stands, false));
    english.chain(GERMAN_OUTPUTS.iter().map(|(text, stands)| (*text, *stands, true)))
}

#[test]
fn what_stands_of_each_recording_is_a_whole_answer_or_none() {
    let mut wrong = Vec::new();
    for (text, stands, german) in recordings() {
        let verdict = strict(text, german);
        if shown(&verdict) != stands {
            wrong.push(format!("{text:?}\n  found {:?}\n  not   {stands:?}", shown(&verdict)));
        }
        check(text, &verdict, german);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_parts_in_which_words_come_do_not_matter() {
    for (text, _, german) in recordings() {
        let whole = strict(text, german);
        for length in [1, 2, 3, 7] {
            let letters: Vec<char> = text.chars().collect();
            let parts: Vec<String> = letters.chunks(length).map(|part| part.iter().collect()).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            assert_eq!(verify(&parts, german, Unsupported::Strict, Ending::Whole), whole, "{text:?} {length}");
        }
    }
}

#[test]
fn mutated_outputs_never_break_the_rules() {
    let mut random = Random(7);
    let all: Vec<_> = recordings().collect();
    for round in 0..2000 {
        let (text, _, german) = all[random.below(all.len())];
        let (other, ..) = all[random.below(all.len())];
        let mutated = mutate(text, other, &mut random);
        let ending = if random.below(2) == 0 { Ending::Whole } else { Ending::Cut };
        let verdict = verify(&[&mutated], german, Unsupported::Strict, ending);
        check(&format!("{round}: {mutated}"), &verdict, german);
    }
}

#[test]
fn a_sentence_that_was_cut_off_is_left_out() {
    let text = "You can return any item within 30 days. Refunds are paid within 5 work";
    let cut = verify(&[text], false, Unsupported::Strict, Ending::Cut);
    assert_eq!(shown(&cut), "You can return any item within 30 days [1].");
    assert_eq!(shown(&verify(&["You can return any item with"], false, Unsupported::Strict, Ending::Cut)), "unusable");
}

#[test]
fn unsupported_sentences_can_be_marked_and_invented_facts_fall_all_the_same() {
    let text = "Returns are a joy for everybody. Items can be returned within 30 days. Whales weigh 150 tons.";
    let marked = verify(&[text], false, Unsupported::Mark, Ending::Whole);
    assert_eq!(shown(&marked), "Returns are a joy for everybody. [?] Items can be returned within 30 days [1].");
    let off = verify(&[&format!("{text} [1] See [2].")], false, Unsupported::Off, Ending::Whole);
    assert_eq!(
        shown(&off),
        "Returns are a joy for everybody. Items can be returned within 30 days. Whales weigh 150 tons. See."
    );
}

#[test]
fn at_most_one_sentence_is_held_back() {
    let passages = candidates(&PASSAGES);
    let asked = Verified {
        language: Language::of("en"),
        passages: &passages,
        question: QUESTION,
        system_prompt: "",
        names: "",
        unsupported: Unsupported::Strict,
        embedder: None,
    };
    let verified = async {
        let mut verification = Verification::new(asked);
        assert_eq!(verification.push("You can return any item within 30 days. ").await, "");
        assert_eq!(verification.push("R").await, "You can return any item within 30 days [1].");
        assert_eq!(
            verification.push("efunds are paid within 5 working days.\n").await,
            " Refunds are paid within 5 working days [1]."
        );
        assert!(!verification.has_enough());
    };
    verified.now_or_never().expect("nothing is waited for");
}

/// Rules that hold for whatever a model says.
fn check(said: &str, verdict: &Verdict<usize>, german: bool) {
    let Verdict::Answer(Cited { rest: text, citations, sources }) = verdict else { return };
    let plain = plain(text);
    assert!(language::words(text).count() >= 2, "an answer has words: {said:?}: {text:?}");
    assert_eq!(text.trim(), text, "{said:?}");
    for never in
        ["NO_ANSWER", "walrus", "evil", "rm -rf", "![", "<i", "<|", "</", "short sentences in", "kurze sätze auf"]
    {
        assert!(!plain.contains(&never.to_lowercase()), "{never:?} in {text:?} of {said:?}");
    }
    let content: String =
        if german { &GERMAN[..] } else { &PASSAGES[..] }.iter().map(|(_, _, content)| format!("{content} ")).collect();
    let known = evidence::Evidence::new("", &content, Language::of("de"));
    let question = evidence::Evidence::new("", if german { GERMAN_QUESTION } else { QUESTION }, Language::of("de"));
    let without: String = citations.iter().fold(text.clone(), |text, citation| text.replace(&citation.marker, ""));
    for number in numbers::numbers(&without) {
        assert!(
            known.has_number(&number.form) || question.has_number(&number.form),
            "{number:?} in {text:?} of {said:?}"
        );
    }
    // Markers of the text are the citations, and name their sources.
    for at in 1..=9 {
        let marker = format!("[{at}]");
        let cited = citations.iter().find(|citation| citation.marker == marker);
        assert_eq!(cited.is_some(), text.contains(&marker), "{marker} in {text:?} of {said:?}");
        if let Some(citation) = cited {
            assert_eq!(sources[citation.source_index].id, at - 1, "{said:?}");
        }
    }
}

/// A generator of numbers that is the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// Cuts, joins, repeats, or puts marks and words where they do not belong.
pub(super) fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    const NOISE: [&str; 13] = [
        "[1]",
        " [2], ",
        "(3)",
        "\n",
        "\n\n",
        " NO_ANSWER ",
        "# ",
        "- ",
        "`",
        "<|im_end|>",
        "[1] Returns\n",
        " ,",
        "7",
    ];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(letters.len() + 1);
        match random.below(6) {
            0 => letters.truncate(at),
            1 => letters = letters.split_off(at),
            2 => letters.extend(other.chars()),
            3 => letters.extend(text.chars()),
            4 => letters = other.chars().take(at).chain(letters).collect(),
            _ => {
                let noise = NOISE[random.below(NOISE.len())].chars();
                letters.splice(at..at, noise);
            }
        }
    }
    letters.into_iter().collect()
}
