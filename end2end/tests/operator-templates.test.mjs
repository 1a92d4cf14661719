// Existing templates: the next version, its history, deactivation, clones, questions and answers as a file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, keepOffers, load, page, showHeaded } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const TEMPLATES = "/api/v1/operator/templates";
const FAQ = [{ question: "Where is my parcel?", answer: "On its way." }];

const open = (path, username = "olivia", options = {}) => showHeaded(username, path, options);

const ask = (...request) => call("olivia", ...request);

const makeTemplate = (id, more = {}) => ask("POST", TEMPLATES, { id, language: "en", name: `Template ${id}`, ...more });
const get = (id) => ask("GET", `${TEMPLATES}/${id}`);

/** The form of a fresh template's next version. */
async function openEditor(id, more) {
  await makeTemplate(id, more);
  await open(`templates/${id}/edit`);
  await page.getByLabel("Welcome message").waitFor();
}

test("editing a template writes a version and its history", async () => {
  await openEditor("versioned-en");
  await page.getByLabel("Welcome message").fill("Good day!");
  await page.getByLabel("Chat window title").fill("Ask us");
  await page.getByText("2 unsaved changes").waitFor();
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.getByText("Template “Template versioned-en” saved as version 2.").waitFor();
  const stored = await get("versioned-en");
  assert.deepEqual([stored.version, stored.welcome_message], [2, "Good day!"]);
  assert.equal(stored.branding_defaults.header_title, "Ask us");
  await page.getByRole("main").getByRole("link", { name: "Template versioned-en" }).click();
  await page.getByText("Version 2", { exact: true }).waitFor();
  await page.getByText(/^Changed: .*Welcome message/).waitFor();
});

test("text typed while a template is saved stays unsaved", async () => {
  await openEditor("typed-en");
  const description = page.getByLabel("Description");
  await page.route(`**${TEMPLATES}/typed-en`, async (route) => {
    if (route.request().method() === "PATCH") await description.fill("Typed later");
    await route.continue();
  });
  await page.getByLabel("Welcome message").fill("Good day!");
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.getByText(/saved as version 2/).waitFor();
  await page.getByText("1 unsaved change", { exact: true }).waitFor();
  assert.equal(await description.inputValue(), "Typed later");
});

test("a template counts the chatbots behind its newest version", async () => {
  await makeTemplate("adopted-en");
  const body = { slug: "adopted", name: "Adopted", template_id: "adopted-en" };
  await call("hanna", "POST", "/api/v1/tenants/me/chatbots", body);
  await ask("PATCH", `${TEMPLATES}/adopted-en`, { welcome_message: "Good day!" });
  await open("templates?q=adopted-en");
  await page.getByRole("row").getByText("1 behind", { exact: true }).waitFor();
  await open("templates/adopted-en");
  await page.getByText("1 behind the newest version").waitFor();
});

test("unsaved input in forms and filters survives the language", async () => {
  await openEditor("spoken-en", { faq_seed: FAQ });
  await page.getByLabel("Welcome message").fill("Typed before");
  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByRole("textbox", { name: "Question 2" }).fill("Typed, too?");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await eventuallyEqual(() => page.getByLabel("Begrüßung").inputValue(), "Typed before");
  await eventuallyEqual(() => page.getByRole("textbox", { name: "Frage 2" }).inputValue(), "Typed, too?");
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await page.getByRole("link", { name: "Audit-Log" }).first().click();
  await page.getByText("Filter", { exact: true }).click();
  await page.locator("input[name=actor_user]").fill("nobody");
  await page.getByRole("button", { name: "Sprache" }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await eventuallyEqual(() => page.locator("input[name=actor_user]").inputValue(), "nobody");
});

test("an empty new template shows every missing field", async () => {
  await open("templates/new");
  await page.getByRole("button", { name: "Create template" }).click();
  await page.getByText("Must not be empty.").waitFor();
  await page.getByText(/^Use 1 to 64 of a–z/).waitFor();
});

test("a new template's preview shows the typed welcome message", async () => {
  await open("templates/new");
  await page.getByLabel("Welcome message").fill("Welcome aboard the preview");
  await page.locator(".ui-preview").getByText("Welcome aboard the preview").waitFor();
});

test("the form says where the system prompt has no effect", async () => {
  await open("templates/new");
  await page.getByText("They have no effect where answers are quoted from the documents.").waitFor();
});

test("an error of the API shows at the template's field", async () => {
  await openEditor("refused-en");
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.locator(".ui-field__error").first().waitFor();
  assert.equal((await get("refused-en")).version, 1);
});

test("importing questions updates known ones and adds others", async () => {
  await openEditor("faq-in-en", { faq_seed: FAQ });
  const text = 'question,answer\r\nWhere is my parcel?,"In the shop, ""waiting""."\r\nHow do I pay?,By card.\r\n';
  await page.locator("input[type=file]").setInputFiles({ name: "faq.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByText("Questions imported: 2. Save to keep them.").waitFor();
  await page.getByRole("button", { name: "Save as new version" }).click();
  await page.getByText(/saved as version 2/).waitFor();
  assert.deepEqual((await get("faq-in-en")).faq_seed, [
    { question: "Where is my parcel?", answer: 'In the shop, "waiting".' },
    { question: "How do I pay?", answer: "By card." },
  ]);
});

test("a file with an incomplete row names it and changes nothing", async () => {
  await openEditor("faq-bad-en");
  const buffer = Buffer.from("question,answer\nWhy?,\n");
  await page.locator("input[type=file]").setInputFiles({ name: "faq.csv", mimeType: "text/csv", buffer });
  await page.getByText("Row 2 has no question or no answer. Nothing was imported.").waitFor();
  await page.getByText("No changes").waitFor();
});

test("exported questions contain no spreadsheet formulas", async () => {
  await makeTemplate("faq-out-en", { faq_seed: [...FAQ, { question: "=1+1", answer: "Two." }] });
  await open("templates/faq-out-en");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), "faq-out-en-faq.csv");
  const text = readFileSync(await file.path(), "utf8");
  assert.equal(text, "\ufeffquestion,answer\r\nWhere is my parcel?,On its way.\r\n'=1+1,Two.\r\n");
});

test("questions are renumbered when one is removed", async () => {
  await openEditor("faq-count-en", { faq_seed: [...FAQ, { question: "How do I pay?", answer: "By card." }] });
  await page.getByRole("button", { name: "Remove question 1" }).click();
  await page.getByLabel("Question 2", { exact: true }).waitFor({ state: "detached" });
  await eventuallyEqual(() => page.getByLabel("Question 1", { exact: true }).inputValue(), "How do I pay?");
});

test("a template is deactivated after confirmation, reactivated", async () => {
  await makeTemplate("switch-en");
  await open("templates/switch-en");
  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("dialog", { name: "Deactivate “Template switch-en”?" });
  await dialog.getByText(/Existing chatbots aren't affected/).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Template “Template switch-en” deactivated.").waitFor();
  assert.equal((await get("switch-en")).status, "deactivated");
  await page.getByRole("button", { name: "Reactivate" }).click();
  await page.getByText("Template “Template switch-en” is active again.").waitFor();
  assert.equal((await get("switch-en")).status, "active");
});

test("a failed deactivation shows its error in the dialog", async () => {
  await makeTemplate("switch-fails-en");
  await open("templates/switch-fails-en");
  await page.getByRole("button", { name: "Deactivate" }).click();
  const dialog = page.getByRole("dialog");
  await page.route("**/deactivate", (route) => route.fulfill({ status: 503, json: { detail: "service_unavailable" } }), { times: 1 });
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await dialog.getByRole("alert").getByText(/The service can't be reached/).waitFor();
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Template “Template switch-fails-en” deactivated.").waitFor();
});

test("a deactivation can be undone from another page", async () => {
  await makeTemplate("undone-en");
  await open("templates/undone-en", "olivia", { prepare: keepOffers });
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Template “Template undone-en” deactivated.").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Template “Template undone-en” is active again.").waitFor();
  assert.equal((await get("undone-en")).status, "active");
});

test("undoing a deactivation leaves another template's page alone", async () => {
  await makeTemplate("undone-first-en");
  await makeTemplate("undone-other-en");
  await open("templates/undone-first-en", "olivia", { prepare: keepOffers });
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Template “Template undone-first-en” deactivated.").waitFor();
  await page.getByRole("button", { name: "Search or jump to" }).click();
  await page.getByRole("dialog", { name: "Search or jump to" }).locator("input:focus").waitFor();
  await page.keyboard.type("undone-other");
  await page.getByRole("option", { name: /undone-other-en/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Template undone-other-en" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Template “Template undone-first-en” is active again.").waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Template undone-other-en");
});

test("cloning a template opens its form, a second clone fails", async () => {
  await makeTemplate("cloned-en", { welcome_message: "Hello" });
  await open("templates/cloned-en");
  await page.getByRole("button", { name: "Clone for another language" }).click();
  const dialog = page.getByRole("dialog", { name: "Clone for another language" });
  await dialog.getByLabel("Language").selectOption("fr");
  await dialog.getByRole("button", { name: "Clone template" }).click();
  await page.waitForURL(/templates\/cloned-fr\/edit$/);
  await eventuallyEqual(() => page.getByRole("textbox", { name: "Welcome message" }).inputValue(), "Hello");
  const copy = await get("cloned-fr");
  assert.deepEqual([copy.language, copy.welcome_message, copy.status], ["fr", "Hello", "deactivated"]);
  await load("olivia", "templates/cloned-en");
  await page.getByRole("button", { name: "Clone for another language" }).click();
  await dialog.getByLabel("Language").selectOption("fr");
  await dialog.getByRole("button", { name: "Clone template" }).click();
  await dialog.getByText("This ID is already taken.").waitFor();
});

test("a vendor edits but cannot deactivate or clone templates", async () => {
  await makeTemplate("vendor-en");
  await open("templates/vendor-en", "victor");
  await page.getByRole("link", { name: "Edit" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Deactivate|Clone/ }).count(), 0);
});

test("a template passes axe, fits a phone and breaks no policy", async () => {
  await makeTemplate("axe-en", { faq_seed: FAQ });
  await open("templates/axe-en", "olivia", { viewport: { width: 360, height: 740 } });
  for (const path of ["templates/axe-en", "templates/axe-en/edit", "templates/new"]) {
    await load("olivia", path);
    await hasLoaded(page);
    assert.deepEqual(await accessibilityFindings(page), [], path);
    assert.ok((await settledWidth(page)) <= 360, path);
  }
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
