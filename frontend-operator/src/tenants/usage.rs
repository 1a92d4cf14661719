//! The usage of a tenant, and the dialog that changes its quotas.

use app::{
    api,
    form::{Edits, Field, Form, focus_invalid},
    i18n::Text,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Button, DayRange, Dialog, DialogForm, IconName, Skeleton, TextField, ToastKind, toast},
    usage::{QuotaBanner, UsageView, texts},
};
use contract::{
    Patch, TenantId,
    tenants::{GetTenant, Tenant, TenantPatch, UpdateTenant},
    usage::{GetTenantUsage, Quotas, QuotasPatch, UsageQuery},
};
use leptos::prelude::*;

use crate::texts as console;

const MEGABYTE: i64 = 1_000_000;

/// A tenant's usage and quotas; operators can change the quotas.
#[component]
pub(super) fn TenantUsageSection(tenant: Tenant, #[prop(into)] on_change: Callback<Tenant>) -> impl IntoView {
    let id: TenantId = tenant.id;
    let range = DayRange::new(ListUrl::new("", 0));
    let usage = Resource::new(move || {
        let query = UsageQuery { days: range.days().into() };
        async move { api::call::<GetTenantUsage>(&id, &query, &()).await }
    });
    let open = RwSignal::new(false);
    let is_operator = Session::get().is_operator();
    let changed = move |tenant: Tenant| {
        usage.reload();
        on_change.run(tenant);
    };
    let edit = move || {
        is_operator.then(|| {
            view! { <Button small=true icon=IconName::Edit on_click=move |()| open.set(true)>{texts::EDIT.t()}</Button> }
        })
    };
    view! {
        <Loaded resource=usage skeleton=|| view! { <Skeleton lines=6 /> } let:usage>
            <QuotaBanner quotas=usage.quotas.clone() />
            <div class="ui-grid ui-grid--two"><UsageView usage actions=edit range /></div>
        </Loaded>
        <Dialog open title=texts::EDIT><QuotaForm open tenant=tenant.clone() on_done=changed /></Dialog>
    }
}

/// The fields of the form: a number each, empty for the platform's default.
#[derive(Clone, Copy)]
struct Fields {
    documents: Field,
    bytes: Field,
    passages: Field,
    pages: Field,
    chatbots: Field,
    questions_per_month: Field,
    tokens_per_month: Field,
}

impl Fields {
    fn new(tenant: &Tenant) -> Self {
        let field = |name| Field::new(name, "");
        let fields = Self {
            documents: field("documents"),
            bytes: field("bytes"),
            passages: field("passages"),
            pages: field("pages"),
            chatbots: field("chatbots"),
            questions_per_month: field("questions_per_month"),
            tokens_per_month: field("tokens_per_month"),
        };
        fields.reset(tenant);
        fields
    }

    const fn all(self) -> [Field; 7] {
        [
            self.documents,
            self.bytes,
            self.passages,
            self.pages,
            self.chatbots,
            self.questions_per_month,
            self.tokens_per_month,
        ]
    }

    /// Whether every field is empty or has a whole number; marks the others.
    fn check(self) -> bool {
        let is_wrong = |field: &Field| field.non_empty().is_some_and(|text| whole_number(&text).is_none());
        let wrong: Vec<_> = self.all().into_iter().filter(is_wrong).collect();
        for field in &wrong {
            field.set_error(console::NOT_A_NUMBER);
        }
        wrong.is_empty()
    }

    fn read(self, stored: &Quotas) -> Quotas {
        let bytes = self.bytes.trimmed();
        Quotas {
            documents: number(&self.documents.trimmed()),
            // A number that is not a whole megabyte stays until another one is typed.
            bytes: if bytes == megabytes(stored.bytes) {
                stored.bytes
            } else {
                number(&bytes).map(|number| number.saturating_mul(MEGABYTE))
            },
            passages: number(&self.passages.trimmed()),
            pages: number(&self.pages.trimmed()),
            chatbots: number(&self.chatbots.trimmed()),
            questions_per_month: number(&self.questions_per_month.trimmed()),
            tokens_per_month: number(&self.tokens_per_month.trimmed()),
        }
    }
}

/// The typed number; `None` when empty, and an invalid number for other text.
fn number(text: &str) -> Option<i64> {
    (!text.is_empty()).then(|| whole_number(text).unwrap_or(-1))
}

/// The number of a text with or without group separators. A separator that is not before three digits is a decimal sign.
fn whole_number(text: &str) -> Option<i64> {
    let mut groups = text.split([' ', '.', ',', '\u{a0}']);
    let begins_groups = |first: &&str| (1..=3).contains(&first.len()) && !first.starts_with('0');
    let first = groups.next().filter(|first| *first == text || begins_groups(first))?;
    groups.try_fold(first.to_owned(), |digits, group| (group.len() == 3).then(|| digits + group))?.parse().ok()
}

fn megabytes(bytes: Option<i64>) -> String {
    bytes.map(|bytes| (bytes / MEGABYTE).to_string()).unwrap_or_default()
}

impl Edits<Tenant> for Fields {
    type Patch = TenantPatch;

    fn patch(&self, stored: &Tenant) -> TenantPatch {
        let quotas = self.read(&stored.quotas);
        if quotas == stored.quotas {
            return TenantPatch::default();
        }
        let patch = |number: Option<i64>| number.map_or(Patch::Null, Patch::Value);
        let quotas = QuotasPatch {
            documents: patch(quotas.documents),
            bytes: patch(quotas.bytes),
            passages: patch(quotas.passages),
            pages: patch(quotas.pages),
            chatbots: patch(quotas.chatbots),
            questions_per_month: patch(quotas.questions_per_month),
            tokens_per_month: patch(quotas.tokens_per_month),
        };
        TenantPatch { quotas, ..TenantPatch::default() }
    }

    fn reset(&self, stored: &Tenant) {
        let text = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        let quotas = &stored.quotas;
        self.documents.set(text(quotas.documents));
        self.bytes.set(megabytes(quotas.bytes));
        self.passages.set(text(quotas.passages));
        self.pages.set(text(quotas.pages));
        self.chatbots.set(text(quotas.chatbots));
        self.questions_per_month.set(text(quotas.questions_per_month));
        self.tokens_per_month.set(text(quotas.tokens_per_month));
    }
}

#[component]
fn QuotaForm(open: RwSignal<bool>, tenant: Tenant, #[prop(into)] on_done: Callback<Tenant>) -> impl IntoView {
    let fields = Fields::new(&tenant);
    let form = Form::new(fields.all());
    let stored = RwSignal::new(tenant);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if !fields.check() {
            return focus_invalid();
        }
        let id = stored.with_untracked(|tenant| tenant.id);
        let saved = move |tenant| {
            toast(ToastKind::Success, texts::SAVED);
            open.set(false);
            on_done.run(tenant);
        };
        form.save::<GetTenant, UpdateTenant, _>(id, stored, fields, saved);
    };
    let field = |label: Text, field: Field| view! { <TextField label field optional=true /> };
    view! {
        <DialogForm open form on_submit=submit>
            <p class="ui-muted">{texts::EDIT_TEXT.t()}</p>
            {field(texts::DOCUMENTS, fields.documents)}
            <TextField label=texts::BYTES field=fields.bytes hint=texts::MEGABYTES optional=true />
            {field(texts::PASSAGES, fields.passages)}
            {field(texts::PAGES, fields.pages)}
            {field(texts::CHATBOTS, fields.chatbots)}
            <TextField
                label=texts::EDIT_QUESTIONS
                field=fields.questions_per_month
                hint=texts::MONTHLY
                optional=true
            />
            <TextField label=texts::TOKENS field=fields.tokens_per_month hint=texts::TOKENS_HINT optional=true />
        </DialogForm>
    }
}
