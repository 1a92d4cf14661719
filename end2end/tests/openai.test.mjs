// The official clients of OpenAI's protocol ask a chatbot: whole answers, streams, models and errors.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { apiKey } from "../support/api-key.mjs";
import { install, run } from "../support/openai.mjs";
import { World } from "../support/world.mjs";

const MODEL = "platform-help";
const QUESTION = "Who sees the conversations?";

let world, folder;

before(async () => {
  folder = install();
  world = await World.shared();
});

after(() => world?.stop());

for (const script of ["openai_client.py", "openai-client.mjs"]) {
  test(`${script} gets answers, streams, models and errors`, async (context) => {
    const given = { base_url: `${world.dev.base_url}/v1`, api_key: await apiKey(world, MODEL, ["ask"]), model: MODEL, question: QUESTION };
    const got = await run(folder, script, given);
    context.diagnostic(`openai ${got.version}`);
    assert.ok(got.models.includes(MODEL), got.models);
    assert.equal(got.model, MODEL);
    assert.ok(got.text && !/\[\d\]/.test(got.text), got.text);
    assert.ok(got.cited && got.text.includes(got.cited) && got.url.startsWith("http"), JSON.stringify(got));
    assert.match(got.marked, /\[1\][^]*\n\n\[1\] /);
    assert.equal(got.streamed, got.text);
    assert.ok(got.streamed_annotations > 0);
    assert.deepEqual([got.finish_reason, got.streamed_finish_reason], ["stop", "stop"]);
    assert.deepEqual([got.total_tokens, got.streamed_total_tokens], [0, 0], "a quoted answer costs no tokens");
    assert.deepEqual(got.unknown_model, { class: "NotFoundError", status: 404, code: "model_not_found", param: "model" });
    assert.deepEqual(got.tools, { class: "BadRequestError", status: 400, code: "unsupported_parameter", param: "tools" });
    assert.deepEqual(got.stranger, { class: "AuthenticationError", status: 401, code: "invalid_api_key", param: null });
    assert.deepEqual([got.long.status, got.long.code], [413, "payload_too_large"]);
  });
}
