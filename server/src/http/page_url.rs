//! The page of a visitor's question: the page's own claim, as far as the request's origin confirms it.

use http::{HeaderMap, header};
use url::Url;

/// Maximum bytes of an address; a longer one is not useful.
const MAX_ADDRESS_BYTES: usize = 2000;

/// The address of a page without query and fragment, from an address or path sent by the page. `None` when its origin
/// is not that of the request.
pub(super) fn of(headers: &HeaderMap, page_address: &str) -> Option<String> {
    let origin = Url::parse(headers.get(header::ORIGIN)?.to_str().ok()?).ok()?;
    let mut page = origin.join(page_address).ok()?;
    if page.origin() != origin.origin() || !page.origin().is_tuple() {
        return None;
    }
    page.set_query(None);
    page.set_fragment(None);
    // An origin that is a tuple has a host, so both calls succeed.
    let _ = (page.set_username(""), page.set_password(None));
    Some(String::from(page)).filter(|page| page.len() <= MAX_ADDRESS_BYTES)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn page(origin: &'static str, page_address: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))]);
        of(&headers, page_address)
    }

    #[test]
    fn a_page_loses_query_fragment_and_user() {
        let expected = Some("https://shop.example/boots/quay".to_owned());
        for address in [
            "/boots/quay",
            "/boots/quay?customer=7#size",
            "https://shop.example/boots/quay?customer=7",
            "https://anna:secret@shop.example/boots/quay",
        ] {
            assert_eq!(page("https://shop.example", address), expected, "{address}");
        }
    }

    #[test]
    fn a_page_of_another_origin_is_not_taken() {
        for address in [
            "https://other.example/boots",
            "//other.example/boots",
            "http://shop.example/boots",
            "https://shop.example:8443/boots",
            "javascript:alert(1)",
            "data:text/plain,x",
        ] {
            assert_eq!(page("https://shop.example", address), None, "{address}");
        }
        assert_eq!(page("null", "/boots"), None);
        assert_eq!(of(&HeaderMap::new(), "/boots"), None);
        assert_eq!(page("https://shop.example", &format!("/{}", "x".repeat(2000))), None);
    }
}
