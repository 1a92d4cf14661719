//! PostgreSQL's own programs. They get the password in their environment, which other users cannot read, unlike arguments.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use tempfile::NamedTempFile;
use url::Url;

use super::Error;
use crate::{child, config::Secret};

/// What libpq reads of an address, and the other names under which the platform reads the same.
const PARAMETERS: [(&str, &str); 12] = [
    ("host", "host"),
    ("port", "port"),
    ("user", "user"),
    ("dbname", "dbname"),
    ("options", "options"),
    ("sslmode", "sslmode"),
    ("ssl-mode", "sslmode"),
    ("sslrootcert", "sslrootcert"),
    ("ssl-root-cert", "sslrootcert"),
    ("ssl-ca", "sslrootcert"),
    ("sslcert", "sslcert"),
    ("sslkey", "sslkey"),
];

#[derive(Debug, Clone, Copy)]
pub(super) enum Program {
    Dump,
    Restore,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Self::Dump => "pg_dump",
            Self::Restore => "pg_restore",
        }
    }
}

/// The programs for a server of one version.
#[derive(Debug)]
pub(super) struct Programs {
    folders: Vec<PathBuf>,
    server: i32,
}

impl Programs {
    /// Looks in the configured folder first, then where packages install them.
    pub(super) fn of(bin_dir: &Path, version_number: i32) -> Self {
        let server = version_number / 10_000;
        let packaged =
            [format!("/usr/lib/postgresql/{server}/bin"), format!("/usr/pgsql-{server}/bin"), "/usr/bin".to_owned()];
        let folders = std::iter::once(bin_dir.to_path_buf()).chain(packaged.map(PathBuf::from)).collect();
        Self { folders, server }
    }

    /// Runs a program on the database of an address.
    pub(super) async fn run(&self, program: Program, url: &Secret, arguments: &[&str]) -> Result<(), Error> {
        let login = Login::of(url)?;
        let mut command = child::async_command(self.find(program).await?);
        command.arg(format!("--dbname={}", login.address)).args(arguments).envs(login.variables.iter().cloned());
        finish(program, command).await.map(drop)
    }

    /// The output of a program that reads a file only.
    pub(super) async fn output(&self, program: Program, arguments: &[&str]) -> Result<String, Error> {
        let mut command = child::async_command(self.find(program).await?);
        command.args(arguments);
        finish(program, command).await
    }

    /// The program of the server's version, or a newer one.
    async fn find(&self, program: Program) -> Result<PathBuf, Error> {
        let mut newer = None;
        for folder in &self.folders {
            let path = folder.join(program.name());
            match major(&path).await {
                Some(version) if version == self.server => return Ok(path),
                Some(version) if version > self.server => newer = newer.or(Some(path)),
                _ => {}
            }
        }
        newer.ok_or_else(|| {
            Error::Refused(format!(
                "there is no {} of PostgreSQL {} or newer: install the client programs of PostgreSQL, or name their folder in \
                 database.bin_dir.",
                program.name(),
                self.server
            ))
        })
    }
}

async fn major(path: &Path) -> Option<i32> {
    if !path.is_file() {
        return None;
    }
    let output = child::async_command(path).arg("--version").output().await.ok()?;
    // As in "pg_dump (PostgreSQL) 18.6 (Debian 18.6-1)".
    let text = String::from_utf8(output.stdout).ok()?;
    text.split(") ").nth(1)?.split(['.', ' ', '\n']).next()?.trim_end_matches(char::is_alphabetic).parse().ok()
}

async fn finish(program: Program, mut command: tokio::process::Command) -> Result<String, Error> {
    let failed = |reason: String| Error::Program { program: program.name(), reason };
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = command.output().await.map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(failed(reason(&words).unwrap_or_else(|| output.status.to_string())))
}

/// The first error that the program reports, without its repetition of what it did.
fn reason(words: &str) -> Option<String> {
    let line = words.lines().find(|line| line.contains("error:")).or_else(|| words.lines().next())?;
    let text = line.rsplit_once("error: ").map_or(line, |(_, text)| text);
    let remedy = if words.contains("max_locks_per_transaction") {
        "; raise max_locks_per_transaction of PostgreSQL"
    } else {
        ""
    };
    Some(format!("{}{remedy}", text.trim_start_matches("could not execute query: ")))
}

/// An address without its password, and the variables with what it lacks.
#[derive(Debug)]
struct Login {
    address: String,
    variables: Vec<(String, String)>,
    _authorities: Option<NamedTempFile>,
}

impl Login {
    fn of(url: &Secret) -> Result<Self, Error> {
        let refused =
            |_| Error::Refused("database.admin_url is not an address that PostgreSQL's programs read.".to_owned());
        let mut url = Url::parse(url.expose()).map_err(refused)?;
        let mut password = password(&url);
        let mut parameters = Vec::new();
        for (name, value) in url.query_pairs() {
            if name == "password" {
                password = Some(value.into_owned());
            } else if let Some((_, own)) = PARAMETERS.iter().find(|(other, _)| *other == name) {
                parameters.push((*own, value.into_owned()));
            }
        }
        let _ = url.set_password(None);
        url.set_query(None);
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(&parameters);
        }
        let mut variables = vec![("PGCONNECT_TIMEOUT".to_owned(), "10".to_owned())];
        variables.extend(password.map(|password| ("PGPASSWORD".to_owned(), password)));
        let has =
            |name: &str, start: &str| parameters.iter().any(|(own, value)| *own == name && value.starts_with(start));
        let authorities = (has("sslmode", "verify") && !has("sslrootcert", "")).then(authorities).transpose()?;
        variables
            .extend(authorities.iter().map(|file| ("PGSSLROOTCERT".to_owned(), file.path().display().to_string())));
        Ok(Self { address: url.into(), variables, _authorities: authorities })
    }
}

/// The authorities that the platform's own connections trust, as a file.
fn authorities() -> Result<NamedTempFile, Error> {
    let folder = std::env::temp_dir();
    let file = NamedTempFile::new_in(&folder).map_err(Error::file(&folder))?;
    std::fs::write(file.path(), tls::pem()).map_err(Error::file(file.path()))?;
    Ok(file)
}

/// The password of an address, decoded.
pub fn password(url: &Url) -> Option<String> {
    let encoded = format!("p={}", url.password()?.replace('+', "%2B").replace('&', "%26"));
    url::form_urlencoded::parse(encoded.as_bytes()).next().map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_not_in_the_address() {
        let url = "postgres://owner:a%40b+c%2Fd@db.example:5433/platform?sslmode=require&ssl-ca=/a.pem&statement-cache-capacity=5";
        let login = Login::of(&Secret::new(url)).unwrap();
        assert_eq!(login.address, "postgres://owner@db.example:5433/platform?sslmode=require&sslrootcert=%2Fa.pem");
        assert!(login.variables.contains(&("PGPASSWORD".to_owned(), "a@b+c/d".to_owned())), "{login:?}");
        let verified = Login::of(&Secret::new("postgres://o@db.example/p?sslmode=verify-full")).unwrap();
        assert!(verified.variables.iter().any(|(name, _)| name == "PGSSLROOTCERT"), "{verified:?}");
    }

    #[test]
    fn the_reason_is_one_sentence() {
        let words = "pg_restore: while PROCESSING TOC:\npg_restore: from TOC entry 2; 3079 16402 EXTENSION vector\n\
                     pg_restore: error: could not execute query: ERROR:  out of shared memory\n\
                     HINT:  You might need to increase \"max_locks_per_transaction\".\n";
        let text = reason(words).unwrap();
        assert_eq!(text, "ERROR:  out of shared memory; raise max_locks_per_transaction of PostgreSQL");
        let words = "pg_dump: error: could not write to output file: No space left on device\n";
        assert_eq!(reason(words).unwrap(), "could not write to output file: No space left on device");
    }
}
