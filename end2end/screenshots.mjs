// Captures every page into var/screenshots/: in both themes, in German, in three widths, and in light on a wide screen.
// Arguments choose pages by the beginning of their name: node end2end/screenshots.mjs tenant widget
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { closePage, launch, openPage } from "./support/browser.mjs";
import { causeFilterEvents } from "./support/filter-events.mjs";
import { screens } from "./support/screens.mjs";
import { People } from "./support/sign-in.mjs";
import { causeTalk } from "./support/talk.mjs";
import { ROOT, World } from "./support/world.mjs";

const FOLDER = join(ROOT, "var/screenshots");
/** Widths with their heights, in pixels. */
const HEIGHTS = { 360: 740, 768: 1024, 1280: 800, 2560: 1440 };
/**
 * How a page is looked at, and in which widths. German words are longer, so that their pictures show what does not fit; what
 * a wide screen makes of a page is the same in every look.
 */
const LOOKS = {
  light: { colorScheme: "light", widths: [2560, 1280, 768, 360] },
  dark: { colorScheme: "dark", widths: [1280, 768, 360] },
  german: { colorScheme: "light", language: "de", widths: [1280, 768, 360] },
};

const wanted = process.argv.slice(2);
const isWanted = (name) => !wanted.length || wanted.some((word) => name.startsWith(word));

/** Opens a page of the list; resolves when nothing moves or loads any more. */
async function open(people, entry, { language, ...options }) {
  const still = { reducedMotion: "reduce", ...options };
  const page = entry.username ? await openConsole(people, entry, still, language) : await openOutside(people, entry, still, language);
  await entry.act?.(page);
  await page.waitForLoadState("networkidle");
  return page;
}

async function openConsole(people, { username, path }, options, language) {
  const page = await people.open(username, path, options);
  await settled(page);
  if (language) {
    await page.evaluate((code) => localStorage.setItem("svc_language", code), language);
    await page.reload();
    await settled(page);
  }
  return page;
}

async function openOutside(people, { visit }, options, language) {
  const page = await openPage(people.browser, language ? { ...options, locale: language } : options);
  await visit(page);
  await settled(page);
  return page;
}

async function settled(page) {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** One page in all widths. The console is not signed in to again for a width: only the window changes. */
async function capture(people, entry, look) {
  const { widths, ...options } = LOOKS[look];
  const page = await open(people, entry, { ...options, viewport: { width: 1280, height: 800 } });
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHTS[width] });
    await page.evaluate(() => {
      scrollTo(0, 0);
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    await page.screenshot({ path: join(FOLDER, `${entry.name}-${look}-${width}.png`), fullPage: entry.name !== "widget" });
  }
  await closePage(page);
}

if (!wanted.length) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const world = await World.shared();
const browser = await launch();
try {
  const people = new People(browser, world);
  const run = Date.now().toString(36);
  await causeFilterEvents(world, "hanna", `payments-${run}`);
  const talk = await causeTalk(world, "hanna", `desk-${run}`);
  for (const entry of screens(world.dev, talk).filter(({ name }) => isWanted(name))) {
    for (const look of Object.keys(LOOKS)) await capture(people, entry, look);
    console.log(entry.name);
  }
} finally {
  await browser.close();
  await world.stop();
  if (!process.env.E2E_WORLD) world.delete();
}
console.log(`Look at them: ${FOLDER}`);
