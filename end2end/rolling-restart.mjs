// Restarts three replicas one after the other behind nginx and behind HAProxy, with the shipped examples, while clients send
// requests. None of at least 3,000 requests may fail. Needs nginx, haproxy and openssl. Arguments choose balancers:
//   node end2end/rolling-restart.mjs haproxy
import { Agent, request } from "node:https";
import { join } from "node:path";

import { Balancer } from "./support/balancers.mjs";
import { Platform, Replica } from "./support/replicas.mjs";

const CALLS = 3000;
const CLIENTS = 20;
/** Between two calls of a client, so that the calls last as long as the restarts. */
const PAUSE_MS = 100;
const names = process.argv.length > 2 ? process.argv.slice(2) : ["nginx", "haproxy"];

const platform = await Platform.start("rolling");
for (const name of names) {
  const balancer = await Balancer.prepare(name, join(platform.world.folder, name));
  const replicas = await platform.replicas(3, balancer.url, { SVC_HTTP_TRUSTED_PROXIES: "127.0.0.0/8" });
  await balancer.start(replicas);
  const figures = await callDuring(balancer, () => restart(replicas));
  await balancer.stop();
  for (const replica of replicas) await replica.stop();
  report(name, figures);
}
await platform.stop();

/** Stops and starts each replica; returns the seconds that each took to stop. */
async function restart(replicas) {
  const seconds = [];
  for (const replica of replicas) {
    seconds.push(await replica.stop());
    await replica.start();
  }
  return seconds;
}

/** Calls until `work` is done and there were enough calls. */
async function callDuring(balancer, work) {
  const figures = { calls: 0, made: 0, failed: [] };
  const token = await platform.world.token("olivia");
  const before = Number(platform.query("select count(*) from platform_audit_log where action = 'tenant.created'"));
  let isDone = false;
  const client = async (number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    for (let turn = 0; !isDone || figures.calls < CALLS; turn += 1) {
      await call(balancer, agent, token, figures, turn % 5 ? null : `rolling-${balancer.name}-${number}-${turn}`);
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    agent.destroy();
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  figures.stops = await work();
  isDone = true;
  await clients;
  const after = Number(platform.query("select count(*) from platform_audit_log where action = 'tenant.created'"));
  figures.rows = after - before;
  return figures;
}

/** Makes a tenant, or without a slug reads who is calling. */
async function call(balancer, agent, token, figures, slug) {
  const body = slug && JSON.stringify({ slug, display_name: slug });
  const [method, path, wanted] = slug ? ["POST", "/api/v1/platform/tenants", 201] : ["GET", "/api/v1/me", 200];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...Replica.bypass };
  const outcome = await new Promise((done) => {
    const sent = request(balancer.url + path, { method, agent, headers, timeout: 30_000 }, (answer) => {
      answer.resume().once("end", () => done(answer.statusCode)).once("error", (error) => done(error.code));
    });
    sent.once("timeout", () => sent.destroy()).once("error", (error) => done(error.code)).end(body ?? undefined);
  });
  figures.calls += 1;
  if (outcome === 201) figures.made += 1;
  if (outcome !== wanted) figures.failed.push(`${method} ${outcome}`);
}

function report(name, { calls, made, rows, failed, stops }) {
  const stopped = stops.map((seconds) => `${seconds.toFixed(1)} s`).join(", ");
  console.log(`${name}: ${failed.length} of ${calls} calls failed; ${made} tenants made, ${rows} audit rows; stops took ${stopped}`);
  const kinds = new Map();
  for (const kind of failed) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  for (const [kind, count] of kinds) console.log(`  ${kind}: ${count}`);
  if (failed.length || made !== rows || calls < CALLS) process.exitCode = 1;
}
