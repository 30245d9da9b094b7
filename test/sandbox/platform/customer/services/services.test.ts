import { expect, test } from "vitest";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, listAt, practice, refusal, textAt } from "../../client.ts";

const strong = { password: "long enough" };

test("the list of services has its pages and its figures inside the data", async () => {
  const { ask } = await practice();
  const answer = await ask("GET /services");
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { pagination: { page: 1, limit: 20 }, stats: { total: expect.any(Number), suspended: 2 } } },
  });
  expect(listAt(answer, "data.services")).toHaveLength(20);
  const kinds = new Set(
    listAt(await ask("GET /services?limit=200"), "data.services").map((row) => Object(row).serviceType),
  );
  expect(kinds).toEqual(new Set(["vps", "dedicated", "game", "unknown"]));
  const suspended = listAt(await ask("GET /services?status=suspended"), "data.services");
  expect(suspended).toHaveLength(2);
});

test("rows carry no provider, the document of actions does", async () => {
  const { ask, id } = await practice();
  expect(JSON.stringify(await ask("GET /services?limit=200"))).not.toContain('"provider"');
  expect(await ask(`GET /services/${id("plugin-1")}/actions`)).toMatchObject({
    body: { data: { kind: "vps", provider: "acme-cloud", actions: expect.arrayContaining(["rebuild-network"]) } },
  });
  expect(at(await ask(`GET /services/${id("plugin-1")}/actions`), "data.actions")).not.toContain("wipe-host");
});

test("the panel's document is nested, with live figures beside it", async () => {
  const { ask, id } = await practice();
  expect(await ask(`GET /services/${id("web-1")}`)).toMatchObject({
    body: {
      data: { service: { serviceType: "vps", vps_capabilities: { console: true } }, liveInfo: { state: "running" } },
    },
  });
});

test("a plugin's verbs: run, hidden, missing, failing, out of reach", async () => {
  const { ask, id, platform } = await practice();
  const run = (verb: string, body: object = {}) => ask(`POST /services/${id("plugin-1")}/actions/${verb}`, { body });
  expect(await run("rebuild-network", { params: { vlan: 7 } })).toMatchObject({ status: 200 });
  expect(await run("wipe-host")).toMatchObject(refusal(403, "ACTION_NOT_ALLOWED"));
  expect(await run("dance")).toMatchObject(refusal(400, "ACTION_UNKNOWN"));
  platform.plugin("acme-cloud").failing = ["rebuild-network"];
  expect(await run("rebuild-network")).toMatchObject(refusal(503, "PROVIDER_ERROR"));
  platform.plugin("acme-cloud").reachable = false;
  expect(await run("rebuild-network")).toMatchObject(refusal(503, "PROVIDER_UNAVAILABLE"));
  expect(await run("status")).toMatchObject({ status: 200, body: { data: { status: "unknown" } } });
  expect(await ask(`GET /services/${id("plugin-1")}/backups`)).toMatchObject({ body: { data: { backups: [] } } });
});

test("only the route for actions has a code of its own for a member's missing permission", async () => {
  const { ask, id, platform } = await practice();
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  expect(await ask(`POST /services/${id("plugin-1")}/actions/rebuild-network`, { as: "ben" })).toMatchObject(
    refusal(403, "PERMISSION_DENIED"),
  );
  expect(await ask(`POST /services/${id("plugin-1")}/power/start`, { as: "ben" })).toMatchObject(
    refusal(403, "FORBIDDEN", { error: "Insufficient permissions" }),
  );
});

test("built-in actions of a native VPS are the power routes by another name", async () => {
  const { ask, id } = await practice();
  const run = (verb: string) => ask(`POST /services/${id("web-1")}/actions/${verb}`);
  expect(await run("restart")).toMatchObject({ body: { data: { pending: true } } });
  expect(await run("status")).toMatchObject({ body: { data: { status: "running" } } });
  expect(await run("rebuild-network")).toMatchObject(refusal(400, "ACTION_UNKNOWN"));
  for (let press = 0; press < 9; press += 1) await ask(`POST /services/${id("web-1")}/power/start`);
  expect(await ask(`POST /vps/${id("web-1")}/start`)).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("backups: a plugin's are made and restored, a native VPS has none", async () => {
  const { ask, id, clock } = await practice();
  const path = `/services/${id("plugin-1")}/backups`;
  const made = textAt(await ask(`POST ${path}`), "data.backup.id");
  expect(await ask(`POST ${path}/${made}/restore`)).toMatchObject(refusal(409, "CONFLICT"));
  clock.skip(45_001);
  expect(await ask(`POST ${path}/${made}/restore`)).toMatchObject({ status: 200 });
  expect(listAt(await ask(`GET ${path}`), "data.backups")).toHaveLength(3);
  expect(await ask(`GET /services/${id("web-1")}/backups`)).toMatchObject({
    body: { data: { backups: [], available: false } },
  });
  expect(await ask(`POST /services/${id("web-1")}/backups`)).toMatchObject(refusal(400, "ACTION_UNKNOWN"));
  expect(await ask(`POST ${path}/00000000-0000-4000-a000-000000000000/restore`)).toMatchObject(
    refusal(404, "NOT_FOUND"),
  );
});

test("a dedicated server is switched by body, by path, and by its service", async () => {
  const { ask, id, clock, platform } = await practice();
  expect(await ask(`POST /dedicated/${id("metal-1")}/power`, { body: { action: "off" } })).toMatchObject({
    status: 200,
    body: { data: { pending: true } },
  });
  clock.skip(30_001);
  expect(platform.find("metal-1")).toMatchObject({ power_state: "off" });
  expect(await ask(`POST /dedicated/${id("metal-1")}/power/start`)).toMatchObject({ status: 200 });
  expect(await ask(`POST /services/${id("metal-1")}/power/reboot`)).toMatchObject({ status: 200 });
  expect(await ask(`POST /dedicated/${id("metal-1")}/power`, { body: { action: "spin" } })).toMatchObject(
    refusal(400, "BAD_REQUEST"),
  );
});

test("a management controller that fails is a 424, and the attempt counts", async () => {
  const { ask, id } = await practice();
  const press = () => ask(`POST /dedicated/${id("metal-broken-controller")}/power/on`);
  for (let time = 0; time < 10; time += 1) expect(await press()).toMatchObject(refusal(424, "PROVIDER_ERROR"));
  expect(await press()).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("a reinstall of metal is refused while one runs; a password may rebuild it", async () => {
  const { ask, id, platform, clock } = await practice();
  const body = { osImageId: images.ubuntu.id };
  expect(await ask(`POST /dedicated/${id("metal-1")}/reinstall`, { body })).toMatchObject({ status: 200 });
  expect(await ask(`POST /dedicated/${id("metal-1")}/reinstall`, { as: "ben", body })).toMatchObject(
    refusal(409, "CONFLICT"),
  );
  clock.skip(180_001);
  await ask(`POST /dedicated/${id("metal-1")}/password`, { body: strong });
  expect(platform.find("metal-1")).toMatchObject({ os_installation: "in_progress" });
  await ask(`POST /dedicated/${id("metal-2")}/password`, { body: strong });
  expect(platform.find("metal-2")).toMatchObject({ os_installation: "completed" });
});

test("a failed build of metal stays pending and tells no failure", async () => {
  const { ask, id } = await practice();
  const answer = await ask(`GET /dedicated/${id("metal-pending")}`);
  expect(answer).toMatchObject({ body: { data: { status: "pending", failure: null } } });
  expect(at(answer, "data.hardware")).toBeUndefined();
  expect(await ask(`POST /dedicated/${id("metal-pending")}/power/on`)).toMatchObject(refusal(409, "CONFLICT"));
  expect(await ask(`POST /dedicated/${id("metal-suspended")}/power/on`)).toMatchObject(refusal(403, "FORBIDDEN"));
});

test("without the inventory module no dedicated route answers", async () => {
  const { ask, id, platform } = await practice();
  platform.settings.modules.inventory = false;
  for (const path of ["", `/${id("metal-1")}`, `/${id("metal-1")}/traffic`]) {
    expect(await ask(`GET /dedicated${path}`)).toMatchObject(refusal(403, "FEATURE_DISABLED"));
  }
});

test.each(["ips", "power-status", "provision-status", "os-images", "stats", "traffic"])(
  "metal answers %s",
  async (part) => {
    const { ask, id } = await practice();
    expect(await ask(`GET /dedicated/${id("metal-1")}/${part}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await ask(`GET /dedicated/${id("web-1")}/${part}`)).toMatchObject(refusal(404, "NOT_FOUND"));
  },
);

test("game servers keep their dotted codes", async () => {
  const { ask, id, platform } = await practice();
  const power = (name: string, action: string) => ask(`POST /services/${id(name)}/game/power/${action}`);
  expect(await power("arena-1", "kill")).toMatchObject({ status: 200 });
  expect(await power("arena-1", "dance")).toMatchObject(refusal(400, "game.power_action_unknown"));
  expect(await power("arena-stubbed", "start")).toMatchObject(refusal(409, "game.capability.runtime_stubbed"));
  expect(await power("arena-unlinked", "start")).toMatchObject(refusal(404, "game.server_not_found"));
  expect(await ask(`GET /services/${id("web-1")}/game`)).toMatchObject(refusal(404, "game.server_not_found"));
  platform.settings.modules.game = false;
  expect(await ask(`GET /services/${id("arena-1")}/game`)).toMatchObject(refusal(403, "game.module_disabled"));
});

test("a suspended game or plugin service is not acted on", async () => {
  const { ask, id, platform } = await practice();
  platform.change("arena-1", { status: "suspended" });
  platform.change("mailboxes", { status: "suspended" });
  expect(await ask(`POST /services/${id("arena-1")}/game/power/start`)).toMatchObject(refusal(403, "FORBIDDEN"));
  expect(await ask(`POST /services/${id("mailboxes")}/actions/purge`)).toMatchObject(refusal(403, "FORBIDDEN"));
});
