// A chatbot's settings in the tenant console, and the prompt about unsaved changes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";
// Distinguishes the chatbots of this run from those of an earlier one in the same world.
const RUN = Date.now().toString(36);

async function make(slug) {
  return call("hanna", "POST", CHATBOTS, { slug: `${slug}-${RUN}`, name: "Deckhand", welcome_message: "Ahoy!" });
}

async function open({ id }, username = "hanna") {
  await show(username, `chatbots/${id}/settings`);
  await page.getByLabel("Welcome message").waitFor();
}

test("settings are saved, the audit row has changed fields only", async () => {
  const chatbot = await make("settings-all");
  await open(chatbot);
  await page.getByLabel("Name", { exact: true }).fill("First mate");
  await page.getByLabel("Answer language").selectOption("de");
  await page.getByLabel("Description").fill("On board.");
  await page.getByLabel("System prompt").fill("Be brief.");
  await page.getByLabel("Welcome message").fill("Moin!");
  await page.getByLabel("Suggested questions").fill("Wohin?\n\nWann?\n");
  await page.getByLabel("Fallback message").fill("Keine Ahnung.");
  await page.getByText("7 unsaved changes").waitFor();
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Settings saved and live.").waitFor();
  await page.getByRole("heading", { level: 1, name: "First mate" }).waitFor();
  const { name, language, description, system_prompt, welcome_message, suggested_questions, fallback_message } =
    await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`);
  assert.deepEqual([name, language, description, system_prompt], ["First mate", "de", "On board.", "Be brief."]);
  assert.deepEqual([welcome_message, fallback_message, suggested_questions], ["Moin!", "Keine Ahnung.", ["Wohin?", "Wann?"]]);
  const log = await call("olivia", "GET", `/api/v1/platform/audit?chatbot_id=${chatbot.id}&action=chatbot.updated`);
  assert.equal(log.items.length, 1);
});

test("an invalid value shows an error at its field", async () => {
  await open(await make("settings-rule"));
  await page.getByLabel("Name", { exact: true }).fill(" ");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Must not be empty.").waitFor();
});

test("a link asks before it leaves unsaved changes", async () => {
  await open(await make("settings-leave"));
  await page.getByLabel("Welcome message").fill("Hello!");
  const away = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Modules" });
  await away.click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  await eventuallyEqual(() => page.getByLabel("Welcome message").inputValue(), "Hello!");
  await away.click();
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Modules" }).waitFor();
});

test("the back button asks before it leaves unsaved changes", async () => {
  const chatbot = await make("settings-back");
  await show("hanna", `chatbots/${chatbot.id}`);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Welcome message").fill("Hello!");
  await page.goBack();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.waitFor();
  assert.match(page.url(), /\/settings$/);
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { name: "Health" }).waitFor();
});

test("the back button keeps the query of an unsaved page", async () => {
  const chatbot = await make("settings-query");
  await show("hanna", `chatbots/${chatbot.id}`);
  const settings = page.getByRole("link", { name: "Settings", exact: true });
  await settings.evaluate((link) => {
    link.search = "?from=overview";
  });
  await settings.click();
  await page.getByLabel("Welcome message").fill("Hello!");
  await page.goBack();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  assert.match(page.url(), /\/settings\?from=overview$/);
});

test("a reply that two people changed is reported at its field", async () => {
  const chatbot = await make("settings-reply");
  await open(chatbot);
  const greeting = page.getByLabel("Reply to a greeting");
  await greeting.fill("Mine");
  await call("hanna", "PATCH", `${CHATBOTS}/${chatbot.id}`, { small_talk: { greeting: "Theirs" } });
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Someone else has changed this to “Theirs”").waitFor();
  assert.equal(await greeting.getAttribute("aria-invalid"), "true");
  assert.equal(await greeting.inputValue(), "Mine");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Settings saved and live.").waitFor();
  assert.equal((await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`)).small_talk.greeting, "Mine");
});

/** Ends the session for calls of `path`: others of the page may still be on their way, and would end it before the test does. */
async function endSession(path) {
  const refused = { status: 400, json: { error: "invalid_grant" }, headers: { "access-control-allow-origin": "*" } };
  await page.route("**/protocol/openid-connect/token", (route) => route.fulfill(refused));
  await page.route(path, (route) => route.fulfill({ status: 401, json: { detail: "not_authenticated" } }));
}

test("an ended session keeps unsaved input on its page", async () => {
  const chatbot = await make("settings-ended");
  await open(chatbot);
  const welcome = page.getByLabel("Welcome message");
  await welcome.fill("Half written");
  await endSession(`**${CHATBOTS}/${chatbot.id}`);
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  for (const answer of ["Cancel", "Sign in"]) {
    await page.getByRole("button", { name: "Save settings" }).click();
    await ended.waitFor();
    assert.deepEqual(await accessibilityFindings(page), []);
    assert.equal(await welcome.inputValue(), "Half written");
    await ended.getByRole("button", { name: answer }).click();
  }
  await page.getByText("Sign in again to pick up where you left off.").waitFor();
});

test("an ended session without unsaved input shows the sign-in", async () => {
  await open(await make("settings-over"));
  await endSession(/\/api\/v1\/tenants\/[^/]+\/modules(\?|$)/);
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Modules" }).click();
  await page.getByText("Sign in again to pick up where you left off.").waitFor();
});

test("a saved page is left without a prompt", async () => {
  await open(await make("settings-saved"));
  await page.getByLabel("Welcome message").fill("Hello!");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Settings saved and live.").waitFor();
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Modules" }).click();
  await page.getByRole("heading", { level: 1, name: "Modules" }).waitFor();
});

test("text typed while the settings are saved stays unsaved", async () => {
  const chatbot = await make("settings-typed");
  await open(chatbot);
  const fallback = page.getByLabel("Fallback message");
  await page.route(`**${CHATBOTS}/${chatbot.id}`, async (route) => {
    if (route.request().method() === "PATCH") await fallback.fill("Typed later");
    await route.continue();
  });
  await page.getByLabel("Welcome message").fill("Saved");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Settings saved and live.").waitFor();
  await page.getByText("1 unsaved change", { exact: true }).waitFor();
  assert.equal(await fallback.inputValue(), "Typed later");
});

test("deactivating shows no error if the chatbot fails to reload", async () => {
  const { id } = await make("settings-off");
  await open({ id });
  await page.getByRole("button", { name: "Deactivate" }).click();
  const failed = { status: 503, json: { detail: "service_unavailable" } };
  await page.route(`**${CHATBOTS}/${id}`, (route) => (route.request().method() === "GET" ? route.fulfill(failed) : route.continue()));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("This chatbot is deactivated").waitFor();
  assert.equal(await page.getByText(/The service can't be reached/).count(), 0);
  assert.equal((await call("hanna", "GET", `${CHATBOTS}/${id}`)).status, "deactivated");
});

test("a viewer sees read-only settings and, once, who may edit", async () => {
  await open(await make("settings-viewer"), "henry");
  await page.getByText("View-only access").waitFor();
  assert.equal(await page.getByText("Only administrators of your organisation").count(), 1);
  assert.equal(await page.getByRole("heading", { name: "Manage chatbot" }).count(), 0);
  assert.equal(await page.getByRole("main").locator(":is(input, textarea, select:not(.ui-select--small *)):enabled").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Save settings" }).count(), 0);
});

test("a chatbot's branding overrides the tenant's field by field", async () => {
  const chatbot = await make("branding-own");
  await show("hanna", `chatbots/${chatbot.id}/design`);
  const row = page.getByRole("table", { name: "Branding visitors see" }).getByRole("row", { name: /^Primary colour/ });
  assert.match(await row.innerText(), /organisation/);
  await page.getByLabel(/^Primary colour \(optional\)/).fill("#123456");
  await row.getByText("this chatbot", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved.").waitFor();
  const resolved = async () => (await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}/branding`)).resolved.primary_color;
  assert.equal(await resolved(), "#123456");
  await page.getByLabel(/^Primary colour \(optional\)/).fill("");
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("No changes").waitFor();
  assert.notEqual(await resolved(), "#123456");
});

test("the name's hint says when visitors see it", async () => {
  await open(await make("name-hint"));
  await page.getByText("Shown in the chat window unless the branding sets a title or display name.").waitFor();
});

test("no branding page logs a warning of the widget", async () => {
  const chatbot = await make("branding-quiet");
  for (const [username, path] of [
    ["hanna", `chatbots/${chatbot.id}/design`],
    ["hanna", "branding"],
    ["olivia", `tenants/${chatbot.tenant_id}/branding`],
  ]) {
    const warnings = [];
    const prepare = (page) => page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
    await show(username, path, { prepare });
    await page.frameLocator("iframe").getByText("Within 30 days").first().waitFor();
    assert.deepEqual(warnings.filter((text) => text.includes("[svc-chat]")), [], path);
  }
});

test("the preview is the real widget and takes no focus", async () => {
  const chatbot = await make("branding-live");
  await show("hanna", `chatbots/${chatbot.id}/design`);
  const asked = [];
  page.on("request", (request) => /\/(query|config)/.test(request.url()) && asked.push(request.url()));
  const widget = page.frameLocator("iframe");
  await widget.getByText("Within 30 days").first().waitFor();
  const title = page.getByLabel("Chat window title");
  await title.fill("Ask the deck");
  await widget.getByText("Ask the deck").first().waitFor();
  await widget.getByText("Within 30 days").first().waitFor();
  assert.ok(await title.evaluate((field) => field === document.activeElement));
  assert.deepEqual([asked, await page.evaluate(() => document.cookie)], [[], ""]);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("a logo is uploaded, re-encoded, shown and removed", async () => {
  const chatbot = await make("branding-logo");
  await show("hanna", `chatbots/${chatbot.id}/design`);
  const branding = async () => (await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}/branding`)).logo_url ?? null;
  const input = page.locator('input[type="file"][name="logo"]');
  await input.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await page.getByText("Choose a PNG, JPEG or WebP image.").waitFor();
  assert.equal(await branding(), null);
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } });
  await input.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: picture });
  const shown = page.getByRole("img", { name: "Uploaded image" });
  await shown.waitFor();
  await eventuallyEqual(() => shown.evaluate((image) => image.naturalWidth > 0), true);
  const address = await branding();
  const served = await page.request.get(new URL(address, page.url()).href);
  assert.equal(served.status(), 200);
  assert.match(served.headers()["content-security-policy"], /sandbox/);
  assert.notDeepEqual(await served.body(), picture);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("button", { name: "Remove image" }).click();
  await page.locator("input[name=logo_url]:focus").waitFor();
  await page.getByRole("button", { name: "Save branding" }).click();
  await eventuallyEqual(branding, null);
  const log = await call("olivia", "GET", `/api/v1/platform/audit?chatbot_id=${chatbot.id}&action=chatbot_branding.updated`);
  assert.equal(log.items.length, 2);
});

test("a viewer sees the resolved branding read-only", async () => {
  const chatbot = await make("branding-viewer");
  await show("henry", `chatbots/${chatbot.id}/design`);
  await page.getByRole("table", { name: "Branding visitors see" }).waitFor();
  assert.equal(await page.getByRole("main").locator(":is(input, textarea, select:not(.ui-select--small *)):enabled").count(), 0);
});

test("a chatbot's branding and guides pass axe and fit a phone", async () => {
  const chatbot = await make("branding-axe");
  await show("hanna", `chatbots/${chatbot.id}/design`);
  await page.getByRole("table", { name: "Branding visitors see" }).waitFor();
  await page.frameLocator("iframe").getByText("Within 30 days").first().waitFor();
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("link", { name: "Install", exact: true }).click();
  await page.locator("summary", { hasText: "Tag manager" }).click();
  const code = await page.getByRole("group", { name: "Code for tag managers" }).innerText();
  assert.match(code, new RegExp(chatbot.id));
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
});

test("on a phone, counts do not hide the current tab", async () => {
  const { id } = await make("settings-counts");
  // A question without an answer is an open entry.
  const question = { method: "POST", body: JSON.stringify({ session_id: null, question: "What is a numbat?" }) };
  const headers = { origin: world.dev.site_url, "content-type": "application/json" };
  const asked = await fetch(`${world.dev.base_url}/api/v1/widget/chatbots/${id}/query`, { ...question, headers });
  assert.equal(asked.status, 200);
  await show("hanna", `chatbots/${id}/settings`, { viewport: { width: 360, height: 740 } });
  const tabs = page.getByRole("navigation", { name: "Pages of this chatbot" });
  await tabs.locator(".ui-count").waitFor();
  const hidden = (nav) => nav.querySelector("[aria-current]").getBoundingClientRect().right - nav.getBoundingClientRect().right;
  await eventuallyEqual(async () => (await tabs.evaluate(hidden)) <= 1, true);
});

test("the settings pass axe and fit a phone", async () => {
  await open(await make("settings-axe"));
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("the embedding model changes only after confirmation", async () => {
  const chatbot = await make("settings-model");
  await open(chatbot);
  const model = page.getByLabel("Embedding model", { exact: true });
  await model.selectOption("multilingual-e5-small");
  const dialog = page.getByRole("dialog", { name: "Switch the embedding model?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await eventuallyEqual(() => model.inputValue(), "all-minilm-l6-v2");

  const languages = page.getByRole("switch", { name: "Answer questions in other languages" });
  await eventuallyEqual(() => languages.isChecked(), true);
  await languages.click();
  await page.getByText("Questions in other languages are no longer answered.").waitFor();
  const shown = await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`);
  assert.equal(shown.cross_language, false);

  await model.selectOption("multilingual-e5-small");
  await dialog.getByRole("button", { name: "Switch model" }).click();
  await page.getByText("The switch has started.").waitFor();
  const now = async () => (await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}`)).embedding_model;
  // A background job, which begins after the archives and websites that other tests have read.
  await eventuallyEqual(now, "multilingual-e5-small", 300_000);
  await eventuallyEqual(() => page.getByLabel("Embedding model", { exact: true }).inputValue(), "multilingual-e5-small");
  assert.equal(await languages.count(), 0, "its own model knows all languages");
  assert.deepEqual(await accessibilityFindings(page), []);
});
