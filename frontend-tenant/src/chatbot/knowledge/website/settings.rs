//! Which pages of a website are read, and how often.

use app::{
    api,
    form::{Field, Form},
    resource::Resource,
    ui::{Dialog, DialogForm, Select, TextArea, TextField, ToastKind, toast},
};
use contract::{
    ChatbotId, Page,
    documents::ChatbotSource,
    id::SourceId,
    sources::{SourcePatch, UpdateSource},
    websites::{WebsitePatch, WebsiteSchedule, WebsiteSettings},
};
use leptos::prelude::*;

use super::labels;
use crate::texts::website as texts;

/// The dialog with the settings of a website.
#[component]
pub(super) fn SettingsDialog(
    place: (ChatbotId, SourceId),
    name: String,
    open: RwSignal<bool>,
    of: Memo<Option<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    view! {
        <Dialog open title=texts::SETTINGS_OF.with(&[&name])>
            {move || {
                let website = of.get_untracked()?.website?;
                Some(view! { <SettingsForm place settings=website.settings open sources /> })
            }}
        </Dialog>
    }
}

#[component]
fn SettingsForm(
    place: (ChatbotId, SourceId),
    settings: WebsiteSettings,
    open: RwSignal<bool>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let include = Field::new("include", settings.include.join("\n"));
    let exclude = Field::new("exclude", settings.exclude.join("\n"));
    let max_pages = Field::new("max_pages", settings.max_pages.to_string());
    let max_depth = Field::new("max_depth", settings.max_depth.to_string());
    let schedule = RwSignal::new(settings.schedule.as_str().to_owned());
    let form = Form::new([include, exclude, max_pages, max_depth]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        // An invalid number is refused with the rule of its field.
        let number = |field: Field| Some(field.trimmed().parse().unwrap_or(-1));
        let website = WebsitePatch {
            include: Some(lines(include)),
            exclude: Some(lines(exclude)),
            max_pages: number(max_pages),
            max_depth: number(max_depth),
            schedule: schedule.get_untracked().parse::<WebsiteSchedule>().ok(),
            paused: None,
        };
        let patch = SourcePatch { website: Some(website), ..SourcePatch::default() };
        let call = move |patch| async move { api::call::<UpdateSource>(&place, &(), &patch).await };
        form.send(patch, call, move |_| {
            open.set(false);
            toast(ToastKind::Success, texts::SAVED);
            sources.reload();
        });
    };
    let schedules = WebsiteSchedule::ALL.iter().map(|of| (of.as_str().to_owned(), labels::schedule(*of).into()));
    view! {
        <DialogForm open form on_submit=submit>
            <TextArea label=texts::INCLUDE field=include hint=texts::INCLUDE_HINT rows=3 optional=true mono=true />
            <TextArea label=texts::EXCLUDE field=exclude hint=texts::EXCLUDE_HINT rows=3 optional=true mono=true />
            <TextField label=texts::MAX_PAGES field=max_pages input_type="number" />
            <TextField label=texts::MAX_DEPTH field=max_depth input_type="number" />
            <Select
                label=texts::SCHEDULE
                value=schedule
                options=schedules.collect()
                on_change=Callback::new(move |value: String| schedule.set(value))
            />
        </DialogForm>
    }
}

fn lines(field: Field) -> Vec<String> {
    field.trimmed().lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
