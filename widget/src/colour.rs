//! Brand colours: parsing, WCAG contrast, and readable colours derived from any colour that a tenant may choose. Does
//! not use the browser.

use crate::plain::{hex_char, hex_digit};

/// The contrast that normal text needs (WCAG 2.2, 1.4.3), with a little room for rounding.
pub(crate) const MIN_CONTRAST: f32 = 4.6;

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) [u8; 3]);

impl Colour {
    pub(crate) const WHITE: Self = Self([255, 255, 255]);
    /// Black: with anything lighter, some brand colours would have no readable text at all.
    pub(crate) const BLACK: Self = Self([0, 0, 0]);

    /// Parses `#rrggbb`; `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?.as_bytes();
        if digits.len() != 6 {
            return None;
        }
        let mut channels = [0_u8; 3];
        for (channel, pair) in channels.iter_mut().zip(digits.chunks_exact(2)) {
            *channel = hex_digit(*pair.first()?)? * 16 + hex_digit(*pair.last()?)?;
        }
        Some(Self(channels))
    }

    /// Writes `#rrggbb`.
    pub(crate) fn hex(self) -> String {
        let mut out = String::from("#");
        for channel in self.0 {
            out.push(hex_char(channel >> 4));
            out.push(hex_char(channel & 15));
        }
        out
    }

    /// Relative luminance, 0 (black) to 1 (white).
    pub(crate) fn luminance(self) -> f32 {
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// WCAG contrast ratio, 1 to 21.
    pub(crate) fn contrast(self, other: Self) -> f32 {
        let (one, two) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if one > two { one / two } else { two / one }
    }

    /// This colour with `share` (0 to 1) of another one in it.
    pub(crate) fn mix(self, other: Self, share: f32) -> Self {
        let mut out = self;
        for (channel, towards) in out.0.iter_mut().zip(other.0) {
            let mixed = f32::from(*channel) + (f32::from(towards) - f32::from(*channel)) * share;
            *channel = (mixed + 0.5) as u8;
        }
        out
    }

    /// White where white can be read on this colour, black otherwise.
    pub(crate) fn readable_text(self) -> Self {
        if self.contrast(Self::WHITE) >= 4.55 { Self::WHITE } else { Self::BLACK }
    }

    /// The nearest shade of this colour that reaches `ratio` on `ground`, on the way to black or white, `towards`.
    pub(crate) fn adjusted_to(self, ground: Self, ratio: f32, towards: Self) -> Self {
        let mut share = 0.0;
        loop {
            let shade = self.mix(towards, share);
            if share >= 1.0 || shade.contrast(ground) >= ratio {
                return shade;
            }
            share += 0.05;
        }
    }

    /// Whether light text belongs on this colour.
    pub(crate) fn is_dark(self) -> bool {
        self.luminance() < 0.18
    }
}

/// sRGB to linear light by a cubic that stays within 0.003 of the exact curve: the power function costs kilobytes.
fn linear(channel: u8) -> f32 {
    let c = f32::from(channel) / 255.0;
    c * (c * (c * 0.305_306 + 0.682_171_1) + 0.012_522_9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact_luminance(colour: Colour) -> f64 {
        let exact = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * exact(colour.0[0]) + 0.7152 * exact(colour.0[1]) + 0.0722 * exact(colour.0[2])
    }

    fn exact_contrast(one: Colour, two: Colour) -> f64 {
        let (one, two) = (exact_luminance(one) + 0.05, exact_luminance(two) + 0.05);
        if one > two { one / two } else { two / one }
    }

    #[test]
    fn only_six_hexadecimal_digits_are_a_colour() {
        assert_eq!(Colour::parse("#0f6Bff"), Some(Colour([15, 107, 255])));
        assert_eq!(Colour::parse("#0f6Bff").unwrap().hex(), "#0f6bff");
        for bad in ["", "#fff", "red", "#12345g", "#1234567", "123456", "#12345é", "url(x)"] {
            assert_eq!(Colour::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn text_derived_for_any_brand_colour_is_readable() {
        for r in (0..=255).step_by(15) {
            for g in (0..=255).step_by(15) {
                for b in (0..=255).step_by(15) {
                    let brand = Colour([r as u8, g as u8, b as u8]);
                    assert!(exact_contrast(brand, brand.readable_text()) >= 4.5, "{}", brand.hex());
                }
            }
        }
    }

    #[test]
    fn links_of_any_colour_become_readable_on_light_and_dark() {
        for ground in [Colour::WHITE, Colour([23, 27, 34]), Colour([255, 240, 200])] {
            for brand in [[255, 255, 0], [0, 0, 0], [255, 255, 255], [15, 107, 255], [128, 128, 128]] {
                let shade = Colour(brand).adjusted_to(ground, MIN_CONTRAST, ground.readable_text());
                assert!(exact_contrast(shade, ground) >= 4.5, "{} on {}", shade.hex(), ground.hex());
            }
        }
    }

    #[test]
    fn a_colour_that_is_readable_already_stays_as_it_is() {
        let navy = Colour([10, 30, 90]);
        assert_eq!(navy.adjusted_to(Colour::WHITE, MIN_CONTRAST, Colour::BLACK), navy);
    }
}
