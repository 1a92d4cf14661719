// Compares the widget with a hand-written launcher and two published chats, in the same Chromium at 150 ms and 1.6 Mbit/s. It
// measures the time from the insertion of the snippet to a visible launcher and to the first possible keystroke, processor
// time and memory of the renderer, bytes, and the longest main-thread task on a processor slowed down four times. Figures are
// medians; an argument sets the number of rounds: node end2end/bench-widget.mjs 15
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";

import { CANDIDATES, install } from "./bench/candidates.mjs";
import { BenchServer } from "./bench/server.mjs";
import { launch } from "./support/browser.mjs";
import { ROOT } from "./support/world.mjs";

const ROUNDS = Number(process.argv[2] ?? 15);
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
const PATIENCE_MS = 30_000;
/** Work of the page within this time after an input counts as caused by it. */
const SETTLE_MS = 1200;

/** Pastes a snippet and waits in the page, frame by frame, for launcher and input. Runs in the page. */
async function paste([source, selector, patience]) {
  const visible = (element) => element && element.getBoundingClientRect().width > 8 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const find = (tags) => [...(document.querySelector(selector)?.shadowRoot?.querySelectorAll(tags) ?? [])].find(visible);
  const until = async (look) => {
    while (performance.now() - started < patience) {
      const found = look();
      if (found) return [found, performance.now() - started];
      await new Promise((next) => requestAnimationFrame(next));
    }
    throw new Error(`nothing like it within ${patience} ms`);
  };
  const started = performance.now();
  (0, eval)(`(${source})`)();
  const [button, launcher] = await until(() => find("button"));
  button.click();
  const takesKeys = () => {
    const input = find("textarea, input[type=text]");
    input?.focus();
    return input && !input.disabled && input.getRootNode().activeElement === input && input;
  };
  const [, keystroke] = await until(takesKeys);
  return { launcher, keystroke };
}

/** The processor seconds that the page's own process has used on all its threads. */
async function processorTime(own) {
  const { metrics } = await own.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ProcessTime").value;
}

/** The process of a page: the renderer that has used as much processor time. Others belong to Chromium's own pages. */
async function processOf(own, devtools) {
  const time = await processorTime(own);
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  const distance = ({ cpuTime }) => Math.abs(cpuTime - time);
  return processInfo.filter(({ type }) => type === "renderer").sort((one, two) => distance(one) - distance(two))[0].id;
}

/** Private memory of a process, in kB. */
function memory(id) {
  const parts = readFileSync(`/proc/${id}/smaps_rollup`, "utf8").matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm);
  return [...parts].reduce((total, [, size]) => total + Number(size), 0);
}

async function inPage(server, { network, slowdown = 1 }, measure) {
  const browser = await launch({ args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"] });
  try {
    const page = await browser.newPage();
    const [own, devtools] = [await page.context().newCDPSession(page), await browser.newBrowserCDPSession()];
    await page.goto(server.origin);
    if (network) {
      await own.send("Network.enable");
      await own.send("Network.emulateNetworkConditions", network);
    }
    await own.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    return await measure(page, own, devtools);
  } finally {
    await browser.close();
  }
}

/** One cold start of a candidate on a slow network: times and bytes. */
function start(server, candidate) {
  return inPage(server, { network: NETWORK }, async (page) => {
    server.bytes = 0;
    const times = await page.evaluate(paste, [candidate.paste, candidate.host, PATIENCE_MS]);
    return { ...times, bytes: server.bytes };
  });
}

/** What a candidate costs the renderer until it is opened and at rest; without one, the page alone. Nothing polls meanwhile. */
function cost(server, candidate) {
  return inPage(server, {}, async (page, own, devtools) => {
    await own.send("Performance.enable");
    const before = await processorTime(own);
    if (candidate) await page.evaluate(`(${candidate.paste})()`);
    await page.waitForTimeout(SETTLE_MS);
    if (candidate) await page.evaluate((host) => document.querySelector(host).shadowRoot.querySelector("button").click(), candidate.host);
    await page.waitForTimeout(SETTLE_MS);
    const cpu = ((await processorTime(own)) - before) * 1000;
    await own.send("HeapProfiler.collectGarbage");
    return { cpu, memory: memory(await processOf(own, devtools)) / 1024 };
  });
}

/** All of it but the tasks. */
async function measure(server, candidate) {
  return { ...(candidate ? await start(server, candidate) : {}), ...(await cost(server, candidate)) };
}

/** The longest main-thread task in milliseconds while a candidate starts and opens on a slow processor; 0: below 50. */
function longestTask(server, candidate) {
  return inPage(server, { slowdown: 4 }, async (page) => {
    await page.evaluate(() => {
      window.tasks = [0];
      new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    });
    await page.evaluate(paste, [candidate.paste, candidate.host, PATIENCE_MS]);
    await page.waitForTimeout(SETTLE_MS);
    return page.evaluate(() => Math.max(...window.tasks));
  });
}

function median(numbers) {
  const sorted = numbers.toSorted((one, two) => one - two);
  return sorted[Math.floor(sorted.length / 2)];
}

install();
const server = await BenchServer.start(CANDIDATES);
const measured = { "the page alone": [], ...Object.fromEntries(Object.keys(CANDIDATES).map((name) => [name, []])) };
const tasks = {};
console.log(`${ROUNDS} rounds, load ${loadavg().map((load) => load.toFixed(1)).join(" ")}`);
// The first round fills the server's and the system's caches and does not count.
for (const name of Object.keys(measured)) await measure(server, CANDIDATES[name]);
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, results] of Object.entries(measured)) results.push(await measure(server, CANDIDATES[name]));
  process.stdout.write(".");
}
for (const [name, candidate] of Object.entries(CANDIDATES)) {
  const times = [];
  for (let round = 0; round < Math.min(ROUNDS, 5); round++) times.push(await longestTask(server, candidate));
  tasks[name] = median(times);
}
await server.stop();

const medians = Object.fromEntries(
  Object.entries(measured).map(([name, results]) => {
    const of = (key) => median(results.map((result) => result[key] ?? 0));
    return [name, { launcher: of("launcher"), keystroke: of("keystroke"), cpu: of("cpu"), memory: of("memory"), bytes: of("bytes"), task: tasks[name] ?? 0 }];
  }),
);
const alone = medians["the page alone"].memory;
console.log("\n\n| | launcher ms | keystroke ms | renderer CPU ms | memory MB more | bytes (brotli) | longest task at 4x, ms |\n|---|---|---|---|---|---|---|");
for (const [name, { launcher, keystroke, cpu, memory, bytes, task }] of Object.entries(medians)) {
  const cells = [launcher, keystroke, cpu, memory - alone, bytes, task].map((cell, index) => (index === 3 ? cell.toFixed(1) : Math.round(cell)));
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
const ours = medians["this widget"];
for (const name of ["hand-written launcher", "open-chat-studio-widget", "flowise-embed"]) {
  const ratios = ["launcher", "keystroke", "cpu", "bytes"].map((key) => `${key} ${(ours[key] / medians[name][key]).toFixed(2)}`);
  console.log(`of ${name}: ${ratios.join(", ")}`);
}
console.log(`load at the end ${loadavg().map((load) => load.toFixed(1)).join(" ")}`);
writeFileSync(join(ROOT, "var/bench-widget/results.json"), JSON.stringify({ rounds: ROUNDS, medians, measured }, null, 1));
