//! The state that all request handlers share: realms, keys and memory.

use std::{collections::BTreeSet, net::IpAddr};

use parking_lot::{Mutex, MutexGuard};
use serde_json::{Map, Value};
use url::Url;

use crate::{
    clock::Clock,
    error::Error,
    events::{Event, EventType},
    keys::Keys,
    people::People,
    realm::Realm,
    sessions::Memory,
    settings::Settings,
};

/// Keys stay published this much longer than the tokens they signed, for clocks that disagree.
const LEEWAY_SECONDS: i64 = 60;

/// The state shared by all request handlers.
pub(crate) struct ProviderState {
    pub(crate) realms: Vec<LoadedRealm>,
    pub(crate) show_demo_accounts: bool,
    /// Whether cookies may travel over https only.
    pub(crate) secure: bool,
    /// Keeps the cookies of two providers on one host apart, because cookies ignore ports.
    pub(crate) cookie_suffix: String,
    memory: Mutex<Memory>,
    clock: Clock,
}

/// A realm with its issuer and its keys.
pub(crate) struct LoadedRealm {
    pub(crate) realm: Realm,
    pub(crate) issuer: String,
    pub(crate) keys: Keys,
    pub(crate) people: People,
}

/// The subject of an event, besides realm and time.
pub(crate) struct EventRecord<'a> {
    pub(crate) kind: EventType,
    pub(crate) client: &'a str,
    pub(crate) username: &'a str,
    pub(crate) session: Option<&'a str>,
    pub(crate) error: Option<&'static str>,
    /// Name and value pairs for `details`.
    pub(crate) details: &'a [(&'a str, &'a str)],
}

impl ProviderState {
    /// Reads the realm files and the signing keys; generates missing keys.
    pub(crate) fn load(settings: &Settings, clock: Clock) -> Result<Self, Error> {
        let url = auth_url(&settings.auth_url)?;
        let origin = url.origin().ascii_serialization();
        let mut names = BTreeSet::new();
        let mut realms = Vec::new();
        for path in &settings.realm_files {
            let realm = Realm::load(path, &settings.variables)?;
            if !names.insert(realm.name.clone()) {
                return Err(Error::RealmSet(format!("two files describe the realm {:?}", realm.name)));
            }
            let keep = realm.lifetimes.access_token + LEEWAY_SECONDS;
            let keys = Keys::load(&settings.state_dir.join(&realm.name), keep, clock().timestamp_millis())?;
            let people = People::load(&settings.state_dir.join(&realm.name), &realm)?;
            realms.push(LoadedRealm { issuer: format!("{origin}/realms/{}", realm.name), realm, keys, people });
        }
        if realms.is_empty() {
            return Err(Error::RealmSet("there is no realm file".to_owned()));
        }
        Ok(Self {
            realms,
            show_demo_accounts: settings.show_demo_accounts,
            secure: url.scheme() == "https",
            cookie_suffix: url.port_or_known_default().map_or(String::new(), |port| port.to_string()),
            memory: Mutex::new(Memory::new()),
            clock,
        })
    }

    /// Unix seconds.
    pub(crate) fn now(&self) -> i64 {
        (self.clock)().timestamp()
    }

    /// Unix milliseconds.
    pub(crate) fn now_millis(&self) -> i64 {
        (self.clock)().timestamp_millis()
    }

    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock()
    }

    pub(crate) fn loaded(&self, name: &str) -> Option<&LoadedRealm> {
        self.realms.iter().find(|loaded| loaded.realm.name == name)
    }

    pub(crate) fn rotate_keys(&self, name: &str) -> Result<String, Error> {
        let loaded = self.loaded(name).ok_or_else(|| Error::UnknownRealm(name.to_owned()))?;
        let kid = loaded.keys.rotate(self.now_millis())?;
        tracing::info!(realm = name, key_id = %kid, "idp.key_rotated");
        Ok(kid)
    }

    /// Records an event of a realm.
    pub(crate) fn record(&self, realm: &Realm, address: Option<IpAddr>, record: &EventRecord<'_>) {
        let mut details: Map<String, Value> =
            record.details.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        details.insert("username".to_owned(), record.username.chars().take(255).collect::<String>().into());
        let event = Event {
            id: uuid::Uuid::new_v4().to_string(),
            time: self.now_millis(),
            kind: record.kind,
            realm_id: realm.name.clone(),
            client_id: record.client.to_owned(),
            user_id: self
                .loaded(&realm.name)
                .and_then(|it| it.people.find_by_username(record.username))
                .map(|user| user.id.clone()),
            session_id: record.session.map(str::to_owned),
            ip_address: address,
            error: record.error,
            details,
        };
        self.memory().events.push(event);
    }
}

impl LoadedRealm {
    /// The claims of a valid token of this realm with the type `typ` (`Bearer`, `ID`). `now` of `None` accepts expired
    /// ones, too.
    pub(crate) fn verify(&self, token: &str, typ: &str, now: Option<i64>) -> Option<Map<String, Value>> {
        let claims = self.keys.verify(token)?;
        let live = now.is_none_or(|now| claims.get("exp").and_then(Value::as_i64).is_some_and(|exp| now < exp));
        (live && claims.get("iss")? == self.issuer.as_str() && claims.get("typ")? == typ).then_some(claims)
    }
}

fn auth_url(text: &str) -> Result<Url, Error> {
    let fail = |reason: &str| Error::AuthUrl { url: text.to_owned(), reason: reason.to_owned() };
    let url = Url::parse(text).map_err(|error| fail(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(fail("it must begin with http:// or https:// and name a host"));
    }
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if !bare || !url.username().is_empty() || url.password().is_some() {
        return Err(fail("it must be scheme, host and port only"));
    }
    Ok(url)
}
