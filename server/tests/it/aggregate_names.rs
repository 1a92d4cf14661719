//! An aggregate has one name: the same file in the contract, in `http/api`, in `service` and in the store.

use std::{collections::BTreeSet, fs, path::Path};

use crate::layers::imports::{Graph, Module};

/// Without a service of their name: the probes belong to HTTP, the token contains the identity, `doctor` checks the
/// installation for the command line too, and `service::answers` answers widgets, programs and the playground.
const NO_SERVICE: [&str; 6] = ["ask", "health", "identity", "playground", "system_check", "widget"];
/// Without rows; language models are in the settings.
const NO_ROWS: [&str; 8] =
    ["answer_models", "ask", "embed", "health", "identity", "playground", "template_update", "widget"];

type Names = BTreeSet<String>;

/// The names of the modules in a folder whose source passes.
fn modules(folder: &str, passes: impl Fn(&str) -> bool) -> Names {
    let mut names = Names::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "rs") && passes(&fs::read_to_string(&path).unwrap()) {
            names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    names
}

/// The aggregates whose handlers call the service of the same name, directly in `service` or in its group `knowledge`.
fn with_service(aggregates: &Names) -> Names {
    let server = Graph::of("src");
    let calls = |from: &Module, to: &Module, name: &str| {
        from.is_below(&format!("http::api::{name}"))
            && (to.is_below(&format!("service::{name}")) || to.is_below(&format!("service::knowledge::{name}")))
    };
    let is_called = |name: &&String| server.imports().any(|(from, to)| calls(from, to, name));
    aggregates.iter().filter(is_called).cloned().collect()
}

fn without(names: &Names, exceptions: &[&str]) -> Names {
    names.iter().filter(|name| !exceptions.contains(&name.as_str())).cloned().collect()
}

#[test]
fn an_aggregate_has_one_name_on_all_layers() {
    let aggregates = modules("src/http/api", |_| true);
    let contract = modules("../app/contract/src", |source| source.contains("\nendpoints! {"));
    assert_eq!(aggregates, contract, "handlers and contract");
    assert_eq!(with_service(&aggregates), without(&aggregates, &NO_SERVICE), "handlers with a service of their name");
    let store = modules("store/src", |_| true);
    assert_eq!(&without(&aggregates, &NO_ROWS) - &store, Names::new(), "handlers without rows");
}
