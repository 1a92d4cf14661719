// Checks the design system: WCAG contrast of every pair that carries text or a control's edge, in both
// themes, and that no sheet but tokens.css holds a raw colour or time, and none a raw pixel size.
// Run: node style/check.mjs (no dependencies). Exit code 1 and one line per finding when something is wrong.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const tokens = readFileSync(join(here, "tokens.css"), "utf8");
const findings = [];

/** The [light, dark] pair of a colour token, as the first rule of tokens.css defines it. */
function pair(name) {
  const found = tokens.match(new RegExp(`--color-${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`));
  if (!found) throw new Error(`tokens.css has no opaque pair --color-${name}`);
  return [found[1], found[2]];
}

/** Relative luminance of #rrggbb (WCAG 2.2). */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of two colours, 1 to 21. */
function contrast(one, two) {
  const [high, low] = [luminance(one), luminance(two)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["canvas", "sunken", "surface", "raised", "hover", "active", "selected"];
const text = [
  ...["text", "text-muted"].flatMap((name) => grounds.map((ground) => [name, ground])),
  ...["canvas", "sunken", "surface", "raised", "hover"].map((ground) => ["text-faint", ground]),
  ...["canvas", "sunken", "surface", "raised", "hover", "selected", "accent-soft"].map((ground) => ["accent", ground]),
  ...["accent", "accent-hover", "accent-active"].map((ground) => ["on-accent", ground]),
  ...["success", "warning", "danger", "info"].flatMap((name) =>
    [`${name}-soft`, "surface", "raised", "canvas"].map((ground) => [name, ground])),
  ...["success", "warning", "danger", "info"].map((name) => ["text", `${name}-soft`]),
  ["on-danger", "danger-solid"],
  ["on-danger", "danger-solid-hover"],
  ["code-text", "code-ground"],
];
const edges = ["canvas", "surface", "raised"].flatMap((ground) => [["line-strong", ground], ["focus", ground]]);

let least = { text: 21, edge: 21 };
for (const [kind, pairs, floor] of [["text", text, 4.5], ["edge", edges, 3]]) {
  for (const [front, back] of pairs) {
    ["light", "dark"].forEach((theme, side) => {
      const ratio = contrast(pair(front)[side], pair(back)[side]);
      least[kind] = Math.min(least[kind], ratio);
      if (ratio < floor) findings.push(`${theme}: ${front} on ${back} is ${ratio.toFixed(2)}, needs ${floor}`);
    });
  }
}

const sheets = readdirSync(here, { recursive: true }).map(String)
  .filter((name) => name.endsWith(".css") && name !== "tokens.css" && !name.startsWith("widget"));
for (const name of sheets) {
  const bare = readFileSync(join(here, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""));
  bare.split("\n").forEach((line, at) => {
    if (line.trimStart().startsWith("@media")) return;
    if (/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i.test(line)) findings.push(`${name}:${at + 1}: raw colour: ${line.trim()}`);
    if (/[\d.](?:px|rem|ms)\b/.test(line)) findings.push(`${name}:${at + 1}: raw size or time: ${line.trim()}`);
  });
}

findings.forEach((finding) => console.error(finding));
console.log(`${text.length * 2} text pairs (least ${least.text.toFixed(2)}), ${edges.length * 2} edge pairs (least ${least.edge.toFixed(2)}), ${sheets.length} sheets, ${findings.length} findings`);
process.exitCode = findings.length ? 1 : 0;
