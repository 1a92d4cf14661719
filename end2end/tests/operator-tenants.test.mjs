// One tenant and many tenants: branding, latest changes, modules for a selection.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, load, page, show, showHeaded } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { deferred } from "../support/fake-platform.mjs";

const TENANTS = "/api/v1/platform/tenants";

const open = (path, username = "olivia", options = {}) => showHeaded(username, path, options);

const ask = (...request) => call("olivia", ...request);

const makeTenant = (slug, display_name) => ask("POST", TENANTS, { slug, display_name });
const brandingOf = (id) => ask("GET", `/api/v1/operator/tenants/${id}/branding`);

/** The branding form of a fresh tenant. */
async function openBranding(slug) {
  const { id } = await makeTenant(slug, `Brand ${slug}`);
  await open(`tenants/${id}/branding`);
  await page.getByLabel("Chat window title").waitFor();
  return id;
}

test("a tenant's branding is edited with custom CSS", async () => {
  const id = await openBranding("brand-edit");
  await page.getByLabel("Chat window title").fill("Ask the lighthouse");
  await page.getByRole("textbox", { name: /Custom CSS/ }).fill(".svc-panel { letter-spacing: 2px }");
  await page.getByText("2 unsaved changes").waitFor();
  const panel = page.frameLocator("iframe").locator(".svc-panel");
  await panel.getByText("Ask the lighthouse").first().waitFor();
  await eventuallyEqual(() => panel.evaluate((element) => getComputedStyle(element).letterSpacing), "2px");
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved.").waitFor();
  const stored = await brandingOf(id);
  assert.deepEqual([stored.header_title, stored.custom_css], ["Ask the lighthouse", ".svc-panel { letter-spacing: 2px }"]);
  await page.getByRole("main").getByRole("link", { name: "Brand brand-edit" }).click();
  await page.getByText("Ask the lighthouse").waitFor();
  await page.getByText("No allowed websites yet. The widget won't load anywhere.").waitFor();
});

test("text typed while a branding is saved stays unsaved", async () => {
  const id = await openBranding("brand-typed");
  const css = page.getByRole("textbox", { name: /Custom CSS/ });
  await page.route(`**/api/v1/operator/tenants/${id}/branding`, async (route) => {
    if (route.request().method() === "PATCH") await css.fill(".svc-panel { letter-spacing: 2px }");
    await route.continue();
  });
  await page.getByLabel("Chat window title").fill("Ask the lighthouse");
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved.").waitFor();
  await page.getByText("1 unsaved change", { exact: true }).waitFor();
  assert.equal(await css.inputValue(), ".svc-panel { letter-spacing: 2px }");
});

test("an invalid website or colour shows an error at its field", async () => {
  const id = await openBranding("brand-refused");
  await page.getByRole("textbox", { name: "Primary colour (optional)", exact: true }).fill("#12");
  await page.getByRole("button", { name: "Add website" }).click();
  await page.getByLabel("Website 1", { exact: true }).fill("https://*.com");
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Must be a colour such as #1d4ed8.").waitFor();
  await page.getByText(/At least two parts must follow/).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.equal((await brandingOf(id)).updated_at, null);
});

test("concurrent branding edits are merged or reported", async () => {
  const id = await openBranding("brand-two");
  const change = (body) => ask("PATCH", `/api/v1/operator/tenants/${id}/branding`, body);
  const title = page.getByLabel("Chat window title");
  const save = page.getByRole("button", { name: "Save branding" });
  await title.fill("Mine");
  await page.getByRole("button", { name: "Add website" }).click();
  await page.getByLabel("Website 1", { exact: true }).fill("https://mine.example");
  await change({ display_name: "Theirs", allowed_origins: ["https://theirs.example"] });
  await save.click();
  await page.getByText("Someone else saved other changes").waitFor();
  await page.getByText("No changes").waitFor();
  await eventuallyEqual(() => page.getByLabel("Display name").inputValue(), "Theirs");
  const { header_title, display_name, allowed_origins } = await brandingOf(id);
  assert.deepEqual([header_title, display_name], ["Mine", "Theirs"]);
  assert.deepEqual(allowed_origins, ["https://theirs.example", "https://mine.example"]);
  await change({ header_title: "Not yours" });
  await title.fill("Still mine");
  await save.click();
  await page.getByText("Someone else has changed this to “Not yours”").waitFor();
  await eventuallyEqual(() => title.evaluate((field) => [field.value, field === document.activeElement]), ["Still mine", true]);
  assert.equal((await brandingOf(id)).header_title, "Not yours");
  await save.click();
  await page.getByText("No changes").waitFor();
  assert.equal((await brandingOf(id)).header_title, "Still mine");
});

test("unsaved changes prompt before a link or the back button", async () => {
  await open("tenants");
  const { id } = await makeTenant("brand-guard", "Brand guard");
  await load("olivia", `tenants/${id}`);
  await page.getByRole("link", { name: "Edit branding" }).click();
  await page.getByLabel("Display name").fill("Half written");
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Templates" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  const stay = dialog.getByRole("button", { name: "Stay" });
  // The browser reports a closed dialog later. The link is followed again before that.
  await dialog.evaluate((element) => {
    const again = (_, observer) => {
      observer.disconnect();
      document.querySelector(".ui-shell__link[href$='/templates']").click();
    };
    new MutationObserver(again).observe(element, { attributeFilter: ["open"] });
  });
  await stay.click();
  await dialog.waitFor();
  await stay.click();
  await page.goBack();
  await dialog.waitFor();
  assert.equal(await page.getByLabel("Display name").inputValue(), "Half written");
  assert.match(page.url(), /branding$/);
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await page.waitForURL(new RegExp(`tenants/${id}$`));
  assert.equal((await brandingOf(id)).updated_at, null);
});

test("a page without changes is left without a prompt", async () => {
  await openBranding("brand-clean");
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Templates" }).click();
  await page.getByRole("heading", { level: 1, name: "Templates" }).waitFor();
});

test("a second host is deleted after the first one is gone", async () => {
  const { id } = await makeTenant("two-hosts", "Two hosts");
  for (const host of ["one.example", "two.example"]) await ask("POST", `${TENANTS}/${id}/allowed-hosts`, { host });
  await open(`tenants/${id}`);
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/allowed-hosts/*", async (route) => {
    await held;
    await route.continue();
  });
  const remove = (host) => page.getByRole("button", { name: `Delete: ${host}` });
  await remove("one.example").click();
  await remove("two.example").click();
  release();
  await remove("one.example").waitFor({ state: "detached" });
  await remove("two.example").click();
  await page.getByText("No hosts yet. All websites must be verified.").waitFor();
});

test("a tenant's page links to its latest changes", async () => {
  const { id } = await makeTenant("latest-rows", "Latest rows");
  await ask("PATCH", `${TENANTS}/${id}`, { display_name: "Latest rows renamed" });
  await open(`tenants/${id}`);
  await page.getByRole("main").getByRole("link", { name: /changed the tenant/ }).click();
  await page.getByRole("row", { name: /Display name/ }).waitFor();
});

test("a vendor sees a tenant's page without its branding", async () => {
  const { id } = await makeTenant("vendor-view", "Vendor view");
  await open(`tenants/${id}`, "victor");
  await page.getByRole("heading", { name: "Latest changes" }).waitFor();
  assert.equal(await page.getByRole("heading", { name: "Branding" }).count(), 0);
});

/** Makes tenants with a common prefix and selects those of the first page, ten a page. */
async function selectMany(prefix, count) {
  const made = [];
  for (let number = 1; number <= count; number += 1) made.push((await makeTenant(`${prefix}-${number}`, `${prefix} ${number}`)).id);
  await open(`tenants?q=${prefix}&size=10`);
  await page.getByRole("checkbox", { name: `Select ${prefix} 1`, exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  return made;
}

test("modules are assigned to all matches after confirmation", async () => {
  const made = await selectMany("fleet", 12);
  await page.getByRole("button", { name: "Select all 12 matching tenants" }).click();
  await page.getByText("12 selected").waitFor();
  await page.getByRole("button", { name: "Assign modules" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign modules" });
  const { items } = await ask("GET", "/api/v1/platform/modules?sort=position");
  const module = items.find(({ is_always_on }) => !is_always_on);
  await dialog.getByRole("checkbox", { name: module.name }).check();
  const apply = dialog.getByRole("button", { name: "Assign", exact: true });
  await eventuallyEqual(() => apply.isDisabled(), true);
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("textbox").fill("12");
  await apply.click();
  await page.getByText("Modules assigned. Tenants changed: 12.").waitFor();
  for (const id of [made[0], made[11]]) {
    assert.ok((await ask("GET", `${TENANTS}/${id}`)).enabled_modules.includes(module.id));
  }
});

test("tenants that could not be changed stay selected", async () => {
  await selectMany("partly", 2);
  await page.getByRole("button", { name: "Assign modules" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign modules" });
  await dialog.getByRole("checkbox").first().check();
  await dialog.getByRole("textbox").fill("2");
  let calls = 0;
  await page.route("**/modules/*", (route) =>
    (calls += 1) === 1 ? route.fulfill({ status: 503, json: { detail: "service_unavailable" } }) : route.continue(),
  );
  await dialog.getByRole("button", { name: "Assign", exact: true }).click();
  await dialog.getByText(/^Tenants that couldn't be changed: 1 of 2\..*The service can't be reached/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("1 selected").waitFor();
});

test("only Cancel stops an assignment of modules", async () => {
  await selectMany("ongoing", 2);
  await page.getByRole("button", { name: "Assign modules" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign modules" });
  await dialog.getByRole("checkbox").first().check();
  await dialog.getByRole("textbox").fill("2");
  const held = deferred();
  await page.route("**/modules/*", async (route) => {
    await held.promise;
    await route.continue();
  });
  // The field is disabled then, and no longer has the focus.
  await dialog.getByRole("textbox").press("Enter");
  await dialog.getByText("Tenants done: 0 of 2").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await dialog.isVisible(), true);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  held.resolve();
  await page.getByText("1 selected").waitFor();
});

test("tenants that could not be changed are tried again", async () => {
  await selectMany("retry", 2);
  await page.getByRole("button", { name: "Assign modules" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign modules" });
  await dialog.getByRole("checkbox").first().check();
  await dialog.getByRole("textbox").fill("2");
  const refused = { status: 503, json: { detail: "service_unavailable" } };
  await page.route("**/modules/*", (route) => route.fulfill(refused), { times: 1 });
  const apply = dialog.getByRole("button", { name: "Assign", exact: true });
  await apply.click();
  await dialog.getByText(/^Tenants that couldn't be changed: 1 of 2\./).waitFor();
  await dialog.getByText(/^Tenants \(1\): “retry \d”\.$/).waitFor();
  await dialog.getByRole("textbox", { name: "Type “1” to confirm" }).fill("1");
  await apply.click();
  await page.getByText("Modules assigned. Tenants changed: 1.").waitFor();
});

test("a failed deletion shows its error in the dialog", async () => {
  const refuse = (path) => page.route(path, (route) => route.fulfill({ status: 503, json: { detail: "service_unavailable" } }));
  await selectMany("undeleted", 1);
  await page.getByRole("button", { name: "Delete undeleted 1" }).click();
  let dialog = page.getByRole("dialog", { name: /undeleted 1/ });
  await dialog.getByRole("textbox").fill("undeleted-1");
  await refuse("**/platform/tenants/*");
  await dialog.getByRole("button", { name: /^Delete/ }).click();
  await dialog.getByRole("alert").getByText(/The service can't be reached/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete selected tenants" }).click();
  dialog = page.getByRole("dialog", { name: /^Delete the selected tenants/ });
  await dialog.getByRole("textbox").fill("1");
  await dialog.getByRole("button", { name: /^Delete/ }).click();
  await dialog.getByRole("alert").getByText(/The service can't be reached/).waitFor();
});

test("no tenant is changed before a module is chosen", async () => {
  await selectMany("nothing", 1);
  await page.getByRole("button", { name: "Assign modules" }).click();
  const dialog = page.getByRole("dialog", { name: "Assign modules" });
  await dialog.getByRole("textbox").fill("1");
  await dialog.getByRole("button", { name: "Assign", exact: true }).click();
  await dialog.getByText("Select at least one module.").waitFor();
});

test("dialogs about one tenant use the singular", async () => {
  await selectMany("single", 1);
  const speakOfOne = async (dialogs, cancel) => {
    for (const [button, title] of dialogs) {
      await page.getByRole("button", { name: button }).click();
      const dialog = page.getByRole("dialog", { name: title });
      assert.doesNotMatch(await dialog.innerText(), /\b1 (tenants|Mandanten)\b/);
      await dialog.getByRole("button", { name: cancel }).click();
    }
  };
  await speakOfOne([["Assign modules", "Assign modules"], ["Delete selected tenants", "Delete the selected tenants (1)?"]], "Cancel");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByRole("checkbox", { name: "Alle auf dieser Seite auswählen" }).setChecked(true);
  await speakOfOne([["Module zuweisen", "Module zuweisen"], ["Ausgewählte Mandanten löschen", "Ausgewählte Mandanten löschen (1)?"]], "Abbrechen");
  await page.getByRole("button", { name: "Sprache" }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
});

test("an unknown tenant leads back to the list and offers no retry", async () => {
  await open("tenants");
  await load("olivia", "tenants/00000000-0000-4000-8000-000000000000");
  const alert = page.getByRole("alert").filter({ hasText: "Not found" });
  await alert.waitFor();
  assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  await alert.getByRole("link", { name: "Go to the list" }).click();
  await page.getByRole("heading", { level: 1, name: "Tenants" }).waitFor();
});

test("tenant and branding fit a phone and break no policy", async () => {
  const { id } = await makeTenant("narrow-tenant", "Narrow tenant");
  await open(`tenants/${id}`, "olivia", { viewport: { width: 360, height: 740 } });
  const wide = [];
  for (const path of [`tenants/${id}`, `tenants/${id}/branding`, "tenants"]) {
    await load("olivia", path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    const width = await settledWidth(page);
    if (width > 360) wide.push(`${path}: ${width}`);
  }
  assert.deepEqual(wide, []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

/** A source as the API lists it. */
const sourceWith = (more) => ({
  id: "0192f0c4-7e1a-7c3b-9d2e-5a4b3c2d1e0f", chatbot_id: "0192f0c4-7e1a-7c3b-9d2e-5a4b3c2d1e0e", chatbot_name: "Help desk",
  kind: "upload", state: "ready", paused: false, host: null, documents: { waiting: 0, reading: 0, ready: 3, failed: 2 }, pages: null,
  reasons: [], bytes: 1_200_000, passages: 42, last_read_at: "2026-01-02T03:04:05Z", next_read_at: null, ...more,
});

test("a tenant without sources shows an empty state", async () => {
  const { id } = await makeTenant("sources-none", "Sources none");
  await open(`tenants/${id}`);
  await page.getByRole("heading", { level: 2, name: "Sources" }).waitFor();
  await page.getByText("No sources yet").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("a tenant's sources show states and reasons at 360 px", async () => {
  const { id } = await makeTenant("sources-some", "Sources some");
  await open("tenants", "olivia", { viewport: { width: 360, height: 740 } });
  const pages = { waiting: 0, found: 0, ready: 7, left_out: 2, failed: 1, missing: 0, looked_at: 10 };
  const items = [
    sourceWith({ reasons: [{ code: "encrypted", count: 2 }, { code: "of_tomorrow", count: 1 }] }),
    sourceWith({
      kind: "website", state: "unproven", paused: true, host: "a-rather-long-name-of-a-website.shop.example.com", pages,
      reasons: [{ code: "refused_by_robots", count: 1 }],
    }),
  ];
  await page.route(`**${TENANTS}/${id}/sources?*`, (route) => route.fulfill({ json: { items, total: 2, limit: 10, offset: 0 } }));
  await load("olivia", `tenants/${id}`);
  const list = page.getByRole("list", { name: "Sources" });
  const [uploads, website] = [0, 1].map((place) => list.locator(":scope > li").nth(place));
  await uploads.getByText("Ready", { exact: true }).waitFor();
  await uploads.getByText("Documents: 3 ready, 2 failed").waitFor();
  await uploads.getByText("Protected by a password (2)").waitFor();
  await uploads.getByText("of_tomorrow (1)").waitFor();
  await website.getByText("Not verified").waitFor();
  await website.getByText("Paused").waitFor();
  await website.getByText("Pages: 7 in use, 2 left out, 1 failed").waitFor();
  await website.getByText("Blocked by robots.txt (1)").waitFor();
  assert.ok((await settledWidth(page)) <= 360);
  assert.deepEqual(await accessibilityFindings(page), []);
});
