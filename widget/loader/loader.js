// The part of the widget that runs immediately: it reads the snippet's attributes, draws the launcher, requests the
// configuration, and fetches the WASM part when the page is idle or the visitor reaches for the launcher. The build
// appends it to wasm-bindgen's glue (`engine` returns its start), the style sheet's text (`WIDGET_CSS`), the name of the WASM
// file (`WASM_FILE`), the number of lines of a file of texts (`TEXT_LINES`) and the launcher's label in each language
// (`LABELS`), all inside one function. It is a classic script, because `document.currentScript` is only set while it
// runs.

const script = document.currentScript;
const BUBBLE =
  "M5.5 4.5h13A2.5 2.5 0 0 1 21 7v8a2.5 2.5 0 0 1-2.5 2.5h-6l-4.4 3.3a.7.7 0 0 1-1.1-.56V17.5H5.5A2.5 2.5 0 0 1 3 15V7a2.5 2.5 0 0 1 2.5-2.5ZM8 9.5h8M8 13h5";
const CHEVRON = "M5.5 9l6.5 6.5L18.5 9";
const FAILED = "The chat could not be loaded. Please try again.";
const CONFIG_TIMEOUT_MS = 8000;
const TEXTS_TIMEOUT_MS = 5000;
// In legacy mode there is no chatbot and no configuration.
const NOBODY = "00000000-0000-0000-0000-000000000000";

const nextTask = () => new Promise((resume) => setTimeout(resume));
const warn = (reason) => console.warn(`[svc-chat] ${reason}`);

// The WASM file is next to this script, with a hash in its name. Its URL contains the chatbot, from which the platform
// derives the origins that may read it.
const source = script && script.src ? new URL(script.src) : undefined;
// Whether an older script has loaded this one.
const isRenewal = /renewed=/.test(source?.search);
let compiled;

class Refused extends Error {}

// The URL of a file of this build, next to the script.
const fileOf = (name, chatbotId) => new URL(`${name}?chatbot=${encodeURIComponent(chatbotId)}`, source);
// The first supported language of these tags: `de` for `de-AT`.
const languageOf = (...tags) => tags.map((tag) => String(tag ?? "").split(/[-_]/)[0].toLowerCase()).find((tag) => LABELS[tag]) ?? "en";

// Fetches and compiles the WASM once for all chatbots of the page. A failed download can be tried again.
function compile(chatbotId) {
  compiled ??= (async () => {
    const response = await fetch(fileOf(WASM_FILE, chatbotId), { credentials: "omit" });
    // This script's WASM file was removed, because the platform has another build. The current script, fetched past all
    // caches, takes over the chatbots. The browser's copy, which may be cached for a year, is renewed for the next
    // page, with credentials like those of a script tag.
    if (response.status === 404 && !isRenewal) {
      await fetch(source, { mode: "no-cors", cache: "reload", credentials: "include" });
      await new Promise((_, reject) => {
        const next = element("script", { src: new URL(`${source.search || "?"}&renewed=${Date.now()}`, source) });
        next.addEventListener("error", reject);
        next.onload = () => launchers.forEach(({ options, host, isUsed }) => {
          host.remove();
          SvcChat.mount(options);
          // A visitor is waiting.
          if (isUsed) SvcChat.open(options.chatbotId);
        });
        document.documentElement.append(next);
      });
    }
    if (!response.ok) throw new Error(`status ${response.status}`);
    try {
      return await engine()(response);
    } catch (error) {
      // Only the page's policy refuses for good. A broken or foreign file, also a `CompileError`, may be repaired before the
      // next attempt.
      throw /policy|csp/i.test(error.message) ? new Refused(error.message) : error;
    }
  })();
  compiled.catch((error) => {
    if (!(error instanceof Refused)) compiled = undefined;
  });
  return compiled;
}

function filled(made, attributes, ...children) {
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.append(...children);
  return made;
}

const element = (tag, ...rest) => filled(document.createElement(tag), ...rest);
const shape = (tag, ...rest) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), ...rest);
const icon = (name, path) =>
  shape("svg", { class: `svc-icon svc-icon--${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: path }));

function sheet(css) {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}

// Black or white, whichever is readable on the brand colour. The WASM half refines it later.
function readableOn(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18 ? "#fff" : "#000";
}

// One chatbot on this page. The script's own task only registers it. Drawing it and requesting its configuration are others.
class Launcher {
  constructor(options) {
    // The first free place in the stack of launchers, or else the last one.
    this.slot = 0;
    while (this.slot < 3 && [...launchers.values()].some((other) => other.slot === this.slot)) this.slot++;
    this.options = options;
    this.host = document.createElement("svc-chat");
    this.drawn = nextTask().then(() => this.draw());
    this.config = this.drawn.then(nextTask).then(() => this.fetchConfig());
    this.config.then((config) => this.greet(config));
    this.startWhenIdle();
  }

  draw() {
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [sheet(WIDGET_CSS)];
    const open = LABELS[this.language()];
    this.button = element(
      "button",
      { type: "button", class: "svc-launcher", "aria-label": open, "aria-expanded": "false", "aria-controls": "svc-panel", "aria-haspopup": "dialog" },
      icon("open", BUBBLE),
      icon("close", CHEVRON),
    );
    const position = /left/.test(this.options.position ?? "") ? "bottom_left" : "bottom_right";
    this.frame = element("section", { class: "svc", "aria-label": "Chat", "data-position": position, "data-slot": this.slot }, this.button);
    this.root.append(this.frame);
    for (const event of ["pointerenter", "focus"]) this.button.addEventListener(event, () => this.warmUp(), { once: true });
    this.button.addEventListener("click", () => this.toggle());
    // The distances from the window's edges in pixels, and the layer.
    for (const name of ["offsetBottom", "offsetSide", "zIndex"]) {
      if (/^\d+$/.test(this.options[name])) this.host.style.setProperty(`--svc-${name}`, this.options[name]);
    }
    // A page that keeps the focus inside its own dialog, or closes that on a click elsewhere, listens to these.
    for (const event of ["focusin", "pointerdown", "mousedown", "touchstart", "click"]) {
      this.host.addEventListener(event, (event) => event.stopPropagation());
    }
    if (!this.isDestroyed) (this.options.element ?? document.documentElement).append(this.host);
  }

  // The configuration, or the status of its failure (0: no answer).
  fetchConfig() {
    const { apiBase, chatbotId } = this.options;
    if (!chatbotId) return Promise.resolve({ chatbot_id: NOBODY });
    const signal = AbortSignal.timeout?.(CONFIG_TIMEOUT_MS);
    // With the snippet's version, which the tenant sees in the console.
    const address = `${apiBase}/widget/config/${encodeURIComponent(chatbotId)}${source.search}`;
    return fetch(address, { credentials: "omit", signal })
      .then((response) => (response.ok ? response.json() : response.status))
      // Browsers hide a refusal, and what a proxy answers while the platform restarts, as if the request had failed. In doubt the
      // launcher stays.
      .catch(() => {
        warn("No answer, or this origin is not allowed.");
        return 0;
      });
  }

  // `data-lang`, else the page's language, else the chatbot's, else the browser's.
  language(config) {
    return languageOf(this.options.lang, document.documentElement.lang, config?.language, navigator.language);
  }

  // The texts in the visitor's language, or English ones where these cannot be loaded.
  fetchTexts(config) {
    return this.textsIn(this.language(config)).catch(() => this.textsIn("en"));
  }

  // The file of a language: its tag, and a line for each text.
  async textsIn(tag) {
    const file = fileOf(WASM_FILE.replace(".wasm", `-${tag}.txt`), this.options.chatbotId);
    const response = await fetch(file, { credentials: "omit", signal: AbortSignal.timeout?.(TEXTS_TIMEOUT_MS) });
    const texts = await response.text();
    if (!texts.startsWith(`${tag}\n`) || texts.split("\n").length !== TEXT_LINES) throw new Error(`no texts in ${tag}`);
    return texts;
  }

  greet(config) {
    if (config === 403) {
      warn("Chat hidden: this origin is not allowed or the chatbot is not active (403).");
      this.destroy();
      return;
    }
    const { primary_color: colour, launcher_position: position } = config?.branding ?? {};
    if (/^#[0-9a-f]{6}$/i.test(colour)) {
      this.root.adoptedStyleSheets.push(sheet(`.svc{--svc-primary:${colour};--svc-on-primary:${readableOn(colour)}}`));
    }
    if (position && !this.options.position) this.frame.dataset.position = position;
  }

  startWhenIdle() {
    if (navigator.connection?.saveData) return;
    const start = () => this.warmUp();
    const idle = () => (window.requestIdleCallback ? requestIdleCallback(start, { timeout: 4000 }) : setTimeout(start, 800));
    if (document.readyState === "complete") idle();
    else window.addEventListener("load", idle, { once: true });
  }

  warmUp() {
    this.start().catch(() => {});
  }

  // Loads the WASM part once. Compiling, building and later steps are separate tasks, so that none blocks the page for
  // long.
  start() {
    this.starting ??= Promise.all([
      compile(this.options.chatbotId),
      this.config,
      this.config.then((config) => this.fetchTexts(config)).catch(() => ""),
    ]).then(async ([wasm, config, texts]) => {
      if (!texts) throw new Error("no texts");
      await this.breathe();
      const chat = new wasm.Chat(this.root, this.frame, this.button, this.options, config, texts);
      do await this.breathe();
      while (chat.step());
      this.chat = chat;
      await nextTask();
      return chat;
    });
    this.starting.catch((error) => {
      this.starting = undefined;
      if (error instanceof Refused && !this.isDestroyed) {
        warn(`Chat hidden: WebAssembly is not allowed ('wasm-unsafe-eval' in script-src). ${error.message}`);
        this.destroy();
      }
    });
    return this.starting;
  }

  // Yields to the page.
  async breathe() {
    await nextTask();
    if (this.isDestroyed) throw new Error("destroyed");
  }

  // Calls the WASM half as soon as it is loaded.
  async use(action) {
    this.isUsed = true;
    if (this.chat) return action(this.chat);
    await this.drawn;
    this.button.setAttribute("aria-busy", "true");
    this.complaint?.remove();
    try {
      action(await this.start());
    } catch {
      if (!this.isDestroyed) this.complain();
    }
    this.button.removeAttribute("aria-busy");
  }

  toggle() {
    // A second click during loading cancels the first one.
    this.isWanted = this.chat ? true : !this.isWanted;
    this.use((chat) => {
      if (this.isWanted) chat.toggle();
      this.isWanted = false;
    });
  }

  complain() {
    // Nothing is wanted any more.
    this.isWanted = this.isUsed = undefined;
    this.complaint = element("p", { class: "svc-complaint", role: "alert" }, FAILED);
    this.frame.prepend(this.complaint);
    setTimeout((complaint) => complaint.remove(), 8000, this.complaint);
  }

  destroy() {
    this.isDestroyed = true;
    this.chat?.destroy();
    this.host.remove();
    launchers.delete(this.options.chatbotId);
  }
}

const launchers = new Map();

function mount({ chatbotId, apiBase, ...rest }) {
  const id = String(chatbotId ?? "").trim().toLowerCase();
  if (!id && !apiBase) return warn("The snippet has no data-chatbot-id.");
  // A page that replaced its whole document has removed the chat, and perhaps its listeners.
  const known = launchers.get(id);
  if (known?.root && !known.host.isConnected) known.destroy();
  if (launchers.has(id)) return;
  const base = (apiBase || `${source?.origin ?? ""}/api/v1`).replace(/\/+$/, "");
  launchers.set(id, new Launcher({ ...rest, chatbotId: id, apiBase: base }));
}

// Calls `action` on the chatbot with this id, or on the first one without an id.
function on(id, action) {
  const launcher = id ? launchers.get(String(id).toLowerCase()) : launchers.values().next().value;
  if (launcher) action(launcher);
}

const attributes = script?.dataset ?? {};

// The old cookie, from before each chatbot had its own.
function dropLegacyCookie() {
  try {
    if (/(^|;\s*)svc_sid=/.test(document.cookie)) document.cookie = "svc_sid=; Max-Age=0; Path=/";
  } catch {
    // A sandboxed page has no cookies.
  }
}

function begin() {
  // Reading cookies waits for another process.
  setTimeout(dropLegacyCookie);
  // Pasted again: the first copy adds the chatbot, unless it has it already.
  if (!window.SvcChat?.mount || isRenewal) {
    if (!source) return warn("Chat hidden: the script is a module or has no src.");
    if (typeof WebAssembly !== "object" || !("adoptedStyleSheets" in Document.prototype)) {
      return warn("Chat hidden: this browser is too old.");
    }
    window.SvcChat = Object.freeze({
      mount,
      open: (id) => on(id, (launcher) => launcher.use((chat) => chat.open())),
      // What was called before comes first, also while it is loading.
      close: (id) => on(id, (launcher) => launcher.isUsed && launcher.use((chat) => chat.close())),
      toggle: (id) => on(id, (launcher) => launcher.toggle()),
      ask: (question, id) => on(id, (launcher) => launcher.use((chat) => chat.ask(String(question)))),
      destroy: (id) => on(id, (launcher) => launcher.destroy()),
    });
  }
  isRenewal || "manual" in attributes || window.SvcChat.mount(attributes);
}

// In the head the page has no body yet, and the launcher belongs after it.
if (document.body) begin();
else document.addEventListener("DOMContentLoaded", begin, { once: true });
