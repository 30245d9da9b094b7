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
const leftOut = ["express", "@slack/oauth", "raw-body"];

/**
 * Writes the app and its packages into a few files under `folder`, for the image. Finding and linking a thousand files takes most of a
 * start. Resolves with the names of the packages that it holds.
 */
export async function bundle(folder: string): Promise<string[]> {
  const build = await rolldown({
    input: entries,
    platform: "node",
    resolve: { alias: Object.fromEntries(leftOut.map((name) => [name, false as const])) },
    plugins: [
      {
        name: "ascii",
        generateBundle(_, files) {
          for (const file of Object.values(files)) if (file.type === "chunk") file.code = asAscii(file.code);
        },
      },
    ],
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

/**
 * The same code in ASCII. V8 keeps the source of all that runs, and keeps it twice as long if one character of a file is not Latin: 5 MB.
 * Throws where an escape would mean something else: in a template that is taken as it is written, unless it is a pattern.
 */
function asAscii(code: string): string {
  const raw = /(?<!new RegExp\(String\.)\braw`[^`]*[^\0-\x7f][^`]*`/.exec(code);
  if (raw) throw new Error(`This template must be in ASCII: ${raw[0]}`);
  return code.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The package of a module, by the last folder of packages in its path. */
const packageIn = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
