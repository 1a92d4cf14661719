//! The configured storage of uploaded files.

use std::sync::Arc;

use crate::{
    cli::CliError,
    config::Config,
    storage::{BucketSettings, Storage},
};

/// The storage; nothing is read or written yet.
pub(in crate::cli) fn load(config: &Config) -> Result<Arc<Storage>, CliError> {
    let uploads = &config.uploads;
    let Some(url) = &uploads.url else { return Ok(Arc::new(Storage::in_folder(uploads.folder.clone()))) };
    let settings = BucketSettings {
        url: url.clone(),
        endpoint: uploads.endpoint.clone(),
        region: uploads.region.clone(),
        access_key_id: uploads.access_key_id.clone(),
        secret_access_key: uploads.secret_access_key.clone(),
    };
    let storage = Storage::in_bucket(&settings).map_err(|error| CliError::Refused(format!("uploads.url: {error}")))?;
    Ok(Arc::new(storage))
}
