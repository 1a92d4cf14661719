//! Detects that a model says it has no answer: with the requested word, or with a paraphrase in any language.

use super::evidence::plain;
use crate::generate::language::{Language, all, words};

/// Whether the sentence refuses.
pub(super) fn is_refusal(sentence: &str) -> bool {
    is_word(sentence) || all().iter().any(|language| is_disguise(sentence, language))
}

/// Whether a text is the word for no answer, or contains it as requested.
pub(super) fn is_word(text: &str) -> bool {
    let letters = letters(text);
    let compact = text.to_uppercase().replace([' ', '-', '*', '`', '\\'], "_");
    all().iter().flat_map(|language| &language.refusal.words).any(|word| self::letters(word) == letters)
        || compact.contains("NO_ANSWER") && !text.contains("no answer")
}

fn letters(text: &str) -> String {
    text.chars().filter(|mark| mark.is_alphabetic()).flat_map(char::to_uppercase).collect()
}

/// Whether the sentence has a phrase that refuses whatever the documents are about.
pub(super) fn has_phrase(sentence: &str) -> bool {
    all().iter().any(|language| has_phrase_of(&compact(sentence), language))
}

/// The words of a sentence with single spaces, without punctuation.
fn compact(sentence: &str) -> String {
    let text = format!(" {} ", plain(sentence).replace(['.', ',', ';', '!', '?', ':', '"'], " "));
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn says(text: &str, phrase: &str) -> bool {
    format!(" {text} ").contains(&format!(" {} ", phrase.replace(',', "")))
}

fn has_phrase_of(text: &str, language: &Language) -> bool {
    language.refusal.phrases.iter().any(|phrase| says(text, phrase))
}

/// Phrases count wherever they occur. A subject and a negation count together, when the subject is near the beginning.
fn is_disguise(sentence: &str, language: &Language) -> bool {
    let text = compact(sentence);
    if has_phrase_of(&text, language) {
        return true;
    }
    let opening: Vec<String> = words(&text).take(8).collect();
    let has_subject = language.refusal.subjects.iter().any(|subject| match subject.contains(' ') {
        true => says(&text, subject),
        false => opening.contains(subject),
    });
    has_subject
        && language.refusal.denials.iter().any(|denial| says(&text, denial))
        && speaks_of_texts(&opening, language)
}

/// Whether the subject of a sentence is the texts themselves: "The texts ...", "In den Texten ...".
fn speaks_of_texts(opening: &[String], language: &Language) -> bool {
    let subject =
        opening.iter().position(|word| language.refusal.subjects.iter().any(|subject_word| subject_word == word));
    subject.is_none_or(|at| at <= 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_recognised_in_any_form() {
        for text in [
            "NO_ANSWER",
            "**NO_ANSWER**.",
            "No answer.",
            "NO ANSWER",
            "no-answer",
            "Antwort: NO_ANSWER",
            "KEINE_ANTWORT",
            "`NO\\_ANSWER`",
        ] {
            assert!(is_refusal(text), "{text}");
        }
    }

    #[test]
    fn disguises_are_recognised_in_all_languages() {
        for text in [
            "The texts do not say how much it costs.",
            "The provided passages don't mention parking.",
            "There is no information about this in the documents.",
            "I'm sorry, but I cannot answer that.",
            "The price is not mentioned in the text.",
            "Based on the given texts, the answer cannot be determined.",
            "Dazu steht nichts in den Texten.",
            "Die Texte enthalten keine Angaben dazu.",
            "In den Dokumenten steht nicht, wie viel es kostet.",
            "Es tut mir leid, das kann ich nicht beantworten.",
            "Keine Informationen zu diesem Thema.",
            "Los textos no dicen cuánto cuesta.",
            "No hay información sobre los precios.",
            "Les textes ne disent pas combien cela coûte.",
            "Il n'y a pas d'information à ce sujet.",
            "I testi non dicono quanto costa.",
            "Mi dispiace, non lo so.",
            "De teksten zeggen niet hoeveel het kost.",
            "Er is geen informatie over de prijs.",
            "Os textos não dizem quanto custa.",
            "Não há informações sobre o preço.",
            "The answer is not in the texts.",
            "Die Antwort steht nicht in den Texten.",
            "Aus den Texten geht nicht hervor, was es kostet.",
            "En los documentos no se menciona el precio.",
            "La respuesta no está en los textos.",
            "Lo siento, no puedo responder a esa pregunta.",
            "Le prix n’est pas mentionné dans les textes.",
            "La réponse ne se trouve pas dans les textes.",
            "Désolé, je ne peux pas répondre à cette question.",
            "Nei testi non si parla del parcheggio.",
            "La risposta non si trova nei testi.",
            "Il prezzo non è indicato nei documenti.",
            "De prijs wordt niet vermeld in de teksten.",
            "Het antwoord staat niet in de teksten.",
            "Deze vraag kan ik niet beantwoorden.",
            "O preço não é mencionado nos textos.",
            "A resposta não está nos textos.",
            "Desculpe, não posso responder a essa pergunta.",
        ] {
            assert!(is_refusal(text), "{text}");
        }
    }

    #[test]
    fn each_phrase_of_each_language_is_recognised_inside_a_sentence() {
        for language in all() {
            for phrase in &language.refusal.phrases {
                let text = format!("Hm: {phrase} 42.");
                assert!(is_refusal(&text), "{}: {text}", language.code);
            }
        }
    }

    #[test]
    fn answers_are_no_refusals() {
        for text in [
            "You can return an item within 30 days.",
            "You cannot return sale items.",
            "Packages are not removed with their configuration files.",
            "No, answers to orders arrive by mail.",
            "Artikel im Schlussverkauf können nicht zurückgegeben werden.",
            "Schreiben Sie keine Passwörter in das Formular.",
            "No se pueden devolver los artículos rebajados.",
            "On ne peut pas rendre les soldes.",
            "Non si possono restituire gli articoli in saldo.",
            "Je kunt afgeprijsde artikelen niet terugsturen.",
            "Os artigos em saldo não podem ser devolvidos.",
            "The installer does not delete your text files.",
        ] {
            assert!(!is_refusal(text), "{text}");
        }
    }
}
