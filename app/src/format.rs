//! Dates and numbers as the current language writes them, by the browser's own tables.

use contract::Timestamp;
use js_sys::{Date, Number, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::i18n;

/// A date such as "21 Nov 2026".
pub fn date(time: Timestamp) -> String {
    let options = options(&[("day", "numeric"), ("month", "short"), ("year", "numeric")]);
    js_date(time).to_locale_date_string(locale(), &options).into()
}

/// A day `YYYY-MM-DD` of the calendar in UTC, such as "21 Nov 2026"; a text that is none as it is.
pub fn day(iso: &str) -> String {
    let date = Date::new(&JsValue::from_str(iso));
    if date.get_time().is_nan() {
        return iso.to_owned();
    }
    let options = options(&[("day", "numeric"), ("month", "short"), ("year", "numeric"), ("timeZone", "UTC")]);
    date.to_locale_date_string(locale(), &options).into()
}

/// A date with the time of day in the reader's time zone.
pub fn date_time(time: Timestamp) -> String {
    let options = options(&[("dateStyle", "medium"), ("timeStyle", "short")]);
    js_date(time).to_locale_string(locale(), &options).into()
}

/// A date with the time of day to the second, in the reader's time zone.
pub fn date_time_exact(time: Timestamp) -> String {
    let options = options(&[("dateStyle", "medium"), ("timeStyle", "medium")]);
    js_date(time).to_locale_string(locale(), &options).into()
}

/// How long ago a moment is, in its largest unit: "3 hours ago", "yesterday".
pub fn ago(time: Timestamp) -> String {
    const UNITS: [(f64, &str); 5] =
        [(31_536_000.0, "year"), (2_592_000.0, "month"), (86_400.0, "day"), (3600.0, "hour"), (60.0, "minute")];
    let seconds = (js_date(time).get_time() - Date::now()) / 1000.0;
    let Some((length, unit)) = UNITS.into_iter().find(|(length, _)| seconds.abs() >= *length) else {
        return i18n::texts::JUST_NOW.into();
    };
    let options = options(&[("numeric", "auto")]);
    let format = js_sys::Intl::RelativeTimeFormat::new(
        &js_sys::Array::of1(&JsValue::from_str(locale())),
        options.unchecked_ref(),
    );
    format.format((seconds / length).round(), unit).into()
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

/// A size such as "1.2 MB", in units of a thousand.
pub fn bytes(count: u64) -> String {
    let (divisor, unit) = match count {
        0..1_000 => (1.0, "byte"),
        1_000..1_000_000 => (1e3, "kilobyte"),
        1_000_000..1_000_000_000 => (1e6, "megabyte"),
        _ => (1e9, "gigabyte"),
    };
    let options = options(&[("style", "unit"), ("unit", unit), ("unitDisplay", "short")]);
    let _ = Reflect::set(&options, &"maximumFractionDigits".into(), &JsValue::from_f64(1.0));
    #[expect(clippy::cast_precision_loss, reason = "one place after the point is shown")]
    let value = JsValue::from_f64(count as f64 / divisor);
    js_sys::Intl::NumberFormat::new(&js_sys::Array::of1(&JsValue::from_str(locale())), options.unchecked_ref())
        .format()
        .call1(&JsValue::UNDEFINED, &value)
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
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
