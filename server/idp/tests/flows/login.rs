//! The sign-in page and silent sign-in.

use axum::http::StatusCode;

use super::world::{BASE, Browser, PASSWORD, REDIRECT, World, auth_path, endpoint};

#[tokio::test]
async fn the_page_has_labels_and_a_strict_policy_and_nothing_inline() {
    let world = World::new();
    let page = world.get(&auth_path(&[])).await;
    assert_eq!(page.status, StatusCode::OK);
    for expected in [r#"<html lang="en">"#, r#"<label class="idp-label" for="username">"#, r#"for="password">"#] {
        assert!(page.body.contains(expected), "{expected}");
    }
    for unwanted in ["<script", "<style", "style=", "onclick"] {
        assert!(!page.body.contains(unwanted), "{unwanted}");
    }
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'"));
    assert!(policy.contains(&format!("form-action 'self' {BASE};")));
    assert!(policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(world.get("/resources/login.css").await.header("content-type"), Some("text/css; charset=utf-8"));
}

#[tokio::test]
async fn the_page_speaks_the_language_that_is_asked_for() {
    let page = World::new().get(&auth_path(&[("ui_locales", "de")])).await;
    assert!(page.body.contains(r#"<html lang="de">"#) && page.body.contains("Benutzername"));
}

#[tokio::test]
async fn the_page_names_its_console_in_its_language() {
    let world = World::new();
    let redirect = format!("{BASE}/tenant/");
    for (client, realm, redirect, [english, german]) in [
        ("operator-ui", "svc-platform", REDIRECT, ["Operator console", "Betreiberkonsole"]),
        ("tenant-ui", "svc-tenants", redirect.as_str(), ["Tenant console", "Mandantenkonsole"]),
    ] {
        for (language, name) in [("en", english), ("de", german)] {
            let path = auth_path(&[("client_id", client), ("redirect_uri", redirect), ("ui_locales", language)]);
            let page = world.get(&path.replace("svc-platform", realm)).await;
            assert!(page.body.contains(&format!(r#"<span class="idp-realm">{name}</span>"#)), "{realm} {language}");
        }
    }
}

#[tokio::test]
async fn demo_accounts_are_listed_only_when_asked_for() {
    let world = World::new();
    assert!(world.get(&auth_path(&[])).await.body.contains("Demo accounts"));
    let folder = tempfile::tempdir().unwrap();
    let settings = idp::Settings { show_demo_accounts: false, ..super::world::settings(&folder) };
    let router = idp::Provider::load(settings).unwrap().router();
    let quiet = World { router, ..world };
    let page = quiet.get(&auth_path(&[])).await;
    assert!(!page.body.contains("Demo accounts") && !page.body.contains(PASSWORD) && !page.body.contains("victor"));
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_get_the_same_page() {
    let world = World::new();
    let mut browser = Browser::default();
    let wrong = browser.sign_in(&world, &auth_path(&[]), "olivia", "wrong").await;
    assert_eq!(wrong.status, StatusCode::OK);
    assert!(wrong.body.contains(r#"value="olivia""#));
    assert!(wrong.body.contains(r#"role="alert">Incorrect username or password."#));
    let unknown = browser.submit(&world, &wrong, "nobody", "wrong").await;
    assert_eq!(unknown.body.replace("nobody", "olivia"), wrong.body);
    let right = browser.submit(&world, &unknown, "olivia", PASSWORD).await;
    assert!(right.redirect_param("code").is_some());
}

#[tokio::test]
async fn a_name_with_markup_is_shown_as_text() {
    let world = World::new();
    let hint = r#""><script>alert(1)</script>"#;
    let page = world.get(&auth_path(&[("login_hint", hint)])).await;
    assert!(page.body.contains("&quot;&gt;&lt;script&gt;") && !page.body.contains("<script>"));
}

#[tokio::test]
async fn guessing_passwords_on_the_page_is_slowed_down() {
    let world = World::new();
    let mut browser = Browser::default();
    let mut page = browser.get(&world, &auth_path(&[])).await;
    for _ in 0..10 {
        page = browser.submit(&world, &page, "olivia", "wrong").await;
    }
    page = browser.submit(&world, &page, "olivia", PASSWORD).await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(page.header("retry-after"), Some("60"));
    assert!(page.body.contains("Try again in 60 seconds"));
    world.pass(59);
    page = browser.submit(&world, &page, "olivia", PASSWORD).await;
    assert!(page.body.contains("Try again in 1 second."));
    world.pass(1);
    assert!(browser.submit(&world, &page, "olivia", PASSWORD).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn only_the_browser_that_was_shown_the_form_may_submit_it() {
    let world = World::new();
    let page = Browser::default().get(&world, &auth_path(&[])).await;
    let mut other = Browser::default();
    other.get(&world, &auth_path(&[])).await;
    for browser in [&mut Browser::default(), &mut other] {
        let answer = browser.submit(&world, &page, "olivia", PASSWORD).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.headers.get("set-cookie").is_none());
    }
}

#[tokio::test]
async fn a_form_works_once_and_for_half_an_hour() {
    let world = World::new();
    let mut browser = Browser::default();
    let page = browser.get(&world, &auth_path(&[])).await;
    browser.submit(&world, &page, "olivia", PASSWORD).await.location();
    assert_eq!(browser.submit(&world, &page, "olivia", PASSWORD).await.status, StatusCode::BAD_REQUEST);
    let late = browser.get(&world, &auth_path(&[("prompt", "login")])).await;
    world.pass(1_800);
    assert_eq!(browser.submit(&world, &late, "olivia", PASSWORD).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn two_tabs_can_sign_in_one_after_the_other() {
    let world = World::new();
    let mut browser = Browser::default();
    let first = browser.get(&world, &auth_path(&[])).await;
    let second = browser.get(&world, &auth_path(&[])).await;
    assert!(browser.submit(&world, &first, "olivia", PASSWORD).await.redirect_param("code").is_some());
    assert!(browser.submit(&world, &second, "olivia", PASSWORD).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn a_signed_in_browser_gets_a_code_without_a_page() {
    let world = World::new();
    let mut browser = Browser::default();
    let first = world.sign_in(&mut browser, "olivia").await;
    world.pass(60);
    let silent = browser.get(&world, &auth_path(&[("prompt", "none")])).await;
    let code = silent.redirect_param("code").unwrap();
    let again = world.exchange(&code, super::world::VERIFIER).await.json(StatusCode::OK);
    assert_eq!(again["session_state"], first["session_state"]);
    let access = super::world::claims(again["access_token"].as_str().unwrap());
    assert_eq!(access["auth_time"], world.now() - 60);
}

#[tokio::test]
async fn silent_sign_in_without_a_session_sends_login_required() {
    let world = World::new();
    let answer = world.get(&auth_path(&[("prompt", "none")])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    assert_eq!(answer.redirect_param("code"), None);
    assert_eq!(answer.header("x-frame-options"), None, "a hidden frame must be able to follow");
}

#[tokio::test]
async fn a_session_of_one_realm_is_none_in_the_other() {
    let world = World::new();
    let mut browser = Browser::default();
    world.sign_in(&mut browser, "olivia").await;
    let path =
        auth_path(&[("client_id", "tenant-ui"), ("redirect_uri", "http://127.0.0.1:8080/tenant/"), ("prompt", "none")]);
    let path = path.replace(&endpoint("svc-platform", "auth"), &endpoint("svc-tenants", "auth"));
    let answer = browser.get(&world, &path).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_client_can_insist_on_the_password() {
    let world = World::new();
    let mut browser = Browser::default();
    world.sign_in(&mut browser, "olivia").await;
    world.pass(100);
    assert!(browser.get(&world, &auth_path(&[("prompt", "login")])).await.body.contains("<form"));
    assert!(browser.get(&world, &auth_path(&[("max_age", "99")])).await.body.contains("<form"));
    assert!(browser.get(&world, &auth_path(&[("max_age", "100")])).await.redirect_param("code").is_some());
}

#[tokio::test]
async fn signing_in_as_another_user_ends_the_first_session() {
    let world = World::new();
    let mut browser = Browser::default();
    let olivia = world.sign_in(&mut browser, "olivia").await;
    browser.sign_in(&world, &auth_path(&[("prompt", "login")]), "oscar", PASSWORD).await.location();
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", "operator-ui"),
        ("refresh_token", olivia["refresh_token"].as_str().unwrap()),
    ];
    world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}
