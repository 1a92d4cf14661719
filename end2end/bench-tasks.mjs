// Measures the effort of six tasks in the consoles, done in a real browser with visible controls: clicks, fields, pages
// and seconds. The seconds are the machine's, without reading and thinking. Then it visits every page of both consoles
// at 1280 pixels, in both schemes and languages, and prints the largest layout shift and the findings of axe. A task
// that cannot be finished fails. Setting: PAGES selects pages by the beginning of their name, and `none` leaves them
// out. E2E_WORLD names the dev.json of a running world.
import { readFileSync } from "node:fs";

import { accessibilityFindings } from "./support/accessibility.mjs";
import { closePage, launch, openPage } from "./support/browser.mjs";
import { Chat } from "./support/chat.mjs";
import { HostSite, hostPage } from "./support/host-site.mjs";
import { answerSlowly, layoutShift, loadAgain, observeShifts } from "./support/layout-shift.mjs";
import { Person } from "./support/person.mjs";
import { consolePages } from "./support/screens.mjs";
import { People, tenantConsole } from "./support/sign-in.mjs";
import { causeTalk } from "./support/talk.mjs";
import { World } from "./support/world.mjs";

const RUN = Date.now().toString(36);
const PAGES = process.env.PAGES ?? "";
const LOOKS = ["en", "de"].flatMap((language) => ["light", "dark"].map((colorScheme) => ({ language, colorScheme })));
const TENANTS = "/api/v1/platform/tenants";
const TEMPLATES = "/api/v1/operator/templates";
const CHATBOTS = "/api/v1/tenants/me/chatbots";
const BAKERY = `Bakery ${RUN}`;
const FILE = "# Opening hours\n\nThe workshop is open from Tuesday to Saturday, from nine to five.\n";

const world = await World.shared();
const browser = await launch();
const people = new People(browser, world);
const sitePages = {};
const site = await HostSite.start(sitePages);

/** Calls the API as a user; what it answers. */
async function call(username, method, path, body) {
  const response = await world.call(username, method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** A tenant with nothing in it, and the name and first password of its administrator. */
async function newTenant() {
  const { id } = await call("olivia", "POST", TENANTS, { slug: `fresh-${RUN}`, display_name: "Fresh Fish" });
  const frieda = { username: `frieda-${RUN}`, first_name: "Frieda", last_name: "Fisher", email: `frieda-${RUN}@fresh.example`, role: "admin" };
  const { first_password } = await call("olivia", "POST", `${TENANTS}/${id}/people`, frieda);
  return { username: frieda.username, password: first_password };
}

/** A chatbot whose template has changed since: once where the chatbot has a text of its own, and twice where it has none. */
async function newTemplateVersion() {
  const id = `knots-${RUN}`;
  const content = { name: "Knots", welcome_message: "Ask about ropes.", fallback_message: "No idea." };
  await call("olivia", "POST", TEMPLATES, { id, language: "en", ...content, suggested_questions: ["Which knot?"] });
  const chatbot = await call("hanna", "POST", CHATBOTS, { slug: id, name: "Knots", template_id: id });
  await call("hanna", "PATCH", `${CHATBOTS}/${chatbot.id}`, { welcome_message: "Ask our crew." });
  const change = { welcome_message: "Ask about ropes and sails.", fallback_message: "I found nothing." };
  await call("olivia", "PATCH", `${TEMPLATES}/${id}`, { ...change, suggested_questions: ["Which knot?", "Which sail?"] });
}

/** A change by somebody, which is looked for later. */
async function changedBranding() {
  const { id } = await call("hanna", "POST", CHATBOTS, { slug: `bakery-${RUN}`, name: BAKERY });
  await call("hanna", "PATCH", `${CHATBOTS}/${id}/branding`, { header_title: "Ask the baker" });
}

const frieda = await newTenant();
const talk = await causeTalk(world, "hanna", `desk-${RUN}`);
await newTemplateVersion();
await changedBranding();

// The tasks. Each begins on the first page of its user, and ends when its result can be seen.
const TASKS = [
  ["First answer on a site, from the first sign-in of a new tenant", signInPage, firstAnswer],
  ["New chatbot with a document", () => people.open("hanna"), newChatbot],
  ["Better answer for a bad rating", () => people.open("hanna"), betterAnswer],
  ["Adopt a template update", () => people.open("hanna"), adoptUpdate],
  ["Find who changed a chatbot's title", () => people.open("olivia"), findWho],
  ["Export the conversations of a month", () => people.open("hanna"), exportMonth],
];

async function signInPage() {
  const page = await openPage(browser);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: world.dev.base_url });
  await page.goto(tenantConsole(world));
  return page;
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const link = (page, name) => page.getByRole("link", { name, exact: true });
const inNavigation = (page, name) => link(page.getByRole("navigation", { name: "Main navigation" }), name);
const templateCard = (page, name) => page.locator("label", { has: page.getByRole("radio", { name }) });

/** The first sign-in, with a password of one's own. */
async function signIn(person) {
  const { page } = person;
  const submit = page.locator("form [type=submit]").first();
  await person.click(page.getByRole("button", { name: "Sign in" }));
  await person.fill(page.locator("#username"), frieda.username);
  await person.fill(page.locator("#password"), frieda.password);
  await person.click(submit);
  await person.fill(page.locator("#password-new"), "a-password-of-my-own");
  await person.fill(page.locator("#password-confirm"), "a-password-of-my-own");
  await person.click(submit);
}

async function firstAnswer(person) {
  await signIn(person);
  const { page } = person;
  await person.click(link(page, "Add website"));
  await person.see(page.locator("#websites:focus"));
  await person.click(button(page, "Add website"));
  await person.fill(page.getByLabel("Website 1", { exact: true }), site.origin);
  await person.click(button(page, "Save branding"));
  await person.see(page.getByText("Branding saved."));
  await person.click(inNavigation(page, "Overview"));
  await person.click(link(page, "Create"));
  await describeChatbot(person, "Fish advice");
  await person.click(link(page, "Add to your website"));
  const snippet = page.getByRole("group", { name: "Embed snippet" });
  await person.click(button(page.locator(".ui-code", { has: snippet }), "Copy"));
  await person.see(page.locator("[data-copied=true]"));
  sitePages["/"] = { html: hostPage({ body: (await snippet.innerText()).match(/<script[^]*<\/script>/)[0] }) };
  // The snippet is pasted into the site's page.
  person.fields += 1;
  await askOnSite(person);
}

async function askOnSite(person) {
  await person.visit(site.origin);
  const chat = new Chat(person.page);
  await person.click(chat.launcher);
  await person.fill(chat.input, "Who can see my questions?");
  await person.click(button(chat.panel, "Send"));
  await person.see(chat.citations.first());
}

/** The wizard from its first step to a chatbot that is ready. */
async function describeChatbot(person, name) {
  const { page } = person;
  await person.click(templateCard(page, /Product help/));
  await person.click(button(page, "Next"));
  await person.fill(page.getByLabel("Name", { exact: true }), name);
  await person.click(button(page, "Create chatbot"));
  await person.see(page.getByRole("heading", { name: `“${name}” is ready` }));
}

async function newChatbot(person) {
  const { page } = person;
  await person.click(inNavigation(page, "Chatbots"));
  await person.click(link(page, "New chatbot"));
  await describeChatbot(person, `Workshop ${RUN}`);
  await person.click(button(page, "Add documents"));
  await person.click(link(page, "Upload files"));
  const file = { name: "hours.md", mimeType: "text/markdown", buffer: Buffer.from(FILE) };
  await person.pick(button(page, "Choose files"), file);
  await person.see(page.getByRole("row").filter({ hasText: "hours.md" }).getByText("Ready", { exact: true }));
}

async function betterAnswer(person) {
  const { page } = person;
  await person.click(page.getByRole("link", { name: /negative rating/ }).first());
  await person.click(button(page, "Write a better answer").first());
  const dialog = page.getByRole("dialog");
  await person.fill(dialog.getByLabel("Answer", { exact: true }), "Yes. We engrave brass compasses within three working days.");
  await person.click(button(dialog, "Save answer"));
  await person.see(page.getByText(/^Answer saved/).first());
}

async function adoptUpdate(person) {
  const { page } = person;
  await person.click(link(page, "The template has a newer version").first());
  await person.click(button(page, "Update chatbot"));
  await person.see(page.getByText("Up to date", { exact: true }));
}

async function findWho(person) {
  const { page } = person;
  await person.click(inNavigation(page, "Audit log"));
  await person.fill(page.getByRole("searchbox", { name: "Search details" }), "Ask the baker");
  await person.click(link(page.getByRole("main"), `hanna changed the branding of ${BAKERY}`).first());
  await person.see(page.getByRole("heading", { level: 2, name: "Changes" }));
}

async function exportMonth(person) {
  const { page } = person;
  const [first, last] = thisMonth();
  await person.click(inNavigation(page, "Conversations"));
  await person.fill(page.getByLabel("From", { exact: true }), first);
  await person.fill(page.getByLabel("To", { exact: true }), last);
  await page.waitForURL(({ searchParams }) => searchParams.get("date_from") === first && searchParams.get("date_to") === last);
  await person.see(page.getByRole("table", { name: "Conversations, newest first" }));
  const file = await person.download(button(page, "Download CSV"));
  const rows = readFileSync(await file.path(), "utf8").trim().split("\r\n");
  if (rows.length < 2) throw new Error(`the file has no conversation: ${rows.join()}`);
}

/** The first and the last day of this month, as a date field takes them. */
function thisMonth() {
  const now = new Date();
  const [year, month] = [now.getFullYear(), now.getMonth()];
  return [new Date(year, month, 1), new Date(year, month + 1, 0)].map((day) => day.toLocaleDateString("sv-SE"));
}

/** Does a task; its line of the table. */
async function effort(name, open, work) {
  const page = await open();
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const person = new Person(page);
  const started = performance.now();
  try {
    await work(person);
    const seconds = (performance.now() - started) / 1000;
    return `| ${name} | ${person.clicks} | ${person.fields} | ${person.pages} | ${seconds.toFixed(1)} |`;
  } catch (error) {
    fail(`“${name}” cannot be finished after ${person.clicks} clicks: ${error.message}`);
    return `| ${name} | not finished | | | |`;
  } finally {
    await closePage(page);
  }
}

/** Notes what went wrong, and goes on. */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

/** A page in every look: its shifts in the order of the looks, and the findings in all of them. */
async function look({ username, path }) {
  const prepare = (page) => Promise.all([observeShifts(page), answerSlowly(page)]);
  const page = await people.open(username, path, { viewport: { width: 1280, height: 800 }, prepare });
  const [shifts, findings] = [[], []];
  try {
    for (const { language, colorScheme } of LOOKS) {
      await loadAgain(page, language, { colorScheme });
      shifts.push((await layoutShift(page)).sum);
      const found = await accessibilityFindings(page, [colorScheme]);
      findings.push(...found.map((finding) => `${language}, ${finding}`));
    }
  } finally {
    await closePage(page);
  }
  return { shifts, findings };
}

async function lookAtPages() {
  const wanted = consolePages(world.dev, talk).filter(({ name }) => name.startsWith(PAGES));
  const all = { shift: 0, findings: 0 };
  console.log(`\n| page | ${LOOKS.map(({ language, colorScheme }) => `shift: ${language}, ${colorScheme}`).join(" | ")} | axe |`);
  console.log(`|---|${"---|".repeat(LOOKS.length + 1)}`);
  for (const entry of wanted) {
    const seen = await look(entry).catch((error) => fail(`${entry.name} cannot be looked at: ${error.message}`));
    if (!seen) continue;
    const { shifts, findings } = seen;
    console.log(`| ${entry.name} | ${shifts.map((shift) => shift.toFixed(3)).join(" | ")} | ${findings.length} |`);
    for (const finding of findings) console.error(`${entry.name}: ${finding}`);
    all.shift = Math.max(all.shift, ...shifts);
    all.findings += findings.length;
  }
  console.log(`\n${wanted.length} pages in ${LOOKS.length} looks: largest shift ${all.shift.toFixed(3)}, findings of axe: ${all.findings}`);
}

try {
  console.log("| task | clicks | fields filled | pages | seconds |\n|---|---|---|---|---|");
  for (const task of TASKS) console.log(await effort(...task));
  if (PAGES !== "none") await lookAtPages();
} finally {
  await Promise.all([browser.close(), site.stop()]);
  await world.stop();
  if (!process.env.E2E_WORLD) world.delete();
}
