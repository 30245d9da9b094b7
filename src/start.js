import module from "node:module";
import { endWith, loadOrEnd, takeEnvFile, whyNot } from "./app/installation.js";

// Before anything else: an older Node.js does not even know the files that the rest is written in.
const problem = whyNot(process.versions.node);
if (problem) endWith(problem);

// Before the rest is loaded, so that all of it comes from the cache at the next start.
module.enableCompileCache();
const ways = {
  start: () => withEnvFile(() => import("./app/main.ts")),
  doctor: () => withEnvFile(() => import("./app/doctor/run.ts")),
  async setup() {
    const { starts } = await import("./app/setup/run.ts");
    if (starts) await ways.start();
  },
};
const way = ways[process.argv[2] ?? "start"];
if (!way) endWith("It is `node src/start.js`, `node src/start.js doctor` or `node src/start.js setup`.");
await loadOrEnd(way);

/** @param {() => Promise<unknown>} load */
function withEnvFile(load) {
  takeEnvFile();
  return load();
}
