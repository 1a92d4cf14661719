//! Settings under the names of earlier releases.

use server::config::{SETTINGS, Values};

use crate::support::Log;

#[test]
fn every_former_name_in_use_is_warned_about() {
    let log = Log::default();
    let _listening = log.listen();
    let former_keys = SETTINGS.iter().flat_map(|setting| setting.former_keys);
    let mut used: Vec<_> = former_keys.map(|key| format!("SVC_{}", key.replace('.', "_").to_uppercase())).collect();
    used.sort_unstable();
    let variables = used.iter().map(String::as_str).chain(["SVC_HTTP_PORT"]);
    let variables = variables.map(|name| (name.to_owned(), "20".to_owned()));
    Values::collect(None, variables).unwrap().warn_about_former_names();
    let warnings = log.events("config.former_name: the setting has another name now");
    let mut named: Vec<_> = warnings.iter().map(|fields| fields["former"].as_str().unwrap()).collect();
    named.sort_unstable();
    assert_eq!(named, used);
    let answers = warnings.iter().find(|fields| fields["former"] == "SVC_ANSWERS_AT_ONCE").unwrap();
    assert_eq!(answers["key"], "answers.max_concurrent");
}
