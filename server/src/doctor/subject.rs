//! The subject of the checks: the parts of a running platform, or those that the command line creates from its
//! settings.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

use std::sync::Arc;

use rag::{generate::openai::Generator, rerank::Reranking};
use store::{Db, vectors::VectorStore};

use crate::{
    config::{Cidr, Secret},
    sandbox::Sandbox,
    state::{App, SystemSettings, answer_models::ModelEndpoint, embedders::Embedders},
    storage::Storage,
};

pub use crate::state::HttpsAddress;

/// The subject of the checks. A part that could not be created is replaced by its error's text.
pub struct Subject {
    pub database: Result<Db, store::Error>,
    pub embedders: Result<Arc<Embedders>, String>,
    pub generator: Result<Option<Generator>, String>,
    /// The language models of `[[generator.endpoint]]`.
    pub endpoints: Result<Vec<ModelEndpoint>, String>,
    pub reranking: Result<Option<Reranking>, String>,
    pub vectors: Result<Arc<dyn VectorStore>, String>,
    /// Without a slash at the end.
    pub auth_url: String,
    /// Without a slash at the end.
    pub base_url: String,
    pub trusted_proxies: Vec<Cidr>,
    pub redis_url: Option<Secret>,
    pub storage: Result<Arc<Storage>, String>,
    /// The sandbox that reads documents.
    pub sandbox: Sandbox,
    pub settings: SystemSettings,
}

impl Subject {
    /// The parts of a running platform.
    pub fn of_app(app: &App) -> Self {
        let settings = &app.settings;
        Self {
            database: Ok(app.db.clone()),
            embedders: Ok(Arc::clone(&app.embedders)),
            generator: Ok(settings.generator.clone()),
            endpoints: Ok(settings.endpoints.clone()),
            reranking: Ok(settings.reranking.clone()),
            vectors: Ok(Arc::clone(&app.vectors)),
            auth_url: settings.auth_url.clone(),
            base_url: settings.base_url.clone(),
            trusted_proxies: settings.trusted_proxies.clone(),
            redis_url: settings.rate_limit.redis_url.clone(),
            storage: Ok(Arc::clone(&settings.uploads.storage)),
            sandbox: settings.sandbox.clone(),
            settings: settings.system.clone(),
        }
    }
}
