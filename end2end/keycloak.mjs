// Starts the fetched Keycloak with the realm files, and runs a command while it is up; without a command it runs until
// it is stopped. Modes: with the secrets of the integration tests, which find it by TEST_KEYCLOAK; or, after
// `--demo`, with those of the demo world in SVC_PATHS_VAR_DIR, for `server demo` at SVC_HTTP_PORT, which must be
// configured to use it. After `--empty`, it has no realms, and tests of `server init` find it by TEST_EMPTY_KEYCLOAK.
import { spawn } from "node:child_process";

import { demoSecrets, equalSecrets, Keycloak } from "./support/keycloak.mjs";

const DEMO_PASSWORD = "demo-password";

const words = process.argv.slice(2);
const isDemo = words[0] === "--demo";
const isEmpty = words[0] === "--empty";
const [command, ...rest] = isDemo || isEmpty ? words.slice(1) : words;
const baseUrl = `http://127.0.0.1:${process.env.SVC_HTTP_PORT ?? 8080}`;

const keycloak = await Keycloak.start(
  isDemo
    ? { baseUrl, secrets: demoSecrets(process.env.SVC_PATHS_VAR_DIR ?? "var"), password: DEMO_PASSWORD, port: Number(process.env.SVC_AUTH_PORT) }
    : { baseUrl, secrets: equalSecrets("a-secret-of-these-tests"), password: "a-password-of-these-tests", isEmpty },
);
console.log(`Keycloak answers at ${keycloak.url} after ${keycloak.seconds.toFixed(0)} s.`);

let child;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, async () => {
    // The command gets the signal first: it ends its own work, and then Keycloak follows.
    if (child) child.kill(signal);
    else await end(1);
  });
}

async function end(code) {
  await keycloak.stop();
  process.exit(code);
}

if (command) {
  const forTests = { [isEmpty ? "TEST_EMPTY_KEYCLOAK" : "TEST_KEYCLOAK"]: keycloak.url };
  const own = isDemo ? { SVC_AUTH_EMBEDDED: "false", SVC_AUTH_URL: keycloak.url } : forTests;
  child = spawn(command, rest, { stdio: "inherit", detached: isDemo, env: { ...process.env, ...own } });
  child.on("exit", (code) => end(code ?? 1));
} else {
  console.log("Press Ctrl+C to stop it.");
}
