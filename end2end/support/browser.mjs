// Starts the real Chromium and records the errors of its pages.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { ROOT } from "./world.mjs";

/** The longest wait for something that must happen, also on a busy machine. */
const TIMEOUT_MS = 90_000;
/** How long a page may take to fit into its window. */
const SETTLE_MS = 45_000;
const QUIET = [
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
];

/** Starts the Chromium that CHROMIUM names, or the one in PATH. */
export async function launch(options = {}) {
  const executablePath = process.env.CHROMIUM || find();
  // Chromium's sandbox refuses to run as root.
  const args = process.getuid?.() === 0 ? [...QUIET, "--no-sandbox"] : QUIET;
  return chromium.launch({ executablePath, args, timeout: TIMEOUT_MS, ...options });
}

function find() {
  return execFileSync(join(ROOT, ".ci/chromium"), ["--print"], { encoding: "utf8" }).trim();
}

/**
 * A page in a context of its own. `page.violations` collects breaches of content security policies, `page.errors`
 * uncaught errors and console errors.
 */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  page.violations = [];
  page.errors = [];
  await page.exposeBinding("reportViolation", (_, violation) => page.violations.push(violation));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) =>
      window.reportViolation(`${violatedDirective} blocked ${blockedURI} of ${sourceFile} on ${location.pathname}`),
    );
  });
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(message.text());
    if (/content security policy/i.test(message.text())) page.violations.push(message.text());
  });
  return page;
}

/**
 * How wide the page is in pixels, once it fits into its window: what loads late and a change of the window's size may
 * take a moment. A page that stays wider gives its width after a while.
 */
export async function settledWidth(page) {
  const fits = () => document.documentElement.scrollWidth <= window.innerWidth;
  await page.waitForFunction(fits, undefined, { timeout: SETTLE_MS }).catch(() => {});
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Left and upper edge, width and height of a part of the page, in whole pixels. */
export async function place(part) {
  const { x, y, width, height } = await part.boundingBox();
  return [x, y, width, height].map(Math.round);
}

/** Closes a page with its context. Requests that a test is still handling end with it, without an error. */
export async function closePage(page) {
  if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
}
