// Runs the browser tests. One demo world serves all files. It is started, stopped and started again, so that its first and its
// warm start are tested and timed too. Arguments choose files: node end2end/run.mjs widget
// With --keycloak as the first argument, a real Keycloak takes the place of the embedded provider, and the files of `keycloak`
// run as well.
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

import { demoSecrets, Keycloak } from "./support/keycloak.mjs";
import { World } from "./support/world.mjs";

const onKeycloak = process.argv[2] === "--keycloak";
const wanted = process.argv.slice(onKeycloak ? 3 : 2);
const files = (onKeycloak ? ["tests", "keycloak"] : ["tests"]).flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith(".test.mjs") && (!wanted.length || wanted.some((word) => name.startsWith(word))))
    .map((name) => join(import.meta.dirname, folder, name)),
);
if (!files.length) throw new Error(`no test file begins with ${wanted.join(" or ")}`);

/** The longest that a file may take, also on a busy machine. */
const FILE_MS = 15 * 60_000;

/** Websites of the tests may be asked without pauses. */
const SETTINGS = { SVC_CRAWL_DELAY_MS: "0" };

const world = await World.fresh("shared");
const keycloak = onKeycloak && (await startKeycloak());
console.log(`demo world: first start ${(await world.start(SETTINGS)).toFixed(1)} s`);
await world.stop();
console.log(`demo world: warm start ${(await world.start(SETTINGS)).toFixed(1)} s`);
process.env.E2E_WORLD = join(world.folder, "dev.json");
// Its files share sign-ins; on Keycloak, some end them.
if (!onKeycloak) mkdirSync(join(world.folder, "sessions"));

// Keycloak's realms are the same for all files, and some change them.
const late = await runFiles(files, onKeycloak ? 1 : 2);
// A browser, or an installation of packages, that stands still says nothing about the platform: such a file runs once more, alone.
if (late.length) console.log(`ended after ${FILE_MS / 60_000} minutes, and run again: ${late.join(", ")}`);
if (late.length && (await runFiles(late, 1)).length) process.exitCode = 1;
await world.stop();
world.delete();
if (keycloak) await keycloak.stop();

/** Runs files; returns those that took too long and were ended. Another failure decides the exit code. */
async function runFiles(files, concurrency) {
  const late = [];
  const tests = run({ files, concurrency, timeout: FILE_MS }).on("test:fail", ({ name, details }) => {
    if (files.includes(name) && details.error?.failureType === "testTimeoutFailure") late.push(name);
    else process.exitCode = 1;
  });
  tests.compose(new spec()).pipe(process.stdout);
  await once(tests, "end");
  return late;
}

/** A Keycloak for the shared world. Tests find it, its process and its folder by the environment. */
async function startKeycloak() {
  const baseUrl = `http://127.0.0.1:${world.ports[0]}`;
  const secrets = demoSecrets(world.folder);
  const started = await Keycloak.start({ baseUrl, secrets, password: "demo-password" });
  console.log(`Keycloak: ${started.seconds.toFixed(1)} s`);
  process.env.E2E_KEYCLOAK = JSON.stringify({ url: started.url, secrets });
  return started;
}
