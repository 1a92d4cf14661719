//! Preferences: theme and language, and the user's identity.

use app::{
    api,
    i18n::{self, Language, Localized, texts as shared},
    resource::{Loaded, Resource},
    session::Session,
    theme::ThemeChoice,
    ui::{Card, Choice, DefinitionItem, DefinitionList, PageHeader, RadioCards, Skeleton},
};
use contract::{
    preferences::Theme,
    tenants::{GetOwnTenant, TenantSelfQuery},
};
use leptos::prelude::*;

use crate::texts::{self as console, preferences as texts};

/// Theme and language, and who the user is here.
#[component]
pub(crate) fn PreferencesPage() -> impl IntoView {
    view! {
        <PageHeader title=console::PREFERENCES subtitle=texts::SUBTITLE />
        <div class="ui-grid ui-grid--two">
            <LookCard />
            <WhoCard />
        </div>
    }
}

#[component]
fn LookCard() -> impl IntoView {
    let theme = ThemeChoice::get();
    let themes =
        [(Theme::Light, shared::THEME_LIGHT), (Theme::Dark, shared::THEME_DARK), (Theme::Auto, shared::THEME_AUTO)];
    let choices = themes
        .into_iter()
        .map(|(theme, title)| Choice { value: theme.as_str().into(), title: title.into(), text: Localized::default() })
        .collect();
    let chosen = Signal::derive(move || theme.theme().as_str().to_owned());
    let choose = Callback::new(move |value: String| {
        if let Some((chosen, ..)) = themes.into_iter().find(|(theme, ..)| theme.as_str() == value) {
            theme.show(chosen);
            ThemeChoice::keep(chosen);
        }
    });
    view! {
        <Card title=texts::LOOK>
            <RadioCards legend=shared::THEME choices value=chosen on_change=choose />
            <p class="ui-muted ui-small">{texts::THEME_NOTE.t()}</p>
            <LanguageCards />
            <p class="ui-muted ui-small">{texts::LANGUAGE_NOTE.t()}</p>
        </Card>
    }
}

#[component]
fn LanguageCards() -> impl IntoView {
    let choices = Language::ALL
        .into_iter()
        .map(|language| Choice {
            value: language.code().to_owned(),
            title: language.name().into(),
            text: match language {
                Language::English => shared::LANGUAGE_EN.into(),
                Language::German => shared::LANGUAGE_DE.into(),
            },
        })
        .collect();
    let choose = Callback::new(move |code: String| {
        if let Some(language) = Language::ALL.into_iter().find(|language| language.code() == code) {
            i18n::switch(language);
        }
    });
    let chosen = Signal::derive(|| i18n::current().code().to_owned());
    view! { <RadioCards legend=shared::LANGUAGE choices value=chosen on_change=choose /> }
}

#[component]
fn WhoCard() -> impl IntoView {
    let session = Session::get();
    let tenant = Resource::new(|| async { api::call::<GetOwnTenant>(&(), &TenantSelfQuery::default(), &()).await });
    let meaning = if session.is_tenant_admin() { texts::ROLE_ADMIN } else { texts::ROLE_VIEWER };
    view! {
        <Card title=texts::WHO>
            <Loaded resource=tenant skeleton=|| view! { <Skeleton lines=4 /> } let:tenant>
                <DefinitionList>
                    <DefinitionItem term=texts::USERNAME>{session.username()}</DefinitionItem>
                    <DefinitionItem term=texts::ROLE>
                        <code>{session.role()}</code>
                        <p class="ui-muted ui-small">{meaning.t()}</p>
                    </DefinitionItem>
                    <DefinitionItem term=texts::TENANT>{tenant.display_name}</DefinitionItem>
                    <DefinitionItem term=shared::SLUG><code>{tenant.slug}</code></DefinitionItem>
                </DefinitionList>
            </Loaded>
        </Card>
    }
}
