//! The finding for a clock that differs from this machine's.

use super::text::Text;

/// A clock that differs by fewer seconds, or as many, is right.
pub(super) const NOTICEABLE_SECONDS: i64 = 5;

pub(super) fn differs(seconds: i64) -> Text {
    text!("Differs from this machine's by {seconds} s.", "Weicht um {seconds} s von der dieses Rechners ab.")
}

pub(super) fn remedy() -> Text {
    text!("Synchronise both machines with NTP.", "Synchronisieren Sie beide Rechner mit NTP.")
}
