// Lists of the operator console: pages beyond the end, search while typing, rows of filters, and the keyboard focus.
import assert from "node:assert/strict";
import { test } from "node:test";

import { place } from "../support/browser.mjs";
import { call, load, page, show, showHeaded } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { settled } from "../support/settled.mjs";

const TENANTS = "/api/v1/platform/tenants";

const makeTenant = (slug, display_name) => call("olivia", "POST", TENANTS, { slug, display_name });

/** What the focus is on, by its label or its text. */
const focused = () => page.evaluate(() => document.activeElement.ariaLabel || document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText);

test("a page beyond the end redirects to the last one", async () => {
  for (const number of [1, 2, 3]) await makeTenant(`past-end-${number}`, `Past end ${number}`);
  await showHeaded("olivia", "modules");
  await load("olivia", "tenants?q=past-end&size=2&offset=40");
  await page.getByText("3–3 of 3").waitFor();
  await page.getByRole("link", { name: "Past end 3" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Modules" }).waitFor();
});

test("a trailing space in the search stays while typing", async () => {
  await showHeaded("olivia", "tenants");
  const field = page.getByRole("searchbox");
  await field.pressSequentially("acme ");
  await page.waitForURL(/q=acme/);
  await field.pressSequentially("corp");
  await page.waitForURL(/q=acme(%20|\+)corp/);
  assert.equal(await field.inputValue(), "acme corp");
  await settled(page);
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await eventuallyEqual(() => field.inputValue(), "");
});

test("a search keeps filters that are filled in but not applied", async () => {
  await showHeaded("olivia", "audit");
  await page.getByText("Filters", { exact: true }).click();
  await page.locator("input[name=actor_user]").fill("olivia");
  const before = await page.evaluate(() => history.length);
  await page.getByRole("searchbox").fill("tenant");
  await page.waitForURL(/json_search=tenant/);
  await page.getByRole("searchbox").fill("tenants");
  await page.waitForURL(/json_search=tenants/);
  assert.equal(await page.locator("input[name=actor_user]").inputValue(), "olivia");
  assert.equal(await page.evaluate(() => history.length), before);
});

test("another page of vendor access keeps unapplied filters", async () => {
  const login = { username: "victor", client_id: "svc-api", scope: "vendor", session_id: null, ip_address: null };
  const items = [{ ...login, occurred_at: "2026-11-02T10:00:00Z" }];
  const prepare = (page) =>
    page.route("**/platform/vendor-access*", (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get("offset") ?? 0);
      return route.fulfill({ json: { items, total: 60, limit: 50, offset, is_recorded: true } });
    });
  await showHeaded("olivia", "vendor-access", { prepare });
  const user = page.locator("input[name=username]");
  await user.fill("victor");
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForURL(/offset=50/);
  await page.getByText("51–60 of 60").waitFor();
  assert.equal(await user.inputValue(), "victor");
});

test("the first and the last day of a filter are in one row", async () => {
  for (const [path, width] of [["vendor-access", 768], ["audit?actor_user=olivia", 1920]]) {
    await showHeaded("olivia", path, { viewport: { width, height: 900 } });
    const days = ["date_from", "date_to"].map((name) => page.locator(`input[name=${name}]`));
    const apart = async () => {
      const [[, from], [, to]] = await Promise.all(days.map(place));
      return to - from;
    };
    await eventuallyEqual(apart, 0);
  }
});

test("the focus stays nearby when a button removes itself", async () => {
  await makeTenant("focus-one", "Focus one");
  await showHeaded("olivia", "tenants?q=focus-one");
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Clear selection" }).press("Enter");
  await eventuallyEqual(focused, "Select all on this page");

  await show("olivia", "output-filter");
  await page.getByRole("textbox", { name: /^Tenant/ }).fill("focus-one");
  await page.getByRole("button", { name: /^Focus one/ }).press("Enter");
  await eventuallyEqual(() => page.getByRole("textbox", { name: /^Tenant/ }).evaluate((field) => field === document.activeElement), true);
});

test("removing a question focuses the next one or the add button", async () => {
  const faq_seed = ["One?", "Two?"].map((question) => ({ question, answer: "Yes." }));
  await call("olivia", "POST", "/api/v1/operator/templates", { id: "focus-en", language: "en", name: "Focus", faq_seed });
  await showHeaded("olivia", "templates/focus-en/edit");
  await page.getByRole("button", { name: "Remove question 2" }).press("Enter");
  await eventuallyEqual(focused, "Remove question 1");
  await page.keyboard.press("Enter");
  await eventuallyEqual(focused, "Add question");
});
