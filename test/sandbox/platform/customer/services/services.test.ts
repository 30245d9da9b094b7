import { expect, test } from "vitest";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, createPractice, listAt, refusal, success, textAt } from "../../client.ts";

test("the list of services has its pages and its figures inside the data", async () => {
  const { ask } = await createPractice();
  const answer = await ask("GET /services");
  expect(answer).toMatchObject(
    success({ pagination: { page: 1, limit: 20 }, stats: { total: expect.any(Number), suspended: 2 } }),
  );
  expect(listAt(answer, "data.services")).toHaveLength(20);
  const kinds = new Set(
    listAt(await ask("GET /services?limit=200"), "data.services").map((row) => Object(row).serviceType),
  );
  expect(kinds).toEqual(new Set(["vps", "dedicated", "game", "unknown"]));
  const suspended = listAt(await ask("GET /services?status=suspended"), "data.services");
  expect(suspended).toHaveLength(2);
});

test("rows carry no provider, the document of actions does", async () => {
  const { ask } = await createPractice();
  expect(JSON.stringify(await ask("GET /services?limit=200"))).not.toContain('"provider"');
  expect(await ask("GET /services/{plugin-1}/actions")).toMatchObject(
    success({ kind: "vps", provider: "acme-cloud", actions: expect.arrayContaining(["rebuild-network"]) }),
  );
  expect(at(await ask("GET /services/{plugin-1}/actions"), "data.actions")).not.toContain("wipe-host");
});

test("the panel's document is nested, with live figures beside it", async () => {
  const { ask } = await createPractice();
  expect(await ask("GET /services/{web-1}")).toMatchObject(
    success({ service: { serviceType: "vps", vps_capabilities: { console: true } }, liveInfo: { state: "running" } }),
  );
});

test("a plugin's verbs run with their parameters, and a provider out of reach shows little", async () => {
  const { ask, platform } = await createPractice();
  const run = (verb: string) => ask(`POST /services/{plugin-1}/actions/${verb}`, { body: { params: { vlan: 7 } } });
  expect(await run("rebuild-network")).toMatchObject({ status: 200 });
  platform.plugin("acme-cloud").reachable = false;
  expect(await run("status")).toMatchObject(success({ status: "unknown" }));
  expect(await ask("GET /services/{plugin-1}/backups")).toMatchObject(success({ backups: [] }));
});

test("built-in actions of a native VPS are the power routes by another name", async () => {
  const { ask } = await createPractice();
  const run = (verb: string) => ask(`POST /services/{web-1}/actions/${verb}`);
  expect(await run("restart")).toMatchObject(success({ pending: true }));
  expect(await run("status")).toMatchObject(success({ status: "running" }));
  for (let press = 0; press < 9; press += 1) await ask("POST /services/{web-1}/power/start");
  expect(await ask("POST /vps/{web-1}/start")).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("backups: a plugin's are made and restored, a native VPS has none", async () => {
  const { ask, clock } = await createPractice();
  const path = "/services/{plugin-1}/backups";
  const made = textAt(await ask(`POST ${path}`), "data.backup.id");
  expect(await ask(`POST ${path}/${made}/restore`)).toMatchObject(refusal(409, "CONFLICT"));
  clock.skip(45_001);
  expect(await ask(`POST ${path}/${made}/restore`)).toMatchObject({ status: 200 });
  expect(listAt(await ask(`GET ${path}`), "data.backups")).toHaveLength(3);
  expect(await ask("GET /services/{web-1}/backups")).toMatchObject(success({ backups: [], available: false }));
});

test("a reinstall and a password go by the rules of the service's own kind", async () => {
  const { ask, platform } = await createPractice();
  const body = { image_id: images.ubuntu.id, password: "long enough" };
  for (const name of ["web-1", "metal-1"]) {
    expect(await ask(`POST /services/{${name}}/reinstall`, { body })).toMatchObject(
      success({ job_id: expect.any(String) }),
    );
  }
  expect(platform.findVps("web-1").os_installation_status).toBe("in_progress");
  expect(platform.find("metal-1")).toMatchObject({ os_installation: "in_progress" });

  for (const name of ["web-2", "metal-2"]) {
    expect(await ask(`POST /services/{${name}}/password`, { body })).toMatchObject(
      success({ available: true, user: "root" }),
    );
  }
});

test("machines, metal and plugins have statistics, and a provider out of reach has none", async () => {
  const { ask, platform } = await createPractice();
  for (const name of ["web-1", "metal-1", "mailboxes"]) {
    expect(await ask(`GET /services/{${name}}/stats`)).toMatchObject({ status: 200, body: { success: true } });
  }
  platform.plugin("postbox").reachable = false;
  expect(await ask("GET /services/{mailboxes}/stats")).toMatchObject(success({ available: false }));
});

test("power has its cool-down on a plugin's service, too, after what the provider refuses", async () => {
  const { ask, platform } = await createPractice();
  platform.plugin("postbox").verbs.restart = "customer";
  const press = (action: string) => ask(`POST /services/{mailboxes}/power/${action}`);
  for (let time = 0; time < 10; time += 1) expect(await press("restart")).toMatchObject({ status: 200 });
  expect(await press("restart")).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
  expect(await press("start")).toMatchObject(refusal(400, "ACTION_UNKNOWN"));
  platform.change("mailboxes", { status: "suspended" });
  expect(await press("restart")).toMatchObject(refusal(403, "FORBIDDEN"));
});
