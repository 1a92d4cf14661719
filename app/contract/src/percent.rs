//! Percent-encoding of texts in addresses and headers.

/// The text with each byte escaped that is not unreserved in an address (RFC 3986); a header with a file name takes it, too
/// (RFC 8187).
#[must_use]
pub fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_plain(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
