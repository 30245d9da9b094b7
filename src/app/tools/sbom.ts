import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "#zod";
import { bundle } from "./bundle.ts";

const Component = z.looseObject({ name: z.string(), "bom-ref": z.string() });
const Materials = z.looseObject({
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/**
 * The bill of materials of the image (CycloneDX 1.5, as npm writes it): the packages that the bundle holds, and no others. npm's own
 * `--omit dev` leaves out packages that a development tool needs as well (npm 11.19).
 */
async function materials(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-bundle-"));
  const held = await bundle(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)("npm", ["sbom", "--sbom-format", "cyclonedx"], options);
  const all = Materials.parse(JSON.parse(stdout));
  const components = all.components.filter(({ name }) => held.includes(name));
  const refs = new Set(components.map((component) => component["bom-ref"]));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  return { ...all, components, dependencies };
}

process.stdout.write(`${JSON.stringify(await materials(), null, 2)}\n`);
