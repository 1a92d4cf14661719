// The page Knowledge while something is being read: it is updated by events of the platform, and polls without them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { call, load, page, show } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { keepWaiting } from "../support/pending.mjs";

/** Files of an archive that is read for some seconds at least. */
const FILES = 600;
const SOME_READ = new RegExp(`[1-9]\\d* of ${FILES} files`);
/** Reading an archive takes a while. */
const READ = { timeout: 300_000 };
/** The list of documents is loaded no more often than this. */
const LIST_MS = 30_000;
const EVENTS = /\/sources\/events$/;

async function newChatbot(slug) {
  const chatbot = await call("dora", "POST", "/api/v1/tenants/me/chatbots", { slug, name: `Test of ${slug}` });
  return chatbot.id;
}

/** A tar archive of so many short files. */
function archive(count) {
  const blocks = [];
  for (let number = 1; number <= count; number += 1) {
    const content = Buffer.from(`# Lighthouse ${number}\n\nLighthouse number ${number} is painted in the month of May.\n`);
    const head = Buffer.alloc(512);
    head.write(`lighthouse-${number}.md`, 0);
    head.write("0000644\0", 100);
    head.write("0000000\0", 108);
    head.write("0000000\0", 116);
    head.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    head.write("00000000000\0", 136);
    head.write("        ", 148);
    head.write("0", 156);
    head.write("ustar\0", 257);
    head.write("00", 263);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    blocks.push(head, content, Buffer.alloc((512 - (content.length % 512)) % 512));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const row = (name) => page.getByRole("row").filter({ hasText: name });
const open = (id, options = {}) => show("dora", `chatbots/${id}/knowledge`, options);
const choose = (name, buffer) =>
  page.locator("input[type=file][multiple]").setInputFiles([{ name, mimeType: "application/octet-stream", buffer }]);

/** The reads of sources and documents that the page makes from now on. */
function reads() {
  const made = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" && /\/(sources|documents|events)$/.test(pathname)) made.push(pathname.split("/").at(-1));
  });
  return made;
}

/**
 * Keeps the focus on the first button of the archive's row, and counts in the page how often another number of files appears there
 * and leaves the button its focus.
 */
const watchRow = () =>
  page.evaluate((some) => {
    window.redraws = 0;
    let shown, button;
    new MutationObserver(() => {
      const row = [...document.querySelectorAll("tr")].find((row) => row.textContent.includes("lighthouses.tar"));
      const files = row?.textContent.match(some)?.[0];
      if (!files || files === shown) return;
      shown = files;
      if (button && button === document.activeElement) window.redraws += 1;
      else (button = row.querySelector("button"))?.focus();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, SOME_READ);

/** Lets the page wait longer for the first event, after which it would look by itself: a busy machine may send it late. */
const keepListening = (page) =>
  page.addInitScript(() => {
    const start = window.setTimeout;
    window.setTimeout = (work, ms, ...more) => start.call(window, work, ms === 10_000 ? 10 * ms : ms, ...more);
  });

test("events alone redraw the page while an archive is read", async () => {
  const id = await newChatbot("read-by-events");
  await open(id, { prepare: keepListening });
  await page.locator(".ui-dropzone").waitFor();
  await watchRow();
  const stream = page.waitForRequest((request) => EVENTS.test(new URL(request.url()).pathname));
  const made = reads();
  const started = performance.now();
  const announced = page.getByRole("status").filter({ hasText: "1 document" }).waitFor({ state: "attached" });
  await Promise.all([announced, choose("lighthouses.tar", archive(FILES))]);
  const { accept } = (await stream).headers();
  assert.equal(accept, "text/event-stream");
  await page.getByText("Uploads: 1 of 1 done").first().waitFor();

  // The buttons of a row stay while its numbers change.
  await eventuallyEqual(() => page.evaluate(() => window.redraws > 1), true, READ.timeout);
  const since = () => made.slice(made.indexOf("events") + 1);
  assert.deepEqual(since().filter((name) => name !== "documents"), [], "the sources come by events");
  // At first, twice a minute at most, and, should all be read by now, at the end.
  const most = 2 + Math.floor((performance.now() - started) / LIST_MS);
  assert.ok(since().length <= most, `the list of documents is loaded twice a minute at most: ${made}`);

  await row("lighthouses.tar").getByText("Ready", { exact: true }).waitFor(READ);
  await page.getByRole("status").filter({ hasText: "All documents have been read." }).waitFor({ state: "attached" });
  // The stream ends with the reading.
  assert.equal(since().includes("sources"), false);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("a waiting archive says that small files are read first", async () => {
  const id = await newChatbot("read-later");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  await choose("lighthouses.tar", archive(2));
  await row("lighthouses.tar").getByText("Ready", { exact: true }).waitFor(READ);
  await choose("guide.md", Buffer.from("# Lighthouse guide\n\nThe lighthouse is painted every seventh year.\n"));
  await row("guide.md").getByText("Ready", { exact: true }).waitFor(READ);

  await page.route(/\/documents\?/, async (route) => {
    const response = await route.fetch();
    const found = await response.json();
    for (const document of found.items) document.state = "waiting";
    await route.fulfill({ response, json: found });
  });
  await load("dora", `chatbots/${id}/knowledge`);
  await row("lighthouses.tar").getByText("Small files are read first.").waitFor();
  await row("guide.md").getByText("Waiting", { exact: true }).waitFor();
  assert.equal(await page.getByText("Small files are read first.").count(), 1);
});

test("without a stream the page looks every two seconds", async () => {
  const id = await newChatbot("read-by-looks");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  const refusal = { status: 429, contentType: "application/json", headers: { "retry-after": "30" }, body: '{"detail":"rate_limited"}' };
  let asked = 0;
  await page.route(EVENTS, (route) => {
    asked += 1;
    return route.fulfill(refusal);
  });
  await keepWaiting(page, () => asked > 0);
  await choose("guide.md", Buffer.from("# Lighthouse guide\n\nThe lighthouse is painted every seventh year.\n"));
  await row("guide.md").getByText("Ready", { exact: true }).waitFor(READ);
  await page.getByRole("status").filter({ hasText: "All documents have been read." }).waitFor({ state: "attached" });
});

test("a stream that breaks is opened again", async () => {
  const id = await newChatbot("read-again");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  let asked = 0;
  await page.route(EVENTS, (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await keepWaiting(page, () => asked > 0);
  await choose("lighthouses.tar", archive(50));
  await row("lighthouses.tar").getByText("Ready", { exact: true }).waitFor(READ);
  await eventuallyEqual(() => asked >= 2, true);
});

test("a page that is left ends its stream", async () => {
  const id = await newChatbot("read-and-left");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  const ended = page.waitForEvent("requestfinished", { predicate: (request) => EVENTS.test(request.url()), ...READ });
  const failed = page.waitForEvent("requestfailed", { predicate: (request) => EVENTS.test(request.url()), ...READ });
  // So many that they are still being read when the page has been left; they are deleted then.
  await choose("lighthouses.tar", archive(5 * FILES));
  await row("lighthouses.tar").getByText(/[1-9]\S* of 3,000 files/).waitFor(READ);
  await page.getByRole("navigation", { name: "Pages of this chatbot" }).getByRole("link", { name: "Overview", exact: true }).click();
  await Promise.any([ended, failed]);
  const { items } = await call("dora", "GET", `/api/v1/tenants/me/chatbots/${id}/sources`);
  const source = items.find(({ pending }) => pending === 1);
  assert.ok(source, "the archive is still being read");
  await call("dora", "DELETE", `/api/v1/tenants/me/chatbots/${id}/sources/${source.id}`);
});
