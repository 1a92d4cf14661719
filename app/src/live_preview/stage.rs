//! The frame that the widget runs in. Its `fetch` answers the widget's requests from the form; the widget's own files
//! come from the platform. Its cookies are not stored.

use std::{cell::RefCell, rc::Rc};

use contract::branding::BrandingFields;
use js_sys::{Function, Object, Promise, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{HtmlIFrameElement, HtmlScriptElement, Response, Window};

use super::{Previewed, texts};

/// The same script that the snippet loads.
const SCRIPT: &str = "/static/widget/chat-widget.min.js";
const API: &str = "/api/v1";

/// What the widget shows.
#[derive(Debug, Clone)]
pub(super) struct Scene {
    chatbot: String,
    config: String,
    theme: Option<String>,
}

impl Scene {
    /// The widget of `chatbot` with these fields and style rules; `theme` is empty for the branding's own.
    pub(super) fn new(chatbot: &Previewed, fields: BrandingFields, custom_css: &str, theme: &str) -> Self {
        let mut branding = serde_json::to_value(fields).unwrap_or_default();
        branding["custom_css"] = if custom_css.trim().is_empty() { Value::Null } else { custom_css.into() };
        let config = json!({
            "chatbot_id": chatbot.id,
            "name": chatbot.name,
            "language": chatbot.language,
            "welcome_message": chatbot.welcome_message.get(),
            "suggested_questions": [],
            "branding": branding,
        });
        let theme = Some(theme.to_owned()).filter(|theme| !theme.is_empty());
        Self { chatbot: chatbot.id.to_string(), config: config.to_string(), theme }
    }
}

type Fetch = Closure<dyn FnMut(JsValue, JsValue) -> Promise>;
type Call = Closure<dyn FnMut()>;

/// A frame with the widget's script in it.
pub(super) struct Stage {
    window: Window,
    scene: Rc<RefCell<Option<Scene>>>,
    /// Kept alive while the frame may call them.
    _callbacks: (Fetch, Call, Call),
}

impl Stage {
    /// Loads the widget's script into the empty frame; `None` where the browser refuses.
    pub(super) fn in_frame(frame: &HtmlIFrameElement) -> Option<Self> {
        let (window, document) = (frame.content_window()?, frame.content_document()?);
        let scene = Rc::new(RefCell::new(None));
        let fetch = answering(&window, Rc::clone(&scene))?;
        Reflect::set(&window, &"fetch".into(), fetch.as_ref()).ok()?;
        forget_cookies(&document)?;
        let stay = Call::new(|| ());
        keep_focus_out(&window, &stay)?;
        let (of_page, current_scene) = (window.clone(), Rc::clone(&scene));
        let ready = Call::new(move || perform(&of_page, current_scene.borrow().as_ref()));
        // An element of the frame is no instance of this page's classes.
        let script: HtmlScriptElement = document.create_element("script").ok()?.unchecked_into();
        script.set_src(SCRIPT);
        // The chatbot is mounted by the scene.
        script.set_attribute("data-manual", "").ok()?;
        script.set_onload(Some(ready.as_ref().unchecked_ref()));
        document.body()?.append_child(&script).ok()?;
        Some(Self { window, scene, _callbacks: (fetch, ready, stay) })
    }

    /// Shows the widget again.
    pub(super) fn show(&self, scene: &Scene) {
        self.scene.replace(Some(scene.clone()));
        perform(&self.window, Some(scene));
    }
}

/// Removes an earlier widget, mounts a new one and asks it a question; does nothing before the script is loaded.
fn perform(window: &Window, scene: Option<&Scene>) {
    let chat = Reflect::get(window, &"SvcChat".into()).unwrap_or_default();
    let Some(scene) = scene.filter(|_| chat.is_object()) else { return };
    let call = |name: &str, argument: &JsValue| {
        let function: Option<Function> = Reflect::get(&chat, &name.into()).ok().and_then(|value| value.dyn_into().ok());
        // A preview is no place for an error.
        let _ = function.map(|function| function.call1(&chat, argument));
    };
    call("destroy", &JsValue::UNDEFINED);
    // The next one begins without the session of the one before.
    if let Some(document) = window.document() {
        let _ = Reflect::set(&document, &"cookie".into(), &"".into());
    }
    let options = Object::new();
    for (key, value) in
        [("chatbotId", Some(&scene.chatbot)), ("apiBase", Some(&API.to_owned())), ("theme", scene.theme.as_ref())]
    {
        if let Some(value) = value {
            let _ = Reflect::set(&options, &key.into(), &value.into());
        }
    }
    call("mount", &options);
    call("ask", &texts::QUESTION.get().into());
}

/// A `fetch` that responds instead of the API and passes requests for the widget's own files on.
fn answering(window: &Window, scene: Rc<RefCell<Option<Scene>>>) -> Option<Fetch> {
    let real: Function = Reflect::get(window, &"fetch".into()).ok()?.dyn_into().ok()?;
    let of_page = window.clone();
    Some(Fetch::new(move |input: JsValue, init: JsValue| {
        let address = input.as_string().unwrap_or_default();
        if !address.contains("/widget/config/") && !address.contains("/query") {
            let passed = real.call2(&of_page, &input, &init).map(JsCast::unchecked_into);
            return passed.unwrap_or_else(|error| Promise::reject(&error));
        }
        let body = if address.contains("/query") {
            reply()
        } else {
            scene.borrow().as_ref().map(|scene| scene.config.clone()).unwrap_or_default()
        };
        match answer(&body) {
            Ok(response) => Promise::resolve(&JsValue::from(response)),
            Err(error) => Promise::reject(&error),
        }
    }))
}

fn answer(body: &str) -> Result<Response, JsValue> {
    let response = Response::new_with_opt_str(Some(body))?;
    response.headers().set("content-type", "application/json")?;
    Ok(response)
}

/// The response to every question: a sample answer with a source.
fn reply() -> String {
    let source = json!({ "source_title": texts::SOURCE.get(), "content_snippet": texts::SNIPPET.get(), "score": 0.9 });
    json!({
        "session_id": "00000000-0000-4000-8000-000000000000",
        "message_id": "00000000-0000-7000-8000-000000000000",
        "answer": texts::ANSWER.get(),
        "sources": [source],
        "citations": [{ "marker": "[1]", "source_index": 0 }],
        "filtered": false,
    })
    .to_string()
}

/// Replaces the frame's cookies by a plain string, because the widget stores its session there.
fn forget_cookies(document: &web_sys::Document) -> Option<()> {
    let jar = Object::new();
    Reflect::set(&jar, &"value".into(), &"".into()).ok()?;
    Reflect::set(&jar, &"writable".into(), &true.into()).ok()?;
    Object::define_property(document.unchecked_ref::<Object>(), &"cookie".into(), &jar);
    Some(())
}

/// Prevents an opening chat from taking the focus from the edited field.
fn keep_focus_out(window: &Window, stay: &Call) -> Option<()> {
    let class = Reflect::get(window, &"HTMLElement".into()).ok()?;
    let prototype = Reflect::get(&class, &"prototype".into()).ok()?;
    Reflect::set(&prototype, &"focus".into(), stay.as_ref()).ok()?;
    Some(())
}
