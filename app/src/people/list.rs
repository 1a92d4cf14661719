//! The list of people with search, filters and actions.

use contract::{
    Page,
    people::{Person, PersonListQuery, PersonRole, PersonState},
};
use leptos::{either::Either, prelude::*};

use super::{
    PeopleOf,
    actions::{Action, ActionDialog},
    edit::EditDialog,
    full_name,
    invite::InviteDialog,
    password::PasswordDialog,
    role_name, state_name, texts,
};
use crate::{
    format,
    i18n::{Localized, texts as common},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    session::Session,
    ui::{
        Badge, Button, ButtonKind, Column, EmptyState, Icon, IconName, ListPages, Menu, MenuItem, SearchField, Select,
        SkeletonTable, Table,
    },
};

/// The value of the address that opens the invitation of a tenant's first administrator.
pub const FIRST: &str = "first";

/// Context of the list's rows.
#[derive(Clone, Copy)]
struct Context {
    of: PeopleOf,
    list: ListUrl,
    may_write: bool,
    invite: RwSignal<bool>,
    /// The button that invites is the list's, not the page's.
    has_button: bool,
    first_of: RwSignal<Option<String>>,
    chosen: RwSignal<Option<(Person, Option<Action>)>>,
    open: RwSignal<bool>,
}

impl Context {
    fn invite(self) {
        self.first_of.set(None);
        self.invite.set(true);
    }

    fn choose(self, person: Person, action: Option<Action>) {
        self.chosen.set(Some((person, action)));
        self.open.set(true);
    }
}

/// A tenant's people, with search, filters and actions.
#[component]
pub fn PeopleList(
    /// The tenant whose people are listed.
    of: PeopleOf,
    /// Whether the user may change them.
    may_write: bool,
    /// The tenant's name, where its first administrator can be invited.
    #[prop(optional, into)]
    tenant_name: Option<String>,
    /// Opens the invitation, on a page that has the button for it.
    #[prop(optional)]
    invite: Option<RwSignal<bool>>,
) -> impl IntoView {
    let list = ListUrl::new("name", 25);
    let first_of = RwSignal::new(tenant_name.filter(|_| untrack(|| !list.value(FIRST).is_empty())));
    let people = Resource::new(move || {
        let (role, state) = (list.value("role").parse().ok(), list.value("state").parse().ok());
        let query = PersonListQuery { role, state, page: list.page_query() };
        of.list(query)
    });
    let closed = || RwSignal::new(false);
    let context = Context {
        of,
        list,
        may_write,
        invite: invite.unwrap_or_else(closed),
        has_button: invite.is_none(),
        first_of,
        chosen: RwSignal::new(None),
        open: closed(),
    };
    if first_of.with_untracked(Option::is_some) {
        context.invite.set(true);
        list.replace(&[(FIRST, "")]);
    }
    let credentials = RwSignal::new(None);
    let dialogs = move || {
        context.chosen.get().map(|(person, action)| match action {
            None => {
                Either::Left(view! { <EditDialog open=context.open of person on_done=move |()| people.reload() /> })
            }
            Some(action) => Either::Right(view! {
                <ActionDialog open=context.open of person action credentials on_done=move |()| people.reload() />
            }),
        })
    };
    let invite = may_write.then(|| {
        view! {
            <InviteDialog open=context.invite of first_of on_done=move |()| people.reload() />
            {dialogs}
            <PasswordDialog credentials />
        }
    });
    view! {
        <Toolbar context />
        <Loaded resource=people skeleton=|| view! { <SkeletonTable columns=5 /> } let:page>
            <Rows page context />
        </Loaded>
        {invite}
    }
}

#[component]
fn Toolbar(context: Context) -> impl IntoView {
    let list = context.list;
    let all = |text| vec![(String::new(), Localized::from(text))];
    let mut roles = all(texts::ROLE_ALL);
    roles.extend(PersonRole::ALL.iter().map(|role| (role.as_str().to_owned(), role_name(*role).into())));
    let mut states = all(texts::STATE_ALL);
    states.extend(PersonState::ALL.iter().map(|state| (state.as_str().to_owned(), state_name(*state).0.into())));
    let filter = move |label, key: &'static str, options| {
        view! {
            <Select
                label
                value=list.signal(key)
                options
                on_change=move |value: String| list.filter(key, &value)
                hide_label=true
            />
        }
    };
    let invite = (context.may_write && context.has_button).then(|| {
        view! {
            <Button kind=ButtonKind::Primary icon=IconName::Plus on_click=move |()| context.invite()>
                {texts::INVITE.t()}
            </Button>
        }
    });
    view! {
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField
                    label=texts::SEARCH
                    value=list.signal("q")
                    on_search=move |text: String| list.search(&text)
                />
                {filter(texts::ROLE, "role", roles)}
                {filter(common::STATUS, "state", states)}
            </div>
            <div class="ui-toolbar__end">{invite}</div>
        </div>
    }
}

#[component]
fn Rows(page: Page<Person>, context: Context) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    let list = context.list;
    if total == 0 {
        return Either::Left(view! { <Nothing context /> });
    }
    let rows: Vec<_> = items.into_iter().map(|person| row(person, context)).collect();
    let columns = vec![
        Column::new(common::NAME).sorted_by("name"),
        Column::new(texts::EMAIL).wide_only(),
        Column::new(texts::ROLE).sorted_by("role").wide_only(),
        Column::new(common::STATUS).sorted_by("state"),
        Column::new(texts::LAST_ACTIVE).sorted_by("last_active_at").wide_only(),
        Column::new(common::ACTIONS).without_head(),
    ];
    Either::Right(view! {
        <Table caption=texts::TITLE columns sort=list.sort() on_sort=move |sort: String| list.order(&sort)>{rows}</Table>
        <ListPages url=list total limit offset of=texts::TITLE />
    })
}

fn row(person: Person, context: Context) -> impl IntoView {
    let own_name = Session::get().username();
    let is_own = context.of == PeopleOf::Own && person.username == own_name;
    let (state, tone) = state_name(person.state);
    let role: Localized = person.role.map_or_else(|| texts::NO_ROLE.into(), |role| role_name(role).into());
    let last_active = match person.last_active_at {
        Some(at) => Either::Left(view! { <time datetime=format::machine(at)>{format::ago(at)}</time> }),
        None => Either::Right(view! { <span class="ui-muted">{texts::NEVER.t()}</span> }),
    };
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {full_name(&person)} " " {is_own.then(|| view! { <Badge>{texts::YOU.t()}</Badge> })} <br />
                <span class="ui-muted ui-small">{person.username.clone()}</span>
                <div class="ui-table__note">{role.clone()}</div>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{person.email.clone()}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{role}</td>
            <td class="ui-table__cell"><Badge tone dot=true>{state.t()}</Badge></td>
            <td class="ui-table__cell ui-table__cell--wide-only">{last_active}</td>
            <td class="ui-table__cell ui-table__cell--actions">
                {context.may_write.then(|| view! { <RowMenu person is_own context /> })}
            </td>
        </tr>
    }
}

#[component]
fn RowMenu(person: Person, is_own: bool, context: Context) -> impl IntoView {
    let trigger = || view! { <Icon name=IconName::More /> };
    let edited = person.clone();
    let items: Vec<_> = Action::of(&person, is_own)
        .into_iter()
        .map(|action| {
            let person = person.clone();
            let danger = matches!(action, Action::Remove | Action::Deactivate);
            view! {
                <MenuItem icon=action.icon() danger on_select=move |()| context.choose(person.clone(), Some(action))>
                    {action.label().t()}
                </MenuItem>
            }
        })
        .collect();
    view! {
        <Menu label=texts::ACTIONS_OF.with(&[&full_name(&person)]) end=true trigger=trigger.into()>
            <MenuItem icon=IconName::Edit on_select=move |()| context.choose(edited.clone(), None)>
                {texts::EDIT.t()}
            </MenuItem>
            {items}
        </Menu>
    }
}

#[component]
fn Nothing(context: Context) -> impl IntoView {
    let list = context.list;
    if list.is_narrowed(&["role", "state"]) {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=move |()| list.clear(&["role", "state"])>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    let text = if context.may_write { texts::EMPTY_TEXT } else { texts::EMPTY_TEXT_READ };
    Either::Right(view! { <EmptyState icon=IconName::User title=texts::EMPTY_TITLE text /> })
}
