// The chats that the benchmark compares: what a site owner pastes, how the launcher and the input are found, and which files
// are served. All of them call the benchmark's own server, whose answers are empty.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { wasmName } from "../support/fake-platform.mjs";
import { ROOT } from "../support/world.mjs";

const FOLDER = join(ROOT, "var/bench-widget");
const PEERS = { "flowise-embed": "3.1.6", "open-chat-studio-widget": "0.6.0" };
const CHATBOT = "b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33";

/** Installs the peers below `var`, once. */
export function install() {
  const isThere = Object.keys(PEERS).every((name) => existsSync(join(FOLDER, "node_modules", name)));
  if (isThere) return;
  mkdirSync(FOLDER, { recursive: true });
  const packages = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  execFileSync("npm", ["install", "--prefix", FOLDER, ...options, ...packages], { stdio: "inherit" });
}

// The least that a launcher can be, written by hand: a button that shows a form.
const FLOOR = `(() => {
  const host = document.createElement("floor-chat");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("button{position:fixed;right:20px;bottom:20px;width:56px;height:56px;border:0;border-radius:50%;background:#0b6681;color:#fff}form{position:fixed;right:20px;bottom:92px;width:400px;height:600px;background:#fff;box-shadow:0 0 20px #0004}textarea{width:100%}");
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement("button"), form = document.createElement("form");
  button.setAttribute("aria-label", "Open chat");
  form.hidden = true;
  form.append(document.createElement("textarea"));
  button.onclick = () => (form.hidden = !form.hidden);
  root.append(form, button);
  document.documentElement.append(host);
})();`;

/**
 * Each: `files` (path to a file or a text), `paste` (source of a function that runs in the page), `host` (the element with
 * the shadow root).
 */
export const CANDIDATES = {
  "hand-written launcher": {
    files: { "/floor.js": { text: FLOOR } },
    host: "floor-chat",
    paste: `() => document.body.append(Object.assign(document.createElement("script"), { src: "/floor.js" }))`,
  },
  "this widget": {
    files: {
      "/static/chat-widget.min.js": { file: join(ROOT, "dist/widget/chat-widget.min.js") },
      [`/static/${wasmName()}`]: { file: join(ROOT, "dist/widget", wasmName()) },
    },
    host: "svc-chat",
    paste: `() => {
      const script = Object.assign(document.createElement("script"), { src: "/static/chat-widget.min.js" });
      Object.assign(script.dataset, { chatbotId: "${CHATBOT}", apiBase: location.origin + "/api/v1" });
      document.body.append(script);
    }`,
  },
  "open-chat-studio-widget": {
    folder: { at: "/ocs/", from: join(FOLDER, "node_modules/open-chat-studio-widget/dist/open-chat-studio-widget") },
    host: "open-chat-studio-widget",
    paste: `() => {
      const element = document.createElement("open-chat-studio-widget");
      element.setAttribute("chatbot-id", "${CHATBOT}");
      element.setAttribute("api-base-url", location.origin);
      const src = "/ocs/open-chat-studio-widget.esm.js";
      document.body.append(element, Object.assign(document.createElement("script"), { type: "module", src }));
    }`,
  },
  "flowise-embed": {
    folder: { at: "/flowise/", from: join(FOLDER, "node_modules/flowise-embed/dist") },
    host: "flowise-chatbot",
    paste: `() => {
      const text = 'import Chatbot from "/flowise/web.js"; Chatbot.init({ chatflowid: "${CHATBOT}", apiHost: location.origin });';
      document.body.append(Object.assign(document.createElement("script"), { type: "module", text }));
    }`,
  },
};

/** The configuration that this widget asks for. */
export const CONFIGURATION = {
  chatbot_id: CHATBOT,
  name: "Shop help",
  language: "en",
  welcome_message: "Hello!",
  suggested_questions: [],
  branding: {},
};
