// The page Knowledge of the tenant console: files are uploaded, read, asked about, looked at and deleted.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { settledWidth } from "../support/browser.mjs";
import { call, page, show, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";

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
const choose = (files) => page.locator("input[type=file][multiple]").setInputFiles(files);

test("uploaded files are read, answer questions, and are deleted", async () => {
  const id = await newChatbot("knowledge");
  await open(id);
  await page.getByText("Your chatbot doesn't know anything yet.").waitFor();
  const ferry = pdf(["The ferry to Jura leaves at noon", "and returns before the evening."]);
  await choose([file("guide.md", GUIDE), file("ferry.pdf", ferry), file("photo.gif", "no text")]);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await uploads.getByRole("listitem").filter({ hasText: "photo.gif" }).getByText("This kind of file can't be read.").waitFor();
  await row("guide.md").getByText("Ready", { exact: true }).waitFor();
  await row("ferry.pdf").getByText("Ready", { exact: true }).waitFor();
  await page.getByRole("status").filter({ hasText: "All documents have been read." }).waitFor({ state: "attached" });

  await page.getByRole("button", { name: "View: Lighthouse guide" }).click();
  const dialog = page.getByRole("dialog", { name: "Lighthouse guide" });
  await dialog.getByText("every seventh year").waitFor();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download file" }).click();
  assert.equal(readFileSync(await (await download).path(), "utf8"), GUIDE);
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("button", { name: "Close" }).click();

  await page.getByRole("link", { name: "Test", exact: true }).click();
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
  // The browser itself tells that a file was refused.
  assert.deepEqual([page.violations, page.errors.filter((text) => !text.includes("status of 415"))], [[], []]);
});

test("a dropped file that cannot be read says why, and the filter finds it", async () => {
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
  await page.getByLabel("State", { exact: true }).selectOption("failed");
  await eventuallyEqual(() => row("hours.md").count(), 0);
  await row("broken.pdf").waitFor();
  await choose([file("hours.md", "# Opening hours\n\nFrom nine to five.\n")]);
  await page.getByText("Already there, unchanged").waitFor();
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await row("broken.pdf").getByText("Die Datei ist beschädigt.").waitFor();
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
  await page.getByText(/Up to 50 MB per file, 500 MB per archive\./).waitFor();
});

test("a viewer sees documents and passages and changes nothing", async () => {
  const id = await newChatbot("viewed", "hanna");
  const path = `/api/v1/tenants/me/chatbots/${id}/sources`;
  const source = await call("hanna", "POST", path, { kind: "upload", name: "Manuals" });
  const headers = { authorization: `Bearer ${await world.token("hanna")}` };
  const address = `${world.dev.base_url}${path}/${source.id}/documents/guide.md`;
  assert.equal((await fetch(address, { method: "PUT", headers, body: GUIDE })).status, 200);
  await open(id, "henry");
  await row("guide.md").getByText("Ready", { exact: true }).waitFor();
  await page.getByText("Only administrators of your organisation").first().waitFor();
  assert.equal(await page.locator(".ui-dropzone").count(), 0);
  assert.equal(await page.getByRole("button", { name: /^Delete/ }).count(), 0);
  await page.getByRole("button", { name: /^View:/ }).click();
  await page.getByRole("dialog").getByText("every seventh year").waitFor();
});
