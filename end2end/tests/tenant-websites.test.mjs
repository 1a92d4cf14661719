// The page with a chatbot's websites in the tenant console: which ones sent requests, why one was refused, and how to allow it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";

const bot = world.chatbot("debian-faq");

/** A widget's first request from a page of `origin`; its status. */
async function widgetAsks(origin, { id } = bot, version = "") {
  const address = `${world.dev.base_url}/api/v1/widget/config/${id}${version}`;
  return (await fetch(address, { headers: { origin } })).status;
}

/** Waits until the record says of a website that it asked with this version. */
async function recorded(origin, { id } = bot, username = "dora", version = null) {
  const path = `/api/v1/tenants/me/chatbots/${id}/embed-report`;
  const found = async () => (await call(username, "GET", path)).origins.find((of) => of.origin === origin);
  await eventuallyEqual(async () => (await found())?.widget_version, version);
}

const open = (username = "dora", { id } = bot) => show(username, `chatbots/${id}/install`);
const row = (origin) => page.getByRole("listitem").filter({ hasText: origin });

test("a refused website shows its reason and can be allowed", async () => {
  const origin = "https://refused.example";
  assert.equal(await widgetAsks(origin), 403);
  await recorded(origin);
  await open();
  await row(origin).getByText("This website isn't one of your allowed websites.").first().waitFor();
  await page.getByRole("button", { name: `Allow ${origin}` }).click();
  await row(origin).getByText("Now allowed").waitFor();
  assert.equal(await widgetAsks(origin, bot, "?v=0.0.1"), 200);
  await recorded(origin, bot, "dora", "0.0.1");
  await page.getByRole("button", { name: "Refresh" }).click();
  await row(origin).getByText("Accepted", { exact: true }).first().waitFor();
  await row(origin).getByText("Snippet from version 0.0.1, loads the current widget").waitFor();
});

test("two websites allowed at the same time are both kept", async () => {
  const [origin, other] = ["https://at-once.example", "https://their-own.example"];
  assert.equal(await widgetAsks(origin), 403);
  await recorded(origin);
  await open();
  const statuses = [];
  await page.route("**/api/v1/tenants/me/branding", async (route) => {
    if (route.request().method() === "PATCH" && !statuses.length) {
      const { allowed_origins } = await call("dora", "GET", "/api/v1/tenants/me/branding");
      await call("dora", "PATCH", "/api/v1/tenants/me/branding", { allowed_origins: [...allowed_origins, other] });
    }
    const response = await route.fetch();
    if (route.request().method() === "PATCH") statuses.push(response.status());
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: `Allow ${origin}` }).click();
  await row(origin).getByText("Now allowed").waitFor();
  assert.deepEqual(statuses, [412, 200]);
  const { allowed_origins } = await call("dora", "GET", "/api/v1/tenants/me/branding");
  assert.deepEqual([allowed_origins.includes(origin), allowed_origins.includes(other)], [true, true]);
});

test("the page check waits for the widget's request", async () => {
  await open();
  await page.getByLabel("Page address").fill("nonsense with spaces");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Enter a full web address").waitFor();
  await page.getByLabel("Page address").fill("waiting.example/help?page=2");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const result = page.getByRole("region", { name: "Result for https://waiting.example" });
  await result.getByText("Not in the list").waitFor();
  await result.getByText("OK", { exact: true }).waitFor();
  assert.equal(await result.getByRole("link", { name: "Open page" }).getAttribute("href"), "https://waiting.example/help?page=2");
  await result.getByText("Waiting for the widget on https://waiting.example").waitFor();
  assert.equal(await widgetAsks("https://waiting.example"), 403);
  await result.getByText("Widget detected").waitFor();
  await result.getByText("This website isn't one of your allowed websites.").first().waitFor();
});

test("a viewer sees the websites read-only", async () => {
  const help = world.chatbot("platform-help");
  const origin = "https://looked-at.example";
  assert.equal(await widgetAsks(origin, help), 403);
  await recorded(origin, help, "hanna");
  await open("henry", help);
  await row(origin).getByText("Only administrators of your organisation can make changes.").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Allow/ }).count(), 0);
});

test("the page passes axe in both languages and fits a phone", async () => {
  const origin = "https://a-rather-long-name-of-a-website-that-nobody-would-type.example";
  await widgetAsks(origin);
  await recorded(origin);
  await open();
  await row(origin).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.evaluate(() => localStorage.setItem("svc_language", "de"));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.getByRole("heading", { name: "Seite prüfen" }).waitFor();
  await row(origin).waitFor();
  assert.equal(await settledWidth(page), 360);
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
