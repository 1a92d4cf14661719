//! The entries of the console's navigation.

use app::{
    session::Session,
    ui::{IconName, NavItem},
};

use crate::{paths, texts};

/// The navigation of operators.
const NAVIGATION: [NavItem; 8] = [
    NavItem { href: paths::HOME, label: texts::OVERVIEW, icon: IconName::Home },
    NavItem { href: paths::TENANTS, label: texts::TENANTS, icon: IconName::Tenant },
    NavItem { href: paths::TEMPLATES, label: texts::TEMPLATES, icon: IconName::Template },
    NavItem { href: paths::MODULES, label: texts::ENABLED_MODULES, icon: IconName::Tiles },
    NavItem { href: paths::AUDIT, label: texts::AUDIT, icon: IconName::Audit },
    NavItem { href: paths::OUTPUT_FILTER, label: texts::output_filter::TITLE, icon: IconName::Shield },
    NavItem { href: paths::VENDOR_ACCESS, label: texts::vendor_access::TITLE, icon: IconName::Key },
    NavItem { href: paths::SYSTEM_CHECK, label: texts::system_check::TITLE, icon: IconName::Pulse },
];

/// The navigation of the signed-in user. Vendors cannot read the log of their own sign-ins or check the installation.
pub(crate) fn navigation(session: Session) -> Vec<NavItem> {
    let may_see =
        |item: &NavItem| session.is_operator() || ![paths::VENDOR_ACCESS, paths::SYSTEM_CHECK].contains(&item.href);
    NAVIGATION.into_iter().filter(may_see).collect()
}
