// Changes of a Keycloak administrator while the platform runs: keys, accounts, roles; and sign-ins of people and
// vendors. Runs on a real Keycloak only (make test-keycloak).
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";

import { closePage, launch, openPage } from "../support/browser.mjs";
import { eventuallyEqual } from "../support/eventually.mjs";
import { Keycloak } from "../support/keycloak.mjs";
import { fillLogin, People } from "../support/sign-in.mjs";
import { World } from "../support/world.mjs";

const [world, browser] = await Promise.all([World.shared(), launch()]);
const keycloak = Keycloak.at(world.dev.auth_url);
const people = new People(browser, world);
const TENANTS = "svc-tenants";
// The page that a command-line tool serves for the browser's return.
const tool = createServer((_, response) => response.end("back")).listen(0, "127.0.0.1");
await once(tool, "listening");
const CALLBACK = `http://127.0.0.1:${tool.address().port}/callback`;

after(async () => {
  tool.close();
  await browser.close();
  await world.stop();
});

const kid = (token) => JSON.parse(Buffer.from(token.split(".")[0], "base64url")).kid;

/** The status of a call with a token. */
async function status(token, path = "/api/v1/me") {
  return (await fetch(world.dev.base_url + path, { headers: { authorization: `Bearer ${token}` } })).status;
}

async function idOf(username) {
  const [user] = await keycloak.admin("GET", `${TENANTS}/users?username=${username}&exact=true`);
  return user.id;
}

/** Why the provider gives no token. */
async function refusal(username, password = world.user(username).password) {
  const client = world.dev.clients.find(({ realm, client_id }) => realm === TENANTS && client_id === "svc-api");
  const form = { grant_type: "password", client_id: "svc-api", client_secret: client.secret, username, password };
  const url = `${world.dev.auth_url}/realms/${TENANTS}/protocol/openid-connect/token`;
  const answer = await (await fetch(url, { method: "POST", body: new URLSearchParams(form) })).json();
  return answer.error_description;
}

test("both consoles sign in at Keycloak's own page", async () => {
  for (const [username, heading] of [["olivia", "Overview"], ["hanna", "Overview"]]) {
    const page = await people.open(username);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await closePage(page);
  }
});

test("a rotated key refuses nobody under load", async () => {
  const former = await world.token("hanna");
  const realm = await keycloak.admin("GET", TENANTS);
  const seen = new Set();
  let isOver = false;
  // Keycloak refuses a sign-in while the same user is signing in elsewhere.
  const load = ["henry", "dora"].map(async (username) => {
    while (!isOver) {
      seen.add(await status(await world.token(username)));
      seen.add(await status(former));
    }
  });
  try {
    await rotate(realm.id);
    await eventuallyEqual(async () => kid(await world.token("hanna")) !== kid(former), true);
    assert.equal(await status(await world.token("hanna")), 200);
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  assert.deepEqual([...seen], [200]);
});

/** Gives the realm of tenants a key that takes the place of the present one. */
async function rotate(realm) {
  await keycloak.admin("POST", `${TENANTS}/components`, {
    name: "rotated",
    providerId: "rsa-generated",
    providerType: "org.keycloak.keys.KeyProvider",
    parentId: realm,
    config: { priority: ["200"], enabled: ["true"], active: ["true"], algorithm: ["RS256"], keySize: ["2048"] },
  });
}

test("deactivated accounts and removed roles end with the token", async () => {
  const id = await idOf("henry");
  const user = await keycloak.admin("GET", `${TENANTS}/users/${id}`);
  assert.equal(await status(await world.token("henry")), 200);
  await keycloak.admin("PUT", `${TENANTS}/users/${id}`, { ...user, enabled: false });
  assert.match(await refusal("henry"), /disabled/i);
  await keycloak.admin("PUT", `${TENANTS}/users/${id}`, { ...user, enabled: true });
  const role = await keycloak.admin("GET", `${TENANTS}/roles/tenant-viewer`);
  await keycloak.admin("DELETE", `${TENANTS}/users/${id}/role-mappings/realm`, [role]);
  assert.equal(await status(await world.token("henry")), 401);
  await keycloak.admin("POST", `${TENANTS}/users/${id}/role-mappings/realm`, [role]);
  assert.equal(await status(await world.token("henry")), 200);
});

test("guessing a password locks the account and nobody else", async () => {
  for (let time = 0; time < 12; time += 1) await refusal("dora", "a-wrong-password");
  assert.ok(await refusal("dora"), "the right password is refused, too");
  assert.equal(await status(await world.token("hanna")), 200);
  await keycloak.admin("DELETE", `${TENANTS}/attack-detection/brute-force/users`);
  assert.equal(await status(await world.token("dora")), 200);
});

for (const client of ["svc-api-vendor-breakglass", "svc-api-vendor-tunnel"]) {
  test(`${client} gives a vendor a token with PKCE`, async () => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const issuer = `${world.dev.auth_url}/realms/svc-platform/protocol/openid-connect`;
    const ask = { response_type: "code", client_id: client, redirect_uri: CALLBACK, scope: "openid", state: "s" };
    const page = await openPage(browser);
    await page.goto(`${issuer}/auth?${new URLSearchParams(ask)}`);
    assert.match(page.url(), /error=invalid_request/, "PKCE is required");
    const proof = { code_challenge: challenge, code_challenge_method: "S256" };
    await page.goto(`${issuer}/auth?${new URLSearchParams({ ...ask, ...proof })}`);
    await fillLogin(page, world.user("victor"));
    await page.waitForURL((url) => url.href.startsWith(CALLBACK));
    const code = new URL(page.url()).searchParams.get("code");
    await closePage(page);
    const { secret } = world.dev.clients.find(({ client_id }) => client_id === client);
    const form = { grant_type: "authorization_code", client_id: client, client_secret: secret, redirect_uri: CALLBACK };
    const body = new URLSearchParams({ ...form, code, code_verifier: verifier });
    const granted = await (await fetch(`${issuer}/token`, { method: "POST", body })).json();
    assert.equal(await status(granted.access_token, "/api/v1/platform/tenants"), 200);
    assert.ok(granted.refresh_expires_in <= 7200, "a session of two hours at most");
  });
}
