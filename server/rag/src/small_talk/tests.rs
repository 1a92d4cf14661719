use super::*;

/// Phrases that were not used to write the rules, with their topic: one file for each language.
const UNSEEN: [(&str, &str); 7] = [
    ("en", include_str!("../../tests/small_talk/en.txt")),
    ("de", include_str!("../../tests/small_talk/de.txt")),
    ("es", include_str!("../../tests/small_talk/es.txt")),
    ("fr", include_str!("../../tests/small_talk/fr.txt")),
    ("it", include_str!("../../tests/small_talk/it.txt")),
    ("nl", include_str!("../../tests/small_talk/nl.txt")),
    ("pt", include_str!("../../tests/small_talk/pt.txt")),
];

/// The lines `topic: phrase` of a file.
fn phrases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.split_once(": "))
}

#[test]
fn unseen_phrases_are_small_talk() {
    let mut missed = Vec::new();
    for (language, text) in UNSEEN {
        let expected: Vec<_> = phrases(text).filter(|(topic, _)| *topic != "question").collect();
        assert!(expected.len() >= 20, "{language}: too few phrases");
        for (topic, phrase) in expected {
            let recognised = recognise(phrase, language);
            if recognised.map(|recognised| recognised.topic.as_str()) != Some(topic) {
                missed.push(format!("{language}: {phrase:?} is {topic}, not {recognised:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn a_question_next_to_small_talk_is_a_question() {
    for (language, text) in UNSEEN {
        let questions: Vec<_> = phrases(text).filter(|(topic, _)| *topic == "question").collect();
        assert!(questions.len() >= 5, "{language}: too few questions");
        for (_, question) in questions {
            for usual in ["en", "de", "fr"] {
                assert_eq!(recognise(question, usual), None, "{question:?} for a chatbot in {usual}");
            }
        }
    }
}

#[test]
fn no_question_of_the_evaluation_is_small_talk() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/eval");
    let mut questions = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(&path).unwrap().lines().filter(|line| !line.is_empty()) {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let question = case["question"].as_str().unwrap();
            // All languages are recognised, whatever the chatbot's language is.
            assert_eq!(recognise(question, "en"), None, "{question:?}");
            questions += 1;
        }
    }
    assert!(questions > 300, "{questions} questions");
}

#[test]
fn every_language_has_a_reply_for_every_topic() {
    for (language, _) in FILES {
        for topic in Topic::ALL {
            assert!(reply(language, topic).is_some_and(|text| text.len() > 10), "{language} {}", topic.as_str());
        }
    }
    assert_eq!(reply("de-AT", Topic::Thanks), reply("de", Topic::Thanks));
    assert_eq!(reply("pl", Topic::Thanks), None);
}

#[test]
fn the_chatbots_language_is_read_before_others() {
    let language = |message, usual| recognise(message, usual).map(|recognised| recognised.language);
    assert_eq!(language("Hi!", "de-CH"), Some("de"));
    assert_eq!(language("Vielen Dank!", "en"), Some("de"));
    assert_eq!(language("Grazie mille", "pl"), Some("it"));
    assert_eq!(language("tag", "en"), None, "a short word of many languages");
    assert_eq!(language("Tag", "de"), Some("de"));
}

#[test]
fn nothing_and_long_messages_are_no_small_talk() {
    for message in ["", "   ", "?", "…", "123", &"hello ".repeat(40)] {
        assert_eq!(recognise(message, "en"), None, "{message:?}");
    }
}
