//! Checks one page: converts its address to an origin, compares it with the list and the platform's settings, and then
//! waits for the page's own widget. Neither the platform nor this console fetches the page.

mod probe;

use app::{
    api,
    branding::{origin_of, with_scheme},
    form::{Field, Form, FormError},
    resource::Resource,
    ui::{Badge, Button, ButtonKind, Card, DefinitionItem, DefinitionList, Link, TextField, Tone},
};
use contract::{
    ChatbotId,
    embed::{EmbedOrigin, EmbedReport, EmbedReportQuery, GetEmbedReport},
};
use leptos::prelude::*;

use self::probe::{ProbeStatus, WidgetProbe};
use super::{allow::Allow, labels};
use crate::texts::doctor as texts;

/// A page that is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Checked {
    address: String,
    origin: String,
    is_allowed: bool,
    is_covered: bool,
}

#[component]
pub(crate) fn CheckCard(
    id: ChatbotId,
    /// The report next to it, reloaded after a new request.
    report: Resource<EmbedReport>,
) -> impl IntoView {
    let address = Field::new("origin", "");
    let form = Form::new([address]);
    let checked = RwSignal::new(None::<Checked>);
    let probe = WidgetProbe::new(id, report);
    let check = move || {
        let typed = address.trimmed();
        let Some(origin) = origin_of(&typed) else {
            address.set_error(texts::NO_ADDRESS);
            app::form::focus_invalid();
            return;
        };
        let call = move |query| async move { api::call::<GetEmbedReport>(&id, &query, &()).await };
        let query = EmbedReportQuery { origin: Some(origin.clone()) };
        form.send(query, call, move |report| {
            checked.set(page(&with_scheme(&typed), &origin, &report));
            probe.begin(&origin, origin_report(&report, &origin));
        });
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        check();
    };
    let again = Callback::new(move |()| {
        check();
        report.reload();
    });
    view! {
        <Card title=texts::CHECK>
            <p class="ui-muted">{texts::CHECK_TEXT.t()}</p>
            <form class="ui-form" novalidate on:submit=submit>
                <TextField label=texts::ADDRESS field=address mono=true placeholder="https://www.example.com/help" />
                <FormError form />
                <div class="ui-form__actions">
                    <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::CHECK_ACTION.t()}</Button>
                </div>
            </form>
            {move || checked.get().map(|checked| view! { <Findings checked probe again /> })}
        </Card>
    }
}

fn page(address: &str, origin: &str, report: &EmbedReport) -> Option<Checked> {
    let settings = report.asked.as_ref()?;
    let (is_allowed, is_covered) = (settings.is_allowed, settings.is_covered);
    Some(Checked { address: address.to_owned(), origin: origin.to_owned(), is_allowed, is_covered })
}

fn origin_report(report: &EmbedReport, origin: &str) -> Option<EmbedOrigin> {
    report.origins.iter().find(|of| of.origin.as_deref() == Some(origin)).cloned()
}

#[component]
fn Findings(checked: Checked, probe: WidgetProbe, again: Callback<()>) -> impl IntoView {
    let Checked { address, origin, is_allowed, is_covered } = checked;
    let badge = |good: bool, yes: app::i18n::Text, no: app::i18n::Text| {
        let (tone, text) = if good { (Tone::Success, yes) } else { (Tone::Danger, no) };
        view! { <Badge tone dot=true>{text.t()}</Badge> }
    };
    let allow = (!is_allowed).then(|| view! { <Allow origin=origin.clone() on_allowed=again /> });
    let operator = (!is_covered).then(|| view! { <p class="ui-muted ui-small">{texts::COVERED_NO_TEXT.t()}</p> });
    let last = move || match probe.last_request() {
        None => view! { <span class="ui-muted">{texts::SEEN_NEVER.t()}</span> }.into_any(),
        Some(of) => {
            let (tone, state, _) = labels::state(&of);
            view! { <Badge tone dot=true>{state.t()}</Badge> }.into_any()
        }
    };
    let label = texts::RESULT.with(&[&origin]);
    view! {
        <section class="ui-stack" aria-label=label>
            <DefinitionList>
                <DefinitionItem term=texts::ALLOWED>
                    {badge(is_allowed, texts::ALLOWED_YES, texts::ALLOWED_NO)}
                </DefinitionItem>
                <DefinitionItem term=texts::COVERED>
                    {badge(is_covered, texts::COVERED_YES, texts::COVERED_NO)}
                </DefinitionItem>
                <DefinitionItem term=texts::SEEN>{last}</DefinitionItem>
            </DefinitionList>
            {allow}
            {operator}
            <p><Link href=address external=true>{texts::OPEN.t()}</Link></p>
            <ProbeStatus probe origin />
        </section>
    }
}
