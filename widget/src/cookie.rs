//! The session cookie as text: its name, finding it among others, writing and expiring it (specification, widget
//! embedding). Does not use the browser.

use crate::plain::is_uuid;

/// How long a conversation is stored: 30 days, in seconds.
const MAX_AGE_SECONDS: &str = "2592000";

/// The cookie of a chatbot: `svc_sid_` and the first eight characters of its id.
pub(crate) fn name_for(chatbot_id: &str) -> String {
    let short: String = chatbot_id.chars().take(8).collect();
    ["svc_sid_", &short].concat()
}

/// The value of the cookie `name` in `document.cookie`, when it is a well-formed session id.
pub(crate) fn session_in<'a>(cookies: &'a str, name: &str) -> Option<&'a str> {
    let values = cookies.split(';').filter_map(|pair| pair.split_once('='));
    values.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim()).find(|value| is_uuid(value))
}

/// The assignment that stores a session for 30 days; `secure` on https pages.
pub(crate) fn keep(name: &str, session_id: &str, secure: bool) -> String {
    [name, "=", session_id, "; Max-Age=", MAX_AGE_SECONDS, ATTRIBUTES, if secure { "; Secure" } else { "" }].concat()
}

/// The assignment that deletes a cookie.
pub(crate) fn expire(name: &str) -> String {
    [name, "=; Max-Age=0", ATTRIBUTES].concat()
}

const ATTRIBUTES: &str = "; Path=/; SameSite=Lax";

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6a";

    #[test]
    fn the_cookie_name_has_the_chatbots_first_eight_characters() {
        assert_eq!(name_for("b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33"), "svc_sid_b7d4f1a2");
    }

    #[test]
    fn a_session_is_found_among_cookies_only_by_its_whole_name() {
        let cookies = ["a=b; xsvc_sid_b7d4f1a2=", SESSION, ";svc_sid_b7d4f1a2=", SESSION, "; c"].concat();
        assert_eq!(session_in(&cookies, "svc_sid_b7d4f1a2"), Some(SESSION));
        assert_eq!(session_in(&cookies, "svc_sid"), None);
        assert_eq!(session_in("", "svc_sid_b7d4f1a2"), None);
    }

    #[test]
    fn a_value_that_is_no_uuid_is_not_a_session() {
        for bad in ["", "x", "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6", "0197d2c4_5f0e-7c11-9a3b-1f2e3d4c5b6a"] {
            assert_eq!(session_in(&["svc_sid_b7d4f1a2=", bad].concat(), "svc_sid_b7d4f1a2"), None, "{bad}");
        }
    }

    #[test]
    fn the_cookie_lasts_thirty_days_and_is_secure_on_https() {
        let secure = keep("n", SESSION, true);
        assert_eq!(secure, ["n=", SESSION, "; Max-Age=2592000; Path=/; SameSite=Lax; Secure"].concat());
        assert!(!keep("n", SESSION, false).contains("Secure"));
        assert_eq!(expire("n"), "n=; Max-Age=0; Path=/; SameSite=Lax");
    }
}
