// The playground of the tenant console: a visitor's answer, with what it rests on.
import assert from "node:assert/strict";
import { test } from "node:test";

import { seriousFindings } from "../support/accessibility.mjs";
import { page, show, world } from "../support/console.mjs";

async function open(username = "hanna") {
  await show(username, `chatbots/${world.chatbot("platform-help").id}/playground`);
  await page.getByRole("textbox", { name: "Question" }).waitFor();
}

async function ask(question) {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "Passages found" }).waitFor();
}

test("an answer stands there with its sources, and with every passage and its relevance", async () => {
  await open();
  await ask("How do I put the chatbot on my site?");
  await page.getByText("From the documents").waitFor();
  await page.getByRole("heading", { name: "Sources shown to visitors" }).waitFor();
  assert.ok((await page.getByText(/^Relevance 0\.\d\d$/).count()) > 1);
  await page.getByText(/^Search \d+ ms, answer \d+ ms$/).waitFor();
});

test("a question without an answer shows what was not relevant enough", async () => {
  await open();
  await ask("Who painted the Mona Lisa?");
  await page.getByText("Fallback message", { exact: true }).waitFor();
  await page.getByText("Not relevant enough").first().waitFor();
});

test("an empty question is told at its field", async () => {
  await open();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Must not be empty.").waitFor();
});

test("a viewer may try the chatbot out, too, with a suggested question", async () => {
  await open("henry");
  await page.getByRole("group", { name: "Suggested questions" }).getByRole("button").first().click();
  await page.getByRole("heading", { name: "Passages found" }).waitFor();
});

test("an answer stands under the question that was asked, whatever is pressed meanwhile", async () => {
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

test("axe finds nothing serious in the playground, and a phone does not scroll it sideways", async () => {
  await open();
  await ask("How do I put the chatbot on my site?");
  assert.deepEqual(await seriousFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
