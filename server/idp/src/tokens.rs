//! Claims of access tokens, ID tokens and the userinfo response.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};

use crate::{
    realm::{Client, Realm, Target, User},
    scopes::Granted,
    secret,
    sessions::Session,
};

/// The subject of a token: realm, client, user and session.
pub(crate) struct Subject<'a> {
    pub(crate) realm: &'a Realm,
    pub(crate) issuer: &'a str,
    pub(crate) client: &'a Client,
    pub(crate) user: &'a User,
    /// `None` for service accounts, which have no session.
    pub(crate) session: Option<&'a Session>,
    pub(crate) granted: &'a Granted,
}

impl Subject<'_> {
    /// The claims of an access token. There is no `sub`: the pair of realm and user name is the identity.
    pub(crate) fn access_claims(&self, now: i64, expires: i64) -> Map<String, Value> {
        let mut claims = self.base("Bearer", now, expires);
        claims.insert("scope".to_owned(), self.granted.text(self.realm).into());
        self.add_mapped(&mut claims, Target::AccessToken);
        claims
    }

    /// The claims of an ID token for an access token.
    pub(crate) fn id_claims(
        &self,
        nonce: Option<&str>,
        access_token: &str,
        now: i64,
        expires: i64,
    ) -> Map<String, Value> {
        let mut claims = self.base("ID", now, expires);
        claims.insert("sub".to_owned(), self.user.id.clone().into());
        claims.insert("aud".to_owned(), self.client.id.clone().into());
        claims.insert("at_hash".to_owned(), URL_SAFE_NO_PAD.encode(&secret::hash(access_token)[..16]).into());
        if let Some(nonce) = nonce {
            claims.insert("nonce".to_owned(), nonce.into());
        }
        self.add_mapped(&mut claims, Target::IdToken);
        claims
    }

    /// The answer of the userinfo endpoint.
    pub(crate) fn userinfo(&self) -> Map<String, Value> {
        let mut claims = Map::from_iter([("sub".to_owned(), self.user.id.clone().into())]);
        self.add_mapped(&mut claims, Target::Userinfo);
        claims
    }

    fn base(&self, kind: &str, now: i64, expires: i64) -> Map<String, Value> {
        let mut claims = Map::new();
        claims.insert("exp".to_owned(), expires.into());
        claims.insert("iat".to_owned(), now.into());
        claims.insert("jti".to_owned(), uuid::Uuid::new_v4().to_string().into());
        claims.insert("iss".to_owned(), self.issuer.into());
        claims.insert("typ".to_owned(), kind.into());
        claims.insert("azp".to_owned(), json!(self.client.id));
        if let Some(session) = self.session {
            claims.insert("sid".to_owned(), session.id.clone().into());
        }
        claims
    }

    fn add_mapped(&self, claims: &mut Map<String, Value>, target: Target) {
        let auth_time = self.session.map(|session| session.auth_time);
        for mapper in self.granted.in_realm(self.realm).flat_map(|scope| &scope.mappers) {
            mapper.apply(claims, self.user, auth_time, target);
        }
    }
}
