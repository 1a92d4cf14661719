// Copies of chatbots, their reactivation, and their deletion for good, in the tenant console.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { call, page, show, world } from "../support/console.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";
// Distinguishes the chatbots of this run from those of an earlier one in the same world.
const RUN = Date.now().toString(36);

const make = (slug, name) => call("hanna", "POST", CHATBOTS, { slug: `${slug}-${RUN}`, name, welcome_message: "Ahoy!" });

async function open({ id }, username = "hanna") {
  await show(username, `chatbots/${id}/settings`);
  await page.getByLabel("Welcome message").waitFor();
}

test("a chatbot is duplicated under a name and a slug of its own", async () => {
  const chatbot = await make("harbour", "Harbour guide");
  await call("hanna", "POST", `${CHATBOTS}/${chatbot.id}/faq`, { question: "Where is the harbour?", answer: "In the north." });
  await open(chatbot);
  await page.getByRole("button", { name: "Duplicate" }).click();
  const dialog = page.getByRole("dialog", { name: "Duplicate chatbot" });
  const [name, slug] = [dialog.getByLabel("Name", { exact: true }), dialog.getByLabel("Slug")];
  assert.deepEqual([await name.inputValue(), await slug.inputValue()], ["Harbour guide copy", "harbour-guide-copy"]);
  assert.deepEqual(await accessibilityFindings(page), []);
  await slug.fill(chatbot.slug);
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await dialog.getByText("This slug is already taken.").waitFor();
  await name.fill("Pier guide");
  await slug.fill(`pier-${RUN}`);
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await page.getByText("“Pier guide” created.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Pier guide" }).waitFor();
  const copy = await call("hanna", "GET", page.url().replace(/^.*\/chatbots/, CHATBOTS));
  assert.deepEqual([copy.slug, copy.welcome_message], [`pier-${RUN}`, "Ahoy!"]);
  const own = await call("hanna", "GET", `${CHATBOTS}/${copy.id}/faq`);
  assert.deepEqual(own.items.map((entry) => entry.question), ["Where is the harbour?"]);
});

test("a deactivated chatbot is reactivated", async () => {
  const chatbot = await make("wharf", "Wharf guide");
  await call("hanna", "DELETE", `${CHATBOTS}/${chatbot.id}`);
  await open(chatbot);
  await page.getByText("This chatbot is deactivated").waitFor();
  await page.getByRole("button", { name: "Reactivate" }).click();
  await page.getByText("“Wharf guide” is active again.").waitFor();
  await page.getByText("This chatbot is deactivated").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Deactivate" }).waitFor();
  assert.equal((await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`)).status, "active");
});

test("a deactivated chatbot is deleted once its name is typed", async () => {
  const chatbot = await make("jetty", "Jetty guide");
  await open(chatbot);
  assert.equal(await page.getByRole("button", { name: "Delete for good" }).count(), 0);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("button", { name: "Delete for good" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Jetty guide” for good?" });
  const confirm = dialog.getByRole("button", { name: "Delete for good" });
  await dialog.getByText("all conversations and feedback").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("textbox").fill(chatbot.slug);
  assert.ok(await confirm.isDisabled());
  await dialog.getByRole("textbox").fill("Jetty guide");
  await confirm.click();
  await page.getByText("“Jetty guide” deleted for good.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Chatbots" }).waitFor();
  const gone = await world.call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`);
  assert.equal(gone.status, 404);
  await show("hanna", `chatbots/${chatbot.id}`);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
});

test("a viewer neither duplicates nor deletes a chatbot", async () => {
  const chatbot = await make("mole", "Mole guide");
  await world.call("hanna", "DELETE", `${CHATBOTS}/${chatbot.id}`);
  await open(chatbot, "henry");
  for (const name of ["Duplicate", "Delete for good"]) {
    assert.equal(await page.getByRole("button", { name }).count(), 0);
  }
});
