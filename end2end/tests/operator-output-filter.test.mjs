// The export of the output-filter audit: starting, watching and stopping it, as operator and as vendor.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { causeFilterEvents } from "../support/filter-events.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const HARBOR = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
const AUDIT = `/api/v1/platform/audit?action=output_filter_audit.exported&entity_id=${HARBOR}`;
const EXPORT = "**/output-filter-audit/export*";

async function open(path = "output-filter", username = "olivia", options = {}) {
  await show(username, path, options);
  await page.getByRole("heading", { level: 1, name: "Output filter" }).waitFor();
  return page;
}

const start = () => page.getByRole("button", { name: "Start export" }).click();

/** The audit row of the latest export of Harbor Supply. */
async function latestExport() {
  const answer = await world.call("olivia", "GET", `${AUDIT}&limit=1`);
  return (await answer.json()).items[0];
}

test("the export has the server's file name and its audit row", async () => {
  await open();
  await page.getByLabel(/^From/).fill("2026-01-02T03:04");
  await page.getByLabel(/^To/).fill("2026-12-31T23:59");
  await page.getByRole("textbox", { name: /^Tenant/ }).fill("harbor");
  await page.getByRole("button", { name: /^Harbor Supply/ }).click();
  await page.getByText("Selected: Harbor Supply").waitFor();
  await page.getByLabel("Row limit").fill("7");
  const [file] = await Promise.all([page.waitForEvent("download"), start()]);
  assert.match(file.suggestedFilename(), new RegExp(`^svc-output-filter-audit-${HARBOR}-\\d{8}-\\d{6}\\.csv$`));
  assert.match(readFileSync(await file.path(), "utf8"), /^"id","tenant_id",.*"excerpt"\r\n/);
  await page.getByText(/^Export complete/).waitFor();
  const { details, entity_id } = await latestExport();
  assert.equal(entity_id, HARBOR);
  assert.deepEqual([details.max_rows, details.include_full_output], [7, false]);
  assert.deepEqual([details.date_from, details.date_to].map((moment) => Date.parse(moment)), [
    Date.parse("2026-01-02T03:04:00Z"),
    Date.parse("2026-12-31T23:59:59.999Z"),
  ]);
});

test("events are counted by category and listed without texts", async () => {
  const name = await causeFilterEvents(world, "hanna", "filter-list");
  const { total, categories } = await call("olivia", "GET", `/api/v1/platform/output-filter-audit/summary?tenant=${HARBOR}`);
  assert.deepEqual(categories.map(({ category }) => category), ["pii"]);
  await open(`output-filter?tenant=${HARBOR}`);
  const tiles = page.getByRole("navigation", { name: "Categories" });
  await tiles.getByRole("link", { name: new RegExp(`^All events ${total}$`) }).waitFor();
  await page.getByRole("row", { name: new RegExp(`Personal data.*Harbor Supply.*${name}`, "s") }).first().waitFor();
  assert.doesNotMatch(await page.getByRole("main").innerText(), /4111|DE89|which card/i);
  await tiles.getByRole("link", { name: /^Secrets/ }).click();
  await page.waitForURL(/category=secret/);
  await page.getByText("No results").waitFor();
  assert.equal(await tiles.getByRole("link", { name: /^Secrets/ }).getAttribute("aria-current"), "true");
  await tiles.getByRole("link", { name: /^Personal data/ }).click();
  await eventuallyEqual(() => page.getByRole("row").count(), total + 1);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.reload();
  await page.getByText("Selected: Harbor Supply").waitFor();
  await eventuallyEqual(() => page.getByRole("row").count(), total + 1);
});

test("the row count before an export follows the filters", async () => {
  await open();
  const { total } = await call("olivia", "GET", "/api/v1/platform/output-filter-audit/summary");
  await page.getByText(`The file will have about ${total} rows.`).waitFor();
  await page.getByLabel("Row limit").fill("1");
  await page.getByText(`The file will contain only the oldest 1 of ${total} rows.`).waitFor();
  await page.getByLabel(/^To/).fill("2020-01-01T00:00");
  await page.waitForURL(/to=2020-01-01T00/);
  await page.getByText("The file will be empty: there are no events in this period.").waitFor();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await page.getByText(`The file will contain only the oldest 1 of ${total} rows.`).waitFor();
  await eventuallyEqual(() => page.getByLabel(/^To/).inputValue(), "");
});

test("a file that was cut at its row limit is reported", async () => {
  await open();
  const body = '"id","tenant_id"\r\n"1","2"\r\n"#TRUNCATED",""\r\n';
  const headers = { "content-type": "text/csv", "content-disposition": 'attachment; filename="cut.csv"' };
  await page.route(EXPORT, (route) => route.fulfill({ body, headers }));
  const [file] = await Promise.all([page.waitForEvent("download"), start()]);
  assert.equal(file.suggestedFilename(), "cut.csv");
  await page.getByText(/^The export reached the row limit and is incomplete: .*byte/).waitFor();
});

test("a cut file is reported if its last row comes in two parts", async () => {
  await open();
  await page.evaluate(() => {
    const fetch = window.fetch;
    const parts = ['"id","tenant_id"\r\n"1","2"\r\n"#TRUN', 'CATED",""\r\n'].map((part) => new TextEncoder().encode(part));
    const start = (stream) => {
      for (const part of parts) stream.enqueue(part);
      stream.close();
    };
    const exported = () => new Response(new ReadableStream({ start }), { headers: { "content-type": "text/csv" } });
    window.fetch = async (request, ...more) =>
      /output-filter-audit\/export/.test(request.url ?? request) ? exported() : fetch(request, ...more);
  });
  await Promise.all([page.waitForEvent("download"), start()]);
  await page.getByText(/^The export reached the row limit and is incomplete: .*byte/).waitFor();
});

test("invalid export filters show errors at their fields", async () => {
  await open();
  await page.getByLabel("Row limit").fill("500001");
  await start();
  await page.getByText(/between 1 and 500000/).waitFor();
  await page.getByLabel("Row limit").fill("10");
  await page.getByLabel(/^From/).fill("2026-02-01T00:00");
  await page.getByLabel(/^To/).fill("2026-01-01T00:00");
  await start();
  await page.getByText("The start must be before the end.").waitFor();
  const isFocused = () => page.getByLabel(/^To/).evaluate((field) => field === document.activeElement);
  await eventuallyEqual(isFocused, true);
  await page.getByLabel(/^To/).fill("");
  await page.getByRole("textbox", { name: /^Tenant/ }).fill("no such tenant");
  await page.getByText("No matching tenants.").waitFor();
  await start();
  await page.getByText("Select a tenant from the list or clear this field.").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("a refused export shows the request id", async () => {
  await open();
  const answer = { status: 503, json: { detail: "service_unavailable" }, headers: { "x-request-id": "e2e-42" } };
  await page.route(EXPORT, (route) => route.fulfill(answer));
  await start();
  await page.getByText(/The service can't be reached.*e2e-42/).waitFor();
});

test("a vendor can export, and the page names earlier exporters", async () => {
  await open("output-filter", "victor");
  await Promise.all([page.waitForEvent("download"), start()]);
  await page.getByRole("heading", { name: "Previous exports" }).waitFor();
  await page.getByRole("main").getByText("victor").first().waitFor();
});

test("the page fits a phone, passes axe and breaks no policy", async () => {
  await open("output-filter", "olivia", { viewport: { width: 360, height: 740 } });
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.ok((await settledWidth(page)) <= 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
