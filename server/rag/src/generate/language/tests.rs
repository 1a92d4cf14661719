//! The words and prompts of each language, and how a text's language is detected.

use super::*;

#[test]
fn each_language_has_all_its_words_and_three_examples() {
    for language in all() {
        let Language { code, prompt, words, .. } = language;
        let texts: Vec<usize> = prompt.examples.iter().map(|example| example.texts.len()).collect();
        assert_eq!(texts, [1, 2, 1], "{code}");
        assert_eq!((words.numbers.len(), words.tens.len(), words.ordinals.len()), (11, 9, 10), "{code}");
        assert!(months::NAMES.iter().any(|(named_code, _)| named_code == code), "{code}");
        assert!(prompt.rules.contains("NO_ANSWER") && !prompt.rules.contains('\n'), "{code}");
        assert!(prompt.rules.matches(". ").count() == 4, "{code}: five sentences");
        for example in &prompt.examples[1..] {
            let copied = example.answer.replace(" [1]", "");
            assert_eq!(copied, example.texts[0].text, "{code}: the words of the text");
            assert_eq!(example.answer.matches(". [1]").count(), 2, "{code}: a marker after each sentence");
        }
        let [example_question, text] = [&prompt.examples[2].question, &prompt.examples[2].texts[0].text];
        let text = language.stems(text);
        assert!(
            language.stems(example_question).iter().all(|stem| !text.contains(stem)),
            "{code}: other words than the text"
        );
        assert_eq!(prompt.examples[0].answer, "NO_ANSWER", "{code}");
    }
}

#[test]
fn a_questions_language_is_the_chatbots_another_one_or_unclear() {
    use QuestionLanguage::{Other, Same, Unclear};
    for (question, usual, expected) in [
        ("How do I return an item?", "en", Same),
        ("What is in the box?", "en-GB", Same),
        ("Wie kann ich einen Artikel zurückgeben?", "en", Other),
        ("Wie kann ich einen Artikel zurückgeben?", "de-AT", Same),
        ("Comment puis-je retourner un article ?", "en", Other),
        ("Как вернуть товар?", "en", Other),
        ("返品はできますか", "en", Other),
        ("Öffnungszeiten", "en", Unclear),
        ("opening hours", "en", Unclear),
        ("cuanto cuesta la entrada", "es", Same),
        ("combien coute l'abonnement annuel", "fr", Same),
        ("Jak zwrócić towar?", "en", Unclear),
        ("", "en", Unclear),
    ] {
        assert_eq!(Language::compare(question, usual), expected, "{question}");
    }
}

#[test]
fn a_language_is_detected_only_when_the_words_tell_it() {
    for (question, usual, expected) in [
        ("How do I return an item?", "en-GB", Some("en")),
        ("Wie kann ich einen Artikel zurückgeben?", "en", Some("de")),
        ("How do I return an item?", "de", Some("en")),
        ("Wie kann ich einen Artikel zurückgeben?", "pl", Some("de")),
        ("How do I return an item?", "pl", None),
        ("Öffnungszeiten", "de", None),
        ("Как вернуть товар?", "en", None),
        ("", "en", None),
    ] {
        assert_eq!(Language::detect(question, usual), expected, "{question}");
    }
}

#[test]
fn a_text_tells_its_language_or_none() {
    for (text, expected) in [
        ("Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben. Die Kosten trägt der Käufer.", Some("de")),
        ("You can return any item within 30 days of delivery. Keep the receipt of each item.", Some("en")),
        ("Vous pouvez retourner un article dans les trente jours qui suivent la livraison.", Some("fr")),
        ("Jeśli chcesz zwrócić towar, napisz do nas. Paczka idzie dwa dni, a zwrot pieniędzy trwa cały tydzień.", None),
        ("Как вернуть товар? Напишите нам.", None),
        ("XR-200 XR-300 12 V 24 V", None),
        ("", None),
    ] {
        assert_eq!(Language::of_text(text).map(|language| language.code), expected, "{text}");
    }
}

#[test]
fn the_language_is_the_questions_or_else_the_chatbots() {
    for (question, usual, expected) in [
        ("Wie kann ich einen Artikel zurückgeben?", "en", "de"),
        ("How do I return an item?", "de", "en"),
        ("¿Cuánto cuesta el envío de los paquetes?", "en", "es"),
        ("Comment puis-je retourner un article ?", "en", "fr"),
        ("Come posso restituire un articolo che non mi piace?", "en", "it"),
        ("Hoe kan ik een artikel terugsturen?", "en", "nl"),
        ("Como posso devolver um artigo que não quero?", "en", "pt"),
        ("Apt?", "de-AT", "de"),
        ("Apt?", "xx", "en"),
    ] {
        assert_eq!(Language::of_question(question, usual).code, expected, "{question}");
    }
}
