//! Texts of the live preview.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    THEME_FORM = "Theme as chosen", "Farbschema wie gewählt";
    SIZE = "Size of the page", "Größe der Seite";
    SIZE_WIDE = "Website", "Website";
    SIZE_PHONE = "Phone", "Telefon";
    QUESTION = "How do I send a parcel back?", "Wie schicke ich ein Paket zurück?";
    ANSWER = "Within **30 days**, with the label from the box. [1]", "Innerhalb von **30 Tagen**, mit dem Aufkleber aus dem Paket. [1]";
    SOURCE = "Returns", "Rückgabe";
    SNIPPET = "Parcels can be sent back within 30 days. The label is in the box.", "Pakete können innerhalb von 30 Tagen zurückgeschickt werden. Der Aufkleber liegt im Paket.";
    NOTE = "This is the real widget with the form's values. It answers every question with this sample; visitors see your changes after saving.", "Das ist das echte Widget mit den Werten des Formulars. Es beantwortet jede Frage mit diesem Beispiel; Besucher sehen Ihre Änderungen nach dem Speichern.";
    NO_CHATBOT = "Drawn from the form: once you have a chatbot, its real widget stands here.", "Aus dem Formular gezeichnet: Sobald Sie einen Chatbot haben, steht hier sein echtes Widget.";
}
