// The page Knowledge of the tenant console: files are uploaded, read, asked about, viewed and deleted.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, load, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { keepWaiting } from "../support/pending.mjs";
import { settled } from "../support/settled.mjs";

const GUIDE = "# Lighthouse guide\n\nThe lighthouse of Port Ellen is painted every seventh year, in the month of May.\n";
const QUESTION = "How often is the lighthouse painted?";

/** A chatbot of its own for a test. */
async function newChatbot(slug, username = "dora") {
  const chatbot = await call(username, "POST", "/api/v1/tenants/me/chatbots", { slug, name: `Test of ${slug}` });
  return chatbot.id;
}

/** A PDF file of one page with these lines. */
function pdf(lines) {
  const stream = `BT /F1 12 Tf 72 760 Td 14 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const places = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places}`;
  return Buffer.from(`${text}${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`);
}

const file = (name, content) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
const row = (name) => page.getByRole("row").filter({ hasText: name });
const open = (id, username = "dora") => show(username, `chatbots/${id}/knowledge`);
const sourcesOf = (id) => `/api/v1/tenants/me/chatbots/${id}/sources`;
const newSource = async (id, name, kind = "upload") => (await call("dora", "POST", sourcesOf(id), { kind, name })).id;
/** The paths of a chatbot's documents. */
const paths = async (id) => {
  const { items } = await call("dora", "GET", `/api/v1/tenants/me/chatbots/${id}/documents`);
  return items.map((document) => document.path).sort();
};

/** Stores a document by the API. */
async function put(id, source, name, content) {
  const headers = { authorization: `Bearer ${await world.token("dora")}` };
  const address = `${world.dev.base_url}${sourcesOf(id)}/${source}/documents/${encodeURIComponent(name)}`;
  assert.equal((await fetch(address, { method: "PUT", headers, body: content })).status, 200);
}

/** Waits until every stored document is read, so that a page that is opened then does not draw its list again. */
async function allRead(id, username = "dora") {
  const pending = async () => (await call(username, "GET", sourcesOf(id))).items.reduce((sum, source) => sum + source.pending, 0);
  await eventuallyEqual(pending, 0);
}

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder called `manuals` with these files, in a temporary folder. */
function newFolder(files) {
  const parent = mkdtempSync(join(tmpdir(), "uploads-"));
  folders.push(parent);
  for (const [name, content] of Object.entries(files)) {
    const path = join(parent, "manuals", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return join(parent, "manuals");
}

/** Drags files or folders of the disk over the page until it shows `overlay`; `drop` lets go of them there. */
async function drag(files, overlay) {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const send = (type) => devtools.send("Input.dispatchDragEvent", { type, x: 300, y: 120, data });
  await send("dragEnter");
  // Browsers repeat this event while files are over the page; soon after the last one, the page hides the overlay.
  await eventuallyEqual(async () => {
    await send("dragOver");
    return overlay.isVisible();
  }, true);
  return { drop: () => send("drop"), leave: () => send("dragCancel") };
}

const hasFocus = (part) => part.evaluate((element) => element === document.activeElement);
const choose = (files) => page.locator("input[type=file][multiple]").setInputFiles(files);

test("uploaded files are read, answer questions, and are deleted", async () => {
  const id = await newChatbot("knowledge");
  await open(id);
  await page.getByText("Your chatbot doesn't know anything yet.").waitFor();
  // Its events say how a source really is.
  await keepWaiting(page);
  const ferry = pdf(["The ferry to Jura leaves at noon", "and returns before the evening."]);
  await choose([file("guide.md", GUIDE), file("ferry.pdf", ferry), file("photo.gif", "no text")]);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await uploads.getByRole("listitem").filter({ hasText: "photo.gif" }).getByText("This kind of file can't be read.").waitFor();
  // The uploads have ended, and the sources that were loaded last are there.
  await page.getByRole("button", { name: "Clear list" }).waitFor();
  await settled(page);
  await page.unrouteAll({ behavior: "wait" });
  await row("guide.md").getByText("Ready", { exact: true }).waitFor();
  await row("ferry.pdf").getByText("Ready", { exact: true }).waitFor();
  await page.getByRole("status").filter({ hasText: "All documents have been read." }).waitFor({ state: "attached" });
  await settled(page);

  await page.getByRole("link", { name: "View: Lighthouse guide" }).click();
  await page.getByRole("heading", { level: 2, name: "Lighthouse guide" }).waitFor();
  await page.getByRole("list", { name: "Passages" }).getByText("every seventh year").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download file" }).click();
  assert.equal(readFileSync(await (await download).path(), "utf8"), GUIDE);
  assert.deepEqual(await accessibilityFindings(page), []);

  await page.getByRole("link", { name: "Ask about this document" }).click();
  const question = page.getByRole("textbox", { name: "Question" });
  await eventuallyEqual(() => question.inputValue(), "What does “Lighthouse guide” say about ");
  await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("From the documents", { exact: true }).waitFor();
  await page.getByText("every seventh year").first().waitFor();
  await page.getByText("[1] Lighthouse guide").waitFor();
  const answer = await call("dora", "POST", `/api/v1/tenants/me/chatbots/${id}/playground`, { question: "When does the ferry to Jura leave?" });
  assert.match(answer.answer, /noon/);

  await page.getByRole("navigation", { name: "Pages of this chatbot" }).getByRole("link", { name: "Knowledge" }).click();
  await page.getByRole("button", { name: "Delete: Lighthouse guide" }).click();
  await page.getByRole("dialog", { name: "Delete this document?" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Document deleted.").waitFor();
  await eventuallyEqual(() => row("guide.md").count(), 0);
  await row("ferry.pdf").waitFor();
  // The browser itself reports the refused request.
  assert.deepEqual([page.violations, page.errors.filter((text) => !text.includes("status of 415"))], [[], []]);
});

test("an unreadable dropped file says why, and the filter finds it", async () => {
  const id = await newChatbot("dropped");
  await open(id);
  const zone = page.locator(".ui-dropzone");
  await zone.waitFor();
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["%PDF-1.4 and nothing else"], "broken.pdf"));
    transfer.items.add(new File(["# Opening hours\n\nFrom nine to five.\n"], "hours.md"));
    return transfer;
  });
  await zone.dispatchEvent("dragover", { dataTransfer: data });
  await zone.dispatchEvent("drop", { dataTransfer: data });
  await row("broken.pdf").getByText("The file is damaged.").waitFor();
  await row("hours.md").getByText("Ready", { exact: true }).waitFor();
  await page.getByLabel("Status", { exact: true }).selectOption("failed");
  await eventuallyEqual(() => row("hours.md").count(), 0);
  await Promise.all([row("broken.pdf").waitFor(), page.getByRole("columnheader", { name: "Status" }).first().waitFor()]);
  await choose([file("hours.md", "# Opening hours\n\nFrom nine to five.\n")]);
  await page.getByText("Already there, unchanged").waitFor();
  await settled(page);
  await page.getByRole("button", { name: /^Read again what failed or is outdated: / }).click();
  await page.getByText("Documents that failed or are outdated are being read again.").waitFor();
  await row("broken.pdf").getByText("The file is damaged.").waitFor();
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await row("broken.pdf").getByText("Die Datei ist beschädigt.").waitFor();
  // At the scroll position after the clicks, its bar may cover a part of a button.
  await page.evaluate(() => scrollTo(0, 0));
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
});

test("visitors open the files of answers once the tenant lets them", async () => {
  const id = await newChatbot("visitor-files");
  await open(id);
  const ferry = pdf(["The ferry to Jura leaves at noon", "and returns before the evening."]);
  await choose([file("ferry.pdf", ferry)]);
  await row("ferry.pdf").getByText("Ready", { exact: true }).waitFor();
  const widget = async (path, body) => {
    const headers = { origin: world.dev.site_url, "content-type": "application/json", accept: "application/json" };
    const method = body ? "POST" : "GET";
    const address = `${world.dev.base_url}/api/v1/widget/chatbots/${id}/${path}`;
    return (await fetch(address, { method, headers, body: body && JSON.stringify(body) })).json();
  };
  const reply = await widget("query", { session_id: null, question: "When does the ferry to Jura leave?" });
  const section = () => widget(`passages/${reply.sources[0].passage_id}/section`);
  assert.equal((await section()).file, undefined);

  const allowed = page.getByRole("switch", { name: "Visitors may open the files" });
  await allowed.click();
  await page.getByText("Visitors may now open the files.").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  const { name, url } = (await section()).file;
  assert.deepEqual([name, new URL(url).hash], ["ferry.pdf", "#page=1"]);
  const opened = await fetch(url);
  assert.equal(opened.headers.get("content-type"), "application/pdf");
  assert.match(opened.headers.get("content-disposition"), /^inline; filename="ferry.pdf"/);
  assert.deepEqual(Buffer.from(await opened.arrayBuffer()), ferry);

  await allowed.click();
  await page.getByText("Visitors may no longer open the files.").waitFor();
  const ended = await page.context().newPage();
  await ended.goto(url);
  await ended.getByText("This link is no longer valid. Open the source in the chat again.").waitFor();
  await ended.close();
});

test("an error goes away once the same action succeeds", async () => {
  const id = await newChatbot("tried-again");
  for (const name of ["Manuals", "Prices"]) await newSource(id, name);
  await open(id);
  let isAway = true;
  await page.route("**/sources/*", (route) =>
    isAway && route.request().method() === "PATCH"
      ? route.fulfill({ status: 503, json: { detail: "service_unavailable" } })
      : route.fallback(),
  );
  const press = (name) => page.getByRole("switch", { name: `Visitors may open the files: ${name}` }).press("Space");
  const errors = page.locator(".ui-toast--error");
  let shown = 0;
  for (const name of ["Manuals", "Manuals", "Prices"]) {
    await press(name);
    shown += 1;
    await eventuallyEqual(() => errors.count(), shown);
  }
  isAway = false;
  await press("Manuals");
  await page.getByText("Visitors may now open the files.").waitFor();
  // The error about the other source stays.
  await eventuallyEqual(() => errors.count(), 1);
  await press("Prices");
  await eventuallyEqual(() => errors.count(), 0);
});

test("a file above the limit is named before it is sent", async () => {
  const id = await newChatbot("too-large");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  const asked = [];
  page.on("request", (request) => request.method() === "PUT" && asked.push(request.url()));
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(53 * 1024 * 1024)], "large.txt"));
    document.querySelector(".ui-dropzone").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.getByText("more than the 50 MB allowed").waitFor();
  assert.deepEqual(asked, []);
  await page.getByText(/Up to 50\sMB per file, 500\sMB per archive\./).waitFor();
});

test("a document's page names the answers that cited its passages", async () => {
  const id = await newChatbot("cited");
  const path = `/api/v1/tenants/me/chatbots/${id}/sources`;
  const source = await call("dora", "POST", path, { kind: "upload", name: "Manuals" });
  const headers = { authorization: `Bearer ${await world.token("dora")}` };
  const address = `${path}/${source.id}/documents/guide.md`;
  assert.equal((await fetch(`${world.dev.base_url}${address}`, { method: "PUT", headers, body: GUIDE })).status, 200);
  await eventuallyEqual(async () => (await call("dora", "GET", address)).state, "ready");
  const document = await call("dora", "GET", address);
  await show("dora", `chatbots/${id}/knowledge/${document.id}`);
  const item = page.getByRole("list", { name: "Passages" }).getByRole("listitem").first();
  await item.getByText("Not cited in the last 30 days").waitFor();

  const visitor = { origin: world.dev.site_url, "content-type": "application/json" };
  const body = JSON.stringify({ session_id: null, question: QUESTION });
  const asked = await fetch(`${world.dev.base_url}/api/v1/widget/chatbots/${id}/query`, { method: "POST", headers: visitor, body });
  assert.equal(asked.status, 200);
  await page.reload();
  await item.getByText("Cited in 1 answer in the last 30 days").click();
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await settledWidth(page), 360);
  await item.getByRole("link", { name: QUESTION }).click();
  await page.waitForURL((url) => /\/conversations\//.test(url.pathname));
  await page.getByText(QUESTION).first().waitFor();

  await show("dora", `chatbots/${id}/knowledge/${id}`);
  await page.getByText("Document not found").waitFor();
});

test("a viewer sees documents and passages and changes nothing", async () => {
  const id = await newChatbot("viewed", "hanna");
  const path = `/api/v1/tenants/me/chatbots/${id}/sources`;
  const source = await call("hanna", "POST", path, { kind: "upload", name: "Manuals" });
  const headers = { authorization: `Bearer ${await world.token("hanna")}` };
  const address = `${world.dev.base_url}${path}/${source.id}/documents/guide.md`;
  assert.equal((await fetch(address, { method: "PUT", headers, body: GUIDE })).status, 200);
  await allRead(id, "hanna");
  await open(id, "henry");
  await row("guide.md").getByText("Ready", { exact: true }).waitFor();
  await page.getByText("Only administrators of your organisation").first().waitFor();
  assert.equal(await page.locator(".ui-dropzone").count(), 0);
  assert.equal(await page.getByRole("button", { name: /^Delete/ }).count(), 0);
  await page.getByRole("link", { name: /^View:/ }).click();
  await page.getByRole("list", { name: "Passages" }).getByText("every seventh year").waitFor();
});

test("a viewer reads once on each page who can change it", async () => {
  const id = await newChatbot("viewed-pages", "hanna");
  await show("henry", "chatbots");
  for (const [path, nothing] of [
    ["knowledge", "No documents yet."],
    ["knowledge/answers", "No custom answers yet"],
    ["knowledge/websites", "No websites yet."],
  ]) {
    await load("henry", `chatbots/${id}/${path}`);
    await page.getByText(nothing).first().waitFor();
    assert.equal(await page.getByText("Only administrators of your organisation").count(), 1, path);
  }
});

test("websites that could not be loaded can be loaded again", async () => {
  const id = await newChatbot("unloaded-websites");
  await show("dora", "chatbots");
  await page.route(`**${sourcesOf(id)}?*`, (route) => route.fulfill({ status: 503, json: { detail: "service_unavailable" } }));
  await load("dora", `chatbots/${id}/knowledge/websites`);
  await page.getByRole("alert").getByText(/The service can't be reached/).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No websites yet.").waitFor();
});

test("a dropped folder keeps its paths and omits hidden files", async () => {
  const id = await newChatbot("folders");
  await open(id);
  await page.getByRole("button", { name: "Choose folder" }).waitFor();
  const folder = newFolder({
    "readme.md": "# Port Ellen\n\nThe harbour is on the south coast.\n",
    "a/readme.md": "# Bowmore\n\nThe round church has no corners.\n",
    "a/b/readme.md": "# Portnahaven\n\nSeals rest in the bay.\n",
    "a/photo.gif": "no text",
    ".git/config.md": "hidden",
    "a/.notes.md": "hidden",
  });
  const overlay = page.getByText("Drop files, folders or archives here");
  const first = await drag([folder], overlay);
  await first.leave();
  await overlay.waitFor({ state: "hidden" });
  assert.deepEqual(await paths(id), []);

  const second = await drag([folder], overlay);
  await second.drop();
  await overlay.waitFor({ state: "hidden" });
  const uploads = page.getByRole("list", { name: "Uploads" });
  await uploads.getByRole("listitem").filter({ hasText: "manuals/a/photo.gif" }).getByText("This kind of file can't be read.").waitFor();
  await page.getByText("Uploads: 3 of 3 done · 1 not uploaded").first().waitFor();
  assert.deepEqual(await paths(id), ["manuals/a/b/readme.md", "manuals/a/readme.md", "manuals/readme.md"]);
  await row("manuals/a/readme.md").getByText("Ready", { exact: true }).waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual([page.violations, page.errors], [[], []]);
});

test("a folder that is chosen keeps its paths", async () => {
  const id = await newChatbot("chosen-folder");
  await open(id);
  const input = page.locator("input[type=file][webkitdirectory]");
  await input.waitFor({ state: "attached" });
  await input.setInputFiles(newFolder({ "one.md": "# One\n\nThe first.\n", "deep/one.md": "# Two\n\nThe second.\n" }));
  await page.getByText("Uploads: 2 of 2 done").first().waitFor();
  assert.deepEqual(await paths(id), ["manuals/deep/one.md", "manuals/one.md"]);
});

test("uploads show progress, two at a time, and can be cancelled", async () => {
  const id = await newChatbot("cancelled");
  await newSource(id, "Uploaded files");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  const held = [];
  await page.route("**/documents/*", (route) => (route.request().method() === "PUT" ? held.push(route) : route.continue()));
  await choose(["a", "b", "c"].map((name) => file(`${name}.md`, `# ${name}\n\nText of ${name}.\n`)));
  await eventuallyEqual(() => held.length, 2);
  await page.getByRole("progressbar", { name: "Uploads" }).waitFor();
  await page.getByText("Uploads: 0 of 3 done").first().waitFor();
  await page.getByRole("button", { name: "Cancel uploads" }).click();
  const uploads = page.getByRole("list", { name: "Uploads" });
  await eventuallyEqual(() => uploads.getByText("Cancelled", { exact: true }).count(), 3);
  const clear = page.getByRole("button", { name: "Clear list" });
  await clear.waitFor();
  assert.ok(await hasFocus(clear));
  await clear.click();
  await uploads.waitFor({ state: "detached" });
  await eventuallyEqual(() => hasFocus(page.getByRole("button", { name: "Choose files" })), true);
  assert.equal(held.length, 2);
  assert.deepEqual(await paths(id), []);
});

test("uploads that failed without a server are sent again", async () => {
  const id = await newChatbot("server-away");
  await newSource(id, "Uploaded files");
  await open(id);
  await page.locator(".ui-dropzone").waitFor();
  const refusal = (status, detail) => (route) => route.fulfill({ status, json: { detail } });
  const answers = {
    "network.md": (route) => route.abort(),
    "gateway.md": (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }),
    "service.md": refusal(503, "service_unavailable"),
    "large.md": refusal(413, "payload_too_large"),
  };
  const held = [];
  let answer = (route, name) => answers[name](route);
  await page.route("**/documents/*", (route) => {
    const request = route.request();
    return request.method() === "PUT" ? answer(route, new URL(request.url()).pathname.split("/").at(-1)) : route.continue();
  });
  const files = (names) => names.map((name) => file(name, `# ${name}\n\nText of ${name}.\n`));
  const again = page.getByRole("button", { name: "Try again" });
  const uploads = page.getByRole("list", { name: "Uploads" });
  const announced = (text) => page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

  // Refused files would be refused again.
  await choose(files(["photo.gif", "large.md"]));
  await page.getByText("Uploads: 1 of 1 done · 2 not uploaded").first().waitFor();
  await page.getByRole("button", { name: "Clear list" }).waitFor();
  assert.equal(await again.count(), 0);

  await choose(files(["network.md", "gateway.md", "service.md"]));
  await again.waitFor();
  await announced("Uploads: 3 of 3 done · 5 not uploaded");
  assert.deepEqual(await accessibilityFindings(page), []);

  answer = (route) => held.push(route);
  await again.focus();
  await page.keyboard.press("Enter");
  await eventuallyEqual(() => held.length, 2);
  await announced("Uploads: 0 of 3 done · 2 not uploaded");
  await again.waitFor({ state: "detached" });
  // The focus is not on the button that cancels the uploads.
  await eventuallyEqual(() => hasFocus(uploads), true);
  answer = (route) => route.continue();
  await Promise.all(held.map((route) => route.continue()));
  await announced("Uploads: 3 of 3 done · 2 not uploaded");
  assert.equal(await again.count(), 0);
  assert.deepEqual(await paths(id), ["gateway.md", "network.md", "service.md"]);
});

test("an empty chatbot offers files, a website and the API", async () => {
  const id = await newChatbot("three-ways");
  await open(id);
  await page.getByText("No sources yet.").waitFor();
  await page.getByText("Your chatbot doesn't know anything yet.").waitFor();
  await page.getByRole("button", { name: "Choose files" }).waitFor();
  await page.getByRole("button", { name: "Show example" }).click();
  const example = page.getByRole("dialog", { name: "Upload documents by API" });
  await example.getByText(`/chatbots/${id}/sources'`).waitFor();
  await example.getByRole("button", { name: "Copy" }).first().waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await example.getByRole("button", { name: "Close" }).click();
  await page.setViewportSize({ width: 360, height: 740 });
  await eventuallyEqual(() => settledWidth(page), 360);
  await page.getByRole("link", { name: "Add website" }).click();
  await page.waitForURL(/\/knowledge\/websites$/);
});

test("sources are created, renamed, deleted and chosen for files", async () => {
  const id = await newChatbot("several-sources");
  const manuals = await newSource(id, "Manuals");
  await put(id, manuals, "guide.md", GUIDE);
  await allRead(id);
  await open(id);
  await page.getByRole("button", { name: "New source" }).click();
  const create = page.getByRole("dialog", { name: "New source for uploads" });
  await create.getByLabel("Name").fill("Manuals");
  await create.getByRole("button", { name: "Create source" }).click();
  await create.locator(".ui-field__error", { hasText: "This chatbot already has a source with this name." }).waitFor();
  await create.getByLabel("Name").fill("Price lists");
  await create.getByRole("button", { name: "Create source" }).click();
  await page.getByText("Source created.").waitFor();
  await page.getByLabel("Add to").selectOption({ label: "Price lists" });
  await choose([file("prices.md", "# Prices\n\nThe ferry costs nine pounds.\n")]);
  await page.getByText("Uploads: 1 of 1 done").first().waitFor();
  const { items } = await call("dora", "GET", sourcesOf(id));
  const prices = items.find((source) => source.name === "Price lists").id;
  const { items: documents } = await call("dora", "GET", `${sourcesOf(id)}/${prices}/documents`);
  assert.deepEqual(documents.map((document) => document.path), ["prices.md"]);
  await row("prices.md").getByText("Ready", { exact: true }).waitFor();
  await settled(page);

  await page.getByRole("button", { name: "Rename: Manuals" }).click();
  const rename = page.getByRole("dialog", { name: "Rename source" });
  await rename.getByLabel("Name").fill("Guides");
  await rename.getByRole("button", { name: "Save" }).click();
  await page.getByText("Source renamed.").waitFor();
  await page.getByRole("button", { name: "Delete source: Guides" }).click();
  const remove = page.getByRole("dialog", { name: "Delete this source?" });
  await remove.getByText("“Guides” is deleted with all of its documents (1)").waitFor();
  await remove.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Source deleted.").waitFor();
  await eventuallyEqual(() => row("guide.md").count(), 0);
  assert.deepEqual(await paths(id), ["prices.md"]);
});

test("custom answers are a source until the last one is deleted", async () => {
  const id = await newChatbot("no-answers-left");
  await newSource(id, "Manuals");
  const faq = `/api/v1/tenants/me/chatbots/${id}/faq`;
  const entry = await call("dora", "POST", faq, { question: QUESTION, answer: "Every seventh year, in May." });
  await eventuallyEqual(async () => (await call("dora", "GET", `${faq}/${entry.id}`)).state, "ready");
  const sources = () => page.getByRole("table", { name: "Sources" });
  await open(id);
  await sources().getByRole("row").filter({ hasText: "Custom answers" }).waitFor();

  await call("dora", "DELETE", `${faq}/${entry.id}`);
  await open(id);
  await sources().getByRole("row").filter({ hasText: "Manuals" }).waitFor();
  assert.equal(await sources().getByText("Custom answers").count(), 0);
});

test("a dialog whose action fails stays open and says why", async () => {
  const id = await newChatbot("failing-dialogs");
  await put(id, await newSource(id, "Manuals"), "guide.md", GUIDE);
  await call("dora", "POST", `/api/v1/tenants/me/chatbots/${id}/faq`, { question: "Do you rent boats?", answer: "No." });
  await allRead(id);
  await show("dora", "chatbots");
  const failed = { status: 503, json: { detail: "service_unavailable" } };
  await page.route(new RegExp(`/api/v1/.*${id}`), (route) => (route.request().method() === "DELETE" ? route.fulfill(failed) : route.fallback()));
  for (const [path, button, action] of [
    ["knowledge", /^Delete: /, "Delete"],
    ["knowledge/answers", "Delete: Do you rent boats?", "Delete"],
    ["settings", "Deactivate", "Deactivate"],
  ]) {
    await load("dora", `chatbots/${id}/${path}`);
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: action, exact: true }).click();
    await dialog.getByRole("alert").getByText(/The service can't be reached/).waitFor();
    assert.deepEqual(await accessibilityFindings(page), [], path);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
  }
});

test("a tablet shows all buttons of a source", async () => {
  const id = await newChatbot("tablet");
  await put(id, await newSource(id, "Manuals"), "guide.docx", "no document");
  await allRead(id);
  await show("dora", `chatbots/${id}/knowledge`, { viewport: { width: 768, height: 1024 } });
  await page.getByRole("button", { name: /^Read again/ }).waitFor();
  const { x, width } = await page.getByRole("button", { name: "Delete source: Manuals" }).boundingBox();
  assert.ok(x + width <= 768, `${x + width}`);
});

test("documents of different sources are deleted together", async () => {
  const id = await newChatbot("many-documents");
  const [one, other] = [await newSource(id, "Manuals"), await newSource(id, "Articles", "api")];
  await put(id, one, "guide.md", GUIDE);
  await put(id, other, "prices.md", "# Prices\n\nThe ferry costs nine pounds.\n");
  await put(id, other, "kept.md", "# Seals\n\nSeals rest in the bay.\n");
  await allRead(id);
  await open(id);
  await row("guide.md").getByText("Ready", { exact: true }).waitFor();
  await row("prices.md").getByText("Ready", { exact: true }).waitFor();
  await row("kept.md").getByText("Ready", { exact: true }).waitFor();
  await page.getByLabel("Select all on this page").check();
  await page.getByText("3 selected").waitFor();
  await page.getByLabel("Select Seals").uncheck();
  await page.getByText("2 selected").waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.getByRole("button", { name: "Delete selected" }).click();
  await page.getByRole("dialog", { name: "Delete 2 documents?" }).getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("2 documents deleted.").waitFor();
  await eventuallyEqual(() => row("guide.md").count(), 0);
  await row("kept.md").waitFor();
  assert.deepEqual(await paths(id), ["kept.md"]);
  await eventuallyEqual(() => page.getByText("2 selected").count(), 0);
  await settled(page);
  await eventuallyEqual(() => hasFocus(page.getByLabel("Select all on this page")), true);
});

test("deleting what another tab has deleted is no error", async () => {
  const id = await newChatbot("deleted-twice");
  const answers = `/api/v1/tenants/me/chatbots/${id}/faq`;
  const entry = await call("dora", "POST", answers, { question: "Where do seals rest?", answer: "In the bay." });
  await show("dora", `chatbots/${id}/knowledge/answers`);
  await page.getByRole("button", { name: "Delete: Where do seals rest?" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this answer?" });
  await dialog.waitFor();
  await call("dora", "DELETE", `${answers}/${entry.id}`);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Answer deleted.").waitFor();
  await page.getByText("No custom answers yet").waitFor();
});

test("a deletion that fails in part keeps its error in the dialog", async () => {
  const id = await newChatbot("some-documents");
  for (const name of ["Manuals", "Articles"]) await put(id, await newSource(id, name), `${name}.md`, `${GUIDE}\n${name} say so.\n`);
  await allRead(id);
  await open(id);
  for (const name of ["Manuals", "Articles"]) await row(`${name}.md`).getByText("Ready", { exact: true }).waitFor();
  const failed = { status: 503, json: { detail: "service_unavailable" } };
  let calls = 0;
  await page.route("**/bulk-delete", (route) => ((calls += 1) === 1 ? route.continue() : route.fulfill(failed)));
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Delete selected" }).click();
  await page.getByRole("dialog", { name: "Delete 2 documents?" }).getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 1 document?" });
  await dialog.getByRole("alert").getByText(/The service can't be reached/).waitFor();
});

test("the page says when scans cannot be read", async () => {
  const id = await newChatbot("scans");
  await open(id);
  const notice = page.getByText("Scans and images with text can't be read here");
  let answer = "true";
  await page.route(/_fn\/text-recognition/, (route) => route.fulfill({ contentType: "application/json", body: answer }));
  await Promise.all([page.waitForResponse(/_fn\/text-recognition/), page.reload()]);
  await page.getByText("images with text (PNG, JPEG, TIFF)").waitFor();
  assert.equal(await notice.count(), 0);
  await choose([file("photo.gif", "no text")]);
  await page.getByText(/an image \(PNG, JPEG, TIFF\) or an archive/).waitFor();
  answer = "false";
  await page.reload();
  await notice.waitFor();
  await choose([file("photo.gif", "no text")]);
  await page.getByText(/CSV or JSONL, or a zip or tar archive of them/).waitFor();
});
