//! A server with a separate database and folder, and tenants who fill their chatbots through the REST API.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    Result,
    answers::ORIGIN,
    database::Database,
    issuer::Issuer,
    server::{BYPASS, Server},
};

/// Between two looks how far something is.
const POLL: Duration = Duration::from_millis(200);
/// Connections of one upload.
const CONNECTIONS: usize = 4;

/// A running platform.
pub(super) struct World {
    pub(super) server: Server,
    pub(super) database: Database,
    pub(super) issuer: Issuer,
    pub(super) uploads: TempDir,
}

impl World {
    /// Starts the server with further settings, on a new database.
    pub(super) async fn start(further: &[(&'static str, String)]) -> Result<Self> {
        let database = Database::create("bench_knowledge").await?;
        let issuer = Issuer::serve().await?;
        let uploads = folder()?;
        let mut settings = vec![("SVC_UPLOADS_FOLDER", uploads.path().display().to_string())];
        settings.extend_from_slice(further);
        let server = Server::start_with(&database, &issuer, &settings).await?;
        Ok(Self { server, database, issuer, uploads })
    }

    /// A new tenant with an empty chatbot in this language.
    pub(super) async fn tenant(&self, slug: &str, language: &str) -> Result<Tenant> {
        let base = format!("http://{}", self.server.address());
        let token = self.issuer.operator.clone();
        let mut tenant = Tenant { client: reqwest::Client::new(), base, token, chatbot: Uuid::nil() };
        let body = json!({ "slug": slug, "display_name": slug, "default_language": language });
        let made = tenant.post("/api/v1/platform/tenants", &body).await?;
        tenant.token = self.issuer.tenant_admin(id_of(&made)?)?;
        let branding = json!({ "allowed_origins": [ORIGIN], "header_title": "Help" });
        tenant.call(Method::PATCH, "/api/v1/tenants/me/branding", &branding).await?;
        tenant.chatbot = tenant.new_chatbot("help", language).await?;
        Ok(tenant)
    }
}

/// A folder for large files that goes with its value.
pub(super) fn folder() -> Result<TempDir> {
    std::fs::create_dir_all("var")?;
    // The server and its workers run in the same folder, and get the whole path.
    Ok(tempfile::Builder::new().prefix("bench-knowledge-").tempdir_in(std::path::absolute("var")?)?)
}

/// A tenant's administrator.
pub(super) struct Tenant {
    client: reqwest::Client,
    base: String,
    token: String,
    pub(super) chatbot: Uuid,
}

impl Tenant {
    /// Makes a chatbot and waits until it can be filled.
    pub(super) async fn new_chatbot(&self, slug: &str, language: &str) -> Result<Uuid> {
        let body = json!({
            "slug": slug, "name": "Help", "language": language, "fallback_message": "No idea, sorry.", "welcome_message": "Hello!",
        });
        let id = id_of(&self.post("/api/v1/tenants/me/chatbots", &body).await?)?;
        let path = format!("/api/v1/tenants/me/chatbots/{id}");
        while self.get(&path).await?["provisioning"] == "pending" {
            tokio::time::sleep(POLL).await;
        }
        Ok(id)
    }

    /// The path of the chatbot's sources.
    pub(super) fn sources(&self) -> String {
        format!("/api/v1/tenants/me/chatbots/{}/sources", self.chatbot)
    }

    /// The path of a new source that files are uploaded to.
    pub(super) async fn new_source(&self) -> Result<String> {
        let made = self.post(&self.sources(), &json!({ "kind": "api", "name": "Files" })).await?;
        Ok(format!("{}/{}", self.sources(), id_of(&made)?))
    }

    /// Uploads a file.
    pub(super) async fn put(&self, source: &str, name: &str, bytes: Vec<u8>) -> Result<()> {
        let request = self.request(Method::PUT, &format!("{source}/documents/{name}")).body(bytes);
        succeeded(request).await.map(drop)
    }

    /// Uploads so many files over several connections; `make` gives each its name and its bytes.
    pub(super) async fn put_all(
        &self,
        source: &str,
        count: u64,
        make: impl Fn(u64) -> (String, Vec<u8>),
    ) -> Result<()> {
        let make = &make;
        let connections = (0..count.min(CONNECTIONS as u64)).map(|first| async move {
            for number in (first..count).step_by(CONNECTIONS) {
                let (name, bytes) = make(number);
                self.put(source, &name, bytes).await?;
            }
            Ok::<_, Box<dyn std::error::Error>>(())
        });
        futures::future::try_join_all(connections).await.map(drop)
    }

    /// Waits until nothing of a source waits to be read, and so many documents of it were.
    pub(super) async fn until_read(&self, source: &str, count: u64) -> Result<()> {
        loop {
            let shown = self.get(source).await?;
            if shown["failed"] != 0 {
                return Err(format!("{} documents could not be read", shown["failed"]).into());
            }
            if shown["pending"] == 0 && shown["documents"] == count {
                return Ok(());
            }
            tokio::time::sleep(POLL).await;
        }
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value> {
        succeeded(self.request(Method::GET, path)).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.call(Method::POST, path, body).await
    }

    async fn call(&self, method: Method, path: &str, body: &Value) -> Result<Value> {
        succeeded(self.request(method, path).json(body)).await
    }

    /// A request as this person, which passes the rate limit.
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        request.bearer_auth(&self.token).header("x-loadtest-bypass", BYPASS)
    }
}

/// The body of an answer that has to be a success.
pub(super) async fn succeeded(request: RequestBuilder) -> Result<Value> {
    let answer = request.send().await?;
    let (status, path) = (answer.status(), answer.url().path().to_owned());
    let text = answer.text().await?;
    if status.is_success() { Ok(serde_json::from_str(&text)?) } else { Err(format!("{path}: {status} {text}").into()) }
}

pub(super) fn id_of(made: &Value) -> Result<Uuid> {
    Ok(made["id"].as_str().ok_or("what was made has no id")?.parse()?)
}
