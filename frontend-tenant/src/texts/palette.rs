//! Texts of the command palette.

texts! {
    PAGE = "Page", "Seite";
    CHATBOT = "Chatbot", "Chatbot";
    OF_THIS_CHATBOT = "This chatbot", "Dieser Chatbot";
    CREATE_CHATBOT = "Create chatbot", "Chatbot anlegen";
    ALLOW_WEBSITE = "Allow a website", "Website freigeben";
}
