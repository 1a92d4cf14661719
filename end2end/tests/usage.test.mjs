// Quotas and usage: set by an operator on a tenant's page, seen by the tenant's people.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { call, page, showHeaded } from "../support/console.mjs";

const HARBOR = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
const TENANT = `/api/v1/platform/tenants/${HARBOR}`;

test("a tenant sees its quotas and its visitors' questions by day", async () => {
  await showHeaded("hanna", "usage");
  await page.getByRole("heading", { name: "Quotas" }).waitFor();
  await page.getByRole("progressbar", { name: "Chatbots" }).waitFor();
  await page.getByRole("heading", { name: "Visitors' questions per day (UTC)" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("an operator changes a quota, and the tenant is warned", async () => {
  await showHeaded("olivia", `tenants/${HARBOR}`);
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
    await showHeaded("hanna", "");
    await page.getByRole("link", { name: "Show usage" }).click();
    await page.getByText("Used up").waitFor();
  } finally {
    await call("olivia", "PATCH", TENANT, { quotas: { chatbots: null, documents: null } });
  }
});
