import { expect, test } from "vitest";
import * as backups from "../../../src/platform/customer/backups.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import * as dedicated from "../../../src/platform/customer/dedicated.ts";
import * as game from "../../../src/platform/customer/game.ts";
import * as images from "../../../src/platform/customer/images.ts";
import { readOpenApi } from "../../../src/platform/customer/openapi.ts";
import * as projects from "../../../src/platform/customer/projects.ts";
import * as services from "../../../src/platform/customer/services.ts";
import * as sshKeys from "../../../src/platform/customer/ssh-keys.ts";
import { connect, failure, json, ok, refusal, startServer } from "../server.ts";
import { imageRow, projectRow } from "./rows.ts";

const service = { id: "s1", serviceType: "game", status: "active", anything: 1 };
const actions = { service_id: "s1", kind: "vps", provider: "acme", actions: ["start", "flush"], capabilities: null };
const page = { page: 1, limit: 20, total: 1, pages: 1 };
const machine = {
  id: "d1",
  name: "big",
  status: "pending",
  failure: null,
  hardware: { name: "R1", manufacturer: "Acme", model: "X", specs: {}, status: "ready" },
};
const source = { name: "golden", sourceUrl: "https://images.example/x.qcow2", sha256: "0".repeat(64) };

const calls: {
  name: string;
  call: (client: CustomerClient<string>) => Promise<unknown>;
  sends: string;
  body?: object;
  answer?: unknown;
  gives?: unknown;
}[] = [
  {
    name: "services with their stats",
    call: (client) => services.listServices(client, { status: "active" }),
    sends: "GET /services?status=active",
    answer: { services: [service], pagination: page, stats: { active: 1 } },
    gives: { rows: [service], pagination: page, stats: { active: 1 } },
  },
  {
    name: "a service with what is live of it",
    call: (client) => services.readService(client, "s1"),
    sends: "GET /services/s1",
    answer: { service, liveInfo: { cpu: 1 } },
    gives: { service, liveInfo: { cpu: 1 } },
  },
  {
    name: "moving a service",
    call: (client) => services.moveService(client, "s1", null),
    sends: "PATCH /services/s1",
    body: { projectId: null },
  },
  {
    name: "the actions of a service",
    call: (client) => services.listServiceActions(client, "s1"),
    sends: "GET /services/s1/actions",
    answer: actions,
    gives: actions,
  },
  {
    name: "an action with params",
    call: (client) => services.runServiceAction(client, "s1", "flush cache", { deep: true }),
    sends: "POST /services/s1/actions/flush%20cache",
    body: { params: { deep: true } },
    answer: ["any", "thing"],
    gives: ["any", "thing"],
  },
  {
    name: "an action without params",
    call: (client) => services.runServiceAction(client, "s1", "start"),
    sends: "POST /services/s1/actions/start",
    answer: null,
    gives: null,
  },
  {
    name: "stats of a service",
    call: (client) => services.readServiceStats(client, "s1"),
    sends: "GET /services/s1/stats",
    answer: [1, null],
    gives: [1, null],
  },
  {
    name: "power of a service",
    call: (client) => services.powerService(client, "s1", "restart"),
    sends: "POST /services/s1/power/restart",
    answer: { completed: true },
    gives: { completed: true },
  },
  {
    name: "reinstalling a plugin service",
    call: (client) => services.reinstallService(client, "s1", { template: "debian", password: "long enough" }),
    sends: "POST /services/s1/reinstall",
    body: { template: "debian", password: "long enough" },
    answer: { job_id: "j1" },
    gives: { job_id: "j1" },
  },
  {
    name: "a password of a service",
    call: (client) => services.resetServicePassword(client, "s1", { password: "long enough" }),
    sends: "POST /services/s1/password",
    body: { password: "long enough" },
    answer: null,
    gives: null,
  },
  {
    name: "cancelling a service",
    call: (client) => services.cancelService(client, "s1", { reason: "not needed", immediate: true }),
    sends: "POST /services/s1/cancel",
    body: { reason: "not needed", immediate: true },
    answer: { immediate: true },
    gives: { immediate: true },
  },
  {
    name: "keeping a service",
    call: (client) => services.keepService(client, "s1"),
    sends: "DELETE /services/s1/cancel",
  },
  {
    name: "backups",
    call: (client) => backups.listBackups(client, "s1"),
    sends: "GET /services/s1/backups",
    answer: { backups: [{ id: 7, size: 1 }] },
    gives: { backups: [{ id: "7", size: 1 }] },
  },
  {
    name: "no backups",
    call: (client) => backups.listBackups(client, "s1"),
    sends: "GET /services/s1/backups",
    answer: { backups: [], available: false },
    gives: { backups: [], available: false },
  },
  { name: "a new backup", call: (client) => backups.createBackup(client, "s1"), sends: "POST /services/s1/backups" },
  {
    name: "restoring a backup",
    call: (client) => backups.restoreBackup(client, "s1", "7"),
    sends: "POST /services/s1/backups/7/restore",
  },
  {
    name: "a game server",
    call: (client) => game.readGame(client, "s1"),
    sends: "GET /services/s1/game",
    answer: { players: 3 },
    gives: { players: 3 },
  },
  {
    name: "killing a game server",
    call: (client) => game.powerGame(client, "s1", "kill"),
    sends: "POST /services/s1/game/power/kill",
    answer: { completed: true },
    gives: { completed: true },
  },
  {
    name: "dedicated servers",
    call: (client) => dedicated.listDedicated(client),
    sends: "GET /dedicated",
    answer: { dedicated: [machine], pagination: page },
    gives: { rows: [machine], pagination: page },
  },
  {
    name: "a dedicated server",
    call: (client) => dedicated.readDedicated(client, "d1"),
    sends: "GET /dedicated/d1",
    answer: machine,
    gives: machine,
  },
  ...(["ips", "power-status", "provision-status", "os-images", "stats", "traffic"] as const).map((part) => ({
    name: `${part} of a dedicated server`,
    call: (client: CustomerClient<string>) => dedicated.dedicatedParts[part](client, "d1"),
    sends: `GET /dedicated/d1/${part}`,
    answer: { [part]: [1] },
    gives: { [part]: [1] },
  })),
  {
    name: "power of a dedicated server",
    call: (client) => dedicated.powerDedicated(client, "d1", "off"),
    sends: "POST /dedicated/d1/power",
    body: { action: "off" },
    answer: null,
    gives: null,
  },
  {
    name: "reinstalling a dedicated server",
    call: (client) => dedicated.reinstallDedicated(client, "d1", { osImageId: "i1" }),
    sends: "POST /dedicated/d1/reinstall",
    body: { osImageId: "i1" },
  },
  {
    name: "a password of a dedicated server",
    call: (client) => dedicated.resetDedicatedPassword(client, "d1", { password: "long enough" }),
    sends: "POST /dedicated/d1/password",
    body: { password: "long enough" },
  },
  {
    name: "SSH keys",
    call: (client) => sshKeys.listSshKeys(client),
    sends: "GET /ssh-keys",
    answer: { ssh_keys: [{ id: "k1", name: "laptop" }] },
    gives: [{ id: "k1", name: "laptop" }],
  },
  {
    name: "a new SSH key",
    call: (client) => sshKeys.addSshKey(client, { name: "laptop", publicKey: "ssh-ed25519 AAAA" }),
    sends: "POST /ssh-keys",
    body: { name: "laptop", publicKey: "ssh-ed25519 AAAA" },
    answer: { id: "k1", name: "laptop", public_key: "ssh-ed25519 AAAA", fingerprint: "SHA256:x" },
    gives: { id: "k1", name: "laptop", public_key: "ssh-ed25519 AAAA", fingerprint: "SHA256:x" },
  },
  { name: "deleting an SSH key", call: (client) => sshKeys.deleteSshKey(client, "k1"), sends: "DELETE /ssh-keys/k1" },
  {
    name: "custom images",
    call: (client) => images.listCustomImages(client),
    sends: "GET /custom-images",
    answer: [imageRow({ id: "i1" })],
    gives: [imageRow({ id: "i1" })],
  },
  {
    name: "a new image",
    call: (client) => images.registerCustomImage(client, source),
    sends: "POST /custom-images",
    body: source,
    answer: { id: "i1", name: "golden" },
    gives: { id: "i1", name: "golden" },
  },
  {
    name: "deleting an image",
    call: (client) => images.deleteCustomImage(client, "i1"),
    sends: "DELETE /custom-images/i1",
  },
  {
    name: "a project",
    call: (client) => projects.readProject(client, "web"),
    sends: "GET /projects/web",
    answer: projectRow({ id: "p1" }),
    gives: projectRow({ id: "p1" }),
  },
  {
    name: "a new project",
    call: (client) => projects.createProject(client, { name: "Web" }),
    sends: "POST /projects",
    body: { name: "Web" },
    answer: projectRow({ id: "p1" }),
    gives: { id: "p1", slug: "web", name: "Web" },
  },
  {
    name: "changing a project",
    call: (client) => projects.changeProject(client, "web", { color: "red" }),
    sends: "PATCH /projects/web",
    body: { color: "red" },
    answer: projectRow({ id: "p1" }),
    gives: { id: "p1", slug: "web", name: "Web" },
  },
  {
    name: "deleting a project",
    call: (client) => projects.deleteProject(client, "web"),
    sends: "DELETE /projects/web",
  },
  {
    name: "deleting a project that holds something",
    call: (client) => projects.deleteProject(client, "web", "default"),
    sends: "DELETE /projects/web?reassignTo=default",
  },
  {
    name: "moving into a project",
    call: (client) => projects.moveToProject(client, "web", { services: ["s1"], ssh_keys: ["k1"] }),
    sends: "POST /projects/web/move",
    body: { services: ["s1"], ssh_keys: ["k1"] },
    answer: { moved: 1, skipped: ["k1"] },
    gives: { moved: 1, skipped: ["k1"] },
  },
];

test.each(calls)(
  "$name: calls its route with its body and gives what came of it",
  async ({ call, sends, body, answer, gives }) => {
    const server = await startServer(ok(answer));

    expect(await call(connect(server.url).client)).toEqual(gives);

    expect(server.seen.map(({ method, url }) => `${method} ${url.replace("/api/v1", "")}`)).toEqual([sends]);
    expect(server.seen[0]?.body).toEqual(body);
  },
);

test.each([
  {
    name: "a state of a service",
    call: (client: CustomerClient<string>) => services.readService(client, "s1"),
    answer: { service: { ...service, status: "asleep" } },
    field: "data.service.status",
  },
  {
    name: "a state of a dedicated server",
    call: (client: CustomerClient<string>) => dedicated.readDedicated(client, "d1"),
    answer: { ...machine, status: "asleep" },
    field: "data.status",
  },
  {
    name: "a status of an image",
    call: (client: CustomerClient<string>) => images.listCustomImages(client),
    answer: [imageRow({ status: "asleep" })],
    field: "data.0.status",
  },
  {
    name: "a status of an image in a list that has a name",
    call: (client: CustomerClient<string>) => images.listCustomImages(client),
    answer: { custom_images: [imageRow({ status: "asleep" })] },
    field: "data.custom_images.0.status",
  },
  {
    name: "a status of an image under its name",
    call: (client: CustomerClient<string>) => images.readCustomImage(client, "i1"),
    answer: { custom_image: imageRow({ status: "asleep" }) },
    field: "data.custom_image.status",
  },
])("$name that the contract does not allow is a clear failure", async ({ call, answer, field }) => {
  const server = await startServer(ok(answer));

  expect(await failure(call(connect(server.url).client))).toMatchObject({
    name: "PlatformOffContract",
    problem: expect.stringContaining(`${field}:`),
  });
});

test("a service of a kind that is new reads as one of unknown kind", async () => {
  const server = await startServer(ok({ service: { ...service, serviceType: "toaster" } }));
  const read = await services.readService(connect(server.url).client, "s1");
  expect(read.service.serviceType).toBe("unknown");
});

const wrapped: { name: string; row: object; read: (client: CustomerClient<string>) => Promise<unknown> }[] = [
  { name: "custom_image", row: imageRow(), read: (client) => images.readCustomImage(client, "x1") },
  { name: "project", row: projectRow(), read: (client) => projects.readProject(client, "x1") },
];

test.each(wrapped)(
  "a $name reads the same as the data itself and under its name in it",
  async ({ name, row, read }) => {
    const [plain, within, other] = await Promise.all(
      [row, { [name]: row }, { other: row }].map((a) => startServer(ok(a))),
    );
    if (!plain || !within || !other) throw new Error("There are three servers");
    expect(await read(connect(within.url).client)).toEqual(await read(connect(plain.url).client));
    expect(await failure(read(connect(other.url).client))).toMatchObject({ name: "PlatformOffContract" });
  },
);

test("the platform's own list of routes reads without an envelope, and its refusal as a refusal", async () => {
  const document = { openapi: "3.0.3", paths: { "/vps": { get: {} } } };
  const server = await startServer((response) =>
    server.seen.length === 1 ? json(response, 200, document) : refusal(403, "FEATURE_DISABLED")(response),
  );
  const { client } = connect(server.url);

  expect(await readOpenApi(client)).toEqual({ paths: document.paths });
  expect(await failure(readOpenApi(client))).toMatchObject({ name: "PlatformRefused", code: "FEATURE_DISABLED" });
});
