//! Uploaded pictures of a branding, as an alternative to addresses.

use core::fmt;

use crate::{endpoint::PathArgs, text_enum::text_enum};

/// Maximum bytes of an uploaded picture.
pub const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;
/// The allowed pixels of each side of an uploaded picture.
pub const PICTURE_PIXELS: core::ops::RangeInclusive<u32> = 16..=4096;
/// Where pictures are served, before their name.
pub const PICTURE_PATH: &str = "/static/branding/";

text_enum! {
    /// Which picture of a branding is meant.
    pub enum BrandingPicture {
        /// The field `logo_url`.
        Logo = "logo",
        /// The field `avatar_url`.
        Avatar = "avatar",
    }
}

impl BrandingPicture {
    /// The field of the branding that has its address.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Logo => "logo_url",
            Self::Avatar => "avatar_url",
        }
    }
}

impl fmt::Display for BrandingPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PathArgs for BrandingPicture {
    fn args(&self) -> Vec<String> {
        vec![self.to_string()]
    }
}

/// Whether an address is the path of an uploaded picture.
pub(super) fn is_picture_path(text: &str) -> bool {
    let Some((sum, extension)) = text.strip_prefix(PICTURE_PATH).and_then(|name| name.split_once('.')) else {
        return false;
    };
    let is_sum = sum.len() == 64 && sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_sum && matches!(extension, "png" | "jpg")
}
