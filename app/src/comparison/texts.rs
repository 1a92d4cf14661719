//! Texts that compare a period with the one before.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    TRENDS = "Trends", "Entwicklung";
    BEFORE_NONE = "nothing in the {0} days before", "nichts in den {0} Tagen davor";
    BEFORE_CHANGE = "{0} compared with the {1} days before", "{0} gegenüber den {1} Tagen davor";
    BEFORE_POINT = "{0} point compared with the {1} days before", "{0} Punkt gegenüber den {1} Tagen davor";
    BEFORE_POINTS = "{0} points compared with the {1} days before", "{0} Punkte gegenüber den {1} Tagen davor";
}
