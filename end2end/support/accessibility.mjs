// What axe-core finds on a page, as lines that name rule and element.
import { AxeBuilder } from "@axe-core/playwright";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The serious and critical findings in the light and in the dark scheme. */
export async function seriousFindings(page) {
  const findings = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    findings.push(...serious.flatMap(({ id, nodes }) => nodes.map((node) => describe(colorScheme, id, node))));
  }
  return findings;
}

function describe(colorScheme, id, { target, failureSummary }) {
  return `${colorScheme}: ${id}: ${target.flat().join(" ")} (${failureSummary.replaceAll("\n", " ")})`;
}
