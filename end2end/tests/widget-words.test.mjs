// The widget's texts in seven languages, the place in the queue, the contact page, links to sources.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { CHATBOT, deferred, FakePlatform, foldedSource, reply, source } from "../support/fake-platform.mjs";
import { HostSite, hostPage, snippet } from "../support/host-site.mjs";

/** The launcher's label and the hint in the empty input. */
const WORDS = {
  en: ["Open chat", "Ask a question…"],
  de: ["Chat öffnen", "Stellen Sie eine Frage …"],
  es: ["Abrir el chat", "Haga una pregunta…"],
  fr: ["Ouvrir le chat", "Posez une question…"],
  it: ["Apri la chat", "Faccia una domanda…"],
  nl: ["Chat openen", "Stel een vraag…"],
  pt: ["Abrir o chat", "Faça uma pergunta…"],
};
const CONTACT = "mailto:help@shop.example";

let platform, site, browser, page, chat;

before(async () => {
  [platform, browser] = await Promise.all([FakePlatform.start(), launch()]);
  const html = hostPage({ body: snippet(platform.origin, CHATBOT) });
  const pages = { "/": { html } };
  for (const language of Object.keys(WORDS)) pages[`/${language}`] = { html: html.replace('lang="en"', `lang="${language}"`) };
  pages["/none"] = { html: html.replace('lang="en"', "") };
  site = await HostSite.start(pages);
});

beforeEach(async () => {
  platform.reset();
  page = await openPage(browser);
  chat = new Chat(page);
});

afterEach(() => closePage(page));

after(() => Promise.all([browser.close(), platform.stop(), site.stop()]));

for (const [language, [label, placeholder]] of Object.entries(WORDS)) {
  test(`the widget speaks ${language}`, async () => {
    await page.goto(`${site.origin}/${language}`);
    await page.getByRole("button", { name: label }).click();
    await page.getByPlaceholder(placeholder).waitFor();
    assert.equal(await page.locator("svc-chat .svc").getAttribute("lang"), language);
    const files = platform.asked.filter((name) => name.includes(".txt"));
    assert.equal(files.length, 1, files.join(" "));
  });
}

test("without a page's language the chatbot's counts", async () => {
  platform.config.language = "fr";
  await page.goto(`${site.origin}/none`);
  await page.locator("svc-chat .svc-launcher").click();
  await page.getByPlaceholder(WORDS.fr[1]).waitFor();
});

for (const [what, file] of [
  ["missing", { text: "Not Found", headers: { "content-type": "application/json" } }],
  ["cut off", { text: "de\nErneut versuchen\nAbbrechen", headers: { "content-type": "text/plain" } }],
]) {
  test(`texts that are ${what} leave English ones`, async () => {
    platform.onFile = (name) => (name.endsWith("-de.txt") ? file : undefined);
    await page.goto(`${site.origin}/de`);
    await page.locator("svc-chat .svc-launcher").click();
    await page.getByPlaceholder(WORDS.en[1]).waitFor();
    await chat.ask("Hello?");
    await eventuallyEqual(() => platform.bodies("/query").length, 1);
  });
}

test("an unreadable refusal is counted once and keeps the launcher", async () => {
  platform.onConfig = (exchange) => {
    exchange.response.removeHeader("access-control-allow-origin");
    exchange.json({ detail: "origin_not_allowed" }, 403);
  };
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(site.origin);
  await eventuallyEqual(() => said.some((text) => text.includes("this origin is not allowed")), true);
  const asked = platform.requests.filter(({ path }) => path.includes("/config/"));
  assert.deepEqual(asked.map(({ headers }) => headers.origin), [site.origin]);
  await page.getByRole("button", { name: "Open chat" }).waitFor();
});

test("a question that waits says its place in the queue", async () => {
  const turn = deferred();
  platform.onQuery = async (exchange) => {
    exchange.begin().say("waiting", { position: 3 });
    await turn.promise;
    exchange.token("Good day.").done(reply("Good day."));
  };
  await page.goto(site.origin);
  await chat.open();
  await page.getByPlaceholder(WORDS.en[1]).fill("When do you open?");
  await page.keyboard.press("Enter");
  await page.locator("svc-chat .svc-slow").getByText("Your place in the queue: 3").waitFor();
  await eventuallyEqual(() => page.locator("svc-chat [role=status]").textContent(), "Your place in the queue: 3");
  turn.resolve();
  await chat.log.getByText("Good day.").waitFor();
  assert.equal(await page.locator("svc-chat .svc-slow").count(), 0);
});

test("fallbacks offer the contact, but no unsafe address", async () => {
  const answers = [
    reply("I found nothing.", { kind: "fallback", contact_url: CONTACT }),
    reply("I found nothing.", { kind: "fallback", contact_url: "javascript:alert(1)" }),
  ];
  platform.onQuery = (exchange) => exchange.begin().done(answers.shift());
  await page.goto(site.origin);
  await chat.open();
  await chat.ask("Do you sell anchors?");
  const links = chat.log.getByRole("link", { name: "Contact us" });
  await links.waitFor();
  assert.deepEqual([await links.getAttribute("href"), await links.getAttribute("rel")], [CONTACT, "noopener noreferrer nofollow"]);
  await chat.ask("Do you sell sails?", 2);
  await eventuallyEqual(() => platform.bodies("/query").length, 2);
  await eventuallyEqual(() => chat.log.getByText("I found nothing.").count(), 2);
  assert.equal(await links.count(), 1);
});

test("a source with an address links to its page", async () => {
  const url = "https://shop.example/delivery#:~:text=three%20days";
  const sources = [{ ...source("Delivery"), url }, { ...source("Rope"), url: "javascript:alert(1)" }];
  const citations = [{ marker: "[1]", source_index: 0 }, { marker: "[2]", source_index: 1 }];
  platform.onQuery = (exchange) => exchange.begin().done(reply("Three days [1], by road [2].", { sources, citations }));
  await page.goto(site.origin);
  await chat.open();
  await chat.ask("How long does it take?");
  await chat.sources.locator(".svc-sources-label").click();
  const links = page.locator("svc-chat .svc-source a");
  await eventuallyEqual(() => links.count(), 1);
  assert.deepEqual([await links.getAttribute("href"), await links.textContent()], [url, "Delivery"]);
  const colour = (part) => part.evaluate((element) => getComputedStyle(element).color);
  assert.equal(await colour(links), await colour(chat.citations.first()), "the accent");
});

test("a source without an address unfolds its section", async () => {
  const passage_id = "0197d2c4-5f0e-7c11-9a3b-000000000001";
  const sources = [{ ...source("Manual › Mooring"), passage_id, as_of: "2026-03-02T12:00:00Z" }, source("Rope")];
  platform.onQuery = (exchange) => exchange.begin().done(reply("With a bowline.", { sources }));
  let sections = 0;
  platform.onSection = (exchange) => {
    sections += 1;
    if (sections === 1) return exchange.json({ detail: "passage_not_found" }, 404);
    exchange.json({ title: "Manual", heading: "Mooring", content: "Take a rope.\n\n- Tie a **bowline**. …", is_cut: true });
  };
  await page.goto(site.origin);
  await chat.open();
  await chat.ask("How do I moor?");
  await chat.sources.locator(".svc-sources-label").click();
  const [first, second] = [chat.sources.locator("li").first(), chat.sources.locator("li").last()];
  assert.equal(await second.locator("summary").count(), 0, "a source of an earlier version has no section");
  await first.getByText("As of Mar 2, 2026").waitFor();
  const title = first.locator("summary", { hasText: "Manual › Mooring" });
  await title.focus();
  await page.keyboard.press("Enter");
  await first.getByText("Text not available.").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await first.locator("strong", { hasText: "bowline" }).waitFor();
  await first.getByText("…").waitFor();
  assert.equal(await first.getByText("Text not available.").count(), 0);
  assert.equal(await first.getByText("A passage.").isVisible(), false, "the section replaces the snippet");
  await page.keyboard.press("Enter");
  await first.getByText("A passage.").waitFor();
  await page.keyboard.press("Enter");
  await first.locator("strong", { hasText: "bowline" }).waitFor();
  await eventuallyEqual(() => sections, 3);
  const { path } = platform.requests.at(-1);
  assert.equal(path, `/api/v1/widget/chatbots/${CHATBOT}/passages/${passage_id}/section`);
});

test("a section links its file with a new address each time", async () => {
  platform.onQuery = (exchange) => exchange.begin().done(reply("With a bowline.", { sources: [foldedSource("Manual")] }));
  let links = 0;
  platform.onSection = (exchange) => {
    links += 1;
    const url = `${platform.origin}/file?token=${links}#page=2`;
    const content = `Take a rope.\n\n[manual.pdf](${url})`;
    exchange.json({ title: "Manual", heading: "", content, is_cut: false, file: { name: "manual.pdf", url } });
  };
  await page.goto(site.origin);
  await chat.open();
  await chat.ask("How do I moor?");
  await chat.sources.locator(".svc-sources-label").click();
  const title = chat.sources.locator("summary", { hasText: "Manual" });
  const link = chat.sources.getByRole("link", { name: "manual.pdf" });
  for (const token of ["1", "2"]) {
    await title.click();
    await chat.sources.locator(`a[href$="?token=${token}#page=2"]`).waitFor();
    assert.deepEqual([await link.getAttribute("target"), await link.getAttribute("rel")], ["_blank", "noopener noreferrer nofollow"]);
    await title.click();
  }
  assert.equal(links, 2);
});
