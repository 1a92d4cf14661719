// Shared parts of the consoles' tests: the demo world, a browser, users who sign in once, and the page of the current
// test, which is closed after it.
import assert from "node:assert/strict";
import { after, afterEach } from "node:test";

import { closePage, launch, openPage } from "./browser.mjs";
import { eventuallyEqual } from "./eventually.mjs";
import { load as loadSignedIn, People } from "./sign-in.mjs";
import { World } from "./world.mjs";

export const [world, browser] = await Promise.all([World.shared(), launch()]);
export let page;

const people = new People(browser, world);
/** Nothing moves, so that no test waits for it. */
const STILL = { reducedMotion: "reduce" };

afterEach(leave);

after(async () => {
  await browser.close();
  await world.stop();
});

/** Closes the current page, so that it does not go on working behind the next one. */
async function leave() {
  if (page) await closePage(page);
  page = undefined;
}

/** Opens a page of the user's console, signed in. */
export async function show(username, path = "", options = {}) {
  await leave();
  page = await people.open(username, path, { ...STILL, ...options });
  return page;
}

/** The same, once its heading is there. */
export async function showHeaded(username, path, options) {
  await show(username, path, options);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** Loads another page of the user's console in the same tab. */
export const load = (username, path) => loadSignedIn(page, world, username, path);

/** Lets messages that offer a next step stay for longer than the console does: a busy machine may come to their button late. */
export const keepOffers = (page) =>
  page.addInitScript(() => {
    const start = window.setTimeout;
    window.setTimeout = (work, ms, ...more) => start.call(window, work, ms === 15_000 ? 10 * ms : ms, ...more);
  });

/** An empty page without any sign-in. */
export async function showEmpty() {
  await leave();
  page = await openPage(browser, STILL);
  return page;
}

/** Calls the API as a user; the answer's body, which must have come with success, or nothing when it has none. */
export async function call(username, method, path, body) {
  const response = await world.call(username, method, path, body);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** Waits until a chatbot of the user's tenant is ready. Until then, its pages look at it again, and move when its notice leaves. */
export async function isReady(username, id) {
  await eventuallyEqual(async () => (await call(username, "GET", `/api/v1/tenants/me/chatbots/${id}`)).provisioning, "ready");
}
