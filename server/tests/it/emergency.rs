//! The operator console of an emergency instance: the platform keeps its client's secret and the session's refresh
//! token.

use reqwest::RequestBuilder;
use serde_json::json;
use server::{auth::console_client::ConsoleClient, config::Secret};

use crate::{
    support::{Platform, TestResponse, send},
    vendor_access::{BREAKGLASS, Idp, PASSWORD, SECRET, VERIFIER},
};

/// The platform's address in the realm files of the tests.
const BASE_URL: &str = "http://127.0.0.1:1";
const REDIRECT: &str = "http://127.0.0.1:1/admin/operator/";
const REFRESH: [(&str, &str); 1] = [("grant_type", "refresh_token")];

/// An emergency instance, and the address of its console's tokens.
async fn emergency() -> (Idp, Platform, String) {
    let idp = Idp::start().await;
    let client = ConsoleClient::new(&idp.url(), BREAKGLASS, Secret::new(SECRET)).unwrap();
    let auth_url = idp.url();
    let platform = Platform::start_with(|settings| {
        settings.base_url = BASE_URL.to_owned();
        settings.auth_url = auth_url;
        settings.console_client = Some(client);
    })
    .await;
    let endpoint = format!("{}/admin/operator/token", platform.base_url);
    (idp, platform, endpoint)
}

/// A request of a page of the console.
fn from_console(platform: &Platform, endpoint: &str) -> RequestBuilder {
    platform.http.post(endpoint).header("origin", BASE_URL)
}

fn code_form<'a>(code: &'a str, redirect: &'a str) -> [(&'a str, &'a str); 5] {
    // Client fields sent by the console are not passed on.
    let own = [("code_verifier", VERIFIER), ("client_id", "svc-api")];
    [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect), own[0], own[1]]
}

/// Name and value of the cookie that an answer sets, and its attributes.
fn cookie(answer: &TestResponse) -> (String, String) {
    let header = answer.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {answer:?}"));
    let (pair, attributes) = header.split_once("; ").unwrap();
    (pair.to_owned(), attributes.to_owned())
}

/// Signs in as the console does; the cookie that it gets.
async fn sign_in(idp: &Idp, platform: &Platform, endpoint: &str) -> String {
    let code = idp.code(BREAKGLASS, "victor", REDIRECT).await;
    let tokens = send(from_console(platform, endpoint).form(&code_form(&code, REDIRECT))).await;
    assert_eq!(tokens.status, 200, "{tokens:?}");
    cookie(&tokens).0
}

fn error(answer: &TestResponse) -> (u16, &str) {
    (answer.status, answer.body["error"].as_str().unwrap_or(""))
}

#[tokio::test]
async fn an_emergency_instance_adds_the_client_secret_to_sign_ins() {
    let (idp, platform, endpoint) = emergency().await;
    let code = idp.code(BREAKGLASS, "victor", REDIRECT).await;
    let tokens = send(from_console(&platform, &endpoint).form(&code_form(&code, REDIRECT))).await;
    assert_eq!((tokens.status, tokens.header("cache-control")), (200, Some("no-store")), "{tokens:?}");
    let bearer = tokens.body["access_token"].as_str().unwrap();
    let me = send(platform.http.get(format!("{}/api/v1/me", platform.base_url)).bearer_auth(bearer)).await;
    assert_eq!((&me.body["client_id"], &me.body["scope"]), (&BREAKGLASS.into(), &"vendor".into()), "{me:?}");
    let again = send(from_console(&platform, &endpoint).form(&code_form(&code, REDIRECT))).await;
    assert_eq!(error(&again), (400, "invalid_grant"), "a code is good once");
}

#[tokio::test]
async fn the_refresh_token_stays_in_a_cookie_that_no_page_reads() {
    let (idp, platform, endpoint) = emergency().await;
    let code = idp.code(BREAKGLASS, "victor", REDIRECT).await;
    let tokens = send(from_console(&platform, &endpoint).form(&code_form(&code, REDIRECT))).await;
    let (first, attributes) = cookie(&tokens);
    assert_eq!(tokens.body["refresh_token"], json!(null), "{tokens:?}");
    assert_eq!(attributes, "Max-Age=7200; Path=/admin/operator/token; HttpOnly; SameSite=Strict");
    let renew =
        async |cookie: &str| send(from_console(&platform, &endpoint).header("cookie", cookie).form(&REFRESH)).await;
    // Tabs share the cookie and refresh at the same time, but the provider accepts a refresh token once.
    let (one, other) = tokio::join!(renew(&first), renew(&first));
    let second = cookie(&one).0;
    assert_eq!((one.status, one.body["refresh_token"].clone()), (200, json!(null)), "{one:?}");
    assert_eq!((other.status, cookie(&other).0 == second, second == first), (200, true, false), "{other:?}");
    assert_eq!(renew(&second).await.status, 200);
    let sign_out = send(platform.http.delete(&endpoint).header("origin", BASE_URL)).await;
    let removal = "svc_console_session=; Max-Age=0; Path=/admin/operator/token; HttpOnly; SameSite=Strict";
    assert_eq!((sign_out.status, sign_out.header("set-cookie")), (204, Some(removal)));
}

#[tokio::test]
async fn a_code_for_another_address_is_not_redeemed() {
    let (idp, platform, endpoint) = emergency().await;
    let other = "http://127.0.0.1:9/callback";
    let code = idp.code(BREAKGLASS, "victor", other).await;
    for redirect in [other, "http://127.0.0.1:1/admin/operator/tenants", ""] {
        let refused = send(from_console(&platform, &endpoint).form(&code_form(&code, redirect))).await;
        assert_eq!(error(&refused), (400, "invalid_grant"), "{redirect}");
    }
}

#[tokio::test]
async fn a_refresh_token_of_another_sign_in_is_not_renewed() {
    let (idp, platform, endpoint) = emergency().await;
    let redirect = "http://127.0.0.1:9/callback";
    let code = idp.code(BREAKGLASS, "victor", redirect).await;
    let own = [("client_id", BREAKGLASS), ("client_secret", SECRET)];
    let form: Vec<_> = code_form(&code, redirect).into_iter().take(4).chain(own).collect();
    let url = format!("{}/realms/svc-platform/protocol/openid-connect/token", idp.url());
    let tokens = send(platform.http.post(url).form(&form)).await;
    let stolen = tokens.body["refresh_token"].as_str().unwrap();
    let in_form = REFRESH.into_iter().chain([("refresh_token", stolen)]).collect::<Vec<_>>();
    let refused = send(from_console(&platform, &endpoint).form(&in_form)).await;
    assert_eq!(error(&refused), (400, "invalid_grant"));
    for cookie in [format!("svc_console_session={stolen}"), format!("svc_console_session=x.{stolen}")] {
        let refused = send(from_console(&platform, &endpoint).header("cookie", cookie).form(&REFRESH)).await;
        assert_eq!(error(&refused), (400, "invalid_grant"));
    }
}

#[tokio::test]
async fn pages_of_other_origins_get_no_tokens() {
    let (idp, platform, endpoint) = emergency().await;
    let cookie = sign_in(&idp, &platform, &endpoint).await;
    let senders: [&[(&str, &str)]; 5] = [
        &[],
        &[("origin", "https://evil.example.com")],
        &[("origin", "null"), ("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", BASE_URL), ("sec-fetch-site", "same-site")],
    ];
    for headers in senders {
        for method in ["POST", "DELETE"] {
            let request = platform.http.request(method.parse().unwrap(), &endpoint).header("cookie", &cookie);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            assert_eq!(error(&send(request.form(&REFRESH)).await), (403, "access_denied"), "{method} {headers:?}");
        }
    }
    let browser = platform.http.post(&endpoint).header("sec-fetch-site", "same-origin").header("cookie", &cookie);
    assert_eq!(send(browser.form(&REFRESH)).await.status, 200);
}

#[tokio::test]
async fn the_emergency_secret_serves_the_consoles_grants_only() {
    let (mut idp, platform, endpoint) = emergency().await;
    let cookie = sign_in(&idp, &platform, &endpoint).await;
    let console = || from_console(&platform, &endpoint).header("cookie", &cookie);
    for grant in ["client_credentials", "password"] {
        let form = [("grant_type", grant), ("username", "victor"), ("password", PASSWORD)];
        assert_eq!(error(&send(console().form(&form)).await), (400, "unsupported_grant_type"));
        let twice = form.into_iter().chain(REFRESH).collect::<Vec<_>>();
        assert_eq!(error(&send(console().form(&twice)).await), (400, "unsupported_grant_type"), "two grants");
    }
    idp.stop().await;
    let answer = send(console().form(&REFRESH)).await;
    assert_eq!((answer.status, answer.detail()), (503, "service_unavailable"));
}

#[tokio::test]
async fn an_ordinary_instance_hands_out_no_tokens() {
    let platform = Platform::start().await;
    let answer = send(platform.http.post(format!("{}/admin/operator/token", platform.base_url)).form(&REFRESH)).await;
    assert_eq!(answer.status, 405);
}
