// The widget on customers' pages, as visitors use it.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { closePage, launch, openPage, place } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";
import { World } from "../support/world.mjs";

const QUESTION = "How do I put the chatbot on my site?";
const NONSENSE = "Which temperature melts tungsten on a Tuesday in Lisbon?";
const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };

let world, browser, bot, friendly, foreign, page;

before(async () => {
  world = await World.shared();
  bot = world.chatbot("platform-help");
  const pages = hostPages(world.dev.base_url);
  [browser, friendly, foreign] = await Promise.all([launch(), HostSite.start(pages), HostSite.start(pages)]);
  const allowed = { allowed_origins: [world.dev.site_url, friendly.origin] };
  const saved = await world.call("hanna", "PATCH", "/api/v1/tenants/me/branding", allowed);
  assert.equal(saved.status, 200, await saved.text());
});

afterEach(() => page && closePage(page));

after(async () => {
  await Promise.all([browser?.close(), friendly?.stop(), foreign?.stop()]);
  await world.stop();
});

function hostPages(base) {
  const once = snippet(base, bot.id);
  const policy = `default-src 'none'; script-src ${base} 'wasm-unsafe-eval'; connect-src ${base}; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'`;
  return {
    "/plain": { html: hostPage({ body: once }) },
    "/twice": { html: hostPage({ head: once, body: once }) },
    "/strict": { html: hostPage({ body: once }), headers: { "content-security-policy": policy } },
    "/hostile": { html: hostPage({ head: "<style>* { all: unset !important }</style>", body: once }) },
  };
}

/** Opens an address in a page of its own, once the launcher is there. */
async function visit(address, options) {
  page = await openPage(browser, options);
  await page.goto(address);
  const chat = new Chat(page);
  await chat.launcher.waitFor();
  return chat;
}

async function visitAndAsk(address, options) {
  const chat = await visit(address, options);
  await chat.open();
  await chat.ask(QUESTION);
  return chat;
}

/** Asks, and stops the answer. The browser holds it back meanwhile: it could be complete before the button is pressed. */
async function askAndStop(chat) {
  const devtools = await page.context().newCDPSession(page);
  const held = [];
  devtools.on("Fetch.requestPaused", ({ requestId, request }) =>
    request.method === "POST" ? held.push(requestId) : devtools.send("Fetch.continueRequest", { requestId }),
  );
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern: "*/query", requestStage: "Response" }] });
  await chat.send(QUESTION);
  await eventuallyEqual(() => held.length, 1);
  await chat.panel.getByRole("button", { name: "Stop" }).click();
  await chat.panel.getByRole("button", { name: "Send", exact: true }).waitFor();
  await devtools.detach();
}

/** The state of an own answer. */
async function stateOf(faq, id) {
  return (await (await world.call("hanna", "GET", `${faq}/${id}`)).json()).state;
}

test("an answer on the demo site has citations", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  assert.ok((await chat.citations.count()) > 0, await chat.log.innerText());
});

test("an answer about embedding cites the widget's page", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  await chat.sources.locator(".svc-sources-label").click();
  assert.match(await chat.sources.innerText(), /widget/i);
});

test("a source without an address unfolds the answer's section", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  await chat.sources.locator(".svc-sources-label").click();
  const source = chat.sources.locator("li").first();
  await source.getByText(/^As of /).waitFor();
  await source.locator("summary").click();
  const section = source.locator(".svc-prose > *").first();
  await section.waitFor();
  assert.ok((await source.locator(".svc-prose").innerText()).length > 100);
});

test("a source shows the text of Markdown without its marks", async () => {
  const faq = `/api/v1/tenants/me/chatbots/${bot.id}/faq`;
  const entry = {
    question: "When does the tidal gate of Mistral quay open?",
    answer: "The tidal gate of Mistral quay opens at **8:15**, see [the tide table](https://tides.example/).",
  };
  const made = await world.call("hanna", "POST", faq, entry);
  assert.equal(made.status, 201, await made.clone().text());
  const { id } = await made.json();
  try {
    await eventuallyEqual(() => stateOf(faq, id), "ready");
    const chat = await visit(world.dev.site_url);
    await chat.open();
    await chat.ask(entry.question);
    await chat.sources.locator(".svc-sources-label").click();
    const text = await chat.sources.innerText();
    assert.match(text, /opens at 8:15, see the tide table/);
    assert.doesNotMatch(text, /\*\*|\]\(/);
  } finally {
    await world.call("hanna", "DELETE", `${faq}/${id}`);
  }
});

test("the platform streams its answer", async () => {
  const chat = await visit(world.dev.site_url);
  await chat.open();
  const asked = page.waitForResponse((response) => response.url().endsWith("/query") && response.request().method() === "POST");
  await chat.ask(QUESTION);
  assert.match((await asked).headers()["content-type"], /^text\/event-stream/);
});

test("a conversation continues after a stopped answer", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  await askAndStop(chat);
  await eventuallyEqual(() => chat.answers.count(), 1);
  await chat.input.fill("");
  await chat.ask(QUESTION, 2);
  assert.ok((await chat.citations.count()) > 0, await chat.log.innerText());
});

test("a visitor's rating, reason and comment reach the tenant", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  const answer = (name) => chat.answers.last().getByRole("button", { name, exact: true });
  const message = await chat.answers.last().getAttribute("data-message-id");
  await answer("Not helpful").click();
  await answer("Incomplete").click();
  await chat.answers.last().getByLabel("Comment (optional)").fill("Where is the price?");
  await answer("Send feedback").click();
  await chat.log.getByText("Thank you!").waitFor();
  const listed = await world.call("hanna", "GET", `/api/v1/tenants/me/chatbots/${bot.id}/feedback`);
  const given = (await listed.json()).items.find(({ message_id }) => message_id === message);
  assert.deepEqual([given.rating, given.category, given.comment], ["down", "incomplete", "Where is the price?"]);
});

test("a citation opens the sources and focuses its source", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  await chat.citations.first().click();
  await chat.sources.locator("li:focus").waitFor();
});

test("opening the panel moves the focus into the input", async () => {
  const chat = await visit(world.dev.site_url);
  await chat.open();
  await chat.panel.locator("textarea:focus").waitFor();
});

test("Escape closes the panel and focuses the launcher", async () => {
  const chat = await visit(world.dev.site_url);
  await chat.open();
  await page.keyboard.press("Escape");
  await chat.panel.waitFor({ state: "hidden" });
  await page.locator("svc-chat .svc-launcher:focus").waitFor();
});

test("no cookie is set before the first question", async () => {
  const chat = await visit(world.dev.site_url);
  await chat.open();
  assert.deepEqual(await chat.cookies(), []);
});

test("the first question sets one cookie named after the chatbot", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  const names = async () => (await chat.cookies()).map(({ name }) => name);
  await eventuallyEqual(names, [`svc_sid_${bot.id.slice(0, 8)}`]);
});

test("a conversation leaves nothing in local or session storage", async () => {
  await visitAndAsk(world.dev.site_url);
  assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length]), [0, 0]);
});

test("the conversation is restored after a reload", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  const answer = await chat.answers.first().innerText();
  await page.reload();
  await chat.open();
  await chat.log.getByText(QUESTION).waitFor();
  await eventuallyEqual(() => chat.answers.first().innerText(), answer);
});

test("a question without an answer gets the fallback message", async () => {
  const own = await world.call("hanna", "GET", `/api/v1/tenants/me/chatbots/${bot.id}`);
  const { fallback_message } = await own.json();
  const chat = await visit(world.dev.site_url);
  await chat.open();
  await chat.ask(NONSENSE);
  assert.ok((await chat.answers.first().innerText()).includes(fallback_message));
});

test("the fallback names no sources", async () => {
  const chat = await visit(world.dev.site_url);
  await chat.open();
  await chat.ask(NONSENSE);
  assert.equal(await chat.sources.count(), 0);
});

/** Waits until the browser has refused the page the widget's configuration. */
const refused = () => page.waitForEvent("requestfailed", (request) => request.url().includes("/widget/config/"));

test("on an origin that is not allowed nothing is loaded or asked", async () => {
  page = await openPage(browser);
  const asked = [];
  page.on("request", (request) => request.url().includes("/query") && asked.push(request.url()));
  await Promise.all([refused(), page.goto(`${foreign.origin}/plain`)]);
  // The browser tells the page as little as when the platform is away, so the launcher stays.
  assert.deepEqual([await page.locator("svc-chat").count(), asked], [1, []]);
});

test("on an origin that is not allowed the page is unharmed", async () => {
  page = await openPage(browser);
  const uncaught = [];
  page.on("pageerror", (error) => uncaught.push(String(error)));
  await Promise.all([refused(), page.goto(`${foreign.origin}/plain`)]);
  await eventuallyEqual(async () => [uncaught, await page.getByRole("heading", { name: "A shop" }).isVisible()], [[], true]);
});

test("a script that is pasted twice starts once", async () => {
  const chat = await visitAndAsk(`${friendly.origin}/twice`);
  await eventuallyEqual(() => chat.hosts.count(), 1);
});

test("an answer breaks no strict content security policy", async () => {
  await visitAndAsk(`${friendly.origin}/strict`);
  assert.deepEqual(page.violations, []);
});

test("a page that unsets every style keeps the widget in place", async () => {
  const chat = await visit(`${friendly.origin}/hostile`);
  const launcher = await chat.launcher.boundingBox();
  await chat.open();
  const panel = await chat.panel.boundingBox();
  const { width, height } = page.viewportSize();
  for (const { x, y, ...box } of [launcher, panel]) {
    assert.ok(box.width >= 40 && box.height >= 40, JSON.stringify(box));
    assert.ok(x + box.width > width - 60 && y + box.height > height - 120, JSON.stringify({ x, y, ...box }));
    assert.ok(x >= 0 && y >= 0 && x + box.width <= width && y + box.height <= height, JSON.stringify({ x, y, ...box }));
  }
});

test("on a phone the panel is modal and fills the screen", async () => {
  const chat = await visit(world.dev.site_url, PHONE);
  await chat.launcher.tap();
  await chat.panel.waitFor();
  await eventuallyEqual(async () => [await place(chat.panel), await chat.panel.getAttribute("aria-modal")], [[0, 0, 360, 640], "true"]);
});

test("on a phone the input is large enough not to zoom", async () => {
  const chat = await visit(world.dev.site_url, PHONE);
  await chat.launcher.tap();
  const size = await chat.input.evaluate((input) => Number.parseFloat(getComputedStyle(input).fontSize));
  assert.ok(size >= 16, `${size} px`);
});

test("axe finds nothing on the demo site with an answer", async () => {
  const chat = await visitAndAsk(world.dev.site_url);
  await chat.sources.locator(".svc-sources-label").click();
  assert.deepEqual(await accessibilityFindings(page), []);
});
