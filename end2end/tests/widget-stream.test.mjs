// Streamed answers: shown as they arrive, stopped, interrupted, and announced once.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, reply, SESSION, source } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const LONG = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of a long answer, with words enough for a line or two.\n\n`);

let platform, site, browser, page, chat;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  site = await HostSite.start({ "/": { html: hostPage({ body: snippet(platform.origin, CHATBOT) }) } });
});

beforeEach(async () => {
  platform.reset();
  page = await openPage(browser);
  await page.goto(site.origin);
  chat = new Chat(page);
  await chat.open();
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

/** Asks without waiting for the answer; resolves to the exchange, which the test continues. */
async function ask(question) {
  const started = deferred();
  platform.onQuery = started.resolve;
  await chat.send(question);
  return started.promise;
}

test("the widget requests a stream", async () => {
  const exchange = await ask("Hello?");
  exchange.json(reply("Good day."));
  await chat.answers.first().waitFor();
  assert.equal(platform.requests.find(({ path }) => path.endsWith("/query")).headers.accept, "text/event-stream");
});

test("an answer is shown while it arrives", async () => {
  const exchange = await ask("Hello?");
  exchange.begin().token("The first ").token("words");
  await chat.log.getByText("The first words").waitFor();
  assert.equal(await chat.answers.count(), 0);
  exchange.done("The first words and the last.");
  await chat.answers.first().getByText("The first words and the last.").waitFor();
});

test("the complete answer replaces the streamed text", async () => {
  const exchange = await ask("Hello?");
  exchange.begin().say("sources", { sources: [source("Shipping")] }).token("Three days [1], roughly");
  await chat.log.getByText("Three days").waitFor();
  exchange.done(reply("Three days [1].", { sources: [source("Shipping")], citations: [{ marker: "[1]", source_index: 0 }] }));
  await chat.citations.first().click();
  await chat.sources.locator("li:focus").waitFor();
  assert.equal(await chat.log.getByText("roughly").count(), 0);
});

test("any chunking and line endings of a stream work", async () => {
  const exchange = await ask("Hello?");
  exchange.begin();
  const bytes = Buffer.from(`: alive\r\n\r\nevent: token\r\ndata: {"text":"Größe: 5 €"}\r\n\r\n`);
  for (const byte of bytes) {
    exchange.raw(Buffer.of(byte));
    await new Promise((done) => setImmediate(done));
  }
  await chat.log.getByText("Größe: 5 €").waitFor();
  exchange.done("Größe: 5 €");
  await chat.answers.first().getByText("Größe: 5 €").waitFor();
});

test("stopping keeps the text and closes the connection", async () => {
  const exchange = await ask("Hello?");
  exchange.begin().token("The first words");
  await chat.log.getByText("The first words").waitFor();
  await chat.panel.getByRole("button", { name: "Stop" }).click();
  await exchange.isGone;
  await chat.log.getByText("Stopped.").waitFor();
  await eventuallyEqual(async () => [await chat.log.getByText("The first words").count(), await chat.input.inputValue()], [1, ""]);
});

test("the session continues after a stop", async () => {
  const first = await ask("Hello?");
  first.begin().token("The first words");
  await chat.log.getByText("The first words").waitFor();
  await chat.panel.getByRole("button", { name: "Stop" }).click();
  const second = await ask("And then?");
  assert.equal(second.body.session_id, SESSION);
  second.begin().done("Then it ends.");
  await chat.answers.first().waitFor();
});

test("stopping before the first word restores the question", async () => {
  const exchange = await ask("Hello?");
  exchange.begin();
  await chat.panel.getByRole("button", { name: "Stop" }).click();
  await exchange.isGone;
  await eventuallyEqual(async () => [await chat.input.inputValue(), await chat.log.getByText("Hello?").count()], ["Hello?", 0]);
});

test("asking again replaces an interrupted answer", async () => {
  const exchange = await ask("Hello?");
  exchange.begin().token("The first words");
  await chat.log.getByText("The first words").waitFor();
  // Once the platform is reachable again, the notice says so instead.
  platform.onHealth = (exchange) => exchange.cut();
  exchange.cut();
  await chat.log.getByText("The answer was cut off.").waitFor();
  await chat.panel.getByRole("alert").getByText("your question is still here").waitFor();
  await eventuallyEqual(async () => [await chat.log.getByText("The first words").count(), await chat.input.inputValue()], [1, "Hello?"]);
  platform.onQuery = (exchange) => exchange.begin().done("All of it.");
  await chat.input.press("Enter");
  await chat.answers.first().getByText("All of it.").waitFor();
  await eventuallyEqual(async () => [await chat.log.getByText("The first words").count(), await chat.log.getByText("Hello?").count()], [0, 1]);
});

test("typed text survives an interrupted stream", async () => {
  const exchange = await ask("Hello?");
  exchange.begin().token("The first words");
  await chat.log.getByText("The first words").waitFor();
  await chat.input.fill("My next question");
  exchange.cut();
  await chat.log.getByText("The answer was cut off.").waitFor();
  await eventuallyEqual(() => chat.input.inputValue(), "Hello?\nMy next question");
});

test("a stream lost before the first word is retried once", async () => {
  const first = await ask("Hello?");
  const second = deferred();
  platform.onQuery = second.resolve;
  first.begin().cut();
  (await second.promise).begin().done("Good day.");
  await chat.answers.first().waitFor();
  await eventuallyEqual(async () => [await chat.log.getByText("Hello?").count(), platform.bodies("/query").length], [1, 2]);
  await eventuallyEqual(() => chat.panel.getByRole("alert").innerText(), "");
});

test("a retry with a session never stored begins a new one", async () => {
  const first = await ask("Hello?");
  first.begin();
  await eventuallyEqual(async () => (await chat.cookies()).map(({ value }) => value), [SESSION]);
  platform.onQuery = (exchange) =>
    exchange.body.session_id ? exchange.json({ detail: "session_not_found" }, 404) : exchange.begin().done("Good day.");
  first.cut();
  await chat.answers.first().waitFor();
  assert.deepEqual(platform.bodies("/query").map(({ session_id }) => session_id), [null, SESSION, null]);
  await eventuallyEqual(() => chat.log.getByText("Hello?").count(), 1);
});

test("a stream lost twice shows a notice", async () => {
  platform.onQuery = (exchange) => exchange.begin().end();
  // The question is repeated while the platform is reachable; were it so after that, the notice would soon say so instead.
  platform.onHealth = (exchange) => (platform.bodies("/query").length < 2 ? exchange.json({ status: "ok" }) : exchange.cut());
  await chat.send("Hello?");
  await chat.panel.getByRole("alert").getByText("Can't reach the chat").waitFor();
  await eventuallyEqual(async () => [platform.bodies("/query").length, await chat.input.inputValue()], [2, "Hello?"]);
});

test("an error in a stream shows a notice, keeps the question", async () => {
  const exchange = await ask("Hello?");
  exchange.begin().say("error", { detail: "generator_unavailable" }).end();
  await chat.panel.getByRole("alert").getByText("Something went wrong on our side").waitFor();
  await eventuallyEqual(() => chat.input.inputValue(), "Hello?");
  platform.onQuery = (exchange) => exchange.begin().done("Good day.");
  await chat.panel.getByRole("button", { name: "Try again" }).click();
  await chat.answers.first().waitFor();
});

test("a streamed answer is announced once, when complete", async () => {
  const exchange = await ask("Hello?");
  await chat.log.evaluate((log) => {
    window.announced = [];
    new MutationObserver((changes) => {
      if (log.getAttribute("aria-live") === "off") return;
      for (const { target, addedNodes } of changes) {
        const nodes = [...addedNodes].filter((node) => node.isConnected && !(node.closest ? node : target).closest("[inert], [aria-hidden]"));
        window.announced.push(...nodes.map((node) => node.textContent));
      }
    }).observe(log, { childList: true, characterData: true, subtree: true });
  });
  exchange.begin();
  for (const word of ["One ", "two ", "three."]) exchange.token(word);
  await chat.log.getByText("One two").waitFor();
  exchange.done("One two three.");
  await chat.answers.first().waitFor();
  const announced = await page.evaluate(() => window.announced.filter((text) => /One/.test(text)));
  assert.equal(announced.length, 1, JSON.stringify(announced));
  assert.match(announced[0], /^Shop help:One two three\./);
});

test("the log follows an answer until its question is at the top", async () => {
  const exchange = await ask("Tell me all");
  exchange.begin();
  for (const [index, paragraph] of LONG.entries()) {
    exchange.token(paragraph);
    if (index % 8 === 0) await chat.log.getByText(`Paragraph ${index} of`).waitFor();
  }
  exchange.done(LONG.join(""));
  await chat.answers.first().waitFor();
  await eventuallyEqual(async () => Math.abs(await chat.distanceFromTop("Tell me all")) < 30, true);
});

test("the log does not move after the visitor scrolled up", async () => {
  platform.onQuery = (exchange) => exchange.json(reply(LONG.join("")));
  await chat.ask("First");
  const exchange = await ask("Second");
  exchange.begin().token(LONG[0]);
  await chat.log.getByText("Paragraph 0").nth(1).waitFor();
  await chat.log.evaluate((log) => (log.scrollTop = 40));
  for (const paragraph of LONG) exchange.token(paragraph);
  exchange.done(LONG.join(""));
  await chat.answers.nth(1).waitFor();
  assert.equal(await chat.log.evaluate((log) => Math.round(log.scrollTop)), 40);
});
