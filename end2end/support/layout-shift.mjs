// How much a page moves under the eyes of its reader while it loads (the metric "cumulative layout shift").

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
