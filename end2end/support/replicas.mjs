// Replicas of `server serve` on one database, with the identity provider and the database of a demo world.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { freePorts } from "./ports.mjs";
import { ROOT, World } from "./world.mjs";

const SERVER = resolve(process.env.SERVER ?? join(ROOT, "target/debug/server"));
const BYPASS = "a-secret-of-the-replica-tests-only-0123456789";
const START_SECONDS = 60;

// Each replica has an exit handler.
process.setMaxListeners(100);

/** A demo world without documents, and a login role for replicas. */
export class Platform {
  static async start(name) {
    const world = (await World.fresh(name)).withoutDocuments();
    await world.start();
    const url = new URL(world.dev.database_url);
    const roles = "svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system";
    sql(url, `create role replica login noinherit password 'of-the-replicas'; grant ${roles} to replica`);
    [url.username, url.password] = ["replica", "of-the-replicas"];
    return Object.assign(new Platform(), { world, databaseUrl: url.href });
  }

  /** The first column of the first row, as text. */
  query(statement) {
    return sql(this.world.dev.database_url, statement);
  }

  /** `count` replicas that are ready. */
  async replicas(count, baseUrl, settings = {}) {
    const ports = await freePorts(count);
    const replicas = ports.map((port) => new Replica(this, port, { SVC_HTTP_BASE_URL: baseUrl, ...settings }));
    for (const replica of replicas) await replica.start();
    return replicas;
  }

  async stop() {
    await this.world.stop();
    this.world.delete();
  }
}

/** One `server serve`. */
export class Replica {
  constructor(platform, port, settings) {
    Object.assign(this, { platform, port, settings, url: `http://127.0.0.1:${port}` });
  }

  /** The header that bypasses the rate limit. */
  static bypass = { "x-loadtest-bypass": BYPASS };

  async start() {
    const { dev } = this.platform.world;
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SVC_"));
    const own = {
      SVC_DATABASE_URL: this.platform.databaseUrl,
      SVC_AUTH_URL: dev.auth_url,
      SVC_HTTP_PORT: String(this.port),
      SVC_LOADTEST_SECRET: BYPASS,
      SVC_LOGGING_LEVEL: "warn",
    };
    this.child = spawn(SERVER, ["serve"], {
      cwd: ROOT,
      env: { ...Object.fromEntries(inherited), ...own, ...this.settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const { child } = this;
    process.once("exit", () => child.exitCode ?? child.kill("SIGKILL"));
    this.ended = new Promise((done) => child.once("close", (code, signal) => done(code ?? signal)));
    const started = performance.now();
    while (!(await this.isReady())) {
      if (performance.now() - started > START_SECONDS * 1000) throw new Error(`replica ${this.port} is not ready`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async isReady() {
    return fetch(`${this.url}/health/ready`).then((answer) => answer.ok, () => false);
  }

  /** Stops it with SIGTERM; returns the seconds that this took. */
  async stop() {
    const started = performance.now();
    this.child.kill("SIGTERM");
    const outcome = await this.ended;
    if (outcome !== 0) throw new Error(`replica ${this.port} ended with ${outcome}`);
    return (performance.now() - started) / 1000;
  }
}

function sql(url, statement) {
  const parts = join(ROOT, "var/parts");
  const folder = readdirSync(parts).find((name) => name.startsWith("postgres-"));
  const psql = join(parts, folder, "embedded_postgres/pginstall/bin/psql");
  const options = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, String(url)];
  return execFileSync(psql, options, { encoding: "utf8" }).trim();
}
