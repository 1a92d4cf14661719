// The knowledge hub in the tenant console, and the page that switches its module.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, load, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";

const HUB = "/api/v2/knowledge";
/** The longest wait for a document to be read: jobs of other tests may come first. */
const READ_MS = 240_000;

const field = () => page.getByRole("searchbox", { name: "Search all documents" });
const results = () => page.getByRole("list", { name: "Results" }).getByRole("listitem");

async function open(path = "", username = "hanna", options = {}) {
  await show(username, `knowledge${path}`, options);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

const hub = () => page.getByRole("switch", { name: "Knowledge hub" });

async function openModules(username = "hanna") {
  await show(username, "modules");
  await hub().waitFor();
}

/** A chatbot of its own with an uploaded document; `put` uploads the document's next version and gives the version's id. */
async function uploaded(slug, text) {
  const chatbot = await call("hanna", "POST", "/api/v1/tenants/me/chatbots", { slug, name: `Test of ${slug}` });
  const sources = `/api/v1/tenants/me/chatbots/${chatbot.id}/sources`;
  const source = await call("hanna", "POST", sources, { kind: "upload", name: `Manuals of ${slug}` });
  const path = `${sources}/${source.id}/documents/ferry.md`;
  const versions = new Set();
  const put = async (content) => {
    const headers = { authorization: `Bearer ${await world.token("hanna")}` };
    const response = await fetch(world.dev.base_url + path, { method: "PUT", headers, body: content });
    assert.equal(response.status, 200);
    let newest;
    await eventuallyEqual(async () => {
      const { results } = await call("hanna", "GET", `${HUB}/search?record=false&sources=${source.id}`);
      newest = results[0]?.document_id;
      return newest !== undefined && !versions.has(newest);
    }, true, READ_MS);
    versions.add(newest);
    return newest;
  };
  const remove = () => call("hanna", "DELETE", path);
  return { version: await put(text), source: source.id, put, remove };
}

/** A document of two sections. */
const ferry = (hour) =>
  `# Ferry to Jura\n\n## Departure\n\nThe ferry to Jura leaves at ${hour} every day.\n\n## Return\n\nIt comes back before the evening.\n`;

async function speakGerman() {
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
}

/** axe in light and dark, and the width of a phone. */
async function passesAxeAndFits(what) {
  await hasLoaded(page);
  assert.deepEqual(await accessibilityFindings(page), [], what);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Does something while tenants may switch the knowledge hub themselves. */
async function withSelfService(work) {
  const set = (self_service) => call("olivia", "PATCH", "/api/v1/platform/modules/knowledge_hub", { self_service });
  await set(true);
  try {
    await work();
  } finally {
    await set(false);
  }
}

test("the navigation has the hub if the tenant has the module", async () => {
  await show("hanna", "");
  const link = () => page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Knowledge" });
  await link().click();
  await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor();
  await show("dora", "");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await link().count(), 0);
});

test("results come while one types, and their words are marked", async () => {
  await open();
  await page.keyboard.press("/");
  await page.keyboard.type("embed the widget");
  await page.keyboard.press("Enter");
  await results().first().waitFor();
  assert.ok((await page.locator(".ui-mark").first().innerText()).length > 2);
  await field().fill("rate limit");
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("q"), "rate limit");
  await page.locator(".ui-mark", { hasText: /rate|limit/i }).first().waitFor();
});

test("the arrows lead from the field through the results and back", async () => {
  await open("/search?q=widget");
  await results().nth(1).waitFor();
  await field().focus();
  const focused = () => page.evaluate(() => [...document.querySelectorAll(".ui-hit__link")].indexOf(document.activeElement));
  for (const place of [0, 1]) {
    await page.keyboard.press("ArrowDown");
    await eventuallyEqual(focused, place);
  }
  for (const place of [0, -1]) {
    await page.keyboard.press("ArrowUp");
    await eventuallyEqual(focused, place);
  }
  assert.ok(await field().evaluate((input) => input === document.activeElement));
});

test("opening a result notes the search, which can be cleared", async () => {
  // Nobody else searches as this person at the same time, so the cleared history stays empty.
  await open("/search?q=allowed+origins", "henry");
  await results().first().getByRole("link").first().click();
  await page.getByRole("heading", { name: "Passages" }).waitFor();
  await eventuallyEqual(async () => {
    const { items } = await call("henry", "GET", `${HUB}/history`);
    return items.some(({ query, clicked_doc_ids }) => query === "allowed origins" && clicked_doc_ids.length === 1);
  }, true);
  // What fewer than five people opened is not listed as popular.
  await open("", "henry");
  await page.getByRole("link", { name: "History", exact: true }).first().waitFor();
  assert.equal(await page.getByRole("link", { name: /· opened (once|\d+ times)$/ }).count(), 0);
  await open("/history", "henry");
  await page.getByRole("link", { name: "allowed origins" }).first().waitFor();
  await page.getByRole("button", { name: "Clear history" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Clear history" }).click();
  await page.getByText("No searches yet").waitFor();
});

test("a search that is meant is noted without running again", async () => {
  await open("/search");
  await results().first().waitFor();
  const searches = [];
  page.on("request", (request) => request.url().includes(`${HUB}/search?`) && searches.push(new URL(request.url()).searchParams));
  await field().fill("rate limits of the widget");
  await page.keyboard.press("Enter");
  await eventuallyEqual(async () => {
    const { items } = await call("hanna", "GET", `${HUB}/history`);
    return items.filter(({ query }) => query === "rate limits of the widget").length;
  }, 1);
  assert.ok(searches.length > 0 && searches.every((query) => query.get("record") === "false"), String(searches));
});

test("a result opened while its search is noted belongs to it", async () => {
  let release;
  const held = new Promise((done) => (release = done));
  let noted = 0;
  // Two seconds after the page has loaded, the search is noted without Enter, too.
  const prepare = (page) =>
    page.route(/knowledge\/history$/, async (route) => {
      noted += 1;
      await held;
      await route.continue();
    });
  await open("/search?q=allowed+origins+of+a+shop", "hanna", { prepare });
  await results().first().waitFor();
  await field().press("Enter");
  await eventuallyEqual(() => noted, 1);
  await results().first().getByRole("link").first().click();
  await page.getByRole("heading", { name: "Passages" }).waitFor();
  release();
  await eventuallyEqual(async () => {
    const { items } = await call("hanna", "GET", `${HUB}/history`);
    const own = items.filter(({ query }) => query === "allowed origins of a shop");
    return own.map(({ clicked_doc_ids }) => clicked_doc_ids.length).join();
  }, "1");
  assert.equal(noted, 1);
});

test("a search is cancelled when the next one begins", async () => {
  await open("/search");
  await results().first().waitFor();
  const isFormer = (url) => url.pathname === `${HUB}/search` && url.searchParams.get("q") === "former words";
  let cancelled = 0;
  page.on("requestfailed", (request) => (cancelled += isFormer(new URL(request.url())) ? 1 : 0));
  // Never answered.
  await page.route(isFormer, () => {});
  const asked = page.waitForRequest((request) => isFormer(new URL(request.url())));
  await field().fill("former words");
  await asked;
  await field().fill("rate limit");
  await page.locator(".ui-mark", { hasText: /rate|limit/i }).first().waitFor();
  await eventuallyEqual(() => cancelled, 1);
});

test("a filter narrows the results and is in the address", async () => {
  await open("/search?q=shop");
  await results().first().waitFor();
  await page.getByText("Numbers count all documents that match the other filters, not just the results.").waitFor();
  // Other tests add documents meanwhile, and the sources with most documents come first.
  const boxes = (options) => page.getByRole("group", { name: "Source" }).getByRole("checkbox", options);
  await boxes().first().click();
  await eventuallyEqual(() => new URL(page.url()).searchParams.has("sources"), true);
  await page.reload();
  await eventuallyEqual(() => boxes({ checked: true }).count(), 1);
});

test("a filter keeps the focus when the results are new", async () => {
  await open("/search?q=shop");
  await results().first().waitFor();
  // Sources of different chatbots may have the same name.
  let sources;
  await page.route(/v2\/knowledge\/search\?/, async (route) => {
    const response = await route.fetch();
    const found = await response.json();
    sources ??= found.facets.sources.slice(0, 2).map((source) => ({ ...source, label: "Manuals", count: 1 }));
    await route.fulfill({ response, json: { ...found, facets: { ...found.facets, sources } } });
  });
  await page.reload();
  const box = () => page.getByRole("group", { name: "Source" }).getByRole("checkbox", { name: "Manuals (1)" }).nth(1);
  await box().focus();
  const again = page.waitForResponse(/v2\/knowledge\/search\?.*sources=/);
  await page.keyboard.press("Space");
  await again;
  await page.waitForLoadState("networkidle");
  await eventuallyEqual(() => box().evaluate((field) => [field.checked, field === document.activeElement]), [true, true]);
});

test("a filter that no document matches stays and can be removed", async () => {
  const gone = "00000000-0000-7000-8000-000000000001";
  await open(`/search?q=shop&sources=${gone}&date_to=2000-01-01`);
  await page.getByText("No results", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Changed in").locator("option:checked").textContent(), "Selected period");
  await page.getByLabel("Changed in").selectOption({ label: "Any month" });
  // The filters of the next results do not offer the period any more.
  await page.locator("option", { hasText: "Selected period" }).waitFor({ state: "detached" });
  await eventuallyEqual(() => new URL(page.url()).searchParams.has("date_to"), false);
  await page.getByRole("group", { name: "Source" }).getByRole("checkbox", { name: "No longer available" }).click();
  await eventuallyEqual(() => new URL(page.url()).searchParams.has("sources"), false);
  await results().first().waitFor();
});

test("a document is bookmarked with a note and summarised", async () => {
  const { items } = await call("hanna", "GET", `${HUB}/bookmarks`);
  for (const { id } of items) await call("hanna", "DELETE", `${HUB}/bookmarks/${id}`);
  await open("/search?q=delivery");
  await results().first().getByRole("link").first().click();
  await page.getByRole("button", { name: "Bookmark", exact: true }).click();
  await page.getByRole("button", { name: "Remove bookmark" }).waitFor();
  await page.getByRole("button", { name: "Summarise" }).click();
  await page.getByText("Sentences quoted from the document.").waitFor();
  await eventuallyEqual(() => page.evaluate(() => document.activeElement.id), "document-summary");
  const title = await page.getByRole("heading", { level: 1 }).innerText();
  await open("/bookmarks");
  await page.getByRole("link", { name: title }).first().waitFor();
  await page.getByRole("button", { name: `Note on “${title}”` }).click();
  await page.getByRole("dialog").getByLabel("Note").fill("Read <b>again</b>.");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Read <b>again</b>.", { exact: true }).waitFor();
  await page.getByRole("button", { name: `Remove bookmark “${title}”` }).click();
  await page.getByText("No bookmarks yet").waitFor();
});

/** Uploads a document with many sections and gives the address of one of its passages in the hub. */
async function longDocument(sections) {
  const { id } = await call("hanna", "POST", "/api/v1/tenants/me/chatbots", { slug: "long-document", name: "Long document" });
  const path = `/api/v1/tenants/me/chatbots/${id}/sources`;
  const source = await call("hanna", "POST", path, { kind: "upload", name: "Handbooks" });
  const sentence = (part) => `Part ${part} describes how the quux number ${part} is cleaned and stored. `.repeat(12);
  const parts = Array.from({ length: sections }, (_, index) => `## Part ${index + 1}\n\n${sentence(index + 1)}\n\n`);
  const address = `${path}/${source.id}/documents/handbook.md`;
  const headers = { authorization: `Bearer ${await world.token("hanna")}` };
  const body = `# Quux handbook\n\n${parts.join("")}`;
  assert.equal((await fetch(`${world.dev.base_url}${address}`, { method: "PUT", headers, body })).status, 200);
  await eventuallyEqual(async () => (await call("hanna", "GET", address)).state, "ready", READ_MS);
  const { results } = await call("hanna", "GET", `${HUB}/search?q=quux&record=false`);
  const { document_id } = results.find(({ title }) => title === "Quux handbook");
  return document_id;
}

test("a long document opens at a passage and loads from there", async () => {
  const id = await longDocument(120);
  const all = await call("hanna", "GET", `${HUB}/documents/${id}?limit=200`);
  const total = all.passage_total;
  assert.ok(total >= 120 && all.passages.length === total, `${total}`);
  const passage = (index) => page.locator(`#passage-${all.passages[index].id}`);
  const isFocused = (index) => passage(index).evaluate((item) => item === document.activeElement);
  const shown = (first, last) => page.getByRole("status").filter({ hasText: `Passages ${first} to ${last} of ${total}` }).waitFor();
  await open();
  await load("hanna", `knowledge/doc/${id}#passage-${all.passages[70].id}`);
  await shown(46, 95);
  assert.match(await passage(70).getAttribute("class"), /--marked/);
  await eventuallyEqual(() => passage(70).evaluate((item) => item.getBoundingClientRect().top < innerHeight), true);

  const earlier = page.getByRole("button", { name: "Earlier passages" });
  await earlier.press("Enter");
  await shown(1, 95);
  await eventuallyEqual(() => isFocused(44), true);
  assert.equal(await earlier.count(), 0);
  const later = page.getByRole("button", { name: "Later passages" });
  await later.press("Enter");
  await shown(1, Math.min(145, total));
  await eventuallyEqual(() => isFocused(95), true);

  await page.reload();
  await shown(46, 95);
  const outline = page.getByRole("navigation", { name: "Outline" });
  assert.equal(await outline.getByRole("link").count(), 120);
  await outline.getByRole("link", { name: "Part 1", exact: true }).press("Enter");
  await shown(1, 50);
  await eventuallyEqual(() => isFocused(0), true);
  assert.equal(await page.getByRole("button", { name: "Earlier passages" }).count(), 0);
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("a search is saved, run again and deleted", async () => {
  await open("/search?q=delivery");
  await results().first().waitFor();
  await page.getByRole("button", { name: "Save search" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Parcels");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Search saved.").waitFor();
  await open("/saved");
  await page.getByRole("link", { name: "Parcels" }).click();
  await results().first().waitFor();
  assert.equal(new URL(page.url()).searchParams.get("q"), "delivery");
  await open("/saved");
  await page.getByRole("button", { name: "Delete “Parcels”" }).click();
  await page.getByText("No saved searches yet").waitFor();
});

test("a saved search of filters alone has no news once opened", async () => {
  const { source, put } = await uploaded("hub-news", ferry("noon"));
  const { id } = await call("hanna", "POST", `${HUB}/saved-searches`, { name: "Ferries", filters: { sources: source } });
  try {
    await put(ferry("ten"));
    await open("/saved");
    await page.getByText("1 new", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Ferries" }).click();
    await results().first().waitFor();
    await open("/saved");
    await page.getByRole("link", { name: "Ferries" }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(await page.getByText("1 new", { exact: true }).count(), 0);
  } finally {
    await call("hanna", "DELETE", `${HUB}/saved-searches/${id}`);
  }
});

test("nothing found helps on", async () => {
  await open("/search?q=zzyzx+qwrtp&kinds=files");
  await page.getByText("No results", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove filters" }).click();
  await eventuallyEqual(() => [...new URL(page.url()).searchParams.keys()].join(), "q");
  await eventuallyEqual(() => page.getByRole("button", { name: "Remove filters" }).count(), 0);
  await page.getByText("No results", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await results().first().waitFor();
});

test("without the module the pages say so", async () => {
  await open("/search?q=widget", "dora");
  await page.getByText("Your organisation doesn't have this module.").first().waitFor();
});

test("switching a module applies at once and is audited", () =>
  withSelfService(async () => {
    await openModules("dora");
    const before = await hub().isChecked();
    for (const wanted of [!before, before]) {
      // Other tests switch modules of other tenants.
      const filter = `action=tenant_module.${wanted ? "activated" : "deactivated"}&entity_id=knowledge_hub&actor_user=dora`;
      const rows = async () => (await call("olivia", "GET", `/api/v1/platform/audit?${filter}`)).items.length;
      const earlier = await rows();
      await hub().setChecked(wanted, { force: true });
      await page.getByText(`“Knowledge hub” is ${wanted ? "on" : "off"}.`).waitFor();
      assert.equal(await rows(), earlier + 1);
    }
  }));

test("a switch keeps the focus while it saves", () =>
  withSelfService(async () => {
    await openModules("dora");
    const before = await hub().isChecked();
    let release;
    const held = new Promise((done) => (release = done));
    await page.route(/modules\/knowledge_hub/, (route) => held.then(() => route.continue()));
    await hub().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Space");
    assert.deepEqual(await hub().evaluate((field) => [field.checked, field === document.activeElement]), [!before, true]);
    release();
    await page.getByText(`“Knowledge hub” is ${before ? "off" : "on"}.`).waitFor();
    await page.keyboard.press("Space");
    await page.getByText(`“Knowledge hub” is ${before ? "on" : "off"}.`).waitFor();
  }));

test("modules without effect are absent, and operators switch", async () => {
  await openModules();
  assert.equal(await page.getByRole("switch").count(), 1);
  assert.deepEqual([await hub().isDisabled(), await hub().isChecked()], [true, true], "operators switch it");
  await page.getByText("The platform operator turns this on or off.").waitFor();
});

test("a viewer cannot switch modules and sees why", async () => {
  await openModules("henry");
  await page.getByText("View-only access").waitFor();
  assert.equal(await page.locator("main [role=switch]:enabled").count(), 0);
});

test("the pages of the hub pass axe and fit a phone", async () => {
  await open();
  for (const path of ["", "/search?q=widget", "/bookmarks", "/history", "/saved"]) {
    await load("hanna", `knowledge${path}`);
    await hasLoaded(page);
    assert.deepEqual(await accessibilityFindings(page), [], path);
    await page.setViewportSize({ width: 360, height: 740 });
    await eventuallyEqual(async () => [path, await settledWidth(page)], [path, 360]);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("an older version of a document leads to the newest one", async () => {
  const { version, put } = await uploaded("hub-versions", ferry("noon"));
  const newest = await put(ferry("ten"));
  await open(`/doc/${version}`);
  const banner = page.getByText("This is an older version. The passages below are from the newest one.");
  await banner.waitFor();
  await page.getByText("leaves at ten").waitFor();
  await page.getByRole("link", { name: "Show the newest version" }).click();
  await eventuallyEqual(() => new URL(page.url()).pathname.endsWith(newest), true);
  await banner.waitFor({ state: "detached" });
  await page.getByText("leaves at ten").waitFor();
});

test("a bookmark says that its document changed or is gone", async () => {
  const { version, put, remove } = await uploaded("hub-bookmarks", ferry("noon"));
  const { id } = await call("hanna", "POST", `${HUB}/bookmarks`, { document_id: version });
  const entry = () => page.getByRole("listitem").filter({ hasText: "Ferry to Jura" }).first();
  try {
    await put(ferry("ten"));
    await open("/bookmarks");
    await entry().getByText("Changed since", { exact: true }).waitFor();
    await entry().getByRole("link", { name: "Ferry to Jura" }).click();
    await page.getByText("This is an older version.").waitFor();
    await remove();
    await eventuallyEqual(async () => (await call("hanna", "GET", `${HUB}/bookmarks/${id}`)).state, "gone");
    await open("/bookmarks");
    await entry().getByText("No longer available", { exact: true }).waitFor();
    assert.equal(await entry().getByRole("link").count(), 0);
    assert.deepEqual(await accessibilityFindings(page), []);
  } finally {
    await call("hanna", "DELETE", `${HUB}/bookmarks/${id}`);
  }
});

test("administrators see what several people searched for in vain", async () => {
  await open();
  const last_searched_on = "2026-01-31";
  const items = [
    { query: "refund policy", searches: 6, without_result: 6, without_click: 0, last_searched_on },
    { query: "opening hours", searches: 7, without_result: 0, without_click: 7, last_searched_on },
  ];
  const insights = { from: "2026-01-05", to: "2026-02-01", items };
  // The demo world's tenant has two people, and insights begin with five.
  await page.route(/knowledge\/insights/, (route) => route.fulfill({ json: insights }));
  await page.reload();
  await page.getByRole("link", { name: "opening hours · searched 7 times, nothing opened" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("link", { name: "refund policy · searched 6 times, no results" }).click();
  await eventuallyEqual(() => new URL(page.url()).searchParams.get("q"), "refund policy");
});

test("viewers see no insights", async () => {
  await open("", "henry");
  await page.getByText("Popular sources").waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await page.getByText("Unsuccessful searches").count(), 0);
});

for (const [kind, english, german] of [
  ["document", "Show the newest version", "Neueste Version anzeigen"],
  ["source", "Search in this source", "In dieser Quelle suchen"],
]) {
  test(`a ${kind} page passes axe in both languages, fits a phone`, async () => {
    const { version, source, put } = await uploaded(`hub-${kind}`, ferry("noon"));
    await put(ferry("ten"));
    await open(kind === "source" ? `/source/${source}` : `/doc/${version}`);
    await page.getByRole("link", { name: english }).waitFor();
    await passesAxeAndFits("English");
    await speakGerman();
    await page.getByRole("link", { name: german }).waitFor();
    await passesAxeAndFits("German");
    assert.deepEqual([page.violations, page.errors], [[], []]);
  });
}

test("the page of modules passes axe and fits a phone", async () => {
  await openModules();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => page.evaluate(() => document.documentElement.scrollWidth), 360);
});
