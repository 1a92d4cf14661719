// The pages of one chatbot: its overview, the inbox with its counts, the ways between them, and their former addresses.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { settledWidth } from "../support/browser.mjs";
import { call, isReady, load, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { hasLoaded } from "../support/layout-shift.mjs";
import { CHATBOT_PAGES } from "../support/screens.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";
// Distinguishes the chatbots of this run from those of an earlier one in the same world.
const RUN = Date.now().toString(36);

let chatbot;

async function send(path, body) {
  const headers = { origin: world.dev.site_url, "content-type": "application/json" };
  const response = await fetch(`${world.dev.base_url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

const make = (slug, name) => call("hanna", "POST", CHATBOTS, { slug: `${slug}-${RUN}`, name, fallback_message: "No idea." });
const pages = () => page.getByRole("navigation", { name: "Pages of this chatbot" });
const inbox = () => page.getByRole("navigation", { name: "Parts of “Inbox”" });

before(async () => {
  chatbot = await make("pages", "Pages");
  const question = "Is there a zorilla?";
  const { session_id, message_id } = await send(`/widget/chatbots/${chatbot.id}/query`, { session_id: null, question });
  await send("/feedback", { chatbot_id: chatbot.id, session_id, message_id, rating: "down", comment: "Useless." });
});

test("former addresses lead on with their filters", async () => {
  const moved = {
    "documents?q=rope&state=failed": "/knowledge?q=rope&state=failed",
    "feedback?rating=down": "/inbox/feedback?rating=down",
    "unanswered?handled=true": "/inbox?handled=true",
    websites: "/install",
    playground: "/test",
    branding: "/design",
    template: "/settings/template",
  };
  await show("hanna", "chatbots");
  const found = {};
  for (const former of Object.keys(moved)) {
    await load("hanna", `chatbots/${chatbot.id}/${former}`);
    await pages().waitFor();
    const { pathname, search } = new URL(page.url());
    found[former] = pathname.split(chatbot.id)[1] + search;
  }
  assert.deepEqual(found, moved);
  await load("hanna", `chatbots/${chatbot.id}/nowhere`);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
});

test("the inbox counts what is open until it is done", async () => {
  await show("hanna", `chatbots/${chatbot.id}`);
  await page.getByText("0 of 1 question", { exact: true }).waitFor();
  await pages().getByRole("link", { name: "Inbox 2 open" }).click();
  await inbox().getByRole("link", { name: "Unanswered 1 open" }).waitFor();
  await page.getByRole("button", { name: "Mark as done" }).click();
  await pages().getByRole("link", { name: "Inbox 1 open" }).waitFor();
  await inbox().getByRole("link", { name: "Feedback 1 open" }).click();
  await page.getByRole("button", { name: "Mark as done" }).click();
  await eventuallyEqual(() => pages().getByRole("link", { name: /open$/ }).count(), 0);
});

test("filters that leave no question can be cleared", async () => {
  await show("hanna", `chatbots/${chatbot.id}/inbox?confidence=low`);
  await page.getByText("No questions match these filters.").waitFor();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await page.waitForURL((url) => url.search === "");
  await page.getByText("No questions match these filters.").waitFor({ state: "detached" });
});

test("a conversation that was opened in the inbox leads back to it", async () => {
  await show("hanna", `chatbots/${chatbot.id}/inbox/conversations?q=zorilla`);
  await page.getByRole("link", { name: "Is there a zorilla?" }).click();
  await page.getByText("No idea.").waitFor();
  await page.getByRole("navigation", { name: "You are here" }).getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("table", { name: "Conversations, newest first" }).waitFor();
  assert.match(page.url(), new RegExp(`chatbots/${chatbot.id}/inbox/conversations\\?q=zorilla$`));
});

test("the overview says what a new chatbot needs first", async () => {
  const { id } = await make("needs", "Needs");
  // The list is drawn again when the chatbot becomes ready, and then loses the focus.
  await isReady("hanna", id);
  await show("hanna", `chatbots/${id}`);
  await page.getByText("To do: 3").waitFor();
  for (const title of ["Knows nothing yet", "Not on a website yet", "No questions in the last 30 days"]) {
    await page.getByText(title, { exact: true }).waitFor();
  }
  assert.equal(await page.locator("main .ui-button--primary").innerText(), "Add knowledge");
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Add knowledge" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Upload files" }).waitFor();
});

/** Pixels from the end of a name to the badge next to it; nothing when they are not on one line. */
const distanceOfBadge = (name) =>
  name.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const [end, badge] = [text, element.closest("header, td, li").querySelector(".ui-badge")].map((of) => of.getBoundingClientRect());
    return badge.top < end.bottom && end.top < badge.bottom ? Math.round(badge.left - end.right) : undefined;
  });

test("badges are next to their names on wide screens", async () => {
  const more = { slug: `badges-${RUN}`, name: "Badges", description: "Knows all signs.", fallback_message: "No idea." };
  const { id } = await call("hanna", "POST", CHATBOTS, more);
  await show("hanna", `chatbots/${id}`, { viewport: { width: 1920, height: 900 } });
  const title = page.getByRole("heading", { level: 1, name: "Badges" });
  await eventuallyEqual(() => distanceOfBadge(title), 12);
  const below = await page.getByText("Knows all signs.").first().boundingBox();
  assert.ok(below.y >= (await title.boundingBox()).y + (await title.boundingBox()).height);
  await load("hanna", `chatbots?q=badges-${RUN}`);
  await eventuallyEqual(() => distanceOfBadge(page.getByRole("cell").getByRole("link", { name: "Badges" })), 12);
  await call("hanna", "POST", `${CHATBOTS}/${id}/faq`, { question: "What does a red sign say?", answer: "Stop." });
  await load("hanna", `chatbots/${id}/knowledge/answers`);
  await eventuallyEqual(() => distanceOfBadge(page.locator("li .ui-strong", { hasText: "What does a red sign say?" })), 12);
  await load("hanna");
  await eventuallyEqual(() => distanceOfBadge(page.locator(".ui-link-row > .ui-link:has(+ .ui-badge)").first()), 12);
});

test("a name of one long word next to its badge fits a phone", async () => {
  const { id } = await make("long-word", "Long word");
  await call("hanna", "POST", `${CHATBOTS}/${id}/faq`, { question: `${"Donaudampfschiff".repeat(6)}?`, answer: "Yes." });
  await show("hanna", `chatbots/${id}/knowledge/answers`, { viewport: { width: 360, height: 740 } });
  await page.getByText(/^Donaudampfschiff/).waitFor();
  assert.equal(await settledWidth(page), 360);
});

test("the plots of the overviews show the days of the address", async () => {
  const plot = () => page.getByRole("slider", { name: "Questions per day" });
  const days = () => plot().getAttribute("aria-valuemax");
  await show("hanna", "chatbots");
  for (const path of ["", `chatbots/${chatbot.id}`]) {
    await load("hanna", `${path}?days=7`);
    await eventuallyEqual(days, "7");
    await page.getByRole("combobox", { name: "Period" }).selectOption("90");
    await eventuallyEqual(days, "90");
    assert.equal(new URL(page.url()).search, "?days=90");
    assert.match(await plot().getAttribute("aria-valuetext"), /^90 days: .*, Period before \(total\) \d/);
    await page.reload();
    await eventuallyEqual(days, "90");
  }
});

test("the palette finds chatbots and their pages, and creates one", async () => {
  const palette = () => page.getByRole("dialog", { name: "Search or jump to" });
  const choose = async (typed, name) => {
    await page.keyboard.press("Control+k");
    await palette().locator("input:focus").waitFor();
    await page.keyboard.type(typed);
    const option = palette().getByRole("option", { name });
    await option.waitFor();
    await option.click();
  };
  await show("hanna", "chatbots");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await choose(chatbot.slug, /^Pages Chatbot/);
  await pages().waitFor();
  await choose("install", /^Install This chatbot/);
  await page.getByRole("group", { name: "Embed snippet" }).waitFor();
  await choose("create", /^Create chatbot/);
  await page.getByRole("heading", { level: 1, name: "New chatbot" }).waitFor();
});

test("every page of a chatbot fits a phone", async () => {
  await show("hanna", `chatbots/${chatbot.id}`, { viewport: { width: 360, height: 740 } });
  const wide = [];
  for (const path of ["", ...CHATBOT_PAGES]) {
    await load("hanna", `chatbots/${chatbot.id}/${path}`);
    await hasLoaded(page);
    const width = await settledWidth(page);
    if (width > 360) wide.push(`${path}: ${width}`);
  }
  assert.deepEqual(wide, []);
});
