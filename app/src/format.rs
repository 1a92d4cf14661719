//! Formats dates and numbers in the current language with the browser's `Intl` API.

use std::{cell::RefCell, collections::HashMap};

use contract::Timestamp;
use js_sys::{
    Array, Date, Function,
    Intl::{DateTimeFormat, RelativeTimeFormat},
    Number, Object, Reflect,
};
use wasm_bindgen::{JsCast, JsValue};

use crate::i18n::{self, Localized};

/// The parts of a date.
const DATE: [(&str, &str); 3] = [("day", "numeric"), ("month", "short"), ("year", "numeric")];
const DAY: [(&str, &str); 4] = [DATE[0], DATE[1], DATE[2], ("timeZone", "UTC")];
const MONTH: [(&str, &str); 3] = [("month", "long"), ("year", "numeric"), ("timeZone", "UTC")];
const DATE_TIME: [(&str, &str); 2] = [("dateStyle", "medium"), ("timeStyle", "short")];
const EXACT: [(&str, &str); 2] = [("dateStyle", "medium"), ("timeStyle", "medium")];

/// The options of a format, by name.
type Options = &'static [(&'static str, &'static str)];

thread_local! {
    /// Cached date formats by language and options, because creating one takes longer than formatting a whole table.
    static DATES: RefCell<HashMap<(&'static str, Options), Function>> = RefCell::default();
    /// Cached formats of times relative to now, by language.
    static RELATIVE: RefCell<HashMap<&'static str, RelativeTimeFormat>> = RefCell::default();
}

/// A date such as "21 Nov 2026".
pub fn date(time: Timestamp) -> Localized {
    Localized::new(move || formatted(&js_date(time), &DATE))
}

/// A UTC day `YYYY-MM-DD` as "21 Nov 2026"; another text unchanged.
pub fn day(iso: &str) -> Localized {
    let iso = iso.to_owned();
    Localized::new(move || {
        let date = Date::new(&JsValue::from_str(&iso));
        if date.get_time().is_nan() { iso.clone() } else { formatted(&date, &DAY) }
    })
}

/// The UTC day `days` days ago, `YYYY-MM-DD`.
pub fn days_ago(days: u16) -> String {
    let date = Date::new(&JsValue::from_f64(Date::now() - f64::from(days) * 86_400_000.0));
    String::from(date.to_iso_string()).chars().take(10).collect()
}

/// A moment of a day `YYYY-MM-DD` in the reader's time zone, in RFC 3339; nothing when there is no such day.
pub fn moment_of(day: &str, time: &str) -> Option<String> {
    let date = Date::new(&JsValue::from_str(&format!("{day}T{time}")));
    (!date.get_time().is_nan()).then(|| date.to_iso_string().into())
}

/// A date with the time of day in the reader's time zone.
pub fn date_time(time: Timestamp) -> Localized {
    Localized::new(move || formatted(&js_date(time), &DATE_TIME))
}

/// A date with the time of day to the second, in the reader's time zone.
pub fn date_time_exact(time: Timestamp) -> Localized {
    Localized::new(move || formatted(&js_date(time), &EXACT))
}

/// The time since a moment in its largest unit: "3 hours ago", "yesterday".
pub fn ago(time: Timestamp) -> Localized {
    Localized::new(move || since(time))
}

fn since(time: Timestamp) -> String {
    const UNITS: [(f64, &str); 5] =
        [(31_536_000.0, "year"), (2_592_000.0, "month"), (86_400.0, "day"), (3600.0, "hour"), (60.0, "minute")];
    let seconds = (js_date(time).get_time() - Date::now()) / 1000.0;
    let Some((length, unit)) = UNITS.into_iter().find(|(length, _)| seconds.abs() >= *length) else {
        return i18n::texts::JUST_NOW.get().to_owned();
    };
    let make = || RelativeTimeFormat::new(&locales(), options(&[("numeric", "auto")]).unchecked_ref());
    let format = RELATIVE.with_borrow_mut(|formats| formats.entry(locale()).or_insert_with(make).clone());
    format.format((seconds / length).round(), unit).into()
}

/// The moment in RFC 3339, for the `datetime` attribute.
pub fn machine(time: Timestamp) -> String {
    js_date(time).to_iso_string().into()
}

/// A whole number with its groups.
pub fn number(value: i64) -> Localized {
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let number = value as f64;
    Localized::new(move || Number::from(number).to_locale_string(locale()).into())
}

/// A number with group separators.
pub fn count(value: usize) -> Localized {
    number(i64::try_from(value).unwrap_or(i64::MAX))
}

/// `part` of `whole` in whole percent; a dash when `whole` is 0.
pub fn share(part: i64, whole: i64) -> Localized {
    percent(part, whole).map_or_else(|| "–".into(), |percent| with_percent_sign(percent.to_string()))
}

/// `part` of `whole` in whole percent; `None` when `whole` is 0.
pub const fn percent(part: i64, whole: i64) -> Option<i64> {
    match whole {
        0 => None,
        _ => Some((part * 100 + whole / 2).div_euclid(whole)),
    }
}

/// A change in percent with its sign, such as "+12%".
pub fn percent_change(percent: i64) -> Localized {
    with_percent_sign(sign(percent))
}

/// A change with its sign, such as "+3".
pub fn change(by: i64) -> Localized {
    sign(by).into()
}

fn sign(number: i64) -> String {
    match number.signum() {
        1 => format!("+{number}"),
        -1 => format!("\u{2212}{}", number.unsigned_abs()),
        _ => "±0".to_owned(),
    }
}

fn with_percent_sign(number: String) -> Localized {
    Localized::new(move || match i18n::current() {
        i18n::Language::English => format!("{number}%"),
        // A space that does not break.
        i18n::Language::German => format!("{number}\u{a0}%"),
    })
}

/// A size such as "1.2 MB", in units of a thousand.
pub fn bytes(count: u64) -> Localized {
    let (divisor, unit) = match count {
        0..1_000 => (1.0, "byte"),
        1_000..1_000_000 => (1e3, "kilobyte"),
        1_000_000..1_000_000_000 => (1e6, "megabyte"),
        _ => (1e9, "gigabyte"),
    };
    #[expect(clippy::cast_precision_loss, reason = "one place after the point is shown")]
    let value = count as f64 / divisor;
    Localized::new(move || {
        // In short the unit is "byte" for any number of them.
        let display = if unit == "byte" { "long" } else { "short" };
        let options = options(&[("style", "unit"), ("unit", unit), ("unitDisplay", display)]);
        let _ = Reflect::set(&options, &"maximumFractionDigits".into(), &JsValue::from_f64(1.0));
        format_with(value, &options)
    })
}

/// An amount of money in millionths of a currency, such as "€1.23"; one of less than a hundredth has all its places.
pub fn money(micros: i64, currency: &str) -> Localized {
    #[expect(clippy::cast_precision_loss, reason = "at most six places after the point are shown")]
    let value = micros as f64 / 1e6;
    let currency = currency.to_owned();
    Localized::new(move || {
        let mut style = vec![("style", "currency"), ("currency", currency.as_str())];
        if (1..10_000).contains(&micros) {
            style.push(("maximumFractionDigits", "6"));
        }
        format_with(value, &options(&style))
    })
}

/// A month, such as "November 2026", by its first day `YYYY-MM-DD`.
pub fn month(iso: &str) -> Localized {
    let iso = iso.to_owned();
    Localized::new(move || formatted(&Date::new(&JsValue::from_str(&iso)), &MONTH))
}

/// A number with this many decimals, such as "0.73".
pub fn decimal(value: f64, decimals: u32) -> Localized {
    Localized::new(move || {
        let options = Object::new();
        for bound in ["minimumFractionDigits", "maximumFractionDigits"] {
            let _ = Reflect::set(&options, &bound.into(), &JsValue::from(decimals));
        }
        format_with(value, &options)
    })
}

fn format_with(value: f64, options: &JsValue) -> String {
    js_sys::Intl::NumberFormat::new(&locales(), options.unchecked_ref())
        .format()
        .call1(&JsValue::UNDEFINED, &JsValue::from_f64(value))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

fn formatted(date: &Date, parts: Options) -> String {
    let make = || DateTimeFormat::new(&locales(), options(parts).unchecked_ref()).format();
    let format = DATES.with_borrow_mut(|formats| formats.entry((locale(), parts)).or_insert_with(make).clone());
    format.call1(&JsValue::UNDEFINED, date).ok().and_then(|text| text.as_string()).unwrap_or_default()
}

fn locales() -> Array {
    Array::of1(&JsValue::from_str(locale()))
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
