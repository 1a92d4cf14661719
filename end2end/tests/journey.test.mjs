// From an empty tenant to a cited answer on a customer's website: the tenant's first administrator signs in, sets the branding, allows
// the website, creates a chatbot from a template and pastes the snippet. Then a visitor asks. The time is printed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { HostSite, hostPage } from "../support/host-site.mjs";
import { choosePassword, isSignedIn, logIn, tenantConsole } from "../support/sign-in.mjs";
import { World } from "../support/world.mjs";

// Other tests of a run may have created a tenant with this name.
const RUN = Date.now().toString(36);
const NEW_TENANT = { slug: `fresh-${RUN}`, display_name: "Fresh Fish" };
const FRIEDA = { username: `frieda-${RUN}`, first_name: "Frieda", last_name: "Fisher", email: `frieda-${RUN}@fresh.example`, role: "admin" };

let world, browser, site, firstPassword;
const pages = {};

before(async () => {
  world = await World.shared();
  [browser, site] = await Promise.all([launch(), HostSite.start(pages)]);
  const { id } = await made("/api/v1/platform/tenants", NEW_TENANT);
  firstPassword = (await made(`/api/v1/platform/tenants/${id}/people`, FRIEDA)).first_password;
});

after(async () => {
  await Promise.all([browser?.close(), site?.stop()]);
  await world.stop();
});

/** What an operator makes through the API. */
async function made(path, body) {
  const response = await world.call("olivia", "POST", path, body);
  assert.equal(response.status, 201);
  return response.json();
}

/** The first sign-in, with a password that is replaced at once. */
async function signIn(page) {
  await logIn(page, world, tenantConsole(world), { username: FRIEDA.username, password: firstPassword });
  await choosePassword(page, "a-password-of-my-own");
  await isSignedIn(page);
}

/** Branding and the allowed website. */
async function brand(page) {
  await page.getByRole("link", { name: "Add website" }).click();
  await page.locator("#websites:focus").waitFor();
  await page.getByLabel("Chat window title").fill("Ask the fishmonger");
  await page.getByRole("button", { name: "Add website" }).click();
  await page.getByLabel("Website 1", { exact: true }).fill(site.origin);
  await page.getByRole("button", { name: "Save branding" }).click();
  await page.getByText("Branding saved.").waitFor();
}

/** A chatbot from a template with a file of its own; the snippet of its page. */
async function create(page) {
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "Create", exact: true }).click();
  // By keyboard: a click at a place would miss the choice when the page scrolls or grows meanwhile.
  await page.getByRole("radio", { name: /Product help/ }).press("Space");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Fish advice");
  await page.getByRole("button", { name: "Create chatbot" }).click();
  await page.getByRole("button", { name: "Add documents" }).click();
  await page.getByRole("link", { name: "Upload files" }).click();
  await page.getByRole("heading", { level: 1, name: "Fish advice" }).waitFor();
  const fish = { name: "fish.md", mimeType: "text/markdown", buffer: Buffer.from("# Fresh fish\n\nThe boats land on Friday morning.\n") };
  await page.locator("input[type=file][multiple]").setInputFiles(fish);
  await page.getByRole("list", { name: "Uploads" }).getByText("Uploaded").waitFor();
  await page.getByRole("navigation", { name: "Pages of this chatbot" }).getByRole("link", { name: "Install" }).click();
  const shown = await page.getByRole("group", { name: "Embed snippet" }).innerText();
  return shown.match(/<script[^]*<\/script>/)[0];
}

/** Asks on the website as a visitor; the answer. */
async function visit(snippet) {
  pages["/"] = { html: hostPage({ body: snippet }) };
  const page = await openPage(browser);
  await page.goto(site.origin);
  const chat = new Chat(page);
  await chat.launcher.waitFor();
  await chat.open();
  await chat.panel.getByText("Ask the fishmonger").waitFor();
  await chat.ask("Who can see my questions?");
  await chat.citations.first().waitFor();
  const answer = await chat.answers.last().innerText();
  await closePage(page);
  return answer;
}

test("a new tenant gets from sign-in to a cited answer", async (context) => {
  const started = performance.now();
  const page = await openPage(browser);
  await signIn(page);
  await page.getByText("0 of 7 done").waitFor();
  // There is no chatbot yet whose snippet could be used.
  assert.equal(await page.getByRole("link", { name: "Get the snippet" }).count(), 0);
  await brand(page);
  const answer = await visit(await create(page));
  const seconds = (performance.now() - started) / 1000;
  context.diagnostic(`from signing in to a cited answer: ${seconds.toFixed(1)} s`);
  assert.match(answer, /site's owner can read them/);
  // The record of websites is written every two seconds.
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Overview" }).click();
  const open = page.getByRole("heading", { name: "Needs attention" });
  await open.waitFor();
  // Once everything is done, the checklist makes room.
  await eventuallyEqual(async () => {
    await page.reload();
    await open.waitFor();
    await page.waitForLoadState("networkidle");
    return page.getByText(/\d of 7 done/).count();
  }, 0);
  await closePage(page);
});
