import { rolldown } from "rolldown";

/** What is started, under the names that it has here: what starts the app from its sources starts it from the bundle. */
const entries = {
  "start.js": "src/start.js",
  "store.ts": "src/store.ts",
  // Where the code of its parent, which is in no folder any more, looks for it.
  "worker/worker.ts": "src/storage/embedded/worker/worker.ts",
};

/** What Bolt loads for ways to be reached and installed that the app does not go. They take a tenth of the start. */
const leftOut = ["express", "@slack/oauth"];

/** Writes the app with all its packages into a few files: to find and link a thousand of them takes most of a start. For the image. */
export async function bundle(folder: string): Promise<void> {
  const build = await rolldown({
    input: entries,
    platform: "node",
    resolve: { alias: Object.fromEntries(leftOut.map((name) => [name, false as const])) },
  });
  await build.write({
    dir: folder,
    format: "esm",
    cleanDir: true,
    // Logs and errors tell of functions and classes by their names.
    keepNames: true,
    entryFileNames: "[name]",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
}

if (import.meta.main) await bundle(process.argv[2] ?? "bundle");
