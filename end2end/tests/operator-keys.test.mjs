// Keyboard shortcuts of the console, the live tail of the audit log, and the first page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show, showHeaded } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const TENANTS = "/api/v1/platform/tenants";

const open = (path = "", username = "olivia", options = {}) => showHeaded(username, path, options);

const ask = (...request) => call("olivia", ...request);

const palette = () => page.getByRole("dialog", { name: "Search or jump to" });

/** Opens the palette, and comes back once letters go into its field. */
async function openPalette() {
  // The keys close a palette that is still there.
  await palette().waitFor({ state: "hidden" });
  await page.keyboard.press("Control+k");
  await palette().locator("input:focus").waitFor();
}

test("the palette opens a page by name with the keyboard", async () => {
  await open();
  await openPalette();
  await page.keyboard.type("audit");
  await palette().getByRole("option", { name: /^Audit log/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  await palette().waitFor({ state: "hidden" });
});

test("the palette finds tenants and templates, arrows select", async () => {
  await ask("POST", TENANTS, { slug: "palette-one", display_name: "Palette One" });
  await open("templates");
  await openPalette();
  await page.keyboard.type("palette");
  await palette().getByRole("option", { name: /^Palette One/ }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Palette One" }).waitFor();
});

test("the palette reports no results, and Escape closes it", async () => {
  await open();
  await openPalette();
  await page.keyboard.type("zzzzzz");
  await palette().getByText("No results.").waitFor();
  await page.keyboard.press("Escape");
  await palette().waitFor({ state: "hidden" });
});

test("the palette creates a tenant, opens a page, sets the theme", async () => {
  await open();
  const choose = async (typed, name) => {
    await openPalette();
    await page.keyboard.type(typed);
    await palette().getByRole("option", { name, selected: true }).waitFor();
    await page.keyboard.press("Enter");
  };
  await choose("create ten", /^Create tenant/);
  await page.getByRole("dialog", { name: "New tenant" }).getByLabel("Slug").waitFor();
  assert.match(page.url(), /tenants$/, "a reload does not open the form again");
  await page.keyboard.press("Escape");
  await choose("connect", /^Connectors/);
  await page.getByRole("heading", { level: 1, name: "Connectors" }).waitFor();
  const navigation = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link");
  assert.ok((await navigation.count()) > 1);
  assert.equal(await navigation.filter({ hasText: "Connectors" }).count(), 0);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  for (const name of ["dark", "light"]) {
    await choose(name, new RegExp(`^Switch to the ${name} theme`));
    await eventuallyEqual(theme, name);
  }
});

test("the header's button opens the palette and names its keys", async () => {
  await open();
  const button = page.getByRole("button", { name: "Search or jump to" });
  await button.getByText("Ctrl K").waitFor();
  await button.click();
  await palette().locator("input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 360, height: 740 });
  await button.click();
  await palette().locator("input:focus").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("the product has no gallery of components", async () => {
  await open("gallery");
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
});

test("a vendor's palette creates nothing", async () => {
  await open("", "victor");
  await openPalette();
  await page.keyboard.type("create");
  await palette().getByText("No results.").waitFor();
});

test("the palette asks before it leaves unsaved changes", async () => {
  await ask("POST", "/api/v1/operator/templates", { id: "palette-guard-en", language: "en", name: "Guarded" });
  await open("templates/palette-guard-en/edit");
  await page.getByLabel("Welcome message").fill("Half written");
  await openPalette();
  await page.keyboard.type("audit");
  await palette().getByRole("option", { name: /^Audit log/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await eventuallyEqual(() => page.getByLabel("Welcome message").inputValue(), "Half written");
  await openPalette();
  await page.keyboard.type("audit");
  await palette().getByRole("option", { name: /^Audit log/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
});

test("the palette shows no stale results while it searches", async () => {
  await ask("POST", TENANTS, { slug: "stale-acme", display_name: "Stale Acme" });
  await open("templates");
  await openPalette();
  const field = palette().locator("input");
  await field.fill("stale acme");
  await palette().getByRole("option", { name: /^Stale Acme/ }).waitFor();
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/platform/tenants?*", (route) => held.then(() => route.continue()));
  const searched = page.waitForRequest("**/platform/tenants?*");
  await field.fill("zzzzzz");
  await eventuallyEqual(() => palette().getByRole("option").count(), 0);
  await searched;
  assert.equal(await palette().getByText("No results.").count(), 0);
  await field.press("Enter");
  assert.match(page.url(), /templates$/);
  release();
  await palette().getByText("No results.").waitFor();
});

test("a question mark lists the shortcuts, except while typing", async () => {
  await open("tenants");
  await page.getByRole("searchbox").fill("what");
  await page.getByRole("searchbox").press("?");
  await page.waitForURL(({ searchParams }) => searchParams.get("q") === "what?");
  assert.equal(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count(), 0);
  await page.getByRole("main").focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Ctrl K").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("a slash focuses the search of a list", async () => {
  await open("tenants");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("harbor");
  await page.waitForURL(/q=harbor/);
});

test("arrows move between table rows in the same column", async () => {
  for (const name of ["One", "Two"]) await ask("POST", TENANTS, { slug: `arrow-${name.toLowerCase()}`, display_name: `Arrow ${name}` });
  await open("tenants?q=arrow-");
  await page.getByRole("link", { name: "Arrow One" }).focus();
  await page.keyboard.press("ArrowDown");
  const focused = () => page.evaluate(() => document.activeElement.innerText || document.activeElement.ariaLabel);
  await eventuallyEqual(focused, "Arrow Two");
  await page.keyboard.press("ArrowUp");
  await eventuallyEqual(focused, "Arrow One");
  await page.getByRole("button", { name: "Edit Arrow One" }).focus();
  await page.keyboard.press("ArrowDown");
  await eventuallyEqual(focused, "Edit Arrow Two");
});

test("the focus stays on the pagination button that was pressed", async () => {
  await open("tenants?size=1");
  const second = page.getByRole("button", { name: "Page 2", exact: true });
  await second.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/offset=1/);
  await page.getByRole("button", { name: "Page 2", exact: true }).and(page.locator("[aria-current=page]")).waitFor();
  await eventuallyEqual(() => page.evaluate(() => document.activeElement.ariaLabel), "Page 2");
});

test("going back from a row restores the position in the list", async () => {
  await show("olivia", "audit", { viewport: { width: 1280, height: 400 } });
  await page.getByRole("row").nth(8).waitFor();
  const place = () => page.evaluate(() => Math.round(scrollY));
  const link = page.getByRole("row").nth(8).getByRole("link").first();
  await link.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 50);
  await eventuallyEqual(async () => (await place()) > 50, true);
  await link.click();
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  await eventuallyEqual(place, 0);
  await page.goBack();
  await page.getByRole("row").nth(8).waitFor();
  await eventuallyEqual(async () => (await place()) > 50, true);
});

test("a tenant is created and found with the keyboard alone", async () => {
  await open("tenants");
  await page.getByRole("button", { name: "New tenant" }).first().waitFor();
  await page.getByRole("main").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New tenant" }).getByRole("textbox", { name: "Name" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Keyboard Club");
  await page.keyboard.press("Enter");
  await page.getByText("Tenant “Keyboard Club” created.").waitFor();
  // The tenant's page offers to invite the first administrator.
  await page.getByRole("dialog", { name: "Invite the first administrator" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Invite the first administrator" }).waitFor({ state: "hidden" });
  await open("tenants");
  await page.getByRole("button", { name: "New tenant" }).first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("keyboard-club");
  await page.getByRole("link", { name: "Keyboard Club" }).waitFor();
  await openPalette();
  await page.keyboard.type("keyboard club");
  await page.getByRole("option", { name: /^Keyboard Club/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Keyboard Club" }).waitFor();
});

test("the live tail shows a new audit row without a reload", async () => {
  const { id } = await ask("POST", TENANTS, { slug: "live-tail", display_name: "Live tail" });
  await open(`audit?entity_id=${id}`);
  await page.getByRole("main").getByRole("link", { name: /created the tenant/ }).waitFor();
  await page.getByRole("switch", { name: "Live" }).check({ force: true });
  await page.waitForURL(/live=1/);
  await ask("PATCH", `${TENANTS}/${id}`, { display_name: "Live tail renamed" });
  await page.getByRole("main").getByRole("link", { name: /changed the tenant/ }).waitFor();
});

test("the live tail stops with a message when the API refuses", async () => {
  await open("audit?live=1");
  await page.getByRole("row").nth(1).waitFor();
  await page.route("**/platform/audit?*limit=1*", (route) =>
    route.fulfill({ status: 503, json: { detail: "service_unavailable" } }),
  );
  await page.getByText(/The service can't be reached/).waitFor();
  await page.waitForURL((url) => !url.search.includes("live"));
});

test("the overview has latest changes and an accessible plot", async () => {
  await ask("POST", TENANTS, { slug: "latest-change", display_name: "Latest change" });
  // Other files make changes at the same time, also of the names in older rows: the card asks for more rows than it usually shows.
  const askForMore = (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("limit", "200");
    return route.continue({ url: url.href });
  };
  await open("", "olivia", { prepare: (page) => page.route("**/platform/audit?*", askForMore) });
  await page.getByRole("heading", { name: "Questions per day" }).waitFor();
  await page.getByRole("heading", { name: "Output filter events per day" }).waitFor();
  const sentence = "olivia created the tenant Latest change";
  await page.getByRole("main").getByRole("link", { name: sentence }).click();
  await page.getByRole("heading", { level: 1, name: sentence }).waitFor();
});

const trends = () => page.locator("section[aria-labelledby=trends]");
const card = (name) => page.locator(".ui-card").filter({ has: page.getByRole("heading", { level: 2, name, exact: true }) });

test("the overview compares the chosen period with the days before", async () => {
  await open();
  await trends().getByRole("link", { name: /^New tenants \d+/ }).waitFor();
  await trends().getByText(/the 30 days before/).first().waitFor();
  await page.getByLabel("Period").selectOption({ label: "Last 90 days" });
  await page.waitForURL(/days=90/);
  await trends().getByText(/the 90 days before/).first().waitFor();
  await page.reload();
  await trends().getByText(/the 90 days before/).first().waitFor();
  assert.equal(await page.getByLabel("Period").inputValue(), "90");
});

test("the plots of the overview show the days before as a line", async () => {
  await open();
  await page.route(/\/_fn\/trends/, async (route) => {
    const response = await route.fetch();
    const trends = await response.json();
    for (const day of trends.days_before) [day.questions, day.filter_events] = [0, 0];
    Object.assign(trends.days_before.at(-1), { questions: 4, filter_events: 3 });
    await route.fulfill({ response, json: trends });
  });
  await page.reload();
  for (const [name, pattern] of [
    ["Questions per day", /^30 days: Questions [\d,]+, Period before 4$/],
    ["Output filter events per day", /^30 days: Events [\d,]+, Period before 3$/],
  ]) {
    const plot = page.getByRole("slider", { name, exact: true });
    await eventuallyEqual(async () => pattern.test(await plot.getAttribute("aria-valuetext")), true);
    await card(name).locator(".ui-plot__before").waitFor({ state: "attached" });
  }
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("the overview leads to the most active tenants", async () => {
  await open();
  const active = card("Most active tenants");
  await active.getByText(/^\d+ questions · /).first().waitFor();
  await active.getByRole("link", { name: "Harbor Supply" }).click();
  await page.getByRole("heading", { level: 1, name: "Harbor Supply" }).waitFor();
});

test("the overview tells the platform's health", async () => {
  await open("", "victor");
  await card("Platform health").getByText("Identity provider").waitFor();
  assert.equal(await card("Platform health").getByRole("link").count(), 0, "vendors may not run the check");
  await open();
  await card("Platform health").getByText("Background jobs").waitFor();
  await card("Platform health").getByRole("link", { name: "System check" }).click();
  await page.getByRole("heading", { level: 1, name: "System check" }).waitFor();
});

test("the overview in German passes axe", async () => {
  await open("?days=7");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "Zustand der Plattform" }).waitFor();
  await page.getByRole("heading", { name: "Aktivste Mandanten" }).waitFor();
  await page.getByRole("heading", { name: "Meistgenutzte Vorlagen" }).waitFor();
  await trends().getByText(/den 7 Tagen davor/).first().waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("button", { name: "Sprache" }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await page.getByRole("heading", { name: "Platform health" }).waitFor();
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("the overview passes axe, fits a phone, breaks no policy", async () => {
  await open("", "olivia", { viewport: { width: 360, height: 740 } });
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.ok((await settledWidth(page)) <= 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("hidden columns are kept for this user after a reload", async () => {
  await open("tenants");
  const head = () => page.getByRole("columnheader", { name: "Slug" });
  await head().waitFor();
  await page.getByRole("button", { name: "Columns" }).press("ArrowDown");
  const item = page.getByRole("menuitemcheckbox", { name: "Slug" });
  await item.waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await item.press("Enter");
  await head().waitFor({ state: "hidden" });
  assert.equal(await item.getAttribute("aria-checked"), "false");
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("columnheader", { name: "Name" }).waitFor();
  assert.equal(await head().count(), 0);
  const stored = await page.evaluate(() => Object.keys(localStorage));
  assert.ok(stored.includes("svc_columns:olivia:tenants"), stored.join());
  await page.getByRole("button", { name: "Columns" }).click();
  await item.click();
  await head().waitFor();
});
