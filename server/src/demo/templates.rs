//! The demo world's templates, as an operator would write them for a first customer.

use contract::{
    branding::BrandingFields,
    templates::{FaqEntry, NewTemplate, TemplateContent},
};

/// Every template. Ids that do not parse would be left out; the tests check that there are none.
pub(super) fn all() -> Vec<NewTemplate> {
    [product_help(), shop(), debian_faq(), support_de()].into_iter().flatten().collect()
}

fn product_help() -> Option<NewTemplate> {
    let content = TemplateContent {
        name: "Product help".to_owned(),
        description: "Answers questions about a product from its documentation.".to_owned(),
        suggested_system_prompt: "You answer questions about the product from the passages you are given, briefly and \
                                  politely, and cite them. When they do not answer the question, say so."
            .to_owned(),
        welcome_message: "Hello! Ask me anything about the chatbot platform. I answer from its documentation and \
                          show my sources."
            .to_owned(),
        suggested_questions: texts(&[
            "How do I install the widget on my site?",
            "How are tenants isolated from each other?",
            "Which file formats can be ingested?",
        ]),
        fallback_message: "I found nothing about that in the documentation. Try other words, or ask the team."
            .to_owned(),
        faq_seed: vec![FaqEntry {
            question: "Who can see my questions?".to_owned(),
            answer: "Your questions are kept with the chatbot's conversations. The site's owner can read them; other \
                     customers of the platform cannot."
                .to_owned(),
        }],
        branding_defaults: BrandingFields { border_radius: Some(12), ..BrandingFields::default() },
    };
    Some(NewTemplate { id: "product-help-en".parse().ok()?, language: "en".to_owned(), content })
}

fn shop() -> Option<NewTemplate> {
    let content = TemplateContent {
        name: "Shop assistant".to_owned(),
        description: "Answers customers of a shop from its pages about goods, delivery and opening hours.".to_owned(),
        suggested_system_prompt: "You answer customers of the shop from the passages you are given, briefly and \
                                  politely, and cite them. When they do not answer the question, say so."
            .to_owned(),
        welcome_message: "Ahoy! Ask me about our goods, delivery and opening hours.".to_owned(),
        suggested_questions: texts(&[
            "When are you open?",
            "How long does delivery take?",
            "Which size of quay boots should I take?",
        ]),
        fallback_message: "I found nothing about that. Please ask the crew.".to_owned(),
        faq_seed: vec![FaqEntry {
            question: "Who can see my questions?".to_owned(),
            answer: "Your questions are kept with the chatbot's conversations, and the shop can read them.".to_owned(),
        }],
        branding_defaults: BrandingFields { border_radius: Some(12), ..BrandingFields::default() },
    };
    Some(NewTemplate { id: "shop-en".parse().ok()?, language: "en".to_owned(), content })
}

fn debian_faq() -> Option<NewTemplate> {
    let content = TemplateContent {
        name: "Debian FAQ".to_owned(),
        description: "Answers questions about Debian from its FAQ.".to_owned(),
        suggested_system_prompt: "You answer questions about Debian from the passages you are given and cite them."
            .to_owned(),
        welcome_message: "Hi! I know the Debian FAQ. What would you like to know?".to_owned(),
        suggested_questions: texts(&[
            "What is Debian GNU/Linux?",
            "How do I upgrade to a new release?",
            "What is a Debian package?",
        ]),
        fallback_message: "The Debian FAQ does not seem to answer that.".to_owned(),
        faq_seed: Vec::new(),
        branding_defaults: BrandingFields::default(),
    };
    Some(NewTemplate { id: "debian-faq-en".parse().ok()?, language: "en".to_owned(), content })
}

fn support_de() -> Option<NewTemplate> {
    let content = TemplateContent {
        name: "Kundendienst".to_owned(),
        description: "Beantwortet Fragen Ihrer Kundschaft aus den Hilfeseiten.".to_owned(),
        suggested_system_prompt: "Du beantwortest Fragen kurz und freundlich aus den gegebenen Abschnitten und nennst \
                                  sie als Quelle. Beantworten sie die Frage nicht, sagst du das."
            .to_owned(),
        welcome_message: "Guten Tag! Wie kann ich Ihnen helfen?".to_owned(),
        suggested_questions: texts(&["Wann haben Sie geöffnet?", "Wie erreiche ich Sie?"]),
        fallback_message: "Dazu habe ich leider nichts gefunden. Versuchen Sie es bitte mit anderen Worten.".to_owned(),
        faq_seed: vec![FaqEntry {
            question: "Wer kann meine Fragen lesen?".to_owned(),
            answer: "Ihre Fragen werden mit dem Gespräch gespeichert. Der Betreiber dieser Website kann sie lesen."
                .to_owned(),
        }],
        branding_defaults: BrandingFields::default(),
    };
    Some(NewTemplate { id: "support-de".parse().ok()?, language: "de".to_owned(), content })
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use contract::Validate;

    #[test]
    fn every_template_of_the_demo_world_is_valid() {
        let all = super::all();
        assert_eq!(all.len(), 4);
        for template in all {
            assert!(template.validate().is_empty(), "{}", template.id);
        }
    }
}
