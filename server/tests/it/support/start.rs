//! Starts platforms, and further processes of a running platform.

use std::sync::Arc;

use rag::embed::Embedder;
use server::{
    admission::rate_limit::RateLimiter,
    auth::TokenVerifier,
    http::serving::{self, Limits},
    state::{App, AppParts, AppSettings, embedders::Embedders},
};
use store::{
    Db,
    vectors::{PgVector, VectorStore},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Database, Gated, Keys, Platform, embedder, embedders::one_model, limits, provider, settings};

impl Platform {
    /// Starts a platform with an empty database.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a platform with other settings.
    pub async fn start_with(change: impl FnOnce(&mut AppSettings)) -> Self {
        Self::start_limited(limits(), change).await
    }

    /// Starts a platform with other settings behind a serving loop with other limits.
    pub async fn start_limited(limits: Limits, change: impl FnOnce(&mut AppSettings)) -> Self {
        Self::serve_on(Database::create().await, one_model().await, Arc::new(PgVector), limits, change).await
    }

    /// Starts a platform with this vector store on a database.
    pub async fn start_on_vectors(db: Database, vectors: Arc<dyn VectorStore>) -> Self {
        Self::serve_on(db, one_model().await, vectors, limits(), |_| {}).await
    }

    /// Starts a platform whose embedder can fail and recover.
    pub async fn start_breakable() -> (Self, Arc<Gated>) {
        let embedder = Arc::new(Gated::new(embedder().await));
        let platform =
            Self::start_on(Database::create().await, Arc::clone(&embedder) as Arc<dyn Embedder>, |_| {}).await;
        (platform, embedder)
    }

    /// Starts a platform on a database with this embedder and other settings.
    pub async fn start_on(db: Database, embedder: Arc<dyn Embedder>, change: impl FnOnce(&mut AppSettings)) -> Self {
        Self::serve_on(db, Embedders::only(embedder), Arc::new(PgVector), limits(), change).await
    }

    /// Starts a platform with a model for English and one for other languages.
    pub async fn start_with_models(models: [Arc<dyn Embedder>; 2], vectors: Arc<dyn VectorStore>) -> Self {
        let (db, [english, multilingual]) = (Database::create().await, models);
        let embedders = Embedders::by_language(english, multilingual).unwrap();
        Self::serve_on(db, embedders, vectors, limits(), |_| {}).await
    }

    async fn serve_on(
        db: Database,
        embedders: Embedders,
        vectors: Arc<dyn VectorStore>,
        limits: Limits,
        change: impl FnOnce(&mut AppSettings),
    ) -> Self {
        let keys = Keys::serve().await;
        let mut settings = settings::platform_settings(&keys.auth_url);
        change(&mut settings);
        let app = app_of(db.connect().await, Arc::new(embedders), vectors, settings);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let router = server::http::router(app.clone());
        let stopped = CancellationToken::new();
        tokio::spawn(serving::serve(listener, router, limits, stopped.clone()));
        Self { app, base_url, keys, db, http: reqwest::Client::new(), stopped }.without_former_people().await
    }

    /// Serves the same platform with another database connection; returns its parts and its address.
    pub async fn also_on(&self, db: Db) -> (App, String) {
        let app = self.replica(db, self.app.settings.clone());
        let address = self.serve(server::http::router(app.clone())).await;
        (app, address)
    }

    /// The same platform on another way to a database, with other settings.
    pub fn replica(&self, db: Db, settings: AppSettings) -> App {
        app_of(db, Arc::clone(&self.app.embedders), Arc::clone(&self.app.vectors), settings)
    }

    /// Serves another router as long as the platform; returns its address.
    pub async fn serve(&self, router: axum::Router) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(serving::serve(listener, router, limits(), self.stopped.clone()));
        address
    }

    /// Another process of the same platform, with another store of vectors.
    pub async fn other_process(&self, vectors: Arc<dyn VectorStore>) -> App {
        let (db, settings) = (self.db.connect().await, self.app.settings.clone());
        app_of(db, Arc::clone(&self.app.embedders), vectors, settings)
    }
}

fn app_of(db: Db, embedders: Arc<Embedders>, vectors: Arc<dyn VectorStore>, settings: AppSettings) -> App {
    App::new(AppParts {
        db,
        tokens: TokenVerifier::new(&settings.auth_url).unwrap(),
        people: Some(provider::people_client(&settings.auth_url)),
        limiter: RateLimiter::new(&settings.rate_limit).unwrap(),
        embedders,
        vectors,
        tasks: TaskTracker::new(),
        settings,
    })
}
