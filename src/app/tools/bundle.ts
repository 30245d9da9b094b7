import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import * as z from "#zod";

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

const Package = z.object({ name: z.string(), version: z.string(), license: z.string().default("no licence") });

/** A package that the bundle holds, by its package.json. */
export interface BundledPackage extends z.infer<typeof Package> {
  folder: string;
}

/**
 * Writes the app and its packages into a few files under `folder`, for the image. Finding and linking a thousand files takes most of a
 * start. Resolves with the packages that it holds, whose licences are in `licences.txt` beside them.
 */
export async function bundle(folder: string): Promise<BundledPackage[]> {
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
  const packages = packagesIn(output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : [])));
  writeFileSync(join(folder, "licences.txt"), packages.map(licenceText).join(`\n${"-".repeat(78)}\n\n`));
  return packages;
}

function packagesIn(modules: readonly string[]): BundledPackage[] {
  const folders = new Set(modules.flatMap((id) => packageFolder.exec(id)?.[0] ?? []));
  const packages = [...folders].map((folder) => ({ ...Package.parse(readJson(join(folder, "package.json"))), folder }));
  // Not by the folder: it begins with the place of this checkout.
  return packages.sort((a, b) => (nameWithVersion(a) < nameWithVersion(b) ? -1 : 1));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The name of a package, and its id in a bill of materials of npm's. */
export function nameWithVersion({ name, version }: Pick<BundledPackage, "name" | "version">): string {
  return `${name}@${version}`;
}

/** The texts of its licence, which nearly all licences want to go with each copy. */
function licenceText(held: BundledPackage): string {
  const files = readdirSync(held.folder).filter((name) => /^(licen[cs]e|copying|notice)\b/i.test(name));
  const texts = files.sort().map((name) => readFileSync(join(held.folder, name), "utf8").trim());
  const none = `The package has no text of its licence. Its package.json names the licence: ${held.license}.`;
  return `${nameWithVersion(held)} (${held.license})\n\n${texts.join("\n\n") || none}\n`;
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

/** The folder of a module's package: the last folder of packages in its path, and the next name or two. */
const packageFolder = /^[^\0].*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
