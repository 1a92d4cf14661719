// Quotas and usage: set by an operator on a tenant's page, seen by the tenant's people.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { call, page, showHeaded } from "../support/console.mjs";

// No test beside this one creates chatbots of this tenant.
const DEBIAN = "8c0b7e94-2f3d-4e61-b6a8-5d9e4c1a7b22";
const TENANT = `/api/v1/platform/tenants/${DEBIAN}`;

test("a tenant sees its quotas and its visitors' questions by day", async () => {
  await showHeaded("hanna", "usage");
  await page.getByRole("heading", { name: "Quotas" }).waitFor();
  await page.getByRole("progressbar", { name: "Chatbots" }).waitFor();
  await page.getByRole("heading", { name: "Visitors' questions per day (UTC)" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("the days of the usage are in the address and survive a reload", async () => {
  await showHeaded("hanna", "usage");
  const period = page.getByRole("combobox", { name: "Period" });
  const asked = page.waitForRequest((request) => request.url().endsWith("/tenants/me/usage?days=7"));
  await period.selectOption("7");
  await asked;
  await page.waitForURL((url) => url.search === "?days=7");
  const again = page.waitForRequest((request) => request.url().endsWith("/tenants/me/usage?days=7"));
  await page.reload();
  await again;
  await period.waitFor();
  assert.equal(await period.inputValue(), "7");
});

test("an operator changes a quota, and the tenant is warned", async () => {
  await showHeaded("olivia", `tenants/${DEBIAN}`);
  await page.getByRole("button", { name: "Change quotas" }).click();
  const dialog = page.getByRole("dialog", { name: "Change quotas" });
  await dialog.getByLabel("Chatbots").fill("1");
  await dialog.getByLabel("Documents").fill("many");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/Must be a number from 0/).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByLabel("Documents").fill("1.000");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Quotas saved.").waitFor();
  const { quotas } = await call("olivia", "GET", TENANT);
  assert.deepEqual([quotas.chatbots, quotas.documents], [1, 1000]);
  await page.getByText("Quotas are running out").waitFor();
  try {
    await showHeaded("dora", "");
    await page.getByRole("link", { name: "Show usage" }).click();
    await page.getByText("Used up").waitFor();
  } finally {
    await call("olivia", "PATCH", TENANT, { quotas: { chatbots: null, documents: null } });
  }
});
