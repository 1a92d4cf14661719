//! Pictures of brandings: uploads, and public delivery.

use bytes::Bytes;
use contract::{
    ChatbotId, Patch,
    branding::{
        BrandingFields, BrandingFieldsPatch, BrandingPicture, ChatbotBranding, PICTURE_PATH, PICTURE_PIXELS,
        TenantBranding, TenantBrandingPatch,
    },
};
use store::{Scope, branding_pictures};
use tokio::sync::Semaphore;

use super::picture::{self, Picture, PictureError};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    precondition::IfMatch,
    state::App,
};

/// Maximum concurrent decoding, because one picture may need many megabytes.
static DECODING: Semaphore = Semaphore::const_new(2);

/// Uploads a picture into a field of the branding of the caller's tenant.
///
/// # Errors
/// A validation error for a file that is not a picture.
pub async fn upload_own(app: &App, caller: &Caller, which: BrandingPicture, file: Bytes) -> ApiResult<TenantBranding> {
    let picture = prepare(file).await?;
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
    let picture = prepare(file).await?;
    let patch = field(which, &picture);
    super::change_of_chatbot(app, caller, chatbot, &IfMatch::default(), patch, Some(picture)).await
}

/// The bytes of a picture of a live tenant.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub async fn find(app: &App, name: &str) -> ApiResult<Option<Vec<u8>>> {
    let mut tx = app.db.read(&Scope::system()).await?;
    Ok(branding_pictures::find(&mut tx, name).await?)
}

/// The change that sets a field to a picture.
fn field(which: BrandingPicture, picture: &Picture) -> BrandingFieldsPatch {
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

async fn prepare(file: Bytes) -> ApiResult<Picture> {
    let turn = DECODING.acquire().await.map_err(|_| contract::ErrorCode::ServiceUnavailable)?;
    let decoding = tokio::task::spawn_blocking(move || {
        // Decoding goes on when its caller is dropped.
        let _turn = turn;
        picture::prepare(&file)
    });
    let prepared = decoding.await;
    prepared.map_err(|_| contract::ErrorCode::InternalError)?.map_err(refusal)
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_picture_keeps_its_turn_after_its_caller_left() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        let (go_on, waiting) = mpsc::channel::<()>();
        runtime.block_on(async {
            let occupied = tokio::task::spawn_blocking(move || waiting.recv());
            {
                let mut leaving = std::pin::pin!(prepare(Bytes::from_static(b"no picture")));
                assert!(futures::poll!(&mut leaving).is_pending());
            }
            assert_eq!(DECODING.available_permits(), 1);
            drop(go_on);
            assert!(occupied.await.unwrap().is_err());
            assert!(prepare(Bytes::from_static(b"no picture")).await.is_err());
            assert_eq!(DECODING.available_permits(), 2);
        });
    }
}
