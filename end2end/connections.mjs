// Measures one server with clients that hold connections: idle ones, stalled readers and slow readers. For each it
// reports how long /health/live takes from another address, the responses to other clients, and how much memory the
// server uses. Needs nginx and openssl.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";

import { Balancer } from "./support/balancers.mjs";
import { Platform } from "./support/replicas.mjs";

/** As large as the largest file that browsers load. */
const FILE_BYTES = 1_150_000;
const FILE = "/tenant/pkg/large.wasm";
const ME = "127.0.0.1";
const PROBES = 20;

const platform = await Platform.start("connections");
const dist = join(platform.world.folder, "dist");
for (const folder of ["operator/pkg", "tenant/pkg", "widget"]) mkdirSync(join(dist, folder), { recursive: true });
writeFileSync(join(dist, FILE.slice(1)), Buffer.alloc(FILE_BYTES, "x"));

await measure("1,000 readers that do not read, from 5 addresses", addresses(5), 1000, (from, at) => reader(from, at, 0));
await measure("3,000 idle connections from one address", addresses(1), 3000, idle);
await measure("3,000 idle connections from 15 addresses", addresses(15), 3000, idle);
await measure("2,700 readers at 1,000 bytes a second from one address", addresses(1), 2700, (from, at) => reader(from, at, 1000));
await measure("2,700 readers at 1,000 bytes a second from 14 addresses", addresses(14), 2700, (from, at) => reader(from, at, 1000));
await measure("2,700 readers at 1,000 bytes a second through nginx, from one address", addresses(1), 2700, tlsReader, true);
await measure("2,700 readers at 1,000 bytes a second through nginx, from 14 addresses", addresses(14), 2700, tlsReader, true);
await platform.stop();

/** Addresses of this machine other than the one that probes. */
function addresses(count) {
  return Array.from({ length: count }, (_, index) => `127.0.1.${index + 1}`);
}

async function measure(what, from, count, open, isProxied = false) {
  const balancer = isProxied && (await Balancer.prepare("nginx", join(platform.world.folder, "nginx")));
  const settings = isProxied ? { SVC_HTTP_TRUSTED_PROXIES: "127.0.0.1/32" } : {};
  const base = balancer ? balancer.url : "http://127.0.0.1";
  const [server] = await platform.replicas(1, base, { SVC_PATHS_DIST_DIR: dist, ...settings });
  await balancer?.start?.([server]);
  await probe(server.port, FILE);
  const before = memory(server);
  const sockets = [];
  for (let number = 0; number < count; number += 1) {
    sockets.push(open(from[number % from.length], balancer ? balancer.port : server.port));
    if (number % 50 === 49) await pause(20);
  }
  await pause(3000);
  const live = [];
  for (let turn = 0; turn < PROBES; turn += 1) {
    live.push(await probe(server.port, "/health/live"));
    await pause(50);
  }
  const page = await probe(server.port, "/");
  const grown = (memory(server) - before) / 1e6;
  const held = sockets.filter((socket) => socket.isServed && !socket.destroyed).length;
  const slowest = Math.max(...live.map(({ ms }) => ms)).toFixed(0);
  const good = live.filter(({ status }) => status === 200).length;
  console.log(`${what}: ${held} held; /health/live ${good} of ${PROBES} good, slowest ${slowest} ms; a page ${page.status}; memory ${grown >= 0 ? "+" : ""}${grown.toFixed(1)} MB`);
  if (good < PROBES || slowest >= 1000) process.exitCode = 1;
  for (const socket of sockets) socket.destroy();
  await balancer?.stop?.();
  await server.stop();
}

/** A connection that is used once, and then idles. */
function idle(localAddress, port) {
  return ask(connect({ host: ME, port, localAddress }), "/health/live", 1e6);
}

/** A connection that loads the file and reads so many bytes a second. */
function reader(localAddress, port, rate) {
  return ask(connect({ host: ME, port, localAddress, highWaterMark: 1024 }), FILE, rate);
}

function tlsReader(localAddress, port) {
  const socket = connect({ host: ME, port, localAddress });
  return ask(connectTls({ socket, rejectUnauthorized: false, highWaterMark: 1024 }), FILE, 1000);
}

function ask(socket, path, rate) {
  socket.on("error", () => socket.destroy()).on("close", () => clearInterval(socket.timer));
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  socket.once("readable", () => {
    const head = socket.read(16) ?? socket.read() ?? Buffer.alloc(0);
    socket.isServed = head.toString("latin1").startsWith("HTTP/1.1 200");
    if (!rate) return;
    socket.timer = setInterval(() => socket.read(Math.min(rate, socket.readableLength)), 1000);
  });
  return socket;
}

/** Status and milliseconds of a call. */
function probe(port, path) {
  const started = performance.now();
  return new Promise((done) => {
    const ended = (status) => done({ status, ms: performance.now() - started });
    const sent = request({ host: ME, port, path, localAddress: ME, agent: false, timeout: 5000 }, (answer) => {
      answer.resume().once("end", () => ended(answer.statusCode)).once("error", () => ended(0));
    });
    sent.once("timeout", () => sent.destroy()).once("error", () => ended(0)).end();
  });
}

function memory({ child }) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Number(line[1]) * 1024;
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
