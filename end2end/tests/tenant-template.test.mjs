// The comparison of a chatbot with its template in the tenant console, and taking changes over field by field.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const TEMPLATES = "/api/v1/operator/templates";
const CHATBOTS = "/api/v1/tenants/me/chatbots";

/** A template, a chatbot made from it, and then a change of both: the greeting by both sides, the rest by the template. */
async function movedOn(id) {
  const content = { name: "Knots", welcome_message: "Ask about ropes.", fallback_message: "No idea." };
  await call("olivia", "POST", TEMPLATES, { id, language: "en", ...content, suggested_questions: ["Which knot?"] });
  const chatbot = await call("hanna", "POST", CHATBOTS, { slug: id, name: "Knots", template_id: id });
  await call("hanna", "PATCH", `${CHATBOTS}/${chatbot.id}`, { welcome_message: "Ask our crew." });
  const change = { welcome_message: "Ask about ropes and sails.", fallback_message: "I found nothing." };
  await call("olivia", "PATCH", `${TEMPLATES}/${id}`, { ...change, suggested_questions: ["Which knot?", "Which sail?"] });
  return chatbot;
}

async function open({ id }, username = "hanna", options = {}) {
  await show(username, `chatbots/${id}/settings/template`, options);
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  return page;
}

const card = (name) => page.locator("section.ui-card").filter({ has: page.getByRole("heading", { level: 2, name, exact: true }) });

test("a field that both sides changed is shown as a conflict", async () => {
  await open(await movedOn("knots-conflict"));
  const greeting = card("Welcome message");
  await greeting.getByText("Changed by you and in the template").waitFor();
  const sides = [];
  for (const name of ["Previous template", "Updated template", "This chatbot"]) {
    sides.push(await greeting.getByRole("group", { name }).innerText());
  }
  assert.deepEqual(sides, ["Ask about ropes.", "Ask about ropes and sails.", "Ask our crew."]);
});

test("the list of chatbots names a pending update of the template", async () => {
  const chatbot = await movedOn("knots-listed");
  await show("hanna", "chatbots?q=knots-listed");
  const row = () => page.getByRole("row").filter({ hasText: "knots-listed" });
  await row().getByRole("link", { name: "Template update" }).click();
  await page.waitForURL(new RegExp(`${chatbot.id}/settings/template`));
  await page.getByRole("button", { name: "Update chatbot" }).click();
  await page.getByText("Up to date", { exact: true }).waitFor();
  await show("hanna", "chatbots?q=knots-listed");
  await row().waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await row().getByRole("link", { name: "Template update" }).count(), 0);
});

test("additions of the template are marked", async () => {
  await open(await movedOn("knots-marks"));
  const marked = card("Suggested questions").getByRole("group", { name: "Updated template" }).locator("ins");
  await eventuallyEqual(() => marked.allInnerTexts(), ["Which sail?"]);
});

test("taking over safe changes keeps own texts and is audited", async () => {
  const chatbot = await movedOn("knots-harmless");
  await open(chatbot);
  await page.getByText("2 of 3 changes will be applied.").waitFor();
  await page.getByRole("button", { name: "Update chatbot" }).click();
  await page.getByText("Up to date", { exact: true }).waitFor();
  const now = await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`);
  assert.deepEqual([now.welcome_message, now.fallback_message, now.template_version], ["Ask our crew.", "I found nothing.", 2]);
  const log = await call("olivia", "GET", `/api/v1/platform/audit?chatbot_id=${chatbot.id}&action=chatbot.updated`);
  assert.equal(log.items[0].details.after.fallback_message, "I found nothing.");
});

test("replacing customised texts asks first", async () => {
  const chatbot = await movedOn("knots-replace");
  await open(chatbot);
  await card("Welcome message").getByRole("radio", { name: /^Use template/ }).check({ force: true });
  await page.getByRole("button", { name: "Update chatbot" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Welcome message").waitFor();
  await dialog.getByRole("button", { name: "Replace and update" }).click();
  await page.getByText("Up to date", { exact: true }).waitFor();
  assert.equal((await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`)).welcome_message, "Ask about ropes and sails.");
});

test("a template that changed meanwhile is compared again", async () => {
  const chatbot = await movedOn("knots-again");
  await open(chatbot);
  await page.getByText("2 of 3 changes will be applied.").waitFor();
  await call("olivia", "PATCH", `${TEMPLATES}/knots-again`, { fallback_message: "Nothing there." });
  await page.getByRole("button", { name: "Update chatbot" }).click();
  await page.getByText("The template was updated again").waitFor();
  await card("Fallback message").getByText("Nothing there.").waitFor();
  assert.equal((await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`)).fallback_message, "No idea.");
});

test("a chatbot without a template says so", async () => {
  const chatbot = await call("hanna", "POST", CHATBOTS, { slug: "from-nothing", name: "From nothing" });
  await show("hanna", `chatbots/${chatbot.id}/settings/template`);
  await page.getByText("No template", { exact: true }).waitFor();
});

test("a viewer sees the comparison read-only", async () => {
  await open(await movedOn("knots-viewer"), "henry");
  await page.getByText("View-only access").waitFor();
  assert.equal(await page.getByRole("main").getByRole("radio").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Update chatbot" }).count(), 0);
});

test("a chatbot that is up to date passes axe", async () => {
  await open(await movedOn("knots-current"));
  await page.getByRole("button", { name: "Update chatbot" }).click();
  await page.getByText("Up to date", { exact: true }).waitFor();
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("the comparison passes axe and fits a phone", async () => {
  await open(await movedOn("knots-axe"));
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await settledWidth(page), 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
