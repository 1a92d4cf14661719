//! Texts about quotas and usage.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    TITLE = "Usage", "Nutzung";
    SUBTITLE = "What your organisation uses, and how much it can use.", "Was Ihre Organisation nutzt und welche Grenzen gelten.";
    QUOTAS = "Quotas", "Kontingente";
    BY_DAY = "Visitors' questions per day (UTC)", "Besucherfragen pro Tag (UTC)";
    QUESTIONS_ANSWERED = "Within the quota", "Im Kontingent";
    STORED = "Documents and storage per day (UTC)", "Dokumente und Speicher pro Tag (UTC)";
    SHOWN = "What the plot shows", "Was das Diagramm zeigt";
    TODAY = "Today: {0}", "Heute: {0}";
    SINCE = "Since {0}: {1}", "Seit dem {0}: {1}";
    FIRST_DAY = "These numbers are recorded every day. The plot starts tomorrow.", "Diese Zahlen werden täglich erfasst. Das Diagramm beginnt morgen.";
    NOTHING_STORED = "None on these days.", "An diesen Tagen nichts vorhanden.";
    QUESTIONS_REFUSED = "Over the quota", "Über dem Kontingent";
    DOCUMENTS = "Documents", "Dokumente";
    BYTES = "Storage for uploaded files", "Speicher für hochgeladene Dateien";
    PASSAGES = "Passages", "Abschnitte";
    PAGES = "Web pages", "Webseiten";
    CHATBOTS = "Chatbots", "Chatbots";
    QUESTIONS_PER_MONTH = "Questions this month", "Fragen in diesem Monat";
    TOKENS_PER_MONTH = "Language model tokens this month", "Sprachmodell-Tokens in diesem Monat";
    SPENDING = "Language models by month (UTC)", "Sprachmodelle nach Monat (UTC)";
    TOKENS_BY_DAY = "Tokens per day (UTC)", "Tokens pro Tag (UTC)";
    PROMPTS = "Prompts", "Prompts";
    MONTH = "Month", "Monat";
    MODEL_ANSWERS = "Answers", "Antworten";
    PROMPT_TOKENS = "Prompt tokens", "Prompt-Tokens";
    CACHED_TOKENS = "of which cached", "davon aus dem Cache";
    ANSWER_TOKENS = "Answer tokens", "Antwort-Tokens";
    COST = "Cost", "Kosten";
    BY_CHATBOT = "By chatbot: {0}", "Nach Chatbot: {0}";
    DELETED_CHATBOTS = "Deleted chatbots", "Gelöschte Chatbots";
    TOKENS = "Language model tokens per month", "Sprachmodell-Tokens pro Monat";
    TOKENS_HINT = "Per calendar month (UTC). Beyond it, answers are quoted from the documents.", "Pro Kalendermonat (UTC). Darüber hinaus werden Antworten aus den Dokumenten zitiert.";
    USED_OF = "{0} of {1}", "{0} von {1}";
    USED_UNLIMITED = "{0}, no limit", "{0}, unbegrenzt";
    NAMED = "{0}: {1}", "{0}: {1}";
    ALMOST_USED_UP = "Almost used up", "Fast aufgebraucht";
    USED_UP = "Used up", "Aufgebraucht";
    NEAR_LIMITS = "Quotas used up or almost used up", "Kontingente ganz oder fast aufgebraucht";
    SHOW_USAGE = "Show usage", "Nutzung ansehen";

    EDIT = "Change quotas", "Kontingente ändern";
    EDIT_TEXT = "Leave a field empty for the platform's default. If a limit is below the current usage, nothing can be added, but nothing is deleted.", "Lassen Sie ein Feld leer, damit der Standard der Plattform gilt. Liegt ein Limit unter der aktuellen Nutzung, lässt sich nichts mehr hinzufügen. Gelöscht wird nichts.";
    MEGABYTES = "In megabytes (MB).", "In Megabyte (MB).";
    MONTHLY = "Per calendar month (UTC). Visitors beyond it get the fallback message.", "Pro Kalendermonat (UTC). Darüber hinaus erhalten Besucher die Fallback-Nachricht.";
    EDIT_QUESTIONS = "Questions per month", "Fragen pro Monat";
    SAVED = "Quotas saved.", "Kontingente gespeichert.";
}
