//! The installation check: what is fine, what is not, and what to do. The server returns it in the console's language.

use app::{
    api,
    i18n::{self, Language, Text},
    resource::{Loaded, Resource},
    ui::{Badge, Banner, Button, Card, CodeBlock, Column, IconName, PageHeader, SkeletonTable, Table, Tone},
};
use contract::system_check::{
    CheckStatus, CheckSystem, ReportLanguage, SystemArea, SystemCheck, SystemCheckQuery, SystemReport,
};
use leptos::prelude::*;

use crate::{
    cells::time,
    texts::{self as console, system_check as texts},
};

/// The check of the installation.
#[component]
pub(crate) fn SystemCheckPage() -> impl IntoView {
    let report = Resource::new(move || {
        let language = match i18n::current() {
            Language::English => ReportLanguage::English,
            Language::German => ReportLanguage::German,
        };
        async move { api::call::<CheckSystem>(&(), &SystemCheckQuery { language: Some(language) }, &()).await }
    });
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE>
            <Button icon=IconName::Refresh on_click=move |()| report.reload()>{console::RELOAD.t()}</Button>
        </PageHeader>
        <Loaded resource=report skeleton=|| view! { <SkeletonTable rows=12 columns=3 /> } let:report>
            <Report report />
        </Loaded>
    }
}

#[component]
fn Report(report: SystemReport) -> impl IntoView {
    let SystemReport { checked_at, version, status, checks } = report;
    let (tone, title) = match status {
        CheckStatus::Failed => (Tone::Danger, texts::SOME_FAILED),
        CheckStatus::Warning => (Tone::Warning, texts::SOME_WARNINGS),
        _ => (Tone::Success, texts::ALL_WELL),
    };
    let areas = SystemArea::ALL.iter().copied().map(|area| {
        let of_area: Vec<_> = checks.iter().filter(|check| check.area == area).cloned().collect();
        (!of_area.is_empty()).then(|| view! { <Area area checks=of_area /> })
    });
    let areas: Vec<_> = areas.collect();
    view! {
        <Banner tone title>{texts::VERSION.t()} " " {version} " · " {time(checked_at)}</Banner>
        {areas}
        <Card title=texts::COMMAND_TITLE>
            <p>{texts::COMMAND_TEXT.t()}</p>
            <CodeBlock label=texts::COMMAND_TITLE code="server doctor --admin".to_owned() />
        </Card>
    }
}

#[component]
fn Area(area: SystemArea, checks: Vec<SystemCheck>) -> impl IntoView {
    let title = match area {
        SystemArea::Database => texts::DATABASE,
        SystemArea::Identity => texts::IDENTITY,
        SystemArea::Keycloak => texts::KEYCLOAK,
        SystemArea::Models => texts::MODELS,
        SystemArea::Services => texts::SERVICES,
        SystemArea::Network => texts::NETWORK,
        SystemArea::Machine => texts::MACHINE,
    };
    let columns = vec![Column::new(texts::STATUS), Column::new(texts::CHECK), Column::new(texts::FINDING)];
    let rows: Vec<_> = checks.into_iter().map(row).collect();
    view! {
        <Card title flush=true>
            <Table caption=title columns>{rows}</Table>
        </Card>
    }
}

fn row(check: SystemCheck) -> impl IntoView {
    let SystemCheck { status, subject, title, finding, remedy, .. } = check;
    let (tone, word) = badge(status);
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-nowrap"><Badge tone dot=true>{word.t()}</Badge></td>
            <td class="ui-table__cell ui-table__cell--main">
                {title} {subject.map(|subject| view! { <br /> <span class="ui-muted ui-small">{subject}</span> })}
            </td>
            <td class="ui-table__cell">
                {finding} {remedy.map(|remedy| view! { <br /> <span class="ui-muted ui-small">{remedy}</span> })}
            </td>
        </tr>
    }
}

const fn badge(status: CheckStatus) -> (Tone, Text) {
    match status {
        CheckStatus::Ok => (Tone::Success, texts::OK),
        CheckStatus::NotChecked => (Tone::Neutral, texts::NOT_CHECKED),
        CheckStatus::Warning => (Tone::Warning, texts::WARNING),
        CheckStatus::Failed => (Tone::Danger, texts::FAILED),
    }
}
