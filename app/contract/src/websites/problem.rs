//! Why a website or a page is not read, and what to do about it.

use serde::{Deserialize, Serialize};

use crate::text_enum::text_enum;

text_enum! {
    /// Why a website or a page is not read.
    pub enum WebsiteProblem {
        /// The site does not answer.
        Unreachable = "unreachable",
        /// The address is of a private network, or has another port than 80 and 443.
        AddressRefused = "address_refused",
        /// The certificate is not valid.
        Certificate = "certificate",
        /// The site does not answer with https. Its pages are read with http.
        WithoutHttps = "without_https",
        /// The site's robots.txt refuses it.
        RefusedByRobots = "refused_by_robots",
        /// Redirects lead in a circle or never end.
        RedirectLoop = "redirect_loop",
        /// A redirect leads to another host.
        OtherHost = "other_host",
        /// The proof covers another folder of the host.
        OutsideProof = "outside_proof",
        /// The site answered with an error of its own.
        ServerError = "server_error",
        /// The site refuses the page.
        Forbidden = "forbidden",
        /// The page requires a sign-in.
        LoginPage = "login_page",
        /// The page asks for a proof that a person is there.
        BotCheck = "bot_check",
        /// There is no such page.
        NotFound = "not_found",
        /// The page says that there is no such page.
        SoftNotFound = "soft_404",
        /// Nothing is on the page before its scripts run.
        NeedsScripts = "needs_scripts",
        /// There is no text on the page.
        NoText = "no_text",
        /// The page is larger than it may be.
        TooLarge = "too_large",
        /// The page is of a kind that is not read.
        UnsupportedType = "unsupported_type",
        /// The page is broken.
        Malformed = "malformed",
        /// The page forbids indexing (`noindex`).
        Noindex = "noindex",
        /// The page names another one as the original.
        Canonical = "canonical",
        /// The page redirects to another one.
        Redirect = "redirect",
        /// Another page has the same content.
        Duplicate = "duplicate",
        /// The page has a version in the chatbot's language.
        OtherLanguage = "other_language",
        /// The patterns leave it out.
        Excluded = "excluded",
        /// The website has as many pages as are read.
        PageLimit = "page_limit",
        /// Most pages that were read before have become alike or empty, or ask for a sign-in.
        PagesAlike = "pages_alike",
        /// The website has as many bytes as are read, or took as long.
        RunLimit = "run_limit",
        /// The chatbot was deactivated.
        ChatbotNotActive = "chatbot_not_active",
        /// Several attempts failed.
        GivenUp = "given_up",
        /// The tenant has as many pages as it may have.
        QuotaPages = "quota_pages",
        /// The tenant has as many passages as it may have.
        QuotaPassages = "quota_passages",
    }
}

impl WebsiteProblem {
    /// What to do, as a sentence.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Unreachable => "Check that the address opens in a browser outside of your network, and read again.",
            Self::AddressRefused => "Use the public address of the website, without a port.",
            Self::Certificate => "Renew the website's certificate, with all intermediate certificates.",
            Self::WithoutHttps => {
                "Nothing: the pages are read. Set up https, so that nobody can change them on their way."
            }
            Self::RefusedByRobots => "Allow the platform's crawler in the website's robots.txt.",
            Self::RedirectLoop => "Correct the redirects of this address.",
            Self::OtherHost => "Add the other host as a website of its own.",
            Self::OutsideProof => "Prove the whole host with the file or the DNS record.",
            Self::ServerError => "Nothing, if it was an outage: the page is tried again with the next sync.",
            Self::Forbidden | Self::BotCheck => {
                "Let the platform's crawler pass the website's firewall or bot protection."
            }
            Self::LoginPage => "Make the page public, or upload its content as a file.",
            Self::NotFound => "Correct the links to this page.",
            Self::SoftNotFound => "Let the website answer with status 404 for pages that do not exist.",
            Self::NeedsScripts => "Let the website deliver its text without scripts, or upload it as a file.",
            Self::NoText => "Nothing, if the page has pictures only. Otherwise add text to it.",
            Self::TooLarge => "Split the page, or upload its content as a file.",
            Self::UnsupportedType => "Upload the file in a format that is read.",
            Self::Malformed => "Save the file again and put it back on the website.",
            Self::Noindex => "Remove noindex from the page if the chatbot may answer from it.",
            Self::Canonical | Self::Redirect | Self::Duplicate => "Nothing: the other page is read.",
            Self::OtherLanguage => "Nothing: the page in the chatbot's language is read.",
            Self::Excluded => "Change the patterns if the chatbot may answer from it.",
            Self::PageLimit => "Raise the limit of pages, or leave out parts of the website.",
            Self::PagesAlike => "Check the website in a browser, and read it again when it shows its pages.",
            Self::RunLimit => "Leave out parts of the website.",
            Self::ChatbotNotActive => "Read the website with an active chatbot.",
            Self::GivenUp => "Read again later. If that does not help, tell your administrator.",
            Self::QuotaPages | Self::QuotaPassages => {
                "Leave out pages that are not needed, or ask the platform's operator for more, and read again."
            }
        }
    }
}

/// Why a website or a page is not read, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebsiteFailure {
    pub code: WebsiteProblem,
    /// What to do, as an English sentence.
    pub advice: String,
    /// What exactly was found, in English; may be empty.
    pub detail: String,
}
