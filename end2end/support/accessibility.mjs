// What axe-core finds on a page, as lines that name rule and element.
import { AxeBuilder } from "@axe-core/playwright";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The serious and critical findings, below `selector` where one is given. */
export async function seriousFindings(page, selector) {
  const axe = new AxeBuilder({ page }).withTags(STANDARDS);
  if (selector) axe.include(selector);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(" ")} (${node.failureSummary.replaceAll("\n", " ")})`));
}
