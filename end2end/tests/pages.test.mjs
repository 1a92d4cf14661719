// Invariants of every page of both consoles.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { closePage, launch } from "../support/browser.mjs";
import { answerSlowly, hasLoaded, layoutShift, loadAgain, observeShifts } from "../support/layout-shift.mjs";
import { consolePages } from "../support/screens.mjs";
import { load, People } from "../support/sign-in.mjs";
import { causeTalk } from "../support/talk.mjs";
import { World } from "../support/world.mjs";

/** The largest layout shift of a page; 0.1 counts as good on the web. */
const SHIFT = 0.02;
/** Pages that are looked at side by side: each waits most of the time for slow answers. */
const SIDE_BY_SIDE = 2;
/** A browser that prefers German, in which nobody has chosen a language. */
const GERMAN = { locale: "de-DE", viewport: { width: 1440, height: 900 } };

let world;
let browser;
let people;
let pages;

before(async () => {
  world = await World.shared();
  browser = await launch();
  people = new People(browser, world);
  const talk = await causeTalk(world, "hanna", "pages-of-the-consoles");
  pages = consolePages(world.dev, talk);
  // The first page of everybody signs in, in English.
  for (const username of new Set(pages.map((page) => page.username))) await closePage(await people.open(username));
});

after(async () => {
  await browser?.close();
  world?.stop();
});

test("no page moves while it loads, and axe finds nothing on it", { concurrency: SIDE_BY_SIDE }, async (context) => {
  await Promise.all(pages.map((entry) => context.test(entry.name, () => isStillAndClean(entry))));
});

/** The page in German in the light scheme, then in English in the dark one. */
async function isStillAndClean({ username, path }) {
  const prepare = (page) => Promise.all([observeShifts(page), answerSlowly(page)]);
  const page = await people.open(username, path, { ...GERMAN, prepare });
  try {
    await hasLoaded(page);
    await check(page, "de", ["light"]);
    await loadAgain(page, "en", {}, () => load(page, world, username, path));
    await check(page, "en", ["dark"]);
  } finally {
    await closePage(page);
  }
}

async function check(page, language, schemes) {
  assert.equal(await page.evaluate(() => document.documentElement.lang), language);
  const { sum, moved } = await layoutShift(page);
  assert.ok(sum < SHIFT, `${language}: ${sum.toFixed(3)}: ${moved.join("; ")}`);
  assert.deepEqual(await accessibilityFindings(page, schemes), [], language);
}
