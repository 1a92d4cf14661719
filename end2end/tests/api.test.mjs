// Runs the examples of docs/api.md and docs/integrations.md unchanged, each page from top to bottom in one shell, and compares the
// responses with those on the page; twice, because a reader may repeat them. Ids and times only need to have the same form; `…` matches anything.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { install } from "../support/openai.mjs";
import { ROOT, World } from "../support/world.mjs";

const MARK = "\u001e";
const KINDS = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/,
  /^\d{4}-\d{2}-\d{2}$/,
];

/** The examples of a page. */
function read(name) {
  const page = readFileSync(join(ROOT, "docs", name), "utf8");
  const examples = [];
  for (const { index, 1: language, 2: text } of page.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    if (language === "sh") examples.push({ line: page.slice(0, index).split("\n").length, command: text, answer: null });
    else Object.assign(examples.at(-1), { language, answer: text });
  }
  return examples;
}

const PAGES = ["api.md", "integrations.md"].map((name) => ({ name, examples: read(name) }));
const { examples } = PAGES[0];

let world;

before(async () => {
  world = await World.shared();
  const clients = install();
  const env = { ...process.env, DEV: join(world.folder, "dev.json"), PYTHONPATH: join(clients, "lib") };
  for (const page of PAGES) {
    const script = ["set -euo pipefail", ...page.examples.map(({ command }) => `${command}\nprintf '${MARK}'`)].join("\n");
    const run = () => execFileSync("bash", ["-c", script], { cwd: ROOT, env, encoding: "utf8", timeout: 600_000 }).split(MARK);
    /** The responses of each run. */
    page.runs = [run(), run()];
  }
});

after(() => world?.stop());

for (const page of PAGES) {
  for (const [index, { line, language, answer }] of page.examples.entries()) {
    if (answer === null) continue;
    test(`the example in line ${line} of ${page.name} has its answer`, () =>
      page.runs.forEach((outputs) => check[language](answer, outputs[index])));
  }
}

test("the page has an answer for every resource", () => {
  const paths = "me tenants modules templates chatbots template-update branding widget query messages feedback stats";
  for (const word of `${paths} preferences audit health`.split(" ")) {
    assert.ok(examples.some(({ command, answer }) => answer && command.includes(word)), word);
  }
});

test("the examples leave nothing behind", async () => {
  const get = async (username, path) => (await world.call(username, "GET", path)).json();
  const { total } = await get("olivia", "/api/v1/operator/templates?q=example-&status=active");
  const { items } = await get("hanna", "/api/v1/tenants/me/chatbots?limit=200");
  const { preferred_theme } = await get("olivia", "/api/v1/users/me/preferences");
  const left = items.filter(({ slug }) => slug.startsWith("example")).map(({ slug }) => slug);
  assert.deepEqual([total, left, preferred_theme], [0, [], "auto"]);
});

const check = {
  json(expected, found) {
    compare(JSON.parse(expected), JSON.parse(found), "answer");
  },
  http(expected, found) {
    const [head, body] = expected.split("\n\n");
    const [foundHead, foundBody] = found.split("\r\n\r\n");
    const lines = foundHead.toLowerCase().split("\r\n");
    for (const line of head.toLowerCase().split("\n")) {
      const [begin] = line.split("…");
      assert.ok(lines.some((other) => (line.includes("…") ? other.startsWith(begin) : other === line)), `${line}\n${foundHead}`);
    }
    if (body) check.json(body, foundBody);
  },
  text(expected, found) {
    compare(expected.trimEnd(), found.trimEnd(), "text");
  },
  // The split of an answer into tokens may vary, so they are compared as one text.
  events(expected, found) {
    compare(events(expected), events(found), "events");
  },
};

function events(text) {
  const parsed = [];
  for (const [, event, data] of text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)) {
    const last = parsed.at(-1);
    if (event === "token" && last?.event === event) last.data.text += JSON.parse(data).text;
    else parsed.push({ event, data: JSON.parse(data) });
  }
  return parsed;
}

function compare(expected, found, place) {
  if (expected === "…") return;
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(found), `${place} is no list: ${JSON.stringify(found)}`);
    const open = expected.at(-1) === "…";
    const shown = open ? expected.slice(0, -1) : expected;
    if (!open) assert.equal(found.length, expected.length, `${place}: ${JSON.stringify(found)}`);
    shown.forEach((value, index) => compare(value, found[index], `${place}[${index}]`));
  } else if (expected && typeof expected === "object") {
    const shown = Object.keys(expected).filter((key) => key !== "…");
    if (!("…" in expected)) assert.deepEqual(Object.keys(found).sort(), shown.sort(), place);
    for (const key of shown) compare(expected[key], found?.[key], `${place}.${key}`);
  } else if (typeof expected === "string" && KINDS.some((kind) => kind.test(expected))) {
    assert.match(String(found), KINDS.find((kind) => kind.test(expected)), place);
  } else if (typeof expected === "string" && expected.endsWith("…")) {
    assert.ok(String(found).startsWith(expected.slice(0, -1)), `${place}: ${found}`);
  } else if (typeof expected === "number" && !Number.isInteger(expected)) {
    assert.equal(typeof found, "number", place);
  } else {
    assert.deepEqual(found, expected, place);
  }
}
