//! Applies each possible fault to the configuration of the realm file.

use contract::system_check::CheckStatus::{self, Failed, Ok as Fine, Warning};
use serde_json::json;

use super::{super::rules, *};
use crate::auth::{PLATFORM_REALM, TENANT_REALM};

const BASE: &str = "https://chat.example";

/// The realm of the file in production, with its own secrets and without demo users.
fn facts(name: &str) -> Facts {
    let text = match name {
        PLATFORM_REALM => include_str!("../../../../../deploy/realms/svc-platform-realm.json"),
        _ => include_str!("../../../../../deploy/realms/svc-tenants-realm.json"),
    };
    let text = text.replace("${SVC_BASE_URL}", BASE).replace("\"${SVC_DIRECT_GRANTS:false}\"", "false");
    let mut realm: Value = serde_json::from_str(&text).unwrap();
    for client in realm["clients"].as_array_mut().unwrap() {
        if client.get("secret").is_some() {
            client["secret"] = json!("q8Zr1vXe0Lw5Tn3Yb7Kd");
        }
    }
    let profile = &realm["components"]["org.keycloak.userprofile.UserProfileProvider"][0]["config"];
    let profile = profile["kc.user.profile.config"][0].as_str().map(|text| serde_json::from_str(text).unwrap());
    Facts {
        clients: realm["clients"].take(),
        scopes: realm["clientScopes"].take(),
        profile: profile.unwrap_or_default(),
        demo_people: Vec::new(),
        people_roles: Some(PEOPLE_ROLES.map(str::to_owned).into()),
        realm,
    }
}

/// The checks that are not ok after one fault.
fn faults(name: &str, change: impl FnOnce(&mut Facts)) -> Vec<(&'static str, CheckStatus)> {
    let mut facts = facts(name);
    change(&mut facts);
    let checks = judge(&facts, &rules(name, BASE));
    checks.iter().filter(|check| check.status != Fine).map(|check| (check.name.id, check.status)).collect()
}

/// A field of the first client with this id.
fn client<'a>(facts: &'a mut Facts, id: &str) -> &'a mut Value {
    facts.clients.as_array_mut().unwrap().iter_mut().find(|client| client["clientId"] == id).unwrap()
}

#[test]
fn the_realm_files_have_no_fault() {
    assert_eq!(faults(PLATFORM_REALM, |_| {}), []);
    assert_eq!(faults(TENANT_REALM, |_| {}), []);
}

#[test]
fn each_fault_of_a_client_has_its_finding() {
    let of = |change: fn(&mut Facts)| faults(PLATFORM_REALM, change);
    assert_eq!(of(|facts| client(facts, "svc-api")["enabled"] = json!(false)), [("clients", Failed)]);
    assert_eq!(
        of(|facts| client(facts, "svc-api")["secret"] = json!("demo-abcdefghijklmnop")),
        [("client_secrets", Failed)]
    );
    assert_eq!(
        of(|facts| client(facts, "svc-api")["secret"] = json!("${SVC_API_CLIENT_SECRET}")),
        [("client_secrets", Failed)]
    );
    assert_eq!(of(|facts| client(facts, "operator-ui")["attributes"] = json!({})), [("pkce", Failed)]);
    for address in ["*", "https://elsewhere.example/*", "https://chat.example.evil/*"] {
        let added = |facts: &mut Facts| {
            client(facts, "operator-ui")["redirectUris"].as_array_mut().unwrap().push(json!(address));
        };
        assert_eq!(faults(PLATFORM_REALM, added), [("redirects", Failed)], "{address}");
    }
    assert_eq!(of(|facts| client(facts, "operator-ui")["redirectUris"] = json!([])), [("redirects", Failed)]);
    assert_eq!(
        of(|facts| client(facts, "svc-api")["directAccessGrantsEnabled"] = json!(true)),
        [("password_grant", Warning)]
    );
    assert_eq!(
        of(|facts| client(facts, "svc-api")["defaultClientScopes"] = json!(["basic", "svc-scope"])),
        [("mappers", Failed)]
    );
}

#[test]
fn each_fault_of_a_realm_has_its_finding() {
    let of = |change: fn(&mut Facts)| faults(TENANT_REALM, change);
    assert_eq!(
        of(|facts| drop(facts.scopes[0]["protocolMappers"].as_array_mut().unwrap().pop())),
        [("mappers", Failed)]
    );
    assert_eq!(of(|facts| facts.realm["eventsEnabled"] = json!(false)), [("events", Failed)]);
    assert_eq!(of(|facts| facts.realm["enabledEventTypes"] = json!(["LOGOUT"])), [("events", Failed)]);
    assert_eq!(of(|facts| facts.realm["eventsExpiration"] = json!(3600)), [("events", Failed)]);
    assert_eq!(of(|facts| facts.realm["registrationAllowed"] = json!(true)), [("realm", Failed)]);
    assert_eq!(of(|facts| facts.realm["bruteForceProtected"] = json!(false)), [("realm", Failed)]);
    assert_eq!(of(|facts| facts.demo_people = vec!["hanna".to_owned()]), [("demo_people", Failed)]);
    assert_eq!(of(|facts| facts.profile = json!({ "attributes": [] })), [("profile", Failed)]);
    let editable = json!({ "name": "tenant_id", "permissions": { "edit": ["admin", "user"] } });
    assert_eq!(
        faults(TENANT_REALM, |facts| facts.profile = json!({ "attributes": [editable] })),
        [("profile", Failed)]
    );
    assert_eq!(of(|facts| facts.profile["unmanagedAttributePolicy"] = json!("ENABLED")), [("profile", Failed)]);
    assert_eq!(
        of(|facts| facts.people_roles = Some(vec!["realm-management.realm-admin".to_owned()])),
        [("service_account", Failed)]
    );
}
