// The server as a process: start, stop and kill.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { launch, openPage } from "../support/browser.mjs";
import { Chat } from "../support/chat.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { HostSite, hostPage } from "../support/host-site.mjs";
import { freePorts } from "../support/ports.mjs";
import { signIn } from "../support/sign-in.mjs";
import { listens, World } from "../support/world.mjs";

const EMERGENCY = "svc-api-vendor-breakglass";
let world;

before(async () => {
  world = (await World.fresh("start")).withoutDocuments();
  await world.start();
});

after(async () => {
  await world.stop();
  world.delete();
});

/** Makes a tenant that a later start must still know. */
async function makeTenant(slug) {
  const made = await world.call("olivia", "POST", "/api/v1/platform/tenants", { slug, display_name: slug });
  assert.equal(made.status, 201, await made.text());
}

async function knownSlugs() {
  const list = await world.call("olivia", "GET", "/api/v1/platform/tenants");
  return (await list.json()).items.map(({ slug }) => slug);
}

test("dev.json can be read by its owner only", () => {
  assert.equal(statSync(join(world.folder, "dev.json")).mode & 0o777, 0o600);
});

test("dev.json has the specified shape", () => {
  const { dev } = world;
  const keys = "base_url auth_url site_url database_url metrics_url loadtest_secret clients users chatbots".split(" ");
  assert.deepEqual(Object.keys(dev).sort(), keys.sort());
  assert.deepEqual(Object.keys(dev.clients[0]).sort(), ["client_id", "realm", "secret"]);
  assert.deepEqual(Object.keys(dev.users[0]).sort(), ["password", "realm", "roles", "scope", "tenant_id", "username"]);
  assert.deepEqual(Object.keys(dev.chatbots[0]).sort(), ["id", "origin", "slug", "tenant_id"]);
});

test("dev.json names the addresses from the settings", () => {
  const [http, auth, site] = world.ports;
  const { base_url, auth_url, site_url } = world.dev;
  assert.deepEqual([base_url, auth_url, site_url], [http, auth, site].map((port) => `http://127.0.0.1:${port}`));
});

for (const [username, scope] of Object.entries({ olivia: "operator", victor: "vendor", hanna: "tenant" })) {
  test(`the API accepts a token of the password grant for ${username}`, async () => {
    const me = await (await world.call(username, "GET", "/api/v1/me")).json();
    assert.deepEqual([me.username, me.scope], [username, scope]);
  });
}

test("a port in use is reported with its setting", async () => {
  const second = await World.fresh("blocked");
  second.ports[0] = world.ports[0];
  second.launch();
  const { code } = await second.ended;
  assert.notEqual(code, 0);
  assert.match(second.output, new RegExp(`port ${world.ports[0]}.*in use.*SVC_HTTP_PORT`, "s"));
  assert.deepEqual(second.leftBehind(), []);
  second.delete();
});

test("a second instance in the same folder is refused", async () => {
  const second = World.at(world.folder, await freePorts(4));
  second.launch();
  const { code } = await second.ended;
  assert.notEqual(code, 0);
  assert.match(second.output, /error: .*(in use|another|already)/i);
  assert.equal((await world.call("olivia", "GET", "/api/v1/me")).status, 200);
});

test("a second instance with its own folder and ports works", async () => {
  const second = (await World.fresh("second")).withoutDocuments();
  await second.start();
  const answers = [world, second].map(async (one) => (await one.call("olivia", "GET", "/api/v1/me")).status);
  assert.deepEqual(await Promise.all(answers), [200, 200]);
  await second.stop();
  second.delete();
});

test("SIGTERM ends the server cleanly", async () => {
  await makeTenant("before-sigterm");
  await world.stop();
  assert.deepEqual(await Promise.all(world.ports.map(listens)), [false, false, false, false]);
  assert.equal(world.hasDatabaseLock, false);
});

test("a warm start keeps the data", async (context) => {
  const seconds = await world.start();
  context.diagnostic(`warm start: ${seconds.toFixed(1)} s`);
  assert.ok((await knownSlugs()).includes("before-sigterm"));
});

test("a start after SIGKILL recovers all data", async (context) => {
  await makeTenant("before-sigkill");
  await world.end("SIGKILL");
  const legacy = world.dev.chatbots[0].id;
  const seconds = await world.start({ SVC_AUTH_CONSOLE_CLIENT: EMERGENCY, SVC_WIDGET_LEGACY_CHATBOT: legacy });
  context.diagnostic(`start after SIGKILL: ${seconds.toFixed(1)} s`);
  assert.ok((await knownSlugs()).includes("before-sigkill"));
});

test("a page without a chatbot id uses widget.legacy_chatbot", async () => {
  const { base_url, chatbots } = world.dev;
  const { id, tenant_id, origin } = chatbots[0];
  const snippet = `<script src="${base_url}/static/widget/chat-widget.min.js" data-api-base="${base_url}/api/v1" async></script>`;
  const site = await HostSite.start({ "/": { html: hostPage({ body: snippet }) } });
  const branding = `/api/v1/operator/tenants/${tenant_id}/branding`;
  const allowed = await world.call("olivia", "PATCH", branding, { allowed_origins: [origin, site.origin] });
  assert.equal(allowed.status, 200, await allowed.text());
  const browser = await launch();
  try {
    const page = await openPage(browser);
    const ratings = [];
    page.on("response", (response) => response.url().endsWith("/api/feedback") && ratings.push(response.status()));
    await page.goto(site.origin);
    const chat = new Chat(page);
    await chat.open();
    await chat.ask("How long does delivery take?");
    await chat.answers.last().getByRole("button", { name: "Helpful", exact: true }).click();
    await chat.answers.last().getByRole("button", { name: "Helpful", exact: true, pressed: true }).waitFor();
    await eventuallyEqual(() => ratings, [201]);
    assert.deepEqual(await chat.cookies(), []);
  } finally {
    await browser.close();
    await site.stop();
    await world.call("olivia", "PATCH", branding, { allowed_origins: [origin] });
  }
  const asked = await fetch(`${base_url}/api/query`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ session_id: null, question: "Hello?" }),
  });
  const { session_id, session_token } = await asked.json();
  const history = `${base_url}/api/v1/widget/chatbots/${id}/sessions/${session_id}/messages`;
  const headers = { origin, accept: `application/json;session_token=${session_token}` };
  assert.equal((await fetch(history, { headers })).status, 200, "the conversation is that chatbot's");
  assert.equal((await fetch(history, { headers: { origin } })).status, 404, "the id alone opens nothing");
});

test("an emergency instance shows the time left on every page", async () => {
  const browser = await launch();
  try {
    const page = await openPage(browser);
    await signIn(page, world, "victor", "tenants");
    const banner = page.getByRole("alert").filter({ hasText: `Emergency access (${EMERGENCY})` });
    await banner.waitFor();
    const left = Number((await banner.innerText()).match(/ends in (\d+) min/)[1]);
    assert.ok(left > 110 && left <= 120, `${left} minutes`);
    const session = async () => (await page.context().cookies()).find(({ name }) => name === "svc_console_session");
    const { httpOnly, sameSite, path } = await session();
    assert.deepEqual({ httpOnly, sameSite, path }, { httpOnly: true, sameSite: "Strict", path: "/admin/operator/token" });
    assert.deepEqual(await accessibilityFindings(page), []);
    await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Templates" }).click();
    await page.getByRole("heading", { level: 1, name: "Templates" }).waitFor();
    await banner.waitFor();
    await page.reload();
    await banner.waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    // The page does not wait for the answer to its request to forget the cookie.
    await eventuallyEqual(session, undefined);
    assert.deepEqual(page.violations, []);
  } finally {
    await browser.close();
  }
});

test("after a SIGKILL the database stops by itself", async () => {
  await world.end("SIGKILL");
  await world.isDeserted();
  assert.equal(world.hasDatabaseLock, false);
});

test("serve refuses the embedded identity provider", async () => {
  const serve = World.at(world.folder, await freePorts(4));
  serve.launch(["serve"], { SVC_AUTH_EMBEDDED: "true", SVC_DATABASE_URL: "postgres://svc_app:x@127.0.0.1:1/platform" });
  const { code } = await serve.ended;
  assert.notEqual(code, 0);
  assert.match(serve.output, /refuses to start: .*SVC_AUTH_EMBEDDED/);
});
