//! The cookie with the refresh token of a console's session. It is sealed with the client's secret, so that refresh
//! tokens from elsewhere are not accepted.

use app::backend::Console;
use http::{HeaderMap, HeaderValue, header};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, crypto};

use crate::config::Secret;

const NAME: &str = "svc_console_session";
/// Sessions of the clients that have a secret end after two hours (specification, Limits).
const SECONDS: u32 = 2 * 60 * 60;

/// The cookies of one client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cookies<'a> {
    pub(super) client: &'a str,
    pub(super) secret: &'a Secret,
    /// Whether browsers reach the platform by https.
    pub(super) is_secure: bool,
}

impl Cookies<'_> {
    /// The header that stores a refresh token in the browser; `None` for one that does not fit into a cookie.
    pub(super) fn sealed(&self, token: &str) -> Option<HeaderValue> {
        let key = EncodingKey::from_secret(self.secret.expose().as_bytes());
        let seal = crypto::sign(&self.message(token), &key, Algorithm::HS256).ok()?;
        let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\\'));
        let value = format!("{NAME}={seal}.{token}; Max-Age={SECONDS}; {}", attributes(self.is_secure));
        HeaderValue::try_from(value).ok().filter(|_| is_plain)
    }

    /// The refresh token of a request, when its seal is good.
    pub(super) fn read(&self, headers: &HeaderMap) -> Option<String> {
        let pairs = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let value = pairs
            .flat_map(|line| line.split(';'))
            .find_map(|pair| pair.trim().strip_prefix(NAME)?.strip_prefix('='))?;
        let (seal, token) = value.split_once('.')?;
        let key = DecodingKey::from_secret(self.secret.expose().as_bytes());
        let is_good = crypto::verify(seal, &self.message(token), &key, Algorithm::HS256).unwrap_or(false);
        is_good.then(|| token.to_owned())
    }

    /// The header that makes the browser forget it.
    pub(super) fn removal(is_secure: bool) -> HeaderValue {
        let value = format!("{NAME}=; Max-Age=0; {}", attributes(is_secure));
        HeaderValue::try_from(value).expect("a name and attributes that are plain ASCII")
    }

    fn message(&self, token: &str) -> Vec<u8> {
        format!("{NAME}\n{}\n{token}", self.client).into_bytes()
    }
}

/// The browser sends the cookie to the console's token address only, and only from pages of the same site.
fn attributes(is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!("Path={}/token; HttpOnly; SameSite=Strict{secure}", Console::Operator.base())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent_back(header: &HeaderValue) -> HeaderMap {
        let pair = header.to_str().unwrap().split(';').next().unwrap();
        HeaderMap::from_iter([(header::COOKIE, format!("other=1; {pair}").parse().unwrap())])
    }

    #[test]
    fn only_a_sealed_refresh_token_is_read_back() {
        let (secret, other) = (Secret::new("one"), Secret::new("two"));
        let cookies = |client, secret| Cookies { client, secret, is_secure: true };
        let own = cookies("svc-api-vendor-tunnel", &secret);
        let header = own.sealed("a.refresh.token").unwrap();
        let back = sent_back(&header);
        assert_eq!(own.read(&back).as_deref(), Some("a.refresh.token"));
        assert_eq!(cookies("svc-api-vendor-tunnel", &other).read(&back), None, "another secret");
        assert_eq!(cookies("svc-api-vendor-breakglass", &secret).read(&back), None, "another client");
        for forged in ["a.refresh.token", "x.a.refresh.token", ".a.refresh.token", ""] {
            let header = HeaderMap::from_iter([(header::COOKIE, format!("{NAME}={forged}").parse().unwrap())]);
            assert_eq!(own.read(&header), None, "{forged}");
        }
        assert!(own.sealed("two;parts").is_none());
    }

    #[test]
    fn the_cookie_is_secure_where_the_platform_is() {
        let secret = Secret::new("one");
        for (is_secure, end) in [(true, "HttpOnly; SameSite=Strict; Secure"), (false, "HttpOnly; SameSite=Strict")] {
            let cookies = Cookies { client: "c", secret: &secret, is_secure };
            let (cookie, removed) = (cookies.sealed("token").unwrap(), Cookies::removal(is_secure));
            let attributes = format!("; Path=/admin/operator/token; {end}");
            assert!(cookie.to_str().unwrap().ends_with(&format!("; Max-Age=7200{attributes}")), "{cookie:?}");
            assert_eq!(removed, format!("{NAME}=; Max-Age=0{attributes}"));
        }
    }
}
