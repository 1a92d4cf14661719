//! Answers of a few words: they get the sentence of the passage that has them, and a yes or no alone is none.

use super::*;

const SHORT: [(&str, &str, &str, &str, &str); 7] = [
    (
        "en",
        "VNC listens on port 5900 by default. Payment by card is possible.",
        "Port 5900.",
        "Yes.",
        "Yes, that is possible.",
    ),
    (
        "de",
        "Sie bezahlen bei der Anmeldung mit Karte. Eine Verlängerung ist möglich.",
        "Bei der Anmeldung.",
        "Ja.",
        "Ja, das ist möglich.",
    ),
    (
        "es",
        "La llave se recoge en la recepción del hotel. El pago es posible.",
        "En la recepción.",
        "Sí.",
        "Sí, eso es posible.",
    ),
    (
        "fr",
        "La clé se retire à la réception de l'hôtel. Un paiement par carte est possible.",
        "À la réception.",
        "Oui.",
        "Oui, c'est possible.",
    ),
    (
        "it",
        "La chiave si ritira alla reception dell'albergo. Un pagamento con carta è possibile.",
        "Alla reception.",
        "Sì.",
        "Sì, questo è possibile.",
    ),
    (
        "nl",
        "Je haalt de sleutel op bij de balie van het hotel. Betalen met een pas is mogelijk.",
        "Bij de balie.",
        "Ja.",
        "Ja, dat is mogelijk.",
    ),
    (
        "pt",
        "A chave é entregue na recepção do hotel. O pagamento com cartão é possível.",
        "Na recepção.",
        "Sim.",
        "Sim, isso é possível.",
    ),
];

#[test]
fn a_short_answer_gets_its_sentence_and_yes_alone_is_none() {
    for (language, content, value, yes, bare) in SHORT {
        let passages = candidates(&[("Guide", "", content)]);
        let checked =
            |text: &str| text_of(&verify_as(input("?", language, &passages), &[text], Ending::Whole)).to_owned();
        let sentence = content.split_once(". ").map_or("", |(first, _)| first);
        let value = value.trim_end_matches('.');
        let whole = format!("{value} [1].\n\n{sentence} [1].");
        assert_eq!(checked(&format!("{value}. [1]")), whole);
        let (word, bare_sentence) = (yes.trim_end_matches('.'), bare.trim_end_matches('.'));
        let agreed = checked(&format!("{word}, {}. [1]", value.to_lowercase()));
        assert_eq!(agreed, format!("{word}, {} [1].\n\n{sentence} [1].", value.to_lowercase()));
        for alone in [yes, bare, word, bare_sentence] {
            assert_eq!(checked(alone), "unusable", "{language}: {alone}");
        }
        assert_eq!(checked(&format!("{bare} {sentence}.")), format!("{bare} {sentence} [1]."));
    }
}

#[test]
fn a_number_alone_gets_its_sentence() {
    let answer_to = |text, question| strict_for(question, &PASSAGES, text);
    let whole = "30 [1]\n\nYou can return any item within 30 days of delivery [1].";
    assert_eq!(answer_to("30 [1]", "Within how many days can I return an item?"), whole);
    assert_eq!(answer_to("31", "Within how many days can I return an item?"), "unusable");
    assert_eq!(answer_to("30 [1]\nThe texts do not say more.", "Can I return an item?"), "refused");
}

#[test]
fn a_value_of_the_question_alone_is_no_answer() {
    let question = "Returning an item takes 900 days. Within how many days can I return one?";
    let answer_to = |text| strict_for(question, &PASSAGES, text);
    assert_eq!(answer_to("900 days. [1]"), "unusable");
    assert!(answer_to("30 days. [1]").starts_with("30 days [1]."));
}

#[test]
fn a_word_alone_is_no_answer_if_its_sentence_denies_it() {
    let answer_to = |content| strict_for("May I bring dogs?", &[("Guide", "", content)], "Allowed.");
    assert_eq!(answer_to("Dogs are allowed."), "Allowed [1].\n\nDogs are allowed [1].");
    assert_eq!(answer_to("Dogs are not allowed."), "unusable");
}

#[test]
fn the_question_said_back_is_no_answer() {
    let answer_to = |text| strict_for("retrun an item within 30 days", &PASSAGES, text);
    assert_eq!(answer_to("Return an item within 30 days. [1]"), "unusable");
    let answer = "You can return an item within 30 days";
    assert_eq!(answer_to(&format!("{answer}. [1]")), format!("{answer} [1]."));
}
