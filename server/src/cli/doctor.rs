//! `server doctor`: checks an installation and reports for each check ok, or the problem and its solution.

use std::process::ExitCode;

use chrono::Utc;
use contract::system_check::{CheckStatus, ReportLanguage, SystemReport};

use crate::config::Config;
use crate::doctor::{self, Subject, admin};

use super::{CliError, keycloak_login, migrate, platform};

/// How to check.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// Also check Keycloak with an administrator's account: its user name and password are taken from `KEYCLOAK_ADMIN_USER` and
    /// `KEYCLOAK_ADMIN_PASSWORD`, otherwise asked for. They are not kept.
    #[arg(long)]
    admin: bool,
    /// The language of the findings.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = language)]
    language: ReportLanguage,
}

fn language(text: &str) -> Result<ReportLanguage, String> {
    text.parse().map_err(|_| "en or de".to_owned())
}

/// Checks and prints. The exit code is 0 when nothing failed, 1 when something did.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<ExitCode, CliError> {
    let login = arguments.admin.then(keycloak_login::ask).transpose()?;
    let subject = subject(config).await;
    let mut checks = doctor::run(&subject).await;
    match &login {
        Some(login) => checks.extend(admin::check(&subject.auth_url, &subject.base_url, login).await),
        None => checks.push(admin::not_checked()),
    }
    if let Ok(db) = &subject.database {
        db.close().await;
    }
    let report = doctor::report(&checks, Utc::now(), arguments.language);
    if arguments.json {
        let json = serde_json::to_string_pretty(&report).map_err(|error| CliError::Other(error.to_string()))?;
        println!("{json}");
    } else {
        print!("{}", text(&report));
    }
    Ok(if report.status == CheckStatus::Failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The configured parts. A part that cannot be created becomes a finding.
async fn subject(config: &Config) -> Subject {
    let database = match &config.database.url {
        Some(url) => platform::database(config, url.expose()).await,
        None => Err(store::Error::UnsafeRole(migrate::missing("database.url", "`doctor`").to_string())),
    };
    let embedders = platform::load_embedders(config, std::convert::identity).await;
    Subject {
        database,
        embedders: embedders.map(std::sync::Arc::new).map_err(|error| error.to_string()),
        generator: platform::load_generator(config).map_err(|error| error.to_string()),
        endpoints: platform::load_endpoints(config).map_err(|error| error.to_string()),
        reranking: platform::reranker::load(config).await.map_err(|error| error.to_string()),
        vectors: platform::vectors(config).map_err(|error| error.to_string()),
        auth_url: platform::without_trailing_slash(&config.auth.url),
        base_url: platform::without_trailing_slash(&config.http.base_url),
        trusted_proxies: config.http.trusted_proxies.clone(),
        redis_url: config.redis.url.clone(),
        storage: platform::storage::load(config).map_err(|error| error.to_string()),
        sandbox: platform::sandbox(config),
        settings: platform::system_settings(config),
    }
}

/// The report for a terminal.
fn text(report: &SystemReport) -> String {
    let mut lines = Vec::new();
    let mut area = None;
    for check in &report.checks {
        if area != Some(check.area) {
            area = Some(check.area);
            lines.push(format!("\n{}", check.area.as_str()));
        }
        let mark = match check.status {
            CheckStatus::Ok => "ok     ",
            CheckStatus::NotChecked => "-      ",
            CheckStatus::Warning => "warning",
            CheckStatus::Failed => "FAILED ",
        };
        let subject = check.subject.as_ref().map(|subject| format!(" [{subject}]")).unwrap_or_default();
        lines.push(format!("  {mark}  {}{subject}: {}", check.title, check.finding));
        lines.extend(check.remedy.iter().map(|remedy| format!("           -> {remedy}")));
    }
    let count = |status| report.checks.iter().filter(|check| check.status == status).count();
    let [failed, warnings, not_checked] =
        [CheckStatus::Failed, CheckStatus::Warning, CheckStatus::NotChecked].map(count);
    lines.push(format!("\nfailed: {failed}, warnings: {warnings}, not checked: {not_checked}\n"));
    lines.join("\n").trim_start().to_owned()
}
