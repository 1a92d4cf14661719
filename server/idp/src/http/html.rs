//! The provider's pages. No inline style, no script; every value is escaped.

use std::fmt::Write;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{Html, Response},
};

use super::{params::Params, realm_path::InRealm, respond, texts::Texts};
use crate::{realm::Realm, redirect, sessions::AuthRequest};

/// The style sheet of all pages.
pub(crate) const STYLESHEET: &str = include_str!("../../assets/login.css");

/// The contents of the sign-in form.
pub(crate) struct LoginForm<'a> {
    pub(crate) id: &'a str,
    pub(crate) username: &'a str,
    pub(crate) error: Option<&'a str>,
}

/// The sign-in page. Its form may redirect to the client, which must be allowed by `form-action`.
pub(crate) fn login(at: &InRealm, text: &'static Texts, request: &AuthRequest, form: &LoginForm<'_>) -> Response {
    let realm = &at.loaded().realm;
    let demo = if at.state.show_demo_accounts { demo_accounts(realm, text) } else { String::new() };
    let (described, alert) = match form.error {
        Some(error) => (
            r#" aria-invalid="true" aria-describedby="error""#,
            format!(r#"<p class="idp-alert" id="error" role="alert">{}</p>"#, escape(error)),
        ),
        None => ("", String::new()),
    };
    let name_focus = if form.username.is_empty() { " autofocus" } else { "" };
    let password_focus = if form.username.is_empty() { "" } else { " autofocus" };
    let body = format!(
        r#"<h1 class="idp-title">{title} <span class="idp-realm">{realm}</span></h1>
{alert}
<form class="idp-form" method="post" action="/realms/{realm_name}/login-actions/authenticate">
<input type="hidden" name="request" value="{id}">
<input type="hidden" name="ui_locales" value="{language}">
<label class="idp-label" for="username">{username_label}</label>
<input class="idp-input" id="username" name="username" type="text" value="{username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required{name_focus}{described}>
<label class="idp-label" for="password">{password_label}</label>
<input class="idp-input" id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required{password_focus}{described}>
<button class="idp-button" type="submit">{sign_in}</button>
</form>
{demo}"#,
        title = text.title,
        realm = escape(realm.name_in(text.language)),
        realm_name = escape(&realm.name),
        id = escape(form.id),
        language = text.language,
        username_label = text.username,
        username = escape(form.username),
        password_label = text.password,
        sign_in = text.sign_in,
    );
    let client = redirect::origin(&request.redirect_uri).unwrap_or_default();
    page(StatusCode::OK, text, text.title, &body, &client)
}

/// The page on which a person chooses a password.
pub(crate) fn new_password(
    at: &InRealm,
    text: &'static Texts,
    request: &AuthRequest,
    id: &str,
    error: Option<&str>,
) -> Response {
    let (described, alert) = match error {
        Some(error) => (
            r#" aria-invalid="true" aria-describedby="error""#,
            format!(r#"<p class="idp-alert" id="error" role="alert">{}</p>"#, escape(error)),
        ),
        None => {
            let fewest = at.loaded().realm.min_password;
            let rule = if fewest > 1 { text.too_short.replace("{}", &fewest.to_string()) } else { String::new() };
            ("", format!(r#"<p class="idp-text">{} {rule}</p>"#, text.new_text))
        }
    };
    let body = format!(
        r#"<h1 class="idp-title">{title}</h1>
{alert}
<form class="idp-form" method="post" action="/realms/{realm}/login-actions/required-action">
<input type="hidden" name="request" value="{id}">
<input type="hidden" name="ui_locales" value="{language}">
<label class="idp-label" for="password-new">{label}</label>
<input class="idp-input" id="password-new" name="password-new" type="password" autocomplete="new-password" maxlength="1024" required autofocus{described}>
<label class="idp-label" for="password-confirm">{again}</label>
<input class="idp-input" id="password-confirm" name="password-confirm" type="password" autocomplete="new-password" maxlength="1024" required{described}>
<button class="idp-button" type="submit">{save}</button>
</form>"#,
        title = text.new_title,
        realm = escape(&at.loaded().realm.name),
        id = escape(id),
        language = text.language,
        label = text.new_password,
        again = text.new_password_again,
        save = text.new_save,
    );
    let client = redirect::origin(&request.redirect_uri).unwrap_or_default();
    page(StatusCode::OK, text, text.new_title, &body, &client)
}

/// A page with a heading and a sentence.
pub(crate) fn message(status: StatusCode, text: &'static Texts, title: &str, sentence: &str) -> Response {
    let body = format!(r#"<h1 class="idp-title">{}</h1><p class="idp-text">{}</p>"#, escape(title), escape(sentence));
    page(status, text, title, &body, "")
}

/// Asks for confirmation before signing out, and keeps the parameters for the response.
pub(crate) fn confirm_logout(at: &InRealm, text: &'static Texts, params: &Params) -> Response {
    let mut hidden_fields = String::new();
    for name in ["client_id", "post_logout_redirect_uri", "state", "ui_locales"] {
        if let Some(value) = params.get(name) {
            let _ = write!(hidden_fields, r#"<input type="hidden" name="{name}" value="{}">"#, escape(value));
        }
    }
    let body = format!(
        r#"<h1 class="idp-title">{question}</h1>
<form class="idp-form" method="post" action="/realms/{realm}/protocol/openid-connect/logout">
{hidden_fields}<input type="hidden" name="confirmed" value="true">
<button class="idp-button" type="submit">{sign_out}</button>
</form>"#,
        question = text.sign_out_question,
        realm = escape(&at.loaded().realm.name),
        sign_out = text.sign_out,
    );
    let client = params.get("post_logout_redirect_uri").and_then(redirect::origin).unwrap_or_default();
    page(StatusCode::OK, text, text.sign_out, &body, &client)
}

fn demo_accounts(realm: &Realm, text: &'static Texts) -> String {
    let mut rows = String::new();
    for user in &realm.users {
        let roles = user.roles.join(", ");
        let _ = write!(rows, "<li><strong>{}</strong> <span>{}</span></li>", escape(&user.username), escape(&roles));
    }
    let password = realm.users.iter().find_map(|user| user.password()).unwrap_or_default();
    format!(
        r#"<section class="idp-demo" aria-labelledby="demo"><h2 id="demo">{}</h2><ul>{rows}</ul><p>{} <code>{}</code></p></section>"#,
        text.demo_title,
        text.demo_password,
        escape(password),
    )
}

fn page(status: StatusCode, text: &'static Texts, title: &str, body: &str, form_target: &str) -> Response {
    let html = format!(
        r#"<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/resources/login.css">
</head>
<body class="idp">
<main class="idp-card">
{body}
</main>
</body>
</html>
"#,
        language = text.language,
        title = escape(title),
    );
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' {form_target}; \
         base-uri 'none'; frame-ancestors 'none'"
    );
    let mut response = respond::no_store((status, Html(html)));
    let headers = response.headers_mut();
    let policy = HeaderValue::from_str(&policy).expect("an origin is visible ASCII");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_cannot_leave_their_place() {
        assert_eq!(escape(r#""><script>'&"#), "&quot;&gt;&lt;script&gt;&#39;&amp;");
    }
}
