//! Downloads the audit log as CSV with the filters of the list.

use app::{
    api,
    i18n::texts as common,
    list_url::ListUrl,
    page_task::spawn_on_page,
    ui::{Button, ButtonKind, Checkbox, Dialog, DialogSize, Failure, IconName, ToastKind, toast},
};
use contract::audit::{AuditCsvQuery, ExportAudit};
use leptos::prelude::*;

use super::filter;
use crate::texts;

/// Asks whether to include the details, then downloads the file.
#[component]
pub(super) fn ExportButton(list: ListUrl) -> impl IntoView {
    let (open, with_details) = (RwSignal::new(false), RwSignal::new(false));
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let download = move |()| {
        let query = untrack(|| filter::from_address(list))
            .map(|filter| AuditCsvQuery { filter, include_details: with_details.get_untracked() });
        failure.set(None);
        let call = async move { api::download::<ExportAudit>(&(), &query?, &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                open.set(false);
                toast(ToastKind::Success, texts::AUDIT_DOWNLOADED);
            }
            Err(problem) => failure.set(Some(problem)),
        });
    };
    view! {
        <Button icon=IconName::Download on_click=move |()| open.set(true)>{texts::AUDIT_CSV.t()}</Button>
        <Dialog open title=texts::AUDIT_CSV size=DialogSize::Small>
            <div class="ui-dialog__body">
                <p>{texts::AUDIT_CSV_TEXT.t()}</p>
                <Checkbox
                    label=texts::AUDIT_CSV_DETAILS
                    checked=with_details
                    on_change=move |checked| with_details.set(checked)
                />
                <Failure failure />
            </div>
            <footer class="ui-dialog__footer">
                <Button on_click=move |()| open.set(false)>{common::CANCEL.t()}</Button>
                <Button kind=ButtonKind::Primary icon=IconName::Download busy=busy on_click=download>
                    {texts::DOWNLOAD.t()}
                </Button>
            </footer>
        </Dialog>
    }
}
