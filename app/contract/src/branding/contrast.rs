//! WCAG 2 contrast of two `#rrggbb` colours.

/// The contrast of two colours, 1 to 21; `None` when one is not `#rrggbb`.
pub fn contrast_ratio(one: &str, other: &str) -> Option<f64> {
    let (a, b) = (luminance(one)?, luminance(other)?);
    Some((a.max(b) + 0.05) / (a.min(b) + 0.05))
}

/// Black or white, whichever is easier to read on `background`; white when it is no colour.
pub fn readable_on(background: &str) -> &'static str {
    match luminance(background) {
        Some(l) if l > 0.179 => "#000000",
        _ => "#ffffff",
    }
}

fn luminance(color: &str) -> Option<f64> {
    let hex = color.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii())?;
    let channel = |at: usize| -> Option<f64> {
        let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).ok()?) / 255.0;
        Some(if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) })
    };
    Some(0.2126 * channel(0)? + 0.7152 * channel(2)? + 0.0722 * channel(4)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_is_twenty_one() {
        assert!((contrast_ratio("#000000", "#ffffff").unwrap() - 21.0).abs() < 0.001);
        assert_eq!(contrast_ratio("#zzzzzz", "#ffffff"), None);
    }

    #[test]
    fn the_readable_colour_always_reaches_the_required_contrast() {
        for step in 0..=255u32 {
            let grey = format!("#{step:02x}{step:02x}{step:02x}");
            assert!(contrast_ratio(readable_on(&grey), &grey).unwrap() >= 4.5, "{grey}");
        }
    }
}
