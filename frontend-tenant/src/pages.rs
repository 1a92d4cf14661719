//! The pages of the console, one module each.

mod branding;
mod chatbot;
mod chatbots;
mod conversation;
mod conversations;
mod create;
mod feedback_labels;
mod handled_filter;
mod modules;
mod not_found;
mod overview;
mod preferences;
mod sources;

pub(crate) use self::{
    branding::BrandingPage,
    chatbot::{
        ChatbotBrandingPage, ChatbotPage, DoctorPage, DocumentsPage, FeedbackPage, PlaygroundPage, SettingsPage,
        TemplatePage, UnansweredPage, ask_next,
    },
    chatbots::ChatbotsPage,
    conversation::ConversationPage,
    conversations::ConversationsPage,
    create::CreatePage,
    modules::ModulesPage,
    not_found::NotFoundPage,
    overview::OverviewPage,
    preferences::PreferencesPage,
};
