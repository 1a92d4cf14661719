// A new build of the widget on the platform, and pages whose browser has cached the former script.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, wasmName } from "../support/fake-platform.mjs";
import { HostSite, hostPage } from "../support/host-site.mjs";
import { ROOT } from "../support/world.mjs";

const SCRIPT = "chat-widget.min.js";
const SNIPPET = `${SCRIPT}?v=1.0.0-00000000`;
const GONE = "chat-widget-00000000000000ff.wasm";
const SECOND = "c0ffee00-6c3e-4f58-8a90-2e1d7c5b4f33";

let platform, site, browser, page, chat, old;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  const script = readFileSync(join(ROOT, "dist/widget", SCRIPT), "utf8");
  old = { text: script.replaceAll(wasmName(), GONE), headers: { "cache-control": "public, max-age=31536000, immutable" } };
  assert.notEqual(old.text, script);
  const paste = (id, more = "") =>
    `<script src="${platform.origin}/static/widget/${SNIPPET}" data-chatbot-id="${id}" data-api-base="${platform.origin}/api/v1"${more} async></script>`;
  site = await HostSite.start({
    "/": { html: hostPage({ body: paste(CHATBOT) }) },
    "/two": { html: hostPage({ body: paste(CHATBOT) + paste(SECOND, ' data-position="bottom_left"') }) },
  });
});

beforeEach(async () => {
  platform.reset();
  page = await openPage(browser);
  chat = new Chat(page);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

/** The browser gets the old script first, and from then on what the platform has now. */
function upgraded() {
  let hasOld = false;
  platform.onFile = (name) => {
    if (name !== SCRIPT || hasOld) return undefined;
    hasOld = true;
    return old;
  };
}

const asked = (beginning) => platform.asked.filter((file) => file.startsWith(beginning)).length;

test("an old script without its WASM loads the current script", async () => {
  upgraded();
  await page.goto(site.origin);
  await eventuallyEqual(() => asked(wasmName()), 1);
  await chat.open();
  await chat.ask("Hello?");
  assert.deepEqual([asked(GONE), asked(`${SNIPPET}&renewed=`), await chat.hosts.count()], [1, 1, 1]);
  assert.equal(platform.bodies("/query").length, 1);
});

test("the visitor's next page has the current script", async () => {
  upgraded();
  await page.goto(site.origin);
  await eventuallyEqual(() => asked(wasmName()), 1);
  platform.asked = [];
  await page.goto(`${site.origin}/two`);
  await chat.launcher.first().waitFor();
  await eventuallyEqual(() => page.locator("svc-chat .svc-panel").count(), 2);
  assert.deepEqual([asked(GONE), asked(`${SNIPPET}&renewed=`)], [0, 0]);
});

test("a panel opened during the script update opens", async () => {
  upgraded();
  const pressed = deferred();
  await page.route(`**/${GONE}*`, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.goto(site.origin);
  await chat.launcher.focus();
  await page.keyboard.press("Enter");
  await page.locator("svc-chat .svc-launcher[aria-busy]").waitFor();
  pressed.resolve();
  await chat.panel.waitFor();
  await chat.ask("Hello?");
});

test("a script update hands over both chatbots of a page", async () => {
  upgraded();
  await page.goto(`${site.origin}/two`);
  await eventuallyEqual(() => page.locator("svc-chat .svc-panel").count(), 2);
  assert.deepEqual([await chat.hosts.count(), asked(`${SNIPPET}&renewed=`)], [2, 1]);
  const positions = await page.locator("svc-chat .svc").evaluateAll((frames) => frames.map((frame) => frame.dataset.position));
  assert.deepEqual(positions.sort(), ["bottom_left", "bottom_right"]);
});

test("a missing WASM is retried once, then reported", async () => {
  platform.onFile = (name) => (name === SCRIPT ? old : undefined);
  await page.goto(site.origin);
  await eventuallyEqual(() => asked(`${SNIPPET}&renewed=`), 1);
  // The second script asks, too, once its launcher has taken the place of the first one's.
  await eventuallyEqual(() => asked(GONE), 2);
  await chat.launcher.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("could not be loaded").waitFor();
  assert.deepEqual([asked(`${SNIPPET}&renewed=`), asked(SNIPPET) <= 3], [1, true], platform.asked.join("\n"));
});
