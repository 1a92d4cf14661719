//! Templates: the list, one template, and the form of a new one.

mod content;
mod create;
mod detail;
mod faq_editor;
mod list;

pub(crate) use create::NewTemplatePage;
pub(crate) use detail::TemplatePage;
pub(crate) use list::TemplatesPage;
