//! The embedding models, each loaded once for all tests.

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use rag::embed::{Embedder, LazyEmbedder, LocalEmbedder, MULTILINGUAL_MODEL};
use server::state::embedders::Embedders;
use tokio::sync::OnceCell;

/// One model for all languages.
pub async fn one_model() -> Embedders {
    Embedders::only(embedder().await)
}

/// The multilingual model; it is loaded with the first text.
pub fn multilingual() -> Arc<dyn Embedder> {
    static MODEL: LazyLock<Arc<dyn Embedder>> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let default = root.join("var/parts").join(MULTILINGUAL_MODEL);
        let folder = std::env::var_os("MULTILINGUAL_MODEL_DIR").map_or(default, Into::into);
        Arc::new(LazyEmbedder::open(&folder, std::convert::identity).expect("the multilingual model; run `make setup`"))
    });
    Arc::clone(&MODEL)
}

/// The real embedding model, loaded once for all tests.
pub async fn embedder() -> Arc<dyn Embedder> {
    static MODEL: OnceCell<Arc<dyn Embedder>> = OnceCell::const_new();
    let load = async || {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = std::env::var_os("MODEL_DIR").map_or(root.join("var/parts/all-minilm-l6-v2"), Into::into);
        let loaded = LocalEmbedder::load(&folder).expect("the embedding model; run `make setup` first");
        Arc::new(loaded) as Arc<dyn Embedder>
    };
    Arc::clone(MODEL.get_or_init(load).await)
}
