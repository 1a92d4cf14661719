//! Taking a template's changes over into a chatbot.
