//! The report of an installation check, for operators: `server doctor` and the page *System check*.

use serde::{Deserialize, Serialize};

use crate::{
    Timestamp,
    endpoint::{Audit, endpoints},
    text_enum::text_enum,
    validate::Validate,
};

text_enum! {
    /// The result of a check, the worst last.
    pub enum CheckStatus {
        Ok = "ok",
        /// It could not be checked; the remedy says how to check it.
        NotChecked = "not_checked",
        /// It works, but causes trouble or may do so.
        Warning = "warning",
        /// It does not work.
        Failed = "failed",
    }
}

text_enum! {
    /// The part of the installation that a check looks at.
    pub enum SystemArea {
        Database = "database",
        Identity = "identity",
        Keycloak = "keycloak",
        Models = "models",
        Services = "services",
        Network = "network",
        Machine = "machine",
    }
}

text_enum! {
    /// The language of the findings.
    pub enum ReportLanguage {
        English = "en",
        German = "de",
    }
}

/// What one check found. No text holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SystemCheck {
    pub area: SystemArea,
    /// The check, such as `issuer`; stable, for scripts.
    pub name: String,
    pub status: CheckStatus,
    /// The realm, model or address of a check that covers several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The name of the check for people.
    pub title: String,
    /// What was found.
    pub finding: String,
    /// What to do, unless all is well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// What a check of the installation found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SystemReport {
    pub checked_at: Timestamp,
    /// The version of the platform.
    pub version: String,
    /// `failed` or `warning` when a check ended so, otherwise `ok`.
    pub status: CheckStatus,
    /// The checks, in a fixed order.
    pub checks: Vec<SystemCheck>,
}

/// In which language the check reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SystemCheckQuery {
    /// The language of titles, findings and remedies; English when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<ReportLanguage>,
}

impl Validate for SystemCheckQuery {}

endpoints! {
    /// Checks the installation: database, identity provider, models, certificates, machine. Within a minute all callers get the same report.
    CheckSystem: Get "/api/v1/platform/system-check", Operator, Audit::Reads, 200,
        (()) ? SystemCheckQuery, () => SystemReport;
}
