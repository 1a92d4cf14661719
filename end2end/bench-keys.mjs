// What an API key costs (make bench-keys): a cheap read with a key next to the same read with a token, and a question by `ask` and in
// OpenAI's protocol next to the widget's. The two calls of a pair take turns, in both orders, and the figure is the median of the
// differences within the pairs, so that other work of the machine cancels out. At the end, a flood of wrong keys.
import { Agent, request } from "node:http";
import { cpus } from "node:os";

import { apiKey } from "./support/api-key.mjs";
import { World } from "./support/world.mjs";

const READS = Number(process.env.READS ?? 3000);
const QUESTIONS = Number(process.env.QUESTIONS ?? 500);
const WRONG = Number(process.env.WRONG ?? 10_000);
const CHATBOT = "platform-help";
const ASKED = [
  "Who sees the conversations?",
  "Which formats can be ingested?",
  "How long is a conversation kept?",
  "How are citations verified?",
  "What does a visitor get when too many questions wait?",
];
const BYPASS = "a-benchmark-passes-the-rate-limit";
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A call; resolves with its status and milliseconds when the answer has been read. */
function call(base, path, { headers = {}, body, method = body ? "POST" : "GET" }) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(base + path, { agent, method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode, ms: performance.now() - started }));
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

async function timed(...arguments_) {
  const { status, ms } = await call(...arguments_);
  if (status !== 200) throw new Error(`${arguments_[1]} answered ${status}`);
  return ms;
}

const sorted = (values) => values.toSorted((one, other) => one - other);
const at = (values, share) => sorted(values)[Math.floor(values.length * share)];
const signed = (value) => (value < 0 ? "" : "+") + value.toFixed(2);

async function compare(name, pairs, one, other) {
  const [ones, others, differences] = [[], [], []];
  for (let pair = -20; pair < pairs; pair += 1) {
    const calls = pair % 2 === 0 ? [one, other] : [other, one];
    const times = new Map();
    for (const next of calls) times.set(next, await next(Math.abs(pair)));
    if (pair < 0) continue;
    ones.push(times.get(one));
    others.push(times.get(other));
    differences.push(times.get(other) - times.get(one));
  }
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => signed(at(differences, share)));
  console.log(`${name}: p50 ${at(ones, 0.5).toFixed(2)} and ${at(others, 0.5).toFixed(2)} ms; ${median} ms (${low} to ${high}), ${pairs} pairs`);
}

/** Wrong keys of one address, 64 at a time, next to calls with a good key. */
async function flood(base, good) {
  const codes = new Map();
  const times = [];
  let [left, isOver] = [WRONG, false];
  const started = performance.now();
  const wrong = async () => {
    while (left > 0) {
      left -= 1;
      const key = `cbp_${Array.from(crypto.getRandomValues(new Uint8Array(46)), (byte) => (byte % 36).toString(36)).join("")}`;
      const { status } = await call(base, "/api/v1/tenants/me/chatbots", { headers: { authorization: `Bearer ${key}` } });
      codes.set(status, (codes.get(status) ?? 0) + 1);
    }
  };
  const neighbour = async () => {
    while (!isOver) {
      times.push(await timed(base, "/api/v1/tenants/me/chatbots?limit=1", { headers: { authorization: `Bearer ${good}` } }));
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const watched = neighbour();
  await Promise.all(Array.from({ length: 64 }, wrong));
  isOver = true;
  await watched;
  const counts = [...codes].map(([code, count]) => `${count} times ${code}`).join(", ");
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${WRONG} wrong keys in ${seconds} s: ${counts}; a good key meanwhile: p50 ${at(times, 0.5).toFixed(2)} ms, p95 ${at(times, 0.95).toFixed(2)} ms`);
}

const world = await World.fresh("bench-keys");
try {
  await world.start({ SVC_LOADTEST_SECRET: BYPASS });
  const base = world.dev.base_url;
  const { id, tenant_id } = world.chatbot(CHATBOT);
  const owner = world.dev.users.find((user) => user.tenant_id === tenant_id && user.roles.includes("tenant-admin"));
  const key = await apiKey(world, CHATBOT, ["ask", "settings.read"]);
  const headers = (more) => ({ "x-loadtest-bypass": BYPASS, "content-type": "application/json", ...more });
  const by = (credential) => headers({ authorization: `Bearer ${credential}` });
  // A token is valid for five minutes.
  let token = await world.token(owner.username);
  const renewal = setInterval(async () => (token = await world.token(owner.username)), 120_000);
  const read = (credential) => timed(base, "/api/v1/tenants/me/chatbots?limit=1", { headers: by(credential()) });
  const question = (turn) => ASKED[turn % ASKED.length];
  const visitor = headers({ origin: new URL(world.dev.site_url).origin });
  const widget = (turn) =>
    timed(base, `/api/v1/widget/chatbots/${id}/query`, { headers: visitor, body: { session_id: null, question: question(turn) } });
  const ask = (turn) => timed(base, `/api/v1/tenants/me/chatbots/${id}/ask`, { headers: by(key), body: { question: question(turn) } });
  const completion = (turn) => {
    const body = { model: CHATBOT, messages: [{ role: "user", content: question(turn) }] };
    return timed(base, "/v1/chat/completions", { headers: by(key), body });
  };
  console.log(`${cpus().length} cores; each line: the p50 of both, and the median of the differences (quartiles)`);
  await compare("a read: a token, a token", READS, () => read(() => token), () => read(() => `${token}`));
  await compare("a read: a token, a key", READS, () => read(() => token), () => read(() => key));
  await compare("a question: the widget, the widget", QUESTIONS, widget, (turn) => widget(turn));
  await compare("a question: the widget, ask", QUESTIONS, widget, ask);
  await compare("a question: the widget, /v1/chat/completions", QUESTIONS, widget, completion);
  clearInterval(renewal);
  await flood(base, key);
} finally {
  agent.destroy();
  await world.stop();
}
world.delete();
