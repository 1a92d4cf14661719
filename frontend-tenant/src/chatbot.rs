//! The pages of one chatbot: how to embed it, and how it stands to its template.

mod branding;
mod deactivate;
mod details;
mod doctor;
mod duplicate;
mod embed;
mod erase;
mod feedback;
mod frame;
mod knowledge;
mod overview;
mod playground;
mod settings;
mod template;
mod unanswered;

pub(crate) use self::{
    branding::ChatbotBrandingPage,
    doctor::DoctorPage,
    feedback::FeedbackPage,
    frame::FailedBanner,
    knowledge::KnowledgePage,
    overview::ChatbotPage,
    playground::{PlaygroundPage, ask_next},
    settings::SettingsPage,
    template::TemplatePage,
    unanswered::UnansweredPage,
};
