//! The logins at the platform's realm for operators, with the known scope of their users.

use serde::{Deserialize, Serialize};

use crate::{
    Timestamp,
    endpoint::{Audit, endpoints},
    error::{ErrorCode, FieldError},
    moment,
    page::{self, PageQuery},
    text_enum::text_enum,
    validate::{Checker, Validate},
};

text_enum! {
    /// Whose a login is, as far as the platform knows.
    pub enum LoginScope {
        /// The client is one that only vendors have, or the user once had a token of the vendor's scope.
        Vendor = "vendor",
        /// The user once had a token of the operator's scope, and never one of the vendor's.
        Operator = "operator",
        /// The platform has seen no token of the user.
        Unknown = "unknown",
    }
}

/// A login at the realm of operators and vendors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlatformLogin {
    pub occurred_at: Timestamp,
    /// The user name as it was typed.
    pub username: String,
    /// The client that was signed in to.
    pub client_id: String,
    pub scope: LoginScope,
    /// The session at the identity provider.
    pub session_id: Option<String>,
    /// The client's address.
    pub ip_address: Option<String>,
}

/// The query of the logins, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VendorAccessQuery {
    /// This user, in any case of letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Only logins of this scope; all but operators' when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<LoginScope>,
    /// Inclusive; ISO 8601, in UTC when it has no timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_from: Option<String>,
    /// Inclusive; ISO 8601, in UTC when it has no timezone; a day counts to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_to: Option<String>,
    /// Entries of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Entries to skip.
    #[serde(default, deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
}

impl Default for VendorAccessQuery {
    fn default() -> Self {
        Self { username: None, scope: None, date_from: None, date_to: None, limit: page::DEFAULT_LIMIT, offset: 0 }
    }
}

impl VendorAccessQuery {
    /// The inclusive range of time, each side when it is set. Texts that do not parse are left out:
    /// [`Validate`] has refused them.
    pub fn range(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        moment::range(self.date_from.as_deref(), self.date_to.as_deref())
    }

    /// The rule with a code of its own.
    ///
    /// # Errors
    /// `date_from_after_date_to`.
    pub fn check_codes(&self) -> Result<(), ErrorCode> {
        moment::check_order(self.range())
    }
}

impl Validate for VendorAccessQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        for (field, value) in [("date_from", &self.date_from), ("date_to", &self.date_to)] {
            check.moment(field, value.as_deref());
        }
        if let Some(username) = &self.username {
            check.text("username", username, 0, 255);
        }
        let mut errors = check.finish();
        errors.extend(PageQuery { limit: self.limit, offset: self.offset, ..PageQuery::default() }.check(&[]));
        errors
    }
}

/// One page of logins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VendorAccessPage {
    /// The logins, newest first.
    pub items: Vec<PlatformLogin>,
    /// How many logins match in all.
    pub total: i64,
    /// The page size that was applied.
    pub limit: i64,
    /// How many logins were skipped.
    pub offset: i64,
    /// Whether this server copies logins from the identity provider; `false` without `auth.audit_client_secret`.
    pub is_recorded: bool,
}

endpoints! {
    /// Lists logins of vendors and of users who may be vendors, newest first.
    ListVendorAccess: Get "/api/v1/platform/vendor-access", Operator, Audit::Reads, 200,
        (()) ? VendorAccessQuery, () => VendorAccessPage, errors [DateFromAfterDateTo];
}
