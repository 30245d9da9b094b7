import module from "node:module";
import { whyNot } from "./node-version.js";

// Before anything else: an older Node.js does not even know the files that the rest is written in.
const problem = whyNot(process.versions.node);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// Before the rest is loaded, so that all of it comes from the cache at the next start.
module.enableCompileCache();
const ways = {
  start: () => import("./main.ts"),
  doctor: () => import("./doctor/run.ts"),
};
await ways[process.argv[2] ?? "start"]?.();
