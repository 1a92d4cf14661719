//! One template, as tenants see it.

use app::{
    api, format,
    i18n::{languages, texts as common},
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{Badge, Card, Crumb, DefinitionItem, DefinitionList, PageHeader, Skeleton, Tone},
};
use contract::{
    ErrorCode, TemplateId,
    templates::{GetTemplate, Template},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{
    actions::TemplateActions,
    content::TemplateContentCards,
    history::HistoryCard,
    list::{Adoption, adoption, status_badge, used},
};
use crate::{
    paths,
    texts::{self, overview},
};

/// One template, by the id in the address.
#[component]
pub(crate) fn TemplatePage() -> impl IntoView {
    let params = use_params_map();
    let id = move || params.with(|params| params.get_str("id").and_then(|id| id.parse::<TemplateId>().ok()));
    let template = Resource::new(move || {
        let id = id();
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::TemplateNotFound))?;
            api::call::<GetTemplate>(&id, &(), &()).await
        }
    });
    let adoption = adoption();
    view! {
        <Loaded resource=template skeleton=|| view! { <Skeleton lines=10 /> } let:content>
            <Content template=content resource=template adoption />
        </Loaded>
    }
}

#[component]
fn Content(template: Template, resource: Resource<Template>, adoption: Adoption) -> impl IntoView {
    let (actions, history) = (template.clone(), template.id.clone());
    let Template { id, language, status, version, content, created_at, updated_at } = template;
    let (own, counted) = (id.clone(), id.clone());
    let crumbs = vec![Crumb::link(texts::TEMPLATES, paths::TEMPLATES), Crumb::here(content.name.clone())];
    view! {
        <PageHeader title=content.name.clone() subtitle=content.description.clone() crumbs>
            <TemplateActions template=actions resource />
        </PageHeader>
        <div class="ui-grid ui-grid--two">
        <Card title=texts::DETAILS>
            <DefinitionList>
                <DefinitionItem term=texts::TEMPLATE_ID><span class="ui-mono">{id.to_string()}</span></DefinitionItem>
                <DefinitionItem term=common::STATUS>{status_badge(status)}</DefinitionItem>
                <DefinitionItem term=texts::TEMPLATE_LANGUAGE>{languages::name(&language)}</DefinitionItem>
                <DefinitionItem term=texts::TEMPLATE_VERSION>{version}</DefinitionItem>
                <DefinitionItem term=texts::CHATBOTS>{move || chatbots(adoption, &counted)}</DefinitionItem>
                <DefinitionItem term=common::CREATED>{format::date_time(created_at)}</DefinitionItem>
                <DefinitionItem term=common::UPDATED>{format::date_time(updated_at)}</DefinitionItem>
            </DefinitionList>
        </Card>
        <HistoryCard id=history version />
        </div>
        <TemplateContentCards id=own content />
    }
}

/// How many chatbots use the template, and how many of them have an older version.
fn chatbots(adoption: Adoption, id: &TemplateId) -> impl IntoView + use<> {
    used(adoption, id).map(|(chatbots, behind)| {
        let behind = (behind > 0).then(|| overview::BEHIND_NEWEST.with_localized([format::number(behind)]));
        let behind = behind.map(|text| view! { " " <Badge tone=Tone::Warning>{text}</Badge> });
        view! { {format::number(chatbots)} {behind} }
    })
}
