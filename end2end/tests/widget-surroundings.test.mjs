// The widget beside parts of a page that want its place, its focus or its clicks.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { CHATBOT, FakePlatform, reply, source } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

const ANSWER = reply("Three days [1].", { sources: [source("Shipping")], citations: [{ marker: "[1]", source_index: 0 }] });
const TRAP = `<div id="trap"><input id="name" aria-label="Name"></div>
<script>document.addEventListener("focusin", ({ target }) => { if (!trap.contains(target)) document.getElementById("name").focus(); });</script>`;

let platform, site, browser, page, chat;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  const once = snippet(platform.origin, CHATBOT);
  const moved = once.replace("async", `data-offset-bottom="90" data-offset-side="12" data-z-index="5" async`);
  const wrong = once.replace("async", `data-offset-bottom="9em" data-offset-side="1;color:red" data-z-index="-1" async`);
  const cart = `<button id="cart" style="position:fixed;right:20px;bottom:20px;width:56px;height:56px">Cart</button>`;
  const cover = `<div id="cover" style="position:fixed;inset:0;z-index:6;display:none">Cover</div>`;
  site = await HostSite.start({
    "/moved": { html: hostPage({ body: cart + cover + moved }) },
    "/wrong": { html: hostPage({ body: wrong }) },
    "/trap": { html: hostPage({ body: TRAP + once }) },
  });
});

beforeEach(async () => {
  platform.reset();
  platform.onQuery = (exchange) => exchange.begin().done(ANSWER);
  page = await openPage(browser);
  chat = new Chat(page);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

/** What the visitor would click at a point of the page. */
const hit = (x, y) => page.evaluate(([x, y]) => document.elementFromPoint(x, y).id || document.elementFromPoint(x, y).localName, [x, y]);

test("a page moves the launcher and puts the chat on a layer", async () => {
  await page.goto(`${site.origin}/moved`);
  const { width, height } = page.viewportSize();
  const box = await chat.launcher.boundingBox();
  assert.deepEqual([width - box.x - box.width, height - box.y - box.height], [12, 90]);
  assert.equal(await hit(width - 48, height - 48), "cart");
  await chat.open();
  const panel = await chat.panel.boundingBox();
  assert.ok(panel.y >= 0 && panel.y + panel.height <= box.y && panel.x + panel.width === width - 12, JSON.stringify(panel));
  await page.evaluate(() => (document.getElementById("cover").style.display = "block"));
  assert.equal(await hit(box.x + 28, box.y + 28), "cover");
});

test("offsets that are no numbers change nothing", async () => {
  await page.goto(`${site.origin}/wrong`);
  const { width, height } = page.viewportSize();
  const box = await chat.launcher.boundingBox();
  assert.deepEqual([width - box.x - box.width, height - box.y - box.height], [20, 20]);
});

test("a page that keeps the focus in a part of its own leaves the chat alone", async () => {
  await page.goto(`${site.origin}/trap`);
  await chat.launcher.click();
  await chat.input.click();
  await page.keyboard.type("How long?");
  assert.deepEqual([await chat.input.inputValue(), await page.locator("#name").inputValue()], ["How long?", ""]);
});
