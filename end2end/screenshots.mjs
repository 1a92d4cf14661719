// Renders every page in both themes and three widths into var/screenshots/ and takes the README's pictures. Arguments
// choose pages by the beginning of their name: node end2end/screenshots.mjs tenant widget
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { closePage, launch, openPage } from "./support/browser.mjs";
import { Chat } from "./support/chat.mjs";
import { causeFilterEvents } from "./support/filter-events.mjs";
import { consoleOf, People } from "./support/sign-in.mjs";
import { ROOT, World } from "./support/world.mjs";

const FOLDER = join(ROOT, "var/screenshots");
const IMAGES = join(ROOT, "docs/images");
const WIDTHS = { 360: 740, 768: 1024, 1280: 800 };
const HARBOR = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
const QUESTION = "How do I put the chatbot on my site?";

const wanted = process.argv.slice(2);
const isWanted = (name) => !wanted.length || wanted.some((word) => name.startsWith(word));

/** The pages: name, who looks at them, path in their console or a function that brings an empty page there. */
function pages({ dev }) {
  const { id } = dev.chatbots.find(({ slug }) => slug === "platform-help");
  const operator = { overview: "", tenants: "tenants", modules: "modules", audit: "audit?actor_role=operator", templates: "templates" };
  Object.assign(operator, { tenant: `tenants/${HARBOR}`, "tenant-branding": `tenants/${HARBOR}/branding` });
  Object.assign(operator, { "output-filter": "output-filter", "template-edit": "templates/product-help-en/edit" });
  Object.assign(operator, { "template-new": "templates/new", template: "templates/product-help-en" });
  Object.assign(operator, { connectors: "connectors", gallery: "gallery", missing: "nowhere" });
  const tenant = { overview: "", chatbots: "chatbots", wizard: "chatbots/new", chatbot: `chatbots/${id}` };
  Object.assign(tenant, { modules: "modules", branding: "branding", preferences: "preferences", missing: "nowhere" });
  for (const part of ["playground", "settings", "branding", "template", "feedback"]) {
    tenant[`chatbot-${part}`] = `chatbots/${id}/${part}`;
  }
  const named = (prefix, username, paths) =>
    Object.entries(paths).map(([name, path]) => ({ name: `${prefix}-${name}`, username, path }));
  return [
    { name: "landing", visit: (page) => page.goto(dev.base_url) },
    { name: "sign-in", visit: (page) => signInPage(page, dev) },
    { name: "login", visit: (page) => loginPage(page, dev) },
    { name: "widget", visit: (page) => answered(page, dev.site_url) },
    ...named("operator", "olivia", operator),
    { name: "operator-dialog", username: "olivia", path: "tenants", act: newTenant },
    { name: "operator-bulk", username: "olivia", path: "tenants", act: bulkModules },
    { name: "operator-palette", username: "olivia", path: "", act: palette },
    { name: "operator-audit-row", username: "olivia", path: "audit", act: firstRow },
    { name: "operator-vendor", username: "victor", path: "tenants" },
    ...named("tenant", "hanna", tenant),
    { name: "tenant-wizard-settings", username: "hanna", path: "chatbots/new", act: wizardSettings },
    { name: "tenant-viewer", username: "henry", path: "branding" },
  ];
}

async function signInPage(page, dev) {
  await page.goto(`${dev.base_url}/tenant/`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
}

async function loginPage(page, dev) {
  await signInPage(page, dev);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("Password").waitFor();
}

async function answered(page, address) {
  await page.goto(address);
  const chat = new Chat(page);
  await chat.open();
  await chat.ask(QUESTION);
}

async function newTenant(page) {
  await page.getByRole("button", { name: "New tenant" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Lighthouse Books");
}

async function bulkModules(page) {
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Assign modules" }).click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
}

async function palette(page) {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("h");
  await page.getByRole("option", { name: /^Harbor Supply/ }).waitFor();
}

async function firstRow(page) {
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("heading", { name: "What changed" }).waitFor();
}

async function wizardSettings(page) {
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await page.getByRole("button", { name: "Next" }).click();
}

/** Opens a page of the list; resolves when nothing moves or loads any more. */
async function open(people, { username, path, visit, act }, options) {
  const still = { reducedMotion: "reduce", ...options };
  const page = username ? await people.open(username, path, still) : await openPage(people.browser, still);
  if (visit) await visit(page);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  if (act) await act(page);
  return page;
}

/** One page in all widths. The console is not signed in to again for a width: only the window changes. */
async function capture(people, entry, colorScheme) {
  const page = await open(people, entry, { colorScheme, viewport: { width: 1280, height: 800 } });
  for (const [width, height] of Object.entries(WIDTHS).reverse()) {
    await page.setViewportSize({ width: Number(width), height });
    await page.evaluate(() => {
      scrollTo(0, 0);
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    await page.screenshot({ path: join(FOLDER, `${entry.name}-${colorScheme}-${width}.png`), fullPage: entry.name !== "widget" });
  }
  await closePage(page);
}

/** The two pictures of the README. */
async function readme(people, dev) {
  mkdirSync(IMAGES, { recursive: true });
  const options = { colorScheme: "light", viewport: { width: 1280, height: 800 } };
  const pictures = {
    widget: { visit: (page) => answered(page, dev.site_url) },
    "operator-console": { username: "olivia", path: "" },
  };
  for (const [name, entry] of Object.entries(pictures)) {
    const page = await open(people, entry, options);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    await closePage(page);
  }
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const world = await World.shared();
const browser = await launch();
try {
  const people = new People(browser, world);
  await causeFilterEvents(world, "hanna", "payments-help");
  for (const entry of pages(world).filter(({ name }) => isWanted(name))) {
    for (const colorScheme of ["light", "dark"]) await capture(people, entry, colorScheme);
    console.log(entry.name);
  }
  if (isWanted("readme")) await readme(people, world.dev);
} finally {
  await browser.close();
  await world.stop();
  if (!process.env.E2E_WORLD) world.delete();
}
console.log(`Look at them: ${FOLDER}`);
