// Valid and invalid requests generated from docs/openapi.json, as each principal, against a separate demo world. No
// response may be a server error or differ from the description.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { install, run } from "../support/schemathesis.mjs";
import { World } from "../support/world.mjs";

/** Seconds for each principal; all of them together stay within two minutes. */
const SECONDS = Number(process.env.SCHEMATHESIS_SECONDS ?? 16);

let world;
let folder;
let known;

before(async () => {
  folder = install();
  world = (await World.fresh("schemathesis")).withoutDocuments();
  await world.start();
  known = await prepare();
});

after(async () => {
  await world?.stop();
  world?.delete();
});

/** Makes what requests may name, and lists it. The tenant that operators may delete is not the users' own. */
async function prepare() {
  const help = world.chatbot("platform-help");
  const origin = { origin: help.origin, "content-type": "application/json" };
  const post = async (path, body) => {
    const answer = await fetch(world.dev.base_url + path, { method: "POST", headers: origin, body: JSON.stringify(body) });
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
    return answer.json();
  };
  const asked = await post(`/api/v1/widget/chatbots/${help.id}/query`, { session_id: null, question: "Who sees it?" });
  const { session_id, message_id } = asked;
  await post("/api/v1/feedback", { chatbot_id: help.id, session_id, message_id, rating: "down", category: "tone" });
  const made = await world.call("olivia", "POST", "/api/v1/platform/tenants", { slug: "to-delete", display_name: "X" });
  const tenant = await made.json();
  const log = await (await world.call("olivia", "GET", "/api/v1/platform/audit?limit=3")).json();
  return {
    "path.tenant_id": [tenant.id],
    "path.chatbot_id": [help.id],
    "path.template_id": ["product-help-en", "support-de"],
    "path.module_id": ["feedback", "analytics", "chatbots", "audit_export"],
    "path.session_id": [session_id],
    "path.audit_id": log.items.map(({ id }) => id),
    "query.tenant_id": [tenant.id],
    "query.tenant": [tenant.id],
    "body.chatbot_id": [help.id],
    "body.session_id": [session_id],
    "body.message_id": [message_id],
    "header.Origin": [help.origin],
  };
}

async function check(name, headers, values = known) {
  for (let seconds = SECONDS; ; seconds *= 3) {
    const { held, output } = await run({ folder, name, baseUrl: world.dev.base_url, seconds, headers, known: values });
    assert.ok(held, output);
    // A machine with much else to do may spend all of that time on loading the file.
    if (/\d+ generated/.test(output)) return;
    assert.ok(seconds < SECONDS * 9, `no request was made:\n${output}`);
  }
}

const bearer = async (username) => ({ Authorization: `Bearer ${await world.token(username)}` });

test("answers to anonymous callers match the description", () => check("anonymous", {}));

for (const [name, username] of [["tenant-viewer", "henry"], ["tenant-admin", "hanna"]]) {
  test(`answers to a ${name} match the description`, async () => {
    const own = world.user(username).tenant_id;
    await check(name, await bearer(username), { ...known, "path.tenant_id": [own] });
  });
}

for (const [name, username] of [["vendor", "victor"], ["operator", "olivia"]]) {
  test(`answers to the scope ${name} match the description`, async () => check(name, await bearer(username)));
}
