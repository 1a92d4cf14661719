//! `server serve`: the platform in production. It refuses what only a demo may use: the embedded identity provider, a
//! secret of a demo world, a database role that could see other tenants' rows.

use std::time::Duration;

use crate::config::{Config, Secret};
use crate::embedded::secrets;
use crate::{
    http::serving::{self, Limits},
    shutdown::Stop,
};

use super::{CliError, listen, migrate, platform, stop};

/// Runs until a stop signal.
pub(crate) async fn run(config: Config) -> Result<(), CliError> {
    refuse_demo(&config)?;
    refuse_loopback(&config)?;
    let stop = stop::on_signal(Stop::of(&config.http))?;
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`serve`"))?;
    let listener = listen::on(config.http.host, config.http.port, "the platform", "SVC_HTTP_PORT").await?;
    let embedders = platform::load_embedders(&config, std::convert::identity).await?;
    let app = platform::build_app(&config, url.expose(), embedders).await?;
    platform::check_collections(&app).await?;
    let audit_secret = config.auth.audit_client_secret.as_ref().map(Secret::expose);
    platform::start_tasks(&app, &config, audit_secret, stop.token())?;
    platform::start_workers(&app, stop.token());
    let grace_period = Duration::from_secs(config.http.shutdown_seconds);
    tracing::info!(url = %app.settings.base_url, "server.ready");
    serving::serve(listener, crate::http::router(app.clone()), Limits::of(&config.http), stop).await;
    platform::shutdown(&app, grace_period).await;
    tracing::info!("server.stopped");
    Ok(())
}

/// Tenants choose the websites that the crawler fetches: with the setting of the demo world they would reach every port
/// of this machine.
pub(super) fn refuse_loopback(config: &Config) -> Result<(), CliError> {
    if config.crawl.allow_loopback {
        return Err(CliError::Refused(
            "crawl.allow_loopback (SVC_CRAWL_ALLOW_LOOPBACK) is true, which is for demo worlds and tests only: tenants would \
             reach every port of this machine. Remove the setting."
                .to_owned(),
        ));
    }
    Ok(())
}

/// Checks the configuration; the role is checked when the connection is made.
fn refuse_demo(config: &Config) -> Result<(), CliError> {
    if config.auth.embedded {
        return Err(CliError::Refused(
            "auth.embedded (SVC_AUTH_EMBEDDED) is true, but the embedded identity provider is for demo worlds only. Set it \
             to false and auth.url (SVC_AUTH_URL) to your Keycloak."
                .to_owned(),
        ));
    }
    let secrets = [
        ("auth.audit_client_secret", &config.auth.audit_client_secret),
        ("auth.people_client_secret", &config.auth.people_client_secret),
        ("auth.console_client_secret", &config.auth.console_client_secret),
        ("loadtest.secret", &config.loadtest.secret),
        ("redis.url", &config.redis.url),
        ("database.url", &config.database.url),
        ("database.admin_url", &config.database.admin_url),
    ];
    let demo = |secret: &Option<Secret>| secret.as_ref().is_some_and(|secret| secrets::is_demo(secret.expose()));
    match secrets.iter().find(|(_, secret)| demo(secret)) {
        Some((key, _)) => Err(CliError::Refused(format!("{key} holds a secret of a demo world. Make a new one."))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Values;

    fn refusal(variables: &[(&str, &str)]) -> Option<String> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let config = Config::from_values(&Values::collect(None, variables).unwrap()).unwrap();
        refuse_demo(&config).and_then(|()| refuse_loopback(&config)).err().map(|error| error.to_string())
    }

    #[test]
    fn the_embedded_identity_provider_is_refused() {
        assert!(refusal(&[("SVC_AUTH_EMBEDDED", "true")]).unwrap().contains("SVC_AUTH_EMBEDDED"));
    }

    #[test]
    fn a_crawler_that_reaches_this_machine_is_refused() {
        assert!(refusal(&[("SVC_CRAWL_ALLOW_LOOPBACK", "true")]).unwrap().contains("SVC_CRAWL_ALLOW_LOOPBACK"));
        assert_eq!(refusal(&[("SVC_CRAWL_ALLOW_LOOPBACK", "false")]), None);
    }

    #[test]
    fn a_secret_of_a_demo_world_is_refused_and_not_shown() {
        let secret = secrets::generate();
        let text = refusal(&[("SVC_LOADTEST_SECRET", &secret)]).unwrap();
        assert!(text.contains("loadtest.secret") && !text.contains(&secret));
        let url = format!("postgres://svc_app:{secret}@127.0.0.1:8085/platform");
        assert!(refusal(&[("SVC_DATABASE_URL", &url)]).is_some());
    }

    #[test]
    fn an_ordinary_configuration_is_not_refused() {
        assert_eq!(refusal(&[("SVC_DATABASE_URL", "postgres://svc_app:x1y2z3@db.example/platform")]), None);
    }
}
