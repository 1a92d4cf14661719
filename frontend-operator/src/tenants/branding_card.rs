//! A summary of one tenant's branding; operators only, as in the API.

use app::{
    api,
    i18n::{Localized, texts as common},
    resource::{Loaded, Resource},
    ui::{Banner, ButtonLink, Card, DefinitionItem, DefinitionList, IconName, Skeleton, Tone},
};
use contract::{
    TenantId,
    branding::{GetOperatorBranding, TenantBranding},
};
use leptos::{either::Either, prelude::*};

use crate::{
    paths,
    texts::{self as console, tenants as texts},
};

/// The branding of one tenant at a glance.
#[component]
pub(super) fn BrandingCard(tenant_id: TenantId) -> impl IntoView {
    let branding = Resource::new(move || async move { api::call::<GetOperatorBranding>(&tenant_id, &(), &()).await });
    let edit = move || {
        view! {
            <ButtonLink href=paths::tenant_branding(tenant_id) small=true icon=IconName::Palette>
                {texts::BRANDING_EDIT.t()}
            </ButtonLink>
        }
    };
    view! {
        <Card title=texts::BRANDING actions=edit>
            <Loaded resource=branding skeleton=|| view! { <Skeleton lines=4 /> } let:branding>
                <Summary branding />
            </Loaded>
        </Card>
    }
}

#[component]
fn Summary(branding: TenantBranding) -> impl IntoView {
    let TenantBranding { fields, custom_css, allowed_origins, .. } = branding;
    let colours: Vec<_> = [fields.primary_color, fields.accent_color, fields.background_color, fields.text_color]
        .into_iter()
        .flatten()
        .map(|colour| view! { <span class="ui-chip ui-mono">{colour}</span> })
        .collect();
    let colours = match colours.is_empty() {
        true => Either::Left(texts::COLOURS_DEFAULT.t()),
        false => Either::Right(view! { <span class="ui-chips">{colours}</span> }),
    };
    let css = match custom_css {
        Some(css) => texts::CUSTOM_CSS_SET.with(&[&css.len().to_string()]),
        None => common::NONE.into(),
    };
    let is_silent = allowed_origins.is_empty();
    let origins = allowed_origins.into_iter().map(|origin| view! { <span class="ui-chip ui-mono">{origin}</span> });
    view! {
        {is_silent.then(|| view! { <Banner tone=Tone::Warning>{texts::NO_ORIGINS.t()}</Banner> })}
        <DefinitionList>
            <DefinitionItem term=console::HEADER_TITLE>
                {fields.header_title.or(fields.display_name).map_or_else(|| common::NONE.into(), Localized::from)}
            </DefinitionItem>
            <DefinitionItem term=texts::COLOURS>{colours}</DefinitionItem>
            <DefinitionItem term=texts::ORIGINS>
                <span class="ui-chips">{origins.collect_view()}</span>
            </DefinitionItem>
            <DefinitionItem term=texts::CUSTOM_CSS>{css}</DefinitionItem>
        </DefinitionList>
    }
}
