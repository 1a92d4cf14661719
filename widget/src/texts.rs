//! The widget's own texts in English and German. The chatbot's texts come from the API.

/// The texts of one language.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The language's tag.
    pub(crate) tag: &'static str,
    /// The title of a chat without a name.
    pub(crate) chat: &'static str,
    /// The launcher's label while closed.
    pub(crate) open: &'static str,
    /// The launcher's label while open, and the panel's own closing button.
    pub(crate) close: &'static str,
    /// The button that starts over.
    pub(crate) new: &'static str,
    /// The name of the list of messages.
    pub(crate) conversation: &'static str,
    /// Spoken before what the visitor said.
    pub(crate) you: &'static str,
    /// Spoken before what the chatbot said, when it has no name.
    pub(crate) assistant: &'static str,
    /// The label of the input.
    pub(crate) question: &'static str,
    /// The hint in the empty input.
    pub(crate) placeholder: &'static str,
    /// The sending button.
    pub(crate) send: &'static str,
    /// The button that stops an answer.
    pub(crate) stop: &'static str,
    /// The name of the list of suggested questions.
    pub(crate) suggestions: &'static str,
    /// Above the sources of an answer.
    pub(crate) sources: &'static str,
    /// Before the number and title of a source, in a citation's label.
    pub(crate) source: &'static str,
    /// Announced while an answer is on its way.
    pub(crate) writing: &'static str,
    /// Announced when that takes long.
    pub(crate) slow: &'static str,
    /// Under an answer that the visitor stopped.
    pub(crate) stopped: &'static str,
    /// Under an answer that broke off.
    pub(crate) cut: &'static str,
    /// The button that copies an answer, and what is said then.
    pub(crate) copy: &'static str,
    pub(crate) copied: &'static str,
    /// The thumbs.
    pub(crate) helpful: &'static str,
    pub(crate) unhelpful: &'static str,
    /// Above the reasons.
    pub(crate) reason: &'static str,
    /// The reasons, in the order of the contract's categories.
    pub(crate) reasons: [&'static str; 6],
    /// The hint in the comment.
    pub(crate) comment: &'static str,
    /// The buttons under the comment.
    pub(crate) send_feedback: &'static str,
    pub(crate) cancel: &'static str,
    /// After feedback arrived.
    pub(crate) thanks: &'static str,
    /// When it did not.
    pub(crate) feedback_failed: &'static str,
    /// Under the input.
    pub(crate) caution: &'static str,
    /// The link to the privacy notice.
    pub(crate) privacy: &'static str,
    /// The button of a notice that can be repeated.
    pub(crate) again: &'static str,
    /// The chat is not allowed here (403).
    pub(crate) forbidden: &'static str,
    /// Too many questions (429), time unknown.
    pub(crate) limited: &'static str,
    /// On the button that repeats as long as it must wait, before and after the number of seconds.
    pub(crate) again_in: [&'static str; 2],
    /// The question was refused (413, 422).
    pub(crate) invalid: &'static str,
    /// The API has trouble (5xx).
    pub(crate) unavailable: &'static str,
    /// The API cannot be reached.
    pub(crate) unreachable: &'static str,
    /// The visitor is offline.
    pub(crate) offline: &'static str,
    /// The API is back.
    pub(crate) recovered: &'static str,
    /// On the launcher when an answer waits behind it.
    pub(crate) unread: &'static str,
}

static ENGLISH: Texts = Texts {
    tag: "en",
    chat: "Chat",
    open: "Open chat",
    close: "Close chat",
    new: "New conversation",
    conversation: "Conversation",
    you: "You said:",
    assistant: "Assistant",
    question: "Your question",
    placeholder: "Ask a question…",
    send: "Send",
    stop: "Stop",
    suggestions: "Suggested questions",
    sources: "Sources",
    source: "Source",
    writing: "Looking for an answer…",
    slow: "This is taking longer…",
    stopped: "Stopped.",
    cut: "The answer was cut off.",
    copy: "Copy answer",
    copied: "Copied.",
    helpful: "Helpful",
    unhelpful: "Not helpful",
    reason: "What was wrong?",
    reasons: ["Incorrect", "Incomplete", "Off topic", "Outdated", "Tone", "Other"],
    comment: "Comment (optional)",
    send_feedback: "Send feedback",
    cancel: "Cancel",
    thanks: "Thank you!",
    feedback_failed: "Couldn't send. Please try again.",
    caution: "Answers can be wrong. Please check the sources.",
    privacy: "Privacy",
    again: "Try again",
    forbidden: "This chat isn't available here.",
    limited: "Too many questions. Please try again in a moment.",
    again_in: ["Try again in ", " s"],
    invalid: "Couldn't send this question. Please shorten it.",
    unavailable: "Something went wrong on our side. Your question is still here.",
    unreachable: "Can't reach the chat. We keep trying. Your question is still here.",
    offline: "You're offline. Your question is still here.",
    recovered: "Connected again.",
    unread: "Open chat, new answer",
};

static GERMAN: Texts = Texts {
    tag: "de",
    chat: "Chat",
    open: "Chat öffnen",
    close: "Chat schließen",
    new: "Neues Gespräch",
    conversation: "Gespräch",
    you: "Sie:",
    assistant: "Assistent",
    question: "Ihre Frage",
    placeholder: "Stellen Sie eine Frage …",
    send: "Senden",
    stop: "Stoppen",
    suggestions: "Vorgeschlagene Fragen",
    sources: "Quellen",
    source: "Quelle",
    writing: "Antwort wird gesucht …",
    slow: "Das dauert etwas länger …",
    stopped: "Gestoppt.",
    cut: "Die Antwort wurde abgebrochen.",
    copy: "Antwort kopieren",
    copied: "Kopiert.",
    helpful: "Hilfreich",
    unhelpful: "Nicht hilfreich",
    reason: "Was war nicht gut?",
    reasons: ["Falsch", "Unvollständig", "Am Thema vorbei", "Veraltet", "Tonfall", "Sonstiges"],
    comment: "Kommentar (optional)",
    send_feedback: "Feedback senden",
    cancel: "Abbrechen",
    thanks: "Vielen Dank!",
    feedback_failed: "Senden fehlgeschlagen. Bitte versuchen Sie es noch einmal.",
    caution: "Antworten können falsch sein. Bitte prüfen Sie die Quellen.",
    privacy: "Datenschutz",
    again: "Erneut versuchen",
    forbidden: "Dieser Chat ist hier nicht verfügbar.",
    limited: "Zu viele Fragen. Bitte versuchen Sie es gleich noch einmal.",
    again_in: ["Erneut in ", " s"],
    invalid: "Diese Frage konnte nicht gesendet werden. Bitte kürzen Sie sie.",
    unavailable: "Bei uns ist etwas schiefgelaufen. Ihre Frage ist noch da.",
    unreachable: "Der Chat ist nicht erreichbar. Wir versuchen es weiter. Ihre Frage ist noch da.",
    offline: "Sie sind offline. Ihre Frage ist noch da.",
    recovered: "Die Verbindung ist wieder da.",
    unread: "Chat öffnen, neue Antwort",
};

/// The texts of the first language tag that is known, English when none is. `de-AT` is German.
pub(crate) fn choose<'a>(tags: impl IntoIterator<Item = &'a str>) -> &'static Texts {
    let known = tags.into_iter().find_map(|tag| {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        [&ENGLISH, &GERMAN].into_iter().find(|texts| primary.eq_ignore_ascii_case(texts.tag))
    });
    known.unwrap_or(&ENGLISH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_language_is_taken() {
        assert_eq!(choose(["fr", "de-AT", "en"]).tag, "de");
        assert_eq!(choose(["EN_us"]).tag, "en");
        assert_eq!(choose(["", "fr"]).tag, "en");
    }
}
