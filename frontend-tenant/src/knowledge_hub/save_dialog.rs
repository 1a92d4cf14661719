//! Saves the current search under a name.

use app::{
    api,
    form::Field,
    i18n::texts as shared,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, ButtonKind, Dialog, DialogSize, Failure, TextField, ToastKind, toast},
};
use contract::knowledge_hub::{CreateSavedSearch, NewSavedSearch, SearchQuery};
use leptos::{ev, prelude::*};

use crate::texts::knowledge_hub as texts;

/// The button and its dialog.
#[component]
pub(super) fn SaveSearch(query: Memo<SearchQuery>) -> impl IntoView {
    let (open, busy) = (RwSignal::new(false), RwSignal::new(false));
    let failure = RwSignal::new(None::<Problem>);
    let name = Field::new("name", "");
    let begin = Callback::new(move |()| {
        name.set(query.with_untracked(|query| query.q.clone()));
        failure.set(None);
        open.set(true);
    });
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(chosen) = name.non_empty() else {
            name.set_error(shared::REQUIRED_FIELD);
            return;
        };
        let SearchQuery { q, filters, .. } = query.get_untracked();
        let new = NewSavedSearch { name: chosen, query: q, filters };
        let call = async move { api::call::<CreateSavedSearch>(&(), &(), &new).await };
        spawn_on_page(busy, call, move |saved| match saved {
            Ok(_) => {
                open.set(false);
                toast(ToastKind::Success, texts::SAVED_DONE);
            }
            Err(problem) => failure.set(Some(problem)),
        });
    };
    view! {
        <Button on_click=begin>{texts::SAVE.t()}</Button>
        <Dialog open title=texts::SAVE_TITLE size=DialogSize::Small>
            <form class="ui-dialog__form" on:submit=submit>
                <div class="ui-dialog__body">
                    <TextField label=texts::NAME field=name />
                    <Failure failure />
                </div>
                <footer class="ui-dialog__footer">
                    <Button disabled=busy on_click=move |()| open.set(false)>{shared::CANCEL.t()}</Button>
                    <Button kind=ButtonKind::Primary submit=true busy>{shared::SAVE.t()}</Button>
                </footer>
            </form>
        </Dialog>
    }
}
