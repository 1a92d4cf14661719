// Generates clients for TypeScript and Python from docs/openapi.json, builds them, and calls a demo world with both (make
// test-clients).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { apiKey } from "./support/api-key.mjs";
import { installed } from "./support/packages.mjs";
import { ROOT, World } from "./support/world.mjs";

const CLIENTS = join(ROOT, "end2end/clients");
const PINNED = JSON.parse(readFileSync(join(CLIENTS, "generated.json"), "utf8"));
const OPENAPI = join(ROOT, "docs/openapi.json");
const TSC = ["--strict", "--noEmit", "false", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--types", "node"];

const run = (command, args, options = {}) => execFileSync(command, args, { encoding: "utf8", stdio: ["pipe", "pipe", "inherit"], ...options });

function install() {
  const { pypi, ...packages } = PINNED;
  const npm = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  return installed("generated-clients", JSON.stringify(PINNED), { pypi, npm: ["@types/node@20", ...npm] });
}

function generate(folder) {
  const withPackages = { cwd: folder, env: { ...process.env, PYTHONPATH: join(folder, "lib") } };
  run("python3", ["-m", "openapi_spec_validator", OPENAPI], withPackages);
  run("npx", ["--no-install", "openapi-typescript", OPENAPI, "-o", "platform.d.ts"], { cwd: folder });
  copyFileSync(join(CLIENTS, "generated-client.ts"), join(folder, "generated-client.ts"));
  run("npx", ["--no-install", "tsc", ...TSC, "generated-client.ts"], { cwd: folder });
  const python = "import sys; from openapi_python_client.cli import app; sys.exit(app())";
  const target = join(folder, "python/chatbot_platform_client");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(folder, "python"), { recursive: true });
  // Its formatter is not installed.
  writeFileSync(join(folder, "python.json"), JSON.stringify({ post_hooks: [] }));
  const args = ["generate", "--config", join(folder, "python.json"), "--path", OPENAPI, "--output-path", target, "--meta", "none", "--fail-on-warning"];
  run("python3", ["-c", python, ...args], withPackages);
}

const folder = install();
const started = performance.now();
generate(folder);
console.log(`generated and built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
const world = await World.shared();
try {
  const key = await apiKey(world, "platform-help", ["ask", "settings.read"]);
  const input = JSON.stringify({ base_url: world.dev.base_url, api_key: key, question: "Who sees the conversations?" });
  const environment = { ...process.env, PYTHONPATH: [join(folder, "lib"), join(folder, "python")].join(":") };
  for (const [command, file] of [["node", join(folder, "generated-client.js")], ["python3", join(CLIENTS, "generated_client.py")]]) {
    const got = JSON.parse(run(command, [file], { cwd: folder, env: environment, input }));
    assert.deepEqual([got.slug, got.kind, got.refused], ["platform-help", "answer", "validation_error"], file);
    assert.ok(got.answer.length > 20, got.answer);
    console.log(`${command}: ok`);
  }
} finally {
  await world.stop();
}
