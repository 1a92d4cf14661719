//! Pictures of brandings: uploads, and public delivery.

use bytes::Bytes;
use contract::{
    ChatbotId, ErrorCode, Patch,
    branding::{
        BrandingFields, BrandingFieldsPatch, BrandingPicture, ChatbotBranding, PICTURE_PATH, PICTURE_PIXELS,
        TenantBranding, TenantBrandingPatch,
    },
};
use sha2::{Digest, Sha256};
use store::{Scope, branding_pictures};

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    hex,
    precondition::IfMatch,
    sandbox::{Failure, PictureError},
    state::App,
};

/// A picture with the name under which it is served: the sum of its bytes with its extension.
#[derive(Debug)]
pub(super) struct NamedPicture {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Uploads a picture into a field of the branding of the caller's tenant.
///
/// # Errors
/// A validation error for a file that is not a picture.
pub async fn upload_own(app: &App, caller: &Caller, which: BrandingPicture, file: Bytes) -> ApiResult<TenantBranding> {
    let picture = prepare(app, caller, file).await?;
    let patch = TenantBrandingPatch { fields: field(which, &picture), ..TenantBrandingPatch::default() };
    super::change_own(app, caller, &IfMatch::default(), patch, Some(picture)).await
}

/// Uploads a picture into a field of the branding of an active chatbot.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`; a validation error for a file that is not a picture.
pub async fn upload_of_chatbot(
    app: &App,
    caller: &Caller,
    (chatbot, which): (ChatbotId, BrandingPicture),
    file: Bytes,
) -> ApiResult<ChatbotBranding> {
    let picture = prepare(app, caller, file).await?;
    let patch = field(which, &picture);
    super::change_of_chatbot(app, caller, chatbot, &IfMatch::default(), patch, Some(picture)).await
}

/// The bytes of a picture of a live tenant.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub async fn find(app: &App, name: &str) -> ApiResult<Option<Vec<u8>>> {
    let mut tx = app.db.read(&Scope::looking_up_pictures()).await?;
    Ok(branding_pictures::find(&mut tx, name).await?)
}

/// The change that sets a field to a picture.
fn field(which: BrandingPicture, picture: &NamedPicture) -> BrandingFieldsPatch {
    let address = Patch::Value(format!("{PICTURE_PATH}{}", picture.name));
    match which {
        BrandingPicture::Logo => BrandingFieldsPatch { logo_url: address, ..BrandingFieldsPatch::default() },
        BrandingPicture::Avatar => BrandingFieldsPatch { avatar_url: address, ..BrandingFieldsPatch::default() },
    }
}

/// Replaces names of uploaded pictures by absolute addresses for pages on other origins.
pub fn with_addresses(fields: &mut BrandingFields, base_url: &str) {
    for which in BrandingPicture::ALL {
        if let Some(address) = fields.picture_mut(*which).as_mut().filter(|address| address.starts_with(PICTURE_PATH)) {
            address.insert_str(0, base_url);
        }
    }
}

/// Converts an uploaded file in a separate process.
async fn prepare(app: &App, caller: &Caller, file: Bytes) -> ApiResult<NamedPicture> {
    let _permit = app.shares().pictures.acquire(caller.tenant()?).await?;
    let converted = app.settings.sandbox.read_picture(&file).await;
    let picture = converted.map_err(|failure| match failure {
        // The file broke its reader, or took too long.
        Failure::Refused(_) => refusal(PictureError::Broken),
        Failure::Unavailable(error) => {
            tracing::error!(%error, "branding.no_reader: no process could read a picture");
            ErrorCode::ServiceUnavailable.into()
        }
    })?;
    let picture = picture.map_err(refusal)?;
    let name = format!("{}.{}", hex::encode(&Sha256::digest(&picture.bytes)), picture.format.extension());
    Ok(NamedPicture { name, bytes: picture.bytes })
}

fn refusal(fault: PictureError) -> ApiError {
    let (kind, msg) = match fault {
        PictureError::Format => ("picture_format", "must be a picture in PNG, JPEG or WebP".to_owned()),
        PictureError::Size => {
            let (least, most) = (PICTURE_PIXELS.start(), PICTURE_PIXELS.end());
            ("picture_size", format!("must have {least} to {most} pixels on each side"))
        }
        PictureError::Broken => ("picture_broken", "cannot be read as a picture".to_owned()),
    };
    ApiError::field(&["body"], msg, kind)
}
