//! Rules on the dependencies of each crate.

use std::{fs, path::Path};

#[test]
fn only_the_store_depends_on_sqlx() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let manifest = |folder: &str| -> toml::Table {
        fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap().parse().unwrap()
    };
    let members = manifest(".")["workspace"]["members"].as_array().unwrap().clone();
    let with_sqlx: Vec<_> = members
        .iter()
        .map(|member| member.as_str().unwrap())
        .filter(|member| manifest(member)["dependencies"].get("sqlx").is_some())
        .collect();
    assert_eq!(with_sqlx, ["server/store"]);
}
