//! A string that follows the language of the console.

use std::sync::Arc;

use leptos::prelude::*;

use super::Text;

type Read = Arc<dyn Fn() -> String + Send + Sync>;

/// A string that a view reads again when the language changes: a [`Text`], one with values in it, a date or a number. A
/// plain string is the same in every language.
#[derive(Clone)]
pub struct Localized(Content);

#[derive(Clone)]
enum Content {
    Plain(String),
    Text(Text),
    Read(Read),
}

impl Localized {
    /// Wraps `read`, which is run again when the language changes.
    pub fn new(read: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self(Content::Read(Arc::new(read)))
    }

    /// Joins the parts.
    pub fn joined(parts: Vec<Self>, separator: &'static str) -> Self {
        Self::new(move || parts.iter().map(Self::get).collect::<Vec<_>>().join(separator))
    }

    /// The string in the current language, tracked.
    pub fn get(&self) -> String {
        match &self.0 {
            Content::Plain(text) => text.clone(),
            Content::Text(text) => text.get().to_owned(),
            Content::Read(read) => read(),
        }
    }

    /// Whether it is the empty string in every language.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Content::Plain(text) if text.is_empty())
    }
}

impl Default for Localized {
    fn default() -> Self {
        Self(Content::Plain(String::new()))
    }
}

impl core::fmt::Debug for Localized {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Localized")
    }
}

/// Two strings that are read are equal when the same closure reads them.
impl PartialEq for Localized {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Content::Plain(one), Content::Plain(other)) => one == other,
            (Content::Text(one), Content::Text(other)) => one == other,
            (Content::Read(one), Content::Read(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Localized {}

impl From<Text> for Localized {
    fn from(text: Text) -> Self {
        Self(Content::Text(text))
    }
}

impl From<String> for Localized {
    fn from(text: String) -> Self {
        Self(Content::Plain(text))
    }
}

impl From<&str> for Localized {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Localized> for Read {
    fn from(text: Localized) -> Self {
        match text.0 {
            Content::Read(read) => read,
            content => Arc::new(move || Localized(content.clone()).get()),
        }
    }
}

impl IntoRender for Localized {
    type Output = Read;

    fn into_render(self) -> Read {
        self.into()
    }
}

impl IntoAttributeValue for Localized {
    type Output = Read;

    fn into_attribute_value(self) -> Read {
        self.into()
    }
}
