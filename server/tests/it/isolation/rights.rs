//! Who may do what on which table: the list in `rights.txt`, and the same read from the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::PgConnection;

/// The roles that a transaction can have.
pub const ROLES: [&str; 5] = ["svc_operator", "svc_vendor", "svc_tenant", "svc_widget", "svc_system"];

/// The verbs of a table.
pub const VERBS: [&str; 4] = ["select", "insert", "update", "delete"];

const LISTED: &str = include_str!("rights.txt");

/// The rights of a role on a table.
#[derive(Debug, Clone, Default)]
pub struct Rights {
    /// Verbs that are granted, on the table or on some of its columns.
    pub granted: BTreeSet<String>,
    /// Verbs that a policy admits rows for.
    pub admitted: BTreeSet<String>,
}

/// The list in the file.
pub fn listed() -> BTreeSet<String> {
    LISTED.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(normal).collect()
}

/// The list by table and role.
pub fn by_table_and_role() -> BTreeMap<(String, String), Rights> {
    let mut rights = BTreeMap::new();
    for line in listed() {
        let (head, admitted) = line.split_once(" | ").unwrap_or((&line, ""));
        let mut words = head.splitn(3, ' ');
        let (Some(table), Some(role)) = (words.next(), words.next()) else { panic!("rights.txt: {line}") };
        let verbs = |text: &str| {
            let words = text.split(' ').map(|word| word.split('(').next().unwrap_or(word));
            words.filter(|word| VERBS.contains(word)).map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let entry = Rights { granted: verbs(words.next().unwrap_or("")), admitted: verbs(admitted) };
        rights.insert((table.to_owned(), role.to_owned()), entry);
    }
    rights
}

/// The list as the catalogue has it: table, role, granted verbs (with columns where only some are granted), and after
/// the bar the verbs that a policy admits rows for. Functions that run as their owner are listed too.
pub async fn of_catalogue(connection: &mut PgConnection) -> BTreeSet<String> {
    let lines: Vec<String> = sqlx::query_scalar(include_str!("rights.sql")).fetch_all(connection).await.unwrap();
    lines.iter().map(|line| normal(line)).collect()
}

fn normal(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
