//! The pages of one chatbot.

mod branding;
mod conversations;
mod danger_row;
mod danger_zone;
mod deactivate;
mod details;
mod doctor;
mod duplicate;
mod embed;
mod erase;
mod feedback;
mod frame;
mod health;
mod install;
mod knowledge;
mod moved;
mod open_items;
mod overview;
mod parts;
mod playground;
mod settings;
mod template;
mod unanswered;

pub(crate) use self::{
    branding::ChatbotBrandingPage,
    conversations::ChatbotConversationsPage,
    feedback::FeedbackPage,
    frame::FailedBanner,
    install::InstallPage,
    knowledge::{AnswersPage, ChatbotDocumentPage, DocumentsPage, WebsitesPage},
    moved::MovedPage,
    overview::ChatbotPage,
    parts::pages,
    playground::PlaygroundPage,
    settings::SettingsPage,
    template::TemplatePage,
    unanswered::UnansweredPage,
};
