import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { registry } from "../../operations/index.ts";
import { catalogueOf, generated, referenceOf, withGeneratedParts } from "../../slack/catalogue.ts";
import { manifestOf } from "../../slack/manifest.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, url: { type: "string" } },
});

/** The catalogue's commands of package.json: `npm run -s commands -- --json`, `npm run -s manifest -- --url https://…`, `npm run generate`. */
const jobs: Record<string, () => void> = {
  commands: () => say(values.json ? JSON.stringify(catalogueOf(registry), null, 2) : referenceOf(registry)),
  manifest: () => say(JSON.stringify(manifestOf(registry, values.url ?? null), null, 2)),
  generate: () => {
    writeFileSync("manifest.json", `${JSON.stringify(manifestOf(registry), null, 2)}\n`);
    for (const file of Object.keys(generated))
      writeFileSync(file, withGeneratedParts(registry, file, readFileSync(file, "utf8")));
  },
};

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

jobs[positionals[0] ?? "commands"]?.();
