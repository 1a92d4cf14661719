// Websites of a chatbot in the tenant console: proof, preview, reading, pause, and second check.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { HostSite } from "../support/host-site.mjs";

/** Reading a site takes a while; outside the runner, it is asked every half second. */
const CRAWL = { timeout: 240_000 };
const PROOF = "/.well-known/chatbot-verification.txt";

const html = (title, body) => ({ html: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>` });
const hours = (hour) => html("Opening hours", `<p>The harbour shop opens at ${hour} in the morning and closes at five.</p>`);

const pages = {
  "/": html("Harbour shop", `<p>Welcome to our shop.</p><a href="/hours">Hours</a> <a href="/returns">Returns</a> <a href="/jobs">Jobs</a>`),
  "/hours": hours("nine"),
  "/returns": html("Returns", "<p>Parcels may be returned within thirty days.</p>"),
  "/jobs": html("Jobs", "<p>We are looking for a sailor who likes to write letters.</p>"),
};
const site = await HostSite.start(pages);
const host = new URL(site.origin).host;

after(() => site.stop());

async function newChatbot(slug) {
  const chatbot = await call("dora", "POST", "/api/v1/tenants/me/chatbots", { slug, name: `Test of ${slug}` });
  return chatbot.id;
}

const open = (id) => show("dora", `chatbots/${id}/knowledge/websites`);
const websites = () => page.getByRole("list", { name: "Websites", exact: true });
const button = (name) => websites().getByRole("button", { name, exact: true });
const says = (text) => websites().getByText(text).waitFor(CRAWL);

async function ask(id, question) {
  return call("dora", "POST", `/api/v1/tenants/me/chatbots/${id}/playground`, { question });
}

/** Opens the dialog with the pages, and says what became of one. */
async function shownAs(path, texts) {
  await button("Pages").click();
  const dialog = page.getByRole("dialog", { name: `Pages of ${host}` });
  const row = dialog.getByRole("row").filter({ hasText: `${site.origin}${path}` });
  for (const text of texts) await row.getByText(text, { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
}

/** Adds the site and lets the file prove whose it is. */
async function addAndProve() {
  await page.getByRole("textbox", { name: "Address" }).fill(site.origin);
  await page.getByRole("button", { name: "Find pages", exact: true }).click();
  await says("Verification needed");
  await says(`Verify that you own ${site.origin}`);
  await says(`File: put this text at ${site.origin}${PROOF}`);
  const token = (await page.getByRole("group", { name: "Content of the file" }).innerText()).trim();
  assert.match(token, /^[0-9a-f]{32}$/);
  assert.match(await page.getByRole("group", { name: "Meta tag", exact: true }).innerText(), new RegExp(`content="${token}"`));
  assert.deepEqual(await accessibilityFindings(page), []);
  pages[PROOF] = { html: `${token}\n`, headers: { "content-type": "text/plain" } };
  await button("Check again").click();
  await says("Ready for your review");
  await says("Verified by the file");
  await says("Pages found: 4 can be read, 0 are left out, 0 can't be read.");
}

/** Leaves the jobs out, and the reading to us. */
async function narrow() {
  await button("Settings").click();
  const dialog = page.getByRole("dialog", { name: `Settings: ${host}` });
  await dialog.getByRole("textbox", { name: "Leave out these paths" }).fill("/jobs");
  await dialog.getByLabel("Read again").selectOption("manual");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved. They apply the next time the website is read.").waitFor();
  await dialog.waitFor({ state: "hidden" });
}

test("a website is proven, read, quoted, paused and read again", async () => {
  const id = await newChatbot("website-source");
  await open(id);
  await addAndProve();
  await shownAs("/hours", ["Found"]);
  await narrow();
  await button("Start reading").click();
  await says("Pages in use: 3. Left out: 1. Failed: 0.");
  await websites().getByText("Read", { exact: true }).waitFor(CRAWL);
  await shownAs("/hours", ["In use"]);
  await shownAs("/jobs", ["Left out", "Your paths leave this page out."]);

  const answer = await ask(id, "When does the harbour shop open?");
  assert.match(answer.answer, /nine in the morning/);
  assert.ok(answer.sources[0].url.startsWith(`${site.origin}/hours#:~:text=`), answer.sources[0].url);
  const documents = await call("dora", "GET", `/api/v1/tenants/me/chatbots/${id}/documents`);
  const titles = documents.items.map(({ title, state }) => `${title}: ${state}`).sort();
  assert.deepEqual(titles, ["Harbour shop: ready", "Opening hours: ready", "Returns: ready"]);

  await button("Pause").click();
  await websites().getByText("Paused", { exact: true }).waitFor();
  assert.equal(await button("Read now").count(), 0);
  const { items } = await call("dora", "GET", `/api/v1/tenants/me/chatbots/${id}/sources`);
  const source = items.find(({ kind }) => kind === "website");
  const refused = await world.call("dora", "POST", `/api/v1/tenants/me/chatbots/${id}/sources/${source.id}/read`, {});
  assert.equal((await refused.json()).detail, "website_paused");
  assert.match((await ask(id, "When does the harbour shop open?")).answer, /nine in the morning/);

  await button("Resume").click();
  pages["/hours"] = hours("ten");
  await button("Read now").click();
  await page.getByText("Reading has started.").last().waitFor();
  const changed = async () => /ten in the morning/.test((await ask(id, "When does the harbour shop open?")).answer);
  await eventuallyEqual(changed, true, CRAWL.timeout);
  await websites().getByText("Read", { exact: true }).waitFor(CRAWL);
  assert.deepEqual([page.violations, page.errors], [[], []]);

  await show("dora", `chatbots/${id}/test`);
  await page.getByRole("textbox", { name: "Question" }).fill("When does the harbour shop open?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const title = page.getByRole("link", { name: /^\[1\] / });
  await title.waitFor();
  assert.ok((await title.getAttribute("href")).startsWith(`${site.origin}/hours#:~:text=`), await title.getAttribute("href"));
  assert.equal(await title.getAttribute("target"), "_blank");
});

test("a website that shows the chatbot is suggested, not added", async () => {
  const id = await newChatbot("website-suggestion");
  const origin = world.dev.site_url;
  const config = `${world.dev.base_url}/api/v1/widget/config/${id}`;
  assert.equal((await fetch(config, { headers: { origin } })).status, 200);
  const report = () => call("dora", "GET", `/api/v1/tenants/me/chatbots/${id}/embed-report`);
  await eventuallyEqual(async () => (await report()).origins.map((of) => of.origin), [origin]);
  await open(id);
  await page.getByRole("group", { name: "Your chatbot is already on:" }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
  await page.getByRole("button", { name: `Use ${new URL(origin).host}` }).click();
  assert.equal(await page.getByRole("textbox", { name: "Address" }).inputValue(), origin);
  assert.equal(await websites().count(), 0);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("an invalid address says what a website's address is", async () => {
  await open(await newChatbot("website-address"));
  const field = page.getByRole("textbox", { name: "Address" });
  for (const wrong of ["", "our website", "ftp://files.example.com"]) {
    await field.fill(wrong);
    await page.getByRole("button", { name: "Find pages", exact: true }).click();
    await page.getByText("Must be an http or https address such as https://www.example.com.", { exact: true }).waitFor();
  }
  assert.equal(await websites().count(), 0);
});

test("the focus stays in the list when a website is removed", async () => {
  const id = await newChatbot("website-removed");
  for (const url of [site.origin, "http://localhost:1"]) {
    const source = { kind: "website", name: new URL(url).host, website: { url } };
    await call("dora", "POST", `/api/v1/tenants/me/chatbots/${id}/sources`, source);
  }
  await open(id);
  await says("Verification needed");
  await says("Failed");
  await button("Delete").first().click();
  await page.getByRole("dialog", { name: "Remove this website?" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Website removed.").waitFor();
  await eventuallyEqual(() => button("Delete").count(), 1);
  await eventuallyEqual(() => button("Delete").evaluate((element) => element === document.activeElement), true);
});
