import { pathToFileURL } from "node:url";
import { endWith, loadOrEnd, whyNot } from "../installation.js";

/** Runs a script of package.json, `node src/app/tools/script.js src/app/tools/store.ts check`, or ends with the sentence that says what it lacks. */
const [, , file = "", ...rest] = process.argv;
const problem = whyNot(process.versions.node);
if (problem) endWith(`${problem} \`npm ci\`, without --omit=dev, brings one for this folder.`);

process.argv.splice(1, process.argv.length, file, ...rest);
await loadOrEnd(() => import(pathToFileURL(file).href));
