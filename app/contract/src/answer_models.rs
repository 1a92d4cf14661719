//! The language models of answers: the configured endpoints.

use serde::{Deserialize, Serialize};

use crate::{
    TenantId,
    endpoint::{Audit, endpoints},
    validate::Checker,
};

/// The name of the endpoint of `generator.url`.
pub const DEFAULT_MODEL: &str = "default";
/// In place of a name: answers are quoted from the documents.
pub const QUOTED: &str = "quoted";
/// Maximum further language models of a tenant.
pub const MAX_ANSWER_MODELS: usize = 50;

/// Whether a text can be the name of an endpoint: `^[a-z0-9][a-z0-9._-]{0,63}$`.
pub fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut bytes = text.bytes();
    bytes.next().is_some_and(is_plain)
        && text.len() <= 64
        && bytes.all(|byte| is_plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}

/// Records a text that cannot be the name of an endpoint.
pub(crate) fn check_name(check: &mut Checker, field: &str, name: &str) {
    check.require(is_name(name), field, "answer_model", "must be the name of a language model, or quoted");
}

/// A language model that the operator has set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerModel {
    /// Its name in the settings.
    pub name: String,
    /// What its endpoint calls it.
    pub model: String,
    /// Whether it is asked at the moment. One that failed several times in a row is left alone for a while, and answers are quoted.
    pub is_available: bool,
}

/// The language models that a tenant's chatbots may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerModels {
    pub items: Vec<AnswerModel>,
    /// What chatbots have that choose none: a name, or `quoted`.
    pub default: String,
}

endpoints! {
    /// Lists the language models that the tenant's chatbots may have.
    ListAnswerModels: Get "/api/v1/tenants/me/answer-models", Tenant, Audit::Reads, 200, (()) ? (), () => AnswerModels;
    /// Lists every language model of the settings, with the default of a tenant.
    ListTenantAnswerModels: Get "/api/v1/platform/tenants/{tenant_id}/answer-models", OperatorOrVendor, Audit::Reads, 200,
        (TenantId) ? (), () => AnswerModels;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        for (text, is_valid) in
            [("small", true), ("gpt-4.1_mini", true), ("", false), ("-a", false), ("A", false), ("a b", false)]
        {
            assert_eq!(is_name(text), is_valid, "{text}");
        }
        assert!(is_name(&"a".repeat(64)) && !is_name(&"a".repeat(65)));
    }
}
