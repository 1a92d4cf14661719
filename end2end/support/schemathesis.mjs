// Schemathesis makes requests from the OpenAPI file and checks the answers against it. It is configured with existing ids, so
// that requests reach further than 404.
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { installed } from "./packages.mjs";
import { ROOT } from "./world.mjs";

const PINNED = join(ROOT, "end2end/schemathesis/requirements.txt");
const OPENAPI = join(ROOT, "docs/openapi.json");
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
];
/** How often a known id is taken instead of a made-up one. */
const PROBABILITY = 0.7;

/** Installs the pinned versions, once; returns their folder. */
export function install() {
  return installed("schemathesis", readFileSync(PINNED), { pypi: ["--requirement", PINNED] });
}

/**
 * Runs the checks for at most `seconds` (one request may end later). `headers` go with every request; `known` maps
 * parameters such as `path.tenant_id` to values that exist. Returns whether all held and what was printed.
 */
export function run({ folder, name, baseUrl, seconds, headers, known }) {
  const config = join(folder, `${name}.toml`);
  writeFileSync(config, toml(headers, known), { mode: 0o600 });
  const arguments_ = ["--config-file", config, "run", OPENAPI, "--url", baseUrl, "--checks", CHECKS.join(",")];
  arguments_.push("--phases", "fuzzing", "--max-examples", "4", "--max-time", String(seconds), "--seed", "20261");
  arguments_.push("--continue-on-failure", "--no-shrink", "--warnings", "off", "--request-timeout", "60");
  // On a busy machine, making the requests may take long.
  arguments_.push("--suppress-health-check", "too_slow");
  const script = "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())";
  const environment = { ...process.env, PYTHONPATH: join(folder, "lib"), PYTHONDONTWRITEBYTECODE: "1", NO_COLOR: "1" };
  return new Promise((done) => {
    let output = "";
    const child = spawn("python3", ["-c", script, ...arguments_], { cwd: folder, env: environment });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("close", (code) => {
      rmSync(config);
      done({ held: code === 0, output });
    });
  });
}

function toml(headers, known) {
  const lines = ["[headers]"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name} = ${JSON.stringify(value)}`);
  for (const [parameter, values] of Object.entries(known)) {
    lines.push(`[dictionaries.${quoted(parameter)}]`, `values = ${JSON.stringify(values)}`);
  }
  lines.push("[parameters]");
  for (const parameter of Object.keys(known)) {
    lines.push(`"${parameter}" = { dictionary = ${quoted(parameter)}, probability = ${PROBABILITY} }`);
  }
  return lines.join("\n") + "\n";
}

function quoted(parameter) {
  return `"${parameter.replaceAll(".", "_")}"`;
}
