// The audit log, the modules and the bulk deletion of tenants, as operators and vendors use them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, load, page, showHeaded } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";

const HARBOR = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
const TENANTS = "/api/v1/platform/tenants";

const open = (path, username = "olivia", options = {}) => showHeaded(username, path, options);

const ask = (...request) => call("olivia", ...request);

const makeTenant = (slug, display_name) => ask("POST", TENANTS, { slug, display_name });

/** A tenant that was renamed: two audit rows. */
async function renamed(slug, from, to) {
  const { id } = await makeTenant(slug, from);
  await ask("PATCH", `${TENANTS}/${id}`, { display_name: to });
  return id;
}

const CREATED = /created the tenant/;
const CHANGED = /changed the tenant/;

const link = (name) => page.getByRole("main").getByRole("link", { name });

test("the audit log shows changes with their user, newest first", async () => {
  const id = await renamed("audit-order", "Before", "After");
  await open(`audit?entity_id=${id}`);
  await link(CHANGED).waitFor();
  const rows = await page.getByRole("row").allInnerTexts();
  assert.equal(rows.length, 3);
  assert.match(rows[1], /olivia changed the tenant After[^]*Operator/);
  // Things are named as they are called today.
  assert.match(rows[2], /olivia created the tenant After/);
});

test("audit log filters are in the address and survive a reload", async () => {
  const id = await renamed("audit-filter", "Before", "After");
  await open("audit");
  await page.getByText("Filters", { exact: true }).click();
  await page.getByRole("combobox", { name: "Action" }).selectOption({ label: "Tenant created" });
  await page.getByRole("combobox", { name: "Object type" }).selectOption({ label: "Tenant" });
  await page.getByText("Advanced filters", { exact: true }).click();
  await page.getByLabel("Object ID").fill(id);
  await page.getByRole("button", { name: "Apply filters" }).click();
  await page.waitForURL(/action=tenant\.created/);
  assert.equal(new URL(page.url()).searchParams.get("entity_type"), "tenant");
  await page.reload();
  await link(CREATED).waitFor();
  await eventuallyEqual(() => page.getByRole("row").count(), 2);
  await eventuallyEqual(() => page.getByRole("combobox", { name: "Action" }).inputValue(), "tenant.created");
});

test("a filter with an invalid id shows an error at its field", async () => {
  await open("audit");
  await page.getByText("Filters", { exact: true }).click();
  await page.getByLabel(/^Tenant \(/).fill("nobody of that name");
  await page.getByRole("button", { name: "Apply filters" }).click();
  await page.getByText("Select a tenant from the list or clear this field.").waitFor();
});

test("audit filters become chips, are removed and can be saved", async () => {
  await open("audit");
  await page.getByText("Filters", { exact: true }).click();
  await page.getByLabel(/^Tenant \(/).fill("harb");
  await page.getByRole("button", { name: /^Harbor Supply/ }).click();
  await page.getByLabel("Chatbot", { exact: true }).selectOption({ label: "Platform help" });
  await page.getByLabel(/^User \(/).fill("hanna");
  await page.getByLabel(/^From \(UTC\)/).fill("2026-01-01");
  await page.getByRole("button", { name: "Apply filters" }).click();
  const chips = page.getByRole("list", { name: "Filters", exact: true }).getByRole("listitem");
  await eventuallyEqual(async () => (await chips.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()), [
    "User: hanna",
    "Tenant: Harbor Supply",
    "Chatbot: Platform help",
    "From (UTC): 1 Jan 2026",
  ]);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("button", { name: "Remove filter: User" }).click();
  await eventuallyEqual(() => chips.count(), 3);
  assert.equal(new URL(page.url()).searchParams.get("tenant_id"), HARBOR);

  await page.getByRole("button", { name: "Save filters" }).click();
  const dialog = page.getByRole("dialog", { name: "Save filters" });
  await dialog.getByLabel("Name").fill("The help of Harbor");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await load("olivia", "audit");
  const saved = page.getByRole("list", { name: "Saved filters" });
  await saved.getByRole("link", { name: "The help of Harbor" }).click();
  await eventuallyEqual(() => chips.count(), 3);
  await saved.getByRole("button", { name: "Delete saved filters: The help of Harbor" }).click();
  await eventuallyEqual(() => saved.getByRole("link").count(), 0);
});

test("codes of the audit log are shown on demand", async () => {
  const id = await renamed("audit-codes", "Before", "After");
  await open(`audit?entity_id=${id}`);
  const code = page.getByRole("cell", { name: "tenant.updated" });
  await link(CHANGED).waitFor();
  assert.equal(await code.isVisible(), false);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Code" }).click();
  await code.waitFor();
  await page.reload();
  await code.waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Code" }).click();
});

test("audit log filters without matches can be cleared", async () => {
  await open("audit?action=never.happened");
  await page.getByText("No results", { exact: true }).waitFor();
  await page.getByRole("main").getByRole("button", { name: "Clear search and filters" }).last().click();
  await page.getByRole("row").nth(1).waitFor();
});

test("a date range that ends before it begins is an error", async () => {
  await open("audit?date_from=2026-02-01&date_to=2026-01-01");
  await page.getByRole("main").getByText("The start must be before the end.").first().waitFor();
});

test("older audit rows have a page, going back shows the newest", async () => {
  const { id } = await makeTenant("audit-pages", "Number 0");
  for (let number = 1; number <= 52; number += 1) {
    await ask("PATCH", `${TENANTS}/${id}`, { display_name: `Number ${number}` });
  }
  await open(`audit?entity_id=${id}`);
  await link(CHANGED).first().waitFor();
  await eventuallyEqual(() => page.getByRole("row").count(), 51);
  await page.getByRole("button", { name: "Older" }).click();
  await link(CREATED).waitFor();
  await eventuallyEqual(() => page.getByRole("row").count(), 4);
  await page.getByRole("button", { name: "Newest" }).click();
  await link(CREATED).waitFor({ state: "detached" });
});

test("newer rows come back page by page", async () => {
  const { id } = await makeTenant("audit-newer", "Number 0");
  for (let number = 1; number <= 101; number += 1) {
    await ask("PATCH", `${TENANTS}/${id}`, { display_name: `Number ${number}` });
  }
  await open(`audit?entity_id=${id}`);
  const step = async (name, count) => {
    await page.getByRole("button", { name, exact: true }).click();
    await eventuallyEqual(() => page.getByRole("row").count(), count + 1);
  };
  await eventuallyEqual(() => page.getByRole("row").count(), 51);
  const newest = await page.getByRole("row").nth(1).getByRole("link").first().getAttribute("href");
  await page.getByRole("button", { name: "Older" }).click();
  await eventuallyEqual(async () => (await page.getByRole("row").nth(1).getByRole("link").first().getAttribute("href")) !== newest, true);
  await step("Older", 2);
  await step("Newer", 50);
  await page.getByRole("button", { name: "Newer", exact: true }).click();
  await eventuallyEqual(() => page.getByRole("row").nth(1).getByRole("link").first().getAttribute("href"), newest);
});

test("keys move between audit rows within the list's filters", async () => {
  const id = await renamed("audit-neighbours", "Before", "Between");
  await ask("PATCH", `${TENANTS}/${id}`, { display_name: "After" });
  await open(`audit?entity_id=${id}&action=tenant.updated`);
  await eventuallyEqual(() => page.getByRole("row").count(), 3);
  await link(CHANGED).first().click();
  const named = (name) => page.getByRole("row", { name }).waitFor();
  await named(/Between\s+After/);
  await page.waitForURL(/action=tenant\.updated/);
  await eventuallyEqual(() => page.getByRole("button", { name: "Older" }).isEnabled(), true);
  assert.equal(await page.getByRole("button", { name: "Newer" }).isEnabled(), false);
  await page.keyboard.press("j");
  await named(/Before\s+Between/);
  // The creation is older, and not among the rows of the list.
  await eventuallyEqual(() => page.getByRole("button", { name: "Newer" }).isEnabled(), true);
  assert.equal(await page.getByRole("button", { name: "Older" }).isEnabled(), false);
  await page.keyboard.press("k");
  await named(/Between\s+After/);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("navigation", { name: "You are here" }).getByRole("link").first().click();
  await eventuallyEqual(() => page.getByRole("row").count(), 3);
});

test("a printed audit row has facts and changes but no buttons", async () => {
  const id = await renamed("audit-print", "Before", "After");
  await open(`audit?entity_id=${id}&action=tenant.updated`);
  await link(CHANGED).click();
  await page.getByRole("row", { name: /Display name/ }).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.getByRole("row", { name: /Display name/ }).isVisible(), true);
  for (const role of ["button", "navigation", "banner"]) {
    const shown = await page.getByRole(role).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
    assert.equal(shown, 0, role);
  }
  const [ground, ink] = await page.evaluate(() => {
    const style = getComputedStyle(document.querySelector("h1"));
    return [getComputedStyle(document.body).backgroundColor, style.color];
  });
  assert.equal(ground, "rgba(0, 0, 0, 0)");
  assert.ok(Math.max(...ink.match(/\d+/g).slice(0, 3).map(Number)) < 100, ink);
});

test("an audit row shows each field before and after", async () => {
  const id = await renamed("audit-diff", "Old name", "New name");
  await open(`audit?entity_id=${id}`);
  await link(CHANGED).click();
  const row = page.getByRole("row", { name: /Display name/ });
  await row.waitFor();
  assert.match(await row.innerText(), /Display name\s+Old name\s+New name/);
  await page.reload();
  await page.getByRole("row", { name: /Display name/ }).waitFor();
});

test("audit rows link tenant and chatbot, ids and codes are folded", async () => {
  const name = `Bakery helper ${Date.now()}`;
  const chatbots = "/api/v1/tenants/me/chatbots";
  const { id } = await call("hanna", "POST", chatbots, { slug: `audit-links-${Date.now()}`, name });
  await call("hanna", "PATCH", `${chatbots}/${id}/branding`, { header_title: "Ask the baker" });
  await open(`audit?action=chatbot_branding.updated&chatbot_id=${id}`);
  const sentence = `hanna changed the branding of ${name}`;
  await link(sentence).waitFor();
  const row = page.getByRole("row").nth(1);
  for (const shown of [name, "Harbor Supply"]) {
    const target = await row.getByRole("link", { name: shown, exact: true }).getAttribute("href");
    assert.match(target, new RegExp(`/tenants/${HARBOR}$`), shown);
  }
  await link(sentence).click();
  await page.getByRole("heading", { level: 1, name: sentence }).waitFor();
  const code = page.getByText("chatbot_branding.updated", { exact: true });
  assert.equal(await code.isVisible(), false);
  await page.getByText("Technical details", { exact: true }).click();
  await code.waitFor();
  await page.getByText(id, { exact: true }).first().waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByRole("heading", { level: 1, name: `hanna hat das Erscheinungsbild von ${name} geändert` }).waitFor();
  await page.getByRole("button", { name: "Sprache" }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
});

test("times in the changes of an audit row are written as dates", async () => {
  const { id } = await makeTenant("audit-times", "Audit times");
  await open(`audit?tenant_id=${id}`);
  await page.getByRole("link", { name: CREATED }).first().click();
  const changes = page.getByRole("table", { name: "Changes" });
  await changes.getByRole("rowheader", { name: "Created", exact: true }).waitFor();
  assert.doesNotMatch(await changes.innerText(), /\dT\d\d:\d\d/);
});

test("an unknown audit row shows an error", async () => {
  await open("");
  await load("olivia", "audit/00000000-0000-4000-8000-000000000000");
  await page.getByText(/This entry isn't in the audit log/).waitFor();
});

test("the audit CSV applies the filters and can include details", async () => {
  const id = await renamed("audit-csv", "Before", "After");
  await open(`audit?entity_id=${id}&action=tenant.updated`);
  await page.getByRole("button", { name: "Download CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Download CSV" });
  await dialog.getByRole("checkbox").check();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download", exact: true }).click(),
  ]);
  assert.match(file.suggestedFilename(), /\.csv$/);
  const lines = readFileSync(await file.path(), "utf8").trim().split("\r\n");
  assert.equal(lines.length, 2);
  assert.match(lines[0], /"session_id","details"$/);
  assert.match(lines[1], new RegExp(`"tenant.updated","tenant","${id}".*After`));
});

test("deleting several tenants requires typing their count", async () => {
  for (const name of ["one", "two", "three"]) await makeTenant(`bulk-${name}`, `Bulk ${name}`);
  await open("tenants?q=bulk-");
  await page.getByRole("checkbox", { name: "Select Bulk one" }).waitFor();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("checkbox", { name: "Select Bulk three" }).uncheck();
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Delete selected tenants" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete the selected tenants (2)?" });
  await dialog.getByText(/“Bulk one”, “Bulk two”|“Bulk two”, “Bulk one”/).waitFor();
  const confirm = dialog.getByRole("button", { name: "Delete tenants" });
  await eventuallyEqual(() => confirm.isDisabled(), true);
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("textbox").fill("2");
  await confirm.click();
  await page.getByText("Tenants deleted: 2.").waitFor();
  await page.getByRole("cell", { name: "Bulk one", exact: true }).waitFor({ state: "detached" });
  assert.equal((await ask("GET", `${TENANTS}?q=bulk-`)).total, 1);
});

test("selecting too many tenants is reported before confirmation", async () => {
  const item = (number) => ({ id: `0000${number}`.slice(-4) + "0000-0000-4000-8000-000000000000", slug: `many-${number}`, display_name: `Many ${number}` });
  const rest = { default_language: "en", enabled_modules: [], created_at: "2026-11-01T00:00:00Z", updated_at: "2026-11-01T00:00:00Z" };
  await open("modules");
  await page.route("**/platform/tenants?*", (route) => {
    const { searchParams } = new URL(route.request().url());
    const [limit, offset] = ["limit", "offset"].map((name) => Number(searchParams.get(name) ?? 0));
    const items = Array.from({ length: Math.max(0, Math.min(limit, 600 - offset)) }, (_, index) => ({ ...item(offset + index), ...rest }));
    return route.fulfill({ json: { items, total: 600, limit, offset } });
  });
  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Select all 600 matching tenants" }).click();
  await page.getByText("600 selected").waitFor();
  await page.getByRole("button", { name: "Delete selected tenants" }).click();
  await page.getByText("You can delete up to 500 tenants at once. Select fewer.").waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("a vendor selects tenants for modules, not for deletion", async () => {
  await open("tenants?q=harbor", "victor");
  await page.getByRole("checkbox", { name: "Select Harbor Supply" }).check();
  await page.getByRole("button", { name: "Assign modules" }).waitFor();
  assert.equal(await page.getByRole("main").getByRole("button", { name: /delete/i }).count(), 0);
});

test("a module is registered and changed", async () => {
  await open("modules");
  await page.getByRole("button", { name: "New module" }).first().click();
  let dialog = page.getByRole("dialog", { name: "New module" });
  await dialog.getByLabel(/^ID/).fill("e2e-reports");
  await dialog.getByLabel("Name").fill("Reports");
  await dialog.getByLabel("Category").fill("insight");
  await dialog.getByRole("button", { name: "Create module" }).click();
  await page.getByRole("button", { name: "Edit Reports" }).click();
  dialog = page.getByRole("dialog", { name: "Edit module" });
  await dialog.getByLabel("Name").fill("Weekly reports");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: /^Weekly reports/ }).waitFor();
  assert.equal((await ask("GET", "/api/v1/platform/modules/e2e-reports")).name, "Weekly reports");
});

test("a taken module id shows an error at its field", async () => {
  const { items } = await ask("GET", "/api/v1/platform/modules");
  await open("modules");
  await page.getByRole("button", { name: "New module" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New module" });
  await dialog.getByLabel(/^ID/).fill(items[0].id);
  await dialog.getByLabel("Name").fill("Again");
  await dialog.getByLabel("Category").fill("insight");
  await dialog.getByRole("button", { name: "Create module" }).click();
  await dialog.getByText("This ID is already taken.").waitFor();
});

test("a vendor can view but not change modules", async () => {
  await open("modules", "victor");
  await page.getByRole("row").nth(1).waitFor();
  assert.equal(await page.getByRole("main").getByRole("button", { name: /^(New|Edit)/ }).count(), 0);
});

test("a module of a tenant is switched on", async () => {
  const { id } = await makeTenant("switched", "Switched");
  const modules = await ask("GET", `/api/v1/tenants/${id}/modules`);
  const { id: moduleId, name } = modules.items.find(({ enabled, is_always_on }) => !enabled && !is_always_on);
  await open(`tenants/${id}`);
  await page.getByRole("switch", { name }).check({ force: true });
  await page.getByText(`${name} is on.`).waitFor();
  assert.ok((await ask("GET", `${TENANTS}/${id}`)).enabled_modules.includes(moduleId));
});

test("the console says what each module switches", async () => {
  const { id } = await makeTenant("module-effects", "Module effects");
  const said = async (entry) => {
    await entry("Knowledge hub").getByText("Adds the knowledge hub to the tenant console.").waitFor();
    await entry("Feedback").getByText("For information only.").waitFor();
  };
  await open("modules");
  await said((name) => page.getByRole("row", { name: new RegExp(`^${name}`) }));
  await open(`tenants/${id}`);
  await said((name) => page.getByRole("listitem").filter({ has: page.getByRole("switch", { name }) }));
});

test("a switch that the API refuses is reset", async () => {
  const { id } = await makeTenant("refused", "Refused");
  const modules = await ask("GET", `/api/v1/tenants/${id}/modules`);
  const { name } = modules.items.find(({ enabled, is_always_on }) => !enabled && !is_always_on);
  await open(`tenants/${id}`);
  await page.route("**/modules/*", (route) => route.fulfill({ status: 503, json: { detail: "service_unavailable" } }));
  // Checking it would fail when the refusal comes before a look at its new state.
  await page.getByRole("switch", { name }).click({ force: true });
  await page.getByText(/The service can't be reached/).waitFor();
  await eventuallyEqual(() => page.getByRole("switch", { name }).isChecked(), false);
});

test("an audit row passes axe and the content security policy", async () => {
  const id = await renamed("audit-axe", "Before", "After");
  await open(`audit?entity_id=${id}`);
  await link(CHANGED).click();
  await page.getByRole("row", { name: /Display name/ }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("audit log and modules fit a narrow screen", async () => {
  const id = await renamed("audit-narrow", "Before", "After");
  await open(`audit?entity_id=${id}`, "olivia", { viewport: { width: 360, height: 740 } });
  const wide = [];
  const measure = async (name) => {
    await page.waitForLoadState("networkidle");
    const width = await settledWidth(page);
    if (width > 360) wide.push(`${name}: ${width}`);
  };
  await link(CHANGED).waitFor();
  await measure("list");
  await link(CHANGED).click();
  await page.getByRole("row", { name: /Display name/ }).waitFor();
  await measure("row");
  await load("olivia", "modules");
  await page.getByRole("row").nth(1).waitFor();
  await measure("modules");
  assert.deepEqual(wide, []);
});
