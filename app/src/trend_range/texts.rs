//! Texts of the range of trends.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    TRENDS = "Trends", "Entwicklung";
    RANGE = "Period", "Zeitraum";
    DAYS_7 = "Last 7 days", "Letzte 7 Tage";
    DAYS_30 = "Last 30 days", "Letzte 30 Tage";
    DAYS_90 = "Last 90 days", "Letzte 90 Tage";
    BEFORE_NONE = "nothing in the {0} days before", "nichts in den {0} Tagen davor";
    BEFORE_CHANGE = "{0} compared with the {1} days before", "{0} gegenüber den {1} Tagen davor";
    BEFORE_POINTS = "{0} points compared with the {1} days before", "{0} Punkte gegenüber den {1} Tagen davor";
}
