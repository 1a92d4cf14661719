//! Keycloak's administration interface, with an administrator of the realm `master`.

use std::time::Duration;

use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};

use super::realms::Operator;
use crate::{cli::CliError, doctor::admin::AdminLogin};

/// An import takes some seconds.
const TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const OPERATOR_ROLE: &str = "operator";

pub(super) struct Keycloak {
    client: Client,
    url: String,
    login: AdminLogin,
}

impl Keycloak {
    /// Signs in once, so that a wrong address or password is found before anything is changed.
    pub(super) async fn connect(url: &str, login: AdminLogin) -> Result<Self, CliError> {
        let client = tls::http_client()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| CliError::Other(format!("the client for Keycloak: {error}")))?;
        let keycloak = Self { client, url: url.to_owned(), login };
        keycloak.token().await?;
        Ok(keycloak)
    }

    /// A token, which holds for a minute.
    async fn token(&self) -> Result<String, CliError> {
        let form = [
            ("grant_type", "password"),
            ("client_id", "admin-cli"),
            ("username", self.login.username.as_str()),
            ("password", self.login.password.expose()),
        ];
        let url = format!("{}/realms/master/protocol/openid-connect/token", self.url);
        let response = self.client.post(url).form(&form).send().await.map_err(|error| self.unreachable(&error))?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED => {
                return Err(CliError::Other(
                    "Keycloak refuses the administrator: use one of the realm master without a second factor, and check \
                     KEYCLOAK_ADMIN_USER and KEYCLOAK_ADMIN_PASSWORD"
                        .to_owned(),
                ));
            }
            status => return Err(self.refused("the sign-in", status)),
        }
        let granted = self.json(response).await?;
        granted["access_token"].as_str().map(str::to_owned).ok_or_else(|| self.not_keycloak())
    }

    pub(super) async fn has_realm(&self, realm: &str) -> Result<bool, CliError> {
        Ok(self.read(&format!("/{realm}")).await?.is_some())
    }

    /// The secret of a client, when realm and client are there.
    pub(super) async fn client_secret(&self, realm: &str, client: &str) -> Result<Option<String>, CliError> {
        let Some(clients) = self.read(&format!("/{realm}/clients?clientId={client}")).await? else { return Ok(None) };
        let Some(id) = clients[0]["id"].as_str() else { return Ok(None) };
        let secret = self.read(&format!("/{realm}/clients/{id}/client-secret")).await?;
        Ok(secret.and_then(|secret| secret["value"].as_str().map(str::to_owned)))
    }

    pub(super) async fn has_user(&self, realm: &str, username: &str) -> Result<bool, CliError> {
        Ok(self.user_id(realm, username).await?.is_some())
    }

    async fn user_id(&self, realm: &str, username: &str) -> Result<Option<String>, CliError> {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("username", username)
            .append_pair("exact", "true")
            .finish();
        let users = self.read(&format!("/{realm}/users?{query}")).await?;
        Ok(users.and_then(|users| users[0]["id"].as_str().map(str::to_owned)))
    }

    /// Imports a realm.
    pub(super) async fn import(&self, content: &Value) -> Result<(), CliError> {
        self.write("", content).await
    }

    /// Adds an operator who must change this password.
    pub(super) async fn add_operator(&self, realm: &str, operator: &Operator, password: &str) -> Result<(), CliError> {
        let mut user = operator.user(password);
        // The interface for people takes no roles.
        user.as_object_mut().map(|user| user.remove("realmRoles"));
        self.write(&format!("/{realm}/users"), &user).await?;
        let id = self.user_id(realm, &operator.username).await?.ok_or_else(|| self.not_keycloak())?;
        let role = self.read(&format!("/{realm}/roles/{OPERATOR_ROLE}")).await?.ok_or_else(|| self.not_keycloak())?;
        let role = json!([{ "id": role["id"], "name": role["name"] }]);
        self.write(&format!("/{realm}/users/{id}/role-mappings/realm"), &role).await
    }

    /// The JSON of a path; `None` when there is no such thing.
    async fn read(&self, path: &str) -> Result<Option<Value>, CliError> {
        let response = self.send(Method::GET, path, None).await?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            StatusCode::OK => self.json(response).await.map(Some),
            status => Err(self.refused(path, status)),
        }
    }

    async fn write(&self, path: &str, body: &Value) -> Result<(), CliError> {
        let response = self.send(Method::POST, path, Some(body)).await?;
        let status = response.status();
        if status.is_success() { Ok(()) } else { Err(self.refused(path, status)) }
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Response, CliError> {
        let url = format!("{}/admin/realms{path}", self.url);
        let request = self.client.request(method, url).bearer_auth(self.token().await?);
        let request = if let Some(body) = body { request.json(body) } else { request };
        request.send().await.map_err(|error| self.unreachable(&error))
    }

    async fn json(&self, response: Response) -> Result<Value, CliError> {
        response.json().await.map_err(|_| self.not_keycloak())
    }

    fn unreachable(&self, error: &reqwest::Error) -> CliError {
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        CliError::Other(format!("Keycloak does not answer at {}: {cause}", self.url))
    }

    fn refused(&self, what: &str, status: StatusCode) -> CliError {
        CliError::Other(format!("Keycloak at {} answers {what} with status {}", self.url, status.as_u16()))
    }

    fn not_keycloak(&self) -> CliError {
        CliError::Other(format!("what answers at {} is not Keycloak: check --auth-url", self.url))
    }
}
