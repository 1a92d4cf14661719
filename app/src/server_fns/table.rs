//! The table of server functions, like the endpoint table of the API: the server serves exactly these, and the tests
//! that check every endpoint check each of them.

use contract::Access;
use leptos::server_fn::ServerFn;

/// A server function as a value. All of them only read, by GET and without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerFunction {
    /// Its path from the platform's root.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
}

/// Calls a macro with every server function's type and who may call it.
#[macro_export]
macro_rules! with_server_functions {
    ($call:ident) => {
        $call! {
            $crate::server_fns::operator::FetchOperatorOverview: OperatorOrVendor,
            $crate::server_fns::operator::FetchPlatformTrends: OperatorOrVendor,
            $crate::server_fns::operator::FetchPlatformHealth: OperatorOrVendor,
            $crate::server_fns::operator::FetchTemplateAdoption: OperatorOrVendor,
            $crate::server_fns::tenant::FetchTenantOverview: Tenant,
            $crate::server_fns::tenant::FetchTenantTrends: Tenant,
            $crate::server_fns::tenant::FetchOpenWork: Tenant,
            $crate::server_fns::tenant::FetchTextRecognition: Tenant,
            $crate::server_fns::tenant::FetchDocumentPage: Tenant,
        }
    };
}

macro_rules! list {
    ($($function:ty: $access:ident),+ $(,)?) => {
        vec![$(ServerFunction { path: <$function>::PATH, access: Access::$access }),+]
    };
}

/// Every server function.
pub fn table() -> Vec<ServerFunction> {
    with_server_functions!(list)
}
