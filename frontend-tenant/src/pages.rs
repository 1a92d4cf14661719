//! The pages of the console, one module each.

mod branding;
mod chatbot;
mod chatbots;
mod create;
mod not_found;
mod overview;
mod preferences;

pub(crate) use self::{
    branding::BrandingPage, chatbot::ChatbotPage, chatbots::ChatbotsPage, create::CreatePage, not_found::NotFoundPage,
    overview::OverviewPage, preferences::PreferencesPage,
};
