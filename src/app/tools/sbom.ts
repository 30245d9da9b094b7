import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import * as z from "#zod";
import { version } from "../../process/version.ts";
import { type BundledPackage, nameWithVersion } from "./bundle.ts";

const Component = z.looseObject({ name: z.string(), "bom-ref": z.string() });
const Materials = z.looseObject({
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/**
 * The bill of materials of a bundle (CycloneDX 1.5, as npm writes it), as JSON: the packages that the bundle holds, and no others. npm's own
 * `--omit dev` leaves out packages that a development tool needs as well (npm 11.19). The same bundle has the same bill, byte for byte, so
 * it has no time, and its number follows from its content.
 */
export async function billOfMaterials(held: readonly BundledPackage[]): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  // By the lock file alone: the packages need not be installed, and their folder tells nothing.
  const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const { stdout } = await promisify(execFile)("npm", args, options);
  const all = Materials.parse(JSON.parse(stdout));
  // npm takes the name of the app from its folder.
  const app = { ...all.metadata.component, name: "rackbell", version, type: "application" };
  const { timestamp: _, ...metadata } = all.metadata;
  const names = new Set(held.map(nameWithVersion));
  const components = all.components.filter((component) => names.has(component["bom-ref"]));
  const refs = new Set([app["bom-ref"], ...names]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  const bill = { ...all, serialNumber: "", metadata: { ...metadata, component: app }, components, dependencies };
  const digest = createHash("sha256").update(JSON.stringify(bill)).digest("hex");
  // The form of a random UUID, which a serial number must have.
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest) ?? [];
  return `${JSON.stringify({ ...bill, serialNumber: `urn:uuid:${a}-${b}-4${c}-8${d}-${e}` }, null, 2)}\n`;
}
