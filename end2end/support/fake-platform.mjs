// A fake platform whose responses a test controls to the byte: the real widget bundle, its configuration, and the
// responses that the test defines. For what a healthy server never does: broken streams, limits, errors.
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { freePorts } from "./ports.mjs";
import { ROOT } from "./world.mjs";

export const CHATBOT = "b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33";
export const SESSION = "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6a";
/** The token of every session. */
export const TOKEN = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE";
const MESSAGE = "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c";
const TYPES = { js: "text/javascript", wasm: "application/wasm" };

/** The name of the bundle's WASM file, which carries a sum of its content. */
export const wasmName = () => readdirSync(join(ROOT, "dist/widget")).find((name) => name.endsWith(".wasm"));

/** The platform. `requests` collects what the widget asked for; `onQuery`, `onFeedback` and `config` are the test's. */
export class FakePlatform {
  static async start() {
    const platform = new FakePlatform();
    const [port] = await freePorts(1);
    platform.port = port;
    platform.origin = `http://127.0.0.1:${port}`;
    platform.reset();
    await platform.listen();
    return platform;
  }

  /** Back to good answers. */
  reset() {
    this.requests = [];
    this.urls = [];
    this.messages = [];
    this.config = configuration();
    this.isDown = false;
    this.isBehindProxy = false;
    // The requested files of the bundle, and the files that a test serves instead.
    this.asked = [];
    this.onFile = () => undefined;
    this.onHealth = (exchange) => exchange.json({ status: "ok" });
    this.onConfig = (exchange, chatbot_id) => exchange.json({ ...this.config, chatbot_id });
    this.onQuery = (exchange) => exchange.json(reply("Good day."));
    this.onFeedback = (exchange) => exchange.json({ id: SESSION }, 201);
    this.onSection = (exchange) => exchange.json({ detail: "passage_not_found" }, 404);
    this.onHistory = (exchange) => exchange.json({ session_id: SESSION, messages: this.messages });
  }

  /** The bodies of the requests whose path ends with `ending`. */
  bodies(ending) {
    return this.requests.filter(({ path }) => path.endsWith(ending)).map(({ body }) => body);
  }

  async listen() {
    this.server = createServer((request, response) => this.#take(request, response));
    this.server.listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  async #take(request, response) {
    if (this.isDown) return request.socket.destroy();
    this.urls.push(request.url);
    // A proxy in front answers while the platform restarts.
    if (this.isBehindProxy && !request.url.startsWith("/static/")) return response.writeHead(502).end("Bad gateway");
    const { pathname } = new URL(request.url, this.origin);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "content-type");
    if (request.method === "OPTIONS") return response.end();
    const body = Buffer.concat(await request.toArray()).toString();
    if (!pathname.startsWith("/static/")) {
      const { method, headers } = request;
      this.requests.push({ method, path: pathname, headers, body: body ? JSON.parse(body) : null });
    }
    const exchange = new Exchange(request, response, body ? JSON.parse(body) : null);
    if (pathname.startsWith("/static/widget/")) return this.#file(request, response);
    if (pathname.endsWith("/query")) return this.onQuery(exchange);
    if (pathname.endsWith("/feedback")) return this.onFeedback(exchange);
    if (pathname.endsWith("/section")) return this.onSection(exchange);
    if (pathname.endsWith("/messages")) return this.onHistory(exchange);
    if (pathname.includes("/config/")) return this.onConfig(exchange, pathname.split("/").at(-1));
    if (pathname === "/health/live") return this.onHealth(exchange);
    exchange.json({ detail: "Not Found" }, 404);
  }

  #file({ url }, response) {
    const { pathname, search } = new URL(url, this.origin);
    const name = pathname.split("/").at(-1);
    this.asked.push(name + search);
    const other = this.onFile(name, search);
    if (other) return response.writeHead(200, { "content-type": "text/javascript", ...other.headers }).end(other.text);
    const file = join(ROOT, "dist/widget", name);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[name.split(".").at(-1)] ?? "text/plain" });
    response.end(readFileSync(file));
  }
}

/** One question and the test's answer. `isGone` resolves when the visitor's browser has disconnected. */
class Exchange {
  constructor(request, response, body) {
    this.response = response;
    this.body = body;
    this.isGone = once(response, "close");
  }

  json(body, status = 200, headers = {}) {
    this.response.writeHead(status, { "content-type": "application/json", ...headers });
    this.response.end(JSON.stringify(body));
  }

  /** Begins a stream with the session's event. */
  begin(session = SESSION) {
    this.response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    if (session) this.say("session", { session_id: session, session_token: TOKEN });
    return this;
  }

  say(event, data) {
    this.raw(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    return this;
  }

  token(text) {
    return this.say("token", { text });
  }

  raw(bytes) {
    this.response.write(bytes);
    return this;
  }

  done(answer) {
    this.say("done", typeof answer === "string" ? reply(answer) : answer);
    this.response.end();
  }

  end() {
    this.response.end();
  }

  /** Breaks the connection. */
  cut() {
    this.response.socket.destroy();
  }
}

let messages = 10;

/** A whole answer. */
export function reply(answer, more = {}) {
  const message_id = MESSAGE + (messages++).toString(16).padStart(4, "0");
  return { session_id: SESSION, session_token: TOKEN, message_id, answer, sources: [], citations: [], filtered: false, ...more };
}

/** A source by its title, whose section can be read. */
export function foldedSource(source_title, content_snippet) {
  return { ...source(source_title, content_snippet), passage_id: SESSION, as_of: "2026-03-02T12:00:00Z" };
}

/** A source by its title. */
export function source(source_title, content_snippet = "A passage.") {
  return { source_title, content_snippet, score: 0.8 };
}

function configuration() {
  return {
    chatbot_id: CHATBOT,
    name: "Shop help",
    language: "en",
    welcome_message: "Hello! What would you like to know?",
    suggested_questions: ["Do you ship to Norway?", "How do I return a parcel?"],
    branding: {},
  };
}

/** A promise and the functions that settle it. */
export function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
