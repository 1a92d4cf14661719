//! The clients at the identity provider, by their ids in the realm files (specification, Authentication).

/// REST clients, in both realms.
pub const API: &str = "svc-api";
/// Signs people in to the operator console.
pub const OPERATOR_CONSOLE: &str = "operator-ui";
/// Signs people in to the tenant console.
pub const TENANT_CONSOLE: &str = "tenant-ui";
/// The server, which reads login events.
pub const AUDIT_POLLER: &str = "svc-platform-audit";
/// The server, which manages the people of tenants. The API accepts none of its tokens.
pub const PEOPLE: &str = "svc-people";
/// Emergency access of vendors.
pub const BREAKGLASS: &str = "svc-api-vendor-breakglass";
/// Emergency access of vendors through a tunnel.
pub const TUNNEL: &str = "svc-api-vendor-tunnel";
/// The clients that only vendors have. Their sessions end two hours after the sign-in.
pub const EMERGENCY: [&str; 2] = [BREAKGLASS, TUNNEL];
/// The clients that the operator console can sign in with.
pub const OPERATOR_CONSOLES: [&str; 3] = [OPERATOR_CONSOLE, BREAKGLASS, TUNNEL];
/// The clients of the realm of operators and vendors whose tokens the API accepts.
pub const PLATFORM: [&str; 4] = [API, BREAKGLASS, TUNNEL, OPERATOR_CONSOLE];
/// The clients of the tenants' realm whose tokens the API accepts.
pub const TENANT: [&str; 2] = [API, TENANT_CONSOLE];
