// Measures the widget's longest main-thread task in each phase of a visit, on a processor slowed down four times, as the
// browser reports them (50 ms and more; 0: none). For comparison it measures an idle page, and an empty script with an empty
// module. Answers come from the stand-in platform. Figures are medians; an argument sets the number of rounds.
import { setTimeout as pause } from "node:timers/promises";
import { loadavg } from "node:os";

import { launch } from "./support/browser.mjs";
import { CHATBOT, FakePlatform, reply, SESSION, source, TOKEN } from "./support/fake-platform.mjs";
import { HostSite, hostPage } from "./support/host-site.mjs";

const ROUNDS = Number(process.argv[2] ?? 5);
const START_MS = 1500;
const SETTLE_MS = 700;
const PATIENCE = 400;
const OBSERVE = `window.tasks = []; new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" })`;
const SOURCES = [1, 2, 3, 4, 5].map((number) => source(`Document ${number}`, "A passage about something that matters."));
const CITED = { sources: SOURCES, citations: SOURCES.map((_, index) => ({ marker: `[${index + 1}]`, source_index: index })) };
const EMPTY_SCRIPT = `WebAssembly.instantiateStreaming(fetch("/empty.wasm")).then(({ instance }) => { window.instance = instance; });`;
const ANSWER = Array.from({ length: 8 }, (_, part) => `## Part ${part}

This is **paragraph ${part}** with a [link](https://example.com/${part}), \`code\` and a citation [${(part % 5) + 1}]. It goes on for a while, so that it fills a few lines.

- first item
- second *item*

`).join("");

/** Answers as a model does: word by word. */
async function stream(exchange) {
  exchange.begin().say("sources", { sources: SOURCES });
  for (const words of ANSWER.match(/[^]{1,24}/g)) {
    exchange.token(words);
    await pause(10);
  }
  exchange.done(reply(ANSWER, CITED));
}

/** An earlier conversation of twenty answers. */
function history() {
  const message = (role, content, more) => ({ ...reply(content, more), role, content, created_at: "2026-11-21T10:00:00Z" });
  return Array.from({ length: 20 }, (_, at) => [message("user", `Question ${at}`), message("assistant", ANSWER.slice(0, 1200), CITED)]).flat();
}

/** A page without Playwright's own scripts in it, which would be tasks, too. */
class Bare {
  constructor(devtools) {
    this.devtools = devtools;
  }

  async run(expression) {
    const { result, exceptionDetails } = await this.devtools.send("Runtime.evaluate", { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  }

  /** Waits until an expression over the widget's `root` is true. */
  async until(expression) {
    for (let look = 0; look < PATIENCE; look++) {
      if (await this.run(`(() => { const root = document.querySelector("svc-chat")?.shadowRoot; return Boolean(root && ${expression}) })()`)) return;
      await pause(50);
    }
    throw new Error(`it never came to: ${expression}`);
  }

  async click(selector) {
    const place = `(() => { const { x, y, width, height } = document.querySelector("svc-chat").shadowRoot.querySelector("${selector}").getBoundingClientRect(); return [x + width / 2, y + height / 2] })()`;
    const [x, y] = await this.run(place);
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      await this.devtools.send("Input.dispatchMouseEvent", { type, x, y, ...(type === "mouseMoved" ? {} : { button: "left", clickCount: 1 }) });
    }
  }

  async press(key, text = key, windowsVirtualKeyCode = key.toUpperCase().charCodeAt(0)) {
    await this.devtools.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode });
    await this.devtools.send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode });
  }
}

/** Waits until Chromium has opened pages of its own, which takes its processors, then measures on a slow one. */
async function inPage(site, phase, measure) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    const bare = new Bare(await page.context().newCDPSession(page));
    await page.addInitScript(OBSERVE);
    await page.goto(site.origin);
    await pause(START_MS);
    await bare.devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const settled = async (name, act) => {
      await bare.run("tasks.length = 0");
      await act();
      await pause(SETTLE_MS);
      phase(name, Math.max(0, ...(await bare.run("tasks"))));
    };
    await measure(page, bare, settled);
  } finally {
    await browser.close();
  }
}

/** Appends a script to a page. */
function paste(bare, src, data = {}) {
  return bare.run(
    `(() => { const script = Object.assign(document.createElement("script"), { src: "${src}" }); Object.assign(script.dataset, ${JSON.stringify(data)}); document.body.append(script) })()`,
  );
}

/** What the browser alone takes for as long as the widget loads. */
function floor(site, phase) {
  return inPage(site, phase, async (page, bare, settled) => {
    await settled("the page alone", () => pause(SETTLE_MS));
    await settled("an empty script and module", async () => {
      await paste(bare, `${site.origin}/empty.js`);
      for (let look = 0; look < PATIENCE && !(await bare.run("Boolean(window.instance)")); look++) await pause(50);
    });
  });
}

/** One visit and, with the cookie of the first, a second one. */
function visit(platform, site, phase) {
  platform.reset();
  platform.onQuery = stream;
  return inPage(site, phase, async (page, bare, settled) => {
    const load = async () => {
      await paste(bare, `${platform.origin}/static/widget/chat-widget.min.js`, { chatbotId: CHATBOT, apiBase: `${platform.origin}/api/v1` });
      await bare.until(`root.querySelector("textarea")`);
    };
    const open = async () => {
      await bare.click(".svc-launcher");
      await bare.until(`root.activeElement === root.querySelector("textarea")`);
    };
    await settled("load", load);
    await settled("open", open);
    await settled("type", () => bare.press("H"));
    await settled("ask and read", async () => {
      await bare.press("Enter", "\r", 13);
      await bare.until(`root.querySelector("[data-message-id]")`);
    });
    await settled("rate", async () => {
      await bare.run(`document.querySelector("svc-chat").shadowRoot.querySelector("[data-act=down]").scrollIntoView()`);
      await bare.click("[data-act=down]");
    });
    platform.messages = history();
    const cookies = { svc_sid_b7d4f1a2: SESSION, svc_token_b7d4f1a2: `${SESSION}.${TOKEN}` };
    await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: site.origin })));
    await page.goto(site.origin);
    await load();
    await pause(SETTLE_MS);
    await settled("open an earlier conversation", async () => {
      await open();
      await bare.until(`root.querySelectorAll("[data-message-id]").length === 20`);
    });
  });
}

const platform = await FakePlatform.start();
const site = await HostSite.start({
  "/": { html: hostPage({}) },
  "/empty.js": { html: EMPTY_SCRIPT, headers: { "content-type": "text/javascript" } },
  "/empty.wasm": { html: "\0asm\x01\0\0\0", headers: { "content-type": "application/wasm" } },
});
const phases = new Map();
const note = (name, longest) => phases.set(name, [...(phases.get(name) ?? []), longest]);
console.log(`${ROUNDS} rounds, load ${loadavg().map((load) => load.toFixed(1)).join(" ")}`);
for (let round = 0; round < ROUNDS; round++) {
  await floor(site, note);
  await visit(platform, site, note);
}
await Promise.all([platform.stop(), site.stop()]);
console.log("\n| phase | longest task ms (median) | of each round |\n|---|---|---|");
for (const [name, tasks] of phases) {
  const sorted = tasks.toSorted((one, two) => one - two);
  console.log(`| ${name} | ${sorted[Math.floor(sorted.length / 2)]} | ${tasks.join(" ")} |`);
}
