//! The three-way comparison of a chatbot's snapshot, its template, and the chatbot's own values, and the application of
//! changes.

use contract::{
    branding::{BrandingFields, BrandingFieldsPatch},
    chatbots::{Chatbot, Provisioning},
    template_update::{TEMPLATE_FIELDS, TemplateChange},
    templates::{Template, TemplateContent},
};
use serde_json::Value;

use crate::service::knowledge::faq::template::AnswerComparison;

const BRANDING: &str = "branding_defaults";
pub(super) const ANSWERS: &str = "faq_seed";

/// A chatbot with its own branding fields and its answers: what a template can change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Holder {
    pub(super) chatbot: Chatbot,
    pub(super) branding: BrandingFields,
    /// What it has of the template's answers; `None` for callers who read no own answers.
    pub(super) answers: Option<AnswerComparison>,
}

/// The fields that the template changed since the chatbot's snapshot, in the order of [`TEMPLATE_FIELDS`].
pub(super) fn changes(holder: &Holder, snapshot: &TemplateContent, template: &TemplateContent) -> Vec<TemplateChange> {
    let current = current(holder, snapshot);
    let [snapshot, template, current] = compared([snapshot, template, &current]);
    let changed = TEMPLATE_FIELDS.iter().filter(|field| snapshot[**field] != template[**field]);
    changed
        .map(|&field| TemplateChange {
            field: field.to_owned(),
            customised: match (&holder.answers, field) {
                (Some(answers), ANSWERS) => answers.has_conflicts,
                _ => current[field] != snapshot[field],
            },
            snapshot: snapshot[field].clone(),
            template: template[field].clone(),
            current: current[field].clone(),
        })
        .collect()
}

/// The chatbot with these fields of the template; the others stay. The template becomes the snapshot, except for
/// questions and answers that were not taken: they can be taken later.
pub(super) fn take(holder: &Holder, snapshot: &TemplateContent, template: &Template, fields: &[&str]) -> Holder {
    let Holder { mut chatbot, mut branding, answers } = holder.clone();
    let mut next = template.content.clone();
    let content = template.content.clone();
    for field in fields {
        match *field {
            "name" => chatbot.name.clone_from(&content.name),
            "description" => chatbot.description.clone_from(&content.description),
            "suggested_system_prompt" => chatbot.system_prompt.clone_from(&content.suggested_system_prompt),
            "welcome_message" => chatbot.welcome_message.clone_from(&content.welcome_message),
            "suggested_questions" => chatbot.suggested_questions.clone_from(&content.suggested_questions),
            "fallback_message" => chatbot.fallback_message.clone_from(&content.fallback_message),
            ANSWERS => chatbot.provisioning = Provisioning::Pending,
            BRANDING => {
                // Fields that the template no longer sets are cleared, fields that it sets are replaced, the rest is
                // the chatbot's own.
                let defaults = &content.branding_defaults;
                BrandingFieldsPatch::between(&snapshot.branding_defaults, defaults.clone()).apply(&mut branding);
                branding = defaults.clone().or(branding);
            }
            _ => {}
        }
    }
    if !fields.contains(&ANSWERS) {
        next.faq_seed.clone_from(&snapshot.faq_seed);
    }
    chatbot.template_version = Some(template.version);
    chatbot.template_snapshot = Some(next);
    Holder { chatbot, branding, answers }
}

/// The chatbot's own values, by the template's names.
fn current(holder: &Holder, snapshot: &TemplateContent) -> TemplateContent {
    let chatbot = &holder.chatbot;
    TemplateContent {
        name: chatbot.name.clone(),
        description: chatbot.description.clone(),
        suggested_system_prompt: chatbot.system_prompt.clone(),
        welcome_message: chatbot.welcome_message.clone(),
        suggested_questions: chatbot.suggested_questions.clone(),
        fallback_message: chatbot.fallback_message.clone(),
        faq_seed: holder.answers.as_ref().map_or_else(|| snapshot.faq_seed.clone(), |taken| taken.current.clone()),
        branding_defaults: holder.branding.clone(),
    }
}

/// Snapshot, template and current as JSON, with the branding fields that snapshot or template sets and no others.
fn compared(sides: [&TemplateContent; 3]) -> [Value; 3] {
    let mut sides = sides.map(|side| serde_json::to_value(side).unwrap_or_default());
    let unset: Vec<String> = sides[0][BRANDING]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, value)| value.is_null() && sides[1][BRANDING][key.as_str()].is_null())
        .map(|(key, _)| key.clone())
        .collect();
    for side in &mut sides {
        if let Some(fields) = side[BRANDING].as_object_mut() {
            fields.retain(|key, _| !unset.contains(key));
        }
    }
    sides
}

#[cfg(test)]
mod tests;
