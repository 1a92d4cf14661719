//! Settings under the names of earlier releases.

use std::path::Path;

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
    let mut names: Vec<_> = warnings.iter().map(|fields| fields["former"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, used);
    let answers = warnings.iter().find(|fields| fields["former"] == "SVC_ANSWERS_AT_ONCE").unwrap();
    assert_eq!(answers["key"], "answers.max_concurrent");
}

#[test]
fn a_value_for_a_constant_is_warned_about() {
    let log = Log::default();
    let _listening = log.listen();
    let variables =
        [("SVC_RAG_TOP_K".to_owned(), "9".to_owned()), ("SVC_HTTP_HEAD_SECONDS".to_owned(), "3".to_owned())];
    Values::collect(None, variables.into_iter()).unwrap().warn_about_former_names();
    let warnings = log.events("config.constant: this is no setting any more, and has this value");
    let text = |key| warnings.iter().map(|fields| fields[key].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let mut pairs_warned = text("key").into_iter().zip(text("value")).collect::<Vec<_>>();
    pairs_warned.sort_unstable();
    assert_eq!(
        pairs_warned,
        [("http.header_timeout_seconds", "10"), ("rag.top_k", "6")].map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

#[test]
fn a_former_name_whose_value_is_not_used_is_warned_about() {
    let log = Log::default();
    let _listening = log.listen();
    let file = "[generator]\nkey = 5\n[answers]\nwait_seconds = 4\n";
    let variables =
        [("SVC_GENERATOR_API_KEY", "20"), ("SVC_ANSWERS_AT_ONCE", "60"), ("SVC_ANSWERS_MAX_CONCURRENT", "70")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let values = Values::collect(Some((Path::new("test.toml"), file)), variables.into_iter()).unwrap();
    values.warn_about_former_names();
    let warned = |message| -> Vec<(String, String)> {
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let mut warned: Vec<_> =
            log.events(message).iter().map(|fields| (text(&fields["former"]), text(&fields["key"]))).collect();
        warned.sort_unstable();
        warned
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(former, key)| ((*former).to_owned(), (*key).to_owned())).collect()
    };
    let unused = [("SVC_ANSWERS_AT_ONCE", "answers.max_concurrent"), ("generator.key", "generator.api_key")];
    assert_eq!(warned("config.former_name_unused: another value of the setting takes precedence"), pairs(&unused));
    let used = [("answers.wait_seconds", "answers.queue_timeout_seconds")];
    assert_eq!(warned("config.former_name: the setting has another name now"), pairs(&used));
}
