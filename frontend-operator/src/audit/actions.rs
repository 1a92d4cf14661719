//! Names of rows, actions, entity types and roles of the audit log in the console's language.

use app::{
    audit_log::{self, Area, Sentence},
    i18n::{self, Language, Localized, modules},
    ui::OptionGroup,
};
use contract::audit::AuditRow;

/// The name of an action; the action itself when it is unknown.
pub(super) fn meaning(action: &str) -> Localized {
    audit_log::action(action).map_or_else(|| action.into(), |action| action.label.into())
}

/// The name of an entity type; its value when it is unknown.
pub(super) fn kind(entity_type: &str) -> Localized {
    audit_log::kind(entity_type).map_or_else(|| entity_type.into(), |kind| kind.label.into())
}

/// The name of a role; its value when it is unknown.
pub(super) fn role(actor_role: &str) -> Localized {
    audit_log::role(actor_role).map_or_else(|| actor_role.into(), Localized::from)
}

/// The sentence of a row: “hanna changed the branding of Bakery helper”.
pub(super) fn sentence(row: &AuditRow) -> Localized {
    let sentence = Sentence::of(row);
    let name = sentence.name.as_deref().map(|name| localized_name(row, name));
    Localized::new(move || {
        let name = name.as_ref().map(Localized::get);
        sentence.text(is_german(), name.as_deref())
    })
}

/// The name of the thing that a row is about.
pub(super) fn thing(row: &AuditRow) -> Option<Localized> {
    audit_log::thing(row).map(|name| localized_name(row, &name))
}

/// The platform's own modules have names in both languages.
fn localized_name(row: &AuditRow, name: &str) -> Localized {
    match row.entity_type.as_str() {
        "module" | "tenant_module" => modules::localized(name),
        _ => name.into(),
    }
}

/// Whether the console is in German, tracked.
pub(super) fn is_german() -> bool {
    i18n::current() == Language::German
}

/// Every action to choose from, by area.
pub(super) fn action_groups() -> Vec<OptionGroup> {
    let of =
        |area: Area| area.actions().map(|action| (action.code.to_owned(), action.label.into())).collect::<Vec<_>>();
    Area::ALL.map(|area| (area.label().into(), of(area))).to_vec()
}

/// Every kind of things to choose from, by area.
pub(super) fn kind_groups() -> Vec<OptionGroup> {
    let of = |area: Area| area.kinds().map(|kind| (kind.code.to_owned(), kind.label.into())).collect::<Vec<_>>();
    Area::ALL.map(|area| (area.label().into(), of(area))).to_vec()
}
