// Packages of PyPI and npm that tests need, in pinned versions, each set in a folder of its own below var.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./world.mjs";

/** How long an installer may take, so that a registry that does not answer fails a test instead of keeping all waiting. */
const INSTALLER_OPTIONS = { stdio: "inherit", timeout: 5 * 60_000 };

/**
 * Installs a set of packages once for each content of `pinned`, a text that names the versions; returns its folder. `pypi` and `npm`
 * are arguments of the two installers. Python's packages are in the folder `lib`.
 */
export function installed(name, pinned, { pypi, npm }) {
  const version = createHash("sha256").update(pinned).digest("hex").slice(0, 12);
  const folder = join(ROOT, "var/packages", `${name}-${version}`);
  if (existsSync(folder)) return folder;
  // Test files install at the same time: the first one that is complete stays.
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
  execFileSync("python3", [...pip, "--target", join(own, "lib"), ...pypi], INSTALLER_OPTIONS);
  if (npm) {
    writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, type: "module" }));
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", ...npm], { cwd: own, ...INSTALLER_OPTIONS });
  }
  try {
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
