// Measures how fast the operator console reacts on a large platform: 10,000 tenants and 1,000,000 audit rows in a world of its
// own. Each step has two figures: the browser's own time from the key or click to the next paint, and the time until the
// result is shown. Settings: TENANTS, AUDIT_ROWS, ROUNDS. E2E_WORLD names the dev.json of a world that is already filled.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { launch } from "./support/browser.mjs";
import { People } from "./support/sign-in.mjs";
import { ROOT, World } from "./support/world.mjs";

const TENANTS = Number(process.env.TENANTS ?? 10_000);
const AUDIT_ROWS = Number(process.env.AUDIT_ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const LIMIT_MS = 100;

const SEED = `
insert into tenants (id, slug, display_name, default_language)
select gen_random_uuid(), 'bench-' || n, 'Bench ' || md5(n::text), 'en' from generate_series(1, ${TENANTS}) n;
insert into platform_audit_log (id, occurred_at, actor_role, actor_user, tenant_id, action, entity_type, entity_id, details)
select gen_random_uuid(), now() - n * interval '30 seconds', 'operator', 'user-' || n % 40, t.id,
       (array['tenant.updated', 'template.updated', 'chatbot.updated', 'tenant_branding.updated'])[1 + n % 4], 'tenant',
       t.id::text, jsonb_build_object('before', jsonb_build_object('display_name', 'Name ' || n),
                                      'after', jsonb_build_object('display_name', 'Name ' || n + 1))
from generate_series(1, ${AUDIT_ROWS}) n
join (select id, row_number() over () as place from tenants where slug like 'bench-%') t on t.place = 1 + n % ${TENANTS};
vacuum analyze tenants;
vacuum analyze platform_audit_log;
`;

function seed(world) {
  const parts = join(ROOT, "var/parts");
  const postgres = readdirSync(parts).find((name) => name.startsWith("postgres-"));
  const psql = join(parts, postgres, "embedded_postgres/pginstall/bin/psql");
  execFileSync(psql, [world.dev.database_url, "-q", "-v", "ON_ERROR_STOP=1"], { input: SEED, stdio: ["pipe", "ignore", "inherit"] });
}

/** What is done, and what shows that it is done; the page's state leads from one to the next. */
function steps(page) {
  const main = page.getByRole("main");
  const button = (name) => main.getByRole("button", { name });
  const row = (number) => main.getByRole("row").nth(number);
  const text = (pattern) => main.getByText(pattern);
  const heading = (name) => page.getByRole("heading", { level: 1, name });
  const selected = () => text(/^[\d,]+ selected$/);
  const number = TENANTS.toLocaleString("en-GB");
  return [
    ["tenants: open", () => page.getByRole("link", { name: "Tenants", exact: true }).click(), () => row(25).waitFor()],
    ["tenants: select the page", () => page.getByRole("checkbox", { name: /all on this page/ }).click(), () => text("25 selected").waitFor()],
    ["tenants: select all that match", () => button(/^Select all [\d,]+ matching/).click(), () => text(/^[\d,]{4,} selected$/).waitFor()],
    [`one of ${number} off`, () => row(3).getByRole("checkbox").click(), () => selected().waitFor()],
    ["tenants: assign modules, dialog", () => button("Assign modules").click(), () => page.getByRole("dialog").getByRole("checkbox").first().waitFor()],
    ["tenants: close the dialog", () => page.keyboard.press("Escape"), () => page.getByRole("dialog").waitFor({ state: "hidden" })],
    ["tenants: delete, too many", () => button("Delete selected tenants").click(), () => page.getByText(/^You can delete up to 500 tenants/).first().waitFor()],
    ["tenants: next page", () => button("Next page").click(), () => page.waitForURL(/offset=25/).then(() => text(/26–50/).waitFor())],
    ["tenants: clear the selection", () => button("Clear selection").click(), () => selected().waitFor({ state: "detached" })],
    ["tenants: order by slug", () => button("Slug").click(), () => page.waitForURL(/sort=slug/).then(() => text(/1–25/).waitFor())],
    ["tenants: search", () => page.getByRole("searchbox").pressSequentially("abc"), () => page.waitForURL(/q=abc/).then(() => text(/1–\d+ of \d{1,3}$/).waitFor())],
    ["audit: open", () => page.getByRole("link", { name: "Audit log", exact: true }).click(), () => row(50).waitFor()],
    ["audit: older", () => button("Older").click(), () => page.waitForURL(/cursor/).then(() => row(50).waitFor())],
    ["audit: newer", () => button("Newer").click(), () => row(50).waitFor()],
    ["audit: search the details", () => page.getByRole("searchbox").pressSequentially("Name 4242"), () => page.waitForURL(/json_search/).then(() => row(1).waitFor())],
    ["audit: open a row", () => row(1).getByRole("link").first().click(), () => page.getByRole("heading", { name: "Changes" }).waitFor()],
    ["audit: the next row", () => button("Older").click(), () => page.waitForURL((url) => url.href !== page.lastAddress)],
    ["overview: open", () => page.getByRole("link", { name: "Overview", exact: true }).click(), () => heading("Overview").waitFor().then(() => text("Most active tenants").waitFor())],
  ];
}

/** Keeps the longest time from an input to its paint, as the browser reports it. */
function watch() {
  globalThis.slowest = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.slowest = Math.max(globalThis.slowest, entry.duration);
  });
  observer.observe({ type: "event", durationThreshold: 16, buffered: false });
}

const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))));
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function round(page, figures) {
  for (const [name, act, shown] of steps(page)) {
    page.lastAddress = page.url();
    await page.evaluate(() => (globalThis.slowest = 0));
    const started = performance.now();
    await act();
    await shown();
    const until = performance.now() - started;
    await page.evaluate(settled);
    const painted = await page.evaluate(() => globalThis.slowest);
    const figure = figures.get(name) ?? { painted: [], until: [] };
    figure.painted.push(painted);
    figure.until.push(until);
    figures.set(name, figure);
  }
}

/** A world with everything in it. */
async function largeWorld() {
  if (process.env.E2E_WORLD) return World.shared();
  const world = await World.fresh("bench-console");
  await world.withoutDocuments().start();
  const started = performance.now();
  seed(world);
  console.log(`seeded ${TENANTS} tenants and ${AUDIT_ROWS} audit rows in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return world;
}

const world = await largeWorld();
const browser = await launch();
try {
  const people = new People(browser, world);
  const page = await people.open("olivia", "");
  await page.evaluate(watch);
  const figures = new Map();
  for (let number = 1; number <= ROUNDS; number += 1) await round(page, figures);
  console.log("\n| step | to the next paint, median | worst | until it is shown, median |\n|---|---|---|---|");
  for (const [name, { painted, until }] of figures) {
    const worst = Math.max(...painted);
    console.log(`| ${name} | ${median(painted)} ms | ${worst} ms${worst > LIMIT_MS ? " (!)" : ""} | ${median(until).toFixed(0)} ms |`);
  }
} finally {
  await browser.close();
  await world.stop();
  if (!process.env.E2E_WORLD) world.delete();
}
