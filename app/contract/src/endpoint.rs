//! Endpoints as types. The server registers a handler by the type, clients call by the type, and
//! [`crate::table`] lists them all.

use serde::{Serialize, de::DeserializeOwned};

use crate::{ErrorCode, key_scope::KeyScope, validate::Validate};

/// An HTTP method of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates or acts.
    Post,
    /// Replaces.
    Put,
    /// Merges.
    Patch,
    /// Removes, revokes or deactivates.
    Delete,
}

impl Method {
    /// The method in upper case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// Who may call an endpoint (specification, Endpoints and Authentication).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Everybody.
    Public,
    /// A widget, by its Origin header.
    Widget,
    /// Any scope; a tenant sees its own rows only.
    AnyScope,
    /// Any scope; a tenant user must be one who may write.
    AnyWriter,
    /// The scope `operator` only.
    Operator,
    /// The scopes `operator` and `vendor`.
    OperatorOrVendor,
    /// Tenant users, also those who may only read.
    Tenant,
    /// Tenant users who may write.
    TenantAdmin,
}

/// What an endpoint leaves in the audit log (specification, Events).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audit {
    /// Writes no row: the endpoint only reads.
    Reads,
    /// Exactly one row with this action for each call that changes something.
    Writes(&'static str),
    /// Exactly one row for each call that changes something, with the one of these actions that tells what it did.
    OneOf(&'static [&'static str]),
    /// Hands out rows in bulk: exactly one row with this action for each stream, however it ends.
    Exports(&'static str),
    /// Changes something without a row, for this reason.
    Exempt(&'static str),
}

/// The values in a path's `{...}` segments, in order.
pub trait PathArgs {
    /// The values as text.
    fn args(&self) -> Vec<String>;
}

impl PathArgs for () {
    fn args(&self) -> Vec<String> {
        Vec::new()
    }
}

macro_rules! single_arg {
    ($($id:ty),+) => {$(
        impl PathArgs for $id {
            fn args(&self) -> Vec<String> {
                vec![self.to_string()]
            }
        }
    )+};
}
single_arg!(
    crate::TenantId,
    crate::ChatbotId,
    crate::TemplateId,
    crate::ModuleId,
    crate::AuditId,
    crate::SessionId,
    crate::PersonId,
    crate::id::ApiKeyId
);

impl<A: core::fmt::Display, B: core::fmt::Display> PathArgs for (A, B) {
    fn args(&self) -> Vec<String> {
        vec![self.0.to_string(), self.1.to_string()]
    }
}

#[cfg(not(feature = "schema"))]
mod wire {
    /// A type that goes over the wire.
    pub trait Wire: serde::Serialize + serde::de::DeserializeOwned {}
    impl<T: serde::Serialize + serde::de::DeserializeOwned> Wire for T {}
}

#[cfg(feature = "schema")]
mod wire {
    /// A type that goes over the wire and describes itself.
    pub trait Wire: serde::Serialize + serde::de::DeserializeOwned + schemars::JsonSchema {}
    impl<T: serde::Serialize + serde::de::DeserializeOwned + schemars::JsonSchema> Wire for T {}
}

pub use wire::Wire;

/// One endpoint of the API.
pub trait Endpoint: Send + Sync + 'static {
    /// The operation's name, unique in the table.
    const NAME: &'static str;
    /// One line for the documentation.
    const SUMMARY: &'static str;
    const METHOD: Method;
    /// The path from the platform's root, with `{name}` for each argument.
    const PATH: &'static str;
    /// Who may call it.
    const ACCESS: Access;
    /// The scope of an API key that opens it, too; `None` when no key does.
    const KEY_SCOPE: Option<KeyScope>;
    /// What it leaves in the audit log.
    const AUDIT: Audit;
    /// The HTTP status of a successful reply.
    const STATUS: u16;
    /// The errors that do not follow from access, path and body.
    const ERRORS: &'static [ErrorCode];
    type Path: PathArgs + DeserializeOwned + Serialize + Send + 'static;
    type Query: Wire + Validate + Send + 'static;
    /// The request body; `()` when there is none.
    type Body: Wire + Validate + Send + 'static;
    /// The reply; `()` when there is none.
    type Reply: Wire + Send + 'static;

    /// The path with its arguments filled in.
    fn path(args: &Self::Path) -> String {
        fill(Self::PATH, &args.args())
    }
}

fn fill(path: &str, args: &[String]) -> String {
    let mut values = args.iter();
    let mut filled = String::with_capacity(path.len() + 32);
    for segment in path.split('/').skip(1) {
        filled.push('/');
        if segment.starts_with('{') {
            filled.push_str(values.next().map_or("", String::as_str));
        } else {
            filled.push_str(segment);
        }
    }
    filled
}

/// Declares endpoint types and, for the table, a function that lists them. `or` after the access rule names the scope of
/// an API key that opens the endpoint, too: `Tenant or KnowledgeRead`.
macro_rules! endpoints {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $method:ident $path:literal, $access:ident $(or $key_scope:ident)?, $audit:expr, $status:literal,
        ($args:ty) ? $query:ty, $body:ty => $reply:ty $(, errors [$($error:ident),+ $(,)?])?;
    )+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, Copy)]
            pub struct $name;

            impl crate::endpoint::Endpoint for $name {
                const NAME: &'static str = stringify!($name);
                const SUMMARY: &'static str = concat!($($doc),+).trim_ascii();
                const METHOD: crate::endpoint::Method = crate::endpoint::Method::$method;
                const PATH: &'static str = $path;
                const ACCESS: crate::endpoint::Access = crate::endpoint::Access::$access;
                const KEY_SCOPE: Option<crate::key_scope::KeyScope> =
                    crate::endpoint::key_scope(&[$(crate::key_scope::KeyScope::$key_scope)?]);
                const AUDIT: crate::endpoint::Audit = $audit;
                const STATUS: u16 = $status;
                const ERRORS: &'static [crate::ErrorCode] = &[$($(crate::ErrorCode::$error),+)?];
                type Path = $args;
                type Query = $query;
                type Body = $body;
                type Reply = $reply;
            }
        )+

        /// The endpoints of this module.
        pub(crate) fn endpoints() -> Vec<crate::endpoint::EndpointInfo> {
            vec![$(crate::endpoint::EndpointInfo::of::<$name>()),+]
        }
    };
}
pub(crate) use endpoints;

/// The scope that an endpoint's row names.
pub(crate) const fn key_scope(scopes: &[KeyScope]) -> Option<KeyScope> {
    match scopes {
        [scope, ..] => Some(*scope),
        [] => None,
    }
}

/// An endpoint as a value, for tests and documentation.
#[derive(Debug, Clone)]
pub struct EndpointInfo {
    pub name: &'static str,
    /// One line for the documentation.
    pub summary: &'static str,
    pub method: Method,
    /// The path with `{name}` segments.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// The scope of an API key that opens it, too.
    pub key_scope: Option<KeyScope>,
    /// What it leaves in the audit log.
    pub audit: Audit,
    /// The HTTP status of a successful reply.
    pub status: u16,
    /// The errors that do not follow from access, path and body.
    pub errors: &'static [ErrorCode],
    /// Whether a request body is read.
    pub has_body: bool,
    /// The media type of the request body.
    pub body_type: &'static str,
    /// The media type of the reply.
    pub reply_type: &'static str,
    /// The schemas of query, body and reply.
    #[cfg(feature = "schema")]
    pub schemas: Schemas,
}

/// Functions that describe an endpoint's types within one OpenAPI document.
#[cfg(feature = "schema")]
#[derive(Debug, Clone, Copy)]
pub struct Schemas {
    pub query: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    pub body: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    /// The body of a successful reply.
    pub reply: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

/// The media type of a wire type: JSON, unless the type only marks something else.
fn media_type<T: 'static>() -> &'static str {
    use core::any::TypeId;
    let markers = [
        (TypeId::of::<crate::csv::Csv>(), "text/csv"),
        (TypeId::of::<crate::file::File>(), "application/octet-stream"),
        (TypeId::of::<crate::file::Multipart>(), "multipart/form-data"),
    ];
    let marked = markers.into_iter().find(|(marker, _)| *marker == TypeId::of::<T>());
    marked.map_or("application/json", |(_, media_type)| media_type)
}

impl EndpointInfo {
    pub fn of<E: Endpoint>() -> Self {
        Self {
            name: E::NAME,
            summary: E::SUMMARY,
            method: E::METHOD,
            path: E::PATH,
            access: E::ACCESS,
            key_scope: E::KEY_SCOPE,
            audit: E::AUDIT,
            status: E::STATUS,
            errors: E::ERRORS,
            has_body: core::any::TypeId::of::<E::Body>() != core::any::TypeId::of::<()>(),
            body_type: media_type::<E::Body>(),
            reply_type: media_type::<E::Reply>(),
            #[cfg(feature = "schema")]
            schemas: Schemas {
                query: |g| g.subschema_for::<E::Query>(),
                body: |g| g.subschema_for::<E::Body>(),
                reply: |g| g.subschema_for::<E::Reply>(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn arguments_fill_the_path_in_order() {
        assert_eq!(fill("/a/{x}/b/{y}", &["1".into(), "2".into()]), "/a/1/b/2");
    }
}
