// The widget on badly written pages, and on pages that change while it runs.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, reply, SESSION, source, wasmName } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const SECOND = "c0ffee00-6c3e-4f58-8a90-2e1d7c5b4f33";
const THIRD = "c0ffee01-6c3e-4f58-8a90-2e1d7c5b4f33";
const ANSWER = reply("Three days [1].\n\n- by road\n- by `sea`", {
  sources: [source("Shipping")],
  citations: [{ marker: "[1]", source_index: 0 }],
});

/** Styles of pages that the widget must not notice. */
const HOSTILE = {
  "unset everything": "* { all: unset !important }",
  "hide and shrink everything": "*, ::before, ::after { display: none !important; font-size: 3px !important } html, body { display: block !important }",
  "a reset of every element":
    "*, *::before, *::after { margin: 0 !important; padding: 0 !important; border: 0 !important; box-sizing: content-box !important } button { appearance: none; background: red !important; color: lime !important } ul, ol { list-style: none !important } svg { display: block; fill: red !important; width: 300px !important }",
  "inherited text styles":
    "html { font: italic bold 40px/3 cursive !important; letter-spacing: 9px; word-spacing: 20px; text-transform: uppercase; text-align: right; color: red; cursor: wait; visibility: hidden; text-shadow: 0 0 9px red; text-indent: 99px; white-space: pre; user-select: none }",
  "a war of z-indices": "main { position: fixed; inset: 0; z-index: 2147483647; background: white }",
  "styles for the widget's own names":
    "svc-chat, svc-chat * { display: none !important; position: static !important; transform: scale(3) !important; opacity: .1 !important; z-index: -1 !important } .svc, .svc-panel, .svc-launcher { background: red !important }",
  "a page that moves and does not scroll": "body { transform: rotate(3deg) scale(.5); overflow: hidden; height: 30px; filter: blur(3px) }",
};

let platform, site, browser, page, chat;
/** The look of a conversation on a page without styles of its own. */
let plain;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  const once = snippet(platform.origin, CHATBOT);
  const left = once.replace("async", `data-position="bottom_left" async`).replace(CHATBOT, SECOND);
  const pages = { "/": { html: hostPage({ body: once }) }, "/other": { html: hostPage({}) }, "/two": { html: hostPage({ body: once + left }) } };
  for (const [name, css] of Object.entries(HOSTILE)) {
    pages[`/${encodeURIComponent(name)}`] = { html: hostPage({ head: `<style>${css}</style>`, body: once }) };
  }
  const policy = `default-src 'none'; script-src ${platform.origin}; connect-src ${platform.origin}`;
  pages["/no-wasm"] = { html: hostPage({ body: once }), headers: { "content-security-policy": policy } };
  const strict = policy.replace("; connect", " 'wasm-unsafe-eval'; connect") + "; require-trusted-types-for 'script'";
  pages["/strict"] = { html: hostPage({ body: once }), headers: { "content-security-policy": strict } };
  pages["/zoomed"] = { html: hostPage({ head: "<style>html { zoom: 1.5 }</style>", body: once }) };
  pages["/rtl"] = { html: hostPage({ body: once }).replace('lang="en"', 'lang="ar" dir="rtl"') };
  pages["/module"] = { html: hostPage({ body: once.replace("<script", `<script type="module"`) }) };
  site = await HostSite.start(pages);
});

beforeEach(async () => {
  platform.reset();
  platform.onQuery = (exchange) => exchange.begin().done(ANSWER);
  page = await openPage(browser);
  chat = new Chat(page);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

async function converse(path) {
  await page.goto(site.origin + path);
  await chat.open();
  await chat.ask("How long?");
  await chat.citations.first().click();
  await chat.sources.locator("li:focus").waitFor();
}

/** Place, size and look of every element of the widget, once nothing moves there. */
async function look() {
  // What is below the mouse changes some time after the log was scrolled.
  await page.mouse.move(0, 0);
  return page.locator("svc-chat").evaluate(async (host) => {
    const parts = [...host.shadowRoot.querySelectorAll("*")];
    const moving = () => host.shadowRoot.getAnimations().filter(({ playState }) => playState !== "finished");
    while (moving().length) await Promise.allSettled(moving().map(({ finished }) => finished));
    const properties = ["color", "backgroundColor", "font", "letterSpacing", "wordSpacing", "textTransform", "textAlign", "textShadow", "textIndent", "whiteSpace", "cursor", "visibility", "opacity", "display", "userSelect", "margin", "padding", "border", "boxSizing", "listStyleType", "fill"];
    return parts.map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      const style = getComputedStyle(part);
      const place = [x, y, width, height].map((number) => Math.round(number * 10) / 10);
      return [part.localName, part.getAttribute("class"), ...place, ...properties.map((name) => style[name])].join(" | ");
    });
  });
}

for (const name of Object.keys(HOSTILE)) {
  test(`the look survives ${name}`, async () => {
    if (!plain) {
      await converse("/");
      plain = await look();
      await page.context().clearCookies();
    }
    await converse(`/${encodeURIComponent(name)}`);
    assert.deepEqual(await look(), plain);
  });
}

test("on a zoomed page the widget stays inside the window", async () => {
  await converse("/zoomed");
  const { width, height } = page.viewportSize();
  for (const part of [page.locator("svc-chat .svc-launcher"), chat.panel]) {
    await eventuallyEqual(async () => {
      const box = await part.boundingBox();
      return box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height ? "inside" : box;
    }, "inside");
  }
});

test("a right-to-left page gets a right-to-left panel", async () => {
  await page.goto(`${site.origin}/rtl`);
  await chat.open();
  const [title, close] = await Promise.all([
    chat.panel.getByRole("heading").boundingBox(),
    chat.panel.getByRole("button", { name: "Close chat" }).boundingBox(),
  ]);
  assert.ok(close.x < title.x, JSON.stringify({ title, close }));
});

test("the page gets one global and unchanged prototypes", async () => {
  await page.goto(`${site.origin}/other`);
  const names = () => page.evaluate(() => [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(Element.prototype), ...Object.getOwnPropertyNames(Array.prototype)]);
  const before = await names();
  await page.addScriptTag({ url: `${platform.origin}/static/widget/chat-widget.min.js` });
  await page.evaluate(([chatbotId, apiBase]) => window.SvcChat.mount({ chatbotId, apiBase }), [CHATBOT, `${platform.origin}/api/v1`]);
  await chat.open();
  await chat.ask("How long?");
  const added = (await names()).filter((name) => !before.includes(name));
  assert.deepEqual(added, ["SvcChat"]);
});

test("a page can open the panel right after the script", async () => {
  await page.goto(`${site.origin}/other`);
  await page.evaluate(([src, chatbotId, apiBase]) => {
    const script = Object.assign(document.createElement("script"), { src, onload: () => window.SvcChat.open() });
    Object.assign(script.dataset, { chatbotId, apiBase });
    document.body.append(script);
  }, [`${platform.origin}/static/widget/chat-widget.min.js`, CHATBOT, `${platform.origin}/api/v1`]);
  await chat.panel.waitFor();
  await page.keyboard.press("Escape");
  await chat.open();
  await chat.ask("How long?");
});

test("a page can close the panel while it is loading", async () => {
  const held = deferred();
  await page.route("**/*.wasm?*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(site.origin);
  await page.waitForFunction(() => window.SvcChat);
  await page.evaluate(() => {
    window.heard = [];
    document.addEventListener("svc-chat", ({ detail }) => window.heard.push(detail.type));
    window.SvcChat.open();
    window.SvcChat.close();
  });
  held.resolve();
  await eventuallyEqual(() => page.evaluate(() => window.heard), ["open", "close"]);
  await chat.panel.waitFor({ state: "hidden" });
});

test("two chatbots on one page are independent", async () => {
  await page.goto(`${site.origin}/two`);
  // The scripts are asynchronous: either may load first.
  const frames = { [CHATBOT]: "bottom_right", [SECOND]: "bottom_left" };
  const frame = (id) => page.locator(`svc-chat .svc[data-position=${frames[id]}]`);
  for (const id of Object.keys(frames)) {
    await frame(id).locator(".svc-launcher").waitFor();
    await page.evaluate((id) => window.SvcChat.ask("How long?", id), id);
    await frame(id).locator("[data-message-id]").waitFor();
    await page.evaluate((id) => window.SvcChat.close(id), id);
  }
  const names = async () => (await chat.cookies()).map(({ name }) => name).sort();
  await eventuallyEqual(names, ["svc_sid_b7d4f1a2", "svc_sid_c0ffee00"]);
  assert.deepEqual(
    platform.requests.filter(({ path }) => path.endsWith("/query")).map(({ path }) => path.split("/").at(-2)),
    [CHATBOT, SECOND],
  );
  const [right, left] = await Promise.all([CHATBOT, SECOND].map((id) => frame(id).locator(".svc-launcher").boundingBox()));
  assert.ok(left.x + left.width < right.x, "the second is on the left");
});

test("replacing the page's body keeps the conversation", async () => {
  await converse("/");
  await page.evaluate(() => {
    history.pushState({}, "", "/cart");
    const body = document.createElement("body");
    body.innerHTML = "<main><h1>Cart</h1></main>";
    document.body.replaceWith(body);
  });
  await chat.ask("And now?", 2);
  assert.equal(platform.bodies("/query")[1].session_id, SESSION);
});

for (const [name, replace] of [
  ["writes its whole document again", () => {
    const page = document.documentElement.outerHTML.replace(/<svc-chat.*<\/svc-chat>/, "");
    document.open();
    document.write(page);
    document.close();
  }],
  ["replaces its root element", () => {
    const root = document.createElement("html");
    root.append(document.createElement("body"));
    const old = document.querySelector("script");
    document.documentElement.replaceWith(root);
    const script = Object.assign(document.createElement("script"), { src: old.src });
    Object.assign(script.dataset, old.dataset);
    document.body.append(script);
  }],
]) {
  test(`a page that ${name} and runs the snippet keeps the chat`, async () => {
    await converse("/");
    await page.evaluate(replace);
    await eventuallyEqual(() => chat.hosts.count(), 1);
    await chat.open();
    await chat.ask("And now?");
    assert.equal(platform.bodies("/query")[1].session_id, SESSION);
  });
}

test("destroy removes the chat and mount restores it", async () => {
  await converse("/");
  await page.evaluate(() => window.SvcChat.destroy());
  await chat.hosts.waitFor({ state: "detached" });
  await page.evaluate(([chatbotId, apiBase]) => window.SvcChat.mount({ chatbotId, apiBase }), [CHATBOT, `${platform.origin}/api/v1`]);
  await chat.open();
  await eventuallyEqual(() => chat.hosts.count(), 1);
});

test("a launcher takes the place of one that was removed", async () => {
  await page.goto(site.origin);
  await chat.launcher.waitFor();
  const places = () => page.locator("svc-chat .svc").evaluateAll((frames) => frames.map(({ dataset }) => dataset.slot).sort());
  await page.evaluate((chatbotId) => window.SvcChat.mount({ chatbotId }), SECOND);
  await eventuallyEqual(places, ["0", "1"]);
  await page.evaluate(([first, chatbotId]) => {
    window.SvcChat.destroy(first);
    window.SvcChat.mount({ chatbotId });
  }, [CHATBOT, THIRD]);
  await eventuallyEqual(() => chat.hosts.count(), 2);
  await eventuallyEqual(places, ["0", "1"]);
});

test("a manual snippet that runs again shows nothing", async () => {
  await page.goto(`${site.origin}/other`);
  const src = `${platform.origin}/static/widget/chat-widget.min.js`;
  const paste = () =>
    page.evaluate(([src, chatbotId]) => new Promise((done) => {
      const script = Object.assign(document.createElement("script"), { src, onload: () => done() });
      Object.assign(script.dataset, { manual: "", chatbotId });
      document.body.append(script);
    }), [src, CHATBOT]);
  await paste();
  await paste();
  await page.evaluate((chatbotId) => window.SvcChat.mount({ chatbotId }), SECOND);
  await chat.launcher.first().waitFor();
  await eventuallyEqual(() => platform.requests.map(({ path }) => path), [`/api/v1/widget/config/${SECOND}`]);
  assert.equal(await chat.hosts.count(), 1);
});

test("page events contain no texts of the conversation", async () => {
  await page.addInitScript(() => {
    window.heard = [];
    document.addEventListener("svc-chat", ({ detail }) => window.heard.push(detail));
  });
  await converse("/");
  await page.keyboard.press("Escape");
  const expected = ["open", "question", "answer", "close"].map((type) => ({ type, chatbotId: CHATBOT }));
  await eventuallyEqual(() => page.evaluate(() => window.heard), expected);
});

test("keys in the panel do not trigger the page's shortcuts", async () => {
  await page.goto(site.origin);
  await page.evaluate(() => {
    window.pressed = [];
    for (const kind of ["keydown", "keypress", "keyup"]) document.addEventListener(kind, ({ key }) => window.pressed.push(key));
  });
  await chat.open();
  await page.evaluate(() => (window.pressed = []));
  await page.keyboard.type("s?");
  await eventuallyEqual(async () => [await page.evaluate(() => window.pressed), await chat.input.inputValue()], [[], "s?"]);
});

test("the back/forward cache keeps the conversation", async () => {
  const own = await launch({ ignoreDefaultArgs: ["--disable-back-forward-cache"] });
  try {
    await closePage(page);
    page = await openPage(own);
    chat = new Chat(page);
    await converse("/");
    await page.evaluate(() => (window.isSamePage = true));
    await page.goto(`${site.origin}/other`);
    await page.evaluate(() => history.back());
    await page.waitForURL(`${site.origin}/`, { waitUntil: "commit" });
    await chat.log.getByText("Three days").waitFor();
    await chat.ask("And now?", 2);
    assert.deepEqual(
      [await page.evaluate(() => window.isSamePage), platform.bodies("/query")[1].session_id],
      [true, SESSION],
      "the page was kept, not loaded again",
    );
  } finally {
    await closePage(page);
    await own.close();
    page = await openPage(browser);
  }
});

test("a full conversation breaks no strict policy", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await converse("/strict");
  const answer = (name) => chat.answers.last().getByRole("button", { name, exact: true });
  await answer("Copy answer").click();
  await answer("Not helpful").click();
  await answer("Tone").click();
  await answer("Send feedback").click();
  await chat.log.getByText("Thank you!").waitFor();
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("without WebAssembly the launcher goes with one log line", async () => {
  const said = [];
  page.on("console", (message) => /svc-chat/.test(message.text()) && said.push(message.text()));
  await page.goto(`${site.origin}/no-wasm`);
  // Before the line, the launcher may not have been drawn yet.
  await eventuallyEqual(() => said.length, 1);
  await chat.hosts.waitFor({ state: "detached" });
  await eventuallyEqual(() => page.getByRole("heading", { name: "A shop" }).isVisible(), true);
  assert.equal(said.length, 1, said.join("\n"));
  assert.match(said[0], /WebAssembly is not allowed \('wasm-unsafe-eval' in script-src\)/);
});

test("a snippet that is a module says so in the console", async () => {
  const warned = page.waitForEvent("console", (message) => message.text().includes("[svc-chat]"));
  await page.goto(`${site.origin}/module`);
  assert.equal((await warned).text(), "[svc-chat] Chat hidden: the script is a module or has no src.");
});

test("a foreign file instead of the WASM leaves a launcher that can try again", async () => {
  const wasm = page.waitForResponse((response) => response.url().includes(".wasm"));
  platform.onFile = (name) => (name.endsWith(".wasm") ? { text: "<!doctype html>", headers: { "content-type": "text/html" } } : undefined);
  await page.goto(site.origin);
  await wasm;
  await chat.launcher.click();
  await page.getByRole("alert").getByText("could not be loaded").waitFor();
  // There is nothing to close, and so nothing to load.
  const isBusy = await chat.launcher.evaluate(async (button) => {
    window.SvcChat.close();
    await new Promise((resume) => setTimeout(resume));
    return button.hasAttribute("aria-busy");
  });
  assert.equal(isBusy, false);
  platform.onFile = () => undefined;
  await chat.open();
});

test("a closed widget loads its files and sets no cookie", async () => {
  const asked = [];
  page.on("request", (request) => request.url().startsWith(platform.origin) && asked.push(new URL(request.url()).pathname));
  const loaded = page.waitForEvent("requestfinished", (request) => request.url().includes(".wasm"));
  await page.goto(site.origin);
  await loaded;
  const files = [wasmName().replace(".wasm", "-en.txt"), wasmName(), "chat-widget.min.js"];
  const expected = [`/api/v1/widget/config/${CHATBOT}`, ...files.map((name) => `/static/widget/${name}`)];
  await eventuallyEqual(() => asked.toSorted(), expected);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked.toSorted(), expected);
  assert.deepEqual([await page.evaluate(() => document.cookie), await page.evaluate(() => localStorage.length)], ["", 0]);
});

test("a full conversation sends requests to the platform only", async () => {
  const strangers = [];
  page.on("request", (request) => {
    if (![platform.origin, site.origin].some((origin) => request.url().startsWith(origin))) strangers.push(request.url());
  });
  await converse("/");
  assert.deepEqual(strangers, []);
});

test("the old unscoped cookie is deleted on load", async () => {
  await page.context().addCookies([{ name: "svc_sid", value: "old", url: site.origin }]);
  await page.goto(site.origin);
  await chat.launcher.waitFor();
  await eventuallyEqual(() => chat.cookies(), []);
});
