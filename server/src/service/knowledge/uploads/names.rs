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
    let mut uploads = uploads::of_source(connection, tenant, source, Some(&forms.concat())).await?;
    let by_name = forms.iter().filter_map(|forms| {
        let best = forms.iter().find_map(|form| uploads.iter().position(|upload| upload.external_id == *form));
        best.map(|best| uploads.swap_remove(best))
    });
    Ok(by_name.collect())
}
