//! Finds uploaded files by name. macOS decomposes the letters of a name that other systems compose (NFD and NFC), and
//! both name one file. New files get the composed name; earlier ones keep theirs.

use contract::{TenantId, id::SourceId};
use rag::document::name_forms;
use store::{
    PgConnection,
    uploads::{self, Upload},
};

use crate::error::ApiResult;

/// The files that a source has with these names, in either form. Of two that differ in the form alone, the one whose
/// name is as written.
pub(super) async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    names: &[String],
) -> ApiResult<Vec<Upload>> {
    let forms: Vec<Vec<String>> = names.iter().map(|name| name_forms(name)).collect();
    let mut found = uploads::of_source(connection, tenant, source, Some(&forms.concat())).await?;
    let named = forms.iter().filter_map(|forms| {
        let best = forms.iter().find_map(|form| found.iter().position(|upload| upload.external_id == *form));
        best.map(|best| found.swap_remove(best))
    });
    Ok(named.collect())
}
