//! The values of the settings: conversion from the chatbot, and to a patch with the changes.

use app::form::{Edits, Field};
use contract::chatbots::{Chatbot, ChatbotPatch, SmallTalkReplies};
use leptos::prelude::*;

use crate::chatbot_fields::lines;

#[derive(Debug, Clone, Copy)]
pub(super) struct SettingsForm {
    pub(super) name: Field,
    pub(super) language: RwSignal<String>,
    pub(super) description: Field,
    pub(super) system_prompt: Field,
    pub(super) welcome_message: Field,
    pub(super) suggested_questions: Field,
    pub(super) fallback_message: Field,
    pub(super) greeting: Field,
    pub(super) thanks: Field,
    pub(super) goodbye: Field,
    pub(super) robot: Field,
    pub(super) human: Field,
}

impl SettingsForm {
    /// Starts with what is stored.
    pub(super) fn new(stored: &Chatbot) -> Self {
        let form = Self {
            name: Field::new("name", ""),
            language: RwSignal::new(String::new()),
            description: Field::new("description", ""),
            system_prompt: Field::new("system_prompt", ""),
            welcome_message: Field::new("welcome_message", ""),
            suggested_questions: Field::new("suggested_questions", ""),
            fallback_message: Field::new("fallback_message", ""),
            greeting: Field::new("small_talk.greeting", ""),
            thanks: Field::new("small_talk.thanks", ""),
            goodbye: Field::new("small_talk.goodbye", ""),
            robot: Field::new("small_talk.robot", ""),
            human: Field::new("small_talk.human", ""),
        };
        form.reset(stored);
        form
    }

    /// The fields with texts, for marking errors.
    pub(super) fn fields(self) -> [Field; 11] {
        [
            self.name,
            self.description,
            self.system_prompt,
            self.welcome_message,
            self.suggested_questions,
            self.fallback_message,
            self.greeting,
            self.thanks,
            self.goodbye,
            self.robot,
            self.human,
        ]
    }

    /// The replies to small talk, tracked.
    fn small_talk(self) -> SmallTalkReplies {
        let replies = SmallTalkReplies {
            greeting: Some(self.greeting.get()),
            thanks: Some(self.thanks.get()),
            goodbye: Some(self.goodbye.get()),
            robot: Some(self.robot.get()),
            human: Some(self.human.get()),
        };
        replies.normalized()
    }

    /// Number of fields that differ from `stored`, tracked.
    pub(super) fn changes(self, stored: &Chatbot) -> usize {
        let patch = serde_json::to_value(self.patch(stored)).unwrap_or_default();
        patch.as_object().map_or(0, serde_json::Map::len)
    }
}

impl Edits<Chatbot> for SettingsForm {
    type Patch = ChatbotPatch;

    fn patch(&self, stored: &Chatbot) -> ChatbotPatch {
        let own = |text: String, stored: &str| Some(text).filter(|text| text != stored);
        let questions = lines(&self.suggested_questions.get());
        ChatbotPatch {
            name: own(self.name.get().trim().to_owned(), &stored.name),
            description: own(self.description.get(), &stored.description),
            language: own(self.language.get(), &stored.language),
            system_prompt: own(self.system_prompt.get(), &stored.system_prompt),
            welcome_message: own(self.welcome_message.get(), &stored.welcome_message),
            suggested_questions: Some(questions).filter(|questions| *questions != stored.suggested_questions),
            fallback_message: own(self.fallback_message.get(), &stored.fallback_message),
            small_talk: Some(self.small_talk()).filter(|replies| *replies != stored.small_talk),
            ..ChatbotPatch::default()
        }
    }

    fn reset(&self, stored: &Chatbot) {
        self.name.set(stored.name.clone());
        self.language.set(stored.language.clone());
        self.description.set(stored.description.clone());
        self.system_prompt.set(stored.system_prompt.clone());
        self.welcome_message.set(stored.welcome_message.clone());
        self.suggested_questions.set(stored.suggested_questions.join("\n"));
        self.fallback_message.set(stored.fallback_message.clone());
        let SmallTalkReplies { greeting, thanks, goodbye, robot, human } = stored.small_talk.clone();
        let fields = [self.greeting, self.thanks, self.goodbye, self.robot, self.human];
        for (field, reply) in fields.into_iter().zip([greeting, thanks, goodbye, robot, human]) {
            field.set(reply.unwrap_or_default());
        }
    }
}
