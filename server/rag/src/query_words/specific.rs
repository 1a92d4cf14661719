//! The words of a question that its answer must have, because nothing else can stand for them: numbers, codes and names.

use std::collections::HashSet;

/// What may follow a number without changing it: "9am", "18h", "10er", "3rd".
const UNITS: &str = "am pm h uhr er ers st nd rd th kg g km m cm mm l ml min eur ct ème e er";

/// The numbers to twelve in the languages of the platform, for they are rarely written as digits.
const NUMBER_WORDS: [(&str, &str); 12] = [
    ("1", "one ein eine einen einem einer eins un una uno une een één"),
    ("2", "two zwei dos deux due twee"),
    ("3", "three drei tres trois tre drie três"),
    ("4", "four vier cuatro quatre quattro quatro"),
    ("5", "five fünf cinco cinq cinque vijf"),
    ("6", "six sechs seis sei zes"),
    ("7", "seven sieben siete sept sette zeven sete"),
    ("8", "eight acht ocho huit otto oito"),
    ("9", "nine neun nueve neuf nove negen"),
    ("10", "ten zehn diez dix dieci tien dez"),
    ("11", "eleven elf once onze undici"),
    ("12", "twelve zwölf doce douze dodici twaalf doze"),
];

/// Words before a name, in any case.
const TITLES: [&str; 9] = ["herr", "herrn", "frau", "dr", "prof", "mr", "mrs", "ms", "firma"];

/// Letters by which the forms of a name may differ: "Sunday" and "Sundays", "Anna" and "Annas".
const ENDING: usize = 2;
/// Letters of the shortest name.
const NAME: usize = 3;
/// The share of words with a capital from which on capitals say nothing: "Where Is The Office".
const TITLE_CASE: f32 = 0.6;

/// Whether `text`, an answer's passage with its headings, lacks a number, a code or a name of the question. With
/// `has_names`, a word with a capital within a sentence is a name, unless the language writes all nouns so.
pub fn lacks_specific_word(question: &str, text: &str, language: &str, has_names: bool) -> bool {
    let text_forms: HashSet<String> =
        words(text).map(|word| word.to_lowercase()).flat_map(|word| forms(&word)).collect();
    let has_number = |word: &String| forms(word).iter().any(|form| text_forms.contains(form));
    let mut numbers = words(question).filter(|word| has_digit(word)).map(str::to_lowercase);
    if numbers.any(|number| !has_number(&number)) {
        return true;
    }
    has_names && names(question, language).iter().any(|name| !text_forms.iter().any(|word| is_form_of(name, word)))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn has_digit(word: &str) -> bool {
    word.contains(|mark: char| mark.is_ascii_digit())
}

/// A word in lower case in the forms that are equal to it: as a number without its unit and leading zeros.
fn forms(word: &str) -> Vec<String> {
    let spelled = NUMBER_WORDS.iter().filter(|(_, words)| words.split(' ').any(|spelling| spelling == word));
    let mut forms: Vec<String> = spelled.map(|(number, _)| (*number).to_owned()).collect();
    forms.push(word.to_owned());
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = word.split_at(digits);
    if digits > 0 && (unit.is_empty() || UNITS.split(' ').any(|known_unit| known_unit == unit)) {
        let short = number.trim_start_matches('0');
        forms.push(if short.is_empty() { "0" } else { short }.to_owned());
    }
    forms
}

/// The names of a question in lower case: words with a capital within a sentence, and those after a title.
fn names(question: &str, language: &str) -> Vec<String> {
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let all: Vec<&str> = words(question).collect();
    #[allow(clippy::cast_precision_loss, reason = "the words of a question")]
    let share = all.iter().filter(|word| is_capital(word)).count() as f32 / all.len().max(1) as f32;
    let writes_nouns_so = language.split('-').next() == Some("de");
    let capitals_name = share < TITLE_CASE && !writes_nouns_so;
    let mut names = Vec::new();
    let mut begins = true;
    for raw in question.split_whitespace() {
        let word = raw.trim_matches(|mark: char| !mark.is_alphanumeric());
        let is_name = capitals_name && !begins && is_capital(word);
        // Of "d'Alembert" the part with the capital, of "I'm" nothing.
        let part = words(word).find(|part| is_capital(part) && part.chars().count() >= NAME);
        names.extend(part.filter(|_| is_name && !has_digit(word)).map(str::to_lowercase));
        begins = raw.ends_with(['.', '?', '!', ':', '"', '\u{201c}', '\u{201d}']) || word.is_empty();
    }
    let after_titles = all.windows(2).filter(|pair| TITLES.contains(&pair[0].to_lowercase().as_str()));
    names.extend(after_titles.filter(|pair| is_capital(pair[1])).map(|pair| pair[1].to_lowercase()));
    names
}

/// Whether two words in lower case are forms of one, or one begins a compound with the other.
fn is_form_of(name: &str, word: &str) -> bool {
    let (short, long) = if name.len() < word.len() { (name, word) } else { (word, name) };
    let is_whole = short.chars().count() + ENDING >= name.chars().count();
    is_whole && short.chars().count() >= NAME && long.starts_with(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(question: &str, text: &str, language: &str) -> bool {
        lacks_specific_word(question, text, language, true)
    }

    #[test]
    fn a_number_or_a_code_stands_for_itself() {
        for (question, text, expected) in [
            ("What does part 4711 cost?", "Part 4712 costs 9 euros.", true),
            ("What does part 4711 cost?", "Part 4711: 9 euros.", false),
            ("Is PS-2000X waterproof?", "The PS-2000 is waterproof.", true),
            ("Is PS-2000X waterproof?", "The ps 2000x is waterproof.", false),
            ("Are you open at 9am?", "From 09:30 to 17:00.", false),
            ("Can 2 dogs sleep here?", "Two dogs are allowed.", false),
            ("Can two dogs sleep here?", "Dogs are allowed.", false),
            ("Haben Sie am 24.12. offen?", "Am 24. und 25. Dezember geschlossen.", true),
            ("Kostet die 10er Karte 148 €?", "10er-Karte: 148 €", false),
        ] {
            assert_eq!(lacks(question, text, "en"), expected, "{question} {text}");
        }
    }

    #[test]
    fn a_name_stands_for_itself() {
        for (question, text, expected) in [
            ("Is there Prednison for my cat?", "We stock Prednisolon.", true),
            ("Are you open on Sundays?", "Closed on Sunday.", false),
            ("Are you open on Sundays?", "Closed on Saturday.", true),
            ("Do I need a lead?", "Dogs stay on a lead.", false),
            ("Which bus goes there? And does it stop?", "Bus 14 stops.", false),
            ("Where Is The Ticket Office?", "Tickets are at the gate.", false),
            ("DO YOU SELL BREAD?", "Rolls from eight.", false),
            ("Can I plug in my Tesla's cable?", "Electric cars at the posts.", true),
            ("Is Dr Harris in?", "The vet is here on Tuesdays.", true),
        ] {
            assert_eq!(lacks(question, text, "en"), expected, "{question} {text}");
        }
        assert!(!lacks("Wo ist das Büro?", "Im ersten Stock.", "de-AT"), "nouns are no names");
        assert!(lacks("Wann ist Herr Krause da?", "Die Sprechstunde ist dienstags.", "de"));
        let across = "Are you open on Sundays?";
        assert!(!lacks_specific_word(across, "Sonntags geschlossen.", "de", false), "days have other names there");
    }
}
