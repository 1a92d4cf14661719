// A real Keycloak with the realm files: the distribution that xtask fetched, on free ports, with its data in a temporary folder.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { freePorts } from "./ports.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const PARTS = process.env.SVC_PATHS_PARTS_DIR ?? join(ROOT, "var/parts");
const DISTRIBUTION = "keycloak-26.4.7";
const READY_SECONDS = 180;
const POLL_MS = 250;
const CLIENTS = ["API", "BREAKGLASS", "TUNNEL", "AUDIT", "TENANTS_API", "PEOPLE"];

export const ADMIN = { username: "admin", password: "a-password-of-these-tests" };

/** The same secret for every client. */
export function equalSecrets(secret) {
  return Object.fromEntries(CLIENTS.map((name) => [`SVC_${name}_CLIENT_SECRET`, secret]));
}

/** The clients' secrets of the demo world in a folder, which `server demo` takes from the same file; made when it has none. */
export function demoSecrets(folder) {
  const file = join(folder, "demo-secrets.json");
  const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const made = Object.keys(equalSecrets("")).map((name) => [name, `demo-${randomBytes(16).toString("hex")}`]);
  const clients = { ...Object.fromEntries(made), ...known.clients };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...known, clients }), { mode: 0o600 });
  return clients;
}

/** Keycloak writes below its own folder, so that a copy of it runs; what does not change is linked. */
function copyOf(distribution, isEmpty) {
  const folder = mkdtempSync(join(tmpdir(), "keycloak-"));
  for (const name of readdirSync(distribution)) {
    if (["lib", "bin", "providers", "conf"].includes(name)) cpSync(join(distribution, name), join(folder, name), { recursive: true });
    else symlinkSync(join(distribution, name), join(folder, name));
  }
  mkdirSync(join(folder, "data/import"), { recursive: true });
  for (const realm of isEmpty ? [] : ["svc-platform", "svc-tenants"]) {
    const file = `${realm}-realm.json`;
    cpSync(join(ROOT, "deploy/realms", file), join(folder, "data/import", file));
  }
  return folder;
}

/** A Keycloak that can be stopped and started again with its data. */
export class Keycloak {
  /** Starts one for a platform at `baseUrl`, with the secrets of its clients and the password of the people in the realm files; or an empty one. */
  static async start({ baseUrl, secrets, password, port, isEmpty = false }) {
    const [own, management] = await freePorts(2);
    const keycloak = Object.assign(new Keycloak(), { folder: copyOf(join(PARTS, DISTRIBUTION), isEmpty), management });
    keycloak.port = port ?? own;
    keycloak.url = `http://127.0.0.1:${keycloak.port}`;
    keycloak.env = {
      ...process.env,
      ...secrets,
      SVC_BASE_URL: baseUrl,
      SVC_DEMO_PASSWORD: password,
      SVC_DIRECT_GRANTS: "true",
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      KC_HOSTNAME: keycloak.url,
      KC_HTTP_HOST: "127.0.0.1",
      KC_HTTP_PORT: String(keycloak.port),
      KC_HTTP_MANAGEMENT_PORT: String(management),
      KC_HEALTH_ENABLED: "true",
      JAVA_OPTS_KC_HEAP: "-Xms128m -Xmx700m",
    };
    process.once("exit", () => keycloak.kill("SIGKILL"));
    await keycloak.launch();
    return keycloak;
  }

  /** One that somebody else started. */
  static at(url) {
    return Object.assign(new Keycloak(), { url });
  }

  /** Starts the process and waits until it answers. */
  async launch() {
    const started = Date.now();
    this.process = spawn(join(this.folder, "bin/kc.sh"), ["start-dev", "--import-realm"], {
      env: this.env,
      detached: true,
      stdio: ["ignore", process.env.KEYCLOAK_LOG ? "inherit" : "ignore", "inherit"],
    });
    this.ended = new Promise((done) => this.process.once("exit", done));
    while (!(await this.isReady())) {
      if (this.hasEnded || Date.now() - started > READY_SECONDS * 1000) {
        this.kill("SIGKILL");
        throw new Error("Keycloak did not start; KEYCLOAK_LOG=1 shows why");
      }
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
    this.seconds = (Date.now() - started) / 1000;
  }

  get hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async isReady() {
    const answer = await fetch(`http://127.0.0.1:${this.management}/health/ready`).catch(() => undefined);
    return answer?.ok ?? false;
  }

  /** Sends a signal to the process and those that it started. */
  kill(signal) {
    if (this.hasEnded) return;
    try {
      process.kill(-this.process.pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }

  /** Stops it; with SIGKILL as if it had crashed. Its data stays. */
  async halt(signal = "SIGTERM") {
    this.kill(signal);
    await this.ended;
  }

  /** Stops it for good. */
  async stop() {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A call of the administration interface as the administrator; the answer, which must be a success. */
  async admin(method, path, body) {
    const form = new URLSearchParams({ grant_type: "password", client_id: "admin-cli", ...ADMIN });
    const granted = await fetch(`${this.url}/realms/master/protocol/openid-connect/token`, { method: "POST", body: form });
    const { access_token } = await granted.json();
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const answer = await fetch(`${this.url}/admin/realms/${path}`, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text ? JSON.parse(text) : undefined;
  }
}
