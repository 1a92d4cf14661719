//! Texts of a tenant's own questions and answers and of unanswered questions.

texts! {
    ANSWER_IT = "Add answer", "Antwort hinzufügen";
    CORRECT_IT = "Write a better answer", "Bessere Antwort schreiben";
    DIALOG_TITLE = "Custom answer", "Eigene Antwort";
    DIALOG_TEXT = "The chatbot uses this answer and cites it as its source. Don't include anything private: every visitor can see this answer.", "Der Chatbot verwendet diese Antwort und nennt sie als Quelle. Schreiben Sie nichts Vertrauliches hinein: Jeder Besucher kann diese Antwort sehen.";
    DIALOG_KNOWN = "You've already answered this question. Saving replaces that answer.", "Diese Frage haben Sie bereits beantwortet. Beim Speichern wird die vorhandene Antwort ersetzt.";
    QUESTION = "Question", "Frage";
    VARIANTS = "Other phrasings", "Andere Formulierungen";
    VARIANTS_HINT = "One per line, up to 10. Visitors get the answer for each of them.", "Eine pro Zeile, höchstens 10. Für alle gilt dieselbe Antwort.";
    ALSO = "Also asked as: {0}", "Auch gefragt als: {0}";
    SIMILAR = "A similar question already has an answer: “{0}”", "Eine ähnliche Frage ist bereits beantwortet: „{0}“";
    JOIN = "Add as another phrasing there", "Dort ergänzen";
    ANSWER = "Answer", "Antwort";
    ANSWER_HINT = "Up to 4000 characters. Supports Markdown lists, links and emphasis.", "Höchstens 4000 Zeichen. Listen, Links und Hervorhebungen in Markdown sind möglich.";
    SAVE = "Save answer", "Antwort speichern";
    SAVED = "Answer saved and live.", "Antwort gespeichert und aktiv.";
    ASK_IT = "Test it", "Testen";
    SAVED_LATER = "Answer saved. It's still being indexed and will be available shortly.", "Antwort gespeichert. Sie wird noch indexiert und ist gleich verfügbar.";
    NEW = "Add answer", "Antwort hinzufügen";
    HANDLE = "Mark as done", "Als erledigt markieren";
    REOPEN = "Reopen", "Wieder öffnen";
    HANDLED = "Done", "Erledigt";
    HANDLED_BY = "{0}, {1}", "{0}, {1}";
    STATE = "Status", "Status";
    STATE_ALL = "Open and done", "Offen und erledigt";
    STATE_OPEN = "Open", "Offen";
    STATE_HANDLED = "Done", "Erledigt";
    OPEN_CONVERSATION = "Open conversation", "Gespräch öffnen";

    UNANSWERED_LIST = "Unanswered questions, newest first", "Unbeantwortete Fragen, neueste zuerst";
    CONFIDENCE = "Answer", "Antwort";
    CONFIDENCE_ALL = "All answers", "Alle Antworten";
    CONFIDENCE_LOW = "Not sure", "Nicht sicher";
    CONFIDENCE_NONE = "Fallback message", "Fallback-Nachricht";
    UNANSWERED_TEXT = "Questions your chatbot couldn't answer or wasn't sure about. Duplicates are grouped and reopen if asked again.", "Fragen, die Ihr Chatbot nicht oder nicht sicher beantworten konnte. Gleiche Fragen werden zusammengefasst. Wird eine erledigte Frage erneut gestellt, ist sie wieder offen.";
    TIMES = "asked {0} times", "{0}-mal gefragt";
    ONCE = "asked once", "einmal gefragt";
    UNANSWERED_MORE = "There are older unanswered questions.", "Es gibt ältere unbeantwortete Fragen.";
    UNANSWERED_ON = "Search older", "Ältere durchsuchen";
    UNANSWERED_NEWEST = "Newest questions", "Neueste Fragen";
    UNANSWERED_NO_MATCH_TITLE = "No results", "Keine Treffer";
    UNANSWERED_NO_MATCH_TEXT = "No questions match these filters.", "Keine Frage entspricht diesen Filtern.";
    UNANSWERED_NONE_TITLE = "No unanswered questions", "Keine unbeantworteten Fragen";
    UNANSWERED_NONE_TEXT = "Questions your chatbot can't answer appear here.", "Fragen, die Ihr Chatbot nicht beantworten kann, erscheinen hier.";

    FAQ = "Custom answers", "Eigene Antworten";
    FAQ_NO_MATCH = "No matching answers.", "Keine passenden Antworten.";
    FAQ_NONE = "No custom answers yet", "Noch keine eigenen Antworten";
    FAQ_NONE_TEXT = "Write the answer to a question that your documents leave open. Unanswered questions and negative feedback can become answers too.", "Schreiben Sie die Antwort auf eine Frage, die Ihre Dokumente offenlassen. Auch unbeantwortete Fragen und negatives Feedback können zu Antworten werden.";
    CHANGE = "Edit", "Bearbeiten";
    CHANGE_NAMED = "Edit: {0}", "Bearbeiten: {0}";
    REMOVE = "Delete", "Löschen";
    REMOVE_NAMED = "Delete: {0}", "Löschen: {0}";
    REMOVE_TITLE = "Delete this answer?", "Diese Antwort löschen?";
    REMOVE_TEXT = "The chatbot will no longer use this answer for “{0}”.", "Der Chatbot verwendet diese Antwort nicht mehr für „{0}“.";
    REMOVED = "Answer deleted.", "Antwort gelöscht.";
    READY = "Indexed", "Indexiert";
    FROM_TEMPLATE = "From the template", "Aus der Vorlage";
    WAITING = "Waiting to be indexed", "Wartet auf Indexierung";
}
