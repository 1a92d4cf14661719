//! Conversations generated from topics: each chatbot has a rhythm of weekdays and hours, and the number of questions
//! grows each week. A fixed sequence of numbers makes the demo world the same at every first start on the same day.

use chrono::{Datelike, Duration, NaiveDate, NaiveTime};
use contract::{feedback::FeedbackCategory, widget::SmallTalk};
use serde::Deserialize;

use super::{Conversation, Exchange, Mood};

const TEXT: &str = include_str!("../../../assets/demo-topics.toml");
/// Days of conversations before the first start.
const DAYS: i64 = 60;

/// How often a chatbot is asked.
struct Traffic {
    chatbot: &'static str,
    /// Conversations on a plain day before the first start, in tenths.
    per_day: usize,
    /// Percent of a plain day, from Monday to Sunday.
    week: [usize; 7],
    /// The first hour of a day, and the number of hours.
    hours: (usize, usize),
}

const TRAFFIC: [Traffic; 4] = [
    Traffic { chatbot: "shop", per_day: 48, week: [115, 100, 100, 100, 105, 75, 45], hours: (7, 14) },
    Traffic { chatbot: "platform", per_day: 16, week: [110, 115, 110, 105, 85, 20, 15], hours: (8, 10) },
    Traffic { chatbot: "debian", per_day: 12, week: [90, 90, 90, 90, 90, 120, 120], hours: (9, 14) },
    Traffic { chatbot: "club", per_day: 10, week: [100, 110, 120, 100, 80, 60, 90], hours: (10, 12) },
];

#[derive(Deserialize)]
struct File {
    topic: Vec<Topic>,
    talk: Vec<SmallTalkTopic>,
}

#[derive(Deserialize)]
struct Topic {
    chatbot: String,
    #[serde(default = "one")]
    weight: usize,
    questions: Vec<String>,
    #[serde(default)]
    complaints: Vec<String>,
}

#[derive(Deserialize)]
struct SmallTalkTopic {
    chatbots: Vec<String>,
    topic: SmallTalk,
    messages: Vec<String>,
}

const fn one() -> usize {
    1
}

fn file() -> File {
    toml::from_str(TEXT).expect("the demo's topics are part of the program")
}

/// The conversations of a chatbot on the days before `today`.
pub(super) fn conversations(chatbot: &str, today: NaiveDate) -> Vec<Conversation> {
    let Some(traffic) = TRAFFIC.iter().find(|traffic| traffic.chatbot == chatbot) else { return Vec::new() };
    let file = file();
    let subjects = Subjects::of(&file, chatbot);
    let mut random = Random(chatbot.bytes().fold(0, |seed, byte| seed * 31 + u64::from(byte)));
    let mut conversations = Vec::new();
    for days in (1..=DAYS).rev() {
        for _ in 0..traffic.conversations(today - Duration::days(days), days, &mut random) {
            let exchanges = subjects.exchanges(&mut random);
            let at = traffic.time(&mut random);
            conversations.push(Conversation { days, at, chatbot: chatbot.to_owned(), exchanges });
        }
    }
    conversations
}

impl Traffic {
    /// The number of conversations on a day, `days` before the first start.
    fn conversations(&self, day: NaiveDate, days: i64, random: &mut Random) -> usize {
        let weekday = usize::try_from(day.weekday().num_days_from_monday()).unwrap_or_default();
        let growth = usize::try_from(110 - days).unwrap_or_default();
        (self.per_day * self.week[weekday] * growth + random.number_below(100_000)) / 100_000
    }

    fn time(&self, random: &mut Random) -> NaiveTime {
        let (first, hours) = self.hours;
        let minute = u32::try_from(first * 60 + random.number_below(hours * 60)).unwrap_or_default();
        NaiveTime::from_hms_opt(minute / 60, minute % 60, 0).unwrap_or_default()
    }
}

/// The topics of a chatbot's visitors.
struct Subjects<'a> {
    /// Each repeated by its weight.
    topics: Vec<&'a Topic>,
    talks: Vec<&'a SmallTalkTopic>,
}

impl<'a> Subjects<'a> {
    fn of(file: &'a File, chatbot: &str) -> Self {
        let own = file.topic.iter().filter(|topic| topic.chatbot == chatbot);
        let topics = own.flat_map(|topic| std::iter::repeat_n(topic, topic.weight)).collect();
        let is_own = |talk: &&SmallTalkTopic| talk.chatbots.iter().any(|name| name == chatbot);
        Self { topics, talks: file.talk.iter().filter(is_own).collect() }
    }

    /// One conversation: mostly a question or two, sometimes with a greeting before and thanks after, rarely nothing but small talk.
    fn exchanges(&self, random: &mut Random) -> Vec<Exchange> {
        let mut exchanges = Vec::new();
        if random.chance(12) {
            exchanges.extend(self.small_talk(|topic| topic == SmallTalk::Greeting, random));
        }
        if random.chance(4) {
            exchanges.extend(self.small_talk(|topic| matches!(topic, SmallTalk::Human | SmallTalk::Robot), random));
        }
        let mut last: Option<&Topic> = None;
        for percent in [100, 32, 25] {
            let next = random.pick(&self.topics).copied().filter(|topic| goes_on(last, topic));
            let Some(topic) = next.filter(|_| random.chance(percent)) else { break };
            exchanges.push(topic.exchange(random));
            last = Some(topic);
        }
        if random.chance(14) {
            exchanges.extend(self.small_talk(|topic| matches!(topic, SmallTalk::Thanks | SmallTalk::Goodbye), random));
        }
        exchanges
    }

    fn small_talk(&self, is_wanted: fn(SmallTalk) -> bool, random: &mut Random) -> Option<Exchange> {
        let talks: Vec<_> = self.talks.iter().filter(|talk| is_wanted(talk.topic)).collect();
        let talk = random.pick(&talks)?;
        Some(Exchange { question: random.pick(&talk.messages)?.clone(), ..Exchange::default() })
    }
}

/// Whether a conversation may continue from `last` to `next`: not with the same topic.
fn goes_on(last: Option<&Topic>, next: &Topic) -> bool {
    last.is_none_or(|last| !std::ptr::eq(last, next))
}

impl Topic {
    fn exchange(&self, random: &mut Random) -> Exchange {
        let mut question = random.pick(&self.questions).cloned().unwrap_or_default();
        // Some visitors write as they talk.
        if random.chance(15) {
            question = question.trim_end_matches('?').to_lowercase();
        }
        let category = [FeedbackCategory::Incomplete, FeedbackCategory::Irrelevant, FeedbackCategory::Incorrect];
        let mood = Mood {
            percentile: random.number_below(100),
            category: random.pick(&category).copied(),
            comment: random.pick(&self.complaints).cloned(),
        };
        Exchange { question, mood: Some(mood), ..Exchange::default() }
    }
}

/// A fixed sequence of numbers (splitmix64).
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn number_below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from(mixed >> 33).unwrap_or_default() % bound.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.number_below(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.number_below(from.len()))
    }
}

#[cfg(test)]
mod tests {
    use rag::small_talk;

    use super::*;

    fn all() -> Vec<Conversation> {
        let today = NaiveDate::from_ymd_opt(2026, 3, 4).unwrap();
        TRAFFIC.iter().flat_map(|traffic| conversations(traffic.chatbot, today)).collect()
    }

    #[test]
    fn two_months_have_conversations_of_every_kind() {
        let all = all();
        let exchanges = || all.iter().flat_map(|conversation| &conversation.exchanges);
        let count = |of: fn(&&Exchange) -> bool| exchanges().filter(of).count();
        assert!((250..=500).contains(&all.len()), "{} conversations", all.len());
        assert!(all.iter().all(|conversation| (1..=DAYS).contains(&conversation.days)));
        assert!(all.iter().all(|conversation| !conversation.exchanges.is_empty()));
        assert!(count(|exchange| exchange.mood.is_some()) >= 250, "questions");
        assert!(count(|exchange| exchange.mood.is_none()) >= 40, "small talk");
        assert_eq!(all, self::all(), "the same at every start of a day");
    }

    #[test]
    fn more_is_asked_each_week_and_less_on_sundays() {
        let today = NaiveDate::from_ymd_opt(2026, 3, 4).unwrap();
        let shop = conversations("shop", today);
        let (late, early): (Vec<_>, Vec<_>) = shop.iter().partition(|conversation| conversation.days <= DAYS / 2);
        assert!(late.len() > early.len(), "{} after {}", late.len(), early.len());
        let weekday = |conversation: &&Conversation| (today - Duration::days(conversation.days)).weekday();
        let on = |day: chrono::Weekday| shop.iter().filter(|conversation| weekday(conversation) == day).count();
        let (mondays, sundays) = (on(chrono::Weekday::Mon), on(chrono::Weekday::Sun));
        assert!(mondays > sundays, "{mondays} on Mondays, {sundays} on Sundays");
    }

    #[test]
    fn small_talk_is_what_the_platform_takes_for_it() {
        for talk in &file().talk {
            for message in &talk.messages {
                let recognised = small_talk::recognise(message, "en").unwrap();
                assert_eq!(recognised.topic.as_str(), talk.topic.as_str(), "{message}");
            }
        }
    }
}
