//! Dates and numbers as the current language writes them, by the browser's own tables.

use contract::Timestamp;
use js_sys::{Date, Number, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::i18n;

/// A date such as "21 Nov 2026".
pub fn date(time: Timestamp) -> String {
    let options = options(&[("day", "numeric"), ("month", "short"), ("year", "numeric")]);
    js_date(time).to_locale_date_string(locale(), &options).into()
}

/// A date with the time of day in the reader's time zone.
pub fn date_time(time: Timestamp) -> String {
    let options = options(&[("dateStyle", "medium"), ("timeStyle", "short")]);
    js_date(time).to_locale_string(locale(), &options).into()
}

/// The moment in RFC 3339, for the `datetime` attribute.
pub fn machine(time: Timestamp) -> String {
    js_date(time).to_iso_string().into()
}

/// A whole number with its groups.
pub fn number(value: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let number = Number::from(value as f64);
    number.to_locale_string(locale()).into()
}

fn locale() -> &'static str {
    match i18n::current() {
        i18n::Language::English => "en-GB",
        i18n::Language::German => "de-DE",
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 stay far below 2^53")]
fn js_date(time: Timestamp) -> Date {
    Date::new(&JsValue::from_f64(time.timestamp_millis() as f64))
}

fn options(pairs: &[(&str, &str)]) -> JsValue {
    let options = Object::new();
    for (key, value) in pairs {
        let _ = Reflect::set(&options, &JsValue::from_str(key), &JsValue::from_str(value));
    }
    options.into()
}
