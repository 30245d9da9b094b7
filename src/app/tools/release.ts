import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { packTar, type TarEntry } from "modern-tar";
import * as z from "#zod";
import { version } from "../../process/version.ts";
import { type BundledPackage, bundle, nameWithVersion } from "./bundle.ts";

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

const usage = `npm run release -- [FOLDER] [--tag v1.0.0]   writes the files of this version into FOLDER, usually release
npm run -s release -- --notes                 prints what CHANGELOG.md says of this version
npm run -s sbom                               prints the bill of materials of the bundle
`;

/** The newest version of CHANGELOG.md, its date, and its text. */
function newestChanges(): { number: string; date: string; text: string } {
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const [, number = "", date = "", text = ""] =
    /^## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  return { number, date, text: text.trim() };
}

/** The reason why there is nothing to release yet, as a sentence; null if all names one version. */
function whyNotYet(folder: string, tag: string | undefined): string | null {
  const { number } = newestChanges();
  if (number !== version)
    return `CHANGELOG.md ends with version ${number || "none"}, and package.json says ${version}. Make them one.`;
  if (tag !== undefined && tag !== `v${version}`)
    return `The tag is ${tag}, and package.json says ${version}. Name the tag v${version}.`;
  if (globSync("*", { cwd: folder }).length > 0)
    return `The folder ${folder} is not empty. Nothing was changed. Remove it, or name another one.`;
  return null;
}

/** Works with a bundle of this checkout in a folder of its own, which goes afterwards. */
async function withBundle<T>(work: (folder: string, held: BundledPackage[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-bundle-"));
  try {
    return await work(folder, await bundle(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const icon = "src/slack/icon.png";

/** The files that are no part of the bundle and go with it into the archive. */
const beside = ["package.json", "manifest.json", "CHANGELOG.md", "compose.yaml", ...globSync("deploy/**/*.*"), icon];

/**
 * The archive of a bundle, ready to start: its order, times and owners are the same wherever it is made. It is not compressed, because the
 * bytes of a compressor differ between processors.
 */
async function archive(bundled: string): Promise<Uint8Array> {
  const files = [
    ...readdirSync(bundled, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => ({ name: file.replace(bundled, "src"), body: readFileSync(file) })),
    ...beside.map((name) => ({ name, body: readFileSync(name) })),
  ];
  const mtime = new Date(`${newestChanges().date}T00:00:00Z`);
  const owner = { uid: 0, gid: 0, uname: "", gname: "" };
  const entries = files
    .map(({ name, body }): TarEntry => {
      const path = `rackbell-${version}/${name.replaceAll("\\", "/")}`;
      return { header: { name: path, size: body.length, mode: 0o644, mtime, ...owner }, body };
    })
    .sort((a, b) => (a.header.name < b.header.name ? -1 : 1));
  return packTar(entries);
}

async function writeFiles(folder: string): Promise<void> {
  // A refusal needs none of them.
  const [{ registry }, { catalogueOf }, { manifestOf }] = await Promise.all([
    import("../../operations/index.ts"),
    import("../../slack/catalogue.ts"),
    import("../../slack/manifest.ts"),
  ]);
  const files = await withBundle(async (bundled, held) => ({
    [`rackbell-${version}.tar`]: await archive(bundled),
    "catalogue.json": `${JSON.stringify(catalogueOf(registry), null, 2)}\n`,
    "licences.txt": readFileSync(join(bundled, "licences.txt")),
    "manifest.json": `${JSON.stringify(manifestOf(registry), null, 2)}\n`,
    "sbom.cdx.json": await billOfMaterials(held),
  }));
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const sums = Object.entries(files).map(
    ([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`,
  );
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
}

async function release(folder: string, tag: string | undefined): Promise<void> {
  const problem = whyNotYet(folder, tag);
  if (problem === null) {
    await writeFiles(folder);
    process.stdout.write(`Version ${version} is in ${folder}. To check it there: sha256sum -c SHA256SUMS\n`);
    return;
  }
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tag: { type: "string" },
    notes: { type: "boolean" },
    bill: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (values.help) process.stdout.write(usage);
else if (values.notes) process.stdout.write(`${newestChanges().text}\n`);
else if (values.bill) process.stdout.write(await withBundle((_, held) => billOfMaterials(held)));
else await release(positionals[0] ?? "release", values.tag);
