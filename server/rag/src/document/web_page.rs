//! What a web page declares about itself: its text, its links, and its directives for robots.

mod addresses;
mod facts;

use encoding_rs::Encoding;
use scraper::{Html, Selector};
use serde::{Deserialize, Serialize};

pub use self::facts::robots_directives;
use self::facts::{read_facts, refresh_target};
use super::{Content, Document, Unreadable, catch_panics, charset, hash, html, kind::Kind, parse_as};

/// Maximum letters of a page with a password form that is only a login page.
const LOGIN_CHARS: usize = 600;
/// Maximum letters of a page with a password form that does not call itself a login page.
const UNTITLED_LOGIN_CHARS: usize = 200;
/// Phrases in the title or first heading of a login page, in lower case.
const LOGIN: &[&str] = &[
    "login",
    "log in",
    "log-in",
    "sign in",
    "sign-in",
    "anmelden",
    "anmeldung",
    "einloggen",
    "connexion",
    "se connecter",
    "identifiez-vous",
    "iniciar sesi",
    "acceso",
    "accedi",
    "inloggen",
    "aanmelden",
    "entrar",
    "iniciar sess",
];
/// Maximum letters of a page that reports a missing page.
const MISSING_CHARS: usize = 600;
/// Phrases in the title or first heading of such a page, in lower case.
const MISSING: &[&str] = &[
    "not found",
    "nicht gefunden",
    "existiert nicht",
    "non trouvée",
    "introuvable",
    "no encontrada",
    "non trovata",
    "não encontrada",
    "niet gevonden",
];
/// Words next to which the number 404 is a status and not part of a product name.
const ERROR: &[&str] = &["error", "fehler", "erreur", "errore", "erro", "fout", "status", "http"];

/// Maximum letters of a page that is only a bot check.
const BOT_CHECK_CHARS: usize = 800;
/// Phrases of pages that ask for a proof that a person is there, in lower case.
const BOT_CHECK: &[&str] = &[
    "checking your browser",
    "checking if the site connection is secure",
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "verify you are not a robot",
    "confirm you are not a robot",
    "confirm that you are human",
    "prove you are human",
    "i'm not a robot",
    "i am not a robot",
    "are you a robot",
    "enable javascript and cookies to continue",
    "ddos protection by",
    "complete the captcha",
    "complete the security check",
    "unusual traffic from your",
    "browser wird überprüft",
    "browser wird geprüft",
    "überprüfung ihres browsers",
    "dass sie ein mensch sind",
    "dass sie kein roboter sind",
    "ich bin kein roboter",
    "vérification de votre navigateur",
    "que vous êtes humain",
    "que vous n'êtes pas un robot",
    "verifica que eres humano",
    "que no eres un robot",
    "comprobando su navegador",
];
/// Titles of such pages, in lower case.
const BOT_CHECK_TITLES: &[&str] = &[
    "just a moment",
    "attention required",
    "human verification",
    "bot check",
    "captcha",
    "einen moment",
    "nur einen moment",
];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebPage {
    /// The text, or the reason why there is none.
    pub document: Option<Document>,
    /// Its title; empty when it has none.
    pub title: String,
    /// The addresses of its links, without those marked `nofollow`.
    pub links: Vec<String>,
    /// The base of relative links, when it is not the page's own address.
    pub base: Option<String>,
    /// The address that it declares as canonical.
    pub canonical: Option<String>,
    /// Its versions in other languages: language and address.
    pub alternates: Vec<(String, String)>,
    /// Whether it asks not to be indexed.
    pub noindex: bool,
    /// Whether it asks not to follow its links.
    pub nofollow: bool,
    /// The address to which it leads on by itself within seconds.
    pub refresh: Option<String>,
    /// Whether it is mainly a login form.
    pub is_login: bool,
    /// Whether it asks for a proof that a person is there, instead of its text.
    pub is_bot_check: bool,
    /// Whether it reports a missing page.
    pub says_missing: bool,
    pub has_scripts: bool,
}

/// Evidence of the owner on a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ownership {
    /// The widget snippets: the chatbot, and the address of the script as written.
    pub snippets: Vec<(String, String)>,
    /// The contents of the meta elements with the requested name.
    pub tokens: Vec<String>,
    /// The address to which the page leads on by itself within seconds.
    pub refresh: Option<String>,
}

/// Reads an HTML page. `path` names its document, whose hash is that of its text, so that other changes of the page do
/// not count. `charset` is from the response header.
///
/// # Errors
/// When the bytes are not text in the declared encoding.
pub fn read_page(path: &str, bytes: &[u8], charset: Option<&str>) -> Result<WebPage, Unreadable> {
    let (text, encoding) = decode(bytes, charset)?;
    let mut facts = read_facts(&text)?;
    facts.encode_queries(encoding);
    let content = catch_panics(Kind::Html, || Ok(html::content(&text)))?.storable();
    let letters: usize = content.sections.iter().map(|section| section.text.chars().count()).sum();
    let first_heading = facts.first_heading.clone();
    let says_missing =
        letters < MISSING_CHARS && [facts.title.as_str(), first_heading.as_str()].iter().any(|text| says_missing(text));
    let is_bot_check = letters < BOT_CHECK_CHARS && is_bot_check(&facts.title, &first_heading, &content);
    let says_login = [facts.title.as_str(), first_heading.as_str()].iter().any(|text| has_any(text, LOGIN));
    let max_letters = if says_login { LOGIN_CHARS } else { UNTITLED_LOGIN_CHARS };
    let is_login = facts.has_password && letters < max_letters;
    let document = (!content.sections.is_empty()).then(|| document(path, content));
    Ok(WebPage {
        title: document.as_ref().map_or_else(|| facts.title.clone(), |document| document.title.clone()),
        document,
        is_login,
        refresh: facts.refresh,
        is_bot_check,
        says_missing,
        links: facts.links,
        base: facts.base,
        canonical: facts.canonical,
        alternates: facts.alternates,
        noindex: facts.noindex,
        nofollow: facts.nofollow,
        has_scripts: facts.has_scripts,
    })
}

/// Reads another file of a website, for example a PDF. `file_type` is the extension that decides the format.
///
/// # Errors
/// The same as for uploaded files.
pub fn read_file(path: &str, file_type: &str, bytes: &[u8]) -> Result<Document, Unreadable> {
    let kind = Kind::of_extension(file_type).ok_or(Unreadable::UnsupportedType)?;
    if !kind.may_begin_with(bytes) {
        return Err(Unreadable::OtherType(kind.name()));
    }
    let name = path.split(['?', '#']).next().unwrap_or(path).trim_end_matches('/');
    let mut document = parse_as(kind, name, bytes)?;
    document.path = path.to_owned();
    document.content_hash = text_hash(&document);
    Ok(document)
}

/// Finds evidence of the owner: widget snippets, and contents of meta elements named `meta`.
pub fn ownership(bytes: &[u8], meta: &str) -> Ownership {
    let Ok((text, _)) = decode(bytes, None) else { return Ownership::default() };
    let page = Html::parse_document(&text);
    let values = |css: &str, attribute: &str| -> Vec<String> {
        let Ok(selector) = Selector::parse(css) else { return Vec::new() };
        page.select(&selector)
            .filter_map(|element| element.attr(attribute))
            .map(|value| value.trim().to_owned())
            .collect()
    };
    let chatbots = values("script[src][data-chatbot-id]", "data-chatbot-id");
    let scripts = values("script[src][data-chatbot-id]", "src");
    Ownership {
        snippets: chatbots.into_iter().zip(scripts).collect(),
        tokens: values(&format!("meta[name=\"{meta}\"]"), "content"),
        refresh: values("meta[http-equiv=refresh i]", "content").iter().find_map(|content| refresh_target(content)),
    }
}

fn decode(bytes: &[u8], charset: Option<&str>) -> Result<(String, &'static Encoding), Unreadable> {
    let label_encoding = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    match label_encoding {
        Some(encoding) => {
            let (text, actual, _) = encoding.decode(bytes);
            Ok((text.into_owned(), actual))
        }
        None => charset::decode_page(bytes),
    }
}

fn document(path: &str, content: Content) -> Document {
    let title = content.title.unwrap_or_else(|| path.to_owned());
    let mut document = Document {
        path: path.to_owned(),
        title,
        sections: content.sections,
        layout: content.layout,
        content_hash: String::new(),
        blank_pages: Vec::new(),
        ocr_pages: Vec::new(),
        omissions: content.omissions,
    };
    document.content_hash = text_hash(&document);
    document
}

fn text_hash(document: &Document) -> String {
    let mut text = document.title.clone();
    for section in &document.sections {
        for part in section.heading_path.iter().chain(section.anchor.as_ref()).chain([&section.text]) {
            text.push('\0');
            text.push_str(part);
        }
    }
    hash(text.as_bytes())
}

fn says_missing(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_status = words.contains(&"404") && (words.len() == 1 || words.iter().any(|word| ERROR.contains(word)));
    text.chars().count() < 80 && (is_status || MISSING.iter().any(|phrase| text.contains(phrase)))
}

fn is_bot_check(title: &str, heading: &str, content: &Content) -> bool {
    let names = [title, heading].map(str::to_lowercase);
    let sections = content.sections.iter();
    let texts =
        sections.flat_map(|section| section.heading_path.iter().chain([&section.text])).map(|text| text.to_lowercase());
    names.iter().any(|name| BOT_CHECK_TITLES.iter().any(|title| name.trim_end_matches(['.', '…', ' ', '!']) == *title))
        || names.iter().cloned().chain(texts).any(|text| BOT_CHECK.iter().any(|phrase| text.contains(phrase)))
}

/// Whether the text has one of these phrases in lower case.
fn has_any(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> WebPage {
        read_page("https://example.com/a", html.as_bytes(), None).unwrap()
    }

    #[test]
    fn a_page_says_what_its_owner_wants() {
        let read = page(
            r#"<html><head><title>Prices</title><base href="/shop/"><link rel="canonical" href="/prices">
            <link rel="alternate" hreflang="de-DE" href="/de/preise"><meta name="ROBOTS" content="noarchive, NOINDEX"></head>
            <body><main><h1>Prices</h1><p>A boot costs 80 euros.</p><a href="boots">Boots</a>
            <a rel="nofollow" href="/cart">Cart</a></main></body></html>"#,
        );
        assert_eq!((read.title.as_str(), read.base.as_deref()), ("Prices", Some("/shop/")));
        assert_eq!((read.canonical.as_deref(), read.noindex, read.nofollow), (Some("/prices"), true, false));
        assert_eq!(read.alternates, [("de-de".to_owned(), "/de/preise".to_owned())]);
        assert_eq!(read.links, ["boots"]);
        assert_eq!(page("<meta http-equiv=Refresh content=0;url=/home>").refresh.as_deref(), Some("/home"));
        assert_eq!(robots_directives("none"), (true, true));
        assert_eq!(robots_directives("max-snippet:0, noindexed"), (false, false));
    }

    #[test]
    fn links_are_encoded_as_their_page() {
        let body = b"<body><p>Text of a page.</p><a href='/M\xfcsli?q=M\xfcsli'>x</a></body>";
        let link = |bytes: &[u8], charset| read_page("/", bytes, charset).unwrap().links;
        let page = [b"<meta charset=iso-8859-1>".as_slice(), body].concat();
        for (bytes, charset) in [(page.as_slice(), None), (body, Some("latin1")), (body, None)] {
            assert_eq!(link(bytes, charset), ["/M\u{fc}sli?q=M%FCsli"], "{charset:?}");
        }
        let unicode = "<p>Text of a page.</p><a href='/M\u{fc}sli?q=M\u{fc}sli'>x</a>";
        assert_eq!(link(unicode.as_bytes(), None), ["/M\u{fc}sli?q=M\u{fc}sli"]);
    }

    #[test]
    fn the_hash_is_of_the_text_alone() {
        let hash = |html: &str| page(html).document.unwrap().content_hash;
        let one = hash("<title>A</title><body><script>nonce = 1</script><p>Text.</p></body>");
        assert_eq!(one, hash("<title>A</title><body><script>nonce = 2</script>\n<p>Text.</p><!-- now --></body>"));
        assert_ne!(one, hash("<title>A</title><body><p>Other text.</p></body>"));
    }

    #[test]
    fn pages_that_are_none_are_known() {
        assert!(page("<body><form><input name=u><input type=password></form></body>").is_login);
        let long = "Our customers sign in here. ".repeat(30);
        assert!(!page(&format!("<body><p>{long}</p><input type=password></body>")).is_login);
        assert!(page("<title>404 - Seite nicht gefunden</title><body><p>Zur Startseite</p></body>").says_missing);
        assert!(!page(&format!("<title>Fehler 404 beheben</title><body><p>{long}</p></body>")).says_missing);
        assert!(page("<title>Error 404</title><body><p>Oops.</p></body>").says_missing);
        assert!(!page("<title>Modell 404</title><body><h1>Modell 404</h1><p>Eine Fräse.</p></body>").says_missing);
        let empty = page("<body><div id=app></div><script src=app.js></script></body>");
        assert!(empty.document.is_none() && empty.has_scripts);
    }

    #[test]
    fn bot_checks_are_no_text() {
        for check in [
            "<title>Just a moment...</title><body><p>Please wait.</p></body>",
            "<title>shop.example</title><body><h1>Checking your browser before accessing shop.example</h1></body>",
            "<body><p>Ihr Browser wird überprüft, bevor Sie weitergeleitet werden.</p></body>",
            "<body><h2>Security</h2><p>Verify you are human by completing the action below.</p></body>",
        ] {
            assert!(page(check).is_bot_check, "{check}");
        }
        let long = "We explain how a bot check works: Verify you are human, it says. ".repeat(20);
        for text in [
            format!("<title>Bot checks</title><body><p>{long}</p></body>"),
            "<title>Moments</title><body><p>Just a moment from the shop.</p></body>".to_owned(),
        ] {
            assert!(!page(&text).is_bot_check, "{text}");
        }
    }

    #[test]
    fn a_login_box_makes_no_login_page() {
        let text = "<h1>Tulip shop</h1><p>We sell bulbs of forty kinds, and we send them to your home.</p>";
        let form = "<form><input name=u><input type=password><button>Log in</button></form>";
        for around in [
            "<header>?</header>",
            "<nav>?</nav>",
            "<div class='dropdown-menu'>?</div>",
            "<div class='user-menu'><div hidden>?</div></div>",
            "<div style='display:none'>?</div>",
            "<div role=dialog>?</div>",
            "<div class='modal fade' aria-hidden='true'>?</div>",
            "<aside>?</aside>",
        ] {
            let read = page(&format!("<title>Tulip shop</title><body>{}{text}</body>", around.replace('?', form)));
            assert!(!read.is_login && read.document.unwrap().text_bytes() > 50, "{around}");
        }
        assert!(
            page(&format!(
                "<title>Sign in</title><body><h1>Customer area</h1><p>{}</p>{form}",
                "Staff only. ".repeat(30)
            ))
            .is_login
        );
        assert!(page(&format!("<title>Customer area</title><body><p>Staff only.</p>{form}")).is_login);
        let shop = "We sell bulbs of forty kinds, and we send them to your home. ".repeat(4);
        assert!(!page(&format!("<title>Tulip shop</title><body><p>{shop}</p><div>{form}</div>")).is_login);
    }

    #[test]
    fn a_page_shows_whose_it_is() {
        let facts = ownership(
            br#"<head><meta name="chatbot-verification" content=" abc "></head>
            <meta http-equiv="Refresh" content="0; url=/home"><script src="x.js" data-chatbot-id="42"></script><p data-chatbot-id="43">"#,
            "chatbot-verification",
        );
        assert_eq!(facts.snippets, [("42".to_owned(), "x.js".to_owned())]);
        assert_eq!((facts.tokens, facts.refresh.as_deref()), (vec!["abc".to_owned()], Some("/home")));
    }
}
