// Findings of axe-core on a page, as lines that name rule and element.
import { AxeBuilder } from "@axe-core/playwright";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules of these standards that depend on colours. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * An analysis by axe of what a test says. It runs within the page, unless the page has frames: then results are joined on a
 * second page, which takes longer.
 */
export function axe(page) {
  return new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1).options({ resultTypes: ["violations"] });
}

/**
 * The findings of every level in the light and in the dark scheme, or in those that are named. From the second scheme on, only
 * colours are analysed: nothing else differs.
 */
export async function accessibilityFindings(page, schemes = ["light", "dark"]) {
  const findings = [];
  // A notice that leaves by itself may cover a part of a button for some seconds.
  await page.locator(".ui-toast:not(.ui-toast--error)").first().waitFor({ state: "detached" });
  for (const [number, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(colours);
    const analysis = number ? axe(page).withRules(COLOURS) : axe(page).withTags(STANDARDS);
    const { violations } = await settledAnalysis(page, () => analysis.analyze());
    findings.push(...violations.flatMap(({ id, nodes }) => nodes.map((node) => describe(colorScheme, id, node))));
  }
  return findings;
}

/** An analysis without findings, or its repetition a moment later: a page that draws a list again has colours of both schemes. */
async function settledAnalysis(page, analyse) {
  const first = await analyse();
  if (!first.violations.length) return first;
  await page.waitForTimeout(500);
  return analyse();
}

/**
 * Waits for the colours of another scheme: a frame, and the transitions that it started. The transition of an element that a list
 * draws again may never say that it is finished, and all take less than a second.
 */
async function colours() {
  await new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  const finished = Promise.allSettled(transitions.map((transition) => transition.finished));
  await Promise.race([finished, new Promise((resume) => setTimeout(resume, 1000))]);
}

function describe(colorScheme, id, { target, failureSummary }) {
  return `${colorScheme}: ${id}: ${target.flat().join(" ")} (${failureSummary.replaceAll("\n", " ")})`;
}

/**
 * Texts inside `host`'s shadow tree whose contrast with what is painted behind them is below 4.5:1 (WCAG 2.2, 1.4.3). axe
 * cannot determine what is behind a text of a fixed element in a shadow tree.
 */
export function faintTexts(host) {
  return host.evaluate((host) => {
    const numbers = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
    const colour = (text) => {
      const [red, green, blue, alpha = 1] = numbers(text.replace(/^color\(srgb/, ""));
      const scale = text.startsWith("color(") ? 255 : 1;
      return [red * scale, green * scale, blue * scale, alpha];
    };
    const over = ([r, g, b, a], [red, green, blue]) => [r * a + red * (1 - a), g * a + green * (1 - a), b * a + blue * (1 - a), 1];
    const behind = (element) => {
      const own = colour(getComputedStyle(element).backgroundColor);
      const parent = element.parentElement;
      return own[3] >= 1 ? own : over(own, parent ? behind(parent) : [255, 255, 255, 1]);
    };
    const luminance = (channels) => {
      const [red, green, blue] = channels.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return [...host.shadowRoot.querySelectorAll("*")].filter((element) => element.checkVisibility() && hasText(element)).flatMap((element) => {
      const ground = behind(element);
      const [one, two] = [luminance(over(colour(getComputedStyle(element).color), ground)), luminance(ground)];
      const contrast = Math.max(one, two) / Math.min(one, two);
      return contrast < 4.5 ? [`${element.className || element.localName} "${element.textContent.slice(0, 20)}": ${contrast.toFixed(2)}`] : [];
    });
  });
}
