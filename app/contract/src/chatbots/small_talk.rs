//! A chatbot's replies to small talk.

use serde::{Deserialize, Serialize};

use crate::{validate::Checker, widget::SmallTalk};

/// Maximum characters of a reply to small talk.
pub const MAX_SMALL_TALK_REPLY: usize = 500;

/// What a chatbot says to small talk. A reply that is `null` is the platform's, in the language of the message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SmallTalkReplies {
    /// The reply to "Hello"; at most 500 characters.
    pub greeting: Option<String>,
    /// The reply to "Thank you"; at most 500 characters.
    pub thanks: Option<String>,
    /// The reply to "Goodbye"; at most 500 characters.
    pub goodbye: Option<String>,
    /// The reply to "Are you a robot?"; at most 500 characters.
    pub robot: Option<String>,
    /// The reply to "Can I talk to a person?"; at most 500 characters.
    pub human: Option<String>,
}

impl SmallTalkReplies {
    /// The reply about a topic; `None` for the platform's.
    pub fn of(&self, topic: SmallTalk) -> Option<&str> {
        let reply = match topic {
            SmallTalk::Greeting => &self.greeting,
            SmallTalk::Thanks => &self.thanks,
            SmallTalk::Goodbye => &self.goodbye,
            SmallTalk::Robot => &self.robot,
            SmallTalk::Human => &self.human,
        };
        reply.as_deref()
    }

    /// The replies with empty ones as `None`, without space around the others.
    #[must_use]
    pub fn normalized(self) -> Self {
        let trimmed =
            |reply: Option<String>| reply.map(|reply| reply.trim().to_owned()).filter(|reply| !reply.is_empty());
        Self {
            greeting: trimmed(self.greeting),
            thanks: trimmed(self.thanks),
            goodbye: trimmed(self.goodbye),
            robot: trimmed(self.robot),
            human: trimmed(self.human),
        }
    }

    pub(super) fn check(&self, check: &mut Checker) {
        for topic in SmallTalk::ALL {
            if let Some(reply) = self.of(*topic) {
                check.text(topic.as_str(), reply, 0, MAX_SMALL_TALK_REPLY);
            }
        }
    }
}
