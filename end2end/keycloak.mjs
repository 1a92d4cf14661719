// Starts the fetched Keycloak with the realm files on free ports, and runs a command with its address in TEST_KEYCLOAK; without
// a command it runs until it is stopped. Its data is in a temporary folder, and its secrets are those of the integration tests.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { freePorts } from "./support/ports.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const PARTS = process.env.SVC_PATHS_PARTS_DIR ?? join(ROOT, "var/parts");
const READY_SECONDS = 180;

const folder = mkdtempSync(join(tmpdir(), "keycloak-"));
const [port, management] = await freePorts(2);
const url = `http://127.0.0.1:${port}`;

// Keycloak writes below its own folder, so that a copy of it runs; the large, unchanged part is linked.
const parts = join(PARTS, "keycloak-26.4.7");
for (const name of readdirSync(parts)) {
  if (name === "lib") cpSync(join(parts, name), join(folder, name), { recursive: true });
  else if (name === "bin" || name === "providers" || name === "conf") cpSync(join(parts, name), join(folder, name), { recursive: true });
  else symlinkSync(join(parts, name), join(folder, name));
}
mkdirSync(join(folder, "data/import"), { recursive: true });
for (const realm of ["svc-platform", "svc-tenants"]) {
  const file = `${realm}-realm.json`;
  cpSync(join(ROOT, "deploy/realms", file), join(folder, "data/import", file));
}

const secrets = ["API", "BREAKGLASS", "TUNNEL", "AUDIT", "TENANTS_API", "PEOPLE"];
const env = {
  ...process.env,
  ...Object.fromEntries(secrets.map((name) => [`SVC_${name}_CLIENT_SECRET`, "a-secret-of-these-tests"])),
  SVC_BASE_URL: "http://127.0.0.1:8080",
  SVC_DEMO_PASSWORD: "a-password-of-these-tests",
  SVC_DIRECT_GRANTS: "true",
  KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
  KC_BOOTSTRAP_ADMIN_PASSWORD: "a-password-of-these-tests",
  KC_HOSTNAME: url,
  KC_HTTP_HOST: "127.0.0.1",
  KC_HTTP_PORT: String(port),
  KC_HTTP_MANAGEMENT_PORT: String(management),
  KC_HEALTH_ENABLED: "true",
  JAVA_OPTS_KC_HEAP: "-Xms128m -Xmx700m",
};
const keycloak = spawn(join(folder, "bin/kc.sh"), ["start-dev", "--import-realm"], {
  env,
  detached: true,
  stdio: ["ignore", process.env.KEYCLOAK_LOG ? "inherit" : "ignore", "inherit"],
});
let ended = false;
keycloak.on("exit", () => {
  ended = true;
});

function stop() {
  if (!ended) process.kill(-keycloak.pid, "SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    stop();
    process.exit(1);
  });
}

async function isReady() {
  const answer = await fetch(`http://127.0.0.1:${management}/health/ready`).catch(() => undefined);
  return answer?.ok ?? false;
}

const started = Date.now();
while (!(await isReady())) {
  if (ended || Date.now() - started > READY_SECONDS * 1000) {
    stop();
    throw new Error("Keycloak did not start; KEYCLOAK_LOG=1 shows why");
  }
  await new Promise((wake) => setTimeout(wake, 250));
}
console.log(`Keycloak answers at ${url} after ${((Date.now() - started) / 1000).toFixed(0)} s.`);

const [command, ...rest] = process.argv.slice(2);
if (command) {
  const child = spawn(command, rest, { stdio: "inherit", env: { ...process.env, TEST_KEYCLOAK: url } });
  child.on("exit", (code) => {
    stop();
    process.exit(code ?? 1);
  });
} else {
  console.log("Press Ctrl+C to stop it.");
}
