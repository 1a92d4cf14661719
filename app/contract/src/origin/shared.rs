//! Domains whose subdomains belong to different owners, so that a wildcard would allow websites of strangers. This is a
//! short list of those that site owners use, because the public suffix list would be larger than the console.

/// Second labels that countries reserve for kinds of owners: `co.uk`, `com.au`, `or.jp`.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "ac", "asso", "co", "com", "edu", "gob", "gouv", "gov", "gv", "info", "ltd", "me", "mil", "ne", "net",
    "nhs", "nom", "or", "org", "plc", "sch",
];

/// Domains of site builders, hosts and tunnels.
#[rustfmt::skip]
const HOSTS: &[&str] = &[
    "amazonaws.com", "amplifyapp.com", "appspot.com", "azurestaticapps.net", "azurewebsites.net", "bitbucket.io",
    "blogspot.com", "bubbleapps.io", "carrd.co", "cloudapp.net", "cloudfront.net", "codeberg.page", "codepen.io",
    "deno.dev", "dyndns.org", "fastly.net", "firebaseapp.com", "fly.dev", "framer.app", "framer.website", "github.io",
    "githubpreview.dev", "gitlab.io", "glitch.me", "herokuapp.com", "hf.space", "jimdofree.com", "jimdosite.com",
    "lovable.app", "myshopify.com", "neocities.org", "netlify.app", "ngrok-free.app", "ngrok.app", "ngrok.io",
    "notion.site", "onrender.com", "pages.dev", "r2.dev", "railway.app", "readthedocs.io", "repl.co", "replit.app",
    "run.app", "s3.amazonaws.com", "squarespace.com", "stackblitz.io", "streamlit.app", "strikingly.com", "surge.sh",
    "translate.goog", "trycloudflare.com", "tumblr.com", "up.railway.app", "vercel.app", "web.app", "webflow.io",
    "weebly.com", "windows.net", "wixsite.com", "wixstudio.io", "wordpress.com", "workers.dev", "wpengine.com",
];

/// Whether many owners have their names under this domain.
pub(super) fn is_shared(domain: &str) -> bool {
    let is_kind = domain.split_once('.').is_some_and(|(kind, country)| {
        country.len() == 2 && !country.contains('.') && KINDS.binary_search(&kind).is_ok()
    });
    is_kind || HOSTS.binary_search(&domain).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::OriginPattern;

    #[test]
    fn a_wildcard_over_a_domain_of_many_owners_is_known() {
        for shared in ["https://*.co.uk", "https://*.com.au", "https://*.github.io", "https://*.wixsite.com:8443"] {
            assert!(shared.parse::<OriginPattern>().unwrap().is_shared(), "{shared}");
        }
        for own in
            ["https://*.example.com", "https://*.example.co.uk", "https://shop.github.io", "https://*.me.github.io"]
        {
            assert!(!own.parse::<OriginPattern>().unwrap().is_shared(), "{own}");
        }
        assert!(KINDS.is_sorted() && HOSTS.is_sorted());
    }
}
