// The npm package as a site uses it: installed from its archive, built with Vite, and as a module of a plain page, in a real browser.
// Run by `make test-npm`, which packs it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";

import { closePage, launch, openPage } from "../../../end2end/support/browser.mjs";
import { Chat } from "../../../end2end/support/chat.mjs";
import { CHATBOT, FakePlatform, reply } from "../../../end2end/support/fake-platform.mjs";

const HERE = import.meta.dirname;
const ARCHIVE = process.env.ARCHIVE;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };
const folder = mkdtempSync(join(tmpdir(), "chat-widget-"));
let platform, browser, site, origin;
const pages = {};

before(async () => {
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(HERE, name), join(folder, name));
  cpSync(join(HERE, "app"), join(folder, "app"), { recursive: true });
  in_(folder, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
  mkdirSync(join(folder, "node_modules/chat-widget"));
  in_(folder, "tar", "xzf", ARCHIVE, "-C", "node_modules/chat-widget", "--strip-components", "1");
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  platform.onQuery = (exchange) => exchange.begin().done(reply("Three days."));
  site = createServer(serve).listen(0, "127.0.0.1");
  await once(site, "listening");
  origin = `http://127.0.0.1:${site.address().port}`;
});

after(async () => {
  await browser?.close();
  await platform?.stop();
  site?.closeAllConnections();
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program without the tests' own variables. */
function in_(cwd, program, ...args) {
  const { PATH, HOME, ...others } = process.env;
  const kept = Object.entries(others).filter(([name]) => /^(npm_config_|VITE_|.*_proxy$|SSL_|NODE_EXTRA)/i.test(name));
  return execFileSync(program, args, { cwd, env: { PATH, HOME, ...Object.fromEntries(kept) }, encoding: "utf8" });
}

/** Files of the folder, and pages of the tests, with a policy that allows no more than the documentation says. */
function serve(request, response) {
  const { pathname } = new URL(request.url, origin);
  const policy =
    `default-src 'none'; script-src 'self' ${platform.origin} 'wasm-unsafe-eval'; connect-src ${platform.origin}; ` +
    "require-trusted-types-for 'script'; trusted-types chat-widget";
  const headers = { "content-type": TYPES[extname(pathname)] ?? "text/html", "content-security-policy": policy };
  try {
    const body = pages[pathname] ?? readFileSync(join(folder, pathname));
    response.writeHead(200, headers).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

test("a page that Vite built has the chat, and loses it with its component", async () => {
  process.env.VITE_PLATFORM = platform.origin;
  process.env.VITE_CHATBOT = CHATBOT;
  in_(folder, "node_modules/.bin/vite", "build", "app", "--outDir", "../site", "--base", "/site/");
  const page = await openPage(browser);
  const chat = new Chat(page);
  await page.goto(`${origin}/site/index.html`);
  await chat.open();
  await chat.ask("When?");
  await page.getByText("Three days.").waitFor();
  await page.waitForFunction(() => window.heard.includes("answer"));
  assert.deepEqual(await page.evaluate(() => window.heard), ["open", "question", "answer"]);
  assert.equal(await page.locator("svc-chat").count(), 1);
  await page.locator("#switch").click();
  await page.waitForFunction(() => !document.querySelector("svc-chat"));
  await page.locator("#switch").click();
  await page.locator("svc-chat").waitFor({ state: "attached" });
  assert.deepEqual(page.violations, []);
  assert.deepEqual(page.errors, []);
  await closePage(page);
});

test("a plain page puts the chat into its shadow root", async () => {
  pages["/plain.html"] = `<!doctype html><html lang="en"><title>A shop</title><div id="host"></div><script type="module" src="/plain.js"></script>`;
  pages["/plain.js"] = `
    import { mount } from "/node_modules/chat-widget/index.js";
    const root = document.querySelector("#host").attachShadow({ mode: "open" });
    window.heard = [];
    window.chat = mount(root, { platform: ${JSON.stringify(platform.origin)}, chatbotId: ${JSON.stringify(CHATBOT.toUpperCase())} });
    for (const type of ["open", "answer", "close"]) chat.on(type, (event) => heard.push(event.type));
    window.same = mount({ chatbotId: ${JSON.stringify(CHATBOT)} }) === chat;
    chat.ask("When?");`;
  platform.asked = [];
  const page = await openPage(browser);
  await page.goto(`${origin}/plain.html`);
  await page.getByText("Three days.").waitFor();
  assert.equal(await page.evaluate(() => document.querySelector("#host").shadowRoot.querySelectorAll("svc-chat").length), 1);
  assert.equal(await page.evaluate(() => document.documentElement.querySelectorAll(":scope > svc-chat").length), 0);
  assert.equal(await page.evaluate(() => window.same), true);
  await page.waitForFunction(() => window.heard.includes("answer"));
  await page.evaluate(() => window.chat.close());
  await page.waitForFunction(() => window.heard.join() === "open,answer,close");
  const version = JSON.parse(readFileSync(join(folder, "node_modules/chat-widget/package.json"))).version;
  assert.equal(platform.asked[0], `chat-widget.min.js?v=${version}`);
  await page.evaluate(() => window.chat.destroy());
  assert.equal(await page.evaluate(() => document.querySelector("#host").shadowRoot.childElementCount), 0);
  assert.deepEqual(page.violations, []);
  assert.deepEqual(page.errors, []);
  await closePage(page);
});

test("a platform that is down is an error that can be repaired", async () => {
  pages["/down.html"] = `<!doctype html><title>A shop</title><script type="module" src="/down.js"></script>`;
  pages["/down.js"] = `
    import { mount } from "/node_modules/chat-widget/index.js";
    window.start = () => {
      window.chat?.destroy();
      window.chat = mount({ platform: ${JSON.stringify(platform.origin)}, chatbotId: ${JSON.stringify(CHATBOT)} });
      return window.chat.ready.then(() => "ready", (error) => error.message);
    };`;
  const page = await openPage(browser);
  await page.goto(`${origin}/down.html`);
  await page.waitForFunction(() => window.start);
  platform.isDown = true;
  assert.match(await page.evaluate(() => window.start()), /cannot be loaded/);
  platform.isDown = false;
  assert.equal(await page.evaluate(() => window.start()), "ready");
  await page.locator("svc-chat").waitFor({ state: "attached" });
  await closePage(page);
});

test("CommonJS has the same functions", () => {
  writeFileSync(join(folder, "common.cjs"), `console.log(typeof require("chat-widget").mount, typeof require("chat-widget/react").ChatWidget);`);
  assert.equal(in_(folder, "node", "common.cjs"), "function function\n");
});

test("the types fit", () => {
  in_(folder, "node_modules/.bin/tsc", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "app/types.ts");
});
