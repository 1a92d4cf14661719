//! Templates: the list, one template, the form of a new one and of the next version.

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
