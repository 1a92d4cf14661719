//! Texts of the live preview.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    THEME_FORM = "Selected theme", "Gewähltes Farbschema";
    SIZE = "Preview size", "Größe der Vorschau";
    SIZE_WIDE = "Website", "Website";
    SIZE_PHONE = "Phone", "Smartphone";
    QUESTION = "How do I return a parcel?", "Wie schicke ich ein Paket zurück?";
    ANSWER = "Within **30 days**, using the label in the box. [1]", "Innerhalb von **30 Tagen** mit dem Rücksendeetikett aus dem Paket. [1]";
    SOURCE = "Returns", "Rückgabe";
    SNIPPET = "You can return parcels within 30 days. The label is in the box.", "Sie können Pakete innerhalb von 30 Tagen zurückschicken. Das Rücksendeetikett liegt im Paket.";
    NOTE = "This is the real widget with your current changes. It answers every question with this sample. Visitors see your changes after you save.", "Das ist das echte Widget mit Ihren aktuellen Änderungen. Es beantwortet jede Frage mit diesem Beispiel. Besucher sehen Ihre Änderungen nach dem Speichern.";
    NO_CHATBOT = "This is a simplified preview. Create a chatbot to see the real widget here.", "Das ist eine vereinfachte Vorschau. Legen Sie einen Chatbot an, um hier das echte Widget zu sehen.";
}
