//! Facts that must occur literally in a cited passage: numbers, dates, prices, addresses, telephone numbers, commands,
//! links and names.

use super::{
    evidence::{Evidence, plain},
    measures::{Measure, measures},
};
use crate::generate::{
    language::{Language, words},
    numbers::{Number, long_runs, months_of_dates, numbers},
};

/// URL schemes that open programs or carry data.
const SCHEMES: [&str; 10] =
    ["javascript:", "data:", "vbscript:", "mailto:", "tel:", "file:", "ftp:", "sms:", "blob:", "ws:"];

/// Whether all facts of a sentence occur in its passages. Numbers may also come from the question if the sentence has one of
/// the passages, too; links, commands and addresses may not.
pub(super) fn are_supported(sentence: &str, language: &Language, passages: &[&Evidence], question: &Evidence) -> bool {
    let has = |text: &str| passages.iter().any(|passage| passage.has(text));
    are_numbers_supported(sentence, language, passages, question)
        && are_units_supported(sentence, language, passages, question)
        && are_months_supported(sentence, language, passages, question)
        && tokens(sentence).all(|token| !is_exact(&token) || has(&plain(&token)))
        && destinations(sentence).iter().all(|link| has(&plain(link)))
        && tags(sentence).iter().all(|tag| has(&plain(tag)))
        && code(sentence).iter().all(|code| passages.iter().any(|passage| has_code(passage, code)))
}

/// Whether a passage has this line of code, to the letter if it has signs that [`plain`] leaves out: `rm *` is not `rm`.
fn has_code(passage: &Evidence, line: &str) -> bool {
    passage.has(&plain(line)) && (!line.contains(['`', '*']) || passage.has_exactly(line))
}

/// Whether each line of a code block occurs in a passage. Its fences may only name a language.
pub(super) fn is_code_supported(block: &str, passage: &Evidence) -> bool {
    let Some((first, rest)) = block.split_once('\n') else { return false };
    let language = first.trim().trim_start_matches('`');
    let is_language = language.len() <= 16 && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let rest = rest.trim_end();
    let lines = rest[..rest.trim_end_matches('`').len()].lines();
    let mut lines =
        lines.map(|line| line.trim().trim_start_matches("$ ").trim()).filter(|line| !line.is_empty()).peekable();
    is_language && lines.peek().is_some() && lines.all(|line| !line.contains("```") && has_code(passage, line))
}

/// Whether the names in a sentence are known: words with a capital letter inside a sentence (not in German, where every
/// noun has one), in capitals, or with digits.
pub(super) fn are_names_known(sentence: &str, language: &Language, passages: &[&Evidence], own: &Evidence) -> bool {
    let mut is_start = true;
    for token in sentence.split_whitespace() {
        let word = token.trim_matches(|mark: char| !mark.is_alphanumeric());
        let starts = std::mem::replace(&mut is_start, token.ends_with([':', '.', '!', '?', '"', '„', '“', '«', '(']));
        for (number, part) in
            word.split(|mark: char| !mark.is_alphanumeric()).filter(|part| !part.is_empty()).enumerate()
        {
            if is_name(part, starts && number == 0, language) && !is_known(part, language, passages, own) {
                return false;
            }
        }
    }
    true
}

fn is_name(word: &str, starts: bool, language: &Language) -> bool {
    let letters = word.chars().filter(|mark| mark.is_alphabetic()).count();
    let capitals = word.chars().filter(|mark| mark.is_uppercase()).count();
    let has_digit = word.contains(|mark: char| mark.is_ascii_digit());
    let begins_with_digit = word.starts_with(|mark: char| mark.is_ascii_digit());
    let is_mixed = has_digit && letters > 0 && !begins_with_digit;
    let is_acronym = letters > 1 && capitals > 1;
    let is_capital = capitals > 0 && letters > 1 && !starts && language.code != "de";
    is_mixed || is_acronym || is_capital
}

fn is_known(word: &str, language: &Language, passages: &[&Evidence], own: &Evidence) -> bool {
    let stems = language.stems(word);
    stems.iter().all(|stem| own.has_stem(stem) || passages.iter().any(|passage| passage.has_stem(stem)))
}

/// Whether all numbers of a sentence occur in the passages. Those of the question count beside another one of the passages:
/// "Yes, 40 people, as there is room for 50" says what the passages say, "Yes, 40 people" may not.
fn are_numbers_supported(sentence: &str, language: &Language, passages: &[&Evidence], question: &Evidence) -> bool {
    let runs = long_runs(sentence);
    let has = |form: &str| passages.iter().any(|passage| passage.has_number(form));
    // An announcement may count the items that follow it.
    let is_announcement = sentence.trim_end().ends_with(':');
    let spelled = words(sentence).filter_map(|word| language.number(&word)).filter(|_| !is_announcement);
    let spelled = spelled.map(|value| value.to_string());
    let in_run = |number: &Number| {
        let run = runs.iter().find(|(at, _)| at.start <= number.at.start && number.at.end <= at.end);
        run.is_some_and(|(_, digits)| passages.iter().any(|passage| passage.has_run(digits)))
    };
    let written: Vec<Number> = numbers(sentence).into_iter().filter(|number| !in_run(number)).collect();
    // The end of a code such as `QX-7604` names one thing.
    let is_in_code = |number: &Number| sentence[..number.at.start].ends_with(['-', '/', '_', '.']);
    if written.iter().any(|number| is_in_code(number) && !has(&number.form)) {
        return false;
    }
    let written = written.into_iter().map(|number| number.form);
    let (supported, others): (Vec<String>, Vec<String>) = written.chain(spelled).partition(|form| has(form));
    let has_own = supported.iter().any(|form| !question.has_number(form));
    others.iter().all(|form| has_own && question.has_number(form))
}

/// Whether no number has another unit than in the passages and the question.
fn are_units_supported(sentence: &str, language: &Language, passages: &[&Evidence], question: &Evidence) -> bool {
    let texts = passages.iter().copied().chain([question]);
    let measures_there: Vec<&Measure> = texts.flat_map(|text| &text.measures).collect();
    measures(&plain(sentence), language).iter().all(|measure| measure.stands(&measures_there))
}

fn are_months_supported(sentence: &str, language: &Language, passages: &[&Evidence], question: &Evidence) -> bool {
    let written = sentence.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).enumerate();
    // At the beginning of a sentence, `May` may be a verb.
    let written = written.filter(|(at, word)| *at > 0 || !language.is_function_word(&word.to_lowercase()));
    let months = written.filter_map(|(_, word)| language.month(word)).map(|month| vec![month]);
    let is_known =
        |month: &usize| question.names_month(*month) || passages.iter().any(|passage| passage.has_month(*month));
    months.chain(months_of_dates(sentence)).all(|months| months.iter().any(is_known))
}

/// Splits at white space and brackets, without surrounding punctuation.
fn tokens(sentence: &str) -> impl Iterator<Item = String> + '_ {
    sentence
        .split(|mark: char| {
            mark.is_whitespace()
                || matches!(
                    mark,
                    '(' | ')' | '<' | '>' | '[' | ']' | '"' | '„' | '“' | '”' | '«' | '»' | '|' | '{' | '}'
                )
        })
        .map(|token| {
            token.trim_matches(|mark: char| matches!(mark, '.' | ',' | ';' | ':' | '!' | '?' | '*' | '`' | '\'' | '_'))
        })
        .filter(|token| !token.is_empty())
        .map(str::to_owned)
}

/// Whether a word is an address, a link, a path or an option.
fn is_exact(token: &str) -> bool {
    let lower = token.to_lowercase();
    let is_address = lower.contains("://") || lower.starts_with("www.") || lower.starts_with("//");
    let is_mail = lower.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    let has_scheme = SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
    let is_path = token.len() > 2
        && (token.starts_with('/') || token.starts_with("~/") || token.starts_with("../") || token.contains('\\'));
    let is_option =
        token.strip_prefix('-').is_some_and(|rest| rest.trim_start_matches('-').starts_with(char::is_alphabetic));
    let is_query = lower.contains('=') && lower.contains(['?', '&', '/']) || lower.contains('%') && lower.contains('=');
    is_address || is_mail || has_scheme || is_path || is_option || is_query || is_domain(token)
}

/// Whether a word looks like the name of a host or a file: `shop.example`, `notes.txt/x`.
fn is_domain(token: &str) -> bool {
    let host = token.split(['/', ':', '?', '#']).next().unwrap_or(token);
    let labels: Vec<&str> = host.split('.').collect();
    let last = labels.last().copied().unwrap_or_default();
    let is_label = |label: &&str| {
        !label.is_empty() && label.chars().all(|mark| mark.is_alphanumeric() || mark == '-' || mark == '_')
    };
    labels.len() >= 2
        && labels.iter().all(is_label)
        && last.chars().count() >= 2
        && last.chars().all(|mark| mark.is_lowercase() || mark.is_ascii_digit())
        && last.contains(|mark: char| mark.is_alphabetic())
        && labels[..labels.len() - 1].iter().any(|label| label.chars().count() >= 2)
}

/// The destinations of Markdown links and images.
fn destinations(sentence: &str) -> Vec<&str> {
    let mut destinations = Vec::new();
    for (at, _) in sentence.match_indices("](") {
        let rest = &sentence[at + 2..];
        let end = rest.find([')', ' ']).unwrap_or(rest.len());
        destinations.push(&rest[..end]);
    }
    // An image, and a link or image with a reference definition.
    for (at, _) in sentence.match_indices("![") {
        destinations.push(&sentence[at..]);
    }
    for (at, _) in sentence.match_indices("][").chain(sentence.match_indices("]:")) {
        destinations.push(&sentence[at..]);
    }
    destinations
}

/// HTML tags, without addresses in angle brackets.
fn tags(sentence: &str) -> Vec<&str> {
    let is_tag = |at: usize| {
        let rest = &sentence[at + 1..];
        rest.starts_with(|mark: char| mark.is_ascii_alphabetic() || matches!(mark, '/' | '!' | '?' | '|'))
    };
    let tag = |at: usize| {
        let rest = &sentence[at..];
        &rest[..rest.find('>').map_or(rest.len(), |end| end + 1)]
    };
    let tags = sentence.match_indices('<').filter(|(at, _)| is_tag(*at)).map(|(at, _)| tag(at));
    tags.filter(|tag| !tag.contains("://") && !tag.contains('@')).collect()
}

/// The code in backticks.
fn code(sentence: &str) -> Vec<&str> {
    sentence.split('`').skip(1).step_by(2).filter(|code| !code.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str) -> bool {
        let language = Language::of("en");
        let passage = "Call +49 30 1234-567 from 9 am to 5 pm or write to help@shop.example. Delivery takes 3 days and costs \
                       1.234,50 €. Run `sudo apt-get install foo --yes` or see https://docs.example/start. It was founded on \
                       24 December 1999, opens at nine and has <b>two</b> halls. Edit /etc/foo.conf.";
        let passage = Evidence::new("Shop", passage, language);
        let question = Evidence::new("", "Can 40 people order at http://evil.example/x with 'rm -rf'?", language);
        are_supported(sentence, language, &[&passage], &question)
    }

    #[test]
    fn what_stands_in_the_passage_stands_in_any_format() {
        for sentence in [
            "Call 030 1234567.".replace("030", "+49 30").as_str(),
            "Phone: 49301234567.",
            "Open from 9:00 to 17:00.",
            "Geöffnet bis 17 Uhr.",
            "It costs 1,234.50 euros.",
            "Since 24.12.1999.",
            "Since 24 Dezember 1999.",
            "It opens at 9.",
            "It has 2 halls.",
            "Up to 40 people, 2 of them in the hall.",
            "Run `sudo apt-get install foo`.",
            "See <https://docs.example/start>.",
            "See [the guide](https://docs.example/start).",
            "Write to HELP@shop.example, please.",
            "Add --yes and edit /etc/foo.conf.",
            "It ends.This begins e.g. here, i.e. there.",
        ] {
            assert!(check(sentence), "{sentence}");
        }
    }

    #[test]
    fn months_stand_in_dates_with_digits() {
        let english = Language::of("en");
        let passage = "Founded on 24.12.1999. In May it moved, 10 years ago. Registered members pay.";
        let (passage, question) = (Evidence::new("", passage, english), Evidence::new("", "When?", english));
        let check = |sentence: &str| are_supported(sentence, english, &[&passage], &question);
        for sentence in ["Founded on 24 December 1999.", "Founded on 12/24/1999.", "Once registered, payment is due."] {
            assert!(check(sentence), "{sentence}");
        }
        for sentence in ["Founded on 24 October 1999.", "Founded on 24.10.1999."] {
            assert!(!check(sentence), "{sentence}");
        }
    }

    #[test]
    fn code_stands_with_all_its_lines() {
        let text = "Run this:\n\n```\nmake\nmake run\nrm *.o\n```";
        let passage = Evidence::new("", text, Language::of("en"));
        for block in ["```\nmake run\n```", "```sh\n$ make\nmake run\n```", "```\nrm *.o\n```"] {
            assert!(is_code_supported(block, &passage), "{block}");
        }
        for block in [
            "```\nrm -r\n```",
            "```\nrm *.*o\n```",
            "```\nmake `run`\n```",
            "```\nmake\n```rm\nmake\n```",
            "```see https://evil.example\nmake\n```",
            "```\n```",
            "```",
        ] {
            assert!(!is_code_supported(block, &passage), "{block}");
        }
    }

    #[test]
    fn what_stands_nowhere_falls() {
        for sentence in [
            "It takes 4 days.",
            "Up to 40 people.",
            "It takes 3 weeks.",
            "It costs 1,234.50 dollars.",
            "Open until 6 pm.",
            "It opens at eight.",
            "It was founded on 24 May 1999.",
            "It was founded in September.",
            "Call +49 30 7654-321.",
            "Write to jane@shop.example.",
            "See http://evil.example/x.",
            "See www.evil.example.",
            "See evil.example/collect?d=3.",
            "![x](https://evil.example/p.png)",
            "![x][1]",
            "[here](/collect)",
            "[ref]: https://evil.example",
            "Click <a href=https://evil.example>here</a>.",
            "Click <img src=x onerror=alert(1)>.",
            "Run `rm -rf /`.",
            "Use rm -rf instead.",
            "javascript:alert(1)",
            "data:text/html;base64,AAAA",
            "See https://docs.example/start?leak=walrus.",
            "Edit /etc/passwd.",
        ] {
            assert!(!check(sentence), "{sentence}");
        }
    }
}
