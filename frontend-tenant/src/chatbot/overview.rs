//! A chatbot's overview: figures, its health with what to do next, open tasks, and its details.

use app::{
    api, format,
    i18n::{Text, plural},
    list_url::ListUrl,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{
        Card, DayKind, DayMood, DayPlot, DayRange, DayValues, EmptyState, IconName, RangeSwitch, Skeleton,
        SkeletonCards, SkeletonPlot, SkeletonPlots, StatCard, Tone,
    },
};
use contract::{
    ChatbotId,
    conversations::{ConversationDay, ConversationFilter, GetConversationStats},
    documents::{ListSources, SourceListQuery},
    embed::{EmbedReportQuery, GetEmbedReport},
    feedback::{FeedbackStats, FeedbackStatsQuery, GetFeedbackStats, Rating},
    page::MAX_LIMIT,
};
use futures::future;
use leptos::prelude::*;

use super::{
    details::DetailsCard,
    frame::Frame,
    health::{Health, HealthCard, Knowledge},
    open_items::OpenItems,
    parts::Part,
};
use crate::{
    overview::OpenWorkRows,
    paths,
    provisioning::ProvisioningPoller,
    texts::{chatbot_health as texts, conversations, feedback, overview},
};

/// The chatbot in the URL.
#[component]
pub(crate) fn ChatbotPage() -> impl IntoView {
    view! { <Frame part=Part::Overview content /> }
}

/// The days of the plot, and as many before them.
#[derive(Debug, Clone)]
struct PlottedDays {
    now: Vec<DayValues>,
    before: Vec<DayValues>,
}

impl PlottedDays {
    /// The last `count` of these days, and the same number before them; none before them when there are too few.
    fn of(days: &[ConversationDay], count: usize) -> Self {
        let values =
            |day: &ConversationDay| DayValues { day: day.date.to_string(), counts: vec![day.answered, day.unanswered] };
        let (earlier, now) = days.split_at(days.len().saturating_sub(count));
        let before = earlier.len().checked_sub(count).map(|first| &earlier[first..]).unwrap_or_default();
        Self { now: now.iter().map(values).collect(), before: before.iter().map(values).collect() }
    }
}

/// What the page shows.
#[derive(Debug, Clone)]
struct Figures {
    health: Health,
    ratings: FeedbackStats,
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let figures = Resource::new(move || load(id));
    let range = DayRange::new(ListUrl::new("", 0));
    let days = Resource::new(move || load_days(id, range.days()));
    view! {
        <Loaded resource=figures skeleton=skeleton let:figures>
            <Stats id figures=figures.clone() />
            <div class="ui-grid ui-grid--main-side">
                <div class="ui-stack">
                    <HealthCard poller health=figures.health.clone() />
                    <Questions range days />
                </div>
                <div class="ui-stack">
                    <OpenCard />
                    {move || view! { <DetailsCard chatbot=poller.chatbot().get() /> }}
                </div>
            </div>
        </Loaded>
    }
    .into_any()
}

async fn load(id: ChatbotId) -> Result<Figures, Problem> {
    let sources = SourceListQuery { limit: MAX_LIMIT, offset: 0 };
    let filter = ConversationFilter { chatbot_id: Some(id), ..ConversationFilter::default() };
    let report = EmbedReportQuery::default();
    let (sources, stats, report, ratings) = future::try_join4(
        api::call::<ListSources>(&id, &sources, &()),
        api::call::<GetConversationStats>(&(), &filter, &()),
        api::call::<GetEmbedReport>(&id, &report, &()),
        api::call::<GetFeedbackStats>(&id, &FeedbackStatsQuery::default(), &()),
    )
    .await?;
    let health = Health { knowledge: Knowledge::of(&sources.items), origins: report.origins, stats };
    Ok(Figures { health, ratings })
}

/// The last days, and as many before them.
async fn load_days(id: ChatbotId, count: u16) -> Result<PlottedDays, Problem> {
    // One more than shown: the server's day may have started before the browser's.
    let first = format::days_ago(count * 2);
    let filter = ConversationFilter { chatbot_id: Some(id), date_from: Some(first), ..ConversationFilter::default() };
    let stats = api::call::<GetConversationStats>(&(), &filter, &()).await?;
    Ok(PlottedDays::of(&stats.daily, count.into()))
}

fn skeleton() -> impl IntoView {
    view! {
        <SkeletonCards count=4 />
        <SkeletonPlots titles=vec![texts::TITLE, overview::OPEN] />
    }
}

#[component]
fn Stats(id: ChatbotId, figures: Figures) -> impl IntoView {
    let Figures { health: Health { knowledge, stats, .. }, ratings } = figures;
    let questions = stats.answered + stats.unanswered;
    let up = ratings.by_rating.get(&Rating::Up).copied().unwrap_or_default();
    let answered = plural(questions, conversations::ANSWERED_HINT_ONE, conversations::ANSWERED_HINT);
    let helpful = plural(ratings.total, feedback::HELPFUL_HINT_ONE, feedback::HELPFUL_HINT);
    let passages = match knowledge.passages {
        1 => texts::DOCUMENTS_ONE.into(),
        count => texts::DOCUMENTS_SOME.with_localized([format::number(count)]),
    };
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard
                label=conversations::COUNT
                value=format::number(stats.conversations)
                icon=IconName::Inbox
                hint=conversations::COUNT_HINT
                href=paths::chatbot_conversations(id)
            />
            <StatCard
                label=conversations::ANSWERED
                value=format::share(stats.answered, questions)
                icon=IconName::Check
                tone=Tone::Success
                hint=answered.with_localized([stats.answered, questions].map(format::number))
                href=paths::unanswered(id)
            />
            <StatCard
                label=feedback::HELPFUL
                value=format::share(up, ratings.total)
                icon=IconName::ThumbUp
                hint=helpful.with_localized([up, ratings.total].map(format::number))
                href=paths::feedback(id)
            />
            <StatCard
                label=texts::DOCUMENTS
                value=format::number(knowledge.documents)
                icon=IconName::Template
                hint=passages
                href=paths::documents(id)
            />
        </div>
    }
}

/// The questions of the last days.
#[component]
fn Questions(range: DayRange, days: Resource<PlottedDays>) -> impl IntoView {
    let kind = |label: Text, mood| DayKind { label: label.into(), mood };
    let kinds =
        move || vec![kind(conversations::ANSWERED, DayMood::Good), kind(conversations::UNANSWERED, DayMood::Bad)];
    let switch = move || view! { <RangeSwitch range /> };
    view! {
        <Card title=overview::BY_DAY actions=switch>
            <Loaded resource=days skeleton=|| view! { <SkeletonPlot /> } let:days>
                <DayPlot title=overview::BY_DAY kinds=kinds() days=days.now before=days.before />
            </Loaded>
        </Card>
    }
}

/// The open tasks.
#[component]
fn OpenCard() -> impl IntoView {
    let work = OpenItems::get().work();
    view! {
        <Card title=overview::OPEN>
            <Loaded resource=work skeleton=|| view! { <Skeleton lines=3 /> } let:work>
                {match work {
                    Some(work) => view! { <OpenWorkRows work /> }.into_any(),
                    None => view! {
                        <EmptyState
                            icon=IconName::Check
                            title=overview::OPEN_NOTHING
                            text=overview::OPEN_NOTHING_TEXT
                            compact=true
                        />
                    }
                    .into_any(),
                }}
            </Loaded>
        </Card>
    }
}
