//! Texts of the playground.

texts! {
    INTRO = "Ask a question as a visitor would. Follow-up questions work too. Nothing is stored, and no allowed website is needed.", "Stellen Sie Fragen wie ein Besucher, auch Folgefragen. Gespeichert wird nichts, und Sie müssen dafür keine Website freigeben.";
    NEW_CONVERSATION = "New conversation", "Neues Gespräch";
    EARLIER = "Earlier in this conversation", "Bisher in diesem Gespräch";
    COMPARE = "Compare with other settings", "Mit anderen Einstellungen vergleichen";
    AS_USUAL = "As visitors get it", "Wie für Besucher";
    OTHER = "With other settings", "Mit anderen Einstellungen";
    ANSWERED_BY = "Wording of answers", "Formulierung der Antworten";
    QUOTED = "Quoted from the documents", "Aus den Dokumenten zitiert";
    GENERATED = "Written by the language model", "Vom Sprachmodell formuliert";
    STRICTNESS = "How sure the chatbot must be", "Wie sicher der Chatbot sein muss";
    LENIENT = "Less than usual", "Weniger als üblich";
    USUAL = "As usual", "Wie üblich";
    STRICT = "More than usual", "Mehr als üblich";
    PROMPT = "System prompt", "System-Prompt";
    PROMPT_HINT = "Only the language model uses it. Leave empty to use the chatbot's own.", "Nur das Sprachmodell liest ihn. Bleibt das Feld leer, gilt der System-Prompt des Chatbots.";
    TEMPLATE_UPDATE = "Texts of the template's new version", "Texte der neuen Vorlagenversion";
    COPY_LINE = "Copy as evaluation question", "Als Evaluationsfrage kopieren";
    QUESTION = "Question", "Frage";
    ASK = "Ask", "Fragen";
    SUGGESTED = "Suggested questions", "Vorgeschlagene Fragen";
    INACTIVE_TITLE = "This chatbot is deactivated", "Dieser Chatbot ist deaktiviert";
    INACTIVE_TEXT = "Deactivated chatbots can't be tested. Settings and documents are kept.", "Deaktivierte Chatbots lassen sich nicht testen. Einstellungen und Dokumente bleiben erhalten.";
    ANSWER = "Answer", "Antwort";
    ANSWERED = "From the documents", "Aus den Dokumenten";
    FALLBACK = "Fallback message", "Fallback-Nachricht";
    UNSURE = "Not sure", "Nicht sicher";
    FILTERED = "Changed by the output filter", "Vom Ausgabefilter geändert";
    UNSURE_TEXT = "The best passages are about the topic but may not answer the question. The chatbot says so and links up to three sections.", "Die besten Abschnitte passen zum Thema, beantworten die Frage aber vielleicht nicht. Der Chatbot sagt das und verlinkt bis zu drei Abschnitte.";
    FALLBACK_TEXT = "No passage was relevant enough or contained an answer, so visitors get the fallback message.", "Kein Abschnitt war relevant genug oder enthielt eine Antwort. Besucher erhalten deshalb die Fallback-Nachricht.";
    SMALL_TALK_TEXT = "The chatbot replies to small talk without a search.", "Auf Small Talk antwortet der Chatbot ohne Suche.";
    TIMES = "Search {0} ms, answer {1} ms", "Suche {0} ms, Antwort {1} ms";
    SOURCES = "Sources shown to visitors", "Quellen, die Besucher sehen";
    FINDINGS = "Output filter", "Ausgabefilter";
    FINDING_WATCHED = "{0} ({1}), monitored only", "{0} ({1}), nur beobachtet";
    FINDING = "{0} ({1})", "{0} ({1})";
    PASSAGES = "Passages found", "Gefundene Abschnitte";
    PASSAGES_NONE = "Nothing found. This chatbot has no documents yet.", "Nichts gefunden. Dieser Chatbot hat noch keine Dokumente.";
    PASSAGES_TEXT = "Sorted by relevance: by meaning and by the words of the question. Rare words count more.", "Die besten zuerst, sortiert nach Bedeutung und nach den Wörtern der Frage. Seltene Wörter zählen mehr.";
    RELEVANT = "Used", "Verwendet";
    TOO_LOW = "Not used", "Nicht verwendet";
    SCORE = "Relevance {0}", "Relevanz {0}";
}
