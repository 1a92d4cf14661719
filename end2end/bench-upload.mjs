// Measures an upload of many files through the page Knowledge in a real browser: how long it takes, and how much memory the
// server and the browser need meanwhile. The files are PDFs of a few sentences and one megabyte that no page shows.
// Settings: FILES (1000) and BYTES (1000000, of each file).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { launch } from "./support/browser.mjs";
import { People } from "./support/sign-in.mjs";
import { World } from "./support/world.mjs";

const FILES = Number(process.env.FILES ?? 1000);
const BYTES = Number(process.env.BYTES ?? 1_000_000);
/** The longest upload, in milliseconds. */
const LONGEST = 600_000;
/** Time between two looks at the memory, in milliseconds. */
const BETWEEN = 250;

/** A PDF of about so many bytes with one page of text. */
function pdf(number) {
  const text = `BT /F1 12 Tf 72 760 Td (Lighthouse number ${number} is painted in the month of May.) Tj ET`;
  const noise = Buffer.alloc(BYTES, `${number} `);
  const stream = (bytes) => Buffer.concat([Buffer.from(`<< /Length ${bytes.length} >>\nstream\n`), bytes, Buffer.from("\nendstream")]);
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from("<< /Type /Pages /Kids [4 0 R] /Count 1 >>"),
    Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
    Buffer.from("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>"),
    stream(Buffer.from(text)),
    stream(noise),
  ];
  const parts = [Buffer.from("%PDF-1.4\n")];
  const places = [];
  let length = parts[0].length;
  objects.forEach((object, index) => {
    places.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** Megabytes of memory of a process that are its own, without files. */
function ownMemory(pid) {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Processes whose command line has these words. */
function processes(...words) {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return words.every((word) => line.includes(word));
    } catch {
      return false;
    }
  });
}

const sum = (pids) => pids.reduce((total, pid) => total + ownMemory(pid), 0);

const world = await World.fresh("upload");
const folder = join(world.folder, "files");
mkdirSync(folder);
const paths = Array.from({ length: FILES }, (_, number) => {
  const path = join(folder, `lighthouse-${number}.pdf`);
  writeFileSync(path, pdf(number));
  return path;
});
await world.withoutDocuments().start({ SVC_JOBS_WORKERS: "0" });
const browser = await launch();
try {
  const people = new People(browser, world);
  const made = await world.call("dora", "POST", "/api/v1/tenants/me/chatbots", { slug: "upload", name: "Upload" });
  const { id } = await made.json();
  const page = await people.open("dora", `chatbots/${id}/knowledge`);
  const input = page.locator("input[type=file][multiple]").first();
  await input.waitFor({ state: "attached" });
  const server = [world.child.pid];
  await pause(1000);
  const before = { server: sum(server), browser: sum(processes("--type=renderer")) };
  const peak = { ...before };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak.server = Math.max(peak.server, sum(server));
      peak.browser = Math.max(peak.browser, sum(processes("--type=renderer")));
      await pause(BETWEEN);
    }
  })();
  const started = performance.now();
  await input.setInputFiles(paths);
  for (;;) {
    const answer = await (await world.call("dora", "GET", `/api/v1/tenants/me/chatbots/${id}/documents?limit=1`)).json();
    if (answer.total >= FILES) break;
    if (performance.now() - started > LONGEST) throw new Error(`only ${answer.total} of ${FILES} files arrived`);
    await pause(BETWEEN);
  }
  const seconds = (performance.now() - started) / 1000;
  isOver = true;
  await watching;
  const more = (name) => `+${(peak[name] - before[name]).toFixed(0)} MB (${before[name].toFixed(0)} before)`;
  console.log(`${FILES} files of ${(BYTES / 1e6).toFixed(1)} MB: ${seconds.toFixed(1)} s, ${((FILES * BYTES) / 1e6 / seconds).toFixed(0)} MB a second`);
  console.log(`memory of the server: ${more("server")}`);
  console.log(`memory of the browser's pages: ${more("browser")}`);
} finally {
  await browser.close();
  await world.stop();
  rmSync(world.folder, { recursive: true, force: true });
}
