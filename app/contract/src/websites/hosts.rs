//! Hosts that an operator allows a tenant to read without proof of ownership.

use serde::{Deserialize, Serialize};

use crate::{
    Timestamp,
    error::FieldError,
    page::PageQuery,
    validate::{Checker, Validate},
};

/// A host that an operator allows a tenant to read without a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllowedHost {
    /// The host's name in lower case, such as `www.example.com`.
    pub host: String,
    /// Who allowed it.
    pub allowed_by: String,
    pub created_at: Timestamp,
}

/// A host that a tenant may read without a proof from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewAllowedHost {
    /// A host's name such as `www.example.com`, without scheme, port and path.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 253)))]
    pub host: String,
}

/// A name of DNS labels in lower case, at most 253 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HostName(String);

/// The text is no host's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidHostName;

impl core::fmt::Display for InvalidHostName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("must be a host's name such as www.example.com")
    }
}

impl core::error::Error for InvalidHostName {}

impl TryFrom<String> for HostName {
    type Error = InvalidHostName;
    fn try_from(text: String) -> Result<Self, InvalidHostName> {
        let text = text.trim().to_ascii_lowercase();
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
        };
        if text.len() <= 253 && text.split('.').all(is_label) { Ok(Self(text)) } else { Err(InvalidHostName) }
    }
}

impl core::str::FromStr for HostName {
    type Err = InvalidHostName;
    fn from_str(text: &str) -> Result<Self, InvalidHostName> {
        Self::try_from(text.to_owned())
    }
}

impl From<HostName> for String {
    fn from(host: HostName) -> String {
        host.0
    }
}

impl core::fmt::Display for HostName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Validate for NewAllowedHost {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.require(self.host.parse::<HostName>().is_ok(), "host", "host", &InvalidHostName.to_string());
        check.finish()
    }
}

/// Page, order and search of the hosts that an operator allows a tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(ALLOWED_HOST_SORT_FIELDS)))]
pub struct AllowedHostListQuery {
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

/// The field that the list sorts by.
const ALLOWED_HOST_SORT_FIELDS: &[&str] = &["host"];

impl Validate for AllowedHostListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(ALLOWED_HOST_SORT_FIELDS)
    }
}
