// The playground of the tenant console: a visitor's answer with its sources and passages.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";

async function open(username = "hanna") {
  await show(username, `chatbots/${world.chatbot("platform-help").id}/test`);
  await page.getByRole("textbox", { name: "Question" }).waitFor();
}

async function ask(question) {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "Passages found" }).waitFor();
}

test("an answer shows sources, passages and relevance", async () => {
  await open();
  await ask("How do I put the chatbot on my site?");
  await page.getByText("From the documents", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Sources shown to visitors" }).waitFor();
  assert.ok((await page.getByText(/^Relevance 0\.\d\d$/).count()) > 1);
  await page.getByText(/^Search \d+ ms, answer \d+ ms$/).waitFor();
});

test("German writes the relevance with a comma", async () => {
  await open();
  await ask("How do I put the chatbot on my site?");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByText(/ 0,\d\d$/).first().waitFor();
});

test("an unanswered question shows passages below the threshold", async () => {
  await open();
  await ask("Who painted the Mona Lisa?");
  await page.getByText("Fallback message", { exact: true }).waitFor();
  await page.getByText("Not used").first().waitFor();
});

test("small talk is not shown as a missing answer", async () => {
  await open();
  await page.getByRole("textbox", { name: "Question" }).fill("Thank you!");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Small talk", { exact: true }).waitFor();
  await page.getByText("The chatbot replies to small talk without a search.").waitFor();
  assert.equal(await page.getByText("Fallback message", { exact: true }).count(), 0);
  assert.equal(await page.getByRole("heading", { name: "Passages found" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Copy as evaluation question" }).count(), 0);
});

test("an empty question shows an error at its field", async () => {
  await open();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Must not be empty.").waitFor();
});

test("a viewer can use the playground with a suggested question", async () => {
  await open("henry");
  await page.getByRole("group", { name: "Suggested questions" }).getByRole("button").first().click();
  await page.getByRole("heading", { name: "Passages found" }).waitFor();
});

test("an answer is shown under its own question", async () => {
  await open();
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/playground", (route) => held.then(() => route.continue()), { times: 1 });
  const field = page.getByRole("textbox", { name: "Question" });
  await field.fill("Who painted the Mona Lisa?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("group", { name: "Suggested questions" }).getByRole("button").first().click();
  release();
  await page.getByText("“Who painted the Mona Lisa?”").waitFor();
  assert.equal(await field.inputValue(), "Who painted the Mona Lisa?");
});

test("a follow-up question is asked with the turns before it", async () => {
  await open();
  await ask("How do I put the chatbot on my site?");
  const sent = page.waitForRequest((request) => request.url().endsWith("/playground") && request.method() === "POST");
  await ask("And where do I allow it?");
  const { history } = (await sent).postDataJSON();
  assert.deepEqual(history.map(({ question }) => question), ["How do I put the chatbot on my site?"]);
  await page.getByRole("heading", { name: "Earlier in this conversation" }).waitFor();
  const earlier = page.getByRole("listitem").filter({ hasText: "How do I put the chatbot on my site?" });
  await earlier.first().waitFor();
  await page.getByText("“And where do I allow it?”").waitFor();
  await page.getByRole("button", { name: "New conversation" }).click();
  await page.getByRole("heading", { name: "Earlier in this conversation" }).waitFor({ state: "detached" });
  assert.equal(await page.getByRole("heading", { name: "Passages found" }).count(), 0);
  const field = page.getByRole("textbox", { name: "Question" });
  await eventuallyEqual(() => field.evaluate((input) => [input.value, input === document.activeElement]), ["", true]);
});

test("two variants are answered side by side", async () => {
  await open();
  await page.getByRole("switch", { name: "Compare with other settings" }).check();
  await page.getByLabel("How sure the chatbot must be").selectOption("strict");
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/playground") && bodies.push(request.postDataJSON()));
  await page.getByRole("textbox", { name: "Question", exact: true }).fill("How do I put the chatbot on my site?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "As visitors get it" }).waitFor();
  await page.getByRole("heading", { name: "With other settings" }).waitFor();
  const variants = bodies.map(({ variant }) => variant?.strictness ?? null);
  assert.deepEqual(variants, [null, "strict"]);
  assert.equal(await page.getByText("“How do I put the chatbot on my site?”").count(), 2);
});

test("the copied line is one that server eval reads", async () => {
  await open();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const first = "How do I put the chatbot on my site?";
  await ask(first);
  await ask("And where do I allow it?");
  await page.getByText("“And where do I allow it?”").waitFor();
  await page.getByRole("button", { name: "Copy as evaluation question" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await eventuallyEqual(async () => (await copied()).startsWith("{"), true);
  const line = await copied();
  assert.equal(line.trim().split("\n").length, 1);
  const { question, history, ...rest } = JSON.parse(line);
  assert.deepEqual([question, history], ["And where do I allow it?", [first]]);
  const readable = ["kind", "document", "passage", "words", "half"];
  assert.deepEqual(Object.keys(rest).filter((key) => !readable.includes(key)), []);
});

test("the playground passes axe and fits a phone", async () => {
  await open();
  await ask("How do I put the chatbot on my site?");
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await settledWidth(page), 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
