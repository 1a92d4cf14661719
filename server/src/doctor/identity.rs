//! Checks the identity provider as the platform uses it: both realms, their keys and clock, and the tokens and
//! permissions of the platform's two clients.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use contract::clients;
use reqwest::{Client, header};
use serde_json::Value;

use super::{
    Check, Subject, clock,
    http::{self, HttpError, JsonResponse},
    names,
    text::Text,
};
use crate::{
    auth::{PLATFORM_REALM, TENANT_REALM},
    config::Secret,
};

/// Tokens are refused when the clocks differ by more.
const LEEWAY_SECONDS: i64 = 30;
/// Lifetime of access tokens, in seconds.
const MAX_LIFETIME_SECONDS: i64 = 900;

/// A client of the platform itself and what it must be able to read.
struct ServiceClient<'a> {
    id: &'static str,
    setting: &'static str,
    secret: Option<&'a Secret>,
    reads: &'static [&'static str],
}

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let Ok(client) = http::client() else { return Vec::new() };
    let settings = &subject.settings;
    let audit = ServiceClient {
        id: clients::AUDIT_POLLER,
        setting: "auth.audit_client_secret",
        secret: settings.audit_secret.as_ref(),
        reads: &["events?first=0&max=1"],
    };
    let people = ServiceClient {
        id: clients::PEOPLE,
        setting: "auth.people_client_secret",
        secret: settings.people_secret.as_ref(),
        reads: &["users?first=0&max=1", "roles/tenant-admin/users?first=0&max=1"],
    };
    let (platform, tenants) = tokio::join!(
        realm(&client, &subject.auth_url, PLATFORM_REALM, &audit),
        realm(&client, &subject.auth_url, TENANT_REALM, &people),
    );
    [platform, tenants].concat()
}

async fn realm(client: &Client, auth_url: &str, name: &str, service_client: &ServiceClient<'_>) -> Vec<Check> {
    let issuer = format!("{auth_url}/realms/{name}");
    let asked_at = Utc::now();
    let discovery = http::ask(client.get(format!("{issuer}/.well-known/openid-configuration"))).await;
    let mut checks = match &discovery {
        Ok(answer) => {
            let keys = http::ask(client.get(format!("{issuer}/protocol/openid-connect/certs"))).await;
            // The response was created between the request and now.
            let halfway = asked_at + (Utc::now() - asked_at) / 2;
            vec![
                Check::ok(names::DISCOVERY, text!("The realm answers.", "Der Realm antwortet.")),
                issuer_check(&answer.body, &issuer),
                keys_check(&keys),
                clock_check(answer, halfway),
            ]
        }
        Err(fault) => vec![unreachable(fault)],
    };
    if discovery.is_ok() {
        checks.extend(service_client_checks(client, auth_url, name, service_client).await);
    }
    checks.into_iter().map(|check| check.of(name)).collect()
}

fn unreachable(fault: &HttpError) -> Check {
    let remedy = match fault {
        HttpError::Status(404) => text!(
            "Check auth.url, and import the realm files of deploy/realms (docs/identity.md).",
            "Prüfen Sie auth.url und importieren Sie die Realm-Dateien aus deploy/realms (docs/identity.md)."
        ),
        _ => text!(
            "Check auth.url, and that the identity provider runs and is reached from here.",
            "Prüfen Sie auth.url und ob der Identity-Provider läuft und von hier erreichbar ist."
        ),
    };
    Check::failed(names::DISCOVERY, fault.text(), remedy)
}

fn issuer_check(discovery: &Value, expected: &str) -> Check {
    let issuer = discovery["issuer"].as_str().unwrap_or_default();
    if issuer == expected {
        return Check::ok(names::ISSUER, text!("{issuer}", "{issuer}"));
    }
    Check::failed(
        names::ISSUER,
        text!(
            "The issuer is {issuer}; the platform expects {expected} and refuses every token.",
            "Der Aussteller ist {issuer}; die Plattform erwartet {expected} und lehnt jedes Token ab."
        ),
        text!(
            "Set KC_HOSTNAME of Keycloak and auth.url of the platform to the same address.",
            "Setzen Sie KC_HOSTNAME von Keycloak und auth.url der Plattform auf dieselbe Adresse."
        ),
    )
}

fn keys_check(keys: &Result<JsonResponse, HttpError>) -> Check {
    let is_usable = |key: &&Value| {
        key["use"].as_str().is_none_or(|usage| usage == "sig") && matches!(key["alg"].as_str(), Some("RS256" | "ES256"))
    };
    let count = match keys {
        Ok(answer) => answer.body["keys"].as_array().map_or(0, |keys| keys.iter().filter(is_usable).count()),
        Err(fault) => return Check::failed(names::KEYS, fault.text(), key_remedy()),
    };
    if count == 0 {
        let finding = text!(
            "The realm publishes no key for RS256 or ES256.",
            "Der Realm veröffentlicht keinen Schlüssel für RS256 oder ES256."
        );
        return Check::failed(names::KEYS, finding, key_remedy());
    }
    Check::ok(names::KEYS, text!("Usable keys: {count}.", "Verwendbare Schlüssel: {count}."))
}

fn key_remedy() -> Text {
    text!(
        "Add an RS256 key provider to the realm (Realm settings, Keys).",
        "Fügen Sie dem Realm einen Schlüssel für RS256 hinzu (Realm settings, Keys)."
    )
}

fn clock_check(answer: &JsonResponse, now: DateTime<Utc>) -> Check {
    let date = answer.headers.get(header::DATE).and_then(|date| date.to_str().ok());
    let Some(date) = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()) else {
        return Check::not_checked(
            names::IDENTITY_CLOCK,
            text!("The answer has no date.", "Die Antwort hat kein Datum."),
            text!("Compare the clocks of both machines.", "Vergleichen Sie die Uhren beider Rechner."),
        );
    };
    let seconds = (date.with_timezone(&Utc) - now).num_seconds();
    match seconds.abs() {
        0..=clock::NOTICEABLE_SECONDS => Check::ok(names::IDENTITY_CLOCK, clock::differs(seconds)),
        6..=LEEWAY_SECONDS => Check::warning(names::IDENTITY_CLOCK, clock::differs(seconds), clock::remedy()),
        _ => {
            let finding = text!(
                "Differs from this machine's by {seconds} s: tokens are refused from 30 s on.",
                "Weicht um {seconds} s von der dieses Rechners ab: Ab 30 s werden Token abgelehnt."
            );
            Check::failed(names::IDENTITY_CLOCK, finding, clock::remedy())
        }
    }
}

/// Checks one of these clients: its secret, its tokens, and its permissions.
async fn service_client_checks(
    client: &Client,
    auth_url: &str,
    realm: &str,
    service_client: &ServiceClient<'_>,
) -> Vec<Check> {
    let (id, setting) = (service_client.id, service_client.setting);
    let Some(secret) = service_client.secret else {
        return vec![Check::not_checked(
            names::CLIENT,
            text!("{setting} is not set.", "{setting} ist nicht gesetzt."),
            text!(
                "Set it to the secret of the client {id} (docs/identity.md).",
                "Setzen Sie es auf das Geheimnis des Clients {id} (docs/identity.md)."
            ),
        )];
    };
    let form = [("grant_type", "client_credentials"), ("client_id", id), ("client_secret", secret.expose())];
    let url = format!("{auth_url}/realms/{realm}/protocol/openid-connect/token");
    let granted = match http::ask(client.post(url).form(&form)).await {
        Ok(answer) => answer.body,
        Err(fault) => {
            let remedy = text!(
                "Set {setting} to the secret of the client {id}, and switch on its service account.",
                "Setzen Sie {setting} auf das Geheimnis des Clients {id} und schalten Sie dessen Service-Account ein."
            );
            return vec![Check::failed(names::CLIENT, fault.text(), remedy)];
        }
    };
    let token = granted["access_token"].as_str().unwrap_or_default();
    let claims = claims(token);
    let mut checks =
        vec![Check::ok(names::CLIENT, text!("{id} gets tokens.", "{id} erhält Token.")), life_check(&claims)];
    let mut refused = None;
    for path in service_client.reads {
        let call = client.get(format!("{auth_url}/admin/realms/{realm}/{path}")).bearer_auth(token);
        refused = refused.or(http::ask(call).await.err());
    }
    checks.push(rights_check(id, refused.as_ref()));
    checks
}

/// The claims of a token that the provider has just issued.
fn claims(token: &str) -> Value {
    let bytes = token.split('.').nth(1).and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn life_check(claims: &Value) -> Check {
    let time = |name: &str| claims[name].as_i64().unwrap_or_default();
    let seconds = time("exp") - time("iat");
    let finding = text!("Access tokens live {seconds} s.", "Zugriffstoken gelten {seconds} s.");
    let remedy = text!(
        "Set the access token lifespan of the realm to 5 minutes: rights that are taken away last until the token expires.",
        "Setzen Sie die Gültigkeit von Zugriffstoken im Realm auf 5 Minuten: Entzogene Rechte gelten, bis das Token abläuft."
    );
    match seconds {
        60..=MAX_LIFETIME_SECONDS => Check::ok(names::TOKEN_LIFE, finding),
        _ => Check::warning(names::TOKEN_LIFE, finding, remedy),
    }
}

fn rights_check(id: &str, refused: Option<&HttpError>) -> Check {
    let Some(fault) = refused else {
        return Check::ok(names::RIGHTS, text!("{id} has the required roles.", "{id} hat die nötigen Rollen."));
    };
    Check::failed(
        names::RIGHTS,
        fault.text(),
        text!(
            "Give the service account of {id} the roles that its realm file names (docs/identity.md).",
            "Geben Sie dem Service-Account von {id} die Rollen aus der Realm-Datei (docs/identity.md)."
        ),
    )
}

#[cfg(test)]
mod tests {
    use contract::system_check::CheckStatus::{self, Failed, NotChecked, Ok as Fine, Warning};
    use serde_json::json;

    use super::*;

    fn dated(seconds: i64) -> CheckStatus {
        let now = DateTime::UNIX_EPOCH;
        let date = (now + chrono::TimeDelta::seconds(seconds)).to_rfc2822();
        let headers = [(header::DATE, date.parse().unwrap())].into_iter().collect();
        clock_check(&JsonResponse { headers, body: Value::Null }, now).status
    }

    #[test]
    fn a_clock_that_is_five_minutes_off_is_found() {
        assert_eq!([0, -4, 20, -29, 31, 300, -300].map(dated), [Fine, Fine, Warning, Warning, Failed, Failed, Failed]);
        let undated = JsonResponse { headers: header::HeaderMap::new(), body: Value::Null };
        assert_eq!(clock_check(&undated, Utc::now()).status, NotChecked);
    }

    #[test]
    fn another_issuer_is_found() {
        let check = issuer_check(&json!({ "issuer": "http://inside:8080/realms/x" }), "https://auth.example/realms/x");
        assert_eq!(check.status, Failed);
    }

    #[test]
    fn keys_of_other_algorithms_are_no_keys() {
        let of = |keys: Value| keys_check(&Ok(JsonResponse { headers: header::HeaderMap::new(), body: keys })).status;
        assert_eq!(of(json!({ "keys": [{ "alg": "RS256", "use": "sig" }] })), Fine);
        assert_eq!(of(json!({ "keys": [{ "alg": "RSA-OAEP", "use": "enc" }] })), Failed);
        assert_eq!(of(json!({})), Failed);
        assert_eq!(keys_check(&Err(HttpError::NotUnderstood)).status, Failed);
    }

    #[test]
    fn a_long_life_of_tokens_is_found() {
        let life = |seconds: i64| life_check(&json!({ "iat": 100, "exp": 100 + seconds })).status;
        assert_eq!([300, 36_000, 10].map(life), [Fine, Warning, Warning]);
    }
}
