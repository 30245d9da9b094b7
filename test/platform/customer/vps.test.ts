import { expect, test } from "vitest";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import * as snapshots from "../../../src/platform/customer/snapshots.ts";
import * as vps from "../../../src/platform/customer/vps.ts";
import { applied } from "../../../src/platform/http/errors.ts";
import { connect, failure, json, ok, startServer } from "../server.ts";
import { snapshotRow, vpsRow } from "./rows.ts";

const job = { completed: false, pending: true, job_id: "j1", state: "running", status: "accepted" };

const acts: {
  name: string;
  act: (client: CustomerClient<string>) => Promise<unknown>;
  sends: string;
  body?: object;
  answer: unknown;
  gives: unknown;
}[] = [
  ...(["start", "stop", "shutdown", "reboot"] as const).map((action) => ({
    name: action,
    act: (client: CustomerClient<string>) => vps.vpsActs[action](client, "v1"),
    sends: `POST /vps/v1/${action}`,
    answer: job,
    gives: job,
  })),
  {
    name: "power by name",
    act: (client) => vps.powerVps(client, "v1", "poweroff"),
    sends: "POST /vps/v1/power/poweroff",
    answer: job,
    gives: job,
  },
  {
    name: "a finished act without a job",
    act: (client) => vps.vpsActs.start(client, "v1"),
    sends: "POST /vps/v1/start",
    answer: { completed: true },
    gives: { completed: true },
  },
  {
    name: "reinstall",
    act: (client) => vps.reinstallVps(client, "v1", { image_id: "i1", password: "long enough" }),
    sends: "POST /vps/v1/reinstall",
    body: { image_id: "i1", password: "long enough" },
    answer: { job_id: "j1" },
    gives: { job_id: "j1" },
  },
  {
    name: "password reset",
    act: (client) => vps.resetVpsPassword(client, "v1", { password: "long enough" }),
    sends: "POST /vps/v1/password",
    body: { password: "long enough" },
    answer: { available: true, job_id: "j1", user: "root" },
    gives: { available: true, job_id: "j1", user: "root" },
  },
  {
    name: "capture",
    act: (client) => vps.captureVps(client, "v1", { name: "golden" }),
    sends: "POST /vps/v1/capture",
    body: { name: "golden" },
    answer: { id: "i1", name: "golden", source_kind: "capture", status: "capturing" },
    gives: { id: "i1", name: "golden", status: "capturing" },
  },
  {
    name: "cancelling with the paid period",
    act: (client) => vps.cancelVps(client, "v1", { reason: "not needed", immediate: false }),
    sends: "DELETE /vps/v1",
    body: { reason: "not needed", immediate: false },
    answer: { cancellation_scheduled_date: "2026-12-01T00:00:00Z" },
    gives: { immediate: false, scheduledDate: "2026-12-01T00:00:00Z" },
  },
  {
    name: "cancelling now",
    act: (client) => vps.cancelVps(client, "v1", { reason: "not needed", immediate: true }),
    sends: "DELETE /vps/v1",
    body: { reason: "not needed", immediate: true },
    answer: { immediate: true },
    gives: { immediate: true },
  },
  {
    name: "keeping",
    act: (client) => vps.keepVps(client, "v1"),
    sends: "DELETE /services/v1/cancel",
    answer: null,
    gives: undefined,
  },
  {
    name: "moving",
    act: (client) => vps.moveVps(client, "v1", "web"),
    sends: "PATCH /vps/v1",
    body: { projectId: "web" },
    answer: {},
    gives: undefined,
  },
  {
    name: "moving back",
    act: (client) => vps.moveVps(client, "v1", null),
    sends: "PATCH /vps/v1",
    body: { projectId: null },
    answer: {},
    gives: undefined,
  },
  {
    name: "a snapshot",
    act: (client) => snapshots.createSnapshot(client, "v1", { name: "now", description: "why" }),
    sends: "POST /vps/v1/snapshots",
    body: { name: "now", description: "why" },
    answer: { snapshot: { id: "s1", name: "now", status: "creating" }, pending: true },
    gives: { id: "s1", name: "now", status: "creating" },
  },
  {
    name: "deleting a snapshot",
    act: (client) => snapshots.deleteSnapshot(client, "v1", "s1"),
    sends: "DELETE /vps/v1/snapshots/s1",
    answer: null,
    gives: undefined,
  },
  {
    name: "reverting",
    act: (client) => snapshots.revertSnapshot(client, "v1", "s1", "now"),
    sends: "POST /vps/v1/snapshots/s1/revert",
    body: { confirm: "now" },
    answer: { pending: true },
    gives: undefined,
  },
];

test.each(acts)(
  "$name calls its route with its body and gives what came of it",
  async ({ act, sends, body, answer, gives }) => {
    const server = await startServer(ok(answer));

    expect(await act(connect(server.url).client)).toEqual(gives);

    expect(server.seen.map(({ method, url }) => `${method} ${url.replace("/api/v1", "")}`)).toEqual([sends]);
    expect(server.seen[0]?.body).toEqual(body);
  },
);

test("a cancellation that says neither now nor when is off contract, and its outcome unknown", async () => {
  const server = await startServer(ok({ immediate: false }));

  const error = await failure(
    vps.cancelVps(connect(server.url).client, "v1", { reason: "not needed", immediate: true }),
  );

  expect(error).toMatchObject({
    name: "PlatformOffContract",
    problem: expect.stringContaining("Neither immediate nor with a date"),
  });
  expect(applied(error)).toBe("unknown");
});

test("a VPS reads as the platform shows it, without what is not known here", async () => {
  const row = vpsRow();
  const server = await startServer(ok(row));

  const { kind, a_field_of_tomorrow, ...known } = row;
  expect(await vps.readVps(connect(server.url).client, row.id)).toEqual(known);
  expect([kind, a_field_of_tomorrow]).toBeDefined();
  expect(server.seen[0]?.url).toBe(`/api/v1/vps/${row.id}`);
});

test("a VPS without a machine, and one whose build failed, read as such", async () => {
  const failure = { code: "ip_capacity", message: "No address is free there." };
  const server = await startServer(
    ok(
      vpsRow({
        status: "provisioning_failed",
        instance: null,
        failure,
        hostname: null,
        specs: null,
        primary_ip: null,
        ip_addresses: [],
      }),
    ),
  );

  expect(await vps.readVps(connect(server.url).client, "v1")).toMatchObject({ instance: null, failure });
});

const { billing, instance, capabilities } = vpsRow();

test.each([
  { field: "data.status", changes: { status: "frozen" } },
  { field: "data.instance.state", changes: { instance: { ...instance, state: "hibernating" } } },
  { field: "data.os_installation_status", changes: { os_installation_status: "maybe" } },
  { field: "data.billing.amount", changes: { billing: { ...billing, amount: "12,50" } } },
  { field: "data.billing.amount", changes: { billing: { ...billing, amount: "1.23456" } } },
  { field: "data.billing.amount", changes: { billing: { ...billing, amount: null } } },
  { field: "data.billing.next_due_date", changes: { billing: { ...billing, next_due_date: "soon" } } },
  { field: "data.cancellation.scheduled_date", changes: { cancellation: {} } },
  { field: "data.ip_addresses.0.version", changes: { ip_addresses: [{ address: "192.0.2.1", version: 5 }] } },
  { field: "data.project", changes: { project: undefined } },
])("a VPS whose $field the contract does not allow is a clear failure", async ({ field, changes }) => {
  const server = await startServer(ok(vpsRow(changes)));

  expect(await failure(vps.readVps(connect(server.url).client, "v1"))).toMatchObject({
    name: "PlatformOffContract",
    problem: expect.stringContaining(`${field}:`),
  });
});

test("words that only inform may be new: the VPS is read, and its failure counts as one of unknown cause", async () => {
  const changes = {
    capabilities: { ...capabilities, unavailable_reason: "mood" },
    failure: { code: "gremlins", message: "x" },
  };
  const server = await startServer(ok(vpsRow(changes)));
  expect(await vps.readVps(connect(server.url).client, "v1")).toMatchObject({
    capabilities: { unavailable_reason: "mood" },
    failure: { code: "unknown", message: "x" },
  });
});

test("a snapshot in a state that the contract does not allow is a clear failure", async () => {
  const server = await startServer(
    ok({ snapshots: [snapshotRow(), snapshotRow({ status: "sleeping" })], used: 2, max: 5 }),
  );

  expect(await failure(snapshots.listSnapshots(connect(server.url).client, "v1"))).toMatchObject({
    problem: expect.stringContaining("data.snapshots.1.status"),
  });
});

test("the snapshots come with how many count and how many may be", async () => {
  const server = await startServer(ok({ snapshots: [snapshotRow({ name: "one" })], used: 1, max: 5 }));

  expect(await snapshots.listSnapshots(connect(server.url).client, "v1")).toMatchObject({
    snapshots: [{ name: "one" }],
    used: 1,
    max: 5,
  });
});

test.each([
  { name: "beside the rows", answer: ok([vpsRow()], { pagination: { page: 2, limit: 50, total: 51, pages: 2 } }) },
  { name: "among the rows", answer: ok({ vps: [vpsRow()], pagination: { page: 2, limit: 50, total: 51 } }) },
])("a page of VPSes has its rows and its pagination, $name", async ({ answer }) => {
  const server = await startServer(answer);

  const page = await vps.listVps(connect(server.url).client, { page: 2 });

  expect(page.pagination).toEqual({ page: 2, limit: 50, total: 51, pages: 2 });
  expect(page.rows).toMatchObject([{ name: "web-1" }]);
  expect(server.seen[0]?.url).toBe("/api/v1/vps?page=2");
});

test("a page that does not say which one it is, is off contract", async () => {
  const server = await startServer(ok([vpsRow()]));

  expect(await failure(vps.listVps(connect(server.url).client))).toMatchObject({
    problem: expect.stringContaining("There is no pagination"),
  });
});

test("a list that is no list is off contract", async () => {
  const server = await startServer((response) =>
    json(response, 200, { success: true, data: "none", pagination: { page: 1, limit: 50, total: 0, pages: 0 } }),
  );

  expect(await failure(vps.listVps(connect(server.url).client))).toMatchObject({ name: "PlatformOffContract" });
});

test("addresses, images and stats read; stats in whatever shape", async () => {
  const addresses = vpsRow().ip_addresses;
  const stats = [{ cpu: [1, 2, 3] }, "text", null];
  const server = await startServer((response, { url }) => {
    if (url.endsWith("/ips")) return ok({ ips: addresses })(response);
    if (url.endsWith("/os-images"))
      return ok({ templates: [{ id: "i1", name: "Debian 13", is_default: true }] })(response);
    return ok(stats)(response);
  });
  const { client } = connect(server.url);

  expect(await vps.listVpsIps(client, "v1")).toEqual(addresses);
  expect(await vps.listVpsImages(client, "v1")).toEqual([{ id: "i1", name: "Debian 13", is_default: true }]);
  expect(await vps.readVpsStats(client, "v1")).toEqual(stats);
});
