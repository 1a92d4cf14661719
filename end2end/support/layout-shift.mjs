// Measures how much a page moves while it loads (the metric "cumulative layout shift").
import { settled } from "./settled.mjs";

/** Observes the shifts of every document that `page` loads from now on. */
export async function observeShifts(page) {
  await page.addInitScript(() => {
    globalThis.layoutShifts = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        const moved = sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)?.className || node?.nodeName);
        globalThis.layoutShifts.push({ value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The sum of the shifts so far, and what moved. */
export async function layoutShift(page) {
  const shifts = await page.evaluate(() => globalThis.layoutShifts);
  const sum = shifts.reduce((sum, { value }) => sum + value, 0);
  return { sum, moved: shifts.filter(({ value }) => value > 0.002).map(({ value, moved }) => `${value.toFixed(3)} ${moved.join(", ")}`) };
}

/** Lets every answer of the API arrive alone, as on a slow connection. */
export async function answerSlowly(page) {
  let calls = 0;
  page.on("domcontentloaded", () => (calls = 0));
  await page.route("**/api/**", async (route) => {
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 50 * calls));
    await route.continue().catch(() => {});
  });
}

/** Waits until nothing loads any more on a page of a console. */
export async function hasLoaded(page) {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await settled(page);
}

/**
 * Loads a page of a console again in a language and in the browser's own scheme and motion, or in those of `media`. `reload`
 * may load it in another way.
 */
export async function loadAgain(page, language, media = {}, reload = () => page.reload()) {
  await page.emulateMedia({ colorScheme: null, reducedMotion: null, ...media });
  await page.evaluate((code) => localStorage.setItem("svc_language", code), language);
  await reload();
  await hasLoaded(page);
}
