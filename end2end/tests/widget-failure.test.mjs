// Failures between a visitor and the platform, and how the widget handles them.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, reply, SESSION } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const OTHER = "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6b";

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

async function visit() {
  await page.goto(site.origin);
  await chat.open();
}

const notice = (text) => chat.panel.getByRole("alert").getByText(text);

/** After a fault: the question is in the input, and nowhere else. */
async function questionIsKept() {
  await eventuallyEqual(async () => [await chat.input.inputValue(), await chat.log.getByText("Hello?").count()], ["Hello?", 0]);
}

for (const [status, detail, words] of [
  [403, "origin_not_allowed", "isn't available here"],
  [422, "validation_error", "Couldn't send this question"],
  [429, "rate_limited", "try again in a moment"],
  [500, "internal_error", "went wrong on our side"],
  [503, "generator_unavailable", "went wrong on our side"],
]) {
  test(`${status} ${detail} shows a notice, keeps the question`, async () => {
    platform.onQuery = (exchange) => exchange.json({ detail }, status);
    await visit();
    await chat.send("Hello?");
    await notice(words).waitFor();
    await questionIsKept();
    assert.equal(platform.bodies("/query").length, 1);
  });
}

test("an invalid JSON answer shows a notice, keeps the question", async () => {
  platform.onQuery = ({ response }) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  await visit();
  await chat.send("Hello?");
  await notice("went wrong on our side").waitFor();
  await questionIsKept();
});

/** A platform that answers 429, and a visitor whose clock is stopped. */
async function limited(retry_after_seconds) {
  platform.onQuery = (exchange) => exchange.json({ detail: "rate_limited", retry_after_seconds }, 429);
  await visit();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await chat.send("Hello?");
  await chat.stepUntil(notice("Too many questions"));
}

const again = (name, options) => chat.panel.getByRole("button", { name, exact: true, ...options });

test("after a 429 the question is sent again automatically", async () => {
  await limited(7);
  await again("Try again in 7 s", { disabled: true }).waitFor();
  await questionIsKept();
  await page.clock.runFor(3_000);
  await again("Try again in 4 s", { disabled: true }).waitFor();
  platform.onQuery = (exchange) => exchange.json(reply("Good day."));
  await page.clock.runFor(5_000);
  await page.clock.resume();
  await chat.answers.first().waitFor();
  await eventuallyEqual(async () => [await chat.log.getByText("Hello?").count(), platform.bodies("/query").length], [1, 2]);
  await eventuallyEqual(() => chat.input.inputValue(), "");
});

test("a question refused twice waits for the visitor", async () => {
  await limited(2);
  await page.clock.resume();
  await eventuallyEqual(() => platform.bodies("/query").length, 2);
  await again("Try again", { disabled: false }).waitFor();
  await questionIsKept();
  assert.equal(platform.bodies("/query").length, 2);
  platform.onQuery = (exchange) => exchange.json(reply("Good day."));
  await again("Try again").click();
  await chat.answers.first().waitFor();
});

test("a question edited during the wait is not sent automatically", async () => {
  await limited(2);
  await chat.input.fill("Something else?");
  await page.clock.runFor(3_000);
  await again("Try again", { disabled: false }).waitFor();
  assert.deepEqual(platform.bodies("/query").map(({ question }) => question), ["Hello?"]);
});

test("an unknown session is dropped and the question retried", async () => {
  await visit();
  await chat.ask("First");
  platform.onQuery = (exchange) =>
    exchange.body.session_id
      ? exchange.json({ detail: "session_not_found" }, 404)
      : exchange.json(reply("Good day.", { session_id: OTHER }));
  await chat.ask("Hello?", 2);
  assert.deepEqual(platform.bodies("/query").map(({ session_id }) => session_id), [null, SESSION, null]);
  await eventuallyEqual(async () => (await chat.cookies()).map(({ value }) => value), [OTHER]);
  await eventuallyEqual(() => chat.log.getByText("Hello?").count(), 1);
});

test("an unknown session is retried only once", async () => {
  platform.onQuery = (exchange) => exchange.json({ detail: "session_not_found" }, 404);
  await visit();
  await chat.send("Hello?");
  await notice("went wrong on our side").waitFor();
  await questionIsKept();
  assert.equal(platform.bodies("/query").length, 2);
});

test("a connection lost before the answer is retried once", async () => {
  const second = deferred();
  platform.onQuery = (exchange) => {
    platform.onQuery = second.resolve;
    exchange.cut();
  };
  await visit();
  await chat.send("Hello?");
  (await second.promise).json(reply("Good day."));
  await chat.answers.first().waitFor();
  await eventuallyEqual(async () => [await chat.log.getByText("Hello?").count(), platform.bodies("/query").length], [1, 2]);
});

test("an unreachable platform is polled until it is back", async () => {
  await visit();
  platform.isDown = true;
  await chat.send("Hello?");
  await notice("Can't reach the chat").waitFor();
  await questionIsKept();
  platform.isDown = false;
  await notice("Connected again.").waitFor();
  assert.ok(platform.requests.some(({ path }) => path === "/health/live"));
  await chat.panel.getByRole("button", { name: "Try again" }).click();
  await chat.answers.first().waitFor();
});

test("a proxy that answers for the platform does not count", async () => {
  await visit();
  platform.isBehindProxy = true;
  await page.clock.install();
  await chat.send("Hello?");
  await notice("Can't reach the chat").waitFor();
  const probes = () => platform.urls.filter((url) => url.startsWith("/health/live")).length;
  const before = probes();
  // Long enough for several polls, of which each waits for the one before.
  for (let second = 0; second < 60 && probes() < before + 3; second++) {
    await page.clock.fastForward(1_000);
    await new Promise((resume) => setTimeout(resume, 50));
  }
  assert.ok(probes() >= before + 3, `${probes() - before} polls`);
  await notice("Can't reach the chat").waitFor();
  await questionIsKept();
  platform.isBehindProxy = false;
  await page.clock.fastForward(60_000);
  await notice("Connected again.").waitFor();
  assert.ok(platform.urls.includes(`/health/live?chatbot=${CHATBOT}`), "with the chatbot, whose tenant's page may read it");
  await chat.panel.getByRole("button", { name: "Try again" }).click();
  await chat.answers.first().waitFor();
});

test("the launcher stays while a proxy answers, and recovers", async () => {
  platform.isBehindProxy = true;
  await visit();
  await notice("Can't reach the chat").waitFor();
  platform.isBehindProxy = false;
  await chat.log.getByText("Hello! What would you like to know?").waitFor();
  await chat.ask("Hello?");
});

test("the launcher recovers from a platform that was down", async () => {
  const { onConfig, onHealth } = platform;
  platform.onConfig = platform.onHealth = (exchange) => exchange.cut();
  await visit();
  await notice("Can't reach the chat").waitFor();
  Object.assign(platform, { onConfig, onHealth });
  await chat.log.getByText("Hello! What would you like to know?").waitFor();
  await eventuallyEqual(() => chat.panel.getByRole("alert").innerText(), "");
});

test("an offline visitor sees a notice and can continue later", async () => {
  await visit();
  await page.context().setOffline(true);
  await chat.send("Hello?");
  await notice("You're offline").waitFor();
  await questionIsKept();
  await page.context().setOffline(false);
  await notice("Connected again.").waitFor();
  await chat.input.press("Enter");
  await chat.answers.first().waitFor();
});

test("a slow answer shows a notice while waiting", async () => {
  const exchange = deferred();
  platform.onQuery = exchange.resolve;
  await page.clock.install();
  await visit();
  await chat.send("Hello?");
  await exchange.promise;
  await page.clock.fastForward(8_500);
  await chat.log.getByText("This is taking longer").waitFor();
  (await exchange.promise).json(reply("Good day."));
  await chat.answers.first().waitFor();
  assert.equal(await chat.log.getByText("This is taking longer").count(), 0);
});

test("a slow answer still shows its place in the queue", async () => {
  const exchange = deferred();
  platform.onQuery = exchange.resolve;
  await page.clock.install();
  await visit();
  await chat.send("Hello?");
  const waiting = (await exchange.promise).begin().say("waiting", { position: 3 });
  await chat.log.getByText("Your place in the queue: 3").waitFor();
  await page.clock.fastForward(8_500);
  await chat.log.getByText("Your place in the queue: 3").waitFor();
  waiting.say("waiting", { position: 2 });
  await chat.log.getByText("Your place in the queue: 2").waitFor();
});

test("a missing answer times out and keeps the question", async () => {
  const exchange = deferred();
  platform.onQuery = exchange.resolve;
  // Otherwise the notice gives way to "Connected again." after two seconds.
  platform.onHealth = (exchange) => exchange.cut();
  await page.clock.install();
  await visit();
  await chat.send("Hello?");
  await exchange.promise;
  await page.clock.fastForward(91_000);
  await notice("Can't reach the chat").waitFor();
  await questionIsKept();
});

test("an answer in a closed panel marks the launcher", async () => {
  const exchange = deferred();
  platform.onQuery = exchange.resolve;
  await visit();
  await chat.send("Hello?");
  await page.keyboard.press("Escape");
  (await exchange.promise).begin().done("Good day.");
  const marked = page.getByRole("button", { name: "Open chat, new answer" });
  await marked.click();
  await chat.answers.first().waitFor();
  await marked.waitFor({ state: "detached" });
});

test("a new conversation drops session, cookie and messages", async () => {
  await visit();
  await chat.ask("First");
  await chat.panel.getByRole("button", { name: "New conversation" }).click();
  await chat.panel.getByRole("button", { name: "Do you ship to Norway?" }).waitFor();
  await eventuallyEqual(async () => [await chat.answers.count(), await chat.cookies()], [0, []]);
  await chat.ask("Second");
  assert.deepEqual(platform.bodies("/query").map(({ session_id }) => session_id), [null, null]);
});

test("a suggested question is sent by one click", async () => {
  await visit();
  await chat.panel.getByRole("button", { name: "Do you ship to Norway?" }).click();
  await chat.answers.first().waitFor();
  assert.equal(platform.bodies("/query")[0].question, "Do you ship to Norway?");
  await chat.panel.getByRole("list", { name: "Suggested questions" }).waitFor({ state: "hidden" });
});

test("a question that was stored twice is shown once", async () => {
  await visit();
  await chat.ask("First");
  const message = (role, content, number) => ({ ...reply(content), role, content, created_at: "2026-11-21T10:00:00Z", number });
  platform.messages = [message("user", "Hello?"), message("user", "Hello?"), message("assistant", "Good day.")];
  await page.reload();
  await chat.open();
  await chat.answers.first().waitFor();
  await eventuallyEqual(() => chat.log.getByText("Hello?").count(), 1);
});
