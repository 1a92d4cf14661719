//! The sources that a tenant's users open most: total counts, without names.

use contract::knowledge_hub::PopularSources;
use store::knowledge_hub::popular;

use super::begin_read;
use crate::{caller::Caller, error::ApiResult, state::App};

/// Sources of the list.
const MAX_SOURCES: i64 = 20;

/// The most opened sources.
///
/// # Errors
/// `module_not_enabled`.
pub async fn sources(app: &App, caller: &Caller) -> ApiResult<PopularSources> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    Ok(PopularSources { items: popular::sources(&mut tx, tenant, MAX_SOURCES).await? })
}
