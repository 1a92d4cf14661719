//! Collections of earlier versions, one for each chatbot. One that exists when the process begins is used until the
//! chatbot's partition is complete, and is then deleted.

use std::collections::HashSet;

use parking_lot::Mutex;
use reqwest::Method;
use serde_json::json;
use tokio::sync::OnceCell;

use super::{Collection, Qdrant, VectorError, VectorSpace};

/// The former collections that exist, read once.
#[derive(Default)]
pub(super) struct FormerCollections {
    names: OnceCell<Mutex<HashSet<String>>>,
}

/// The former name of the collection of a chatbot.
pub(super) fn name(collection: Collection) -> String {
    collection.name()
}

impl FormerCollections {
    /// The chatbot's former collection, if it exists.
    pub(super) async fn find(&self, qdrant: &Qdrant, collection: Collection) -> Result<Option<String>, VectorError> {
        let read = async || Ok::<_, VectorError>(Mutex::new(qdrant.names().await?.into_iter().collect()));
        let (names, collection_name) = (self.names.get_or_try_init(read).await?, name(collection));
        Ok(names.lock().contains(&collection_name).then_some(collection_name))
    }

    /// Records that it was deleted.
    pub(super) fn forget(&self, name: &str) {
        if let Some(names) = self.names.get() {
            names.lock().remove(name);
        }
    }
}

impl Qdrant {
    /// The former collection that is used for the chatbot's own model.
    pub(super) async fn former_of(&self, space: VectorSpace<'_>) -> Result<Option<String>, VectorError> {
        if space.is_own { self.former.find(self, space.collection).await } else { Ok(None) }
    }

    /// A former collection that another process deleted in the meantime is not an error.
    pub(super) fn unless_gone(&self, done: Result<(), VectorError>, name: &str) -> Result<(), VectorError> {
        match done {
            Err(VectorError::NoCollection) => {
                self.former.forget(name);
                Ok(())
            }
            done => done,
        }
    }

    pub(super) async fn drop_former(&self, name: &str) -> Result<(), VectorError> {
        let done = self.write::<bool>(Method::DELETE, &format!("/collections/{name}"), &json!({})).await.map(drop);
        self.unless_gone(done, name)?;
        self.former.forget(name);
        Ok(())
    }
}
