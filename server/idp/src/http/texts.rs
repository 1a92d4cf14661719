//! The texts of the provider's pages, in English and German.

use axum::http::{HeaderMap, header};

/// All texts of one language. `{}` is a placeholder for a number.
pub(crate) struct Texts {
    pub(crate) language: &'static str,
    pub(crate) title: &'static str,
    pub(crate) username: &'static str,
    pub(crate) password: &'static str,
    pub(crate) sign_in: &'static str,
    pub(crate) wrong: &'static str,
    pub(crate) wait: &'static str,
    /// `wait` for one second.
    pub(crate) wait_one: &'static str,
    pub(crate) new_title: &'static str,
    pub(crate) new_text: &'static str,
    pub(crate) new_password: &'static str,
    pub(crate) new_password_again: &'static str,
    pub(crate) new_save: &'static str,
    pub(crate) too_short: &'static str,
    pub(crate) not_equal: &'static str,
    pub(crate) not_new: &'static str,
    pub(crate) demo_title: &'static str,
    pub(crate) demo_password: &'static str,
    pub(crate) bad_request: &'static str,
    pub(crate) expired_title: &'static str,
    pub(crate) expired: &'static str,
    pub(crate) sign_out: &'static str,
    pub(crate) sign_out_question: &'static str,
    pub(crate) signed_out_title: &'static str,
    pub(crate) signed_out: &'static str,
}

static ENGLISH: Texts = Texts {
    language: "en",
    title: "Sign in",
    username: "Username",
    password: "Password",
    sign_in: "Sign in",
    wrong: "Incorrect username or password.",
    wait: "Too many failed attempts. Try again in {} seconds.",
    wait_one: "Too many failed attempts. Try again in 1 second.",
    new_title: "Choose a password",
    new_text: "You signed in with a password that someone else knows. Choose one of your own to continue.",
    new_password: "New password",
    new_password_again: "Repeat new password",
    new_save: "Save and continue",
    too_short: "The password must have at least {} characters.",
    not_equal: "The passwords don't match.",
    not_new: "Choose a password that differs from the current one.",
    demo_title: "Demo accounts",
    demo_password: "Password for all demo accounts:",
    bad_request: "Invalid request",
    expired_title: "Sign-in expired",
    expired: "Go back to the application and sign in again.",
    sign_out: "Sign out",
    sign_out_question: "Sign out?",
    signed_out_title: "Signed out",
    signed_out: "You've been signed out. You can close this page.",
};

static GERMAN: Texts = Texts {
    language: "de",
    title: "Anmelden",
    username: "Benutzername",
    password: "Passwort",
    sign_in: "Anmelden",
    wrong: "Benutzername oder Passwort falsch.",
    wait: "Zu viele Fehlversuche. Versuchen Sie es in {} Sekunden erneut.",
    wait_one: "Zu viele Fehlversuche. Versuchen Sie es in 1 Sekunde erneut.",
    new_title: "Passwort wählen",
    new_text: "Sie haben sich mit einem Passwort angemeldet, das auch jemand anderes kennt. Wählen Sie ein eigenes, um fortzufahren.",
    new_password: "Neues Passwort",
    new_password_again: "Neues Passwort wiederholen",
    new_save: "Speichern und fortfahren",
    too_short: "Das Passwort muss mindestens {} Zeichen lang sein.",
    not_equal: "Die Passwörter stimmen nicht überein.",
    not_new: "Wählen Sie ein anderes Passwort als das bisherige.",
    demo_title: "Demo-Konten",
    demo_password: "Passwort für alle Demo-Konten:",
    bad_request: "Ungültige Anfrage",
    expired_title: "Anmeldung abgelaufen",
    expired: "Kehren Sie zur Anwendung zurück und melden Sie sich erneut an.",
    sign_out: "Abmelden",
    sign_out_question: "Möchten Sie sich abmelden?",
    signed_out_title: "Abgemeldet",
    signed_out: "Sie sind abgemeldet und können diese Seite schließen.",
};

/// The language requested by the client, else the browser's first supported one, else English.
pub(crate) fn choose(ui_locales: Option<&str>, headers: &HeaderMap) -> &'static Texts {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let language_tags = ui_locales.unwrap_or_default().split_ascii_whitespace().chain(accepted.split(','));
    let spoken = language_tags.filter_map(|tag| match tag.trim().split(['-', ';', '_']).next() {
        Some("de") => Some(&GERMAN),
        Some("en") => Some(&ENGLISH),
        _ => None,
    });
    spoken.into_iter().next().unwrap_or(&ENGLISH)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_clients_language_wins_over_the_browsers() {
        let mut headers = HeaderMap::new();
        assert_eq!(choose(None, &headers).language, "en");
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("fr-FR, de;q=0.8, en;q=0.5"));
        assert_eq!(choose(None, &headers).language, "de");
        assert_eq!(choose(Some("en"), &headers).language, "en");
    }
}
