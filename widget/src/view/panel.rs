//! The dialog: header, footer, and its opening, closing and focus handling.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot, VisualViewport};

use crate::plain::decimal;
use crate::texts::Texts;
use crate::{dom, icons};

/// The same condition as in the style sheet: here the panel fills the screen and is modal.
const SMALL_SCREEN: &str = "(max-width: 520px), (max-height: 420px)";

/// The dialog and its fixed parts.
pub(crate) struct Panel {
    /// `role="dialog"`.
    pub(crate) element: HtmlElement,
    pub(crate) close: HtmlElement,
    /// The button for a new conversation.
    pub(crate) new: HtmlElement,
    /// The last line.
    pub(crate) footer: HtmlElement,
    title: HtmlElement,
    picture: HtmlElement,
    privacy: HtmlElement,
    /// Says that answers are automatic.
    caution: HtmlElement,
}

impl Panel {
    /// Creates the dialog's parts, empty.
    pub(super) fn build(texts: &Texts) -> Self {
        let part = |tag, class| dom::element(tag, class);
        Self {
            element: part("div", "svc-panel"),
            close: dom::button("svc-icon-button"),
            new: dom::button("svc-icon-button"),
            footer: part("p", "svc-footer"),
            title: dom::labelled("h2", "svc-title", texts.chat()),
            picture: part("span", "svc-picture"),
            privacy: part("a", "svc-privacy"),
            caution: dom::labelled("span", "", texts.caution()),
        }
    }

    /// Makes them a hidden dialog with its header.
    pub(super) fn populate(&self, texts: &Texts) {
        for (name, value) in [
            ("id", "svc-panel"),
            ("role", "dialog"),
            ("aria-labelledby", "svc-title"),
            ("tabindex", "-1"),
            ("hidden", ""),
        ] {
            dom::attribute(&self.element, name, value);
        }
        dom::append(&self.picture, &[&icons::icon(icons::BUBBLE)]);
        dom::attribute(&self.title, "id", "svc-title");
        dom::attribute(&self.title, "dir", "auto");
        draw_icon(&self.new, icons::NEW, texts.new_conversation());
        draw_icon(&self.close, icons::CLOSE, texts.close());
        let header = dom::element("div", "svc-header");
        dom::append(&header, &[&self.picture, &self.title, &self.new, &self.close]);
        dom::append(&self.element, &[&header]);
        follow_keyboard(&self.element);
    }

    /// Fills the last line.
    pub(super) fn populate_footer(&self) {
        dom::attribute(&self.caution, "id", "svc-caution");
        dom::attribute(&self.caution, "dir", "auto");
        dom::append(&self.footer, &[&self.caution, &self.privacy]);
    }

    /// Adds the tenant's words to the notice.
    pub(super) fn set_notice(&self, own: Option<&str>, texts: &Texts) {
        self.caution.set_text_content(Some(&[texts.caution(), " ", own.unwrap_or_default()].concat()));
    }

    /// Forces the layout of new parts, even when the panel is closed.
    pub(crate) fn force_layout(&self) {
        let _ = self.element.offset_height();
    }

    /// Opens or closes it.
    pub(super) fn show(&self, open: bool) {
        mark_modal(&self.element);
        self.element.set_hidden(!open);
    }

    /// Whether the panel fills the screen.
    pub(crate) fn is_modal(&self) -> bool {
        fills_screen()
    }

    pub(super) fn set_title(&self, title: &str) {
        self.title.set_text_content(Some(title));
    }

    /// Shows the tenant's picture; one that does not load leaves the icon. An uploaded one comes from the platform, which a
    /// trial may run without TLS.
    pub(super) fn set_picture(&self, address: Option<&str>) {
        let Some(address) = address.filter(|address| address.starts_with("http")) else { return };
        let image = dom::element("img", "svc-picture-image");
        for (name, value) in [("alt", ""), ("referrerpolicy", "no-referrer"), ("decoding", "async"), ("src", address)] {
            dom::attribute(&image, name, value);
        }
        let (picture, loaded) = (self.picture.clone(), image.clone());
        dom::on(&image, "load", move |_| {
            dom::clear(&picture);
            dom::append(&picture, &[&loaded]);
        });
    }

    pub(super) fn set_privacy(&self, address: Option<&str>, texts: &Texts) {
        let Some(address) = address.filter(|address| address.starts_with("https://")) else { return };
        self.privacy.set_text_content(Some(texts.privacy()));
        for (name, value) in [("href", address), ("target", "_blank"), ("rel", "noopener noreferrer")] {
            dom::attribute(&self.privacy, name, value);
        }
    }

    /// Moves the focus from the last control to the first or back; false when the browser should do its usual step.
    pub(crate) fn wrap_focus(&self, root: &ShadowRoot, backwards: bool) -> bool {
        let Ok(controls) = self.element.query_selector_all("button,a[href],textarea,summary,[tabindex='0']") else {
            return false;
        };
        let visible = (0..controls.length()).filter_map(|at| Some(controls.item(at)?.unchecked_into::<HtmlElement>()));
        let visible: Vec<HtmlElement> = visible.filter(|control| control.offset_parent().is_some()).collect();
        let (Some(first), Some(last)) = (visible.first(), visible.last()) else { return false };
        let active = root.active_element();
        let is_at = |control: &HtmlElement| active.as_ref() == Some(control.as_ref());
        if backwards && (is_at(first) || is_at(&self.element)) {
            dom::focus(last);
        } else if !backwards && is_at(last) {
            dom::focus(first);
        } else {
            return false;
        }
        true
    }
}

/// A button that is an icon; its label is its title, too.
pub(super) fn icon_button(path: &str, label: &str) -> HtmlElement {
    let button = dom::button("svc-icon-button");
    draw_icon(&button, path, label);
    button
}

/// Replaces the icon of a button, and labels it.
pub(super) fn draw_icon(button: &HtmlElement, path: &str, label: &str) {
    dom::clear(button);
    dom::append(button, &[&icons::icon(path)]);
    dom::attribute(button, "aria-label", label);
    dom::attribute(button, "title", label);
}

fn fills_screen() -> bool {
    dom::window().match_media(SMALL_SCREEN).ok().flatten().is_some_and(|query| query.matches())
}

/// Tells assistive technology whether the panel is modal.
fn mark_modal(panel: &HtmlElement) {
    dom::attribute(panel, "aria-modal", if fills_screen() { "true" } else { "false" });
}

/// Passes the height above an on-screen keyboard to the style sheet, because `dvh` does not reflect it everywhere. The same
/// event tells that the window was resized, zoomed or turned.
fn follow_keyboard(panel: &HtmlElement) {
    let Some(viewport) = dom::window().visual_viewport() else { return };
    let panel = panel.clone();
    let fit = move |viewport: &VisualViewport| {
        mark_modal(&panel);
        let zoomed = viewport.scale() > 1.01;
        for (name, pixels) in [("--svc-visible", viewport.height()), ("--svc-offset", viewport.offset_top())] {
            if zoomed {
                let _ = panel.style().remove_property(name);
            } else {
                let _ = panel.style().set_property(name, &[&decimal(pixels as u32), "px"].concat());
            }
        }
    };
    let same = viewport.clone();
    dom::on(&viewport, "resize", move |_| fit(&same));
}
