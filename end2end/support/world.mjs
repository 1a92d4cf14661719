// A separate demo world: a fresh folder, free ports, the real server as a child process.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname, join, resolve } from "node:path";

import { freePorts } from "./ports.mjs";

export const ROOT = resolve(import.meta.dirname, "../..");
const SERVER = resolve(process.env.SERVER ?? join(ROOT, "target/debug/server"));
/** Whether a real Keycloak takes the place of the embedded provider. */
export const onKeycloak = () => Boolean(process.env.E2E_KEYCLOAK);
const READY = "The demo world is ready";
const READY_SECONDS = 600;
const STOP_SECONDS = 120;
/** Keycloak refuses a sign-in of somebody who is just signing in elsewhere; tests of other files run at the same time. */
const TRIES = 5;
/** Calls share a token that is not older; it is valid for five minutes. */
const SHARED_MS = 30_000;

const FOLDER = join(ROOT, "var/e2e");

// A run that is interrupted stops its servers, because their exit handlers run.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));

/** A demo world: its folder, its ports and, while it runs, its server. */
export class World {
  #tokens = new Map();

  /** A world in the emptied folder `var/e2e/<name>`, on free ports. */
  static async fresh(name) {
    const folder = join(FOLDER, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    if (onKeycloak()) writeFileSync(join(folder, "demo-secrets.json"), JSON.stringify({ clients: keycloak().secrets }));
    return World.at(folder, await freePorts(4));
  }

  /** A world at a folder and ports that may be another one's. */
  static at(folder, ports) {
    return Object.assign(new World(), { folder, ports });
  }

  /** The world that the runner has started; without a runner a fresh one, which `stop` ends. */
  static async shared() {
    const file = process.env.E2E_WORLD;
    if (file) return Object.assign(World.at(dirname(file), []), { dev: JSON.parse(readFileSync(file, "utf8")) });
    const world = await World.fresh("alone");
    await world.start();
    return world;
  }

  get settings() {
    const [http, auth, site, database] = this.ports.map(String);
    return {
      SVC_HTTP_PORT: http,
      SVC_AUTH_PORT: auth,
      SVC_SITE_PORT: site,
      SVC_SITE_SHOWCASE: "false",
      SVC_DATABASE_PORT: database,
      SVC_PATHS_VAR_DIR: this.folder,
      SVC_PATHS_PARTS_DIR: quickParts(),
      SVC_AUTH_REALM_DIR: join(ROOT, "deploy/realms"),
      SVC_PATHS_DIST_DIR: join(ROOT, "dist"),
      ...(onKeycloak() && { SVC_AUTH_EMBEDDED: "false", SVC_AUTH_URL: keycloak().url }),
    };
  }

  /** Starts the server, with other settings if there are some; returns the seconds until it said that it is ready. */
  async start(settings = {}) {
    const started = performance.now();
    this.launch(["demo"], settings);
    await this.says(READY);
    this.dev = JSON.parse(readFileSync(join(this.folder, "dev.json"), "utf8"));
    return (performance.now() - started) / 1000;
  }

  /** The world without the project's documentation, which takes a while to embed; to be said before its start. */
  withoutDocuments() {
    this.isBare = true;
    return this;
  }

  /** Starts the server without waiting for anything. */
  launch(command = ["demo"], settings = {}) {
    this.output = "";
    this.#tokens.clear();
    this.child = spawn(SERVER, command, {
      // The server reads documents, realm files and bundles below its working folder.
      cwd: this.isBare ? this.folder : ROOT,
      env: { ...withoutSettings(process.env), ...this.settings, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.ended = new Promise((done) => this.child.once("close", (code, signal) => done({ code, signal })));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (this.output += text));
    }
    const { child } = this;
    process.once("exit", () => child.exitCode ?? child.kill("SIGTERM"));
  }

  /** Resolves when the server has printed `text`; rejects with its output when it ends first or takes too long. */
  async says(text) {
    const late = AbortSignal.timeout(READY_SECONDS * 1000);
    const gone = this.ended.then(({ code, signal }) => `ended with ${code ?? signal}`);
    while (!this.output.includes(text)) {
      const more = once(this.child.stdout, "data", { signal: late }).then(() => null, () => `silent for ${READY_SECONDS} s`);
      const fault = await Promise.race([more, gone]);
      if (fault && !this.output.includes(text)) throw new Error(`the server ${fault}:\n${this.output}`);
    }
  }

  /** Sends a signal and waits for the end; returns exit code and signal. */
  async end(signal) {
    if (!this.hasEnded) this.child.kill(signal);
    const late = new Promise((done) => setTimeout(done, STOP_SECONDS * 1000, "late").unref());
    const outcome = await Promise.race([this.ended, late]);
    if (outcome !== "late") return outcome;
    this.child.kill("SIGKILL");
    throw new Error(`the server did not end within ${STOP_SECONDS} s of ${signal}:\n${this.output}`);
  }

  /** Stops the server in order; throws unless it ended cleanly and took everything along. A shared world keeps running. */
  async stop() {
    if (!this.child || this.hasEnded) return;
    const { code, signal } = await this.end("SIGTERM");
    if (code !== 0) throw new Error(`the server ended with ${code ?? signal}:\n${this.output}`);
    const left = this.leftBehind();
    if (left.length) throw new Error(`the server left processes behind:\n${left.join("\n")}`);
  }

  /** Deletes the folder. */
  delete() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves when no process of this world is left. */
  async isDeserted() {
    const started = performance.now();
    while (this.leftBehind().length) {
      if (performance.now() - started > STOP_SECONDS * 1000) throw new Error(`still there:\n${this.leftBehind().join("\n")}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** The processes that belong to this world's folder. */
  leftBehind() {
    const all = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" });
    return all.split("\n").filter((line) => line.includes(this.folder));
  }

  /** Whether PostgreSQL's own lock file says that a server owns the data folder. */
  get hasDatabaseLock() {
    return existsSync(join(this.folder, "postgres/cluster/postmaster.pid"));
  }

  user(username) {
    const user = this.dev.users.find((user) => user.username === username);
    if (!user) throw new Error(`dev.json names no user ${username}`);
    return user;
  }

  chatbot(slug) {
    return this.dev.chatbots.find((chatbot) => chatbot.slug === slug);
  }

  /** A new access token by the password grant of svc-api. */
  async token(username) {
    const { realm, password } = this.user(username);
    const client = this.dev.clients.find((client) => client.realm === realm && client.client_id === "svc-api");
    const form = { grant_type: "password", client_id: "svc-api", client_secret: client.secret, username, password };
    const url = `${this.dev.auth_url}/realms/${realm}/protocol/openid-connect/token`;
    const granted = await tryAgain(onKeycloak() ? TRIES : 1, async () => {
      const response = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
      if (!response.ok) throw new Error(`no token for ${username}: ${response.status} ${await response.text()}`);
      return response.json();
    });
    return granted.access_token;
  }

  /** Calls the API as a user, with a token of a moment ago if there is one; returns the response. */
  async call(username, method, path, body) {
    const headers = { authorization: `Bearer ${await this.#recentToken(username)}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    return fetch(this.dev.base_url + path, { method, headers, body: body && JSON.stringify(body) });
  }

  async #recentToken(username) {
    const known = this.#tokens.get(username);
    if (known && performance.now() - known.since < SHARED_MS) return known.token;
    const [since, token] = [performance.now(), await this.token(username)];
    this.#tokens.set(username, { since, token });
    return token;
  }
}

/**
 * The fetched parts without Debian's FAQ: embedding it takes a minute in a debug build, and no test asks for it. Its
 * chatbot exists all the same.
 */
function quickParts() {
  const [all, quick] = [join(ROOT, "var/parts"), join(FOLDER, "parts")];
  mkdirSync(quick, { recursive: true });
  for (const part of readdirSync(all).filter((name) => name !== "debian-faq" && !existsSync(join(quick, name)))) {
    symlinkSync(join(all, part), join(quick, part));
  }
  return quick;
}

/** What `work` gives; it has so many tries, with a pause between them. */
async function tryAgain(tries, work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      tries -= 1;
      if (!tries) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
  }
}

/** The Keycloak that the runner has started: its address and the clients' secrets, which every world gets. */
function keycloak() {
  return JSON.parse(process.env.E2E_KEYCLOAK);
}

/** Whether something listens on a port of this machine. */
export async function listens(port) {
  const socket = createConnection(port, "127.0.0.1");
  const open = await Promise.race([once(socket, "connect").then(() => true), once(socket, "error").then(() => false)]).catch(
    () => false,
  );
  socket.destroy();
  return open;
}

/** The environment without settings of the developer's own instance. */
function withoutSettings(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith("SVC_")));
}
