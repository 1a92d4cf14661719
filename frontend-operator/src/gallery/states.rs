//! Loading, empty and error states, and all icons.

use app::{
    problem::Problem,
    ui::{
        Banner, Button, ButtonKind, EmptyState, ErrorState, Failure, Icon, IconName, Skeleton, SkeletonCards,
        SkeletonTable, Spinner, Tone,
    },
};
use contract::ErrorCode;
use leptos::prelude::*;

use super::Section;

#[component]
pub(super) fn States() -> impl IntoView {
    let problem = Problem {
        body: ErrorCode::ServiceUnavailable.into(),
        request_id: Some("01890a5d-ac96-774b-bcce-b302099a8057".to_owned()),
    };
    let failure = RwSignal::new(Some(problem.clone()));
    let icons = IconName::ALL.iter().map(|name| view! { <Icon name=*name /> }).collect_view();
    view! {
        <Section title="Banners">
            <Banner>"Good to know, in a sentence."</Banner>
            <Banner tone=Tone::Success title="Done.">"It worked."</Banner>
            <Banner tone=Tone::Warning title="Careful.">"Something needs attention."</Banner>
            <Banner tone=Tone::Danger title="Wrong.">"Something failed."</Banner>
            <Failure failure />
        </Section>
        <Section title="Loading">
            <div class="ui-gallery__row"><Spinner label="Loading" /><Spinner label="Loading" large=true /></div>
            <Skeleton />
            <SkeletonTable rows=3 />
            <SkeletonCards />
        </Section>
        <Section title="Empty and wrong">
            <EmptyState icon=IconName::Inbox title="Nothing here yet" text="What it is for and what to do.">
                <Button kind=ButtonKind::Primary>"Create one"</Button>
            </EmptyState>
            <EmptyState icon=IconName::Check title="All clear" text="Nothing needs attention." compact=true />
            <ErrorState problem on_retry=|()| {} />
        </Section>
        <Section title="Icons">
            <div class="ui-gallery__row">{icons}</div>
        </Section>
    }
}
