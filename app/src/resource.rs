//! Loads data for a view: first a skeleton, then the content, which stays visible while it is reloaded, or an error
//! with a retry. Only the response to the latest request counts.

use std::{future::Future, pin::Pin};

use leptos::{html, prelude::*, task::spawn_local};

use crate::{focus_restore::FocusRestore, problem::Problem, ui::ErrorState};

/// The state of a resource.
#[derive(Debug, Clone, PartialEq)]
pub enum Load<T> {
    /// Nothing arrived yet.
    Loading,
    /// The content.
    Ready(T),
    /// Why the content is not there.
    Failed(Problem),
}

/// Something that is loaded, and again when a signal read by its source changes.
pub struct Resource<T: Send + Sync + 'static> {
    state: RwSignal<Load<T>>,
    busy: RwSignal<bool>,
    again: RwSignal<u32>,
}

impl<T: Send + Sync + 'static> Clone for Resource<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Resource<T> {}

impl<T: Send + Sync + 'static> core::fmt::Debug for Resource<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Resource")
    }
}

impl<T: Clone + Send + Sync + 'static> Resource<T> {
    /// Loads with `fetch`. Signals that `fetch` reads before its first await are tracked.
    pub fn new<Fut>(fetch: impl Fn() -> Fut + 'static) -> Self
    where
        Fut: Future<Output = Result<T, Problem>> + 'static,
    {
        let (state, busy, again) = (RwSignal::new(Load::Loading), RwSignal::new(true), RwSignal::new(0));
        let latest = StoredValue::new(0_u32);
        Effect::new(move |_| {
            again.track();
            let generation = latest.get_value() + 1;
            latest.set_value(generation);
            busy.set(true);
            let work = fetch();
            // Boxed, so that the browser's side of a task is compiled once.
            let task: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
                let result = work.await;
                if latest.try_get_value() == Some(generation) {
                    state.set(result.map_or_else(Load::Failed, Load::Ready));
                    busy.set(false);
                }
            });
            spawn_local(task);
        });
        Self { state, busy, again }
    }

    /// Loads again.
    pub fn reload(self) {
        self.again.update(|generation| *generation += 1);
    }

    /// Puts content in place that a call has just given back, without loading.
    pub fn set(self, value: T) {
        self.state.set(Load::Ready(value));
    }

    /// A part of the content, which changes only when `part` gives something else. It is loaded again with the whole.
    pub fn part<P>(self, part: impl Fn(&T) -> P + 'static) -> Resource<P>
    where
        P: Clone + PartialEq + Send + Sync + 'static,
    {
        let state = RwSignal::new(Load::Loading);
        Effect::new(move |_| {
            let now = self.state.with(|whole| match whole {
                Load::Loading => Load::Loading,
                Load::Ready(value) => Load::Ready(part(value)),
                Load::Failed(problem) => Load::Failed(problem.clone()),
            });
            if state.with_untracked(|before| *before != now) {
                state.set(now);
            }
        });
        Resource { state, busy: self.busy, again: self.again }
    }

    /// The content, when it is there; tracked.
    pub fn get(self) -> Option<T> {
        self.state.with(|state| match state {
            Load::Ready(value) => Some(value.clone()),
            _ => None,
        })
    }

    /// Whether a request is under way; tracked.
    pub fn is_busy(self) -> bool {
        self.busy.get()
    }

    /// The state, tracked.
    pub fn state(self) -> Load<T> {
        self.state.get()
    }
}

/// Shows a resource: `skeleton` at first, an error with a retry, else the children with the content.
#[component]
pub fn Loaded<T, F, V>(
    /// The resource to show.
    resource: Resource<T>,
    /// The placeholder of the first load.
    #[prop(into)]
    skeleton: ViewFn,
    /// Without space between the parts of the content, for a whole page.
    #[prop(optional)]
    plain: bool,
    /// Builds the view of the content.
    children: F,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    F: Fn(T) -> V + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let frame = NodeRef::<html::Div>::new();
    let body = move || {
        let state = resource.state();
        // The old content is still shown.
        if let Some(focus) = frame.get_untracked().and_then(|frame| FocusRestore::capture(frame.into())) {
            focus.restore();
        }
        match state {
            Load::Loading => skeleton.run().into_any(),
            Load::Ready(value) => children(value).into_any(),
            Load::Failed(problem) => {
                view! { <ErrorState problem=problem on_retry=Callback::new(move |()| resource.reload()) /> }.into_any()
            }
        }
    };
    let class = if plain { "ui-loaded" } else { "ui-loaded ui-stack" };
    view! {
        <div class=class tabindex="-1" node_ref=frame aria-busy=move || resource.is_busy().to_string()>{body}</div>
    }
}
