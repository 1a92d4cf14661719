// Rating and copying an answer, and pages of the older deployment, which name no chatbot.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, reply, SESSION } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const OTHER_SESSION = "0197d2c4-5f0e-7c11-9a3b-000000000001";
const ANSWER = reply("Three days, **usually**.");

let platform, site, browser, page, chat;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  const legacy = `<script src="${platform.origin}/static/widget/chat-widget.min.js" data-api-base="${platform.origin}/api/v1" async></script>`;
  site = await HostSite.start({
    "/": { html: hostPage({ body: snippet(platform.origin, CHATBOT) }) },
    "/legacy": { html: hostPage({ body: legacy }) },
  });
});

beforeEach(async () => {
  platform.reset();
  platform.onQuery = (exchange) => exchange.begin().done(ANSWER);
  page = await openPage(browser);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

async function askOn(path = "/") {
  await page.goto(site.origin + path);
  chat = new Chat(page);
  await chat.open();
  await chat.ask("How long does it take?");
}

const answer = (name, options) => chat.answers.last().getByRole("button", { name, exact: true, ...options });

test("a thumb up is sent at once and stays pressed", async () => {
  await askOn();
  await answer("Helpful").click();
  await answer("Helpful", { pressed: true }).waitFor();
  await chat.log.getByText("Thank you!").waitFor();
  assert.deepEqual(platform.bodies("/api/v1/feedback"), [
    { chatbot_id: CHATBOT, session_id: SESSION, message_id: ANSWER.message_id, rating: "up" },
  ]);
});

test("a thumb down sends reason and comment once", async () => {
  await askOn();
  await answer("Not helpful").click();
  await answer("Outdated").click();
  await answer("Incomplete").click();
  await chat.answers.last().getByLabel("Comment (optional)").fill("Nothing about Norway.");
  assert.deepEqual(platform.bodies("/feedback"), [], "nothing is sent before the visitor says so");
  await answer("Send feedback").click();
  await answer("Not helpful", { pressed: true }).waitFor();
  assert.deepEqual(platform.bodies("/api/v1/feedback"), [
    {
      chatbot_id: CHATBOT,
      session_id: SESSION,
      message_id: ANSWER.message_id,
      rating: "down",
      category: "incomplete",
      comment: "Nothing about Norway.",
    },
  ]);
});

test("every reason can be chosen and cleared", async () => {
  await askOn();
  await answer("Not helpful").click();
  const reasons = chat.answers.last().locator("[data-reason]");
  const offered = () => reasons.evaluateAll((all) => all.map((reason) => reason.dataset.reason));
  await eventuallyEqual(offered, ["incorrect", "incomplete", "irrelevant", "outdated", "tone", "other"]);
  await answer("Tone").click();
  await answer("Tone", { pressed: true }).click();
  await answer("Send feedback").click();
  await answer("Not helpful", { pressed: true }).waitFor();
  assert.equal(platform.bodies("/feedback")[0].category, undefined);
});

test("a thumb can be changed", async () => {
  await askOn();
  await answer("Helpful").click();
  await answer("Helpful", { pressed: true }).waitFor();
  await answer("Not helpful").click();
  await answer("Send feedback").click();
  await answer("Not helpful", { pressed: true }).waitFor();
  await answer("Helpful", { pressed: false }).waitFor();
  assert.deepEqual(platform.bodies("/feedback").map(({ rating }) => rating), ["up", "down"]);
});

test("repeated clicks send a rating once", async () => {
  await askOn();
  const waiting = [];
  platform.onFeedback = (exchange) => waiting.push(exchange);
  const settle = () => waiting.splice(0).forEach((exchange) => exchange.json({ id: SESSION }, 201));
  await answer("Helpful").dblclick();
  await eventuallyEqual(() => waiting.length, 1);
  settle();
  await answer("Helpful", { pressed: true }).click();
  await answer("Not helpful").click();
  await answer("Send feedback").dblclick();
  await eventuallyEqual(() => waiting.length, 1);
  settle();
  await answer("Not helpful", { pressed: true }).waitFor();
  assert.deepEqual(platform.bodies("/feedback").map(({ rating }) => rating), ["up", "down"]);
});

test("failed feedback shows a notice and keeps the form", async () => {
  await askOn();
  platform.onFeedback = (exchange) => exchange.json({ detail: "service_unavailable" }, 503);
  await answer("Not helpful").click();
  await chat.answers.last().getByLabel("Comment (optional)").fill("Wrong.");
  await answer("Send feedback").click();
  await chat.log.getByText("Couldn't send.").waitFor();
  platform.onFeedback = (exchange) => exchange.json({ id: SESSION }, 201);
  await answer("Send feedback").click();
  await answer("Not helpful", { pressed: true }).waitFor();
  assert.deepEqual(platform.bodies("/feedback").map(({ comment }) => comment), ["Wrong.", "Wrong."]);
});

test("the feedback form works by keyboard and restores the focus", async () => {
  await askOn();
  await answer("Not helpful").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await answer("Incorrect", { pressed: true }).waitFor();
  for (let step = 0; step < 6; step++) await page.keyboard.press("Tab");
  await page.keyboard.type("No.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await answer("Not helpful", { pressed: true }).waitFor();
  await chat.log.locator("[data-act=down]:focus").waitFor();
  const { category, comment } = platform.bodies("/feedback")[0];
  assert.deepEqual([category, comment], ["incorrect", "No."]);
});

test("sent feedback leaves the focus in the next question", async () => {
  await askOn();
  const sent = deferred();
  platform.onFeedback = sent.resolve;
  await answer("Not helpful").click();
  await answer("Send feedback").click();
  const exchange = await sent.promise;
  await chat.input.click();
  exchange.json({ id: SESSION }, 201);
  await answer("Not helpful", { pressed: true }).waitFor();
  await page.keyboard.type("Norway?");
  assert.equal(await chat.input.inputValue(), "Norway?");
});

test("the form can be closed without sending anything", async () => {
  await askOn();
  await answer("Not helpful").click();
  await answer("Cancel").click();
  await chat.log.locator(".svc-feedback").waitFor({ state: "detached" });
  await eventuallyEqual(async () => [platform.bodies("/feedback").length, await answer("Not helpful", { pressed: false }).count()], [0, 1]);
});

test("an answer can be copied as it was written", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await askOn();
  await answer("Copy answer").click();
  await chat.log.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "Three days, **usually**.");
});

test("an answer of an earlier visit can be rated", async () => {
  await askOn();
  const created_at = "2026-11-21T10:00:00Z";
  platform.messages = [
    { ...ANSWER, role: "user", content: "How long does it take?", created_at, message_id: SESSION },
    { ...ANSWER, role: "assistant", content: ANSWER.answer, created_at },
  ];
  await page.reload();
  await chat.open();
  await answer("Helpful").click();
  await answer("Helpful", { pressed: true }).waitFor();
  assert.equal(platform.bodies("/feedback")[0].message_id, ANSWER.message_id);
});

/** Changes the session as another tab does that begins a new conversation. */
const beginElsewhere = () => page.evaluate((cookie) => (document.cookie = cookie), `svc_sid_b7d4f1a2=${OTHER_SESSION}; Path=/`);

test("a rating names the session of its answer", async () => {
  await askOn();
  await beginElsewhere();
  await answer("Helpful").click();
  await answer("Helpful", { pressed: true }).waitFor();
  assert.equal(platform.bodies("/feedback")[0].session_id, SESSION);
});

test("a rating of a restored answer names its session", async () => {
  await askOn();
  platform.messages = [{ ...ANSWER, role: "assistant", content: ANSWER.answer, created_at: "2026-11-21T10:00:00Z" }];
  await page.reload();
  await chat.open();
  await chat.answers.first().waitFor();
  await beginElsewhere();
  await answer("Helpful").click();
  await answer("Helpful", { pressed: true }).waitFor();
  assert.equal(platform.bodies("/feedback")[0].session_id, SESSION);
});

test("legacy mode works without a chatbot id and cookie", async () => {
  await askOn("/legacy");
  await answer("Helpful").click();
  await answer("Helpful", { pressed: true }).waitFor();
  await answer("Not helpful").click();
  await answer("Tone").click();
  await chat.answers.last().getByLabel("Comment (optional)").fill("Rude.");
  await answer("Send feedback").click();
  await answer("Not helpful", { pressed: true }).waitFor();
  const named = { session_id: SESSION, message_id: ANSWER.message_id };
  const bodies = platform.bodies("/api/feedback").map(({ session_token: _, ...body }) => body);
  assert.deepEqual(bodies, [
    { ...named, rating: 1 },
    { ...named, rating: -1, comment: "Rude." },
  ]);
  assert.deepEqual(await chat.cookies(), []);
});
