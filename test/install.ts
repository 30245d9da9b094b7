import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * Installs the packages of a folder of test/ that has a lock file of its own, once for each lock file, and returns their folder. It is not
 * the folder itself: the tests that read all of the tree would read the packages, too. `args` go to `npm ci`.
 */
export function installPackages(name: string, args: readonly string[] = []): string {
  const [here, installed] = [join(root, "test", name), join(root, "node_modules/.cache/rackbell", name)];
  const lock = "package-lock.json";
  const mark = join(installed, "node_modules/.installed.json");
  if (existsSync(mark) && readFileSync(mark, "utf8") === readFileSync(join(here, lock), "utf8")) return installed;
  mkdirSync(installed, { recursive: true });
  for (const file of ["package.json", lock]) copyFileSync(join(here, file), join(installed, file));
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", ...args], { cwd: installed, stdio: "inherit" });
  copyFileSync(join(here, lock), mark);
  return installed;
}
