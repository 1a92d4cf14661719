//! The pages of one chatbot: how to embed it, and how it stands to its template.

mod branding;
mod deactivate;
mod details;
mod doctor;
mod documents;
mod embed;
mod feedback;
mod frame;
mod overview;
mod playground;
mod settings;
mod template;
mod unanswered;

pub(crate) use self::{
    branding::ChatbotBrandingPage,
    doctor::DoctorPage,
    documents::DocumentsPage,
    feedback::FeedbackPage,
    frame::FailedBanner,
    overview::ChatbotPage,
    playground::{PlaygroundPage, ask_next},
    settings::SettingsPage,
    template::TemplatePage,
    unanswered::UnansweredPage,
};
