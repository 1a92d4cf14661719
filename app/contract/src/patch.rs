//! A field of a merge-patch: absent, cleared by `null`, or set.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a PATCH says about one field. Use with
/// `#[serde(default, skip_serializing_if = "Patch::is_absent")]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// The field was not sent: it stays as it is.
    #[default]
    Absent,
    /// The field was `null`: it is cleared.
    Null,
    /// The field gets this value.
    Value(T),
}

impl<T> Patch<T> {
    /// Whether the field was not sent.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value that was sent, if one was.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Applies the patch to a nullable field.
    pub fn apply(self, field: &mut Option<T>) {
        match self {
            Self::Absent => {}
            Self::Null => *field = None,
            Self::Value(value) => *field = Some(value),
        }
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            Some(value) => Self::Value(value),
            None => Self::Null,
        })
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Patch<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Option::<T>::schema_name()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Option::<T>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Body {
        #[serde(default, skip_serializing_if = "Patch::is_absent")]
        name: Patch<String>,
    }

    #[test]
    fn absent_null_and_value_survive_a_round_trip() {
        for (text, patch) in [
            ("{}", Patch::Absent),
            (r#"{"name":null}"#, Patch::Null),
            (r#"{"name":"x"}"#, Patch::Value("x".to_owned())),
        ] {
            let body: Body = serde_json::from_str(text).unwrap();
            assert_eq!(body, Body { name: patch });
            assert_eq!(serde_json::to_string(&body).unwrap(), text);
        }
    }
}
