// The operator console as operators and vendors use it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { load, page, showEmpty, showHeaded, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { deferred } from "../support/fake-platform.mjs";
import { consoleOf, fillLogin, isSignedIn, signIn } from "../support/sign-in.mjs";
import { onKeycloak } from "../support/world.mjs";

const PAGES = {
  "": "Overview",
  tenants: "Tenants",
  "tenants/6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11": "Harbor Supply",
  templates: "Templates",
  "templates/new": "New template",
  "templates/product-help-en": "Product help",
  "vendor-access": "Vendor access",
  "system-check": "System check",
  connectors: "Connectors",
  nowhere: "Page not found",
};

/** Opens a page of the console as olivia, once its heading is there. */
const open = (path = "", username = "olivia", options = {}) => showHeaded(username, path, options);

async function total(username, path) {
  return (await (await world.call(username, "GET", path)).json()).total;
}

/** Makes a tenant through the API. */
async function makeTenant(slug, display_name) {
  const made = await world.call("olivia", "POST", "/api/v1/platform/tenants", { slug, display_name });
  assert.equal(made.status, 201, await made.text());
}

/** Fills the dialog "New tenant" and sends it. */
async function fillNewTenant(name, slug) {
  await page.getByRole("button", { name: "New tenant" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New tenant" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Slug").fill(slug);
  await dialog.getByRole("button", { name: "Create tenant" }).click();
  return dialog;
}

test("olivia signs in at the provider and sees the overview", async () => {
  await showEmpty();
  await signIn(page, world, "olivia");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("a sign-in returns to the requested page", async () => {
  await showEmpty();
  await signIn(page, world, "olivia", "templates?q=help");
  assert.equal(page.url(), `${consoleOf(world, "olivia")}templates?q=help`);
});

test("a wrong password shows an error on the provider's page", async () => {
  await showEmpty();
  await page.goto(consoleOf(world, "olivia"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await fillLogin(page, { username: "olivia", password: "wrong" });
  await page.getByText(/(Incorrect|Invalid) username or password/).first().waitFor();
});

test("the sign-in leaves no token in storage, cookies or address", async () => {
  await showEmpty();
  await signIn(page, world, "olivia");
  const seen = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, location.href]),
  );
  assert.doesNotMatch(seen, /eyJ|code=|state=|token|verifier/i);
});

test("a reload stays signed in without the provider's page", async () => {
  await open("tenants");
  const shown = [];
  page.on("domcontentloaded", () => shown.push(new URL(page.url()).origin));
  await page.reload();
  await isSignedIn(page);
  assert.ok(!shown.includes(world.dev.auth_url), shown.join(" "));
});

test("signing out ends the session at the provider", async () => {
  await showEmpty();
  await signIn(page, world, "oscar");
  await signOut(page);
  await page.getByText("You are signed out.").waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("#password").waitFor();
});

/** Fills a field of a new template in a session of its own, which the test may end. */
async function typeUnsaved() {
  await showEmpty();
  await signIn(page, world, "oscar", "templates/new");
  const field = page.getByLabel("Welcome message");
  await field.fill("Half written");
  return field;
}

async function signOut(page) {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

test("signing out asks before it leaves unsaved changes", async () => {
  const field = await typeUnsaved();
  const left = [];
  page.on("request", (request) => request.url().includes("/logout") && left.push(request.url()));
  await signOut(page);
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  assert.deepEqual([await field.inputValue(), left], ["Half written", []]);
  await signOut(page);
  await dialog.getByRole("button", { name: "Discard changes" }).click();
  await page.getByText("You are signed out.").waitFor();
});

test("a sign-out in another tab keeps unsaved input on its page", async () => {
  const field = await typeUnsaved();
  const other = await page.context().newPage();
  await other.goto(consoleOf(world, "oscar"));
  await isSignedIn(other);
  await signOut(other);
  await other.getByText("You are signed out.").waitFor();
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await ended.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await field.inputValue(), "Half written");
});

test("the overview shows the API's number of tenants", async () => {
  await open();
  const main = page.getByRole("main");
  const count = () => total("olivia", "/api/v1/platform/tenants");
  const shows = (number) => main.getByRole("link", { name: `Tenants ${number}`, exact: true });
  // Other tests add and delete tenants meanwhile.
  await eventuallyEqual(async () => {
    const before = shows(await count());
    await page.reload();
    await main.getByRole("link", { name: /^Tenants \d+$/ }).waitFor();
    return before.or(shows(await count())).count();
  }, 1);
});

test("the list of tenants shows Harbor Supply", async () => {
  await open("tenants?q=harbor");
  await page.getByRole("cell", { name: "Harbor Supply" }).first().waitFor();
});

test("the search narrows the list of tenants", async () => {
  await open("tenants");
  await page.getByRole("searchbox").fill("harbor");
  await page.getByRole("cell", { name: "Debian Friends" }).first().waitFor({ state: "detached" });
});

test("the search is in the address and survives a reload", async () => {
  await open("tenants");
  await page.getByRole("searchbox").fill("harbor");
  await page.waitForURL(/[?&]q=harbor/);
  await page.reload();
  await page.getByRole("cell", { name: "Harbor Supply" }).first().waitFor();
  await eventuallyEqual(() => page.getByRole("searchbox").inputValue(), "harbor");
});

test("a search without results can be cleared", async () => {
  await open("tenants?q=zzzz");
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await page.getByRole("row").nth(2).waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "");
});

test("a tenant is created through the dialog", async () => {
  await open("tenants?q=lighthouse");
  await fillNewTenant("Lighthouse Books", "lighthouse-books");
  // The tenant's page offers to invite the first administrator.
  await page.getByRole("dialog", { name: "Invite the first administrator" }).getByRole("button", { name: "Not now" }).click();
  await page.getByRole("heading", { level: 1, name: "Lighthouse Books" }).waitFor();
});

test("the latest changes name a new tenant once, also when it is deleted", async () => {
  await makeTenant("named-once", "Named once");
  const { items } = await (await world.call("olivia", "GET", "/api/v1/platform/tenants?q=named-once")).json();
  const changes = async () => {
    await open();
    // Other tests make changes at the same time.
    await page.route(/platform\/audit\?/, (route) => route.continue({ url: `${route.request().url()}&entity_id=${items[0].id}` }));
    await page.reload();
    const lines = page.getByRole("listitem").filter({ hasText: /olivia (created|deleted) the tenant/ });
    await lines.first().waitFor();
    return (await lines.allInnerTexts()).map((line) => line.match(/^.*the tenant [^\n]*/)[0].replace(/Operator.*/, "").trim());
  };
  assert.deepEqual(await changes(), ["olivia created the tenant Named once"]);
  await world.call("olivia", "DELETE", `/api/v1/platform/tenants/${items[0].id}`);
  assert.deepEqual(await changes(), ["olivia deleted the tenant Named once", "olivia created the tenant Named once"]);
});

test("rows of tenants show their buttons on a narrow screen", async () => {
  const name = "Internationale Beteiligungsgesellschaft";
  await makeTenant("international-holding", name);
  await open("tenants?q=international-holding", "olivia", { viewport: { width: 360, height: 740 } });
  const { x, width } = await page.getByRole("button", { name: `Delete ${name}` }).boundingBox();
  assert.ok(x + width <= 360, `${x + width}`);
  await page.locator(".ui-table__note", { hasText: "international-holding" }).waitFor();
});

test("the dialog suggests a slug for the name", async () => {
  await open("tenants");
  await page.getByRole("button", { name: "New tenant" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Müller & Söhne");
  assert.match(await page.getByRole("dialog").getByLabel("Slug").inputValue(), /^m[a-z]*ller-s[a-z]*hne$/);
});

test("a taken slug shows an error at its field", async () => {
  await open("tenants");
  const dialog = await fillNewTenant("Another harbour", "harbor");
  await dialog.getByText("This slug is already taken.").waitFor();
  await eventuallyEqual(() => dialog.getByLabel("Slug").getAttribute("aria-invalid"), "true");
});

test("Escape closes the dialog and creates nothing", async () => {
  await open("tenants");
  await page.getByRole("button", { name: "New tenant" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Nobody");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(await total("olivia", "/api/v1/platform/tenants?q=nobody"), 0);
});

test("a tenant's page shows its chatbots", async () => {
  await open("tenants?q=harbor");
  await page.getByRole("link", { name: "Harbor Supply" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Harbor Supply" }).waitFor();
  await page.getByRole("cell", { name: "Platform help" }).first().waitFor();
});

test("a tenant is deleted only after its slug is typed", async () => {
  await makeTenant("short-lived", "Short-lived");
  await open("tenants?q=short-lived");
  await page.getByRole("button", { name: "Delete Short-lived" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Short-lived”?" });
  const confirm = dialog.getByRole("button", { name: "Delete tenant" });
  await eventuallyEqual(() => confirm.isDisabled(), true);
});

test("a deleted tenant disappears from the list", async () => {
  await makeTenant("leaving", "Leaving");
  await open("tenants?q=leaving");
  await page.getByRole("button", { name: "Delete Leaving" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Leaving”?" });
  await dialog.getByRole("textbox").fill("leaving");
  await dialog.getByRole("button", { name: "Delete tenant" }).click();
  await page.getByRole("cell", { name: "leaving" }).first().waitFor({ state: "detached" });
  assert.equal(await total("olivia", "/api/v1/platform/tenants?q=leaving"), 0);
});

test("a vendor sees no button that changes a tenant", async () => {
  await open("tenants?q=harbor", "victor");
  await page.getByRole("cell", { name: "Harbor Supply" }).first().waitFor();
  const buttons = page.getByRole("main").getByRole("button", { name: /^(New|Edit|Delete)/ });
  assert.equal(await buttons.count(), 0);
});

test("a vendor sees no button that changes a tenant on its page", async () => {
  await open("tenants/6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11", "victor");
  const buttons = page.getByRole("main").getByRole("button", { name: /^(Edit|Delete)/ });
  assert.equal(await buttons.count(), 0);
});

test("a vendor sees the reason", async () => {
  await open("tenants", "victor");
  await page.getByRole("main").getByText(/edit templates. Only operators can change tenants/).first().waitFor();
});

test("the chosen dark theme applies before the first paint", async () => {
  await open("", "oscar");
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.addInitScript(() => {
    // Nothing is painted before there is a body.
    const early = () => document.body && (window.themeBeforePaint ??= document.documentElement.dataset.theme ?? "none");
    new MutationObserver(early).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await isSignedIn(page);
  assert.equal(await page.evaluate(() => window.themeBeforePaint), "dark");
});

test("a theme that is chosen before the stored one arrives stays", async () => {
  const chosen = deferred();
  const answerLate = async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    await chosen.promise;
    await route.fulfill({ json: { preferred_theme: "light" } });
  };
  await open("", "oscar", { prepare: (page) => page.route("**/users/me/preferences", answerLate) });
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  const arrived = page.waitForEvent("requestfinished", (request) => request.method() === "GET" && /\/me\/preferences$/.test(request.url()));
  chosen.resolve();
  await arrived;
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

test("no page breaks the content security policy or logs errors", async () => {
  await open();
  for (const name of ["Tenants", "Templates", "Modules", "Overview"]) {
    await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.waitForLoadState("networkidle");
  }
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("axe finds nothing on the page before the sign-in", async () => {
  await showEmpty();
  await page.goto(consoleOf(world, "olivia"));
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("axe finds nothing on the provider's page", { skip: onKeycloak() && "the page is Keycloak's own" }, async () => {
  await showEmpty();
  await page.goto(consoleOf(world, "olivia"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("#password").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("the dialog that creates a tenant passes axe", async () => {
  await open("tenants");
  await fillNewTenant("", "");
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("every page fits a narrow screen", async () => {
  await open("", "olivia", { viewport: { width: 360, height: 740 } });
  const wide = [];
  for (const path of Object.keys(PAGES)) {
    await load("olivia", path);
    await page.getByRole("heading", { level: 1, name: PAGES[path] }).waitFor();
    await page.waitForLoadState("networkidle");
    const width = await settledWidth(page);
    if (width > 360) wide.push(`${path}: ${width}`);
  }
  assert.deepEqual(wide, []);
});

test("the sign-in works without later parts", async () => {
  await showEmpty();
  const code = /\/pkg\/(split|chunk)_/;
  await page.route(code, (route) => route.abort());
  await page.goto(consoleOf(world, "olivia"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await fillLogin(page, world.user("olivia"));
  await page.getByRole("alert").filter({ hasText: "didn't load completely" }).waitFor();
  await page.unroute(code);
  await page.getByRole("button", { name: "Try again" }).click();
  await isSignedIn(page);
});

/** The console's own page as it is asked for from now on; returning from the identity provider has a query, and does not count. */
function documents() {
  const asked = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.resourceType() === "document" && pathname.startsWith("/admin/operator/") && !search) asked.push(pathname);
  });
  return asked;
}

const gone = (route) => route.fulfill({ status: 404, json: { detail: "Not Found" } });

test("a console whose part is gone reloads itself", async () => {
  await showHeaded("olivia");
  const asked = documents();
  await page.route("**/pkg/split_pages*.wasm", (route) => (asked.length ? route.continue() : gone(route)));
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  assert.deepEqual(asked, ["/admin/operator/audit"]);
});

test("a console whose part stays missing reloads only once", async () => {
  await showHeaded("olivia");
  const asked = documents();
  await page.route("**/pkg/split_pages*.wasm", gone);
  await page.getByRole("link", { name: "Audit log" }).click();
  await eventuallyEqual(() => asked.length, 1);
  await page.getByRole("alert").filter({ hasText: /went wrong|didn't load completely/ }).first().waitFor();
  assert.deepEqual(asked, ["/admin/operator/audit"]);
});

for (const file of ["app-*.js", "app-*_bg.wasm", "operator-*.css"]) {
  test(`a page whose ${file} is gone reloads itself`, async () => {
    await showEmpty();
    const asked = documents();
    await page.route(`**/pkg/${file}`, (route) => (asked.length > 1 ? route.continue() : gone(route)));
    // A console that starts would leave the page for its silent sign-in, at times before the page has loaded.
    if (file.endsWith(".css")) await page.route("**/pkg/app-*_bg.wasm", (route) => (asked.length > 1 ? route.continue() : route.abort()));
    await page.goto(consoleOf(world, "olivia"), { waitUntil: "commit" });
    await eventuallyEqual(() => asked.length, 2);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.deepEqual(asked, ["/admin/operator/", "/admin/operator/"]);
  });
}

test("a page whose code failed to load can be retried", async () => {
  await showHeaded("olivia");
  const code = "**/pkg/split_pages*.wasm";
  await page.route(code, (route) => route.abort());
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("alert").filter({ hasText: "Something went wrong" }).waitFor();
  await page.unroute(code);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  assert.match(page.url(), /\/audit$/);
});
