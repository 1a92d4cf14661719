//! The pages of the console, one module each.

mod branding;
mod chatbot;
mod chatbots;
mod create;
mod modules;
mod not_found;
mod overview;
mod preferences;

pub(crate) use self::{
    branding::BrandingPage,
    chatbot::{ChatbotBrandingPage, ChatbotPage, DoctorPage, FeedbackPage, PlaygroundPage, SettingsPage, TemplatePage},
    chatbots::ChatbotsPage,
    create::CreatePage,
    modules::ModulesPage,
    not_found::NotFoundPage,
    overview::OverviewPage,
    preferences::PreferencesPage,
};
