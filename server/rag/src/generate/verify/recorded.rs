//! Recorded outputs of a model with 1.5 billion parameters for questions about this project's documents (`make eval
//! MODEL=1`), and mutations of them.

use futures::FutureExt;

use super::{
    mutation::{Random, mutate},
    tests::{candidates, shown},
    *,
};

/// A question, its passages, the model's output, and the expected result: the verified text, `refused` or `unusable`.
struct Recorded {
    language: &'static str,
    question: &'static str,
    passages: &'static [(&'static str, &'static str, &'static str)],
    said: &'static str,
    stands: &'static str,
}

const HIRE: &[(&str, &str, &str)] = &[
    (
        "Orders and returns - Pedal & Spoke",
        "Paying",
        "We accept cards, bank transfer and, in the shop, cash. A bicycle can be paid in ten monthly instalments without \
         interest; a deposit of a fifth is due when you order.",
    ),
    (
        "Hire a bicycle - Pedal & Spoke",
        "What to bring",
        "- Deposit: £50 for a town bicycle or a tandem, £200 for anything electric. We block the sum on your card and release \
         it on return.\n- Age: Riders of electric bicycles must be at least sixteen.",
    ),
];
const LIBRARY: &[(&str, &str, &str)] = &[
    (
        "Visiting Ashcombe Town Library",
        "Getting here",
        "Buses 4 and 11 stop at the Corn Exchange, right in front of the entrance. From the railway station it is a walk of \
         eight minutes.",
    ),
    (
        "Borrowing and returning",
        "The library of things",
        "They are lent for four days to members over eighteen. A deposit of 20 pounds is taken by card and goes back when the \
         thing is returned clean.",
    ),
];
const SPLIT: &[(&str, &str, &str)] = &[(
    "Debian Reference",
    "Splitting a large file",
    "When a data is too big to backup as a single file, you can backup its content after splitting it into, e.g. 2000MiB \
     chunks.\n\n```\n$ split -b 2000m large_file\n$ cat x* >large_file\n```",
)];
const WASHING: &[(&str, &str, &str)] = &[(
    "Linnea 8",
    "Was die Anzeige sagt",
    "| Anzeige | Bedeutung | Was zu tun ist |\n|---|---|---|\n| F13 | Wasser in der Bodenwanne | Hahn zudrehen, Stecker ziehen, \
     Kundendienst rufen |",
)];

const COFFEE: &[(&str, &str, &str)] = &[(
    "Aurelia 300",
    "Descaling",
    "When the lamp with the drop lights up, descale within the next thirty cups. It takes about twenty-five minutes, and you \
     should not interrupt it.",
)];

const RECORDED: [Recorded; 12] = [
    // The interruption is denied, not the time.
    Recorded {
        language: "en",
        question: "How long does it take?",
        passages: COFFEE,
        said: "It takes about twenty-five minutes. [1]",
        stands: "It takes about twenty-five minutes [1].",
    },
    Recorded {
        language: "en",
        question: "May I stop it?",
        passages: COFFEE,
        said: "You should interrupt it. [1]",
        stands: "unusable",
    },
    Recorded {
        language: "en",
        question: "e-bike hire deposit",
        passages: HIRE,
        said: "£200 for anything electric. We block the sum on your card and release it on return. [2]",
        stands: "£200 for anything electric [2]. We block the sum on your card and release it on return [2].",
    },
    Recorded {
        language: "en",
        question: "Can I pay off a new bike bit by bit?",
        passages: HIRE,
        said: "Yes, you can pay off a new bike bit by bit. [1]",
        stands: "unusable",
    },
    Recorded {
        language: "en",
        question: "How much is a new chain for an e-bike?",
        passages: HIRE,
        said: "£48 [2]",
        stands: "unusable",
    },
    // The text of the worked example, which is not a passage.
    Recorded {
        language: "en",
        question: "How much does the Aurelia 300 cost?",
        passages: HIRE,
        said: "5 euros a year. [1]",
        stands: "unusable",
    },
    Recorded {
        language: "en",
        question: "wich bus goes to the libary",
        passages: LIBRARY,
        said: "Buses 4 and 11 stop at the Corn Exchange, right in front of the entrance. [1]",
        stands: "Buses 4 and 11 stop at the Corn Exchange, right in front of the entrance [1].",
    },
    Recorded {
        language: "en",
        question: "wich bus goes to the libary",
        passages: LIBRARY,
        said: "The bus N6 goes to the library. [2]",
        stands: "unusable",
    },
    Recorded {
        language: "en",
        question: "What is the offside rule?",
        passages: LIBRARY,
        said: "The offside rule is when a player is off the field of play. [2]",
        stands: "unusable",
    },
    Recorded {
        language: "en",
        question: "How can I split a large file into pieces?",
        passages: SPLIT,
        said: "For example, to split a file named `large_file` into pieces of 2000MiB each, you can use the following \
               command:\n\n```\nsplit -b 2000m large_file\n```\n\nThis will create a series of files named `x00`, `x01`, `x02`, \
               etc., each containing a portion of the original file.",
        stands: "For example, to split a file named `large_file` into pieces of 2000MiB each, you can use the following command \
                 [1]:\n\n```\nsplit -b 2000m large_file\n```",
    },
    Recorded {
        language: "en",
        question: "And does it make hot chocolate?",
        passages: LIBRARY,
        said: "NO_ANSWER",
        stands: "refused",
    },
    Recorded {
        language: "de",
        question: "Was bedeutet die Anzeige F13?",
        passages: WASHING,
        said: "Die Anzeige F13 bedeutet Wasser in der Bodenwanne. [1]",
        stands: "Die Anzeige F13 bedeutet Wasser in der Bodenwanne [1].",
    },
];

fn verified(recorded: &Recorded, said: &str, ending: Ending) -> Verdict<usize> {
    let passages = candidates(recorded.passages);
    let mut verification = Verification::new(Verified {
        language: Language::of(recorded.language),
        passages: &passages,
        question: recorded.question,
        system_prompt: "",
        names: "",
        unsupported: Unsupported::Strict,
        embedder: None,
    });
    let verifying = async {
        let text = verification.push(said).await;
        match verification.finish(ending).await {
            Verdict::Answer(cited) => Verdict::Answer(Cited { rest: text + &cited.rest, ..cited }),
            verdict => verdict,
        }
    };
    verifying.now_or_never().expect("nothing is waited for")
}

#[test]
fn what_stands_of_real_outputs_is_what_the_passages_say() {
    for recorded in &RECORDED {
        let verdict = verified(recorded, recorded.said, Ending::Whole);
        assert_eq!(shown(&verdict), recorded.stands, "{}", recorded.said);
    }
}

#[test]
fn mutated_real_outputs_invent_no_number_and_cite_what_is_there() {
    let mut random = Random(11);
    for round in 0..2000 {
        let recorded = &RECORDED[random.below(RECORDED.len())];
        let said = mutate(recorded.said, RECORDED[random.below(RECORDED.len())].said, &mut random);
        let Verdict::Answer(cited) = verified(recorded, &said, Ending::Cut) else { continue };
        let text = cited.citations.iter().fold(cited.rest.clone(), |text, known| text.replace(&known.marker, ""));
        assert!(crate::generate::language::words(&text).count() >= 2, "{round}: {said:?}: {text:?}");
        assert!(!text.contains("NO_ANSWER") && !text.contains("<|"), "{round}: {said:?}: {text:?}");
        let content: String =
            recorded.passages.iter().map(|(title, heading, content)| format!("{title} {heading} {content} ")).collect();
        let known = evidence::Evidence::new("", &content, Language::of(recorded.language));
        let question = evidence::Evidence::new("", recorded.question, Language::of(recorded.language));
        for number in numbers::numbers(&text) {
            let stands = known.has_number(&number.form) || question.has_number(&number.form);
            assert!(stands, "{round}: {number:?} of {said:?}: {text:?}");
        }
        assert!(cited.citations.iter().all(|known| known.source_index < cited.sources.len()), "{round}: {said:?}");
    }
}
