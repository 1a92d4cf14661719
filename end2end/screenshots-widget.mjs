// Captures the widget's states in light, dark and on a phone into var/screenshots/widget. Answers come from the stand-in
// platform, so that a picture can show an unfinished answer.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { closePage, launch, openPage } from "./support/browser.mjs";
import { Chat } from "./support/chat.mjs";
import { CHATBOT, FakePlatform, foldedSource, reply, source } from "./support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "./support/host-site.mjs";
import { ROOT } from "./support/world.mjs";

const FOLDER = join(ROOT, "var/screenshots/widget");
const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const LOOKS = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, phone: PHONE };
const BEGINNING = "We ship to **Norway** within three to five working days [1]. Parcels over ";
const ANSWER = reply(`${BEGINNING}20 kg go by road and take about a week [2].

- Customs papers are included
- You get a tracking link by mail

See the [shipping page](https://shop.example/shipping) for prices.`, {
  sources: [
    foldedSource("Shipping: Nordic countries", "Parcels to Norway, Sweden and Finland leave our house every evening and arrive within three to five …"),
    source("Shipping: heavy parcels", "Everything over 20 kg travels by road."),
  ],
  citations: [{ marker: "[1]", source_index: 0 }, { marker: "[2]", source_index: 1 }],
});

const SECTION = `Parcels to Norway, Sweden and Finland leave our house every evening and arrive within three to five working days.

1. We print the customs papers.
2. You get a **tracking link** by mail.
3. The carrier rings twice.`;

/** Asks a question; resolves to the exchange. */
async function ask(platform, chat, question) {
  const started = new Promise((resolve) => (platform.onQuery = resolve));
  await chat.send(question);
  return started;
}

async function converse(platform, chat, picture) {
  await picture("closed");
  await chat.open();
  await picture("open");
  const first = await ask(platform, chat, "Do you ship to Norway?");
  first.begin().say("sources", { sources: ANSWER.sources });
  await picture("waiting");
  first.token(BEGINNING);
  await chat.log.getByText("Parcels over").waitFor();
  await picture("streaming");
  first.done(ANSWER);
  const answer = (name) => chat.answers.last().getByRole("button", { name, exact: true });
  await answer("Not helpful").waitFor();
  await picture("answered");
  await answer("Not helpful").click();
  await answer("Incomplete").click();
  await picture("feedback");
  await answer("Send feedback").click();
  await chat.citations.first().click();
  await picture("sources");
  await chat.sources.locator("li summary").click();
  await chat.sources.getByText("The carrier rings twice.").waitFor();
  await picture("section");
  const second = await ask(platform, chat, "And to Iceland?");
  second.begin().token("Iceland takes a little longer, because the ");
  await chat.log.getByText("Iceland takes").waitFor();
  second.cut();
  await chat.log.getByText("was cut off").waitFor();
  await picture("broken");
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
const site = await HostSite.start({ "/": { html: hostPage({ body: snippet(platform.origin, CHATBOT) }) } });
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    platform.reset();
    platform.onSection = (exchange) => exchange.json({ title: "Shipping", heading: "Nordic countries", content: SECTION, is_cut: false });
    const page = await openPage(browser, { viewport: { width: 900, height: 800 }, reducedMotion: "reduce", ...options });
    await page.goto(site.origin);
    const chat = new Chat(page);
    await chat.launcher.waitFor();
    let number = 0;
    await converse(platform, chat, async (state) => {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({ path: join(FOLDER, `${look}-${++number}-${state}.png`) });
    });
    await closePage(page);
  }
} finally {
  await Promise.all([browser.close(), platform.stop(), site.stop()]);
}
console.log(`Look at them: ${FOLDER}`);
