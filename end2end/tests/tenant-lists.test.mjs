// Lists of the tenant console: pages beyond the end, search while typing, and days in the user's time zone.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { call, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";

const CHATBOTS = "/api/v1/tenants/me/chatbots";
const RUN = Date.now().toString(36);

let chatbot;

before(async () => {
  const made = { slug: `lists-${RUN}`, name: "Lists", fallback_message: "No idea." };
  chatbot = await call("hanna", "POST", CHATBOTS, made);
});

async function ask(question) {
  const headers = { origin: world.dev.site_url, "content-type": "application/json" };
  const body = JSON.stringify({ session_id: null, question });
  const url = `${world.dev.base_url}/api/v1/widget/chatbots/${chatbot.id}/query`;
  assert.equal((await fetch(url, { method: "POST", headers, body })).status, 200);
}

const conversations = () => page.getByRole("table", { name: "Conversations, newest first" });

test("resolving a page's last entry shows the previous page", async () => {
  await ask("What is a quokka?");
  await ask("What is a numbat?");
  await show("hanna", `chatbots/${chatbot.id}/inbox?size=1`);
  await page.getByText("1–1 of 2").waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("2–2 of 2").waitFor();
  await page.getByRole("button", { name: "Mark as done" }).click();
  await page.getByText("1–1 of 1").waitFor();
  const list = page.getByRole("list", { name: "Unanswered questions, newest first" });
  await eventuallyEqual(() => list.getByRole("listitem").count(), 1);
  assert.equal(new URL(page.url()).searchParams.get("offset"), null);
});

test("a search adds one history entry despite pauses", async () => {
  await show("hanna", `conversations?chatbot_id=${chatbot.id}`);
  const field = page.getByRole("searchbox");
  await field.waitFor();
  const before = await page.evaluate(() => history.length);
  await field.pressSequentially("quo ");
  await page.waitForURL(/q=quo/);
  await field.pressSequentially("kka");
  await page.waitForURL(/q=quo(%20|\+)kka/);
  await eventuallyEqual(() => field.inputValue(), "quo kka");
  assert.equal(await page.evaluate(() => history.length), before);
});

test("an incomplete year sends no request", async () => {
  await show("hanna", `conversations?chatbot_id=${chatbot.id}`);
  await conversations().waitFor();
  const asked = [];
  page.on("request", (request) => /date_from=0/.test(request.url()) && asked.push(request.url()));
  await page.getByLabel("From", { exact: true }).focus();
  await page.keyboard.type("02022020", { delay: 40 });
  await page.waitForURL(/date_from=2020-02-02/);
  await conversations().waitFor();
  assert.deepEqual(asked, []);
});

test("a filter's day is in the user's time zone", async () => {
  await ask("What is a bilby?");
  // A zone in which it is another day than in UTC.
  const now = new Date();
  const timezoneId = now.getUTCHours() < 12 ? "Etc/GMT+12" : "Pacific/Kiritimati";
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: timezoneId }).format(now);
  assert.notEqual(day, now.toISOString().slice(0, 10));
  await show("hanna", `conversations?chatbot_id=${chatbot.id}&date_from=${day}&date_to=${day}`, { timezoneId });
  await page.getByRole("link", { name: "What is a bilby?" }).waitFor();
});
