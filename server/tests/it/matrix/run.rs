//! Calls every endpoint as each principal of the first tenant, with the other tenant's ids and with its own, and
//! reports leaks from the other tenant.

use app::server_fns::{self, ServerFunction};
use contract::{Access, Method, api_keys::KeyScope, endpoint::EndpointInfo, table};
use sqlx::PgPool;

use super::{
    ids::{self, Choice, SLOTS},
    lines::{line, with_body},
};
use crate::support::{CANARY, Client, ORIGIN, OTHER_ORIGIN, SeededTenant, TestResponse, World, checksum, send};

/// Which filters of the services are active in this run, besides row security.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterMode {
    /// All of them.
    Services,
    /// A comparison with the own tenant is true for every row.
    TenantsIgnored,
    /// A comparison with the own tenant or one of its chatbots is true for every row: the tenant's own chatbots mix.
    ChatbotsIgnored,
}

/// All leaks and unexpected responses; empty when the tenants are isolated.
pub async fn findings(world: &World, filters: FilterMode) -> Vec<String> {
    let run = Run { filters, ..Run::new(world, world.one, world.other, ORIGIN).await };
    let mut findings = Vec::new();
    // Own things are deleted last: the calls before need them.
    let mut endpoints = table();
    endpoints.sort_by_key(|endpoint| endpoint.method == Method::Delete);
    for endpoint in &endpoints {
        run.with_strange_ids(endpoint, &mut findings).await;
    }
    let before = checksum::of_tenant(world.platform.everything(), world.other.tenant).await;
    for endpoint in &endpoints {
        run.with_own_ids(endpoint, &mut findings).await;
    }
    for function in server_fns::table() {
        run.server_function(function, &mut findings).await;
    }
    let after = checksum::of_tenant(world.platform.everything(), world.other.tenant).await;
    for table in checksum::changed(&before, &after) {
        findings.push(format!("calls with own ids changed the other tenant's rows in {table}"));
    }
    findings
}

/// The reads of tenants and widgets that show no text of the tenant's own rows, as the tenant they belong to.
pub async fn blind_reads(world: &World) -> Vec<&'static str> {
    let run = Run::new(world, world.other, world.one, OTHER_ORIGIN).await;
    let mut blind = Vec::new();
    for endpoint in table().iter().filter(|endpoint| endpoint.method == Method::Get) {
        let choice = ids::own(&slots(endpoint));
        for (principal, client) in &run.callers {
            if !served(endpoint, principal) {
                continue;
            }
            if *principal == "viewer" && choice.iter().any(|(slot, _)| ids::is_of_one_user(slot)) {
                continue;
            }
            let answer = run.call(client, endpoint, &choice, "").await;
            if !answer.text.contains(CANARY) && !blind.contains(&endpoint.name) {
                blind.push(endpoint.name);
            }
        }
    }
    blind
}

/// A search notes itself in the history of its own user.
const OWN_HISTORY: (&str, &str) = ("SearchKnowledge", "kh_search_history");

struct Run<'a> {
    filters: FilterMode,
    everything: &'a PgPool,
    own: SeededTenant,
    other: SeededTenant,
    callers: [(&'static str, Client<'a>); 4],
    secrets: Vec<String>,
}

impl<'a> Run<'a> {
    async fn new(world: &'a World, own: SeededTenant, other: SeededTenant, origin: &str) -> Self {
        let platform = &world.platform;
        let key = platform.api_key(own.tenant, KeyScope::ALL).await;
        let callers = [
            ("admin", platform.admin(own.tenant)),
            ("viewer", platform.viewer(own.tenant)),
            ("widget", platform.widget_on(origin)),
            ("key", platform.bearer(&key)),
        ];
        let mut secrets = ids::all(other);
        secrets.push(CANARY.to_owned());
        Self { filters: FilterMode::Services, everything: platform.everything(), own, other, callers, secrets }
    }

    /// The other tenant's ids must give the same responses as unknown ids, and change nothing.
    async fn with_strange_ids(&self, endpoint: &EndpointInfo, findings: &mut Vec<String>) {
        let slots = slots(endpoint);
        if slots.is_empty() {
            return;
        }
        let before = checksum::of_everything(self.everything).await;
        for (principal, client) in &self.callers {
            for choice in ids::strange(&slots, self.filters != FilterMode::ChatbotsIgnored) {
                let strange = self.call(client, endpoint, &choice, "").await;
                let nobody = self.call(client, endpoint, &ids::with_nobody(&choice), "").await;
                let what = format!("{} as {principal} with {choice:?}", endpoint.name);
                if fingerprint(&strange) != fingerprint(&nobody) {
                    findings.push(format!("{what}: {strange:?}\n  but with random ids: {nobody:?}"));
                }
                self.check_secrets(&what, &strange, findings);
            }
        }
        let after = checksum::of_everything(self.everything).await;
        for table in checksum::changed(&before, &after) {
            if (endpoint.name, table) == OWN_HISTORY {
                continue;
            }
            findings.push(format!("{} with strange ids changed {table}", endpoint.name));
        }
    }

    /// The own ids must be served, otherwise the comparison proves nothing; and no response may contain the other
    /// tenant's words.
    async fn with_own_ids(&self, endpoint: &EndpointInfo, findings: &mut Vec<String>) {
        let choice = ids::own(&slots(endpoint));
        for (principal, client) in &self.callers {
            let what = format!("{} as {principal} with own ids", endpoint.name);
            let answer = self.call(client, endpoint, &choice, "").await;
            self.check_secrets(&what, &answer, findings);
            // The administrator's own data does not exist for a colleague.
            if *principal == "viewer" && choice.iter().any(|(slot, _)| ids::is_of_one_user(slot)) {
                if answer.status != 404 {
                    findings.push(format!("{what} shows what is the administrator's: {answer:?}"));
                }
                continue;
            }
            // The tenants' source is of uploads, which cannot be read like a website, and their chatbot is active.
            if self.filters != FilterMode::ChatbotsIgnored
                && !matches!(endpoint.name, "ReadWebsite" | "EraseChatbot")
                && served(endpoint, principal)
                && answer.status != endpoint.status
            {
                findings.push(format!("{what} is not served: {answer:?}"));
            }
            if endpoint.method == Method::Get {
                let answer = self.call(client, endpoint, &choice, &format!("q={CANARY}&limit=200")).await;
                self.check_secrets(&what, &answer, findings);
            }
        }
    }

    /// A server function uses only the caller's identity; a query with the other tenant changes nothing.
    async fn server_function(&self, function: ServerFunction, findings: &mut Vec<String>) {
        for (principal, client) in &self.callers {
            let what = format!("{} as {principal}", function.path);
            let answer = client.get(function.path).await;
            self.check_secrets(&what, &answer, findings);
            if admits(function.access, principal) && answer.status != 200 {
                findings.push(format!("{what} is not served: {answer:?}"));
            }
            let strange = client.get(&format!("{}?tenant_id={}", function.path, self.other.tenant)).await;
            if fingerprint(&strange) != fingerprint(&answer) {
                findings
                    .push(format!("{what} with the other tenant in its query: {strange:?}\n  but without: {answer:?}"));
            }
        }
    }

    async fn call(&self, client: &Client<'_>, endpoint: &EndpointInfo, choice: &Choice, more: &str) -> TestResponse {
        let (query, body) = line(endpoint).unwrap_or_else(|| panic!("{} has no line in the matrix", endpoint.name));
        let sign = if more.is_empty() || query.contains('?') { "" } else { "?" };
        let joint = if more.is_empty() || sign == "?" { "" } else { "&" };
        let path = ids::fill(&format!("{}{query}{sign}{joint}{more}", endpoint.path), choice, self.own, self.other);
        let request = client.request(endpoint.method.as_str(), &path);
        let request = with_body(request, &body, |text| ids::fill(text, choice, self.own, self.other));
        send(request).await
    }

    fn check_secrets(&self, what: &str, answer: &TestResponse, findings: &mut Vec<String>) {
        let headers = format!("{:?}", answer.headers);
        for secret in self.secrets.iter().filter(|secret| answer.text.contains(*secret) || headers.contains(*secret)) {
            findings.push(format!("{what} shows {secret} of the other tenant: {answer:?}"));
        }
    }
}

/// The places for ids in an endpoint's path, query and body.
fn slots(endpoint: &EndpointInfo) -> Vec<&'static str> {
    let (query, body) = line(endpoint).unwrap_or_else(|| panic!("{} has no line in the matrix", endpoint.name));
    let text = format!("{}{query}{body}", endpoint.path);
    SLOTS.into_iter().filter(|slot| text.contains(slot)).collect()
}

/// The parts of a response that a client can compare: status, headers and body. Request id, time and the rest of a rate limit differ in every
/// response; a search reports its duration and an id of its own.
fn fingerprint(answer: &TestResponse) -> (u16, Vec<(String, String)>, String) {
    let is_search = answer.body.get("took_ms").is_some();
    let ignored = [
        "x-request-id",
        "date",
        "ratelimit-remaining",
        "ratelimit-reset",
        if is_search { "etag" } else { "" },
        if is_search { "content-length" } else { "" },
    ];
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| !ignored.contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), format!("{value:?}")))
        .collect();
    headers.sort();
    let mut text = answer.text.clone();
    if is_search {
        for (begin, end) in [("\"took_ms\":{", '}'), ("\"search_id\":", ',')] {
            let Some((before, after)) = text.split_once(begin) else { continue };
            text = format!("{before}{}", after.split_once(end).map_or("", |(_, rest)| rest));
        }
    }
    (answer.status, headers, text)
}

/// Whether the principal must be served with own ids.
fn served(endpoint: &EndpointInfo, principal: &str) -> bool {
    // The administrator has made the same change before. Changes by keys are in the tests of the audit rows.
    let by_key = endpoint.key_scope.is_some() && endpoint.method == Method::Get;
    if principal == "key" { by_key } else { admits(endpoint.access, principal) }
}

/// Whether the access rule admits the principal.
fn admits(access: Access, principal: &str) -> bool {
    match access {
        Access::AnyScope | Access::Tenant => matches!(principal, "admin" | "viewer"),
        Access::AnyWriter | Access::TenantAdmin => principal == "admin",
        Access::Widget => principal == "widget",
        Access::Public | Access::Operator | Access::OperatorOrVendor => false,
    }
}
