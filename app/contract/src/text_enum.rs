//! Enumerations with one text per value, used on the wire, in the database and in the audit log.

use core::fmt;

/// A text that is no value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownValue {
    enumeration: &'static str,
    text: String,
}

impl UnknownValue {
    pub(crate) fn new(enumeration: &'static str, text: &str) -> Self {
        Self { enumeration, text: text.to_owned() }
    }
}

impl fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a value of {}", self.text, self.enumeration)
    }
}

impl std::error::Error for UnknownValue {}

/// Declares such an enumeration. Reading an unknown text is an error, never a default.
macro_rules! text_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The value's text on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::UnknownValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownValue::new(stringify!($name), text)),
                }
            }
        }
    };
}
pub(crate) use text_enum;

#[cfg(test)]
mod tests {
    use crate::{feedback::FeedbackCategory, preferences::Theme, templates::TemplateStatus};

    #[test]
    fn an_unknown_text_is_an_error() {
        let error = "archived".parse::<TemplateStatus>().unwrap_err();
        assert_eq!(error.to_string(), "\"archived\" is not a value of TemplateStatus");
        for text in ["", "Active", "active "] {
            assert!(text.parse::<TemplateStatus>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_value_is_read_from_the_text_that_json_has() {
        for category in FeedbackCategory::ALL {
            assert_eq!(category.as_str().parse(), Ok(*category));
            assert_eq!(serde_json::to_value(category).unwrap(), category.as_str());
        }
        assert_eq!(Theme::ALL, [Theme::Light, Theme::Dark, Theme::Auto]);
    }
}
