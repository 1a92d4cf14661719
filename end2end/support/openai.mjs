// The official clients of OpenAI's protocol, from PyPI and npm.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { installed } from "./packages.mjs";
import { ROOT } from "./world.mjs";

const CLIENTS = join(ROOT, "end2end/clients");
const PINNED = JSON.parse(readFileSync(join(CLIENTS, "openai.json"), "utf8"));

/** Installs both clients; returns their folder. */
export function install() {
  const { pypi, npm } = PINNED;
  return installed("openai-clients", JSON.stringify(PINNED), { pypi: [`openai==${pypi}`], npm: [`openai@${npm}`] });
}

/** Runs `end2end/clients/<script>` with the clients, its argument as JSON; returns what it prints, as JSON. */
export async function run(folder, script, argument) {
  const isPython = script.endsWith(".py");
  const from = join(CLIENTS, script);
  const file = isPython ? from : join(folder, script);
  // Node looks for packages beside the script.
  if (!isPython) writeFileSync(file, readFileSync(from));
  const environment = { ...process.env, PYTHONPATH: join(folder, "lib"), PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(isPython ? "python3" : process.execPath, [file], { cwd: folder, env: environment });
  child.stdin.end(JSON.stringify(argument));
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${errors}`);
  return JSON.parse(output);
}
