// Takes the README's pictures, light and dark, and its tour of visitor, tenant and operator, from a demo world that looks used.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { closePage, launch, openPage } from "./support/browser.mjs";
import { Chat } from "./support/chat.mjs";
import { People } from "./support/sign-in.mjs";
import { animation, webp } from "./support/webp.mjs";
import { ROOT, World } from "./support/world.mjs";

const IMAGES = join(ROOT, "docs/images");
const SIZE = { width: 1280, height: 800 };
const TOUR = { width: 960, height: 600 };
const MOST_BYTES = 3_000_000;
const QUESTION = "How long does delivery take?";
const BETTER = "Orders before noon leave on the same day: one to two working days within Germany, three to six in other countries.";

const world = await World.fresh("readme");
const browser = await launch();

/** A page of the site or of a console, when nothing moves or loads any more. */
async function open(people, { username, path = "", visit }, options) {
  const still = { reducedMotion: "reduce", ...options };
  const page = username ? await people.open(username, path, still) : await openPage(browser, still);
  await visit?.(page);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  return page;
}

async function ask(page, address) {
  await page.goto(address);
  const chat = new Chat(page);
  await chat.open();
  await chat.ask(QUESTION);
}

async function openConversation(page) {
  await page.locator("main tbody").getByRole("link").first().click();
  await page.locator(".ui-conversation").waitFor();
}

async function compare(page) {
  await page.getByRole("switch", { name: "Compare with other settings" }).check();
  await page.getByLabel("How sure the chatbot must be").selectOption("strict");
  await page.getByRole("textbox", { name: "Question" }).fill("Do you ship boots to Norway?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "With other settings" }).waitFor();
}

function pictures({ site_url, chatbots }) {
  const { id } = chatbots.find(({ slug }) => slug === "shop-assistant");
  return {
    widget: { visit: (page) => ask(page, site_url) },
    "tenant-overview": { username: "hanna" },
    conversation: { username: "hanna", path: "conversations", visit: openConversation },
    test: { username: "hanna", path: `chatbots/${id}/test`, visit: compare },
    "operator-console": { username: "olivia" },
  };
}

async function takePictures(people) {
  for (const [name, entry] of Object.entries(pictures(world.dev))) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(people, entry, { colorScheme, viewport: SIZE });
      const picture = await page.screenshot();
      writeFileSync(join(IMAGES, `${name}-${colorScheme}.webp`), await encode(picture));
      await closePage(page);
    }
    console.log(name);
  }
}

/** A picture as WebP; a page without a policy does it. */
async function encode(png, quality) {
  const page = await browser.newPage();
  const picture = await webp(page, png, quality);
  await page.close();
  return picture;
}

/** The visitor opens the chat and asks. */
async function visitorAsks(people, look) {
  const site = await open(people, { visit: (page) => page.goto(world.dev.site_url) }, { viewport: TOUR });
  await look(site, 1500);
  const chat = new Chat(site);
  await chat.open();
  await look(site, 1200);
  await chat.input.fill(QUESTION);
  await look(site, 1200);
  await chat.input.press("Enter");
  await chat.answers.first().waitFor();
  await look(site, 3000);
  await closePage(site);
}

/** The tenant opens the conversation, writes a better answer and saves it. */
async function tenantImproves(people, look) {
  const conversation = { username: "hanna", path: "conversations", visit: openConversation };
  const page = await open(people, conversation, { viewport: TOUR });
  await look(page, 2200);
  await page.getByRole("button", { name: "Write a better answer" }).last().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Answer", { exact: true }).fill(BETTER);
  await look(page, 2600);
  await dialog.getByRole("button", { name: "Save answer" }).click();
  await page.getByText("Answer saved and live.").waitFor();
  await look(page, 1600);
  await closePage(page);
}

/** The next visitor asks the same and gets the better answer. */
async function visitorAsksAgain(people, look) {
  const site = await open(people, { visit: (page) => ask(page, world.dev.site_url) }, { viewport: TOUR });
  await site.getByRole("log").getByText("Orders before noon leave on the same day").first().waitFor();
  await look(site, 3000);
  await closePage(site);
}

/** What a visitor asks, what the tenant sees of it and answers, what the next visitor gets, and what the operator sees. */
async function takeTour(people) {
  const frames = [];
  const look = async (page, milliseconds) => {
    frames.push({ picture: await encode(await page.screenshot(), 0.7), milliseconds });
  };
  const stop = async (entry, milliseconds) => {
    const page = await open(people, entry, { viewport: TOUR });
    await look(page, milliseconds);
    await closePage(page);
  };
  await visitorAsks(people, look);
  await stop({ username: "hanna" }, 2600);
  await stop({ username: "hanna", path: "conversations" }, 2000);
  await tenantImproves(people, look);
  await visitorAsksAgain(people, look);
  await stop({ username: "olivia" }, 2600);
  await stop({ username: "olivia", path: "audit" }, 2400);
  const tour = animation(frames, TOUR);
  if (tour.length > MOST_BYTES) throw new Error(`the tour has ${tour.length} bytes, more than ${MOST_BYTES}`);
  writeFileSync(join(IMAGES, "tour.webp"), tour);
}

try {
  await world.start({ SVC_SITE_SHOWCASE: "true" });
  mkdirSync(IMAGES, { recursive: true });
  for (const name of readdirSync(IMAGES)) rmSync(join(IMAGES, name));
  const people = new People(browser, world);
  await takePictures(people);
  await takeTour(people);
} finally {
  await browser.close();
  await world.stop();
  world.delete();
}
console.log(`Look at them: ${IMAGES}`);
