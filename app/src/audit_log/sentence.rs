//! The sentence of an audit row: “hanna changed the branding of Bakery helper”.

use contract::audit::AuditRow;
use serde_json::Value;

use super::{Action, BilingualText, action, actions::About};

/// Fields of a row's details that name the thing, the best first.
const NAMES: [&str; 4] = ["display_name", "name", "host", "slug"];

const VISITOR: BilingualText = BilingualText::new("A visitor", "Ein Besucher");
const UNKNOWN: BilingualText =
    BilingualText::new("{0} made the change “{1}”", "{0} hat die Änderung „{1}“ vorgenommen");
const FAILED: BilingualText = BilingualText::new(" (failed)", " (fehlgeschlagen)");

/// The sentence of a row.
#[derive(Debug, Clone)]
pub struct Sentence {
    action: Option<&'static Action>,
    code: String,
    /// The actor; `None` for a visitor.
    actor: Option<String>,
    /// What the row's thing is called, when the row tells.
    pub name: Option<String>,
    has_failed: bool,
}

impl Sentence {
    /// The sentence of a row.
    pub fn of(row: &AuditRow) -> Self {
        let action = action(&row.action);
        Self {
            action,
            code: row.action.clone(),
            actor: (row.actor_role != "anonymous").then(|| row.actor_user.clone()),
            name: action.and_then(|action| name(row, action.about)),
            has_failed: row.details["outcome"] == "failed" || row.details["failed"] == true,
        }
    }

    /// The sentence in one language, with the name in that language.
    pub fn text(&self, is_german: bool, name: Option<&str>) -> String {
        let actor = self.actor.as_deref().unwrap_or_else(|| VISITOR.of(is_german));
        let (words, name) = match (self.action, name) {
            (Some(action), Some(name)) => (action.named, name),
            (Some(action), None) => (action.unnamed, ""),
            (None, _) => (UNKNOWN, self.code.as_str()),
        };
        let end = if self.has_failed { FAILED.of(is_german) } else { "" };
        filled(words.of(is_german), actor, name) + end
    }
}

/// The name of the thing that a row is about: as it is today, else as the details have it.
pub fn thing(row: &AuditRow) -> Option<String> {
    row.entity_name.clone().or_else(|| match row.entity_type.as_str() {
        "user" | "person" => first_text(row.details.get("username").into_iter()),
        // The names in the details are texts of the widget.
        "tenant_branding" | "chatbot_branding" => None,
        _ => {
            let sides = ["after", "before"].into_iter().filter_map(|side| row.details.get(side));
            first_text(sides.flat_map(|side| NAMES.map(|field| side.get(field))).flatten())
        }
    })
}

fn name(row: &AuditRow, about: About) -> Option<String> {
    match about {
        About::Thing => thing(row),
        About::Chatbot => row.chatbot_name.clone(),
        About::Tenant => row.tenant_name.clone(),
        About::Count => row.entity_id.strip_prefix("bulk:").map(str::to_owned),
        About::Nothing => None,
    }
}

fn first_text<'a>(mut values: impl Iterator<Item = &'a Value>) -> Option<String> {
    values.find_map(|value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned))
}

/// Replaces `{0}` and `{1}` by actor and name. Braces in names are literal.
fn filled(text: &str, actor: &str, name: &str) -> String {
    let (mut full, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').unwrap_or((after, ""));
        full.push_str(before);
        full.push_str(if place == "0" { actor } else { name });
        rest = after;
    }
    full + rest
}

#[cfg(test)]
mod tests;
