// The official clients of OpenAI's protocol, from PyPI and npm, in pinned versions. They are installed once, into a folder of their own
// below var.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./world.mjs";

const CLIENTS = join(ROOT, "end2end/clients");
const PINNED = JSON.parse(readFileSync(join(CLIENTS, "openai.json"), "utf8"));

/** Installs both clients; returns their folder. */
export function install() {
  const version = createHash("sha256").update(JSON.stringify(PINNED)).digest("hex").slice(0, 12);
  const folder = join(ROOT, "var/openai-clients", version);
  if (existsSync(folder)) return folder;
  // Test files install at the same time: the first one that is complete stays.
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
  execFileSync("python3", [...pip, "--target", join(own, "lib"), `openai==${PINNED.pypi}`], { stdio: "inherit" });
  writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const npm = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", `openai@${PINNED.npm}`];
  execFileSync("npm", npm, { cwd: own, stdio: "inherit" });
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
  return folder;
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
