//! Tables, lists, cards, tabs and wizards.

use app::{
    format,
    i18n::{Localized, Text},
    list_url::ListUrl,
    ui::{
        Avatar, Badge, Breadcrumbs, Button, Card, CodeBlock, Column, ColumnChoice, ColumnMenu, Crumb, DayKind, DayMood,
        DayPlot, DayRange, DayValues, DefinitionItem, DefinitionList, IconName, ListPages, LocalPages, Neighbours,
        Pagination, Prose, RangeSwitch, SectionLink, SectionNav, SkeletonPlot, SkeletonPlots, StatCard, StepButtons,
        Stepper, StepperState, Steps, TabPanel, Table, Tabs, Tone,
    },
};
use leptos::prelude::*;

use super::Section;

const ANSWER: &str = "Paste **one line** before `</body>`:\n\n1. Open *Embed*.\n2. Copy the [snippet](https://example.com/).\n\n\
                      ```\n<script src=\"chat-widget.min.js\"></script>\n```\n\n> Nothing else is needed. [1]";

#[component]
pub(super) fn Data() -> impl IntoView {
    let tones = [Tone::Neutral, Tone::Info, Tone::Success, Tone::Warning, Tone::Danger];
    view! {
        <Section title="Table and pages"><TableDemo /></Section>
        <Section title="Badges and chips">
            <div class="ui-gallery__row">
                {tones.map(|tone| view! { <Badge tone>{tone.as_str()}</Badge> }).into_iter().collect_view()}
                {tones.map(|tone| view! { <Badge tone dot=true>{tone.as_str()}</Badge> }).into_iter().collect_view()}
                <Avatar name="olivia" />
            </div>
            <div class="ui-chips"><span class="ui-chip">"chatbots"</span><span class="ui-chip ui-chip--off">"analytics"</span></div>
        </Section>
        <Section title="Cards and figures">
            <div class="ui-grid ui-grid--cards">
                <StatCard label="Tenants" value="1,204" icon=IconName::Tenant href="#gallery" />
                <StatCard label="Conversations" value="98" icon=IconName::Clock hint="in the last 30 days" />
                <StatCard label="Ready" value="41" icon=IconName::Check tone=Tone::Success />
                <StatCard label="Chosen of several" value="7" icon=IconName::Filter href="#gallery" chosen=true />
                <StatCard label="Not chosen" value="3" icon=IconName::Filter href="#gallery" chosen=false />
                <StatCard label="Warning" value="12" icon=IconName::Alert tone=Tone::Warning />
                <StatCard label="Failed" value="2" icon=IconName::Alert tone=Tone::Danger />
            </div>
            <div class="ui-grid ui-grid--two">
                <Card title="Card"><p>"With a title."</p></Card>
                <Card subtle=true><p>"Less prominent."</p></Card>
                <Card title="With actions" actions=|| view! { <Button small=true>"Action"</Button> }><p>"And a button."</p></Card>
                <Card title="Without padding" flush=true><TabularDemo /></Card>
            </div>
            <Definitions />
        </Section>
        <Section title="Plots"><Plots /></Section>
        <Section title="Tabs, steps, code"><Parts /></Section>
    }
}

#[component]
fn TableDemo() -> impl IntoView {
    let (sort, range) = (RwSignal::new("name".to_owned()), RwSignal::new((50, 25)));
    let columns = vec![
        Column::new("Name").sorted_by("name"),
        Column::new("Slug").sorted_by("slug").optional("slug"),
        Column::new("Status").optional("status"),
        Column::new("Created").wide_only().optional("created"),
    ];
    let choice = ColumnChoice::of("gallery");
    let rows = [
        ("Harbor Supply", "harbor"),
        ("Debian Friends", "debian-friends"),
        ("A name that is far too long for a narrow column", "long"),
    ]
    .map(|(name, slug)| {
        view! {
            <tr class="ui-table__row">
                <td class="ui-table__cell ui-table__cell--main">{name}</td>
                <td class="ui-table__cell ui-table__cell--mono">{slug}</td>
                <td class="ui-table__cell"><Badge tone=Tone::Success dot=true>"Active"</Badge></td>
                <td class="ui-table__cell ui-table__cell--wide-only">"21 Nov 2026"</td>
            </tr>
        }
    })
    .into_iter()
    .collect_view();
    view! {
        <div class="ui-toolbar"><div class="ui-toolbar__end"><ColumnMenu choice columns=columns.clone() /></div></div>
        <Table caption="Tenants" columns choice sort=sort on_sort=move |key| sort.set(key)>{rows}</Table>
        <ListPages url=ListUrl::new("name", 25) total=7 limit=25 offset=0 />
        {move || {
            let (offset, limit) = range.get();
            view! { <LocalPages range total=312 limit offset /> }
        }}
        <Pagination total=9 limit=25 offset=0 on_page=|_| {} on_size=|_| {} />
        <StepButtons
            steps=Steps::new(|| async { Ok(Neighbours { newer: None, older: Some("gallery".to_owned()) }) })
            label=Text::new("Newer and older row", "Newer and older row")
            newer=Text::new("Newer", "Newer")
            older=Text::new("Older", "Older")
        />
    }
}

#[component]
fn TabularDemo() -> impl IntoView {
    view! {
        <Table caption="Numbers" columns=vec![Column::new("Day"), Column::new("Number").number()]>
            <tr class="ui-table__row">
                <td class="ui-table__cell">"Monday"</td>
                <td class="ui-table__cell ui-table__cell--number">"1,204"</td>
            </tr>
        </Table>
    }
}

/// One kind, two kinds, the days before, what there was on each day, and nothing.
#[component]
fn Plots() -> impl IntoView {
    let days = |counts: fn(i64) -> Vec<i64>| -> Vec<DayValues> {
        (1..=30).map(|day| DayValues { day: format!("2026-11-{day:02}"), counts: counts(day) }).collect()
    };
    let kind = |label: &str, mood| DayKind { label: label.into(), mood };
    let bytes: fn(i64) -> Localized = |count: i64| format::bytes(count.unsigned_abs());
    let range = DayRange::new(ListUrl::new("name", 25));
    view! {
    <div class="ui-gallery__row"><RangeSwitch range /></div>
    <div class="ui-grid ui-grid--two">
        <DayPlot title="Questions" kinds=vec![kind("Questions", DayMood::Plain)] days=days(|day| vec![day * 7 % 11]) />
        <DayPlot
            title="Compared"
            kinds=vec![kind("Questions", DayMood::Plain)]
            days=days(|day| vec![day * 7 % 11])
            before=days(|day| vec![day * 5 % 9])
        />
        <DayPlot
            title="Two kinds compared"
            kinds=vec![kind("Answered", DayMood::Good), kind("Unanswered", DayMood::Bad)]
            days=days(|day| vec![day % 5, day % 3])
            before=days(|day| vec![day % 4, day % 2])
        />
        <DayPlot
            title="Feedback"
            kinds=vec![kind("Helpful", DayMood::Good), kind("Not helpful", DayMood::Bad)]
            days=days(|day| vec![day % 5, day % 3])
        />
        <DayPlot
            title="Stored"
            kinds=vec![kind("Stored", DayMood::Plain)]
            days=days(|day| vec![1_200_000 + day / 4 * 180_000])
            number=bytes
            level=true
        />
        <SkeletonPlots titles=vec![Text::new("Loading", "Loading")] />
        <SkeletonPlot />
        <DayPlot title="Nothing" kinds=vec![kind("Nothing", DayMood::Bad)] days=days(|_| vec![0]) />
    </div>
    }
}

#[component]
fn Definitions() -> impl IntoView {
    view! {
        <DefinitionList>
            <DefinitionItem term="Slug"><span class="ui-mono">"harbor"</span></DefinitionItem>
            <DefinitionItem term="Language">"English"</DefinitionItem>
        </DefinitionList>
        <DefinitionList stacked=true>
            <DefinitionItem term="Welcome message">"Hello, how can I help?"</DefinitionItem>
        </DefinitionList>
    }
}

#[component]
fn Parts() -> impl IntoView {
    let tab = RwSignal::new("one".to_owned());
    let tabs = vec![("one", "First".into()), ("two", "Second".into()), ("three", "Third".into())];
    let link = |label: &str, is_current| SectionLink {
        href: "#gallery".to_owned(),
        label: label.into(),
        is_current,
        open: None,
    };
    let links = vec![link("This page", true), link("Another page", false)];
    let steps = vec![
        ("Template".into(), StepperState::Done),
        ("Content".into(), StepperState::Current),
        ("Provisioning".into(), StepperState::Ahead),
        ("Test".into(), StepperState::Failed),
    ];
    view! {
        <Breadcrumbs crumbs=vec![Crumb::link("Tenants", "#gallery"), Crumb::here("Harbor Supply")] />
        <SectionNav label="Pages" links=links />
        <Tabs label="Parts" tabs selected=tab on_select=move |key| tab.set(key) />
        <TabPanel key="one" selected=tab><p>"The first part."</p></TabPanel>
        <TabPanel key="two" selected=tab><p>"The second part."</p></TabPanel>
        <TabPanel key="three" selected=tab><p>"The third part."</p></TabPanel>
        <Stepper steps />
        <Prose text=ANSWER />
        <CodeBlock
            label="Snippet"
            code="<script src=\"https://chat.example.com/static/widget/chat-widget.min.js\" data-chatbot-id=\"b7d4f1a2\"></script>"
        />
    }
}
