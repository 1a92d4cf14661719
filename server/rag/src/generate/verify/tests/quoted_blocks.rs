//! Code, lists and tables that a passage has behind the sentence which an answer rests on.

use super::*;

const CONTENT: &str = "Convert a file with `recode`.\n\n```\nrecode latin1..utf8 notes.txt\n```\n\nThe file stays where it is. To \
                       change the filter, do this:\n\n1. Soak the new one in water.\n2. Screw it into the tank.\n\nA filter \
                       lasts for two months.";
const CODE: &str = "```\nrecode latin1..utf8 notes.txt\n```";
const STEPS: &str = "1. Soak the new one in water.\n2. Screw it into the tank. [1]";

fn checked(content: &str, text: &str) -> String {
    strict_for("How is it done?", &[("Guide", "", content)], text)
}

#[test]
fn a_sentence_gets_the_code_behind_it_before_the_next_one() {
    let sentence = "Convert the file with `recode`.";
    let whole = format!("Convert the file with `recode` [1].\n\n{CODE}\n\n[1]");
    assert_eq!(checked(CONTENT, sentence), whole);
    let next = format!("{whole}\n\nThe file stays where it is [1].");
    assert_eq!(checked(CONTENT, &format!("{sentence} The file stays where it is.")), next);
    let repeated = format!("{sentence} The file stays where it is.\n\n{CODE}");
    assert_eq!(checked(CONTENT, &repeated), next, "not twice");
}

#[test]
fn an_announcement_gets_its_whole_list() {
    assert_eq!(checked(CONTENT, "Change the filter."), format!("Change the filter [1].\n\n{STEPS}"));
    let table = "The prices of tickets are:\n\n| kind | euros |\n|---|---|\n| Single | 5 |\n| Season | 95 |";
    let list = "- **Single**: euros: 5\n- **Season**: euros: 95 [1]";
    let expected = format!("These are the prices of tickets [1].\n\n{list}");
    assert_eq!(checked(table, "These are the prices of tickets."), expected);
}

#[test]
fn a_block_that_the_model_writes_itself_is_not_quoted() {
    let code = format!("Convert the file with `recode`.\n\n{CODE}");
    assert_eq!(checked(CONTENT, &code), format!("Convert the file with `recode` [1].\n\n{CODE}\n\n[1]"));
    let inside = "Convert the file with `recode latin1..utf8 notes.txt`";
    assert_eq!(checked(CONTENT, &format!("{inside}.")), format!("{inside} [1]."));
    let steps = "Change the filter.\n1. Soak the new one in water.\n2. Screw it into the tank.";
    let expected = "Change the filter [1].\n1. Soak the new one in water [1].\n2. Screw it into the tank [1].";
    assert_eq!(checked(CONTENT, steps), expected);
    let earlier = format!("Run:\n\n{CODE}\n\nConvert the file with `recode`.");
    assert_eq!(checked(CONTENT, &earlier).matches("notes.txt").count(), 1);
}

#[test]
fn a_fence_with_a_language_does_not_show_a_short_block_twice() {
    let content = "Start the shop.\n\n```\nboatd\n```\n\nIt opens at nine.";
    let code = "```bash\nboatd\n```";
    let own = format!("Start the shop [1].\n\n{code}\n\n[1]");
    assert_eq!(checked(content, &format!("Start the shop.\n\n{code}")), own);
    let quoted = "Start the shop [1].\n\n```\nboatd\n```\n\n[1]\n\nIt opens at nine [1].";
    assert_eq!(checked(content, &format!("Start the shop. It opens at nine.\n\n{code}")), quoted);
}

#[test]
fn an_answer_gets_one_block_at_most() {
    let both = checked(CONTENT, "Convert the file with `recode`. Change the filter.");
    assert_eq!(both, format!("Convert the file with `recode` [1].\n\n{CODE}\n\n[1]\n\nChange the filter [1]."));
}

#[test]
fn only_a_short_block_directly_behind_the_sentence_is_quoted() {
    let alone = "Change the filter [1].";
    let items = "- Soak the new one in cold water.\n".repeat(30);
    for content in [
        format!("To change the filter, do this:\n\n{}", items.trim_end()).as_str(),
        "Change the filter. Press the key.\n\n```\nreset\n```",
        "To change the filter, soak it:\n\n- for long\n\nBefore you change the filter, buy:\n\n- a new one",
    ] {
        assert_eq!(checked(content, "Change the filter."), alone, "{content}");
    }
}

#[test]
fn blocks_can_be_turned_off() {
    let passages = candidates(&[("Guide", "", CONTENT)]);
    for input in [
        VerificationInput { quotes_blocks: false, ..input("?", "en", &passages) },
        VerificationInput { unsupported: Unsupported::Off, ..input("?", "en", &passages) },
    ] {
        let verdict = verify_as(input, &["Change the filter."], Ending::Whole);
        assert!(text_of(&verdict).starts_with("Change the filter") && !text_of(&verdict).contains("Soak"));
    }
}
