import { cpSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Entry points under their names in the bundle. A start from the sources uses the same names, so both run the same way. */
const entries = {
  "start.js": "src/start.js",
  "store.ts": "src/app/tools/store.ts",
  "verify.ts": "src/app/tools/verify.ts",
  // `checkpoints.ts` resolves its thread relative to its own file; in the bundle all files lie in one folder.
  "checkpoint-thread.ts": "src/storage/sqlite/checkpoint-thread.ts",
};

/**
 * Bolt loads these for receivers and OAuth installs that the app does not use. Without them a start takes 330 ms of processor time in
 * place of 400, and 260 in place of 295 with its compile cache.
 */
const leftOut = ["express", "@slack/oauth"];

/**
 * Writes the app and its packages into a few files under `folder`, for the image. Finding and linking a thousand files takes most of a
 * start. Resolves with the names of the packages that it holds.
 */
export async function bundle(folder: string): Promise<string[]> {
  const build = await rolldown({
    input: entries,
    platform: "node",
    resolve: { alias: Object.fromEntries(leftOut.map((name) => [name, false as const])) },
  });
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    cleanDir: true,
    // Logs and stack traces name functions and classes; minified names would say nothing.
    keepNames: true,
    entryFileNames: "[name]",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  // `/rackbell help approvals` reads a page when a member asks for it.
  cpSync("src/guide", folder, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  // The script and the style of the pages that ask for a passkey are sent as they are.
  cpSync("src/web/passkeys/page", join(folder, "page"), { recursive: true });
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  return [...new Set(modules.flatMap((id) => packageIn.exec(id)?.[1] ?? []))].sort();
}

/** The package of a module, by the last folder of packages in its path. */
const packageIn = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
