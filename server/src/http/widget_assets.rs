//! `/static/widget/*`: the widget bundle, mounted only when its folder exists (specification, Public paths). The script
//! keeps its name in every build, so that pasted snippets work forever; the files that it loads have a hash of their
//! content in their names.

use std::{path::Path, sync::Arc};

use axum::{Router, extract::Request, routing::get};
use http::HeaderValue;

use crate::{
    http::static_files::{self, FileName, IMMUTABLE},
    state::{App, widget_version::SCRIPT},
};

pub(super) fn routes(app: &App) -> Router<App> {
    let folder = app.settings.dist_dir.join("widget");
    if !folder.is_dir() {
        tracing::warn!(folder = %folder.display(), "widget.bundle_missing");
        return Router::new();
    }
    let folder: Arc<Path> = folder.into();
    let current: Arc<str> = app.widget_version().into();
    let serve = async move |FileName(name): FileName, request: Request| {
        let cache = cache_rule(&name, request.uri().query().unwrap_or(""), &current);
        let mut response = static_files::serve(&folder, &name, request.headers(), cache).await;
        // The bundle is meant for other sites; its responses contain no user data.
        let policy = HeaderValue::from_static("cross-origin");
        response.headers_mut().insert("cross-origin-resource-policy", policy);
        response
    };
    Router::new().route("/static/widget/{name}", get(serve))
}

/// The script is cached forever only under this build's version. For any other version the current script is served as
/// well, because it may be requested before or after its own build is installed.
fn cache_rule(name: &str, query: &str, current: &str) -> &'static str {
    let is_current = || query.split('&').any(|pair| pair.strip_prefix("v=") == Some(current));
    if name == SCRIPT && is_current() { IMMUTABLE } else { static_files::cache_rule(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::static_files::SHORT_LIVED;

    #[test]
    fn the_script_is_kept_for_ever_under_its_own_version_only() {
        for (query, rule) in [
            ("v=1.2.0-3f2a9c1b", IMMUTABLE),
            ("a=b&v=1.2.0-3f2a9c1b", IMMUTABLE),
            ("v=1.2.0", SHORT_LIVED),
            ("v=1.2.0-3f2a9c1", SHORT_LIVED),
            ("v=9.9.9-notyet", SHORT_LIVED),
            ("v=", SHORT_LIVED),
            ("", SHORT_LIVED),
        ] {
            assert_eq!(cache_rule(SCRIPT, query, "1.2.0-3f2a9c1b"), rule, "{query}");
        }
    }

    #[test]
    fn another_file_does_not_become_immutable_by_a_version() {
        assert_eq!(cache_rule("chat-widget.wasm", "v=1", "1"), SHORT_LIVED);
        assert_eq!(cache_rule("chat-widget-0123456789abcdef.wasm", "chatbot=1", "1"), IMMUTABLE);
    }
}
