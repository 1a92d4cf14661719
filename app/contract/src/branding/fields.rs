//! The fields shared by tenant, chatbot and template, their patches, and their validation rules.

use serde::{Deserialize, Serialize};

use super::pictures::{BrandingPicture, is_picture_path};
use crate::{Patch, preferences::Theme, text_enum::text_enum, validate::Checker};

text_enum! {
    /// The launcher's position.
    pub enum LauncherPosition {
        /// At the bottom, on the right.
        BottomRight = "bottom_right",
        /// At the bottom, on the left.
        BottomLeft = "bottom_left",
    }
}

macro_rules! branding_fields {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty),+ $(,)?) => {
        /// The fields that tenant, chatbot and template share; `None` is "not set".
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct BrandingFields {
            $($(#[doc = $doc])+ pub $field: Option<$type>),+
        }

        impl BrandingFields {
            /// Takes each field that is not set here from `fallback`.
            #[must_use]
            pub fn or(self, fallback: Self) -> Self {
                Self { $($field: self.$field.or(fallback.$field)),+ }
            }

            /// Takes away the value of the field with this name; other names change nothing.
            pub fn clear(&mut self, name: &str) {
                match name {
                    $(stringify!($field) => self.$field = None,)+
                    _ => {}
                }
            }
        }

        /// Changes to [`BrandingFields`]: absent stays, `null` clears.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct BrandingFieldsPatch {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Patch::is_absent")] pub $field: Patch<$type>),+
        }

        impl BrandingFieldsPatch {
            /// The changes that lead from `before` to `after`.
            pub fn between(before: &BrandingFields, after: BrandingFields) -> Self {
                Self {
                    $($field: if before.$field == after.$field {
                        Patch::Absent
                    } else {
                        after.$field.map_or(Patch::Null, Patch::Value)
                    }),+
                }
            }

            /// Writes the values that the patch sets; `null` removes one.
            pub fn apply(self, fields: &mut BrandingFields) {
                $(self.$field.apply(&mut fields.$field);)+
            }

            /// The values that the patch sets, for checking.
            pub fn values(&self) -> BrandingFields {
                BrandingFields { $($field: self.$field.value().cloned()),+ }
            }
        }
    };
}

/// Hands the fields, each with its documentation, its name on the wire and its type, to the macro `$then`. Who does the same
/// for every field names none of them.
#[macro_export]
macro_rules! with_branding_fields {
    ($then:ident) => {
        $then! {
            /// The name in the widget's header when no header title is set; at most 200 characters.
            display_name: String,
            /// `#rrggbb`: header and launcher.
            primary_color: String,
            /// `#rrggbb`: links and highlights.
            accent_color: String,
            /// `#rrggbb`: the panel's background.
            background_color: String,
            /// `#rrggbb`: the panel's text.
            text_color: String,
            /// A CSS font family list; at most 200 characters.
            font_family: String,
            /// Corners in pixels, 0 to 32.
            border_radius: i32,
            /// An `https` address of a logo, at most 2000 characters, or the path of an uploaded picture.
            logo_url: String,
            /// An `https` address of the chatbot's picture, at most 2000 characters, or the path of an uploaded picture.
            avatar_url: String,
            /// The title in the widget's header; at most 200 characters.
            header_title: String,
            /// The hint in the empty input; at most 200 characters.
            input_placeholder: String,
            /// The launcher's position.
            launcher_position: LauncherPosition,
            /// Light, dark or as the visitor's system says.
            theme: Theme,
            /// An `https` address of the privacy notice; at most 2000 characters.
            privacy_url: String,
            /// Where visitors reach a person: an `https`, `mailto` or `tel` address; at most 2000 characters.
            contact_url: String,
            /// Words after the notice that answers are automatic and can be wrong, which always stays: plain text,
            /// at most 200 characters.
            notice_text: String,
        }
    };
}

with_branding_fields!(branding_fields);

impl BrandingFields {
    /// The field that has the address of a picture.
    pub fn picture_mut(&mut self, picture: BrandingPicture) -> &mut Option<String> {
        match picture {
            BrandingPicture::Logo => &mut self.logo_url,
            BrandingPicture::Avatar => &mut self.avatar_url,
        }
    }

    /// Checks every field that is set.
    pub fn check(&self, check: &mut Checker) {
        for (field, value) in [
            ("primary_color", &self.primary_color),
            ("accent_color", &self.accent_color),
            ("background_color", &self.background_color),
            ("text_color", &self.text_color),
        ] {
            if let Some(value) = value {
                check.require(is_color(value), field, "color", "must be a colour such as #1d4ed8");
            }
        }
        for (field, value, may_be_picture) in [
            ("logo_url", &self.logo_url, true),
            ("avatar_url", &self.avatar_url, true),
            ("privacy_url", &self.privacy_url, false),
        ] {
            if let Some(value) = value {
                let is_good = is_https_url(value) || may_be_picture && is_picture_path(value);
                check.require(is_good, field, "url", "must be an https address of at most 2000 characters");
            }
        }
        if let Some(value) = &self.contact_url {
            let msg = "must be an https, mailto or tel address of at most 2000 characters";
            check.require(is_contact(value), "contact_url", "url", msg);
        }
        for (field, value) in [
            ("display_name", &self.display_name),
            ("header_title", &self.header_title),
            ("input_placeholder", &self.input_placeholder),
            ("notice_text", &self.notice_text),
        ] {
            if let Some(value) = value {
                check.text(field, value, 1, 200);
            }
        }
        if let Some(font) = &self.font_family {
            let msg = "must have only letters, digits, spaces, commas, hyphens and paired quotes, at most 200";
            check.require(is_font_family(font), "font_family", "font_family", msg);
        }
        if let Some(radius) = self.border_radius {
            check.require((0..=32).contains(&radius), "border_radius", "out_of_range", "must be between 0 and 32");
        }
    }
}

fn is_color(text: &str) -> bool {
    text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|b| b.is_ascii_hexdigit())
}

fn is_https_url(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    text.len() <= 2000
        && !host.is_empty()
        && !host.contains('@')
        && text.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'<' | b'>' | b'\\' | b'`'))
}

/// A page, an address of mail with what mail programs read after it, or a telephone number.
fn is_contact(text: &str) -> bool {
    if let Some(number) = text.strip_prefix("tel:") {
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let is_number = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'(' | b')'));
        return (3..=20).contains(&digits)
            && number.len() <= 40
            && is_number(number.strip_prefix('+').unwrap_or(number));
    }
    let Some(rest) = text.strip_prefix("mailto:") else { return is_https_url(text) };
    let address = rest.split('?').next().unwrap_or("");
    let is_plain = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'<' | b'>' | b'\\' | b'`' | b',' | b';');
    let Some((name, host)) = address.split_once('@') else { return false };
    text.len() <= 2000 && !name.is_empty() && host.contains('.') && !host.contains('@') && rest.bytes().all(is_plain)
}

fn is_font_family(text: &str) -> bool {
    (1..=200).contains(&text.len())
        && has_paired_quotes(text)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '-' | '\'' | '"'))
}

/// Whether every quote that opens a string of a style sheet closes again. The other kind of quote is text inside it.
pub fn has_paired_quotes(text: &str) -> bool {
    let quotes = text.bytes().filter(|byte| matches!(byte, b'"' | b'\''));
    let open = quotes.fold(None::<u8>, |open, quote| match open {
        None => Some(quote),
        Some(_) => open.filter(|first| *first != quote),
    });
    open.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_the_chatbot_wins_over_the_tenants() {
        let tenant = BrandingFields { header_title: Some("T".into()), theme: Some(Theme::Dark), ..Default::default() };
        let chatbot = BrandingFields { header_title: Some("C".into()), ..Default::default() };
        let resolved = chatbot.or(tenant);
        assert_eq!((resolved.header_title.as_deref(), resolved.theme), (Some("C"), Some(Theme::Dark)));
    }

    #[test]
    fn the_patch_between_two_brandings_holds_the_changes_alone() {
        let before =
            BrandingFields { header_title: Some("A".into()), theme: Some(Theme::Dark), ..BrandingFields::default() };
        let mut after = BrandingFields { border_radius: Some(8), ..before.clone() };
        after.clear("theme");
        let patch = BrandingFieldsPatch::between(&before, after.clone());
        assert_eq!(serde_json::to_string(&patch).unwrap(), r#"{"border_radius":8,"theme":null}"#);
        let mut changed = before;
        patch.apply(&mut changed);
        assert_eq!(changed, after);
    }

    #[test]
    fn a_contact_is_a_page_a_mail_address_or_a_telephone_number() {
        for good in
            ["https://example.com/contact", "mailto:help@example.com?subject=Hello", "tel:+49-30-1234567", "tel:112"]
        {
            assert!(is_contact(good), "{good}");
        }
        for bad in [
            "",
            "help@example.com",
            "mailto:",
            "mailto:help",
            "mailto:a@b@c.de",
            "mailto:help@example.com,other@example.com",
            "tel:",
            "tel:call me",
            "tel:+1234567890123456789012",
            "javascript:alert(1)",
            "http://example.com",
            "data:text/html,x",
        ] {
            assert!(!is_contact(bad), "{bad}");
        }
    }

    #[test]
    fn a_picture_is_named_by_the_path_of_an_upload() {
        let name = format!("/static/branding/{}.png", "0a".repeat(32));
        assert!(is_picture_path(&name));
        for bad in [name.replace("png", "svg"), name.replace("0a0a", "0A0A"), name.replacen("/static", "//static", 1)] {
            assert!(!is_picture_path(&bad), "{bad}");
        }
        let privacy = BrandingFields { privacy_url: Some(name), ..BrandingFields::default() };
        let mut check = Checker::body();
        privacy.check(&mut check);
        assert_eq!(check.finish().len(), 1);
    }

    #[test]
    fn the_quotes_of_a_font_are_paired() {
        for good in ["Inter, 'Open Sans', sans-serif", "\"Open Sans\"", "\"Font's\"", "\"'\", '\"'"] {
            assert!(is_font_family(good), "{good}");
        }
        for bad in ["\"Open Sans", "Font's", "\"'\"'", "'\"'\""] {
            assert!(!is_font_family(bad), "{bad}");
        }
    }

    #[test]
    fn addresses_must_be_https_without_user_info() {
        assert!(is_https_url("https://example.com/logo.png?x=1"));
        for bad in ["http://example.com", "javascript:alert(1)", "https://", "https://a@b.c/", "https://a\"b"] {
            assert!(!is_https_url(bad), "{bad}");
        }
    }
}
