// The tenant console as administrators and viewers of a tenant use it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { closePage, settledWidth } from "../support/browser.mjs";
import { call, isReady, load, page, showEmpty, showHeaded, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";
import { settled } from "../support/settled.mjs";
import { signIn } from "../support/sign-in.mjs";
import { ROOT } from "../support/world.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";

const pages = {
  "": "Overview",
  chatbots: "Chatbots",
  "chatbots/new": "New chatbot",
  [`chatbots/${world.chatbot("platform-help").id}`]: "Platform help",
  branding: "Branding",
  preferences: "Preferences",
  nowhere: "Page not found",
};

/** Opens a page of the console, once its heading is there. */
const open = (path = "", username = "hanna", options = {}) => showHeaded(username, path, options);

/** Makes a chatbot through the API and returns it once it is ready. */
async function makeChatbot(slug, name) {
  const body = { slug, name, template_id: "product-help-en" };
  const made = await call("hanna", "POST", CHATBOTS, body);
  await isReady("hanna", made.id);
  return made;
}

/** Goes through the wizard with a template until the chatbot is ready. */
async function createByWizard(name) {
  await open("chatbots/new");
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await page.getByRole("heading", { name: `“${name}” is ready` }).waitFor();
}

test("hanna signs in at the provider and sees her overview", async () => {
  await showEmpty();
  await signIn(page, world, "hanna");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("the list of chatbots shows platform-help", async () => {
  // Other tests make many chatbots.
  await open("chatbots?q=platform-help");
  await page.getByRole("cell", { name: "platform-help" }).waitFor();
});

test("a new chatbot gets three ways to knowledge, or none for now", async () => {
  await createByWizard("Net advice");
  await page.getByRole("button", { name: "Add documents" }).click();
  await page.getByRole("heading", { name: "What should “Net advice” answer from?" }).waitFor();
  const step = page.locator(".ui-stepper__step", { hasText: "Knowledge" });
  assert.equal(await step.getAttribute("aria-current"), "step");
  const main = page.getByRole("main");
  for (const way of ["Upload files", "Read a website", "API"]) await main.getByRole("heading", { name: way }).waitFor();
  assert.match(await page.getByRole("group", { name: "Address of the sources" }).innerText(), /\/chatbots\/[0-9a-f-]{36}\/sources$/);
  const hrefs = ["Upload files", "Read a website"].map((name) => main.getByRole("link", { name }).getAttribute("href"));
  assert.deepEqual((await Promise.all(hrefs)).map((href) => href.replace(/.*[0-9a-f-]{36}/, "")), ["/knowledge", "/knowledge/websites"]);
  assert.deepEqual(await accessibilityFindings(page), []);
  await main.getByRole("link", { name: "Later" }).click();
  await page.getByRole("heading", { level: 1, name: "Net advice" }).waitFor();
});

test("a chatbot is created from a template in three steps", async () => {
  await createByWizard("Rope advice");
  await page.getByRole("link", { name: "Add to your website" }).click();
  await page.getByRole("heading", { level: 1, name: "Rope advice" }).waitFor();
  await page.getByRole("group", { name: "Embed snippet" }).waitFor();
});

test("the wizard copies the template's texts", async () => {
  await open("chatbots/new");
  await page.getByRole("radio", { name: /Kundendienst/ }).check({ force: true });
  await page.getByRole("button", { name: "Next" }).click();
  await eventuallyEqual(async () => /\S/.test(await page.getByLabel("Welcome message").inputValue()), true);
});

test("another template replaces only unchanged texts", async () => {
  await open("chatbots/new");
  const next = page.getByRole("button", { name: "Next" });
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await next.click();
  const fallback = page.getByLabel("Fallback message");
  const before = await fallback.inputValue();
  await page.getByLabel("Welcome message").fill("My own words");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("radio", { name: /Kundendienst/ }).check({ force: true });
  await next.click();
  assert.equal(await page.getByLabel("Welcome message").inputValue(), "My own words");
  assert.notEqual(await fallback.inputValue(), before);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
});

test("a typed name is still unsaved after a change of template", async () => {
  await open("chatbots/new");
  const next = page.getByRole("button", { name: "Next" });
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await next.click();
  await page.getByLabel("Name", { exact: true }).fill("Harbour desk");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("radio", { name: /Kundendienst/ }).check({ force: true });
  await next.click();
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Harbour desk");
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
});

test("an emptied name is not unsaved after a change of template", async () => {
  await open("chatbots/new");
  const next = page.getByRole("button", { name: "Next" });
  const name = page.getByLabel("Name", { exact: true });
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await next.click();
  await name.fill("");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("radio", { name: /Kundendienst/ }).check({ force: true });
  await next.click();
  await eventuallyEqual(async () => /\S/.test(await name.inputValue()), true);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("a language chosen without a template survives one", async () => {
  await open("chatbots/new");
  const next = page.getByRole("button", { name: "Next" });
  await page.getByRole("radio", { name: /No template/ }).check({ force: true });
  await next.click();
  const language = page.getByLabel("Answer language");
  await language.selectOption("fr");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("radio", { name: /Kundendienst/ }).check({ force: true });
  await next.click();
  assert.equal(await language.inputValue(), "fr");
});

test("a taken slug shows an error and keeps the wizard's input", async () => {
  await open("chatbots/new");
  // The first template of all may be another file's, which deactivates it.
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Another help");
  await page.getByLabel("Slug").fill("platform-help");
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await page.getByText("This slug is already taken.").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
});

test("the page Install shows the snippet with the chatbot's id", async () => {
  const { id } = world.chatbot("platform-help");
  await open(`chatbots/${id}/install`);
  const snippet = await page.getByRole("group", { name: "Embed snippet" }).innerText();
  const base = world.dev.base_url;
  assert.match(snippet, new RegExp(`src="${base}/static/widget/chat-widget\\.min\\.js.*data-chatbot-id="${id}".*data-api-base="${base}/api/v1"`, "s"));
  await page.getByText("Paste this snippet before the closing </body> tag").waitFor();
  assert.match(snippet, /\bdefer\b/);
  assert.doesNotMatch(snippet, /\basync\b/);
});

test("documentation and demo load the widget as the console does", () => {
  for (const file of ["README.md", "docs/widget.md", "deploy/demo-site/index.html", "deploy/demo-site/kurse.html", "deploy/demo-site/debian.html"]) {
    const [tag] = readFileSync(join(ROOT, file), "utf8").match(/<script src="[^"]*chat-widget\.min\.js[^>]*>/) ?? [];
    assert.match(tag, /\bdefer>$/, file);
  }
});

test("the wizard says what name, language and system prompt change", async () => {
  await open("chatbots/new");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Shown in the chat window unless the branding sets a title or display name.").waitFor();
  await page.getByText("Has no effect at the moment: this platform has no language model").waitFor();
  const language = page.getByLabel("Answer language");
  await language.selectOption("de");
  await page.getByText("Chat window, ready-made replies and search all support this language.").waitFor();
  assert.doesNotMatch(await page.getByRole("main").innerText(), /Search works in this language/);
});

test("a deactivated chatbot says so on its page", async () => {
  const { id } = await makeChatbot("off-duty", "Off duty");
  await open(`chatbots/${id}/settings`);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("This chatbot is deactivated").waitFor();
});

test("the widget of a deactivated chatbot is refused", async () => {
  const { id } = await makeChatbot("silent", "Silent");
  const config = () => fetch(`${world.dev.base_url}/api/v1/widget/config/${id}`, { headers: { origin: world.dev.site_url } });
  const before = (await config()).status;
  await open(`chatbots/${id}/settings`);
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("This chatbot is deactivated").waitFor();
  assert.deepEqual([before, (await config()).status], [200, 403]);
});

test("a rejected origin is explained at its field", async () => {
  await open("branding");
  await page.getByRole("button", { name: "Add website" }).click();
  await page.getByLabel(/^Website \d+$/).last().fill("https://*");
  await page.getByText(/Use \* only as the first part/).waitFor();
});

test("removing the last website focuses the button that adds one", async () => {
  await open("branding");
  const [add, fields] = [page.getByRole("button", { name: "Add website" }), page.getByLabel(/^Website \d+$/)];
  await add.waitFor();
  if (!(await fields.count())) await add.click();
  while (await fields.count()) await page.getByRole("button", { name: "Remove website 1", exact: true }).click();
  await eventuallyEqual(() => add.evaluate((element) => element === document.activeElement), true);
});

test("a corrected origin pattern is offered", async () => {
  await open("branding");
  await page.getByRole("button", { name: "Add website" }).click();
  const field = page.getByLabel(/^Website \d+$/).last();
  await field.fill("www.Example.com/shop");
  await page.getByRole("button", { name: "Use https://www.example.com" }).click();
  await eventuallyEqual(() => field.inputValue(), "https://www.example.com");
});

test("a new header title is saved and reaches the widget", async () => {
  await open("branding");
  await page.getByLabel("Chat window title").fill("Ask the harbour");
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved.").waitFor();
  const { id, origin } = world.chatbot("platform-help");
  const config = await fetch(`${world.dev.base_url}/api/v1/widget/config/${id}`, { headers: { origin } });
  assert.equal((await config.json()).branding.header_title, "Ask the harbour");
});

test("hard-to-read colours give a warning before saving", async () => {
  await open("branding");
  await page.getByLabel(/^Background \(optional\)/).fill("#ffffff");
  await page.getByLabel(/^Text \(optional\)/).fill("#eeeeee");
  await page.getByText("Hard to read").waitFor();
});

test("a viewer sees that access is read-only", async () => {
  await open("branding", "henry");
  await page.getByText("View-only access").waitFor();
});

test("a viewer sees no button that changes the branding", async () => {
  await open("branding", "henry");
  await page.getByLabel("Display name").waitFor();
  assert.equal(await page.getByRole("button", { name: /Save|Discard|Remove/ }).count(), 0);
});

test("a viewer cannot type into the branding", async () => {
  await open("branding", "henry");
  await page.getByLabel("Display name").waitFor();
  assert.equal(await page.getByRole("main").locator(":is(input, textarea, select:not(.ui-select--small *)):enabled").count(), 0);
});

test("a viewer cannot create a chatbot", async () => {
  // The oldest first: other tests make more than a page of them.
  await open("chatbots?sort=created_at", "henry");
  await page.getByRole("cell", { name: "platform-help" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "New chatbot" }).count(), 0);
});

test("a viewer cannot deactivate a chatbot", async () => {
  await open(`chatbots/${world.chatbot("platform-help").id}/settings`, "henry");
  await page.getByText("View-only access").waitFor();
  assert.equal(await page.getByRole("button", { name: "Deactivate" }).count(), 0);
});

test("dora sees her tenant's chatbots and no others", async () => {
  // Other files make chatbots of her tenant at the same time: the page shows those that it was given.
  let given;
  const prepare = (page) => {
    given = page.waitForResponse((response) => new URL(response.url()).pathname === CHATBOTS);
  };
  await open("chatbots", "dora", { prepare });
  await page.getByRole("cell", { name: "debian-faq" }).waitFor();
  const { items } = await (await given).json();
  await eventuallyEqual(() => page.getByRole("main").getByRole("row").count(), items.length + 1);
  assert.deepEqual([...new Set(items.map(({ tenant_id }) => tenant_id))], [world.user("dora").tenant_id]);
});

test("another tenant's chatbot does not exist for dora", async () => {
  await open(`chatbots/${world.chatbot("platform-help").id}`, "dora");
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
});

test("the language changes to German without a reload", async () => {
  await open("preferences");
  await page.getByRole("radio", { name: /Deutsch/ }).check({ force: true });
  await page.getByRole("heading", { level: 1, name: "Ihre Einstellungen" }).waitFor();
});

test("unsaved input survives a change of language", async () => {
  await open("branding");
  await page.getByLabel("Chat window title").fill("Typed before");
  await page.getByRole("button", { name: "Add website" }).click();
  await page.getByLabel(/^Website \d+$/).last().fill("https://typed.example");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  const title = page.getByLabel("Titel des Chatfensters");
  await eventuallyEqual(() => title.inputValue(), "Typed before");
  await eventuallyEqual(() => page.getByLabel(/^Website \d+$/).last().inputValue(), "https://typed.example");
  await page.getByLabel(/^Website \d+$/).last().fill("https://typed-after.example");
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await eventuallyEqual(async () => /typed/i.test(await title.inputValue()), false);
  await eventuallyEqual(async () => /typed/.test(await page.getByLabel(/^Website \d+$/).last().inputValue()), false);
});

test("the language switch keeps the form and the focus", async () => {
  await open("branding");
  await page.locator("input[name=header_title]").fill("Typed before");
  await page.locator("input[name=border_radius]").fill("wide");
  await page.locator("main form button[type=submit]").click();
  const error = page.locator(".ui-field__error");
  const before = await error.innerText();
  await page.locator("main form").evaluate((form) => form.setAttribute("data-marked", ""));
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await eventuallyEqual(async () => (await error.innerText()) !== before, true);
  assert.equal(await page.locator("main form[data-marked]").count(), 1);
  assert.equal(await page.locator("input[name=border_radius]").inputValue(), "wide");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Sprache: DE");
});

test("no page breaks the content security policy or logs errors", async () => {
  await open();
  for (const name of ["Chatbots", "Branding", "Modules", "Preferences"]) {
    await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await settled(page);
  }
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("every page fits a narrow screen", async () => {
  await open("", "hanna", { viewport: { width: 360, height: 740 } });
  const wide = [];
  for (const [path, heading] of Object.entries(pages)) {
    await load("hanna", path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await hasLoaded(page);
    const width = await settledWidth(page);
    if (width > 360) wide.push(`${path}: ${width}`);
  }
  assert.deepEqual(wide, []);
});
