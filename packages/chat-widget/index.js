// Puts a chatbot on a page. It loads the same script from the platform that the script tag loads, so that every page has the
// platform's current widget, whatever the version of this package.

const SCRIPT = "/static/widget/chat-widget.min.js";
// `make release` writes its version here. The tenant sees it in the console.
const VERSION = "0.0.0";
const EVENT = "svc-chat";

/** The scripts of this page: a promise for each address. */
const scripts = new Map();
/** The chats of this page by chatbot. */
const chats = new Map();
let policy;

/**
 * Adds a chat: at the end of the document, or in `element`, which may be a shadow root.
 * A chatbot that the page has already keeps its chat.
 */
export function mount(...given) {
  const [element, options] = given.length > 1 ? given : [undefined, given[0]];
  const id = String(options?.chatbotId ?? "").trim().toLowerCase();
  if (!id) throw new TypeError("chat-widget: `chatbotId` is missing");
  const chat = chats.get(id) ?? new Chat(id, element ?? undefined, options);
  chats.set(id, chat);
  return chat;
}

class Chat {
  #isMounted = false;
  #isDestroyed = false;
  #listeners = new Set();

  constructor(id, element, { platform, nonce, apiBase, lang, theme, position, offsetBottom, offsetSide, zIndex }) {
    this.chatbotId = id;
    /** Settles when the launcher is on the page, or when the script cannot be loaded. */
    this.ready = load(platform, nonce).then(() => {
      if (this.#isDestroyed) return;
      const look = { lang, theme, position, offsetBottom, offsetSide, zIndex };
      window.SvcChat.mount({ chatbotId: id, apiBase, ...look, element });
      this.#isMounted = true;
    });
    // Not every page looks at it.
    this.ready.catch(() => {});
  }

  open() {
    return this.#call("open");
  }

  close() {
    return this.#call("close");
  }

  toggle() {
    return this.#call("toggle");
  }

  /** Opens and asks, unless an answer is in progress. */
  ask(question) {
    return this.#call("ask", question);
  }

  /** Hears "open", "close", "question" or "answer". Returns a function that stops it. */
  on(type, listener) {
    const hear = ({ detail }) => {
      if (detail.type === type && String(detail.chatbotId).toLowerCase() === this.chatbotId) listener(detail);
    };
    document.addEventListener(EVENT, hear);
    const stop = () => {
      document.removeEventListener(EVENT, hear);
      this.#listeners.delete(stop);
    };
    this.#listeners.add(stop);
    return stop;
  }

  /** Removes the chat from the page, with its listeners. */
  destroy() {
    this.#isDestroyed = true;
    for (const stop of this.#listeners) stop();
    if (chats.get(this.chatbotId) === this) chats.delete(this.chatbotId);
    if (this.#isMounted) window.SvcChat.destroy(this.chatbotId);
  }

  async #call(method, ...rest) {
    await this.ready;
    if (!this.#isDestroyed) window.SvcChat[method](...rest, this.chatbotId);
  }
}

/** Loads the platform's script once. A failed attempt can be repeated. */
function load(platform, nonce) {
  // A script tag of the page may have done it.
  if (window.SvcChat?.mount) return Promise.resolve();
  const address = new URL(`${SCRIPT}?v=${VERSION}`, platform ?? location.origin).href;
  if (!scripts.has(address)) {
    const loading = insert(address, nonce);
    loading.catch(() => scripts.delete(address));
    scripts.set(address, loading);
  }
  return scripts.get(address);
}

function insert(address, nonce) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.dataset.manual = "";
    if (nonce) script.nonce = nonce;
    script.onload = () => (window.SvcChat ? resolve() : reject(new Error("chat-widget: this browser is too old")));
    script.onerror = () => {
      script.remove();
      reject(new Error(`chat-widget: ${address} cannot be loaded: the platform is down, or a policy or a blocker stops it`));
    };
    script.src = trusted(address);
    document.head.append(script);
  });
}

/** For pages that require trusted types, whose policy allows `trusted-types chat-widget`. */
function trusted(address) {
  policy ??= window.trustedTypes?.createPolicy("chat-widget", { createScriptURL: (url) => url });
  return policy ? policy.createScriptURL(address) : address;
}
