// The pages to capture: name, user, path in the console or a function that opens the page, and the steps before the picture.
import { Chat } from "./chat.mjs";

const HARBOR = "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11";
const QUESTION = "How do I put the chatbot on my site?";
/** The pages of a chatbot behind its overview. */
export const CHATBOT_PAGES = [
  "knowledge",
  "knowledge/answers",
  "knowledge/websites",
  "inbox",
  "inbox/feedback",
  "inbox/conversations",
  "test",
  "design",
  "install",
  "settings",
  "settings/template",
];
/** Those that show what visitors did. */
const TALK_PAGES = ["knowledge", "inbox", "inbox/feedback", "inbox/conversations", "install"];

/** Every screen; `talk` is what `causeTalk` made. */
export function screens(dev, talk) {
  return [
    { name: "landing", visit: (page) => page.goto(dev.base_url) },
    { name: "documentation", visit: (page) => page.goto(`${dev.base_url}/docs/api`) },
    { name: "sign-in", visit: (page) => signInPage(page, dev) },
    { name: "login", visit: (page) => loginPage(page, dev) },
    widgetScreen(dev),
    ...named("operator", "olivia", operatorPaths()),
    { name: "operator-dialog", username: "olivia", path: "tenants", act: newTenant },
    { name: "operator-bulk", username: "olivia", path: "tenants", act: bulkModules },
    { name: "operator-palette", username: "olivia", path: "", act: palette },
    { name: "operator-shortcuts", username: "olivia", path: "", act: shortcuts },
    { name: "operator-audit-row", username: "olivia", path: "audit?action=tenant.created", act: firstRow },
    { name: "operator-vendor", username: "victor", path: "tenants" },
    ...named("tenant", "hanna", tenantPaths(dev, talk)),
    { name: "tenant-wizard-settings", username: "hanna", path: "chatbots/new", act: wizardSettings },
    { name: "tenant-playground-answer", username: "hanna", path: `chatbots/${helpOf(dev)}/test`, act: playgroundAnswer },
    { name: "tenant-knowledge-document", username: "hanna", path: "knowledge/search?q=embed+the+widget", act: firstResult },
    { name: "tenant-viewer", username: "henry", path: "branding" },
  ];
}

/** The pages of both consoles that need no steps. */
export function consolePages(dev, talk) {
  return screens(dev, talk).filter(({ username, path, act }) => username && path !== undefined && !act);
}

/** The widget on the demo site, with an answer. */
function widgetScreen(dev) {
  return { name: "widget", visit: (page) => answered(page, dev.site_url) };
}

function operatorPaths() {
  return {
    overview: "",
    tenants: "tenants",
    "tenants-none": "tenants?q=nobody",
    tenant: `tenants/${HARBOR}`,
    "tenant-branding": `tenants/${HARBOR}/branding`,
    templates: "templates",
    template: "templates/product-help-en",
    "template-edit": "templates/product-help-en/edit",
    "template-new": "templates/new",
    modules: "modules",
    audit: "audit?actor_role=operator",
    "output-filter": "output-filter",
    "vendor-access": "vendor-access?scope=operator",
    "system-check": "system-check",
    connectors: "connectors",
    missing: "nowhere",
  };
}

function tenantPaths(dev, { chatbot_id, session_id, document_id }) {
  const paths = {
    overview: "",
    chatbots: "chatbots",
    wizard: "chatbots/new",
    chatbot: `chatbots/${helpOf(dev)}`,
    conversations: "conversations",
    conversation: `conversations/${session_id}`,
    knowledge: "knowledge",
    "knowledge-search": "knowledge/search?q=embed+the+widget",
    "knowledge-none": "knowledge/search?q=zzyzx+qwrtp",
    "knowledge-bookmarks": "knowledge/bookmarks",
    "knowledge-saved": "knowledge/saved",
    "knowledge-history": "knowledge/history",
    branding: "branding",
    modules: "modules",
    usage: "usage",
    people: "people",
    preferences: "preferences",
    missing: "nowhere",
  };
  for (const part of CHATBOT_PAGES) paths[`chatbot-${part.replace("/", "-")}`] = `chatbots/${helpOf(dev)}/${part}`;
  paths["chatbot-document"] = `chatbots/${helpOf(dev)}/knowledge/${document_id}`;
  paths.talk = `chatbots/${chatbot_id}`;
  for (const part of TALK_PAGES) paths[`talk-${part.replace("/", "-")}`] = `chatbots/${chatbot_id}/${part}`;
  return paths;
}

function helpOf({ chatbots }) {
  return chatbots.find(({ slug }) => slug === "platform-help").id;
}

function named(prefix, username, paths) {
  return Object.entries(paths).map(([name, path]) => ({ name: `${prefix}-${name}`, username, path }));
}

async function signInPage(page, dev) {
  await page.goto(`${dev.base_url}/tenant/`);
  await page.locator("button.ui-button--primary").waitFor();
}

async function loginPage(page, dev) {
  await signInPage(page, dev);
  await page.locator("button.ui-button--primary").click();
  await page.locator("input[type=password]").waitFor();
}

async function answered(page, address) {
  await page.goto(address);
  const chat = new Chat(page);
  await chat.open();
  await chat.ask(QUESTION);
}

async function newTenant(page) {
  await page.locator(".ui-page-header__actions .ui-button--primary").click();
  await page.getByRole("dialog").getByRole("textbox").first().fill("Lighthouse Books");
}

async function bulkModules(page) {
  await page.getByRole("checkbox", { name: /Select all on this page|Alle auf dieser Seite auswählen/ }).check();
  await page.getByRole("button", { name: /^(Assign modules|Module zuweisen)/ }).click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
}

async function palette(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").locator("input:focus").waitFor();
  await page.keyboard.type("har");
  await page.getByRole("option", { name: /^Harbor Supply/ }).waitFor();
}

async function shortcuts(page) {
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
}

async function firstRow(page) {
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("heading", { level: 2 }).first().waitFor();
}

async function wizardSettings(page) {
  await page.getByRole("radio", { name: /Product help/ }).check({ force: true });
  await page.locator("main .ui-button--primary").click();
}

async function playgroundAnswer(page) {
  await page.locator("main").getByRole("textbox").first().fill(QUESTION);
  await page.keyboard.press("Enter");
  await page.locator("main").getByRole("heading", { level: 2 }).nth(1).waitFor();
}

/** The first result of the knowledge search. */
async function firstResult(page) {
  await page.locator(".ui-hit__link").first().click();
  await page.getByRole("heading", { name: /^(Passages|Abschnitte)$/ }).waitFor();
}
