// Conversations, unanswered questions, custom answers and documents in the tenant console.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { place, settledWidth } from "../support/browser.mjs";
import { call, keepOffers, load, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";
import { withinOneDay } from "../support/within-one-day.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";
const QUESTION = "Do you engrave brass compasses?";
const ANSWER = "Yes. We **engrave** brass compasses within three working days.";

/** The day so many days before today, in UTC. */
const daysAgo = (count) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

let chatbot;

async function send(path, body) {
  const headers = { origin: world.dev.site_url, "content-type": "application/json" };
  const response = await fetch(`${world.dev.base_url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

const ask = (question, session_id = null) => send(`/widget/chatbots/${chatbot.id}/query`, { session_id, question });

before(async () => {
  chatbot = await call("hanna", "POST", CHATBOTS, { slug: "talks", name: "Talks", fallback_message: "No idea." });
});

const faq = () => `${CHATBOTS}/${chatbot.id}/faq`;

/** Waits until the only custom answer with `word` is indexed: the API waits for that only for some seconds. */
async function isIndexed(word) {
  const states = async () => (await call("hanna", "GET", `${faq()}?q=${word}`)).items.map(({ state }) => state);
  await eventuallyEqual(states, ["ready"]);
}

/** Adds a custom answer, and waits until the chatbot can give it. No other answer has `word`. */
async function addAnswer(question, answer, word) {
  await call("hanna", "POST", faq(), { question, answer });
  await isIndexed(word);
}

const open = (path, username = "hanna", options = {}) => show(username, path, options);
const list = () => page.getByRole("table", { name: "Conversations, newest first" });

test("a conversation is searched, opened and deleted", async () => {
  const { session_id } = await ask("Is there a quagga?");
  await open(`conversations?chatbot_id=${chatbot.id}`);
  await list().waitFor();
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("QUAGGA");
  await page.waitForURL(/q=QUAGGA/);
  await page.getByRole("link", { name: "Is there a quagga?" }).click();
  await page.waitForURL(new RegExp(session_id));
  await page.getByText("No idea.").waitFor();
  await page.getByRole("button", { name: "Delete conversation" }).click();
  await page.getByRole("dialog").getByText("2 messages").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  const erase = page.getByRole("dialog").getByRole("button", { name: "Delete conversation" });
  const once = { status: 503, json: { detail: "service_unavailable" }, headers: { "x-request-id": "e2e-77" } };
  await page.route("**/conversations/*", (route) => (route.request().method() === "DELETE" ? route.fulfill(once) : route.continue()), { times: 1 });
  await erase.click();
  await page.getByRole("dialog").getByText(/The service can't be reached.*e2e-77/).waitFor();
  await erase.click();
  await page.getByText("Conversation deleted.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Conversations" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/tenant/conversations");
  const log = await call("olivia", "GET", `/api/v1/platform/audit?action=chat_session.erased&entity_id=${session_id}`);
  assert.deepEqual([log.items.length, log.items[0].actor_user], [1, "hanna"]);
});

test("small talk is counted apart from questions", async () => {
  await ask("Thank you!");
  await open(`conversations?chatbot_id=${chatbot.id}`);
  const card = page.locator(".ui-stat", { hasText: "Small talk" });
  await card.waitFor();
  const { small_talk } = await call("hanna", "GET", `/api/v1/tenants/me/conversations/stats?chatbot_id=${chatbot.id}`);
  assert.equal(await card.locator(".ui-stat__value").innerText(), String(small_talk));
  assert.ok(small_talk > 0);
});

test("the plots compare with the days before the chosen ones", async () => {
  await withinOneDay();
  await ask("What is a potoroo?");
  await open(`conversations?chatbot_id=${chatbot.id}`);
  const days = [];
  await page.route(/\/conversations\/stats\?.*date_to=/, async (route) => {
    const response = await route.fetch();
    const stats = await response.json();
    days.push(stats.daily.map(({ date }) => date));
    stats.daily.at(-1).conversations = 4;
    await route.fulfill({ response, json: stats });
  });
  await page.reload();
  const valueText = () => page.getByRole("slider", { name: "Conversations per day (UTC)" }).getAttribute("aria-valuetext");
  await eventuallyEqual(async () => /^30 days: Conversations \d+, Period before 4$/.test(await valueText()), true);
  assert.deepEqual([days[0].length, days[0].at(-1)], [30, daysAgo(30)]);
  await page.unrouteAll();
  const on = (day) => `chatbot_id=${chatbot.id}&date_from=${day}&date_to=${day}`;
  await load("hanna", `conversations?${on(daysAgo(0))}`);
  // The tests before this one may have asked yesterday.
  const { conversations } = await call("hanna", "GET", `/api/v1/tenants/me/conversations/stats?${on(daysAgo(1))}`);
  const oneDay = new RegExp(`^1 day: Conversations \\d+, Period before ${conversations}$`);
  await eventuallyEqual(async () => oneDay.test(await valueText()), true);
});

test("the last days are a shortcut for the first and the last day", async () => {
  await withinOneDay();
  await ask("What is a pademelon?");
  await open("conversations");
  const period = page.getByRole("combobox", { name: "Period" });
  const [from, to] = ["From", "To"].map((name) => page.getByLabel(name, { exact: true }));
  const chosen = () => Promise.all([period, from, to].map((field) => field.inputValue()));
  const plot = page.getByRole("slider", { name: "Conversations per day (UTC)" });
  await plot.waitFor();
  assert.deepEqual(await chosen(), ["", "", ""]);
  await period.selectOption({ label: "Last 7 days" });
  await page.waitForURL((url) => url.search === `?date_from=${daysAgo(6)}`);
  await eventuallyEqual(() => plot.getAttribute("aria-valuemax"), "7");
  await page.reload();
  await eventuallyEqual(chosen, ["7", daysAgo(6), ""]);
  await to.fill(daysAgo(1));
  await eventuallyEqual(chosen, ["custom", daysAgo(6), daysAgo(1)]);
  await period.selectOption({ label: "Any time" });
  await eventuallyEqual(chosen, ["", "", ""]);
  await period.selectOption({ label: "Custom period" });
  await eventuallyEqual(chosen, ["custom", daysAgo(29), daysAgo(0)]);
  assert.deepEqual(await accessibilityFindings(page), []);
});

test("the filters of conversations take few rows and cut no text", async () => {
  await open("conversations");
  const fields = page.locator(".ui-toolbar__main :is(input, select)");
  /** The number of filters and of their rows, and whether the last two share a row. */
  const layout = () =>
    fields.evaluateAll((all) => {
      const middles = all.map((field) => field.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
      const begins = middles.map((middle, at) => at === 0 || middle - middles[at - 1] > 10);
      return [all.length, begins.filter(Boolean).length, begins.at(-1) === false];
    });
  /** The texts that are wider than their field. The names of chatbots may be. */
  const cut = () =>
    fields.evaluateAll((all) => {
      const pen = document.createElement("canvas").getContext("2d");
      return all.flatMap((field) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        pen.font = font;
        const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        const options = [...(field.options ?? [])].map(({ text }) => text);
        const texts = field.labels[0]?.textContent === "Chatbot" ? options.slice(0, 1) : [...options, field.placeholder ?? ""];
        return texts.filter((text) => Math.floor(pen.measureText(text).width) > room);
      });
    });
  const fits = async () => {
    for (const [width, most] of [[1920, 1], [1440, 2], [1280, 2], [768, 4], [360, 6]]) {
      await page.setViewportSize({ width, height: 800 });
      await eventuallyEqual(async () => {
        const [count, rows, together] = await layout();
        return [width, count, Math.max(rows, most), together];
      }, [width, 7, most, true]);
      assert.equal(await settledWidth(page), width);
      assert.deepEqual(await cut(), [], `at ${width} px`);
    }
  };
  await fits();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByRole("searchbox", { name: "Gespräche durchsuchen" }).waitFor();
  await fits();
});

test("downloads and paging follow the filters of conversations", async () => {
  const asked = [];
  for (const word of ["oldest", "middle", "newest"]) asked.push((await ask(`What is the ${word} numbat?`)).session_id);
  await ask("Something else?");
  await open(`conversations?chatbot_id=${chatbot.id}&q=numbat`);
  await list().waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await download;
  assert.match(file.suggestedFilename(), new RegExp(`^svc-conversations-${chatbot.id}-.*\\.csv$`));
  const rows = readFileSync(await file.path(), "utf8").trim().split("\r\n");
  assert.equal(rows.length, 4);
  assert.ok(rows[1].includes("What is the newest numbat?") && rows[3].includes(asked[0]), rows.join("\n"));
  const log = await call("olivia", "GET", `/api/v1/platform/audit?action=conversations.exported&entity_id=${chatbot.id}`);
  assert.deepEqual([log.items[0].actor_user, log.items[0].details.returned], ["hanna", 3]);

  await page.getByRole("link", { name: "What is the newest numbat?" }).click();
  await page.waitForURL(new RegExp(`${asked[2]}\\?.*q=numbat`));
  const [newer, older] = ["Newer", "Older"].map((name) => page.getByRole("button", { name }));
  await eventuallyEqual(async () => [await newer.isDisabled(), await older.isDisabled()], [true, false]);
  assert.deepEqual(await accessibilityFindings(page), []);
  await older.click();
  await page.getByRole("heading", { level: 1, name: "What is the middle numbat?" }).waitFor();
  await eventuallyEqual(async () => [await newer.isDisabled(), await older.isDisabled()], [false, false]);
  await page.keyboard.press("j");
  await page.waitForURL(new RegExp(asked[0]));
  await eventuallyEqual(async () => [await newer.isDisabled(), await older.isDisabled()], [false, true]);
  await page.keyboard.press("k");
  await page.waitForURL(new RegExp(asked[1]));
  await page.getByRole("navigation", { name: "You are here" }).getByRole("link", { name: "Conversations" }).click();
  await list().waitFor();
  assert.match(page.url(), /q=numbat/);
});

test("a conversation shows its question and how sure answers are", async () => {
  await addAnswer("Do you mend fishing nets?", "Yes, in the shed.", "fishing");
  const long = `Kann man bei euch auch ein Netz flicken lassen, wenn es ${"sehr ".repeat(10)}alt ist?`;
  const { session_id } = await ask(long);
  await ask("Vielen Dank!", session_id);
  await ask("Do you mend fishing nets?", session_id);
  await open(`conversations/${session_id}`);
  const heading = page.getByRole("heading", { level: 1, name: /^Kann man bei euch/ });
  await heading.waitFor();
  const text = await heading.innerText();
  assert.ok(text.length <= 81 && text.endsWith("sehr…"), text);
  await page.getByText(/^Talks, started/).waitFor();
  const turns = page.locator(".ui-conversation__turn");
  const turn = (text) => turns.filter({ hasText: text });
  await turn("Vielen Dank!").getByText("German", { exact: true }).waitFor();
  await turn("Do you mend fishing nets?").getByText("English", { exact: true }).first().waitFor();
  const thanks = turn("Gern geschehen!");
  await thanks.getByText("Small talk", { exact: true }).waitFor();
  assert.equal(await thanks.getByRole("button").count(), 0);
  const sure = turn("Yes, in the shed.");
  await sure.getByText("Sure", { exact: true }).waitFor();
  await sure.getByText("Quoted from documents", { exact: true }).waitFor();
  await sure.getByRole("button", { name: "Write a better answer" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.waitForFunction(() => window.innerWidth === 1920);
  const [[asked, , wide], [said]] = await Promise.all([place(turn("Vielen Dank!")), place(thanks)]);
  assert.ok(asked > said && asked + wide - said < 900, "questions on the right of answers, no further than one can read");
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("a conversation names a question's page once it is recorded", async () => {
  const address = `${world.dev.site_url}/shop/boots`;
  const named = () => page.getByRole("link", { name: address, exact: true });
  const askOnPage = async (question) => {
    const { session_id } = await send(`/widget/chatbots/${chatbot.id}/query`, { session_id: null, question, page_url: `${address}?size=42#top` });
    await open(`conversations/${session_id}`);
    await page.getByRole("heading", { level: 1, name: question }).waitFor();
  };
  await askOnPage("Do the boots fit a wombat?");
  assert.equal(await named().count(), 0);
  await open("branding");
  // By keyboard: a click at a place would miss the switch when the page above it grows meanwhile.
  await page.getByRole("switch", { name: "Record the page where a question is asked" }).press("Space");
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved.").waitFor();
  try {
    await askOnPage("Do the boots fit a quokka?");
    assert.equal(await named().getAttribute("href"), address);
    assert.deepEqual(await accessibilityFindings(page), []);
  } finally {
    await call("hanna", "PATCH", "/api/v1/tenants/me/branding", { record_page_urls: false });
  }
});

test("a custom answer to an unanswered question is cited at once", async () => {
  await ask(QUESTION);
  await open(`chatbots/${chatbot.id}/inbox`, "hanna", { prepare: keepOffers });
  const entry = page.getByRole("listitem").filter({ hasText: QUESTION });
  await entry.getByRole("button", { name: "Add answer" }).click();
  const dialog = page.getByRole("dialog");
  await eventuallyEqual(() => dialog.getByLabel("Question").inputValue(), QUESTION);
  const answered = dialog.getByLabel("Answer", { exact: true });
  await eventuallyEqual(() => answered.evaluate((field) => field === document.activeElement), true);
  await answered.fill(ANSWER);
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("button", { name: "Save answer" }).click();
  await page.getByText("Answer saved and live.").waitFor();
  await eventuallyEqual(() => entry.count(), 0);
  const { answer, sources } = await ask(QUESTION);
  assert.match(answer, /three working days/);
  assert.match(sources[0].source_title, /brass compasses/);
  const again = page.getByRole("button", { name: "Test it" });
  const [offer, close] = await Promise.all([place(again), place(page.locator(".ui-toast").getByRole("button", { name: "Close" }))]);
  assert.ok(close[0] > offer[0], "the button that closes a message comes after the one that it offers");
  await again.click();
  await page.getByText("Sources shown to visitors").waitFor();
  assert.equal(await page.getByLabel("Question", { exact: true }).inputValue(), QUESTION);

  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByLabel("Status", { exact: true }).selectOption("true");
  await entry.getByRole("button", { name: "Add answer" }).click();
  await dialog.getByText("You've already answered this question.").waitFor();
  assert.equal(await answered.inputValue(), ANSWER);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("navigation", { name: "Pages of this chatbot" }).getByRole("link", { name: "Knowledge" }).click();
  await page.getByRole("cell", { name: `${QUESTION} Custom answers` }).waitFor();
  await page.getByRole("link", { name: "Custom answers", exact: true }).click();
  const own = page.getByRole("list", { name: "Custom answers" });
  const written = own.getByRole("listitem").filter({ has: page.locator("strong", { hasText: "engrave" }) });
  await written.getByText("Indexed").waitFor();

  await own.getByRole("button", { name: `Edit: ${QUESTION}` }).click();
  await eventuallyEqual(() => answered.inputValue(), ANSWER);
  const { items } = await call("hanna", "GET", `/api/v1/tenants/me/chatbots/${chatbot.id}/faq?q=compasses`);
  const path = `/api/v1/tenants/me/chatbots/${chatbot.id}/faq/${items[0].id}`;
  await call("hanna", "PATCH", path, { answer: ANSWER.replace("three", "eight") });
  await answered.fill(ANSWER.replace("three", "seven"));
  await dialog.getByRole("button", { name: "Save answer" }).click();
  await dialog.getByText(`Someone else has changed this to “${ANSWER.replace("three", "eight")}”`).waitFor();
  await dialog.getByRole("button", { name: "Save answer" }).click();
  await own.getByText("seven working days").waitFor();
  await isIndexed("compasses");
  assert.match((await ask(QUESTION)).answer, /seven working days/);
});

test("sources and passages show Markdown without its marks", async () => {
  const question = "When does the tide gate open?";
  const answer = "The tide gate opens at **8:15**, see [the tide table](https://tides.example/).";
  await addAnswer(question, answer, "tide");
  const { session_id, sources } = await ask(question);
  assert.match(sources[0].content_snippet, /opens at 8:15, see the tide table/);
  const isPlain = async () => {
    const text = await page.getByRole("main").innerText();
    assert.ok(text.split("opens at 8:15, see the tide table").length > 2, text);
    assert.doesNotMatch(text, /\*\*|\]\(/);
  };
  await open(`conversations/${session_id}`);
  await page.locator("summary", { hasText: "Sources" }).click();
  await page.getByRole("listitem").filter({ hasText: "[1]" }).last().waitFor();
  await isPlain();
  await load("hanna", `chatbots/${chatbot.id}/test`);
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "Passages found" }).waitFor();
  await isPlain();
});

test("a question of the same meaning becomes another phrasing", async () => {
  const [known, similar] = ["Do you repair brass lanterns?", "Do you repair lanterns of brass?"];
  const other = "Can you mend my lamp?";
  await addAnswer(known, "Yes, while you wait.", "lanterns");
  await open(`chatbots/${chatbot.id}/knowledge/answers`);
  await page.getByRole("button", { name: "Add answer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Question").fill(similar);
  await dialog.getByText(`A similar question already has an answer: “${known}”`).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByLabel("Other phrasings").fill(other);
  await dialog.getByRole("button", { name: "Add as another phrasing there" }).click();
  await eventuallyEqual(() => dialog.getByLabel("Other phrasings").inputValue(), `${similar}\n${other}`);
  await dialog.getByRole("button", { name: "Save answer" }).click();
  await page.getByText(`Also asked as: ${similar}`).waitFor();
  const { items } = await call("hanna", "GET", `${CHATBOTS}/${chatbot.id}/faq?q=lanterns`);
  assert.deepEqual(items.map(({ question, variants }) => [question, variants]), [[known, [similar, other]]]);
});

test("custom answers are looked at, imported and downloaded as CSV", async () => {
  await call("hanna", "POST", `/api/v1/tenants/me/chatbots/${chatbot.id}/faq`, { question: "Do you rent boats?", answer: "No." });
  await open(`chatbots/${chatbot.id}/knowledge/answers`);
  const files = page.locator("input[type=file][accept='.csv,text/csv']");
  const choose = (text) => files.setInputFiles({ name: "answers.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("name,value\n1,2\n");
  await page.getByText("The first line must name the columns").waitFor();

  await choose("question,answer\ndo you rent boats?,Yes.\nDo you sell oars?,\n");
  const dialog = page.getByRole("dialog", { name: "Import custom answers" });
  await dialog.getByText("Line 3, Answer: Must not be empty.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Import" }).isDisabled());
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await choose("question,answer\ndo you rent boats?,Yes.\nDo you sell oars?,\"Yes, in pairs.\"\n");
  await dialog.getByText("1 new, 1 changed, 0 unchanged.").waitFor();
  await dialog.getByRole("row", { name: "2 do you rent boats? Changed" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("button", { name: "Import" }).click();
  await page.getByText("Answers imported: 2.").waitFor();
  const own = page.getByRole("list", { name: "Custom answers" });
  await own.getByText("Yes, in pairs.").waitFor();
  await isIndexed("oars");
  assert.match((await ask("Do you sell oars?")).answer, /in pairs/);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await download;
  assert.match(file.suggestedFilename(), /^svc-custom-answers-.*\.csv$/);
  assert.ok(readFileSync(await file.path(), "utf8").includes('"Do you sell oars?","Yes, in pairs."'));
});

test("a message's button asks before it leaves unsaved changes", async () => {
  await open(`chatbots/${chatbot.id}/knowledge/answers`, "hanna", { prepare: keepOffers });
  await page.getByRole("button", { name: "Add answer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Question").fill("Do you polish sextants?");
  await dialog.getByLabel("Answer", { exact: true }).fill("Yes, on Fridays.");
  await dialog.getByRole("button", { name: "Save answer" }).click();
  const again = page.getByRole("button", { name: "Test it" });
  await again.waitFor();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Welcome message").fill("Half written");
  await again.click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await eventuallyEqual(() => page.getByLabel("Welcome message").inputValue(), "Half written");
  assert.match(page.url(), /settings$/);
});

test("feedback links to its message, is resolved and exported", async () => {
  const { session_id, message_id } = await ask("Who painted the fence?");
  await send("/feedback", { chatbot_id: chatbot.id, session_id, message_id, rating: "down", comment: "Useless." });
  await open(`chatbots/${chatbot.id}/inbox/feedback?handled=false`);
  const entry = page.getByRole("listitem").filter({ hasText: "Useless." });
  await entry.getByRole("button", { name: "Mark as done" }).click();
  await eventuallyEqual(() => entry.count(), 0);
  await page.getByLabel("Status", { exact: true }).selectOption("true");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  assert.match((await download).suggestedFilename(), /^svc-feedback-.*\.csv$/);
  await entry.getByRole("link", { name: "Open conversation" }).click();
  await page.waitForURL(new RegExp(`${session_id}\\?message=${message_id}`));
  const marked = page.locator(".ui-conversation__turn--marked");
  await marked.getByText("Useless.").waitFor();
  await eventuallyEqual(() => marked.evaluate((item) => item === document.activeElement), true);
});

test("a viewer sees conversations and documents read-only", async () => {
  const { session_id } = await ask("What does a viewer see?");
  await open(`conversations/${session_id}`, "henry");
  await page.getByRole("heading", { level: 1, name: "What does a viewer see?" }).waitFor();
  await page.getByText("Only administrators of your organisation").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete conversation" }).count(), 0);
});

/** Waits until a phone shows the pages before and behind the current one of a chatbot: they tell that there are more. */
async function hasNeighbours(name) {
  await page.reload();
  const current = page.getByRole("navigation", { name: "Pages of this chatbot" }).getByRole("link", { name });
  const sides = () =>
    current.evaluate((link) => {
      const [nav, of] = [link.parentElement.getBoundingClientRect(), link.getBoundingClientRect()];
      return [of.left - nav.left > 20, nav.right - of.right > 20];
    });
  await eventuallyEqual(sides, [true, true]);
}

test("the pages pass axe and fit a phone", async () => {
  const { session_id } = await ask("And on a phone?");
  await open("conversations");
  for (const path of ["conversations", `conversations/${session_id}`, `chatbots/${chatbot.id}/knowledge`, `chatbots/${chatbot.id}/inbox`]) {
    await load("hanna", path);
    await hasLoaded(page);
    assert.deepEqual(await accessibilityFindings(page), [], path);
    await page.setViewportSize({ width: 360, height: 740 });
    await eventuallyEqual(() => page.evaluate(() => document.documentElement.scrollWidth), 360);
    if (path.endsWith("knowledge")) await hasNeighbours("Knowledge");
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  assert.deepEqual([page.violations, page.errors], [[], []]);
});
