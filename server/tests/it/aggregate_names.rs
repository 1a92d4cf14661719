//! An aggregate has one name: the same file in the contract, in `http/api`, in `service` and in the store.

use std::{collections::BTreeSet, fs, path::Path};

/// Without a service: the probes belong to HTTP, the token contains the identity, `doctor` checks the installation for
/// the command line too, and `service::answers` is for widgets.
const NO_SERVICE: [&str; 4] = ["health", "identity", "system_check", "widget"];
/// Without rows; language models are in the settings.
const NO_ROWS: [&str; 7] = ["answer_models", "embed", "health", "identity", "playground", "template_update", "widget"];

type Names = BTreeSet<String>;

/// The names of the modules in a folder, and below it when `deep`, whose source passes.
fn modules(folder: &str, deep: bool, passes: impl Fn(&str) -> bool + Copy) -> Names {
    let mut names = Names::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            names.extend(modules(path.to_str().unwrap(), deep, passes));
        } else if path.extension().is_some_and(|ending| ending == "rs") && passes(&fs::read_to_string(&path).unwrap()) {
            names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    names
}

fn without(names: &Names, exceptions: &[&str]) -> Names {
    names.iter().filter(|name| !exceptions.contains(&name.as_str())).cloned().collect()
}

#[test]
fn an_aggregate_has_one_name_on_all_layers() {
    let aggregates = modules("src/http/api", false, |_| true);
    let contract = modules("../app/contract/src", false, |source| source.contains("\nendpoints! {"));
    assert_eq!(aggregates, contract, "handlers and contract");
    let service = modules("src/service", true, |_| true);
    assert_eq!(&without(&aggregates, &NO_SERVICE) - &service, Names::new(), "handlers without a service");
    let store = modules("store/src", false, |_| true);
    assert_eq!(&without(&aggregates, &NO_ROWS) - &store, Names::new(), "handlers without rows");
}
