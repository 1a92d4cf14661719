//! The entries of the console's navigation.

use app::{
    api,
    resource::{Load, Resource},
    ui::{IconName, NavItem},
};
use contract::{
    modules::KNOWLEDGE_HUB,
    tenants::{GetOwnTenant, TenantSelfQuery},
};
use leptos::prelude::*;

use crate::{paths, texts};

/// The knowledge hub's entry, for tenants that have it.
const HUB: NavItem = NavItem { href: paths::KNOWLEDGE, label: texts::KNOWLEDGE, icon: IconName::Book };
const HUB_PLACE: usize = 2;

const NAVIGATION: [NavItem; 9] = [
    NavItem { href: paths::HOME, label: texts::OVERVIEW, icon: IconName::Home },
    NavItem { href: paths::CHATBOTS, label: texts::CHATBOTS, icon: IconName::Chatbot },
    NavItem { href: paths::CONVERSATIONS, label: texts::CONVERSATIONS, icon: IconName::Inbox },
    NavItem { href: paths::BRANDING, label: texts::BRANDING, icon: IconName::Palette },
    NavItem { href: paths::MODULES, label: texts::MODULES, icon: IconName::Tiles },
    NavItem { href: paths::USAGE, label: app::usage::texts::TITLE, icon: IconName::Columns },
    NavItem { href: paths::PEOPLE, label: app::people::texts::TITLE, icon: IconName::People },
    NavItem { href: paths::API_KEYS, label: texts::API_KEYS, icon: IconName::Code },
    NavItem { href: paths::PREFERENCES, label: texts::PREFERENCES, icon: IconName::Sliders },
];

/// The navigation, for the palette.
#[derive(Clone, Copy)]
pub(crate) struct Navigation(pub(crate) Signal<Vec<NavItem>>);

/// The navigation. The entries after the knowledge hub appear when it is known whether the tenant has it, so that no
/// entry moves under a pointer.
pub(crate) fn navigation() -> Signal<Vec<NavItem>> {
    let tenant = Resource::new(|| async { api::call::<GetOwnTenant>(&(), &TenantSelfQuery::default(), &()).await });
    Signal::derive(move || {
        let mut items = NAVIGATION.to_vec();
        if matches!(tenant.state(), Load::Loading) {
            items.truncate(HUB_PLACE);
        }
        let has_hub =
            tenant.get().is_some_and(|tenant| tenant.enabled_modules.iter().any(|id| id.as_str() == KNOWLEDGE_HUB));
        if has_hub {
            items.insert(HUB_PLACE, HUB);
        }
        items
    })
}
