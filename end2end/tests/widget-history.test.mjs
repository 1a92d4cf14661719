// A returning visitor sees the earlier conversation, however long it is.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, reply, SESSION, TOKEN } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const EXCHANGES = 30;

let platform, site, browser, page, chat;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  site = await HostSite.start({ "/": { html: hostPage({ body: snippet(platform.origin, CHATBOT) }) } });
});

beforeEach(async () => {
  platform.reset();
  page = await openPage(browser);
  chat = new Chat(page);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

/** One message of an earlier visit. */
function message(role, content, more = {}) {
  const { message_id, sources, citations, filtered } = reply(content);
  return { message_id, role, content, sources, citations, filtered, created_at: "2026-11-21T10:00:00Z", ...more };
}

/** Opens the page with the session of an earlier visit, whose token the browser still has for the session `known`. */
async function comeBack(messages, known = SESSION) {
  platform.messages = messages;
  const cookies = { svc_sid_b7d4f1a2: SESSION };
  if (known) cookies.svc_token_b7d4f1a2 = `${known}.${TOKEN}`;
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: site.origin })));
  await page.goto(site.origin);
}

const conversation = () =>
  Array.from({ length: EXCHANGES }, (_, at) => [message("user", `Question ${at}`), message("assistant", `Answer ${at}\n\nwith a second line`)]).flat();

test("a long conversation is restored at its last question", async () => {
  await comeBack(conversation());
  await chat.open();
  await chat.log.getByText("Question 0", { exact: true }).waitFor();
  const said = await chat.log.locator(".svc-message .svc-bubble").evaluateAll((all) => all.map((bubble) => bubble.firstChild.textContent));
  const expected = Array.from({ length: EXCHANGES }, (_, at) => [`Question ${at}`, `Answer ${at}`]).flat();
  assert.deepEqual(said.slice(1), expected, "after the welcome");
  const [log, last] = await Promise.all([chat.log.boundingBox(), chat.log.getByText(`Question ${EXCHANGES - 1}`).boundingBox()]);
  assert.ok(last.y > log.y && last.y + last.height < log.y + log.height, JSON.stringify({ log, last }));
});

test("the token goes in the header that needs no preflight", async () => {
  let asked = 0;
  page.on("request", (request) => (asked += request.method() === "OPTIONS" && request.url().endsWith("/messages")));
  await comeBack([message("user", "How long?"), message("assistant", "Three days.")]);
  await chat.open();
  await chat.log.getByText("Three days.").waitFor();
  const [{ path, headers }] = platform.requests.filter((request) => request.path.endsWith("/messages"));
  assert.equal(headers.accept, `application/json;session_token=${TOKEN}`);
  assert.ok(!path.includes(TOKEN) && asked === 0);
  assert.ok(platform.urls.every((url) => !url.includes(TOKEN)), "no address has it");
  await chat.ask("And now?", 2);
  assert.equal(platform.bodies("/query")[0].session_token, TOKEN);
});

for (const [what, known] of [["no token", null], ["the token of another session", "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6b"]]) {
  test(`a session with ${what} goes on without its history`, async () => {
    await comeBack([message("user", "How long?"), message("assistant", "Three days.")], known);
    await chat.open();
    // From before sessions had tokens: the next reply has one.
    await chat.ask("And now?");
    const [{ session_id, session_token }] = platform.bodies("/query");
    assert.deepEqual([session_id, session_token], [SESSION, undefined]);
    assert.deepEqual(platform.bodies("/messages"), [], "nothing is asked that would be refused");
    await eventuallyEqual(() => chat.tokens(), [`${SESSION}.${TOKEN}`]);
    await chat.ask("And then?", 2);
    assert.equal(platform.bodies("/query")[1].session_token, TOKEN);
  });
}

test("a new conversation drops the token with the session", async () => {
  await comeBack([message("user", "How long?"), message("assistant", "Three days.")]);
  await chat.open();
  await chat.log.getByText("Three days.").waitFor();
  await chat.panel.getByRole("button", { name: "New conversation" }).click();
  await eventuallyEqual(async () => [await chat.cookies(), await chat.tokens()], [[], []]);
});

test("an ended session is dropped with its token", async () => {
  platform.onHistory = (exchange) => exchange.json({ detail: "session_not_found" }, 404);
  await comeBack([]);
  await chat.open();
  await eventuallyEqual(async () => [await chat.cookies(), await chat.tokens()], [[], []]);
});

test("a restored conversation is not announced, new answers are", async () => {
  await comeBack(conversation());
  await chat.open();
  await chat.log.getByText("Question 0", { exact: true }).waitFor();
  await eventuallyEqual(() => chat.log.getAttribute("aria-live"), null);
  await chat.ask("And now?", EXCHANGES + 1);
  assert.equal(await chat.log.getAttribute("aria-live"), null);
});

test("a restored conversation shows the last rating", async () => {
  await comeBack([message("user", "How long?"), message("assistant", "Three days.", { rating: "down" }), message("user", "And now?"), message("assistant", "Four.")]);
  await chat.open();
  const pressed = () => chat.answers.evaluateAll((all) => all.map((answer) => answer.querySelector("[data-act][aria-pressed=true]")?.dataset.act ?? null));
  await eventuallyEqual(pressed, ["down", null]);
});

test("an answer that the visitor repeats as a question is restored", async () => {
  await comeBack([message("user", "Hello"), message("assistant", "Good day!"), message("user", "Good day!"), message("assistant", "How can I help?")]);
  await chat.open();
  await chat.log.getByText("Hello", { exact: true }).waitFor();
  assert.equal(await chat.answers.count(), 2);
});

test("a refused history is loaded when the panel opens again", async () => {
  for (const status of [429, 503]) {
    platform.onHistory = (exchange) => exchange.json({ detail: "no" }, status);
    await comeBack([message("user", "How long?"), message("assistant", "Three days.")]);
    const refused = page.waitForResponse((response) => response.url().endsWith("/messages") && response.status() === status);
    await chat.open();
    await refused;
    platform.onHistory = (exchange) => exchange.json({ session_id: SESSION, messages: platform.messages });
    // The widget reads the refusal a moment later, and until then takes the history as on its way.
    await eventuallyEqual(async () => {
      await page.keyboard.press("Escape");
      await chat.panel.waitFor({ state: "hidden" });
      await chat.open();
      return chat.log.getByText("Three days.").count();
    }, 1);
  }
});

/** Lets the history fail after `exchange`, and checks that the widget does not request it again. */
async function failHistoryAfter(exchange) {
  const asked = deferred();
  platform.onHistory = asked.resolve;
  await page.clock.install();
  await comeBack([message("user", "How long?"), message("assistant", "Three days.")]);
  await chat.open();
  const history = await asked.promise;
  await exchange();
  const read = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/messages"));
  history.response.writeHead(200, { "content-type": "application/json" }).end("{");
  await read;
  // Long enough for the first check whether the platform is reachable.
  for (let second = 0; second < 5; second++) await page.clock.fastForward(1_000);
  platform.onQuery = (exchange) => exchange.json(reply("It ends."));
  await chat.send("And then?");
  await chat.log.getByText("It ends.").waitFor();
  const requested = platform.requests.map(({ path }) => path.split("/").at(-1));
  assert.deepEqual(requested.filter((name) => ["messages", "live"].includes(name)), ["messages"]);
}

test("a history that fails after an answer is not requested again", () => failHistoryAfter(() => chat.ask("And now?")));

test("a history that fails after a stop is not requested again", () =>
  failHistoryAfter(async () => {
    platform.onQuery = (exchange) => exchange.begin().token("The first words");
    await chat.send("And now?");
    await chat.log.getByText("The first words").waitFor();
    await chat.panel.getByRole("button", { name: "Stop" }).click();
    await chat.log.getByText("Stopped.").waitFor();
  }));

test("a new conversation ignores a history that is still loading", async () => {
  await comeBack(conversation());
  await page.locator("svc-chat textarea").waitFor({ state: "attached" });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await chat.launcher.focus();
  await page.keyboard.press("Enter");
  // The last steps of the widget's start may still be to come.
  await chat.stepUntil(chat.panel);
  // Opening has a step before the request; each exchange is a step, too.
  await chat.stepUntil(chat.log.getByText(`Question ${EXCHANGES - 1}`));
  await chat.panel.getByRole("button", { name: "New conversation" }).click();
  await page.clock.runFor(3_000);
  await eventuallyEqual(() => chat.log.locator(".svc-message").count(), 1);
  assert.deepEqual(await chat.cookies(), []);
});
