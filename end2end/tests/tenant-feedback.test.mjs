// Feedback in the tenant console.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { place, settledWidth } from "../support/browser.mjs";
import { call, isReady, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";
import { withinOneDay } from "../support/within-one-day.mjs";
import { ROOT } from "../support/world.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";

/** A chatbot with an answered question and feedback: one word of praise, two complaints of which one names the answer. */
async function rated(slug) {
  await withinOneDay();
  const chatbot = await call("hanna", "POST", CHATBOTS, { slug, name: "Rated", template_id: "product-help-en" });
  const headers = { origin: world.dev.site_url, "content-type": "application/json" };
  const send = async (path, body) => {
    const response = await fetch(`${world.dev.base_url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  };
  const question = "What about <b>anchors</b>?";
  const answer = await send(`/widget/chatbots/${chatbot.id}/query`, { session_id: null, question });
  const { session_id, message_id } = answer;
  await send("/feedback", { chatbot_id: chatbot.id, rating: "up" });
  await send("/feedback", { chatbot_id: chatbot.id, rating: "down", category: "outdated", comment: "Long ago." });
  const complaint = { rating: "down", category: "incomplete", comment: "And chains?" };
  await send("/feedback", { chatbot_id: chatbot.id, session_id, message_id, ...complaint });
  await isReady("hanna", chatbot.id);
  return { ...chatbot, question };
}

/** What visitors can choose as the reason of a bad rating, sorted. */
function reasons(language) {
  const texts = JSON.parse(readFileSync(join(ROOT, `widget/texts/${language}.json`), "utf8"));
  const names = Object.keys(texts).filter((key) => key.startsWith("reason_"));
  return names.map((key) => texts[key]).sort();
}

async function open({ id }, query = "", username = "hanna", options = {}) {
  await show(username, `chatbots/${id}/inbox/feedback${query}`, options);
  await page.getByRole("heading", { level: 2, name: "What was wrong" }).waitFor();
  return page;
}

const PLOT = "Feedback per day (UTC)";
const TODAY = /^\d.*\d{4}: Helpful 1, Not helpful 2, Period before \(total\) 0$/;
const ALL = /^30 days: /;
const plot = () => page.getByRole("slider", { name: PLOT });
const valueText = () => plot().getAttribute("aria-valuetext");

/** Points at the last day of the plot, in a way that takes a position in it. */
async function pointAtToday(point) {
  const [, , width, height] = await place(plot());
  await point({ x: width - 2, y: Math.round(height / 2) });
}

const entries = () => page.getByRole("list", { name: "Feedback, newest first" }).getByRole("listitem");

test("feedback is shown with its question and answer, as text", async () => {
  const chatbot = await rated("rated-list");
  await open(chatbot);
  const newest = entries().first();
  await newest.getByText("And chains?").waitFor();
  await newest.getByText(chatbot.question, { exact: true }).waitFor();
  await newest.getByText("Incomplete").waitFor();
  await eventuallyEqual(async () => /Not helpful[^]*Incomplete[^]*Answer/.test(await newest.innerText()), true);
});

test("a better answer stays while the list loads again", async () => {
  await open(await rated("rated-late"));
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/handled", async (route) => {
    await held;
    await route.continue();
  });
  const other = entries().filter({ hasText: "Long ago." });
  await other.getByRole("button", { name: "Mark as done" }).click();
  await entries().filter({ hasText: "And chains?" }).getByRole("button", { name: "Write a better answer" }).click();
  const answer = page.getByRole("dialog").getByLabel("Answer", { exact: true });
  await answer.fill("Chains, too.");
  release();
  await other.getByText("Done", { exact: true }).waitFor({ state: "attached" });
  assert.equal(await answer.inputValue(), "Chains, too.");
});

test("a filter is in the address and survives a reload", async () => {
  await open(await rated("rated-filter"));
  await page.getByLabel("Category").selectOption("outdated");
  await eventuallyEqual(() => new URL(page.url()).search, "?category=outdated");
  await eventuallyEqual(() => entries().count(), 1);
  await page.reload();
  await page.getByText("Long ago.").waitFor();
  await eventuallyEqual(() => entries().count(), 1);
});

test("figures, plot and table agree", async () => {
  await open(await rated("rated-figures"));
  await page.getByText("1 of 3 ratings").waitFor();
  assert.equal(await valueText(), "30 days: Helpful 1, Not helpful 2, Period before (total) 0");
  // The arrow keys begin at the latest day.
  await plot().press("ArrowLeft");
  await eventuallyEqual(async () => TODAY.test(await valueText()), true);
  assert.equal(await plot().getAttribute("aria-valuenow"), "30");
  await plot().press("ArrowLeft");
  await eventuallyEqual(async () => /: Helpful 0, Not helpful 0, Period before \(total\) 0$/.test(await valueText()), true);
  await page.getByText("Show as table").click();
  const cells = page.getByRole("table", { name: PLOT }).getByRole("cell");
  await eventuallyEqual(() => cells.allInnerTexts(), ["1", "2", "0"]);
});

test("a plot shows the day under the pointer and keeps its height", async () => {
  await open(await rated("rated-hover"), "", "hanna", { viewport: { width: 360, height: 740 } });
  await plot().waitFor();
  const before = await place(page.locator(".ui-plot"));
  await pointAtToday((position) => plot().hover({ position }));
  await eventuallyEqual(async () => TODAY.test(await valueText()), true);
  assert.match(await page.locator(".ui-plot__value").innerText(), TODAY);
  const [, , ...size] = await place(page.locator(".ui-plot"));
  assert.deepEqual(size, before.slice(2));
  await page.mouse.move(0, 0);
  await eventuallyEqual(async () => ALL.test(await valueText()), true);
});

test("a tapped day stays until something else is tapped", async () => {
  await open(await rated("rated-touch"), "", "hanna", { hasTouch: true });
  await pointAtToday((position) => plot().tap({ position }));
  await eventuallyEqual(async () => TODAY.test(await valueText()), true);
  // The finger has left, and nothing else was touched: its choice is still shown.
  await plot().dispatchEvent("pointerleave", { pointerType: "touch" });
  assert.match(await valueText(), TODAY);
  await page.getByRole("heading", { level: 2, name: "What was wrong" }).dispatchEvent("pointerdown", { pointerType: "touch" });
  await eventuallyEqual(async () => ALL.test(await valueText()), true);
});

test("the days of the plot are in the address and survive a reload", async () => {
  await open(await rated("rated-range"), "?rating=down");
  await page.getByRole("combobox", { name: "Period" }).selectOption("7");
  await eventuallyEqual(() => valueText(), "7 days: Helpful 1, Not helpful 2, Period before (total) 0");
  assert.equal(new URL(page.url()).search, "?rating=down&days=7");
  await page.reload();
  await eventuallyEqual(() => plot().getAttribute("aria-valuemax"), "7");
  assert.equal(await page.getByRole("combobox", { name: "Period" }).inputValue(), "7");
});

test("the days before are a line, in the words and in the table", async () => {
  await open(await rated("rated-before"));
  await page.route(/\/feedback\/stats\?/, async (route) => {
    const response = await route.fetch();
    const stats = await response.json();
    stats.daily_before.at(-1).up = 4;
    await route.fulfill({ response, json: stats });
  });
  await page.reload();
  await eventuallyEqual(() => valueText(), "30 days: Helpful 1, Not helpful 2, Period before (total) 4");
  await page.locator(".ui-plot__key", { hasText: "Period before (total)" }).waitFor();
  assert.match(await page.locator(".ui-plot__before").getAttribute("d"), /L580,0H600$/);
  await page.getByText("Show as table").click();
  const table = page.getByRole("table", { name: PLOT });
  await eventuallyEqual(() => table.getByRole("cell").allInnerTexts(), ["1", "2", "4"]);
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("a printed plot has its colours and its table", async () => {
  await open(await rated("rated-print"));
  await plot().waitFor();
  const table = page.locator(".ui-plot table");
  assert.equal(await table.isVisible(), false);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await table.waitFor();
  const adjusted = (key) => getComputedStyle(key, "::before").getPropertyValue("-webkit-print-color-adjust");
  assert.equal(await page.locator(".ui-plot__key").first().evaluate(adjusted), "exact");
  assert.equal(await page.locator(".ui-plot summary").isVisible(), false);
});

test("a category links to its feedback", async () => {
  await open(await rated("rated-category"));
  await page.getByRole("button", { name: "Show feedback: Incomplete" }).click();
  await page.waitForURL(/category=incomplete/);
  await page.getByText("And chains?").waitFor();
});

test("reasons have the names that visitors choose from", async () => {
  await open(await rated("rated-names"));
  const options = page.getByLabel("Category").locator("option");
  await eventuallyEqual(async () => (await options.allInnerTexts()).slice(1).sort(), reasons("en"));
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  const german = page.getByLabel("Kategorie").locator("option");
  await eventuallyEqual(async () => (await german.allInnerTexts()).slice(1).sort(), reasons("de"));
});

test("one rating is counted in the singular", async () => {
  const chatbot = await call("hanna", "POST", CHATBOTS, { slug: "rated-once", name: "Rated", template_id: "product-help-en" });
  const headers = { origin: world.dev.site_url, "content-type": "application/json" };
  const body = JSON.stringify({ chatbot_id: chatbot.id, rating: "up" });
  const given = await fetch(`${world.dev.base_url}/api/v1/feedback`, { method: "POST", headers, body });
  assert.ok(given.ok, String(given.status));
  await open(chatbot);
  await page.getByText("1 of 1 rating", { exact: true }).waitFor();
});

test("feedback is listed page by page", async () => {
  await open(await rated("rated-pages"), "?size=2");
  await page.getByText("1–2 of 3").waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("3–3 of 3").waitFor();
});

test("feedback passes axe and fits a phone", async () => {
  await open(await rated("rated-axe"));
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
