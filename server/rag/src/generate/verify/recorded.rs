//! Outputs of a real model from `recorded.jsonl`, and mutations of them. docs/answers.md says how to add more.

use futures::FutureExt;
use serde::Deserialize;

use super::{
    super::language,
    mutation::{Random, mutate},
    tests::{candidates, text_of},
    *,
};

/// A line of the file.
#[derive(Deserialize)]
struct Recorded {
    /// The last message of the prompt: passages and question.
    prompt: String,
    /// The model's output.
    said: String,
    /// The verified text, `refused` or `unusable`. Without it, only the rules for all outputs are checked.
    stands: Option<String>,
}

fn recordings() -> Vec<Recorded> {
    let lines = include_str!("recorded.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"))).collect()
}

impl Recorded {
    /// The language, the passages with their titles, and the question.
    fn read(&self) -> (&'static Language, Vec<(String, String)>, &str) {
        let (texts, question) = self.prompt.rsplit_once("\n\n").expect("passages before the question");
        let mut labelled =
            language::all().iter().map(|language| (language, question.strip_prefix(&language.prompt.question)));
        let (language, question) = labelled
            .find_map(|(language, question)| Some((language, question?.trim())))
            .expect("the label of the question");
        let mut passages: Vec<(String, String)> = Vec::new();
        for line in texts.lines() {
            if let Some(title) = line.strip_prefix(&format!("[{}] ", passages.len() + 1)) {
                passages.push((title.to_owned(), String::new()));
            } else {
                let (_, text) = passages.last_mut().expect("a title before the text");
                text.push_str(line);
                text.push('\n');
            }
        }
        (language, passages, question)
    }

    /// The result when the model says this.
    fn verified(&self, output: &str, ending: Ending) -> Verdict {
        let (language, passages, question) = self.read();
        let passages: Vec<(&str, &str, &str)> =
            passages.iter().map(|(title, text)| (title.as_str(), "", text.trim_end())).collect();
        let passages = candidates(&passages);
        let mut verification = Verification::new(VerificationInput {
            language,
            passages: &passages,
            question,
            system_prompt: "",
            names: "",
            unsupported: Unsupported::Strict,
            release: Release::Verified,
            quotes_blocks: true,
            embedder: None,
        });
        let verifying = async {
            let text = verification.push(output).await;
            match verification.finish(ending).await {
                Verdict::Answer(cited) => Verdict::Answer(Cited { rest: text + &cited.rest, ..cited }),
                verdict => verdict,
            }
        };
        verifying.now_or_never().expect("nothing is waited for")
    }

    /// Asserts what holds for each output.
    fn check(&self, output: &str, verdict: Verdict) {
        let Verdict::Answer(cited) = verdict else { return };
        let text = cited.citations.iter().fold(cited.rest.clone(), |text, citation| text.replace(&citation.marker, ""));
        assert!(language::words(&text).count() >= 2, "{output:?}: {text:?}");
        assert!(!text.contains("NO_ANSWER") && !text.contains("<|"), "{output:?}: {text:?}");
        let (language, passages, question) = self.read();
        let texts: String = passages.iter().map(|(title, text)| format!("{title}\n{text}\n")).collect();
        let passage_evidence = evidence::Evidence::new(question, &texts, language);
        for number in crate::generate::numbers::numbers(&text) {
            assert!(passage_evidence.has_number(&number.form), "{number:?} of {output:?}: {text:?}");
        }
        assert!(cited.citations.iter().all(|citation| citation.source_index < cited.sources.len()), "{output:?}");
    }
}

#[test]
fn what_stands_of_real_outputs_is_what_the_passages_say() {
    for recorded in recordings() {
        let verdict = recorded.verified(&recorded.said, Ending::Whole);
        if let Some(stands) = &recorded.stands {
            assert_eq!(text_of(&verdict), stands, "{}", recorded.said);
        }
        recorded.check(&recorded.said, verdict);
    }
}

#[test]
fn mutated_real_outputs_invent_no_number_and_cite_what_is_there() {
    let all = recordings();
    let mut random = Random(11);
    for round in 0..all.len().max(100) * 20 {
        let recorded = &all[round % all.len()];
        let output = mutate(&recorded.said, &all[random.below(all.len())].said, &mut random);
        recorded.check(&output, recorded.verified(&output, Ending::Cut));
    }
}
