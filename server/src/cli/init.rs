//! `server init`: from an empty PostgreSQL and a Keycloak to the first operator's sign-in. It checks everything before it changes
//! anything, and what is there already it leaves as it is: a second run changes nothing, and a run that was interrupted continues.

mod database;
mod keycloak;
mod realms;
mod settings_file;

use std::path::{Path, PathBuf};

use url::Url;

use self::{keycloak::Keycloak, realms::Operator, settings_file::NewSetting};
use crate::{
    auth::{PLATFORM_REALM, TENANT_REALM},
    cli::{CliError, keycloak_login, platform::without_trailing_slash, terminal},
    config::{Config, Secret, ValueSource, Values},
    embedded::postgres::random_password,
};

/// The settings that the files of a first installation lack.
const TRUSTED_PROXIES: &str = "[\"127.0.0.1/32\"]";

/// What to set up. The owner's address of the database is `database.admin_url` (`SVC_DATABASE_ADMIN_URL`). What is missing is
/// asked for.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Address at which browsers will reach the platform, such as <https://chat.example.com>.
    #[arg(long, value_name = "URL")]
    base_url: Option<Url>,
    /// Address of Keycloak, such as <https://login.example.com>.
    #[arg(long, value_name = "URL")]
    auth_url: Option<Url>,
    /// User name of the first operator.
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,
    /// E-mail address of the first operator.
    #[arg(long, value_name = "ADDRESS")]
    operator_email: Option<String>,
    /// Write the realms into files in this folder, for `kc.sh start --import-realm`, instead of calling Keycloak with an
    /// administrator's account (`KEYCLOAK_ADMIN_USER`, `KEYCLOAK_ADMIN_PASSWORD`).
    #[arg(long, value_name = "FOLDER")]
    realm_files: Option<PathBuf>,
    /// Give the role `svc_app` the password of the settings although it has another one. Other platforms on the same PostgreSQL
    /// server are locked out.
    #[arg(long)]
    replace_password: bool,
    /// Do not ask before the first change.
    #[arg(long)]
    yes: bool,
}

/// The file of settings: the named one, or one in the working folder.
pub(crate) fn file(config: Option<&Path>) -> PathBuf {
    Values::file(config).unwrap_or_else(|| PathBuf::from("platform.toml"))
}

/// Checks, shows the plan, and carries it out. `file` is the file of settings, which is written if it is missing or incomplete.
pub(crate) async fn run(arguments: &Arguments, file: &Path, values: &Values, config: &Config) -> Result<(), CliError> {
    let answers = Answers::collect(arguments, values, config)?;
    let realms = match &arguments.realm_files {
        Some(folder) => Realms::Files(folder.clone()),
        None => Realms::Keycloak(Keycloak::connect(&answers.auth_url, keycloak_login::ask()?).await?),
    };
    let (database_url, is_new_url) = database::login_url(configured(values, "database.url"), &answers.owner_url)?;
    let database = database::plan(&answers.owner_url, &database_url, is_new_url, arguments.replace_password).await?;
    let secrets = Secrets::find(&realms, values).await?;
    let new_settings = new_settings(values, &answers, &database_url, &secrets);
    let text = settings_file::complete(file, &new_settings)?;
    let missing = realms.missing(&answers.operator).await?;

    let mut plan = database.lines();
    plan.extend(missing.lines(&realms, &answers.operator));
    plan.extend(text.is_some().then(|| format!("write {}", file.display())));
    if plan.is_empty() {
        println!("Everything is set up already; nothing was changed.");
        println!("Open {}/admin/operator/", answers.base_url);
        return Ok(());
    }
    println!("This will");
    plan.iter().for_each(|line| println!("  - {line}"));
    if !arguments.yes {
        let answer = terminal::ask("Continue? [y/N] ", false, "add --yes")?;
        if !["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
            return Err(CliError::Other("nothing was changed".to_owned()));
        }
    }
    // The file first: it has the secrets of everything that follows, so that an interrupted run can be continued.
    if let Some(text) = text {
        settings_file::write(file, &text)?;
    }
    database::carry_out(&database, &answers.owner_url, &database_url).await?;
    let password = missing.make(&realms, config, &answers, &secrets).await?;
    say_what_follows(&answers, file, &realms, password.as_deref());
    Ok(())
}

fn say_what_follows(answers: &Answers, file: &Path, realms: &Realms, password: Option<&str>) {
    println!("Done.");
    if let Realms::Files(folder) = realms {
        println!(
            "Copy the files of {} to data/import of Keycloak, start it with `bin/kc.sh start --import-realm`, and delete them.",
            folder.display()
        );
    }
    println!("Start the platform: server --config {} serve", file.display());
    println!("Then open {}/admin/operator/", answers.base_url);
    if let Some(password) = password {
        println!("and sign in as {} with the first password {password}", answers.operator.username);
        println!("It must be changed at the first sign-in.");
    }
    println!("Check the installation: server --config {} doctor", file.display());
}

/// What the person said, in arguments, in the environment, in the file or now.
struct Answers {
    owner_url: Secret,
    base_url: String,
    auth_url: String,
    operator: Operator,
}

impl Answers {
    fn collect(arguments: &Arguments, values: &Values, config: &Config) -> Result<Self, CliError> {
        let owner_url = match &config.database.admin_url {
            Some(url) => url.clone(),
            None => {
                let instead = "set SVC_DATABASE_ADMIN_URL";
                let text = terminal::ask("Address of the database, with the role that will own it: ", true, instead)?;
                if !store::bootstrap::is_address(&text) {
                    return Err(CliError::Other(
                        "that is no address such as postgres://user:password@host/platform".to_owned(),
                    ));
                }
                Secret::new(text)
            }
        };
        let base_url =
            address(arguments.base_url.as_ref(), (values, "http.base_url"), "Address of the platform", "--base-url")?;
        let auth_url = address(arguments.auth_url.as_ref(), (values, "auth.url"), "Address of Keycloak", "--auth-url")?;
        let username =
            text(arguments.operator.as_ref(), "User name of the first operator", "--operator")?.to_lowercase();
        let email =
            text(arguments.operator_email.as_ref(), "E-mail address of the first operator", "--operator-email")?;
        if !email.contains('@') {
            return Err(CliError::Other(format!("{email} is no e-mail address")));
        }
        Ok(Self { owner_url, base_url, auth_url, operator: Operator { username, email } })
    }
}

fn text(argument: Option<&String>, question: &str, flag: &str) -> Result<String, CliError> {
    let answer = match argument {
        Some(argument) => argument.clone(),
        None => terminal::ask(&format!("{question}: "), false, &format!("add {flag}"))?,
    };
    let answer = answer.trim().to_owned();
    if answer.is_empty() { Err(CliError::Other(format!("{flag} is empty"))) } else { Ok(answer) }
}

/// An argument, or a setting, or an answer.
fn address(
    argument: Option<&Url>,
    (values, key): (&Values, &'static str),
    question: &str,
    flag: &str,
) -> Result<String, CliError> {
    if let Some(url) = argument {
        return Ok(without_trailing_slash(url));
    }
    let answer = match configured(values, key) {
        Some(text) => text,
        None => text(None, question, flag)?,
    };
    let url: Url = answer
        .parse()
        .map_err(|_| CliError::Other(format!("{answer} is no address such as https://chat.example.com")))?;
    Ok(without_trailing_slash(&url))
}

/// The text of a setting that the file or the environment has.
fn configured(values: &Values, key: &str) -> Option<String> {
    let value = values.get(key);
    let is_given = matches!(value.source, ValueSource::File(_) | ValueSource::Environment);
    Some(value.text.trim().to_owned()).filter(|text| is_given && !text.is_empty())
}

/// The secrets of the clients that the platform uses.
struct Secrets {
    audit: String,
    people: String,
}

impl Secrets {
    /// Those of the settings, else those of realms that are there, else new ones.
    async fn find(realms: &Realms, values: &Values) -> Result<Self, CliError> {
        let find = async |key: &str, realm: &str, client: &str| match configured(values, key) {
            Some(secret) => Ok::<_, CliError>(secret),
            None => Ok(realms.secret(realm, client).await?.unwrap_or_else(random_password)),
        };
        Ok(Self {
            audit: find("auth.audit_client_secret", PLATFORM_REALM, contract::clients::AUDIT_POLLER).await?,
            people: find("auth.people_client_secret", TENANT_REALM, contract::clients::PEOPLE).await?,
        })
    }
}

/// The settings that neither the file nor the environment has.
fn new_settings(values: &Values, answers: &Answers, database_url: &Secret, secrets: &Secrets) -> Vec<NewSetting> {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let settings = [
        ("http", "base_url", quoted(&answers.base_url), "Address at which browsers reach the platform."),
        (
            "http",
            "trusted_proxies",
            TRUSTED_PROXIES.to_owned(),
            "The proxy in front, or all visitors share one rate limit.",
        ),
        ("auth", "url", quoted(&answers.auth_url), "Address of Keycloak, the same as its KC_HOSTNAME."),
        ("auth", "audit_client_secret", quoted(&secrets.audit), "Secret of the client svc-platform-audit."),
        ("auth", "people_client_secret", quoted(&secrets.people), "Secret of the client svc-people."),
        (
            "database",
            "url",
            quoted(database_url.expose()),
            "The restricted login role. Commands such as `migrate` get the owner's address by SVC_DATABASE_ADMIN_URL.",
        ),
        ("cors", "tenant_origins", "true".to_owned(), "The widget works on the websites that tenants list."),
    ];
    let is_missing = |section: &str, name: &str| configured(values, &format!("{section}.{name}")).is_none();
    settings
        .into_iter()
        .filter(|(section, name, ..)| is_missing(section, name))
        .map(|(section, name, value, comment)| NewSetting { section, name, value, comment })
        .collect()
}

/// Where the realms are, or will be.
enum Realms {
    Keycloak(Keycloak),
    Files(PathBuf),
}

/// What the realms lack.
struct Missing {
    realms: Vec<&'static str>,
    operator: bool,
}

impl Realms {
    async fn secret(&self, realm: &str, client: &str) -> Result<Option<String>, CliError> {
        match self {
            Self::Keycloak(keycloak) => keycloak.client_secret(realm, client).await,
            Self::Files(folder) => Ok(realms::secret_in_file(folder, realm, client)),
        }
    }

    async fn missing(&self, operator: &Operator) -> Result<Missing, CliError> {
        let mut missing = Missing { realms: Vec::new(), operator: true };
        for realm in [PLATFORM_REALM, TENANT_REALM] {
            let is_there = match self {
                Self::Keycloak(keycloak) => keycloak.has_realm(realm).await?,
                Self::Files(folder) => realms::file(folder, realm).exists(),
            };
            if !is_there {
                missing.realms.push(realm);
            }
        }
        if !missing.realms.contains(&PLATFORM_REALM) {
            missing.operator = match self {
                Self::Keycloak(keycloak) => !keycloak.has_user(PLATFORM_REALM, &operator.username).await?,
                Self::Files(_) => false,
            };
        }
        Ok(missing)
    }
}

impl Missing {
    fn lines(&self, realms: &Realms, operator: &Operator) -> Vec<String> {
        let mut lines: Vec<String> = self
            .realms
            .iter()
            .map(|realm| match realms {
                Realms::Keycloak(_) => format!("import the realm {realm} into Keycloak, without people"),
                Realms::Files(folder) => format!("write {}", realms::file(folder, realm).display()),
            })
            .collect();
        lines.extend(self.operator.then(|| format!("add the operator {}", operator.username)));
        lines
    }

    /// Makes what is missing; returns the operator's first password if the operator is new.
    async fn make(
        &self,
        target: &Realms,
        config: &Config,
        answers: &Answers,
        secrets: &Secrets,
    ) -> Result<Option<String>, CliError> {
        let password = self.operator.then(random_password);
        for realm in &self.realms {
            let mut content = realms::content(&config.auth.realm_dir, realm, &answers.base_url, secrets)?;
            match target {
                Realms::Keycloak(keycloak) => keycloak.import(&content).await?,
                Realms::Files(folder) => {
                    let first = password.as_ref().filter(|_| *realm == PLATFORM_REALM);
                    first.into_iter().for_each(|password| answers.operator.add_to(&mut content, password));
                    realms::write(&realms::file(folder, realm), &content)?;
                }
            }
        }
        if let (Realms::Keycloak(keycloak), Some(password)) = (target, &password) {
            keycloak.add_operator(PLATFORM_REALM, &answers.operator, password).await?;
        }
        Ok(password)
    }
}
