//! Templates: the list, one template, and the forms for a new one and for the next version.

mod actions;
mod content;
mod create;
mod detail;
mod edit;
mod faq_editor;
mod form;
mod history;
mod list;

pub(crate) use create::NewTemplatePage;
pub(crate) use detail::TemplatePage;
pub(crate) use edit::EditTemplatePage;
pub(crate) use list::TemplatesPage;
