// The vendor access log after a restart and a crash of Keycloak: every login once, with more events than fit on one
// page. Runs on a separate real Keycloak (make test-keycloak).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { demoSecrets, Keycloak } from "../support/keycloak.mjs";
import { World } from "../support/world.mjs";

/** More than the page of 100 events that the platform reads at once. */
const MANY = 130;
/** After failures the platform pauses for longer and longer before it asks again. */
const TIMEOUT_MS = 120_000;

let keycloak;
let world;
let logins = 0;

before(async () => {
  world = (await World.fresh("keycloak-restart")).withoutDocuments();
  const baseUrl = `http://127.0.0.1:${world.ports[0]}`;
  keycloak = await Keycloak.start({ baseUrl, secrets: demoSecrets(world.folder), password: "demo-password" });
  await world.start({ SVC_AUTH_EMBEDDED: "false", SVC_AUTH_URL: keycloak.url });
});

after(async () => {
  await world?.stop();
  await keycloak?.stop();
  world?.delete();
});

async function signIn(times) {
  for (let time = 0; time < times; time += 1) await world.token("victor");
  logins += times;
}

/** How many logins of victor are in the log. A token of olivia is a login too, but not one of victor's. */
async function logged() {
  const answer = await world.call("olivia", "GET", "/api/v1/platform/vendor-access?username=victor&limit=1");
  assert.equal(answer.status, 200);
  return (await answer.json()).total;
}

async function allAreLogged() {
  const end = Date.now() + TIMEOUT_MS;
  while ((await logged()) !== logins && Date.now() < end) await setTimeout(500);
  assert.equal(await logged(), logins);
}

test("more logins than a page has are in the log once each", async () => {
  await signIn(MANY);
  await allAreLogged();
});

for (const [what, signal] of [
  ["a restart", "SIGTERM"],
  ["a crash", "SIGKILL"],
]) {
  test(`after ${what} of Keycloak the log has no gap or repetition`, async () => {
    await signIn(5);
    await allAreLogged();
    await keycloak.halt(signal);
    await keycloak.launch();
    await signIn(5);
    await allAreLogged();
  });
}
