//! Errors that prevent the provider from starting, and the values that the server reads from it.

use std::fs;

use idp::{Error, Provider};

use super::world::{AUTH, PASSWORD, World, realm_files, settings, variables};

fn error(change: impl FnOnce(&mut idp::Settings)) -> Error {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(&folder);
    change(&mut settings);
    Provider::load(settings).err().expect("the provider must not start")
}

/// The platform realm's file with one text replaced.
fn changed_file(from: &str, to: &str) -> Error {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(&realm_files()[0]).unwrap();
    assert!(text.contains(from), "{from}");
    let path = folder.path().join("realm.json");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    error(|settings| settings.realm_files = vec![path])
}

#[test]
fn every_variable_of_the_files_is_asked_for_by_name() {
    for name in variables().keys().filter(|name| *name != "SVC_DIRECT_GRANTS") {
        let error = error(|settings| {
            settings.variables.remove(name);
        });
        assert!(matches!(&error, Error::MissingVariable { name: missing, .. } if missing == name), "{error}");
        assert!(error.to_string().contains(name));
    }
}

#[tokio::test]
async fn without_a_word_about_it_the_password_grant_is_off() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(&folder);
    settings.variables.remove("SVC_DIRECT_GRANTS");
    let router = Provider::load(settings).unwrap().router();
    let world = World { router, ..World::new() };
    let form = [
        ("grant_type", "password"),
        ("client_id", "svc-api"),
        ("client_secret", "api-secret"),
        ("username", "olivia"),
        ("password", PASSWORD),
    ];
    let answer = world.token("svc-platform", &form).await;
    answer.error(axum::http::StatusCode::BAD_REQUEST, "unauthorized_client");
}

#[test]
fn a_file_that_contradicts_itself_is_refused_with_a_reason() {
    for (from, to, reason) in [
        (r#""realmRoles": ["#, r#""realmRoles": ["king", "#, "king"),
        (r#""email": "olivia@platform.example""#, r#""email": null"#, "olivia"),
        (r#""username": "victor""#, r#""username": "olivia""#, "twice"),
        (r#""clientId": "svc-api-vendor-tunnel""#, r#""clientId": "svc-api""#, "twice"),
        (r#""secret": "${SVC_API_CLIENT_SECRET}""#, r#""secret": """#, "no secret"),
        (r#""defaultClientScopes": ["#, r#""defaultClientScopes": ["profile", "#, "profile"),
        ("${SVC_BASE_URL}/admin/operator/*", "*", "redirect"),
        ("oidc-usermodel-realm-role-mapper", "oidc-hardcoded-claim-mapper", "oidc-hardcoded-claim-mapper"),
        (r#""accessTokenLifespan": 300"#, r#""accessTokenLifespan": 0"#, "lifetime"),
        (r#""realm": "svc-platform""#, r#""realm": "../svc""#, "name of a realm"),
        (r#""serviceAccountClientId": "svc-platform-audit","#, r#""email": "a@b.example","#, "needs an e-mail"),
    ] {
        let error = changed_file(from, to);
        assert!(matches!(error, Error::InvalidRealm { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn unreadable_files_and_addresses_are_named() {
    let missing = error(|settings| settings.realm_files = vec!["/nowhere/x-realm.json".into()]);
    assert!(missing.to_string().contains("/nowhere/x-realm.json"));
    assert!(matches!(changed_file("{", "["), Error::ParseRealm { .. }));
    assert!(matches!(error(|settings| settings.realm_files.clear()), Error::RealmSet(_)));
    assert!(matches!(error(|settings| settings.realm_files.push(realm_files().remove(0))), Error::RealmSet(_)));
    for url in ["", "127.0.0.1:8081", "ftp://a.example", "http://a.example/auth", "http://u:p@a.example"] {
        let error = error(|settings| settings.auth_url = url.to_owned());
        assert!(matches!(error, Error::AuthUrl { .. }), "{url}");
    }
}

#[test]
fn a_key_folder_that_cannot_be_made_is_named() {
    let error = error(|settings| settings.state_dir = "/dev/null/keys".into());
    assert!(error.to_string().contains("/dev/null/keys"), "{error}");
}

#[test]
fn the_server_reads_clients_and_users_from_the_same_files() {
    let world = World::new();
    let realms: Vec<_> = world.provider.realms().collect();
    assert_eq!(realms.iter().map(|realm| realm.name()).collect::<Vec<_>>(), ["svc-platform", "svc-tenants"]);
    let client = realms[0].clients().iter().find(|client| client.id() == "svc-api").unwrap();
    assert_eq!(client.secret(), Some("api-secret"));
    let console = realms[0].clients().iter().find(|client| client.id() == "operator-ui").unwrap();
    assert!(console.is_public() && console.secret().is_none());
    let names: Vec<_> = realms[0].users().iter().map(|user| user.username()).collect();
    assert_eq!(names, ["olivia", "victor", "oscar"]);
    let henry = realms[1].users().iter().find(|user| user.username() == "henry").unwrap();
    assert_eq!(henry.roles(), ["tenant-viewer"]);
    assert_eq!(henry.tenant_id(), Some("6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11"));
    assert_eq!(henry.password(), Some(PASSWORD));
}

#[test]
fn secrets_do_not_appear_in_debug_output() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new();
    let realms: Vec<_> = world.provider.realms().collect();
    let debug_text = format!("{:?} {:?}", settings(&folder), realms);
    assert!(debug_text.contains(AUTH) && debug_text.contains("svc-api"));
    for secret in variables().iter().filter(|(name, _)| name.contains("SECRET") || name.contains("PASSWORD")) {
        assert!(!debug_text.contains(secret.1.as_str()), "{}", secret.0);
    }
}
