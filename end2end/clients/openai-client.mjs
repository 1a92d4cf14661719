// Calls a chatbot with the `openai` package of npm, and prints what it got as JSON.
import OpenAI from "openai";
import { readFileSync } from "node:fs";

const version = JSON.parse(readFileSync(new URL("node_modules/openai/package.json", import.meta.url), "utf8")).version;
const given = JSON.parse(readFileSync(0, "utf8"));
const client = new OpenAI({ baseURL: given.base_url, apiKey: given.api_key, maxRetries: 0 });
const messages = [{ role: "system", content: "Be brief." }, { role: "user", content: given.question }];
const { model } = given;
const { completions } = client.chat;

async function refused(call) {
  try {
    await call();
  } catch (error) {
    return { class: error.constructor.name, status: error.status, code: error.code, param: error.param };
  }
  return null;
}

const whole = await completions.create({ model, messages, temperature: 0.2, user: "customer 7" });
const marked = await completions.create({ model, messages, citations: "text" });
let [text, finished, usage, annotations] = ["", null, null, []];
for await (const chunk of await completions.create({ model, messages, stream: true, stream_options: { include_usage: true } })) {
  usage = chunk.usage ?? usage;
  for (const { delta, finish_reason } of chunk.choices) {
    text += delta.content ?? "";
    annotations.push(...(delta.annotations ?? []));
    finished = finish_reason ?? finished;
  }
}
const { message, finish_reason } = whole.choices[0];
const cited = message.annotations[0].url_citation;
const stranger = new OpenAI({ baseURL: given.base_url, apiKey: "nobody", maxRetries: 0 });
const tools = [{ type: "function", function: { name: "x" } }];
const models = [];
for await (const known of client.models.list()) models.push(known.id);
console.log(
  JSON.stringify({
    version,
    models,
    model: (await client.models.retrieve(model)).id,
    text: message.content,
    cited: [...message.content].slice(cited.start_index, cited.end_index).join(""),
    url: cited.url,
    marked: marked.choices[0].message.content,
    total_tokens: whole.usage.total_tokens,
    finish_reason,
    streamed: text,
    streamed_annotations: annotations.length,
    streamed_finish_reason: finished,
    streamed_total_tokens: usage.total_tokens,
    unknown_model: await refused(() => completions.create({ model: "nobody", messages })),
    tools: await refused(() => completions.create({ model, messages, tools })),
    stranger: await refused(() => stranger.models.list()),
    long: await refused(() => completions.create({ model, messages: [{ role: "user", content: "x".repeat(1_000_000) }] })),
  }),
);
