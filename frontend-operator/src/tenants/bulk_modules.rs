//! Assigns modules to every selected tenant, one call after the other, with progress. Tenants that the API refuses stay
//! selected.

use app::{
    api,
    form::Field,
    i18n::{Localized, modules::localized, texts as common},
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{
        Banner, Button, ButtonKind, Checkbox, Choice, Dialog, RadioCards, Skeleton, TextField, ToastKind, Tone, toast,
    },
};
use contract::{
    ModuleId, TenantId,
    modules::{
        AssignPlatformTenantModules, ListModules, Module, ModuleAssignment, ModuleListQuery, ModuleToggle,
        SetTenantModule,
    },
    page::PageQuery,
};
use leptos::prelude::*;

use super::selection::Selection;
use crate::texts::bulk as texts;

const ON: &str = "on";
const OFF: &str = "off";
const EXACTLY: &str = "exactly";

/// Asks which modules to enable or disable, then does it for every selected tenant.
#[component]
pub(super) fn AssignModules(
    open: RwSignal<bool>,
    selection: Selection,
    /// Called when something changed.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    view! {
        <Dialog open title=texts::ASSIGN>
            <Content open selection on_done />
        </Dialog>
    }
}

/// The choice in the dialog, and the progress.
#[derive(Clone, Copy)]
struct Work {
    selection: Selection,
    /// How many tenants are changed; the selection shrinks during the work.
    count: RwSignal<usize>,
    chosen: RwSignal<Vec<ModuleId>>,
    mode: RwSignal<String>,
    typed: Field,
    done: RwSignal<usize>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<Localized>>,
}

impl Work {
    fn new(selection: Selection) -> Self {
        Self {
            selection,
            count: RwSignal::new(untrack(|| selection.len())),
            chosen: RwSignal::new(Vec::new()),
            mode: RwSignal::new(ON.to_owned()),
            typed: Field::new("count", ""),
            done: RwSignal::new(0),
            busy: RwSignal::new(false),
            failure: RwSignal::new(None),
        }
    }

    /// Whether the count is typed, tracked.
    fn is_confirmed(self) -> bool {
        self.typed.get().trim() == self.count.get().to_string()
    }

    /// Why it cannot begin.
    fn refusal(self) -> Option<Localized> {
        let is_empty = self.chosen.with_untracked(Vec::is_empty);
        let needs_one = self.mode.with_untracked(|mode| mode != EXACTLY);
        (is_empty && needs_one).then(|| texts::CHOOSE_ONE.into())
    }

    fn run(self, open: RwSignal<bool>, on_done: Callback<()>) {
        self.failure.set(self.refusal());
        if self.failure.with_untracked(Option::is_some) || self.busy.get_untracked() {
            return;
        }
        self.done.set(0);
        let count = self.count.get_untracked();
        spawn_on_page(self.busy, self.assign_all(), move |result| {
            on_done.run(());
            match result {
                Ok(()) => {
                    open.set(false);
                    toast(ToastKind::Success, texts::ASSIGNED.with(&[&count.to_string()]));
                }
                Err(problem) => self.show_problem(&problem, count),
            }
        });
    }

    /// Processes all tenants even if some are refused; returns the first error.
    async fn assign_all(self) -> Result<(), Problem> {
        let (mode, modules) = (self.mode.get_untracked(), self.chosen.get_untracked());
        let mut first = None;
        for (id, _) in self.selection.all() {
            match assign(id, &mode, &modules).await {
                Ok(()) => self.selection.remove(id),
                Err(problem) => drop(first.get_or_insert(problem)),
            }
            // The page may be gone: stop.
            if self.done.try_update(|done| *done += 1).is_none() {
                break;
            }
        }
        first.map_or(Ok(()), Err)
    }

    fn show_problem(self, problem: &Problem, count: usize) {
        let remaining = untrack(|| self.selection.len());
        let [remaining_text, all] = [remaining, count].map(|count| Localized::from(count.to_string()));
        let text = texts::SOME_FAILED.with_localized([remaining_text, all, problem.sentence()]);
        self.count.set(remaining);
        self.typed.set("");
        self.failure.set(Some(text));
    }
}

async fn assign(id: TenantId, mode: &str, modules: &[ModuleId]) -> Result<(), Problem> {
    if mode == EXACTLY {
        let body = ModuleAssignment { module_ids: modules.to_vec() };
        return api::call::<AssignPlatformTenantModules>(&id, &(), &body).await.map(drop);
    }
    let toggle = ModuleToggle { enabled: mode == ON };
    for module in modules {
        api::call::<SetTenantModule>(&(id, module.clone()), &(), &toggle).await?;
    }
    Ok(())
}

#[component]
fn Content(open: RwSignal<bool>, selection: Selection, on_done: Callback<()>) -> impl IntoView {
    let work = Work::new(selection);
    let modules = Resource::new(|| async {
        let page = PageQuery { sort: Some("position".to_owned()), limit: 200, ..PageQuery::default() };
        let page = api::call::<ListModules>(&(), &ModuleListQuery { page }, &()).await?;
        Ok(page.items.into_iter().filter(|module| !module.is_always_on).collect::<Vec<_>>())
    });
    // The tenants that are left when others were changed.
    let text = move || {
        work.count.track();
        let text = texts::ASSIGN_TEXT.with_localized([untrack(|| selection.count()), selection.names()]);
        view! { <p>{text}</p> }
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        work.run(open, on_done);
    };
    let progress = move || {
        let (done, count) = (work.done.get(), work.count.get());
        work.busy.get().then(|| {
            let text = texts::PROGRESS.with(&[&done.to_string(), &count.to_string()]);
            view! { <progress class="ui-progress" max=count value=done aria-label=text.clone()></progress> <p>{text}</p> }
        })
    };
    let failure = move || work.failure.get().map(|text| view! { <Banner tone=Tone::Danger>{text}</Banner> });
    view! {
        <form class="ui-dialog__form" novalidate on:submit=submit>
            <div class="ui-dialog__body">
                {text}
                <Loaded resource=modules skeleton=|| view! { <Skeleton lines=4 /> } let:modules>
                    <Modules modules work />
                </Loaded>
                <Modes work />
                <TypedCount work />
                {failure}
                <div role="status">{progress}</div>
            </div>
            <footer class="ui-dialog__footer">
                <Button on_click=move |()| open.set(false)>{common::CANCEL.t()}</Button>
                <Button
                    kind=ButtonKind::Primary
                    submit=true
                    busy=work.busy
                    disabled=Signal::derive(move || !work.is_confirmed())
                >
                    {texts::APPLY.t()}
                </Button>
            </footer>
        </form>
    }
}

#[component]
fn TypedCount(work: Work) -> impl IntoView {
    let label = Localized::new(move || common::TYPE_TO_CONFIRM.with(&[&work.count.get().to_string()]).get());
    view! { <TextField label field=work.typed mono=true disabled=work.busy /> }
}

#[component]
fn Modules(modules: Vec<Module>, work: Work) -> impl IntoView {
    let boxes: Vec<_> = modules
        .into_iter()
        .map(|module| {
            let (id, own) = (module.id.clone(), module.id);
            let checked = Signal::derive(move || work.chosen.with(|chosen| chosen.contains(&own)));
            let change = move |checked: bool| {
                work.chosen.update(|chosen| {
                    chosen.retain(|other| *other != id);
                    if checked {
                        chosen.push(id.clone());
                    }
                });
            };
            view! { <Checkbox label=localized(&module.name) checked on_change=change disabled=work.busy /> }
        })
        .collect();
    view! {
        <fieldset class="ui-choices">
            <legend class="ui-field__label">{texts::MODULES_LEGEND.t()}</legend>
            {boxes}
        </fieldset>
    }
}

#[component]
fn Modes(work: Work) -> impl IntoView {
    let choice = |value: &str, title: app::i18n::Text, text: app::i18n::Text| Choice {
        value: value.to_owned(),
        title: title.into(),
        text: text.into(),
    };
    let choices = vec![
        choice(ON, texts::MODE_ON, texts::MODE_ON_TEXT),
        choice(OFF, texts::MODE_OFF, texts::MODE_OFF_TEXT),
        choice(EXACTLY, texts::MODE_EXACTLY, texts::MODE_EXACTLY_TEXT),
    ];
    view! {
        <RadioCards
            legend=texts::MODE
            choices
            value=work.mode
            on_change=move |mode: String| work.mode.set(mode)
        />
    }
}
