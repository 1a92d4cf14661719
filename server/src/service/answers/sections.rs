//! Reads the passages around those that were found, in the same section.

use rag::generate::section::Part;
use store::{
    Scope,
    passages::{self, Neighbour},
    vectors::Collection,
};
use uuid::Uuid;

use crate::state::App;

/// For each of these passages the parts of its section around it, up to `near` on each side and including itself, in
/// the order of the document.
pub(super) async fn neighbours(
    app: &App,
    scope: &Scope,
    Collection { tenant, chatbot }: Collection,
    ids: &[Uuid],
    near: i32,
) -> store::Result<Vec<Vec<Part>>> {
    let mut tx = app.db.read(scope).await?;
    let all = passages::neighbours(&mut tx, tenant, chatbot, ids, near).await?;
    drop(tx);
    let part = |Neighbour { passage, id, ordinal, content }: &Neighbour| Part {
        id: *id,
        ordinal: *ordinal,
        content: content.clone(),
        is_own: passage == id,
    };
    Ok(ids.iter().map(|id| all.iter().filter(|neighbour| neighbour.passage == *id).map(part).collect()).collect())
}
