//! Tests of the configuration.

use std::path::Path;

use super::*;

fn load(file: Option<&str>, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::from_values(&Values::collect(file.map(|text| (Path::new("test.toml"), text)), variables)?)
}

fn refusal(file: Option<&str>, variables: &[(&str, &str)]) -> String {
    load(file, variables).unwrap_err().to_string()
}

#[test]
fn the_defaults_are_a_valid_configuration() {
    let config = load(None, &[]).unwrap();
    assert_eq!(config.http.base_url.as_str(), "http://127.0.0.1:8080/");
    assert_eq!(config.auth.url.as_str(), "http://127.0.0.1:8081/");
    assert_eq!(config.database.data_dir, Path::new("var/postgres"));
    assert!(config.loadtest.secret.is_none());
}

#[test]
fn the_default_console_client_is_the_operator_console() {
    assert_eq!(load(None, &[]).unwrap().auth.console_client, contract::clients::OPERATOR_CONSOLE);
}

#[test]
fn the_environment_overrides_the_file_and_the_file_the_default() {
    let file = "[http]\nport = 9000\n[site]\nport = 9002\n";
    let config = load(Some(file), &[("SVC_HTTP_PORT", "9100")]).unwrap();
    assert_eq!((config.http.port, config.site.port, config.auth.port), (9100, 9002, 8081));
}

#[test]
fn a_list_may_be_written_as_toml_list_or_with_commas() {
    let origins = ["https://a.example", "http://b.example:8082"];
    let file = load(Some("[cors]\nallowed_origins = [\"https://a.example\", \"http://b.example:8082\"]"), &[]).unwrap();
    assert_eq!(file.cors.allowed_origins, origins);
    let env = load(None, &[("SVC_CORS_ALLOWED_ORIGINS", "https://a.example, http://b.example:8082")]).unwrap();
    assert_eq!(env.cors.allowed_origins, origins);
}

#[test]
fn a_wrong_value_is_refused_with_name_source_and_allowed_values() {
    let text = refusal(None, &[("SVC_HTTP_PORT", "eighty")]);
    for part in ["http.port", "SVC_HTTP_PORT", "\"eighty\"", "the environment", "a port from 1 to 65535"] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
}

#[test]
fn values_out_of_range_are_refused() {
    for (name, value) in [
        ("SVC_HTTP_PORT", "0"),
        ("SVC_RAG_RELEVANCE_THRESHOLD", "1.5"),
        ("SVC_RAG_RELEVANCE_THRESHOLD", "NaN"),
        ("SVC_GENERATOR_MAX_TOKENS", "0"),
        ("SVC_HTTP_BASE_URL", "ftp://example.com"),
        ("SVC_HTTP_BASE_URL", "https://example.com/chat"),
        ("SVC_CORS_ALLOWED_ORIGINS", "https://example.com/path"),
        ("SVC_RERANKER_URL", "127.0.0.1"),
        ("SVC_RERANKER_PROTOCOL", "other"),
        ("SVC_HEALTH_STRICT", "perhaps"),
        ("SVC_CORS_ALLOWED_ORIGINS", "*"),
        ("SVC_METRICS_ALLOWLIST", "everyone"),
        ("SVC_LOGGING_FORMAT", "xml"),
        ("SVC_LOGGING_LEVEL", "info,=,"),
        ("SVC_LOADTEST_SECRET", "short"),
        ("SVC_DATABASE_URL", "not a connection"),
        ("SVC_DATABASE_URL", "mysql://svc_app:secret@127.0.0.1/platform"),
        ("SVC_REDIS_URL", "http://127.0.0.1"),
        ("SVC_RATE_LIMIT_PUBLIC_PER_SECOND", "-1"),
        ("SVC_PATHS_VAR_DIR", ""),
    ] {
        assert!(refusal(None, &[(name, value)]).contains(name), "{name}={value}");
    }
}

#[test]
fn the_address_of_the_platform_may_end_with_a_slash() {
    let config = load(None, &[("SVC_HTTP_BASE_URL", "https://chat.example.com/")]).unwrap();
    assert_eq!(config.http.base_url.as_str(), "https://chat.example.com/");
}

#[test]
fn a_rerank_endpoint_needs_a_model_and_excludes_a_folder() {
    let url = ("SVC_RERANKER_URL", "http://127.0.0.1:9000/v1");
    let unset = "reranker.model (variable SVC_RERANKER_MODEL) is not set; it must be a text";
    assert!(refusal(None, &[url]).starts_with(unset));
    let both = [url, ("SVC_RERANKER_MODEL", "small"), ("SVC_RERANKER_MODEL_DIR", "models/small")];
    assert!(refusal(None, &both).contains("SVC_RERANKER_MODEL_DIR"));
    assert!(load(None, &[url, ("SVC_RERANKER_PROTOCOL", "tei")]).is_ok());
}

#[test]
fn a_refused_secret_is_not_shown() {
    let text = refusal(None, &[("SVC_LOADTEST_SECRET", "hunter2")]);
    assert!(text.contains("***") && !text.contains("hunter2"), "{text}");
}

#[test]
fn a_former_name_is_read_and_the_present_one_wins() {
    let file = "[answers]\nat_once = 3\nwait_seconds = 4\n";
    let config = load(Some(file), &[("SVC_ANSWERS_WAIT_SECONDS", "5"), ("SVC_GENERATOR_KEY", "token")]).unwrap();
    assert_eq!((config.answers.max_concurrent, config.answers.queue_timeout_seconds), (Some(3), 5));
    assert_eq!(config.generator.api_key.unwrap().expose(), "token");
    let both = [("SVC_ANSWERS_MAX_CONCURRENT", "20"), ("SVC_ANSWERS_AT_ONCE", "10")];
    assert_eq!(load(None, &both).unwrap().answers.max_concurrent, Some(20));
}

#[test]
fn former_settings_keep_their_constant_values() {
    let config =
        load(Some("[http]\nhead_seconds = 3\n[rag]\ntop_k = 9"), &[("SVC_CRAWL_PREVIEW_PAGES", "none")]).unwrap();
    assert_eq!((config.http.header_timeout_seconds, config.rag.top_k, config.crawl.preview_pages), (10, 6, 100));
    for constant in CONSTANTS.iter() {
        assert!(SETTINGS.iter().all(|setting| setting.key != constant.key), "{}", constant.key);
    }
}

#[test]
fn a_wrong_value_is_reported_under_the_name_that_was_used() {
    let file = refusal(Some("[answers]\nwait_seconds = 0"), &[]);
    let now =
        "which is now answers.queue_timeout_seconds (variable SVC_ANSWERS_QUEUE_TIMEOUT_SECONDS), is \"0\" in the ";
    assert!(file.starts_with(&format!("answers.wait_seconds, {now}file test.toml, but allowed is ")), "{file}");
    let variable = refusal(None, &[("SVC_ANSWERS_WAIT_SECONDS", "0")]);
    assert!(variable.starts_with(&format!("SVC_ANSWERS_WAIT_SECONDS, {now}environment, but ")), "{variable}");
}

#[test]
fn explain_shows_former_names_and_none_of_them_is_in_use() {
    let variables = [("SVC_ANSWERS_WAIT_SECONDS".to_owned(), "60".to_owned())];
    let text = report::explain(&Values::collect(None, variables.into_iter()).unwrap());
    assert!(text.contains(
        "answers.queue_timeout_seconds = 60  [from the environment, under the former name SVC_ANSWERS_WAIT_SECONDS]"
    ));
    for former in SETTINGS.iter().flat_map(|setting| setting.former_keys) {
        assert!(SETTINGS.iter().all(|setting| setting.key != *former), "{former}");
    }
}

#[test]
fn an_address_is_shown_without_credentials_everywhere() {
    let setting = Setting::of("generator.url");
    assert_eq!(setting.masked("https://me:hunter2@example.com/v1?key=hunter2"), "***@example.com/v1?***");
    assert_eq!(setting.masked("https://example.com/v1"), "https://example.com/v1");
    assert_eq!(setting.masked("https://me:hun?ter2@example.com/v1"), "***@example.com/v1");
    assert_eq!(Setting::of("redis.url").masked("redis://127.0.0.1"), "***");
}

#[test]
fn a_mistyped_name_is_refused_with_the_nearest_known_one() {
    assert!(refusal(None, &[("SVC_HTTP_PROT", "1")]).contains("the nearest is SVC_HTTP_PORT"));
    assert!(refusal(Some("[htpp]\nport = 1"), &[]).contains("the nearest is http.port"));
    assert!(refusal(Some("port = 1"), &[]).contains("test.toml"));
}

#[test]
fn a_file_that_is_not_toml_is_refused_with_its_name() {
    assert!(refusal(Some("[http"), &[]).contains("test.toml is not valid TOML"));
}

#[test]
fn an_address_with_a_password_is_refused_and_not_shown() {
    for address in
        ["https://:hunter2@login.example", "https://me:hunter2@login.example", "https://hunter2@login.example"]
    {
        let variables = [("SVC_AUTH_URL".to_owned(), address.to_owned())];
        let values = Values::collect(None, variables.into_iter()).unwrap();
        let error = Config::from_values(&values).unwrap_err().to_string();
        assert!(error.contains("auth.url") && !error.contains("hunter2"), "{error}");
        assert!(!super::report::explain(&values).contains("hunter2"));
    }
}

#[test]
fn syntax_errors_name_the_place_without_the_text() {
    let file = "[http]\nport = 9000\n[database]\nurl = \"postgres://svc_app:TOPSECRET@db.example.com/platform\npool_size = 4\n";
    let text = refusal(Some(file), &[]);
    assert!(text.contains("test.toml is not valid TOML: line 4, column "), "{text}");
    assert!(!text.contains("TOPSECRET") && !text.contains("db.example.com"), "{text}");
    for broken in [
        "[database]\nurl = TOPSECRET",
        "[database]\nurl = \"a\" TOPSECRET",
        "x = 1\n[TOPSECRET\n",
        "a = \"\\qTOPSECRET\"",
    ] {
        let text = refusal(Some(broken), &[]);
        assert!(text.contains("line ") && !text.contains("TOPSECRET"), "{text}");
    }
}

#[test]
fn a_refused_address_is_shown_without_its_credentials() {
    for value in
        ["https://me:TOPSECRET@example.com", "https//me:TOPSECRET@example.com", "https://example.com?key=TOPSECRET"]
    {
        for name in ["SVC_GENERATOR_URL", "SVC_AUTH_URL", "SVC_QDRANT_URL"] {
            let text = refusal(None, &[(name, value)]);
            assert!(text.contains("example.com") && !text.contains("TOPSECRET"), "{text}");
        }
    }
}

#[test]
fn explaining_masks_secrets_and_names_the_source() {
    let secret = "0123456789abcdef0123456789abcdef";
    let variables = [("SVC_LOADTEST_SECRET".to_owned(), secret.to_owned())];
    let text = report::explain(&Values::collect(None, variables.into_iter()).unwrap());
    assert!(text.contains("loadtest.secret = ***  [from the environment]"));
    assert!(text.contains("http.port = 8080  [default]"));
    assert!(!text.contains(secret));
}

#[test]
fn explaining_shows_what_follows_from_other_settings() {
    let variables = [("SVC_HTTP_PORT".to_owned(), "9000".to_owned())];
    let text = report::explain(&Values::collect(None, variables.into_iter()).unwrap());
    assert!(text.contains("http.base_url = http://127.0.0.1:9000  [from other settings]"), "{text}");
    assert!(text.contains("uploads.folder = var/uploads  [from other settings]"), "{text}");
    assert!(text.contains("generator.url = (not set)  [default]"), "{text}");
}

#[test]
fn no_setting_is_documented_twice_and_each_has_a_meaning() {
    let mut keys: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), SETTINGS.len());
    assert!(SETTINGS.iter().all(|setting| setting.meaning.ends_with('.') && !setting.allowed.is_empty()));
}

#[test]
fn the_default_folders_are_those_of_the_pinned_parts() {
    let pinned = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../parts.toml")).unwrap();
    let config = load(None, &[]).unwrap();
    for folder in [&config.database.bin_dir, &config.rag.model_dir] {
        let part = folder.strip_prefix("var/parts").unwrap().components().next().unwrap();
        let line = format!("folder = \"{}\"", part.as_os_str().display());
        assert!(pinned.contains(&line), "parts.toml has no line {line}");
    }
}

#[test]
fn the_documentation_page_is_what_the_table_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/configuration.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(page == report::markdown(), "docs/configuration.md is stale: run `make docs`");
}

const ENDPOINTS: &str = "[generator]\nurl = 'http://127.0.0.1:8090/v1'\nmodel = 'small'\n\
    [[generator.endpoint]]\nname = 'large'\nurl = 'https://models.example.com/v1/'\nmodel = 'large-2'\napi_key = 'very-secret'\n\
    window_tokens = 32000\nanswer_price = 1.5\n";

#[test]
fn further_language_models_are_tables_of_the_file() {
    let config = load(Some(ENDPOINTS), &[]).unwrap();
    let [large] = config.endpoints.as_slice() else { panic!("{:?}", config.endpoints) };
    assert_eq!((large.name.as_str(), large.url.as_str()), ("large", "https://models.example.com/v1"));
    assert_eq!((large.window_tokens, large.max_concurrent), (Some(32_000), 16));
    assert!((large.prices.answer - 1.5).abs() < f64::EPSILON && large.prices.prompt.abs() < f64::EPSILON);
    assert_eq!(config.generator.model, "small");
}

#[test]
fn the_key_of_a_language_model_is_never_shown() {
    let values = Values::collect(Some((Path::new("test.toml"), ENDPOINTS)), std::iter::empty()).unwrap();
    let text = report::explain(&values);
    assert!(
        text.contains("generator.endpoint large = large-2 at https://models.example.com/v1, with an api_key"),
        "{text}"
    );
    assert!(!text.contains("very-secret"));
    assert!(!format!("{:?}", load(Some(ENDPOINTS), &[])).contains("very-secret"));
    let broken = ENDPOINTS.replace("https://models.example.com/v1/", "very-secret");
    assert!(!refusal(Some(&broken), &[]).contains("very-secret"));
}

#[test]
fn a_table_of_a_language_model_that_is_wrong_stops_the_start() {
    for (from, to, part) in [
        ("'large'\nurl", "'default'\nurl", "name must be"),
        ("'large'\nurl", "'Large'\nurl", "name must be"),
        ("model = 'large-2'", "", "model must be"),
        ("'https://models", "'ftp://models", "url must be"),
        ("answer_price = 1.5", "answer_prize = 1.5", "unknown key answer_prize"),
        ("32000", "12", "window_tokens must be"),
    ] {
        let text = refusal(Some(&ENDPOINTS.replace(from, to)), &[]);
        assert!(text.contains("test.toml cannot be used: generator.endpoint 1") && text.contains(part), "{to}: {text}");
    }
    let twice = format!("{ENDPOINTS}[[generator.endpoint]]\nname = 'large'\nurl = 'http://a.example'\nmodel = 'b'\n");
    assert!(refusal(Some(&twice), &[]).contains("generator.endpoint 2: name is that of another endpoint"));
}
