//! Texts of a chatbot's overview: its health, and what to do next.

texts! {
    TITLE = "Health", "Zustand";
    GOOD = "All good", "Alles in Ordnung";
    TO_DO = "To do: {0}", "Zu erledigen: {0}";

    ACTIVE = "Active", "Aktiv";
    ACTIVE_TEXT = "Answers visitors on your websites.", "Antwortet Besuchern auf Ihren Websites.";
    REACTIVATE = "Reactivate", "Wieder aktivieren";

    KNOWS_ONE = "Knows 1 document", "Kennt 1 Dokument";
    KNOWS = "Knows {0} documents", "Kennt {0} Dokumente";
    KNOWS_TEXT_ONE = "Answers from 1 passage.", "Antwortet aus 1 Abschnitt.";
    KNOWS_TEXT = "Answers from {0} passages.", "Antwortet aus {0} Abschnitten.";
    KNOWS_NOTHING = "Knows nothing yet", "Weiß noch nichts";
    KNOWS_NOTHING_TEXT = "Upload documents, write answers, or let it read your website.", "Laden Sie Dokumente hoch, schreiben Sie Antworten oder lassen Sie Ihre Website lesen.";
    KNOWS_NOTHING_ACTION = "Add knowledge", "Wissen hinzufügen";
    UNREAD_TEXT = "View the reasons and what to do.", "Sehen Sie sich die Gründe an und was zu tun ist.";
    UNREAD_ACTION = "View", "Ansehen";

    SEEN = "On your website", "Auf Ihrer Website";
    SEEN_TEXT = "{0}, last request {1}", "{0}, letzte Anfrage {1}";
    UNSEEN = "Not on a website yet", "Noch auf keiner Website";
    UNSEEN_TEXT = "Paste the snippet into your pages.", "Fügen Sie das Snippet in Ihre Seiten ein.";
    UNSEEN_ACTION = "Get the snippet", "Zum Snippet";
    REFUSED = "Rejected on a website", "Auf einer Website abgelehnt";
    REFUSED_ACTION = "See why", "Grund ansehen";

    ANSWERS = "Answers {0} of questions", "Beantwortet {0} der Fragen";
    ANSWERS_TEXT = "{0} of {1} in the last 30 days", "{0} von {1} in den letzten 30 Tagen";
    ANSWERS_ACTION = "Add answers", "Antworten hinzufügen";
    UNASKED = "No questions in the last 30 days", "Keine Fragen in den letzten 30 Tagen";
    UNASKED_TEXT = "Ask one yourself to see how it answers.", "Stellen Sie selbst eine, um zu sehen, wie er antwortet.";
    UNASKED_ACTION = "Ask a question", "Frage stellen";

    DOCUMENTS = "Documents", "Dokumente";
    DOCUMENTS_ONE = "1 passage", "1 Abschnitt";
    DOCUMENTS_SOME = "{0} passages", "{0} Abschnitte";
}
