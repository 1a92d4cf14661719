//! `/static/widget/*`: the widget bundle, mounted only when its folder exists (specification,
//! Public paths). A version query makes the answer cacheable for ever.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request},
    routing::get,
};

use crate::{app_state::App, http::static_files};

pub(super) fn routes(app: &App) -> Router<App> {
    let folder = app.settings.dist_dir.join("widget");
    if !folder.is_dir() {
        tracing::warn!(folder = %folder.display(), "widget.bundle_missing");
        return Router::new();
    }
    let folder: Arc<std::path::Path> = folder.into();
    let serve = async move |Path(name): Path<String>, request: Request| {
        let versioned = request.uri().query().is_some_and(|query| query.split('&').any(|pair| pair.starts_with("v=")));
        let cache = if versioned { "public, max-age=31536000, immutable" } else { "public, max-age=300" };
        let mut response = static_files::serve(&folder, &name, request.headers(), cache).await;
        // The bundle is made for other sites; its answers hold nothing of a user.
        let policy = http::HeaderValue::from_static("cross-origin");
        response.headers_mut().insert("cross-origin-resource-policy", policy);
        response
    };
    Router::new().route("/static/widget/{name}", get(serve))
}
