// Language models in both consoles: an operator allows one, a tenant chooses it, compares its words with quoted ones, and sees
// what it took.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { closePage, launch } from "../support/browser.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { LanguageModel } from "../support/language-model.mjs";
import { People } from "../support/sign-in.mjs";
import { withinOneDay } from "../support/within-one-day.mjs";
import { World } from "../support/world.mjs";

const HARBOR = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
const CHATBOTS = "/api/v1/tenants/me/chatbots";
const GUIDE = "# Lighthouse guide\n\nThe lighthouse of Port Ellen is painted every seventh year, in the month of May.\n";
const QUESTION = "How often is the lighthouse painted?";
const SAID = "The lighthouse of Port Ellen is painted every seventh year [1].";

let world, browser, people, model, chatbot, page;

before(async () => {
  world = (await World.fresh("models")).withoutDocuments();
  [browser, model] = await Promise.all([launch(), LanguageModel.start(SAID)]);
  const settings = join(world.folder, "settings.toml");
  const prices = "prompt_price = 2.0\ncached_price = 0.5\nanswer_price = 8.0";
  writeFileSync(settings, `[[generator.endpoint]]\nname = "large"\nurl = "${model.url}"\nmodel = "large-2"\n${prices}\n`);
  await world.start({ SVC_CONFIG: settings, SVC_GENERATOR_URL: model.url, SVC_GENERATOR_MODEL: "small-1" });
  people = new People(browser, world);
  chatbot = (await call("POST", CHATBOTS, { slug: "lighthouse", name: "Lighthouse" })).id;
  const source = await call("POST", `${CHATBOTS}/${chatbot}/sources`, { kind: "api", name: "Guides" });
  const path = `${CHATBOTS}/${chatbot}/sources/${source.id}/documents/guide.md`;
  const headers = { authorization: `Bearer ${await world.token("hanna")}`, "content-type": "text/markdown" };
  const put = await fetch(world.dev.base_url + path, { method: "PUT", headers, body: GUIDE });
  assert.ok(put.ok, `${put.status} ${await put.text()}`);
  const states = async () => (await call("GET", `${CHATBOTS}/${chatbot}/sources/${source.id}/documents`)).items.map(({ state }) => state);
  await eventuallyEqual(states, ["ready"]);
});

after(async () => {
  model?.stop();
  await browser?.close();
  await world.stop();
  world.delete();
});

afterEach(async () => {
  if (page) await closePage(page);
  page = undefined;
});

async function call(method, path, body) {
  const response = await world.call("hanna", method, path, body);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

async function show(username, path) {
  page = await people.open(username, path);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

async function isClean() {
  // A part that is still loading keeps its texts hidden.
  await eventuallyEqual(() => page.locator('[aria-busy="true"]').count(), 0);
  // A button that is half below the sticky header would count as small.
  await page.evaluate(() => scrollTo(0, 0));
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
}

test("a choice that the API refuses is reset", async () => {
  await show("olivia", `tenants/${HARBOR}`);
  const refused = { status: 503, json: { detail: "service_unavailable" } };
  await page.route("**/platform/tenants/*", (route) => (route.request().method() === "PATCH" ? route.fulfill(refused) : route.fallback()));
  const [further, usual] = [page.getByRole("checkbox", { name: "large (large-2)" }), page.getByLabel("For chatbots that choose none")];
  const before = await usual.inputValue();
  await further.click();
  await page.getByText(/The service can't be reached/).waitFor();
  await eventuallyEqual(() => further.isChecked(), false);
  await usual.selectOption("large");
  await page.getByText(/The service can't be reached/).nth(1).waitFor();
  await eventuallyEqual(() => usual.inputValue(), before);
});

test("a language model is not switched again before the answer", async () => {
  await show("olivia", `tenants/${HARBOR}`);
  let asked = 0;
  let answer;
  const answered = new Promise((resolve) => (answer = resolve));
  await page.route("**/platform/tenants/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    asked += 1;
    await answered;
    return route.fulfill({ status: 503, json: { detail: "service_unavailable" } });
  });
  const further = page.getByRole("checkbox", { name: "large (large-2)" });
  await further.click();
  await eventuallyEqual(() => further.getAttribute("aria-busy"), "true");
  await further.click();
  assert.equal(await further.isChecked(), true);
  answer();
  await page.getByText(/The service can't be reached/).waitFor();
  await eventuallyEqual(() => further.isChecked(), false);
  assert.equal(asked, 1);
});

test("an operator allows a language model, and a tenant chooses it", async () => {
  await show("olivia", `tenants/${HARBOR}`);
  await page.getByRole("checkbox", { name: "large (large-2)" }).check();
  await page.getByText("Language models saved.").waitFor();
  await isClean();
  await closePage(page);

  await show("hanna", `chatbots/${chatbot}/settings`);
  const choice = page.getByLabel("Language model");
  await choice.selectOption({ label: "large (large-2)" });
  await page.getByText("Language model saved.").waitFor();
  await isClean();
  await page.reload();
  await eventuallyEqual(() => choice.inputValue(), "large");
});

test("a choice that is saved at once is nobody else's change", async () => {
  await show("hanna", `chatbots/${chatbot}/settings`);
  const choice = page.getByLabel("Language model");
  const chosen = async () => (await call("GET", `${CHATBOTS}/${chatbot}`)).answer_model;
  await choice.selectOption("");
  await eventuallyEqual(chosen, null);
  await page.getByLabel("Welcome message").fill("Welcome to the lighthouse.");
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("Settings saved and live.").waitFor();
  assert.equal(await page.getByText("Someone else saved other changes").count(), 0);
  await choice.selectOption("large");
  await eventuallyEqual(chosen, "large");
});

test("model answers are compared with quotes, and tokens are shown", async () => {
  await withinOneDay();
  await show("hanna", `chatbots/${chatbot}/test`);
  await page.getByRole("switch", { name: "Compare with other settings" }).check();
  await page.getByLabel("Wording of answers").selectOption({ label: "None, quote the documents" });
  await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Written by the language model", { exact: true }).waitFor();
  await page.getByText("Quoted from the documents", { exact: true }).waitFor();
  assert.equal(model.asked.at(-1), "large-2");
  await isClean();
  await closePage(page);

  await show("hanna", "usage");
  await page.getByRole("heading", { name: "Language models by month (UTC)" }).waitFor();
  const month = page.getByRole("table", { name: "Language models by month (UTC)" }).getByRole("row").nth(1);
  // 100 tokens of the prompt for 2, 500 from the cache for 0.5 and 20 of the answer for 8 a million.
  await month.getByRole("cell", { name: "600" }).waitFor();
  assert.match(await month.innerText(), /€0\.0006/);
  await isClean();
});
