// Quotas and usage: set by an operator on a tenant's page, seen by the tenant's people.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { call, page, showEmpty, showHeaded, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { choosePassword, isSignedIn, logIn, tenantConsole } from "../support/sign-in.mjs";

const TENANTS = "/api/v1/platform/tenants";
const DEBIAN = "8c0b7e94-2f3d-4e61-b6a8-5d9e4c1a7b22";
const TENANT = `${TENANTS}/${DEBIAN}`;
// Distinguishes the tenant of this run from that of an earlier one in the same world.
const RUN = Date.now().toString(36);

test("a tenant sees its quotas and its visitors' questions by day", async () => {
  await showHeaded("hanna", "usage");
  await page.getByRole("heading", { name: "Quotas" }).waitFor();
  await page.getByRole("progressbar", { name: "Chatbots" }).waitFor();
  await page.getByRole("heading", { name: "Visitors' questions per day (UTC)" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

for (const [username, path, endpoint] of [
  ["hanna", "usage", "/api/v1/tenants/me/usage"],
  ["olivia", `tenants/${DEBIAN}`, `${TENANT}/usage`],
]) {
  test(`the address keeps the days of usage on reload (${username})`, async () => {
    await showHeaded(username, path);
    const period = page.getByRole("combobox", { name: "Period" });
    const isAsked = (request) => request.url().endsWith(`${endpoint}?days=7`);
    const asked = page.waitForRequest(isAsked);
    await period.selectOption("7");
    await asked;
    await page.waitForURL((url) => url.search === "?days=7");
    const again = page.waitForRequest(isAsked);
    await page.reload();
    await again;
    await period.waitFor();
    assert.equal(await period.inputValue(), "7");
  });
}

const STORED = "Documents and storage per day (UTC)";
const plot = () => page.getByRole("slider", { name: STORED });
const valueText = () => plot().getAttribute("aria-valuetext");

/** Lets the page get what `change` makes of the recorded days. */
async function changeDays(path, change) {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const usage = await response.json();
    await route.fulfill({ response, json: { ...usage, stored: change(usage.stored) } });
  });
  await page.reload();
}

/** Lets the page get more days than the demo world has, which is new. */
async function recordDays(path) {
  const day = (date, documents, bytes) => ({ date, documents, bytes, passages: 10 * documents, pages: 0, chatbots: 1 });
  const days = [day("2026-01-30", 2, 1_000_000), day("2026-01-31", 3, 1_500_000), day("2026-02-01", 5, 2_500_000)];
  await changeDays(path, () => days);
  await plot().waitFor();
}

test("a new tenant reads that its plot starts tomorrow", async () => {
  await showHeaded("hanna", "usage");
  // After midnight, the demo world has yesterday as well.
  await changeDays(/\/tenants\/me\/usage/, (days) => days.slice(-1));
  await page.getByRole("heading", { name: STORED }).waitFor();
  await page.getByText("These numbers are recorded every day. The plot starts tomorrow.").waitFor();
  assert.equal(await plot().count(), 0);
});

test("the usage plot shows the last day and keeps its choice", async () => {
  await showHeaded("hanna", "usage", { viewport: { width: 360, height: 740 } });
  await recordDays(/\/tenants\/me\/usage/);
  assert.match(await valueText(), /2026: Documents 5$/);
  await plot().press("Home");
  await eventuallyEqual(async () => /2026: Documents 2$/.test(await valueText()), true);
  const shown = page.getByRole("combobox", { name: "What the plot shows" });
  await shown.selectOption({ label: "Storage for uploaded files" });
  await eventuallyEqual(async () => /2026: Storage for uploaded files 2\.5.MB$/.test(await valueText()), true);
  assert.equal(new URL(page.url()).search, "?shown=bytes");
  await page.reload();
  await plot().waitFor();
  assert.equal(await shown.inputValue(), "bytes");
  const table = page.getByRole("table", { name: STORED });
  await page.locator(".ui-plot", { has: plot() }).getByText("Show as table").click();
  await eventuallyEqual(async () => (await table.getByRole("cell").allInnerTexts()).map((text) => text.replace(/\s/, " ")), [
    "1 MB",
    "1.5 MB",
    "2.5 MB",
  ]);
  await shown.selectOption({ label: "Web pages" });
  await page.getByText("None on these days.").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("the plot states the change since the tenant's first day", async () => {
  await showHeaded("hanna", "usage");
  await recordDays(/\/tenants\/me\/usage/);
  await page.getByText(/^Today: .+ · Since 30 Jan 2026: \+3$/).waitFor();
  await page.getByRole("combobox", { name: "What the plot shows" }).selectOption({ label: "Storage for uploaded files" });
  await page.getByText(/^Today: .+ · Since 30 Jan 2026: \+1\.5\sMB$/).waitFor();
});

test("an operator sees how much a tenant had", async () => {
  await showHeaded("olivia", `tenants/${DEBIAN}`);
  await recordDays(`**${TENANT}/usage*`);
  assert.match(await valueText(), /2026: Documents 5$/);
  assert.deepEqual(await accessibilityFindings(page), []);
});

/** Whether each row of a grid reaches its end, from top to bottom. */
const filledRows = (grid) =>
  grid.evaluate((element) => {
    const ends = new Map();
    for (const card of element.children) {
      const { top, right } = card.getBoundingClientRect();
      ends.set(Math.round(top), Math.round(right));
    }
    const end = Math.round(element.getBoundingClientRect().right);
    return [...ends.values()].map((right) => right === end);
  });

test("the cards of a tenant's usage leave no hole on its page", async () => {
  await showHeaded("olivia", `tenants/${DEBIAN}`);
  const grid = page.locator(".ui-grid--two", { has: page.getByRole("heading", { name: STORED }) });
  await grid.waitFor();
  const cards = await grid.locator(":scope > .ui-card").count();
  for (const [width, rows] of [[1280, Math.ceil(cards / 2)], [1440, Math.ceil(cards / 2)], [360, cards]]) {
    await page.setViewportSize({ width, height: 800 });
    await eventuallyEqual(() => filledRows(grid), Array(rows).fill(true));
  }
});

test("an operator changes a quota, and the tenant is warned", async () => {
  // A tenant of its own: other tests need the quotas of theirs.
  const { id } = await call("olivia", "POST", TENANTS, { slug: `quotas-${RUN}`, display_name: `Quotas ${RUN}` });
  const username = `quinn-${RUN}`;
  const quinn = { username, first_name: "Quinn", last_name: "Quay", email: `${username}@quay.example`, role: "admin" };
  const { first_password } = await call("olivia", "POST", `${TENANTS}/${id}/people`, quinn);
  await showHeaded("olivia", `tenants/${id}`);
  await page.getByRole("button", { name: "Change quotas" }).click();
  const dialog = page.getByRole("dialog", { name: "Change quotas" });
  await dialog.getByLabel("Chatbots").fill("0");
  await dialog.getByLabel("Documents").fill("-1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/Must be a number from 0/).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  const storage = dialog.getByLabel(/^Storage/);
  for (const text of ["many", "2.5", "2,5", "0.500", "1,00,000"]) {
    await storage.fill(text);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter a whole number.").waitFor();
  }
  await storage.fill("2,000");
  await dialog.getByLabel("Documents").fill("1.000");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Quotas saved.").waitFor();
  const { quotas } = await call("olivia", "GET", `${TENANTS}/${id}`);
  assert.deepEqual([quotas.chatbots, quotas.documents, quotas.bytes], [0, 1000, 2_000_000_000]);
  await page.getByText("Quotas used up or almost used up").waitFor();
  await showEmpty();
  await logIn(page, world, tenantConsole(world), { username, password: first_password });
  await choosePassword(page, "a-password-of-my-own");
  await isSignedIn(page);
  await page.getByRole("link", { name: "Show usage" }).click();
  await page.getByText("Used up", { exact: true }).waitFor();
});
