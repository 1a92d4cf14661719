//! Preferences of the caller.

use contract::preferences::{Preferences, PreferencesPatch};
use store::Exemption;

use crate::{caller::Caller, error::ApiResult, state::App};

/// The caller's preferences, created with defaults on the first call.
pub async fn get(app: &App, caller: &Caller) -> ApiResult<Preferences> {
    let identity = &caller.identity;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let stored = store::preferences::find(&mut tx, &identity.realm, &identity.username).await?;
    drop(tx);
    match stored {
        Some(preferences) => Ok(preferences),
        None => update(app, caller, PreferencesPatch::default()).await,
    }
}

/// Changes the caller's preferences.
pub async fn update(app: &App, caller: &Caller, patch: PreferencesPatch) -> ApiResult<Preferences> {
    let identity = &caller.identity;
    let mut tx = app.db.write(&caller.scope()?).await?;
    let preferences =
        store::preferences::upsert(&mut tx, &identity.realm, &identity.username, patch.preferred_theme).await?;
    tx.commit_exempt(Exemption::Preferences).await?;
    Ok(preferences)
}
