//! Checks the database: connection, role, pooler, migrations, version, extensions, settings.

use chrono::{DateTime, Utc};
use store::system_check::{self, DatabaseFacts, Transport};

use super::{Check, Subject, clock, names, text::Text};

/// Connections reserved for `migrate`, backups and administrators.
const SPARE_CONNECTIONS: u32 = 5;
const MIN_VERSION: i32 = 15;
const EXTENSIONS: [&str; 3] = ["vector", "pg_trgm", "btree_gin"];
const OLDEST_VECTOR: (u32, u32) = (0, 8);

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let db = match &subject.database {
        Ok(db) => db,
        Err(error) => return vec![refused(error)],
    };
    match system_check::facts(db).await {
        Ok(facts) => judge(&facts, subject.settings.database_connections, Utc::now()),
        Err(error) => vec![refused(&error)],
    }
}

/// Why there is no connection.
fn refused(error: &store::Error) -> Check {
    let finding = text!("{error}", "Fehler der Datenbank: {error}");
    match error {
        store::Error::UnsafeRole(_) => Check::failed(
            names::ROLE,
            finding,
            text!(
                "Set database.url to the restricted role svc_app (docs/deployment.md).",
                "Setzen Sie database.url auf die eingeschränkte Rolle svc_app (docs/deployment.md)."
            ),
        ),
        store::Error::NotMigrated { .. } => Check::failed(names::MIGRATIONS, finding, migrate()),
        store::Error::Pooler(_) => Check::failed(
            names::POOLER,
            finding,
            text!(
                "Let the pooler hand out connections by the transaction, or set database.prepared_statements to false.",
                "Lassen Sie den Pooler Verbindungen je Transaktion vergeben oder setzen Sie database.prepared_statements auf false."
            ),
        ),
        _ => Check::failed(
            names::CONNECTION,
            finding,
            text!(
                "Check database.url, the password of its role, and that the server runs and takes connections from here.",
                "Prüfen Sie database.url, das Passwort der Rolle und ob der Server läuft und Verbindungen von hier annimmt."
            ),
        ),
    }
}

fn migrate() -> Text {
    text!("Run `server migrate`.", "Führen Sie `server migrate` aus.")
}

/// Judges the facts for a process with this many connections.
fn judge(facts: &DatabaseFacts, connections: u32, now: DateTime<Utc>) -> Vec<Check> {
    vec![
        Check::ok(names::CONNECTION, text!("The database answers.", "Die Datenbank antwortet.")),
        transport(facts.transport),
        role(facts),
        Check::ok(
            names::POOLER,
            text!(
                "Settings hold for the length of a transaction.",
                "Einstellungen gelten für die Dauer einer Transaktion."
            ),
        ),
        migrations(&facts.pending, facts.newer),
        version(facts),
        extensions(&facts.extensions),
        settings(facts),
        connections_left(facts.max_connections, connections),
        clock_check(facts.now, now),
        time_zones(facts.knows_time_zones),
    ]
}

fn transport(transport: Transport) -> Check {
    let finding = match transport {
        Transport::Local => {
            return Check::ok(
                names::TRANSPORT,
                text!("The connection stays on this machine.", "Die Verbindung verlässt diesen Rechner nicht."),
            );
        }
        Transport::Verified => {
            return Check::ok(
                names::TRANSPORT,
                text!("TLS, with a verified certificate.", "TLS mit geprüftem Zertifikat."),
            );
        }
        Transport::Encrypted => text!(
            "TLS, but the name in the certificate is not checked: another server could answer.",
            "TLS, aber der Name im Zertifikat wird nicht geprüft: Ein anderer Server könnte antworten."
        ),
        Transport::Open => text!(
            "The connection may be without TLS: the network between could read passwords and every row.",
            "Die Verbindung kann ohne TLS sein: Das Netz dazwischen könnte Passwörter und jede Zeile mitlesen."
        ),
    };
    Check::warning(
        names::TRANSPORT,
        finding,
        text!(
            "Add `sslmode=verify-full` to database.url, and `sslrootcert=` with the file of your own authority if you have one.",
            "Ergänzen Sie database.url um `sslmode=verify-full` und bei eigener Zertifizierungsstelle um `sslrootcert=` mit deren Datei."
        ),
    )
}

/// The server has refused every other role before.
fn role(facts: &DatabaseFacts) -> Check {
    if !facts.may_create_temporary_tables {
        return Check::ok(
            names::ROLE,
            text!(
                "The role is restricted: it sees the rows of one tenant at a time.",
                "Die Rolle ist eingeschränkt: Sie sieht jeweils nur die Zeilen eines Mandanten."
            ),
        );
    }
    let database = &facts.database;
    Check::warning(
        names::ROLE,
        text!(
            "The role may create temporary tables, which keep rows of several tenants without row security.",
            "Die Rolle darf temporäre Tabellen anlegen, die Zeilen mehrerer Mandanten ohne Zeilensicherheit aufnehmen."
        ),
        text!(
            "A restored backup may lack the rights of the database. As its owner, run `revoke temporary on database \"{database}\" from public`.",
            "Einer wiederhergestellten Sicherung können die Rechte der Datenbank fehlen. Führen Sie als Eigentümer `revoke temporary on database \"{database}\" from public` aus."
        ),
    )
}

fn migrations(pending: &[i64], newer: Option<i64>) -> Check {
    if !pending.is_empty() {
        let list: Vec<String> = pending.iter().map(i64::to_string).collect();
        let list = list.join(", ");
        return Check::failed(names::MIGRATIONS, text!("Not applied: {list}.", "Nicht angewendet: {list}."), migrate());
    }
    let Some(newest) = newer else {
        return Check::ok(names::MIGRATIONS, text!("All are applied.", "Alle sind angewendet."));
    };
    Check::warning(
        names::MIGRATIONS,
        text!(
            "A newer version has migrated the database, up to number {newest}.",
            "Eine neuere Version hat die Datenbank migriert, bis Nummer {newest}."
        ),
        text!(
            "Run the newer version here too: an older one is meant to run on this database only during an upgrade.",
            "Verwenden Sie auch hier die neuere Version: Eine ältere ist auf dieser Datenbank nur während eines Upgrades vorgesehen."
        ),
    )
}

fn version(facts: &DatabaseFacts) -> Check {
    let version = &facts.version;
    let finding = text!("PostgreSQL {version}", "PostgreSQL {version}");
    if facts.version_number / 10_000 >= MIN_VERSION {
        return Check::ok(names::DATABASE_VERSION, finding);
    }
    Check::failed(
        names::DATABASE_VERSION,
        finding,
        text!("Upgrade to PostgreSQL {MIN_VERSION} or newer.", "Wechseln Sie zu PostgreSQL {MIN_VERSION} oder neuer."),
    )
}

fn extensions(installed: &[(String, String)]) -> Check {
    let missing: Vec<&str> =
        EXTENSIONS.into_iter().filter(|name| !installed.iter().any(|(extension, _)| extension == name)).collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Check::failed(
            names::EXTENSIONS,
            text!("Missing: {missing}.", "Es fehlen: {missing}."),
            text!(
                "As a superuser, run `create extension` for each in the platform's database.",
                "Führen Sie als Superuser für jede `create extension` in der Datenbank der Plattform aus."
            ),
        );
    }
    let vector = installed.iter().find(|(name, _)| name == "vector").map_or("", |(_, version)| version.as_str());
    let finding = text!("pgvector {vector}, pg_trgm, btree_gin", "pgvector {vector}, pg_trgm, btree_gin");
    if parts(vector) >= OLDEST_VECTOR {
        return Check::ok(names::EXTENSIONS, finding);
    }
    Check::warning(
        names::EXTENSIONS,
        finding,
        text!(
            "Install pgvector 0.8 or newer and run `alter extension vector update`: searches with filters find more.",
            "Installieren Sie pgvector 0.8 oder neuer und führen Sie `alter extension vector update` aus: Gefilterte Suchen finden dann mehr."
        ),
    )
}

/// The first two numbers of a version.
fn parts(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or_default());
    (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default())
}

fn settings(facts: &DatabaseFacts) -> Check {
    if facts.is_read_only {
        return Check::failed(
            names::DATABASE_SETTINGS,
            text!("The database takes no writes.", "Die Datenbank nimmt keine Schreibzugriffe an."),
            text!(
                "Connect to the primary server, and set default_transaction_read_only to off.",
                "Verbinden Sie sich mit dem Primärserver und setzen Sie default_transaction_read_only auf off."
            ),
        );
    }
    if facts.encoding != "UTF8" {
        let encoding = &facts.encoding;
        return Check::failed(
            names::DATABASE_SETTINGS,
            text!("The encoding is {encoding}.", "Die Kodierung ist {encoding}."),
            text!(
                "Create the database with encoding UTF8: other encodings cannot store every question.",
                "Legen Sie die Datenbank mit der Kodierung UTF8 an: Andere Kodierungen können nicht jede Frage speichern."
            ),
        );
    }
    if !facts.is_durable {
        return Check::failed(
            names::DATABASE_SETTINGS,
            text!(
                "fsync or full_page_writes is off: a power cut can destroy the database.",
                "fsync oder full_page_writes ist aus: Ein Stromausfall kann die Datenbank zerstören."
            ),
            text!("Set both to on.", "Setzen Sie beide auf on."),
        );
    }
    Check::ok(names::DATABASE_SETTINGS, text!("Writable, durable, UTF-8.", "Beschreibbar, dauerhaft, UTF-8."))
}

fn connections_left(most: i32, needed: u32) -> Check {
    let finding = text!(
        "A process opens up to {needed}; the server takes {most}.",
        "Ein Prozess öffnet bis zu {needed}; der Server nimmt {most} an."
    );
    if i64::from(most) >= i64::from(needed) + i64::from(SPARE_CONNECTIONS) {
        return Check::ok(names::CONNECTIONS, finding);
    }
    Check::failed(
        names::CONNECTIONS,
        finding,
        text!(
            "Raise max_connections of PostgreSQL, or lower database.pool_size and database.export_pool_size.",
            "Erhöhen Sie max_connections von PostgreSQL oder senken Sie database.pool_size und database.export_pool_size."
        ),
    )
}

fn clock_check(database: DateTime<Utc>, own: DateTime<Utc>) -> Check {
    let seconds = (database - own).num_seconds();
    if seconds.abs() <= clock::NOTICEABLE_SECONDS {
        return Check::ok(
            names::DATABASE_CLOCK,
            text!("Agrees with this machine's.", "Stimmt mit der dieses Rechners überein."),
        );
    }
    Check::warning(names::DATABASE_CLOCK, clock::differs(seconds), clock::remedy())
}

fn time_zones(are_known: bool) -> Check {
    if are_known {
        return Check::ok(
            names::TIME_ZONES,
            text!("The database knows the world's time zones.", "Die Datenbank kennt die Zeitzonen der Welt."),
        );
    }
    Check::warning(
        names::TIME_ZONES,
        text!("The database has no time zone data.", "Der Datenbank fehlen die Zeitzonendaten."),
        text!(
            "Install the package tzdata on the database's machine and restart PostgreSQL.",
            "Installieren Sie das Paket tzdata auf dem Rechner der Datenbank und starten Sie PostgreSQL neu."
        ),
    )
}

#[cfg(test)]
mod tests {
    use contract::system_check::CheckStatus::{self, Failed, Ok, Warning};

    use super::*;

    fn facts() -> DatabaseFacts {
        let extensions = EXTENSIONS.map(|name| (name.to_owned(), "0.8.1".to_owned())).into();
        DatabaseFacts {
            version_number: 180_006,
            version: "18.6".to_owned(),
            extensions,
            pending: Vec::new(),
            newer: None,
            max_connections: 97,
            encoding: "UTF8".to_owned(),
            is_durable: true,
            is_read_only: false,
            knows_time_zones: true,
            database: "platform".to_owned(),
            may_create_temporary_tables: false,
            transport: Transport::Verified,
            now: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_connection_without_verified_tls_is_found() {
        assert_eq!(faults(|facts| facts.transport = Transport::Local), []);
        for transport in [Transport::Encrypted, Transport::Open] {
            assert_eq!(faults(|facts| facts.transport = transport), [("transport", Warning)]);
        }
    }

    /// The ids and states of the checks that are not ok after one fault.
    fn faults(change: impl FnOnce(&mut DatabaseFacts)) -> Vec<(&'static str, CheckStatus)> {
        let mut facts = facts();
        change(&mut facts);
        let checks = judge(&facts, 24, DateTime::UNIX_EPOCH);
        checks.iter().filter(|check| check.status != Ok).map(|check| (check.name.id, check.status)).collect()
    }

    #[test]
    fn each_fault_of_the_database_has_its_finding() {
        assert_eq!(faults(|_| {}), []);
        assert_eq!(faults(|facts| facts.version_number = 140_011), [("version", Failed)]);
        assert_eq!(faults(|facts| facts.extensions.clear()), [("extensions", Failed)]);
        assert_eq!(faults(|facts| facts.extensions[0].1 = "0.7.4".to_owned()), [("extensions", Warning)]);
        assert_eq!(faults(|facts| facts.may_create_temporary_tables = true), [("role", Warning)]);
        assert_eq!(faults(|facts| facts.pending = vec![46]), [("migrations", Failed)]);
        assert_eq!(faults(|facts| facts.newer = Some(9999)), [("migrations", Warning)]);
        assert_eq!(faults(|facts| facts.max_connections = 20), [("connections", Failed)]);
        assert_eq!(faults(|facts| facts.encoding = "LATIN1".to_owned()), [("settings", Failed)]);
        assert_eq!(faults(|facts| facts.is_durable = false), [("settings", Failed)]);
        assert_eq!(faults(|facts| facts.is_read_only = true), [("settings", Failed)]);
        assert_eq!(faults(|facts| facts.knows_time_zones = false), [("time_zones", Warning)]);
        assert_eq!(faults(|facts| facts.now += chrono::TimeDelta::minutes(5)), [("clock", Warning)]);
    }

    #[test]
    fn a_refused_connection_says_why() {
        let id = |error| refused(&error).name.id;
        assert_eq!(id(store::Error::UnsafeRole("x".to_owned())), "role");
        assert_eq!(id(store::Error::NotMigrated { newest: 47 }), "migrations");
        assert_eq!(id(store::Error::Pooler("x".to_owned())), "pooler");
        assert_eq!(id(store::Error::Text), "connection");
    }
}
