// Runs a command with an S3-compatible server (s3s-fs) and an empty bucket; the integration tests find it by TEST_S3.
//
// node end2end/s3.mjs PATH-OF-S3S-FS COMMAND...
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { freePorts } from "./support/ports.mjs";

const [program, command, ...rest] = process.argv.slice(2);
const [port] = await freePorts(1);
const root = mkdtempSync(join(tmpdir(), "s3-"));
mkdirSync(join(root, "originals"));

const server = spawn(
  program,
  ["--host", "127.0.0.1", "--port", String(port), "--access-key", "test", "--secret-key", "test", root],
  { stdio: "inherit", env: { ...process.env, RUST_LOG: "off" } },
);
const address = `http://127.0.0.1:${port}`;
/** Whether the server answers, whatever it says. */
const answers = () => fetch(address).then(() => true, () => false);
for (let look = 0; look < 100 && !(await answers()); look += 1) await setTimeout(100);
const child = spawn(command, rest, { stdio: "inherit", env: { ...process.env, TEST_S3: address, TEST_S3_FOLDER: join(root, "originals/tests") } });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  server.kill();
  rmSync(root, { recursive: true, force: true });
  process.exit(code ?? 1);
});
