//! Converts branding to the custom properties of the style sheet. Every value is parsed and written again, so that
//! nothing from an API response can break out of its property. Only `custom_css`, which operators write, is used
//! unchanged. Does not use the browser.

use contract::branding::{BrandingFields, has_paired_quotes};

use crate::colour::{Colour, MIN_CONTRAST};
use crate::plain::decimal;

/// The colours of an untouched widget.
const PRIMARY: Colour = Colour([11, 102, 129]);

/// The surface and text of a colour scheme before branding.
struct Scheme {
    name: &'static str,
    ground: Colour,
    text: Colour,
}

const LIGHT: Scheme = Scheme { name: "light", ground: Colour::WHITE, text: Colour([21, 33, 42]) };
const DARK: Scheme = Scheme { name: "dark", ground: Colour([21, 29, 33]), text: Colour([231, 238, 241]) };

/// The style sheet that carries a tenant's colours, corners and font.
pub(crate) fn style_sheet(branding: &BrandingFields) -> String {
    let colour = |field: &Option<String>| field.as_deref().and_then(Colour::parse);
    let primary = colour(&branding.primary_color).unwrap_or(PRIMARY);
    let accent = colour(&branding.accent_color).unwrap_or(primary);
    let mut css = String::from(".svc{");
    property(&mut css, "primary", &primary.hex());
    property(&mut css, "on-primary", &primary.readable_text().hex());
    property(&mut css, "primary-strong", &primary.mix(primary.readable_text(), 0.12).hex());
    if let Some(radius) = branding.border_radius {
        property(&mut css, "radius", &[&decimal(radius.clamp(0, 32) as u32), "px"].concat());
    }
    if let Some(family) = branding.font_family.as_deref().filter(|family| is_font_family(family)) {
        property(&mut css, "font", &[family, ", system-ui, sans-serif"].concat());
    }
    css.push('}');
    for scheme in [LIGHT, DARK] {
        push_scheme(&mut css, &scheme, accent, colour(&branding.background_color), colour(&branding.text_color));
    }
    css
}

/// The tenant's own background counts in the scheme that it suits; its text colour only where it can be read.
fn push_scheme(css: &mut String, scheme: &Scheme, accent: Colour, ground: Option<Colour>, text: Option<Colour>) {
    let ground = ground.filter(|own| own.is_dark() == scheme.ground.is_dark()).unwrap_or(scheme.ground);
    let preferred = if scheme.text.contrast(ground) >= 7.0 { scheme.text } else { ground.readable_text() };
    let text = text.filter(|own| own.contrast(ground) >= 4.5).unwrap_or(preferred);
    // Bubbles and tints go towards the text where that leaves it readable, away from it on grounds of middling brightness.
    let far = ground.readable_text();
    let near = if far == Colour::WHITE { Colour::BLACK } else { Colour::WHITE };
    let has_room = text.contrast(ground) >= 7.0;
    let raised = ground.mix(if has_room { text } else { near }, 0.055);
    let tint = if has_room { accent.adjusted_to(raised, MIN_CONTRAST, far) } else { near };
    let soft = raised.mix(tint, 0.14);
    let (hard, hardest) = if has_room { (raised, soft) } else { (ground, ground) };
    css.push_str(".svc[data-scheme=");
    css.push_str(scheme.name);
    css.push_str("]{");
    for (name, colour) in [
        ("ground", ground),
        ("text", text),
        ("raised", raised),
        ("muted", text.mix(ground, 0.32).adjusted_to(hard, MIN_CONTRAST, far)),
        ("line", ground.mix(text, 0.14)),
        ("line-strong", ground.mix(text, 0.5).adjusted_to(ground, 3.1, far)),
        ("accent", accent.adjusted_to(hardest, MIN_CONTRAST, far)),
        ("accent-soft", soft),
    ] {
        property(css, name, &colour.hex());
    }
    css.push('}');
}

fn property(css: &mut String, name: &str, value: &str) {
    for part in ["--svc-", name, ":", value, ";"] {
        css.push_str(part);
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii()
}

fn is_font_family(text: &str) -> bool {
    text.len() <= 200
        && has_paired_quotes(text)
        && text.chars().all(|c| is_letter(c) || matches!(c, ' ' | ',' | '-' | '_' | '"' | '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branding(primary: &str, background: &str, text: &str) -> BrandingFields {
        BrandingFields {
            primary_color: Some(primary.to_owned()),
            background_color: Some(background.to_owned()),
            text_color: Some(text.to_owned()),
            ..BrandingFields::default()
        }
    }

    #[test]
    fn brand_colours_become_properties_with_readable_partners() {
        let css = style_sheet(&branding("#ffd400", "#fffaf0", "#222222"));
        assert!(css.starts_with(".svc{--svc-primary:#ffd400;--svc-on-primary:#000000;"), "{css}");
        assert!(css.contains("[data-scheme=light]{--svc-ground:#fffaf0;--svc-text:#222222;"), "{css}");
    }

    #[test]
    fn a_light_background_does_not_blind_in_the_dark() {
        let css = style_sheet(&branding("#0b6681", "#ffffff", "#222222"));
        assert!(css.contains("[data-scheme=dark]{--svc-ground:#151d21;--svc-text:#e7eef1;"), "{css}");
    }

    #[test]
    fn an_unreadable_text_colour_is_replaced() {
        let css = style_sheet(&branding("#0b6681", "#ffffff", "#eeeeee"));
        assert!(css.contains("[data-scheme=light]{--svc-ground:#ffffff;--svc-text:#15212a;"), "{css}");
    }

    #[test]
    fn no_value_can_leave_its_property() {
        let mut evil = branding("#000;}*{display:none", "red", "url(//x)");
        for font in ["x;}*{color:red", "\"Open Sans", "\"'\"'"] {
            evil.font_family = Some(font.to_owned());
            assert_eq!(style_sheet(&evil), style_sheet(&BrandingFields::default()), "{font}");
        }
    }

    #[test]
    fn font_and_corners_apply_within_bounds() {
        let own = BrandingFields {
            font_family: Some("\"Open Sans\", Arial".to_owned()),
            border_radius: Some(90),
            ..BrandingFields::default()
        };
        let css = style_sheet(&own);
        assert!(css.contains("--svc-font:\"Open Sans\", Arial, system-ui, sans-serif;"), "{css}");
        assert!(css.contains("--svc-radius:32px;"), "{css}");
    }

    /// A property of a scheme in a style sheet.
    fn value(css: &str, scheme: &str, name: &str) -> Colour {
        let rules = css.split_once(&format!("[data-scheme={scheme}]{{")).unwrap().1;
        let value = rules.split_once(&format!("--svc-{name}:")).unwrap().1;
        Colour::parse(value.split_once(';').unwrap().0).unwrap()
    }

    #[test]
    fn every_text_can_be_read_whatever_colours_a_tenant_chooses() {
        let colours =
            ["#000000", "#ffffff", "#ffd400", "#0b6681", "#ff0000", "#808080", "#00ff66", "#fff8e0", "#201030"];
        for (primary, background) in colours.iter().flat_map(|one| colours.iter().map(move |two| (one, two))) {
            let css = style_sheet(&branding(primary, background, primary));
            for scheme in ["light", "dark"] {
                let pairs = [
                    ("text", "ground"),
                    ("text", "raised"),
                    ("muted", "raised"),
                    ("muted", "ground"),
                    ("accent", "accent-soft"),
                ];
                for (text, ground) in pairs.into_iter().chain([("accent", "ground"), ("text", "accent-soft")]) {
                    let contrast = value(&css, scheme, text).contrast(value(&css, scheme, ground));
                    assert!(contrast >= 4.5, "{text} on {ground}, {scheme}, {primary} on {background}: {contrast}");
                }
            }
        }
    }
}
