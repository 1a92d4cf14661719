//! Verifies outputs as small models write them, and mutations of them: every accepted text must be a whole answer that
//! the passages support.

mod agreement;
mod echoes;
mod exceptions;
mod opposites;
mod outputs;
mod quoted_blocks;
mod short_answers;

use futures::FutureExt;
use uuid::Uuid;

use self::outputs::recordings;
use super::{
    super::language,
    mutation::{Random, mutate},
    *,
};

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

pub(super) fn candidates(passages: &[(&str, &str, &str)]) -> Vec<Candidate> {
    let candidate = |(id, (title, heading, content)): (u128, &(&str, &str, &str))| Candidate {
        cosine: 0.8,
        words: 0.5,
        coverage: 0.5,
        ..Candidate::new(Uuid::from_u128(id), *title, *heading, *content)
    };
    (0..).zip(passages).map(candidate).collect()
}

/// A table in which some rows have a negation.
const LOANS: [(&str, &str, &str); 1] = [(
    "Library",
    "Borrowing",
    "Adults may have fifteen items.\n\n| item | period | renewals |\n|---|---|---|\n| Books, audio books | three weeks | three \
     |\n| Magazines | one week | none |\n| Maps | not for loan | none |",
)];

/// The verified text of an output that arrives in these parts.
fn verify(parts: &[&str], german: bool, unsupported: Unsupported, ending: Ending) -> Verdict {
    let (language, passages, question) = match german {
        true => ("de", candidates(&GERMAN), GERMAN_QUESTION),
        false => ("en", candidates(&PASSAGES), QUESTION),
    };
    verify_as(VerificationInput { unsupported, ..input(question, language, &passages) }, parts, ending)
}

fn input<'a>(question: &'a str, language: &str, passages: &'a [Candidate]) -> VerificationInput<'a> {
    VerificationInput {
        language: Language::of(language),
        passages,
        question,
        system_prompt: INSTRUCTIONS,
        names: "Ada",
        unsupported: Unsupported::Strict,
        release: Release::Verified,
        quotes_blocks: true,
        embedder: None,
    }
}

/// The verified text of an English answer to `question`.
fn strict_for(question: &str, passages: &[(&str, &str, &str)], text: &str) -> String {
    let passages = candidates(passages);
    text_of(&verify_as(input(question, "en", &passages), &[text], Ending::Whole)).to_owned()
}

fn verify_as(input: VerificationInput<'_>, parts: &[&str], ending: Ending) -> Verdict {
    let verified = async {
        let mut verification = Verification::new(input);
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

fn strict(text: &str, german: bool) -> Verdict {
    verify(&[text], german, Unsupported::Strict, Ending::Whole)
}

pub(super) fn text_of(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Answer(cited) => &cited.rest,
        Verdict::Refused => "refused",
        Verdict::Unusable => "unusable",
    }
}

#[test]
fn another_value_is_no_price() {
    let answer_to = |text, question| strict_for(question, &PASSAGES, text);
    assert_eq!(answer_to("5 pm", "What does delivery cost?"), "refused");
    assert_eq!(answer_to("The shop closes at 5 pm.", "What does delivery cost?"), "refused");
    assert_eq!(answer_to("Delivery takes 3 days. The shop opens at 9 am.", "What does delivery cost?"), "refused");
    assert_eq!(answer_to("4.90 euros", "What does a sofa cost?"), "refused", "the price of something else");
    assert!(answer_to("4.90 euros", "What does delivery cost?").starts_with("4.90 euros [2]"));
    assert!(answer_to("4.90 euros", "How much does it cost?").starts_with("4.90 euros [2]"));
    assert_eq!(
        answer_to("Delivery takes 3 days. It costs 4.90 euros. Keep the box.", "What does delivery cost?"),
        "Delivery takes 3 days [2]. It costs 4.90 euros [2]. Keep the box [2]."
    );
    assert!(answer_to("3 days", "How long does delivery take?").starts_with("3 days [2]"));
}

#[test]
fn a_row_that_denies_denies_no_other_row() {
    let answer_to = |text| strict_for("How long can I keep it?", &LOANS, text);
    let value = answer_to("Three weeks. [1]");
    assert!(value.starts_with("Three weeks [1].\n\n**Books, audio books**"), "{value}");
    assert_eq!(answer_to("You can keep books for three weeks."), "You can keep books for three weeks [1].");
    assert_eq!(answer_to("Maps are for loan."), "unusable");
}

#[test]
fn passages_may_be_about_documents() {
    let passages = [("Library", "Card", "Bring a document with your address. The document does not need a stamp.")];
    let answer_to = |text| strict_for("Is a seal wanted?", &passages, text);
    assert_eq!(answer_to("Your document does not need any stamp."), "Your document does not need any stamp [1].");
    assert_eq!(answer_to("The documents do not say what a stamp costs."), "refused");
    assert_eq!(answer_to("The document does not mention opening hours."), "refused");
    assert_eq!(answer_to("I could not find anything about a stamp in the document."), "refused");
}

/// A passage in each language, a short answer, and yes and no without a supported sentence.
/// A passage with the number formats of a language, the sentences that it supports, and its month and another one.
const FORMATS: [(&str, &str, [&str; 4], [&str; 2]); 5] = [
    (
        "es",
        "El envío cuesta 4,90 euros y es gratuito a partir de 1.000 euros. La tienda abre a las 9.30 y cierra a las 17.30 h. \
         Está cerrada el 24 de diciembre.",
        [
            "El envío cuesta 4,90 euros.",
            "El envío es gratuito a partir de 1000 euros.",
            "La tienda cierra a las 17:30.",
            "Está cerrada el 24 de diciembre.",
        ],
        ["diciembre", "enero"],
    ),
    (
        "fr",
        "La livraison coûte 4,90 euros et elle est offerte à partir de 1\u{202f}000 euros. Le magasin ouvre à 9 h 30 et ferme à \
         17h30. Il est fermé le 24 décembre.",
        [
            "La livraison coûte 4,90 euros.",
            "La livraison est offerte à partir de 1000 euros.",
            "Le magasin ferme à 17 h 30.",
            "Il est fermé le 24 décembre.",
        ],
        ["décembre", "mai"],
    ),
    (
        "it",
        "La consegna costa 4,90 euro ed è gratuita da 1.000 euro. Il negozio apre alle 9.30 e chiude alle 17.30. È chiuso il 24 \
         dicembre.",
        [
            "La consegna costa 4,90 euro.",
            "La consegna è gratuita da 1000 euro.",
            "Il negozio chiude alle 17:30.",
            "È chiuso il 24 dicembre.",
        ],
        ["dicembre", "maggio"],
    ),
    (
        "nl",
        "De bezorging kost 4,90 euro en is gratis vanaf 1.000 euro. De winkel opent om 9.30 uur en sluit om 17.30 uur. Op 24 \
         december is de winkel gesloten.",
        [
            "De bezorging kost 4,90 euro.",
            "De bezorging is gratis vanaf 1000 euro.",
            "De winkel sluit om 17:30 uur.",
            "Op 24 december is de winkel gesloten.",
        ],
        ["december", "mei"],
    ),
    (
        "pt",
        "A entrega custa 4,90 euros e é grátis a partir de 1.000 euros. A loja abre às 9h30 e fecha às 17h30. Está fechada em \
         24 de dezembro.",
        [
            "A entrega custa 4,90 euros.",
            "A entrega é grátis a partir de 1000 euros.",
            "A loja fecha às 17:30.",
            "Está fechada em 24 de dezembro.",
        ],
        ["dezembro", "maio"],
    ),
];

#[test]
fn a_changed_digit_or_month_falls_in_each_language() {
    for (language, content, sentences, [month, other]) in FORMATS {
        let passages = candidates(&[("Guide", "", content)]);
        let checked =
            |text: &str| text_of(&verify_as(input("?", language, &passages), &[text], Ending::Whole)).to_owned();
        for sentence in sentences {
            let stands = format!("{} [1]", sentence.trim_end_matches('.'));
            assert!(checked(sentence).starts_with(&stands), "{language}: {sentence}: {}", checked(sentence));
            for (at, digit) in sentence.char_indices().filter_map(|(at, mark)| Some((at, mark.to_digit(10)?))) {
                let changed = format!("{}{}{}", &sentence[..at], (digit + 1) % 10, &sentence[at + 1..]);
                assert_eq!(checked(&changed), "unusable", "{language}: {changed}");
            }
            if sentence.contains(month) {
                assert_eq!(checked(&sentence.replace(month, other)), "unusable", "{language}: {sentence}");
            }
        }
    }
}

#[test]
fn german_sentences_need_the_same_verb_prefix_in_any_form() {
    let content = "Melden Sie sich mit Ihrer Kundennummer an. Die Rückgabefrist beträgt 30 Tage. Holen Sie das Buch an der Theke ab.";
    let passages = candidates(&[("Konto", "", content)]);
    let checked = |text: &str| text_of(&verify_as(input("?", "de", &passages), &[text], Ending::Whole)).to_owned();
    for sentence in [
        "Sie können sich mit Ihrer Kundennummer anmelden",
        "Man meldet sich mit der Kundennummer an",
        "Die Frist beträgt für alle Artikel 30 Tage",
        "Bücher werden von Ihnen an der Theke abgeholt",
    ] {
        assert_eq!(checked(&format!("{sentence}.")), format!("{sentence} [1]."));
    }
    for sentence in ["Melden Sie sich ab.", "Sie können sich mit Ihrer Kundennummer abmelden."] {
        assert_eq!(checked(sentence), "unusable", "{sentence}");
    }
}

#[test]
fn a_verb_is_no_month() {
    let passages = [("Pool", "", "You may swim in May. Children may swim for 4 hours a day.")];
    let answer_to = |text| strict_for("?", &passages, text);
    assert_eq!(answer_to("Children may swim for 4 hours."), "Children may swim for 4 hours [1].");
    assert_eq!(answer_to("You may swim in June and in May."), "unusable");
    let passages = [("Pool", "", "Children may swim for 4 hours a day.")];
    assert_eq!(strict_for("?", &passages, "Children may swim for 5 hours."), "unusable");
}

#[test]
fn what_stands_of_each_recording_is_a_whole_answer_or_none() {
    let mut wrong = Vec::new();
    for (text, stands, german) in recordings() {
        let verdict = strict(text, german);
        if text_of(&verdict) != stands {
            wrong.push(format!("{text:?}\n  found {:?}\n  not   {stands:?}", text_of(&verdict)));
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
    assert_eq!(text_of(&cut), "You can return any item within 30 days [1].");
    assert_eq!(
        text_of(&verify(&["You can return any item with"], false, Unsupported::Strict, Ending::Cut)),
        "unusable"
    );
}

#[test]
fn invented_facts_are_removed_even_if_sentences_are_only_marked() {
    let text = "Returns are a joy for everybody. Items can be returned within 30 days. Whales weigh 150 tons. Seals weigh 30 tons.";
    let marked = verify(&[text], false, Unsupported::Mark, Ending::Whole);
    assert_eq!(text_of(&marked), "Returns are a joy for everybody. [?] Items can be returned within 30 days [1].");
    let off = verify(&[&format!("{text} [1] See [2].")], false, Unsupported::Off, Ending::Whole);
    assert_eq!(
        text_of(&off),
        "Returns are a joy for everybody. Items can be returned within 30 days. Whales weigh 150 tons. Seals weigh 30 tons. See."
    );
}

#[test]
fn at_most_one_sentence_is_held_back() {
    let passages = candidates(&PASSAGES);
    let input = VerificationInput {
        language: Language::of("en"),
        passages: &passages,
        question: QUESTION,
        system_prompt: "",
        names: "",
        unsupported: Unsupported::Strict,
        release: Release::Verified,
        quotes_blocks: true,
        embedder: None,
    };
    let verified = async {
        let mut verification = Verification::new(input);
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

/// Invariants for every output.
fn check(output: &str, verdict: &Verdict, german: bool) {
    let Verdict::Answer(Cited { rest: text, citations, sources }) = verdict else { return };
    let plain = plain(text);
    assert!(language::words(text).count() >= 2, "an answer has words: {output:?}: {text:?}");
    assert_eq!(text.trim(), text, "{output:?}");
    for never in
        ["NO_ANSWER", "walrus", "evil", "rm -rf", "![", "<i", "<|", "</", "four sentences in", "vier sätze auf"]
    {
        assert!(!plain.contains(&never.to_lowercase()), "{never:?} in {text:?} of {output:?}");
    }
    let content: String =
        if german { &GERMAN[..] } else { &PASSAGES[..] }.iter().map(|(_, _, content)| format!("{content} ")).collect();
    let passage_evidence = evidence::Evidence::new("", &content, Language::of("de"));
    let question = evidence::Evidence::new("", if german { GERMAN_QUESTION } else { QUESTION }, Language::of("de"));
    let without: String = citations.iter().fold(text.clone(), |text, citation| text.replace(&citation.marker, ""));
    for number in crate::generate::numbers::numbers(&without) {
        assert!(
            passage_evidence.has_number(&number.form) || question.has_number(&number.form),
            "{number:?} in {text:?} of {output:?}"
        );
    }
    // The markers of the text are the citations, and refer to their sources.
    for at in 1..=9 {
        let marker = format!("[{at}]");
        let cited = citations.iter().find(|citation| citation.marker == marker);
        assert_eq!(cited.is_some(), text.contains(&marker), "{marker} in {text:?} of {output:?}");
        if let Some(citation) = cited {
            assert_eq!(sources[citation.source_index].id.as_u128(), at - 1, "{output:?}");
        }
    }
}
