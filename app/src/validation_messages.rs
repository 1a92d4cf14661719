//! Messages for validation errors: German by the kind of the rule, English as the API returns them.

use contract::FieldError;

/// The sentence for a broken rule, with the number of the entry when the field is a list.
pub(crate) fn message(error: &FieldError, is_german: bool) -> String {
    let (entry, text) = if is_german { ("Eintrag", german(error)) } else { ("Entry", capitalised(&error.msg)) };
    match error.loc.last().and_then(|part| part.parse::<usize>().ok()) {
        Some(index) => format!("{entry} {}: {text}", index + 1),
        None => text,
    }
}

/// The German message for the kind of the rule.
fn german(error: &FieldError) -> String {
    let text = match error.kind.as_str() {
        "too_short" => "Darf nicht leer sein.",
        "too_long" => return too_long(&error.msg),
        "too_many" => return too_many(&error.msg),
        "slug" => {
            "Muss aus 1 bis 63 Zeichen (a–z, 0–9, „-“) bestehen und mit einem Buchstaben oder einer Ziffer beginnen und enden."
        }
        "language" => "Muss ein Sprachkürzel wie en oder de-AT sein.",
        "color" => "Muss eine Farbe wie #1d4ed8 sein.",
        "url" if error.field() == "contact_url" => {
            "Muss eine https-, mailto- oder tel-Adresse mit höchstens 2000 Zeichen sein."
        }
        "url" => "Muss eine https-Adresse mit höchstens 2000 Zeichen sein.",
        "website_url" => "Muss eine http- oder https-Adresse wie https://www.example.com sein.",
        "path_pattern" => "Muss ein Pfad wie /hilfe/* mit höchstens 500 Zeichen sein.",
        "out_of_range" => return range(&error.msg),
        "font_family" => {
            "Darf nur Buchstaben, Ziffern, Leerzeichen, Kommas, Bindestriche und Anführungszeichen (paarweise) enthalten, höchstens 200 Zeichen."
        }
        "datetime" => "Muss ein Tag wie 2026-01-31 oder ein Zeitpunkt wie 2026-01-31T12:00:00Z sein.",
        "faq_entry" => "Die Frage muss 1 bis 500 und die Antwort 1 bis 4000 Zeichen lang sein.",
        "remote_content" => {
            "Darf keine Inhalte von anderen Hosts laden: kein @import, url() nur mit data: oder einer Adresse auf dem eigenen Host."
        }
        "too_many_columns" => {
            "Hat mehr Zellen als die erste Zeile. Setzen Sie Texte mit Trennzeichen in Anführungszeichen."
        }
        "duplicate" => "Steht bereits in der Liste.",
        "no_language_model" => "Setzt ein Sprachmodell voraus, das diese Plattform nicht hat.",
        "no_template_update" => "Setzt eine neue Version der Vorlage voraus.",
        "username" => {
            "Muss aus 3 bis 64 Zeichen (a–z, 0–9, „.“, „-“, „_“, „@“) bestehen und mit einem Buchstaben oder einer Ziffer beginnen."
        }
        "email" => "Muss eine E-Mail-Adresse wie anna@example.com sein.",
        "characters" => "Darf keine Sonderzeichen enthalten.",
        "control_character" => "Darf keine Steuerzeichen enthalten.",
        _ => return capitalised(&error.msg),
    };
    text.to_owned()
}

fn capitalised(msg: &str) -> String {
    let mut chars = msg.chars();
    let Some(first) = chars.next() else { return String::new() };
    let end = if msg.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.to_ascii_uppercase(), chars.as_str())
}

/// The limit with its unit, from the message.
fn too_long(msg: &str) -> String {
    let most = numbers(msg).first().copied().unwrap_or("?");
    match msg.rsplit(' ').next() {
        Some("entries") => format!("Darf höchstens {most} Einträge haben."),
        Some("kB") => format!("Darf höchstens {most} kB groß sein."),
        _ => format!("Darf höchstens {most} Zeichen lang sein."),
    }
}

/// The limit of entries that a chatbot has reached.
fn too_many(msg: &str) -> String {
    format!("Überschreitet die Grenze von {} Einträgen pro Chatbot.", numbers(msg).first().copied().unwrap_or("?"))
}

/// The bounds of the message, as a sentence.
fn range(msg: &str) -> String {
    match numbers(msg)[..] {
        [least, most] => format!("Muss zwischen {least} und {most} liegen."),
        [least] => format!("Muss mindestens {least} sein."),
        _ => "Liegt außerhalb des zulässigen Bereichs.".to_owned(),
    }
}

fn numbers(msg: &str) -> Vec<&str> {
    msg.split(' ').filter(|word| word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())).collect()
}

#[cfg(test)]
mod tests {
    use contract::{
        Validate,
        audit::AuditFilter,
        branding::BrandingFields,
        templates::{FaqEntry, TemplateContent},
        validate::Checker,
    };

    use super::*;

    /// The message for the first validation error of a template's texts.
    fn message_of(content: &TemplateContent, is_german: bool) -> String {
        let mut check = Checker::body();
        content.check(&mut check);
        message(check.finish().first().expect("a rule is broken"), is_german)
    }

    fn questions(of: &[&str]) -> TemplateContent {
        let suggested_questions = of.iter().map(|text| (*text).to_owned()).collect();
        TemplateContent { name: "Help".to_owned(), suggested_questions, ..TemplateContent::default() }
    }

    #[test]
    fn a_list_says_which_entry_breaks_a_rule() {
        let long = "x".repeat(201);
        let content = questions(&["Why?", &long]);
        assert_eq!(message_of(&content, false), "Entry 2: Must have at most 200 characters.");
        assert_eq!(message_of(&content, true), "Eintrag 2: Darf höchstens 200 Zeichen lang sein.");
    }

    #[test]
    fn german_counts_what_the_rule_counts() {
        assert_eq!(message_of(&questions(&["Why?"; 9]), true), "Darf höchstens 8 Einträge haben.");
        let content = TemplateContent { description: "x".repeat(2001), ..questions(&[]) };
        assert_eq!(message_of(&content, true), "Darf höchstens 2000 Zeichen lang sein.");
    }

    #[test]
    fn german_names_every_kind_of_address_that_a_field_may_have() {
        let address = Some("help@example.com".to_owned());
        let fields = BrandingFields { privacy_url: address.clone(), contact_url: address, ..BrandingFields::default() };
        let mut check = Checker::body();
        fields.check(&mut check);
        let sentences: Vec<_> = check.finish().iter().map(|error| message(error, true)).collect();
        assert_eq!(
            sentences,
            [
                "Muss eine https-Adresse mit höchstens 2000 Zeichen sein.",
                "Muss eine https-, mailto- oder tel-Adresse mit höchstens 2000 Zeichen sein."
            ]
        );
    }

    #[test]
    fn german_has_a_sentence_for_dates_and_for_prepared_answers() {
        let filter = AuditFilter { date_from: Some("yesterday".to_owned()), ..AuditFilter::default() };
        let broken = filter.validate();
        assert_eq!(
            message(&broken[0], true),
            "Muss ein Tag wie 2026-01-31 oder ein Zeitpunkt wie 2026-01-31T12:00:00Z sein."
        );
        let entry = FaqEntry { question: "Why?".to_owned(), answer: String::new() };
        let content = TemplateContent { faq_seed: vec![entry], ..questions(&[]) };
        assert_eq!(
            message_of(&content, true),
            "Eintrag 1: Die Frage muss 1 bis 500 und die Antwort 1 bis 4000 Zeichen lang sein."
        );
    }
}
