//! Checks an installation, for `server doctor` and the operators' page *System check*. Each check reports ok, or the
//! problem and its solution, in English and German. No text contains a secret: addresses are shown without their
//! credentials.
//!
//! A check judges facts in a pure function, so that each fault has a test without a broken machine.
//!
//! The checks are read-only. Checks that need an administrator's account at the identity provider are in [`admin`].

#[macro_use]
mod text;

pub mod admin;
mod certificates;
mod clock;
mod database;
mod http;
mod identity;
mod machine;
mod models;
mod names;
pub mod proxy;
mod services;
mod storage;
mod subject;

use chrono::{DateTime, SubsecRound, Utc};
use contract::system_check::{CheckStatus, ReportLanguage, SystemCheck, SystemReport};

use names::Name;
use text::Text;

pub use subject::{HttpsAddress, Subject};

/// The result of one check.
#[derive(Debug, Clone)]
pub struct Check {
    name: Name,
    subject: Option<String>,
    status: CheckStatus,
    finding: Text,
    remedy: Option<Text>,
}

impl Check {
    fn ok(name: Name, finding: Text) -> Self {
        Self { name, subject: None, status: CheckStatus::Ok, finding, remedy: None }
    }

    fn warning(name: Name, finding: Text, remedy: Text) -> Self {
        Self { status: CheckStatus::Warning, remedy: Some(remedy), ..Self::ok(name, finding) }
    }

    fn failed(name: Name, finding: Text, remedy: Text) -> Self {
        Self { status: CheckStatus::Failed, remedy: Some(remedy), ..Self::ok(name, finding) }
    }

    fn not_checked(name: Name, finding: Text, remedy: Text) -> Self {
        Self { status: CheckStatus::NotChecked, remedy: Some(remedy), ..Self::ok(name, finding) }
    }

    /// This result for one of several subjects.
    fn of(self, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    /// The check in one language.
    fn localized(&self, language: ReportLanguage) -> SystemCheck {
        SystemCheck {
            area: self.name.area,
            name: self.name.id.to_owned(),
            status: self.status,
            subject: self.subject.clone(),
            title: self.name.title(language).to_owned(),
            finding: self.finding.of(language).to_owned(),
            remedy: self.remedy.as_ref().map(|remedy| remedy.of(language).to_owned()),
        }
    }
}

/// Runs all checks at once; each is bounded in time.
pub async fn run(subject: &Subject) -> Vec<Check> {
    let (database, identity, models, services, certificates, network, machine) = tokio::join!(
        database::check(subject),
        identity::check(subject),
        models::check(subject),
        services::check(subject),
        certificates::check(subject),
        proxy::check(subject),
        machine::check(subject),
    );
    [database, identity, models, services, network, certificates, machine].concat()
}

/// Puts the checks into words of one language, and sums them up.
pub fn report(checks: &[Check], checked_at: DateTime<Utc>, language: ReportLanguage) -> SystemReport {
    let worst = checks.iter().map(|check| check.status).filter(|status| *status != CheckStatus::NotChecked).max();
    SystemReport {
        checked_at: checked_at.trunc_subsecs(6),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        status: worst.unwrap_or(CheckStatus::Ok),
        checks: checks.iter().map(|check| check.localized(language)).collect(),
    }
}
