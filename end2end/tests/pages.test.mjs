// What holds on every page of both consoles.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { closePage, launch } from "../support/browser.mjs";
import { layoutShift, observeShifts } from "../support/layout-shift.mjs";
import { screens } from "../support/screens.mjs";
import { People } from "../support/sign-in.mjs";
import { causeTalk } from "../support/talk.mjs";
import { World } from "../support/world.mjs";

/** The largest layout shift of a page; 0.1 counts as good on the web. */
const SHIFT = 0.02;

let world;
let browser;
let people;
let consolePages;

before(async () => {
  world = await World.shared();
  browser = await launch();
  people = new People(browser, world);
  const talk = await causeTalk(world, "hanna", "pages-of-the-consoles");
  consolePages = screens(world.dev, talk).filter(({ username, path, act }) => username && !act);
});

after(async () => {
  await browser?.close();
  world?.stop();
});

test("no page moves while it loads, and axe finds nothing on it", async (context) => {
  for (const { name, username, path } of consolePages) {
    await context.test(name, async () => {
      const page = await people.open(username, path, { viewport: { width: 1440, height: 900 } });
      await observeShifts(page);
      await answerSlowly(page);
      await page.reload();
      await loaded(page);
      const { sum, moved } = await layoutShift(page);
      assert.ok(sum < SHIFT, `${sum.toFixed(3)}: ${moved.join("; ")}`);
      assert.deepEqual(await accessibilityFindings(page), []);
      await closePage(page);
    });
  }
});

async function loaded(page) {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
}

/** Lets every answer of the API arrive alone, as on a slow connection. */
async function answerSlowly(page) {
  let calls = 0;
  await page.route("**/api/**", async (route) => {
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 50 * calls));
    await route.continue().catch(() => {});
  });
}
