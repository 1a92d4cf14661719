// Runs the browser tests. One demo world serves all files. It is started, stopped and started again, so that its first and its
// warm start are tested and timed too. Arguments choose files: node end2end/run.mjs widget
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

import { World } from "./support/world.mjs";

const TESTS = join(import.meta.dirname, "tests");
const wanted = process.argv.slice(2);
const files = readdirSync(TESTS)
  .filter((name) => name.endsWith(".test.mjs") && (!wanted.length || wanted.some((word) => name.startsWith(word))))
  .map((name) => join(TESTS, name));
if (!files.length) throw new Error(`no test file begins with ${wanted.join(" or ")}`);

const world = await World.fresh("shared");
console.log(`demo world: first start ${(await world.start()).toFixed(1)} s`);
await world.stop();
console.log(`demo world: warm start ${(await world.start()).toFixed(1)} s`);
process.env.E2E_WORLD = join(world.folder, "dev.json");

const tests = run({ files, concurrency: 2 }).on("test:fail", () => (process.exitCode = 1));
tests.compose(new spec()).pipe(process.stdout);
tests.once("end", async () => {
  await world.stop();
  world.delete();
});
