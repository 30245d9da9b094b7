import { expect, test } from "vitest";
import { seededId } from "../../../../../src/sandbox/platform/world/ids.ts";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, layout, listAt, practice, resellerRefusal, success, textAt } from "../../client.ts";

const password = "correct horse";
const anything = "11111111-1111-4111-8111-111111111111";

test("a VPS tells its usage, with null for what cannot be read", async () => {
  const { resell } = await practice();
  const running = await resell("GET /services/{web-1}/stats");
  expect(running).toMatchObject(
    success({ platform: "native", collecting: false, stats: { status: "running", memory: { source: "guest" } } }),
  );
  expect(listAt(running, "data.series")).toHaveLength(12);
  const stopped = await resell("GET /services/{db-2}/stats");
  expect(stopped).toMatchObject(
    success({
      stats: { status: "stopped", cpu: { usage: null }, network: { rx_bps: null }, disk: { read_bps: null } },
    }),
  );
});

test("a machine that was just made has no samples yet", async () => {
  const { resell, platform, clock } = await practice();
  platform.change("web-1", { created_at: new Date(clock.now() - 60_000).toISOString() });
  expect(await resell("GET /services/{web-1}/stats")).toMatchObject(success({ collecting: true, series: [] }));
  expect(await resell("GET /services/{web-1}/traffic?range=1h")).toMatchObject(success({ collecting: true }));
});

test("a dedicated server tells its hardware, what its controller says, and never its bytes since boot", async () => {
  const { resell, platform } = await practice();
  platform.settings.shapes.payload = 0;
  expect(await resell("GET /services/{metal-1}/stats")).toMatchObject(
    success({ powerState: "on", health: "ok", network: { netin_bytes: null, netout_bytes: null } }),
  );
  expect(await resell("GET /services/{metal-2}/stats")).toMatchObject(
    success({ powerState: "unreachable", health: null }),
  );
  platform.settings.shapes.payload = 1;
  expect(layout(await resell("GET /services/{metal-1}/stats"))).toBe("platform,stats");
});

test("a provider tells its own, and a game server nothing", async () => {
  const { resell, platform } = await practice();
  expect(layout(await resell("GET /services/{plugin-1}/stats"))).toBe("acme-cloud");
  expect(await resell("GET /services/{arena-1}/stats")).toMatchObject({ status: 400 });
  platform.plugin("acme-cloud").reachable = false;
  expect(await resell("GET /services/{plugin-1}/stats")).toMatchObject({ status: 503 });
});

test.each(["1h", "6h", "24h", "7d", "30d"])("traffic goes back %s", async (range) => {
  const { resell, platform, clock } = await practice();
  platform.settings.shapes.payload = 0;
  const span = Number.parseInt(range, 10) * (range.endsWith("h") ? 3600 : 86_400);
  const traffic = await resell(`GET /services/{web-1}/traffic?range=${range}`);
  const samples = listAt(traffic, "data.samples");
  expect(samples).toHaveLength(60);
  const age = clock.now() / 1000 - Object(samples[0]).t;
  expect(age).toBeGreaterThan(span * 0.9);
  expect(age).toBeLessThanOrEqual(span);
  expect(at(traffic, "data.monthTotal.total_bytes_in")).toBe(240_000_000_000);
  expect(listAt(traffic, "data.daily")).toHaveLength(7);
});

test("traffic is measured of a VPS, a dedicated server and IP transit, and its samples have two names", async () => {
  const { resell, platform } = await practice();
  const traffic = (name: string, range = "24h") => resell(`GET /services/{${name}}/traffic?range=${range}`);
  for (const name of ["metal-1", "transit-1"]) {
    expect(at(await traffic(name), "data.daily")).toBeUndefined();
    expect((await traffic(name)).status).toBe(200);
  }
  for (const name of ["arena-1", "plugin-1", "rack-1"]) expect((await traffic(name)).status).toBe(400);
  expect(await traffic("web-1", "2h")).toMatchObject(resellerRefusal(400, { details: [{ field: "range" }] }));
  platform.settings.shapes.payload = 1;
  expect(listAt(await traffic("web-1"), "data.points")).toHaveLength(60);
});

test("hardware health is a dedicated server's with a controller, up to a minute old, in two shapes", async () => {
  const { resell, platform, clock } = await practice();
  const health = (name: string) => resell(`GET /services/{${name}}/health`);
  // It is read at each full minute: none may come between the first two.
  clock.skip(60_000 - (clock.now() % 60_000));
  platform.settings.shapes.payload = 0;
  const first = await health("metal-1");
  expect(listAt(first, "data.temperatures")).toContainEqual({ name: "cpu", celsius: 51 });
  clock.skip(1_000);
  expect((await health("metal-1")).body).toEqual(first.body);
  clock.skip(60_000);
  expect((await health("metal-1")).body).not.toEqual(first.body);
  platform.settings.shapes.payload = 1;
  expect(layout(await health("metal-1"))).toBe("at,fans,power,sensors");
  expect((await health("metal-2")).status).toBe(400);
  expect((await health("web-1")).status).toBe(400);
});

test("templates are told by kind", async () => {
  const { resell } = await practice();
  const templates = (name: string) => resell(`GET /services/{${name}}/os-templates`);
  expect(await templates("web-1")).toMatchObject(success({ platform: "native" }));
  expect(layout(await templates("metal-1"))).toBe("templates");
  expect(await templates("plugin-1")).toMatchObject(
    success({ platform: "acme-cloud", templates: [{ name: "debian-13-minimal" }, {}] }),
  );
  for (const name of ["leased-1", "arena-1", "rack-1"]) expect((await templates(name)).status).toBe(400);
});

test.each<[string, object, number, string | RegExp]>([
  ["web-1", { osTemplate: "debian", password }, 400, /uuid/],
  ["web-1", { osTemplate: anything, password }, 404, "OS image not found"],
  ["web-1", { osTemplate: images.windows.id, password }, 409, /not offered/],
  ["web-1", { osTemplate: images.debian.id }, 400, /password is required/],
  ["web-1", { osImageId: images.debian.id, password: "short" }, 400, /at least 8/],
  ["no-power", { osTemplate: images.debian.id, password }, 403, /switched off/],
  ["suspended-1", { osTemplate: images.debian.id, password }, 403, "The service is suspended"],
  ["gone-1", { osTemplate: images.debian.id, password }, 403, "The service is terminated"],
  ["moving-1", { osTemplate: images.debian.id, password }, 409, /disk job/],
  ["metal-1", { osTemplate: images.windows.id }, 404, "OS image not found"],
  ["metal-pending", { osTemplate: images.debian.id }, 409, /still being built/],
  ["plugin-1", { osTemplate: images.debian.id, password }, 400, /no template/],
  ["leased-1", {}, 400, "osTemplate is required"],
  ["arena-1", { osTemplate: "x" }, 400, /no backend/],
])("%s is not reinstalled by %j", async (name, body, status, sentence) => {
  const { resell } = await practice();
  const refused = await resell(`POST /services/{${name}}/reinstall`, { body });
  expect(refused.status).toBe(status);
  if (typeof sentence === "string") expect(refused).toMatchObject({ body: { error: sentence } });
  else expect(JSON.stringify(refused.body)).toMatch(sentence);
});

test("a reinstall starts on every backend; a dedicated server tells the password that it made, once", async () => {
  const { resell, platform } = await practice();
  const reinstall = (name: string, body: object) => resell(`POST /services/{${name}}/reinstall`, { body });
  expect(await reinstall("web-1", { osImageId: images.ubuntu.id, password })).toMatchObject({
    status: 200,
    body: { message: "OS reinstall initiated", data: { job_id: expect.any(String) } },
  });
  expect(platform.findVps("web-1").os_installation_status).toBe("in_progress");
  const metal = await reinstall("metal-1", { osTemplate: images.debian.id, password });
  expect(metal).toMatchObject(success({ method: "automated" }));
  expect(textAt(metal, "data.password")).not.toBe(password);
  expect(await reinstall("metal-1", { osTemplate: images.debian.id })).toMatchObject({ status: 409 });
  expect(await reinstall("metal-2", { osTemplate: images.debian.id })).toMatchObject(success({ method: "manual" }));
  expect(await reinstall("plugin-1", { osTemplate: "debian-13-minimal", password })).toMatchObject({ status: 200 });
  expect(await reinstall("leased-1", { osTemplate: "whatever", password })).toMatchObject({ status: 200 });
  platform.plugin("nimbus").failing = ["reinstall"];
  expect(await reinstall("plugin-2", { osTemplate: "debian-13-minimal", password })).toMatchObject({ status: 503 });
});

test("a password is reset where the machine runs; a dedicated server is rebuilt and tells its own", async () => {
  const { resell } = await practice();
  const reset = (name: string, body?: object) =>
    resell(`POST /services/{${name}}/password`, body === undefined ? {} : { body });
  expect(await reset("web-1", { password })).toMatchObject({ status: 200 });
  expect(await reset("web-1", { password: "short" })).toMatchObject({ status: 400 });
  expect(await reset("web-1")).toMatchObject({ status: 400 });
  expect(await reset("db-2", { password })).toMatchObject(resellerRefusal(409, "The machine is not running"));
  expect(await reset("no-power", { password })).toMatchObject({ status: 403 });
  expect(await reset("suspended-1", { password })).toMatchObject({ status: 403 });
  expect(await reset("plugin-1")).toMatchObject({ status: 400 });
  expect(await reset("plugin-1", { password })).toMatchObject({ status: 200 });
  expect(await reset("leased-1")).toMatchObject({ status: 200 });
  const metal = await reset("metal-1");
  expect(textAt(metal, "data.password").length).toBeGreaterThan(8);
  expect(await reset("metal-1")).toMatchObject({ status: 409 });
});

test("a console comes in the shape of its backend", async () => {
  const { resell } = await practice();
  const console = (name: string) => resell(`GET /services/{${name}}/console`);
  const vnc = await console("web-1");
  expect(vnc).toMatchObject(success({ type: "novnc", viewerKind: "vnc" }));
  expect(textAt(vnc, "data.websocketUrl")).toContain(textAt(vnc, "data.token"));
  expect((await console("paused-1")).status).toBe(200);
  expect(await console("metal-1")).toMatchObject(success({ type: "kvm", available: true }));
  expect(await console("metal-broken-controller")).toMatchObject(
    success({ available: false, reason: expect.any(String) }),
  );
  expect(layout(await console("plugin-1"))).toBe("expires_in,provider,url");
  expect(await console("leased-1")).toMatchObject({ status: 200 });
});

test.each<[string, number]>([
  ["db-2", 409],
  ["build-2", 409],
  ["shared-1", 403],
  ["suspended-1", 403],
  ["gone-1", 403],
  ["metal-2", 400],
  ["arena-1", 400],
])("%s has no console now", async (name, status) => {
  const { resell } = await practice();
  expect((await resell(`GET /services/{${name}}/console`)).status).toBe(status);
  expect((await resell(`POST /services/{${name}}/console-session`)).status).toBe(status);
});

test("a console session is told with its parts, and can be placed under its name", async () => {
  const { resell, platform } = await practice();
  const session = await resell("POST /services/{web-1}/console-session");
  expect(layout(session)).toBe("origin,sessionId,token,viewerKind,wsPath");
  platform.settings.shapes.named = true;
  expect(layout(await resell("POST /services/{web-1}/console-session"))).toBe("session");
  platform.reseller.settings.peerConnections = false;
  for (const path of ["console-session", "console-cast"]) {
    expect(await resell(`POST /services/{web-1}/${path}`)).toMatchObject(
      resellerRefusal(403, "Peer connections are disabled on this platform"),
    );
  }
});

test("a link to a console is told once, is opened, and ends; a list never shows addresses", async () => {
  const { resell, id, platform, clock } = await practice();
  const path = "/services/{web-1}/console-cast";
  const cast = await resell(`POST ${path}`, { body: { label: "for Iris", openTtlSeconds: 60, viewerTtlSeconds: 300 } });
  expect(cast).toMatchObject(
    success(
      { label: "for Iris", viewOnly: false, status: "pending", viewerExpiresAt: null, viewerTtlSeconds: 300 },
      201,
    ),
  );
  expect(textAt(cast, "data.url")).toContain(textAt(cast, "data.ticket"));
  const listed = await resell(`GET ${path}`);
  expect(listAt(listed, "data")).toMatchObject([{ id: textAt(cast, "data.id"), status: "pending" }]);
  expect(JSON.stringify(listed.body)).not.toContain(textAt(cast, "data.ticket"));
  platform.reseller.openCast(id("web-1"), textAt(cast, "data.id"));
  clock.skip(61_000);
  expect(listAt(await resell(`GET ${path}`), "data")).toMatchObject([
    { status: "open", viewerExpiresAt: expect.any(String) },
  ]);
  clock.skip(240_000);
  expect(listAt(await resell(`GET ${path}`), "data")).toEqual([]);
  const unopened = await resell(`POST ${path}`, { body: {} });
  const remove = `DELETE ${path}/${textAt(unopened, "data.id")}`;
  expect(await resell(remove)).toMatchObject(success({ status: "revoked" }));
  expect(await resell(remove)).toMatchObject({ status: 200 });
  expect(listAt(await resell(`GET ${path}`), "data")).toEqual([]);
  expect((await resell(`DELETE ${path}/${anything}`)).status).toBe(404);
});

test.each<[string, object, number]>([
  ["arena-1", {}, 400],
  ["plugin-1", {}, 400],
  ["shared-1", {}, 403],
  ["suspended-1", {}, 403],
  ["web-1", { openTtlSeconds: 59 }, 400],
  ["web-1", { openTtlSeconds: 604_801 }, 400],
  ["web-1", { viewerTtlSeconds: 299 }, 400],
  ["web-1", { viewerTtlSeconds: 43_201 }, 400],
  ["web-1", { viewOnly: "yes" }, 400],
  ["outsider-1", {}, 404],
])("%s gets no link to its console with %j", async (name, body, status) => {
  const { resell } = await practice();
  expect((await resell(`POST /services/{${name}}/console-cast`, { body })).status).toBe(status);
});

test("a VPS on a shared cluster has no link that only views", async () => {
  const { resell, platform } = await practice();
  platform.change("web-1", { capabilities: { shared: true } });
  const path = "POST /services/{web-1}/console-cast";
  expect((await resell(path, { body: { viewOnly: true } })).status).toBe(400);
  expect((await resell(path, { body: { viewOnly: false } })).status).toBe(201);
});

test("a VPS is captured, its image listed and deleted", async () => {
  const { resell, clock } = await practice();
  const captured = await resell("POST /services/{web-1}/capture", { body: { name: "golden" } });
  expect(captured).toMatchObject(success({ status: "capturing" }, 202));
  const image = textAt(captured, "data.id");
  expect((await resell(`DELETE /images/${image}`)).status).toBe(409);
  clock.skip(300_000);
  const rows = listAt(await resell("GET /images"), "data");
  expect(rows).toContainEqual(
    expect.objectContaining({ id: image, status: "available", virtual_size_bytes: 107_374_182_400 }),
  );
  expect(rows.map((row) => Object(row).status)).not.toContain("error");
  expect(listAt(await resell("GET /images", { as: "bound" }), "data")).toEqual([]);
  expect(await resell(`DELETE /images/${image}`)).toMatchObject({ status: 200 });
  expect((await resell(`DELETE /images/${image}`)).status).toBe(404);
});

test.each<[string, object, number]>([
  ["metal-1", { name: "x" }, 400],
  ["no-snapshots", { name: "x" }, 403],
  ["suspended-1", { name: "x" }, 403],
  ["web-1", {}, 400],
  ["moving-1", { name: "x" }, 409],
])("%s is not captured by %j", async (name, body, status) => {
  const { resell } = await practice();
  expect((await resell(`POST /services/{${name}}/capture`, { body })).status).toBe(status);
});

test("snapshots of a VPS are taken, restored by their own name, and deleted; one disk job at a time", async () => {
  const { resell, clock } = await practice();
  const path = "/services/{web-1}/backups";
  const listed = await resell(`GET ${path}`);
  expect(listed).toMatchObject(
    success({ used: 3, max: 5, snapshots: [{ name: "before-upgrade", restorable: true }, {}, {}] }),
  );
  expect(listAt(listed, "data.snapshots.0.destroys_on_restore")).toEqual(["weekly-1", "weekly-2"]);
  expect(await resell(`POST ${path}`, { body: { name: "mine", description: "before" } })).toMatchObject({
    status: 201,
  });
  expect(await resell(`POST ${path}`, { body: { name: "another" } })).toMatchObject({ status: 409 });
  clock.skip(60_000);
  const restore = `POST ${path}/${textAt(listed, "data.snapshots.1.id")}/restore`;
  expect(await resell(restore)).toMatchObject({ status: 400 });
  expect(await resell(restore, { body: { confirm: "weekly-1" } })).toMatchObject({ status: 200 });
  clock.skip(60_000);
  expect(listAt(await resell(`GET ${path}`), "data.snapshots")).toHaveLength(2);
  expect(await resell(`DELETE ${path}/${textAt(listed, "data.snapshots.1.id")}`)).toMatchObject({ status: 200 });
  clock.skip(60_000);
  expect(listAt(await resell(`GET ${path}`), "data.snapshots")).toHaveLength(1);
  expect((await resell(`DELETE ${path}/${anything}`)).status).toBe(404);
});

test.each(["suspended-1", "gone-1", "no-snapshots", "build-1"])(
  "%s refuses even the list of its snapshots",
  async (name) => {
    const { resell } = await practice();
    expect((await resell(`GET /services/{${name}}/backups`)).status).toBe(403);
    expect((await resell(`POST /services/{${name}}/backups`)).status).toBe(403);
  },
);

test("a plan without snapshots tells that it has none, and takes none", async () => {
  const { resell } = await practice();
  const path = "/services/{plan-without-snapshots}/backups";
  expect(await resell(`GET ${path}`)).toMatchObject(success({ snapshots: [], used: 0, max: 0 }));
  expect((await resell(`POST ${path}`, { body: { name: "x" } })).status).toBe(409);
});

test.each(["plugin-1", "leased-1"])("backups of %s are its provider's", async (name) => {
  const { resell, clock } = await practice();
  const path = `/services/{${name}}/backups`;
  const made = await resell(`POST ${path}`, { body: { name: "tonight" } });
  expect(made).toMatchObject(success({ backup: { name: "tonight", state: "running" } }, 201));
  const restore = `POST ${path}/${textAt(made, "data.backup.id")}/restore`;
  expect((await resell(restore)).status).toBe(409);
  clock.skip(60_000);
  expect((await resell(restore)).status).toBe(200);
  expect((await resell(`DELETE ${path}/${textAt(made, "data.backup.id")}`)).status).toBe(200);
  expect((await resell(restore)).status).toBe(404);
});

test("a dedicated server lists no backups and takes none; a suspended plugin service takes none, but lists them", async () => {
  const { resell, platform } = await practice();
  expect(await resell("GET /services/{metal-1}/backups")).toMatchObject(success({ backups: [] }));
  expect((await resell("POST /services/{metal-1}/backups")).status).toBe(400);
  platform.change("plugin-1", { status: "suspended" });
  expect(listAt(await resell("GET /services/{plugin-1}/backups"), "data.backups")).toHaveLength(2);
  expect((await resell("POST /services/{plugin-1}/backups")).status).toBe(403);
  platform.change("plugin-1", { status: "active" });
  platform.plugin("acme-cloud").failing = ["backups.create"];
  expect((await resell("POST /services/{plugin-1}/backups")).status).toBe(503);
});

test("a reverse name of a dedicated server is set, shown and cleared", async () => {
  const { resell, platform } = await practice();
  platform.settings.shapes.payload = 0;
  const path = "/services/{metal-1}";
  const network = () => resell(`GET ${path}/network`);
  const ipAddressId = textAt(await network(), "data.ipAddresses.0.id");
  const set = (hostname: string | null) => resell(`PUT ${path}/rdns`, { body: { ipAddressId, hostname } });
  expect(await set("metal.example.com")).toMatchObject(success({ hostname: "metal.example.com" }));
  expect(at(await network(), "data.ipAddresses.0.rdns")).toBe("metal.example.com");
  expect(await set(null)).toMatchObject({ status: 200 });
  expect(at(await network(), "data.ipAddresses.0.rdns")).toBeNull();
  expect((await set("not a name")).status).toBe(400);
  expect((await resell(`PUT ${path}/rdns`, { body: { ipAddressId: anything, hostname: null } })).status).toBe(404);
  expect((await resell("PUT /services/{web-1}/rdns", { body: { ipAddressId, hostname: null } })).status).toBe(400);
  platform.settings.shapes.payload = 1;
  expect(layout(await set("x.example.com"))).toBe("rdns,updated");
});

test.each(["web-1", "arena-1", "mailboxes", "transit-1", "rack-1", "waiting-1"])(
  "the network of %s is told",
  async (name) => {
    const { resell } = await practice();
    expect(layout(await resell(`GET /services/{${name}}/network`))).toBe("allocations,ipAddresses,rdns,subnets");
  },
);

test("IP transit is configured by its holder, unless the supplier keeps that to itself", async () => {
  const { resell, platform } = await practice();
  platform.settings.shapes.payload = 0;
  const body = {
    customerAsn: 64_501,
    irrAsSet: "AS-PRACTICE",
    announcedPrefixes: ["198.51.100.0/24"],
    routeType: "default",
  };
  const path = "PUT /services/{transit-1}/transit-config";
  expect(await resell(path, { body })).toMatchObject(success(body));
  expect(at(await resell("GET /services/{transit-1}/document"), "data.ipTransit")).toMatchObject(body);
  expect((await resell(path, { body: { announcedPrefixes: ["everything"] } })).status).toBe(400);
  expect((await resell("PUT /services/{web-1}/transit-config", { body })).status).toBe(400);
  platform.reseller.settings.transitEditing = false;
  expect((await resell(path, { body })).status).toBe(403);
});

test("SSH keys of a dedicated server are stored ones or new ones, once each", async () => {
  const { resell, platform } = await practice();
  platform.settings.shapes.payload = 0;
  const path = "/services/{metal-1}/ssh-keys";
  expect(listAt(await resell(`GET ${path}`), "data")).toEqual([]);
  const stored = seededId("ssh-key", platform.find("metal-1").holder, "deploy");
  expect(await resell(`POST ${path}`, { body: { sshKeyId: stored } })).toMatchObject({ status: 201 });
  expect((await resell(`POST ${path}`, { body: { sshKeyId: stored } })).status).toBe(409);
  const blob = Buffer.from("a practice key that opens nothing at all").toString("base64");
  const fresh = await resell(`POST ${path}`, { body: { publicKey: `ssh-ed25519 ${blob}`, name: "laptop" } });
  expect(fresh).toMatchObject(success({ name: "laptop" }, 201));
  expect((await resell(`POST ${path}`, { body: { publicKey: "nonsense", name: "laptop" } })).status).toBe(400);
  expect((await resell(`POST ${path}`, { body: {} })).status).toBe(400);
  expect((await resell(`POST ${path}`, { body: { sshKeyId: anything } })).status).toBe(404);
  expect(listAt(await resell(`GET ${path}`), "data")).toHaveLength(2);
  const remove = `DELETE ${path}/${textAt(fresh, "data.id")}`;
  expect((await resell(remove)).status).toBe(200);
  expect((await resell(remove)).status).toBe(404);
  expect((await resell("GET /services/{web-1}/ssh-keys")).status).toBe(400);
});

test("rescue tells its password once, and only from a settled state", async () => {
  const { resell, platform } = await practice();
  const path = "/services/{metal-1}";
  expect((await resell(`POST ${path}/unrescue`)).status).toBe(409);
  platform.settings.shapes.payload = 0;
  expect(textAt(await resell(`POST ${path}/rescue`), "data.rescuePassword").length).toBeGreaterThan(8);
  expect((await resell(`POST ${path}/rescue`)).status).toBe(409);
  expect(await resell(`POST ${path}/unrescue`)).toMatchObject({ status: 200 });
  platform.settings.shapes.payload = 1;
  expect(textAt(await resell(`POST ${path}/rescue`), "data.credentials.rescue_password").length).toBeGreaterThan(8);
  platform.change("metal-1", { provision_state: "deploying" });
  expect((await resell(`POST ${path}/unrescue`)).status).toBe(409);
  platform.reseller.settings.rescue = false;
  expect((await resell(`POST ${path}/rescue`)).status).toBe(403);
  expect((await resell("POST /services/{web-1}/rescue")).status).toBe(400);
  expect((await resell("POST /services/{metal-suspended}/rescue")).status).toBe(403);
});

test("a provider, its page and its actions are a plugin's alone", async () => {
  const { resell, platform } = await practice();
  const get = (name: string, what: string) => resell(`GET /services/{${name}}/${what}`);
  expect(await get("web-1", "provider")).toMatchObject(success({ provider: null }));
  expect(await get("web-1", "ui-schema")).toMatchObject(success({ schema: null, useDefaultUI: true }));
  platform.settings.shapes.payload = 0;
  expect(await get("plugin-1", "provider")).toMatchObject(success({ provider: { slug: "acme-cloud" } }));
  platform.settings.shapes.payload = 1;
  expect(await get("plugin-1", "provider")).toMatchObject(success({ provider: { id: "acme-cloud" } }));
  expect(JSON.stringify((await get("plugin-1", "ui-schema")).body)).toContain("rebuild-network");
  expect(JSON.stringify((await get("plugin-1", "ui-schema")).body)).not.toContain("wipe-host");
  expect(await get("plugin-2", "ui-schema")).toMatchObject(success({ useDefaultUI: true }));
  const act = (name: string, action: string, body: object = { params: { deep: true } }) =>
    resell(`POST /services/{${name}}/ui-action/${action}`, { body });
  expect(await act("plugin-1", "rebuild-network")).toMatchObject(success({ result: { params: { deep: true } } }));
  expect((await act("plugin-1", "no-such")).status).toBe(404);
  expect((await act("plugin-1", "wipe-host")).status).toBe(403);
  expect((await act("web-1", "rebuild-network")).status).toBe(400);
  expect((await act("plugin-1", "rebuild-network", { params: 4 })).status).toBe(400);
  platform.plugin("acme-cloud").reachable = false;
  expect((await act("plugin-1", "rebuild-network")).status).toBe(503);
});
