//! The reply when the documents have no answer and the tenant's message does not apply: it is missing, or the question
//! is in another language.

use super::language::Language;

/// The default fallback message in the language of a tag; English for languages without texts.
pub fn message(language: &str) -> &'static str {
    match Language::of(language).code {
        "de" => "Dazu habe ich in meinen Unterlagen nichts gefunden.",
        "es" => "No he encontrado nada sobre eso en mis documentos.",
        "fr" => "Je n’ai rien trouvé à ce sujet dans mes documents.",
        "it" => "Non ho trovato nulla al riguardo nei miei documenti.",
        "nl" => "Daarover heb ik niets gevonden in mijn documenten.",
        "pt" => "Não encontrei nada sobre isso nos meus documentos.",
        _ => "I could not find an answer to that in my documents.",
    }
}

/// The reply to a question in another language than the chatbot's, which names the chatbot's language; `None` for a
/// question in the chatbot's language, and for languages without texts.
pub fn message_in_other_language(question: &str, chatbot: &str) -> Option<String> {
    let usual = Language::of(chatbot).code;
    if !chatbot.to_ascii_lowercase().starts_with(usual) {
        return None;
    }
    let question_code = Language::of_question(question, usual).code;
    if question_code == usual {
        return None;
    }
    let name = name(usual, question_code);
    let hint = match question_code {
        "de" => format!("Meine Unterlagen sind auf {name}. Vielleicht hilft es, die Frage auf {name} zu stellen."),
        "es" => format!("Mis documentos están en {name}. Quizá ayude hacer la pregunta en {name}."),
        "fr" => format!("Mes documents sont en {name}. Essayez de poser la question en {name}."),
        "it" => format!("I miei documenti sono in {name}. Forse può aiutare porre la domanda in {name}."),
        "nl" => {
            format!("Mijn documenten zijn in het {name}. Misschien helpt het om de vraag in het {name} te stellen.")
        }
        "pt" => format!("Os meus documentos estão em {name}. Talvez ajude fazer a pergunta em {name}."),
        _ => format!("My documents are in {name}. It may help to ask the question in {name}."),
    };
    Some(format!("{} {hint}", message(question_code)))
}

/// The name of a language in another one.
fn name(language: &str, inside: &str) -> &'static str {
    let names = match inside {
        "de" => ["Deutsch", "Englisch", "Spanisch", "Französisch", "Italienisch", "Niederländisch", "Portugiesisch"],
        "es" => ["alemán", "inglés", "español", "francés", "italiano", "neerlandés", "portugués"],
        "fr" => ["allemand", "anglais", "espagnol", "français", "italien", "néerlandais", "portugais"],
        "it" => ["tedesco", "inglese", "spagnolo", "francese", "italiano", "olandese", "portoghese"],
        "nl" => ["Duits", "Engels", "Spaans", "Frans", "Italiaans", "Nederlands", "Portugees"],
        "pt" => ["alemão", "inglês", "espanhol", "francês", "italiano", "neerlandês", "português"],
        _ => ["German", "English", "Spanish", "French", "Italian", "Dutch", "Portuguese"],
    };
    let place = ["de", "en", "es", "fr", "it", "nl", "pt"].iter().position(|listed| *listed == language);
    names[place.unwrap_or(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_in_another_language_learns_the_documents_language() {
        assert_eq!(
            message_in_other_language("Wann kommt der Bus nach Hamburg?", "en").as_deref(),
            Some(
                "Dazu habe ich in meinen Unterlagen nichts gefunden. Meine Unterlagen sind auf Englisch. Vielleicht hilft es, \
                 die Frage auf Englisch zu stellen."
            )
        );
        for (question, language) in [
            ("When does the bus to Hamburg leave?", "German"),
            ("¿A qué hora sale el autobús de la ciudad?", "alemán"),
            ("À quelle heure est-ce que le bus part ?", "allemand"),
            ("A che ora parte il bus per la città?", "tedesco"),
            ("Hoe laat gaat de bus naar Hamburg?", "Duits"),
            ("A que horas parte o autocarro para a cidade?", "alemão"),
        ] {
            let text = message_in_other_language(question, "de-AT").unwrap_or_default();
            assert_eq!(text.matches(language).count(), 2, "{question}: {text}");
        }
    }

    #[test]
    fn the_tenants_words_stay_where_they_fit() {
        assert_eq!(message_in_other_language("Wann kommt der Bus?", "de"), None);
        assert_eq!(message_in_other_language("Bus?", "en"), None);
        assert_eq!(
            message_in_other_language("When does the bus leave?", "pl"),
            None,
            "its documents may be in any language"
        );
        assert_eq!(message("de-CH"), message("de"));
        assert_eq!(message("pl"), message("en"));
    }
}
