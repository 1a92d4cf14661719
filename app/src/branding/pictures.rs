//! A picture of a branding: uploaded, or named by its address.

use contract::{
    ErrorCode,
    branding::{BrandingFields, BrandingPicture, PICTURE_PATH},
};
use leptos::{html, prelude::*};

use super::{form::BrandingForm, texts};
use crate::{
    focus_restore::focus_next,
    form::Field,
    i18n::Localized,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, ButtonKind, IconName, TextField, ToastKind, toast, toast_problem},
};

/// Uploads a file as one of the pictures; the signal is true during the upload.
#[derive(Clone, Copy)]
pub struct PictureUpload(Callback<(BrandingPicture, web_sys::File, RwSignal<bool>)>);

impl PictureUpload {
    /// `send` uploads a file and returns the branding's fields. The address of the picture is shown in `values` and
    /// passed to `keep`, which stores it in the form's base version.
    pub fn new<F>(
        values: BrandingForm,
        send: impl Fn(BrandingPicture, web_sys::File) -> F + Send + Sync + 'static,
        keep: impl Fn(BrandingPicture, Option<String>) + Copy + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<BrandingFields, Problem>> + 'static,
    {
        Self(Callback::new(move |(which, file, busy)| {
            spawn_on_page(busy, send(which, file), move |result| match result {
                Ok(mut fields) => {
                    let address = fields.picture_mut(which).take();
                    values.show_picture(which, address.as_deref());
                    keep(which, address);
                    toast(ToastKind::Success, texts::PICTURE_SAVED);
                }
                Err(problem) => say_refused(&problem),
            });
        }))
    }
}

/// The field of a picture, with a button that uploads one where the page can.
#[component]
pub(super) fn PictureField(
    label: Localized,
    hint: Localized,
    field: Field,
    which: BrandingPicture,
    upload: Option<PictureUpload>,
    read_only: bool,
) -> impl IntoView {
    let is_uploaded = Memo::new(move |_| field.get().starts_with(PICTURE_PATH));
    let (name, can_change) = (label.clone(), !read_only);
    view! {
        <div class="ui-stack ui-stack--small">
            <Show
                when=move || is_uploaded.get()
                fallback=move || view! {
                    <TextField
                        label=label.clone()
                        hint=hint.clone()
                        field
                        optional=true
                        mono=true
                        input_type="url"
                        placeholder="https://"
                        disabled=read_only
                    />
                }
            >
                <div class="ui-stack ui-stack--small">
                    <span class="ui-field__label">{name.clone()}</span>
                    <div class="ui-row ui-row--wrap">
                        <img class="ui-picture" src=move || field.get() alt=texts::UPLOADED.t() />
                        <Show when=move || can_change>
                            <Button
                                kind=ButtonKind::Ghost
                                small=true
                                icon=IconName::Trash
                                on_click=Callback::new(move |()| {
                                    field.set("");
                                    // The button is gone with the picture.
                                    focus_next(format!("input[name={}]", field.name()));
                                })
                            >
                                {texts::REMOVE_PICTURE.t()}
                            </Button>
                        </Show>
                    </div>
                </div>
            </Show>
            {upload.filter(|_| can_change).map(|upload| view! { <UploadButton which upload /> })}
        </div>
    }
}

#[component]
fn UploadButton(which: BrandingPicture, upload: PictureUpload) -> impl IntoView {
    let (input, busy) = (NodeRef::<html::Input>::new(), RwSignal::new(false));
    let choose = Callback::new(move |()| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    });
    let chosen = move |_| {
        let Some(input) = input.get_untracked() else { return };
        let file = input.files().and_then(|files| files.get(0));
        // Lets the same file be chosen again.
        input.set_value("");
        if let Some(file) = file {
            upload.0.run((which, file, busy));
        }
    };
    view! {
        <div class="ui-row">
            <input
                class="ui-file"
                type="file"
                accept="image/png,image/jpeg,image/webp"
                name=which.as_str()
                aria-label=texts::UPLOAD.t()
                hidden
                node_ref=input
                on:change=chosen
            />
            <Button icon=IconName::Upload small=true busy on_click=choose>{texts::UPLOAD.t()}</Button>
        </div>
    }
}

/// Shows why a file is refused.
fn say_refused(problem: &Problem) {
    let text = match problem.fields().first().map(|field| field.kind.as_str()) {
        _ if problem.code() == Some(ErrorCode::PayloadTooLarge) => texts::PICTURE_LARGE,
        Some("picture_format") => texts::PICTURE_FORMAT,
        Some("picture_size") => texts::PICTURE_SIZE,
        Some("picture_broken") => texts::PICTURE_BROKEN,
        _ => return toast_problem(problem),
    };
    toast(ToastKind::Error, text);
}
