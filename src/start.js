import module from "node:module";
import { endWith, loadOrEnd, whyNot } from "./app/installation.js";

// Before anything else: an older Node.js does not even know the files that the rest is written in.
const problem = whyNot(process.versions.node);
if (problem) endWith(problem);

// Before the rest is loaded, so that all of it comes from the cache at the next start.
module.enableCompileCache();
const ways = {
  start: () => import("./app/main.ts"),
  doctor: () => import("./app/doctor/run.ts"),
};
const way = ways[process.argv[2] ?? "start"];
if (!way) endWith("It is `node src/start.js` or `node src/start.js doctor`.");
await loadOrEnd(way);
