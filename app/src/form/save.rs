//! Saves changes of something that others may have changed since the form was filled: reads the current version, merges
//! both sides' changes, and writes with a precondition on that version. Where both changed the same value nothing is
//! written: the field says so and keeps the typed value, and the next save overwrites.

use contract::{Endpoint, ErrorBody, ErrorCode, FieldError, Validate};
use leptos::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::Form;
use crate::{
    api,
    i18n::{Localized, texts},
    json_merge::{self, Merged},
    problem::Problem,
    ui::{ToastKind, toast},
};

/// The kind of an error that [`describe_value`] has the sentence for.
pub(super) const COLLISION: &str = "collision";
/// Maximum attempts when others save between reading and writing.
const MAX_ATTEMPTS: usize = 4;
/// Maximum characters shown of another user's value.
const MAX_VALUE_CHARS: usize = 200;

/// The form's edits of a `T`.
pub trait Edits<T>: Clone + 'static {
    /// The changes, each under the name that the field has in `T`.
    type Patch: Serialize + Validate + 'static;

    /// The difference from `stored`.
    fn patch(&self, stored: &T) -> Self::Patch;

    /// Shows `stored`.
    fn reset(&self, stored: &T);
}

impl Form {
    /// Saves what `edits` changed in `stored`, which `G` reads and `U` changes, like [`Form::send`]. Changes that
    /// others saved since `stored` was read are kept and shown in the form. When both changed a value, nothing is written,
    /// and its field says so.
    pub fn save<G, U, V>(
        self,
        path: G::Path,
        stored: RwSignal<G::Reply>,
        edits: V,
        done: impl FnOnce(G::Reply) + 'static,
    ) where
        G: Endpoint<Query = (), Body = (), Reply: Clone + Sync>,
        U: Endpoint<Path = G::Path, Query = (), Body = V::Patch, Reply = G::Reply>,
        V: Edits<G::Reply>,
    {
        let body = untrack(|| stored.with(|stored| edits.patch(stored)));
        self.send(body, move |body| save_with_retry::<G, U, V>(path, stored, edits, body), done);
    }
}

async fn save_with_retry<G, U, V>(
    path: G::Path,
    stored: RwSignal<G::Reply>,
    edits: V,
    mut body: V::Patch,
) -> Result<G::Reply, Problem>
where
    G: Endpoint<Query = (), Body = (), Reply: Clone + Sync>,
    U: Endpoint<Path = G::Path, Query = (), Body = V::Patch, Reply = G::Reply>,
    V: Edits<G::Reply>,
{
    for _ in 0..MAX_ATTEMPTS {
        let (newer, etag) = api::read_version::<G>(&path).await?;
        if let Some(merged) = rebase(stored, &edits, newer)? {
            body = merged;
        }
        match api::change_version::<U>(&path, etag, &body).await {
            Err(problem) if problem.code() == Some(ErrorCode::PreconditionFailed) => {}
            done => return done,
        }
    }
    Err(ErrorCode::PreconditionFailed.into())
}

/// Shows the changes of others in the form, says so, and returns the form's own changes on top of them; `None` when
/// nobody has changed anything, or when the form was disposed.
fn rebase<T, V>(stored: RwSignal<T>, edits: &V, newer: T) -> Result<Option<V::Patch>, Problem>
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: Edits<T>,
{
    let Some(old) = stored.try_get_untracked() else { return Ok(None) };
    let (before, now) = (json(&old), json(&newer));
    if before == now {
        return Ok(None);
    }
    let changes = json(&untrack(|| edits.patch(&old)));
    let Merged { value, collisions } = json_merge::merge(&before, changes, &now);
    let Ok(merged) = serde_json::from_str::<T>(&value.to_string()) else {
        return Err(ErrorCode::PreconditionFailed.into());
    };
    edits.reset(&newer);
    let theirs = json(&untrack(|| edits.patch(&old)));
    edits.reset(&merged);
    stored.set(newer.clone());
    if !collisions.is_empty() {
        return Err(conflict_errors(&collisions));
    }
    // Other values may be the platform's, or saved by the same user in another part of the page.
    if theirs.as_object().is_some_and(|theirs| !theirs.is_empty()) {
        toast(ToastKind::Info, texts::ALSO_CHANGED);
    }
    Ok(Some(untrack(|| edits.patch(&newer))))
}

/// The fields that both sides changed, each with the other side's value.
fn conflict_errors(collisions: &[(String, Value)]) -> Problem {
    let errors = collisions.iter().map(|(name, theirs)| FieldError::new(["body", name], theirs.to_string(), COLLISION));
    let body = ErrorBody { errors: errors.collect(), ..ErrorCode::PreconditionFailed.into() };
    Problem { body, request_id: None }
}

/// The sentence for a field that both sides changed; `theirs` is the other side's value as JSON.
pub(super) fn describe_value(theirs: &str) -> Localized {
    match serde_json::from_str(theirs).unwrap_or_default() {
        Value::Null => texts::EMPTIED_BY_OTHERS.into(),
        Value::String(text) if text.is_empty() => texts::EMPTIED_BY_OTHERS.into(),
        Value::Array(_) | Value::Object(_) => texts::CHANGED_BY_OTHERS.into(),
        value => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let end = if text.chars().count() > MAX_VALUE_CHARS { " …" } else { "" };
            texts::SET_BY_OTHERS.with(&[&(text.chars().take(MAX_VALUE_CHARS).collect::<String>() + end)])
        }
    }
}

/// Serialises and parses the value, because the code for both is in the bundle already.
fn json(value: &impl Serialize) -> Value {
    serde_json::to_string(value).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}
