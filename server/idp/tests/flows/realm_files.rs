//! Tests of the realm files: the specification's requirements for clients, and the rules of Keycloak.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::world::realm_files;

fn files() -> Vec<Value> {
    realm_files().iter().map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// Keycloak stops at a field that it does not know.
fn assert_known(value: &Value, fields: &[&str]) {
    for name in value.as_object().unwrap().keys() {
        assert!(fields.contains(&name.as_str()), "{name} is not a field of Keycloak's");
    }
}

#[test]
fn the_clients_are_those_specified_and_svc_people() {
    let clients: BTreeMap<_, _> = files()
        .iter()
        .flat_map(|realm| {
            list(&realm["clients"]).iter().map(|client| {
                let key =
                    (realm["realm"].as_str().unwrap().to_owned(), client["clientId"].as_str().unwrap().to_owned());
                (key, client.clone())
            })
        })
        .collect();
    let names: Vec<_> = clients.keys().map(|(realm, client)| (realm.as_str(), client.as_str())).collect();
    let expected = [
        ("svc-platform", "operator-ui"),
        ("svc-platform", "svc-api"),
        ("svc-platform", "svc-api-vendor-breakglass"),
        ("svc-platform", "svc-api-vendor-tunnel"),
        ("svc-platform", "svc-platform-audit"),
        ("svc-tenants", "svc-api"),
        ("svc-tenants", "svc-people"),
        ("svc-tenants", "tenant-ui"),
    ];
    assert_eq!(names, expected);
    for ((_, name), client) in &clients {
        let public = name.ends_with("-ui");
        assert_eq!(client["publicClient"], json!(public), "{name}");
        assert_eq!(client["secret"].is_string(), !public, "{name}");
        assert_eq!(client["implicitFlowEnabled"], false, "{name}");
        let has_account = ["svc-api", "svc-people", "svc-platform-audit"].contains(&name.as_str());
        assert_eq!(client["serviceAccountsEnabled"], json!(has_account), "{name}");
        assert_eq!(client["directAccessGrantsEnabled"] != json!(false), name == "svc-api", "{name}");
        let capped = name.contains("vendor").then_some("7200");
        assert_eq!(client["attributes"]["client.session.max.lifespan"].as_str(), capped, "{name}");
        if public {
            assert_eq!(client["attributes"]["pkce.code.challenge.method"], "S256", "{name}");
        }
    }
}

#[test]
fn the_service_accounts_of_scripts_have_no_rights_as_shipped() {
    for realm in files() {
        let account = list(&realm["users"]).iter().find(|user| user["username"] == "service-account-svc-api").unwrap();
        assert_eq!(account["serviceAccountClientId"], "svc-api");
        for field in ["realmRoles", "clientRoles", "attributes", "credentials"] {
            assert!(account.get(field).is_none(), "{field}");
        }
    }
}

#[test]
fn there_is_one_scope_and_none_that_would_add_a_subject() {
    for realm in files() {
        let names: Vec<_> = list(&realm["clientScopes"]).iter().map(|scope| scope["name"].clone()).collect();
        assert_eq!(names, [json!("svc-scope")]);
        assert_eq!(realm["defaultDefaultClientScopes"], json!(["svc-scope"]));
        for client in list(&realm["clients"]) {
            assert_eq!(client["defaultClientScopes"], json!(["svc-scope"]));
            assert_eq!(client["optionalClientScopes"], json!([]));
        }
        assert!(realm.get("keycloakVersion").is_none());
        assert_eq!(realm["editUsernameAllowed"], false);
    }
}

#[test]
fn only_administrators_may_set_the_tenant_of_a_user() {
    let tenants = &files()[1];
    let profile = &tenants["components"]["org.keycloak.userprofile.UserProfileProvider"][0]["config"];
    let profile: Value = serde_json::from_str(profile["kc.user.profile.config"][0].as_str().unwrap()).unwrap();
    let attribute = list(&profile["attributes"]).iter().find(|attribute| attribute["name"] == "tenant_id").unwrap();
    assert_eq!(attribute["permissions"], json!({"view": ["admin"], "edit": ["admin"]}));
    assert!(profile.get("unmanagedAttributePolicy").is_none());
    for user in list(&tenants["users"]).iter().filter(|user| user.get("serviceAccountClientId").is_none()) {
        assert_eq!(list(&user["attributes"]["tenant_id"]).len(), 1);
    }
}

#[test]
fn users_have_full_names_and_service_accounts_least_rights() {
    for realm in files() {
        for user in list(&realm["users"]) {
            match user.get("serviceAccountClientId").and_then(Value::as_str) {
                Some("svc-api") => {}
                Some("svc-people") => {
                    assert_eq!(user["clientRoles"], json!({"realm-management": ["manage-users", "view-realm"]}));
                }
                Some(_) => assert_eq!(user["clientRoles"], json!({"realm-management": ["view-events", "view-users"]})),
                None => assert!(["email", "firstName", "lastName"].iter().all(|field| user[field].is_string())),
            }
        }
    }
}

#[test]
fn the_files_hold_no_field_that_keycloak_does_not_know() {
    for realm in files() {
        assert_known(
            &realm,
            &[
                "realm",
                "displayName",
                "attributes",
                "enabled",
                "sslRequired",
                "registrationAllowed",
                "resetPasswordAllowed",
                "rememberMe",
                "verifyEmail",
                "loginWithEmailAllowed",
                "duplicateEmailsAllowed",
                "editUsernameAllowed",
                "passwordPolicy",
                "otpPolicyType",
                "otpPolicyAlgorithm",
                "otpPolicyDigits",
                "otpPolicyPeriod",
                "otpPolicyLookAheadWindow",
                "otpPolicyCodeReusable",
                "bruteForceProtected",
                "failureFactor",
                "waitIncrementSeconds",
                "maxFailureWaitSeconds",
                "maxDeltaTimeSeconds",
                "defaultSignatureAlgorithm",
                "revokeRefreshToken",
                "refreshTokenMaxReuse",
                "accessTokenLifespan",
                "ssoSessionIdleTimeout",
                "ssoSessionMaxLifespan",
                "accessCodeLifespan",
                "accessCodeLifespanLogin",
                "internationalizationEnabled",
                "supportedLocales",
                "defaultLocale",
                "eventsEnabled",
                "eventsExpiration",
                "eventsListeners",
                "enabledEventTypes",
                "roles",
                "clientScopes",
                "defaultDefaultClientScopes",
                "clients",
                "users",
                "components",
            ],
        );
        for client in list(&realm["clients"]) {
            assert_known(
                client,
                &[
                    "clientId",
                    "name",
                    "description",
                    "enabled",
                    "protocol",
                    "publicClient",
                    "bearerOnly",
                    "consentRequired",
                    "standardFlowEnabled",
                    "implicitFlowEnabled",
                    "directAccessGrantsEnabled",
                    "serviceAccountsEnabled",
                    "frontchannelLogout",
                    "fullScopeAllowed",
                    "clientAuthenticatorType",
                    "secret",
                    "redirectUris",
                    "webOrigins",
                    "attributes",
                    "defaultClientScopes",
                    "optionalClientScopes",
                ],
            );
        }
        for user in list(&realm["users"]) {
            assert_known(
                user,
                &[
                    "username",
                    "enabled",
                    "email",
                    "emailVerified",
                    "firstName",
                    "lastName",
                    "attributes",
                    "credentials",
                    "realmRoles",
                    "clientRoles",
                    "serviceAccountClientId",
                ],
            );
        }
        for scope in list(&realm["clientScopes"]) {
            assert_known(scope, &["name", "description", "protocol", "attributes", "protocolMappers"]);
            for mapper in list(&scope["protocolMappers"]) {
                assert_known(mapper, &["name", "protocol", "protocolMapper", "consentRequired", "config"]);
                // Keycloak stores these maps as strings.
                assert!(mapper["config"].as_object().unwrap().values().all(Value::is_string));
            }
        }
    }
}

#[test]
fn only_documented_variables_occur() {
    let mut names = BTreeSet::new();
    for path in realm_files() {
        let text = std::fs::read_to_string(path).unwrap();
        for part in text.split("${").skip(1) {
            names.insert(part.split(['}', ':']).next().unwrap().to_owned());
        }
    }
    let expected: BTreeSet<_> = super::world::variables().into_keys().collect();
    assert_eq!(names, expected);
}
