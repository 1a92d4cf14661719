// API keys of a tenant: created, tried, changed and revoked in the tenant console, forbidden in the operator console.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { accessibilityFindings } from "../support/accessibility.mjs";
import { call, page, showHeaded, world } from "../support/console.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";

const KEYS = "/api/v1/tenants/me/api-keys";
const RUN = Date.now().toString(36);

/** The status of a call with the key. */
const status = async (key, path) =>
  (await fetch(`${world.dev.base_url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

const row = (name) => page.getByRole("row").filter({ hasText: name });

/** Chooses an action of a key. The menu closes when the list loads again after a change. */
async function choose(name, action, attempts = 5) {
  await row(name).getByRole("button", { name: /Actions for/ }).click();
  try {
    await page.getByRole("menuitem", { name: action }).click({ timeout: 5000 });
  } catch (failure) {
    if (attempts === 1) throw failure;
    await choose(name, action, attempts - 1);
  }
}

test("a key is created, shown once with a command that works, changed and revoked", async () => {
  const name = `Shop ${RUN}`;
  await showHeaded("hanna", "api-keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Ask chatbots").uncheck();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Read the settings of chatbots").check();
  assert.deepEqual(await accessibilityFindings(page), []);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: `Copy the key of ${name}` });
  const key = (await shown.locator("[data-new-key] code").textContent()).trim();
  assert.match(key, /^cbp_[0-9A-Za-z]{46}$/);
  const command = await shown.getByRole("group", { name: "Command" }).textContent();
  assert.ok(command.includes(key) && command.includes("curl"), command);
  assert.deepEqual(await accessibilityFindings(page), []);
  await shown.getByRole("button", { name: "Done" }).click();
  assert.equal(await status(key, "/api/v1/tenants/me/chatbots"), 200);
  assert.ok(!(await page.content()).includes(key), "the key is gone");

  await choose(name, "Edit");
  const edit = page.getByRole("dialog", { name: `Edit ${name}` });
  await edit.getByLabel("Allowed addresses").fill("192.0.2.0/24");
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "hidden" });
  await eventuallyEqual(() => status(key, "/api/v1/tenants/me/chatbots"), 403);

  await choose(name, "Revoke");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await row(name).getByText("Revoked").waitFor();
  assert.equal(await status(key, "/api/v1/tenants/me/chatbots"), 401);
});

test("the commands of Upload by API work with a key", async () => {
  const { secret } = await call("hanna", "POST", KEYS, { name: `Wiki ${RUN}`, scopes: ["knowledge.write"] });
  const chatbots = await call("hanna", "GET", "/api/v1/tenants/me/chatbots");
  await showHeaded("hanna", `chatbots/${chatbots.items[0].id}/knowledge`);
  await page.getByRole("button", { name: "Upload by API" }).click();
  const dialog = page.getByRole("dialog", { name: "Upload documents by API" });
  const make = await dialog.getByRole("group", { name: "Create a source" }).textContent();
  const run = (command, env) =>
    JSON.parse(execFileSync("bash", ["-c", command], { env: { ...process.env, KEY: secret, ...env }, encoding: "utf8" }));
  const source = run(make.replace("Articles", `Articles ${RUN}`));
  assert.equal(source.kind, "api");
  const put = await dialog.getByRole("group", { name: "Upload a document" }).textContent();
  const file = "printf '# Hours\\n\\nFrom nine to five.\\n' > article-42.md";
  const folder = "cd \"$(mktemp -d)\"";
  const uploaded = run(`${folder}; ${file}; ${put}`, { SOURCE: source.id });
  assert.equal(uploaded.outcome, "created");
  await call("hanna", "DELETE", `/api/v1/tenants/me/chatbots/${chatbots.items[0].id}/sources/${source.id}`);
  await dialog.getByRole("link", { name: "Create an API key" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
});

test("viewers see the keys and change none", async () => {
  await showHeaded("henry", "api-keys");
  await page.getByText("View-only access").waitFor();
  assert.equal(await page.getByRole("button", { name: "Create key" }).count(), 0);
});
