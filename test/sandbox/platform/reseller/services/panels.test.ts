import { expect, test } from "vitest";
import { seededId } from "../../../../../src/sandbox/platform/world/ids.ts";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, createPractice, layout, listAt, success, textAt } from "../../client.ts";

const password = "correct horse";

test("a VPS tells its usage, with null for what cannot be read", async () => {
  const { resell } = await createPractice();
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
  const { resell, platform, clock } = await createPractice();
  platform.change("web-1", { created_at: new Date(clock.now() - 60_000).toISOString() });
  expect(await resell("GET /services/{web-1}/stats")).toMatchObject(success({ collecting: true, series: [] }));
  expect(await resell("GET /services/{web-1}/traffic?range=1h")).toMatchObject(success({ collecting: true }));
});

test("a dedicated server tells its hardware, what its controller says, and never its bytes since boot; a provider its own", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  expect(await resell("GET /services/{metal-1}/stats")).toMatchObject(
    success({ powerState: "on", health: "ok", network: { netin_bytes: null, netout_bytes: null } }),
  );
  expect(await resell("GET /services/{metal-2}/stats")).toMatchObject(
    success({ powerState: "unreachable", health: null }),
  );
  platform.settings.shapes.payload = 1;
  expect(layout(await resell("GET /services/{metal-1}/stats"))).toBe("platform,stats");
  expect(layout(await resell("GET /services/{plugin-1}/stats"))).toBe("acme-cloud");
});

test.each(["1h", "6h", "24h", "7d", "30d"])("traffic goes back %s", async (range) => {
  const { resell, platform, clock } = await createPractice();
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
  const { resell, platform } = await createPractice();
  const traffic = (name: string) => resell(`GET /services/{${name}}/traffic?range=24h`);
  for (const name of ["metal-1", "transit-1"]) {
    expect(at(await traffic(name), "data.daily")).toBeUndefined();
    expect((await traffic(name)).status).toBe(200);
  }
  platform.settings.shapes.payload = 1;
  expect(listAt(await traffic("web-1"), "data.points")).toHaveLength(60);
});

test("hardware health is a dedicated server's with a controller, up to a minute old, in two shapes", async () => {
  const { resell, platform, clock } = await createPractice();
  const health = () => resell("GET /services/{metal-1}/health");
  // It is read at each full minute: none may come between the first two.
  clock.skip(60_000 - (clock.now() % 60_000));
  platform.settings.shapes.payload = 0;
  const first = await health();
  expect(listAt(first, "data.temperatures")).toContainEqual({ name: "cpu", celsius: 51 });
  clock.skip(1_000);
  expect((await health()).body).toEqual(first.body);
  clock.skip(60_000);
  expect((await health()).body).not.toEqual(first.body);
  platform.settings.shapes.payload = 1;
  expect(layout(await health())).toBe("at,fans,power,sensors");
});

test("each kind of service has its templates", async () => {
  const { resell } = await createPractice();
  const templates = (name: string) => resell(`GET /services/{${name}}/os-templates`);
  expect(await templates("web-1")).toMatchObject(success({ platform: "native" }));
  expect(layout(await templates("metal-1"))).toBe("templates");
  expect(await templates("plugin-1")).toMatchObject(
    success({ platform: "acme-cloud", templates: [{ name: "debian-13-minimal" }, {}] }),
  );
});

test("a reinstall starts on every backend; a dedicated server tells the password that it made, once", async () => {
  const { resell, platform } = await createPractice();
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
});

test("a password is reset where the machine runs; a dedicated server is rebuilt and tells its own", async () => {
  const { resell } = await createPractice();
  const reset = (name: string, body?: object) =>
    resell(`POST /services/{${name}}/password`, body === undefined ? {} : { body });
  expect(await reset("web-1", { password })).toMatchObject({ status: 200 });
  expect(await reset("plugin-1", { password })).toMatchObject({ status: 200 });
  expect(await reset("leased-1")).toMatchObject({ status: 200 });
  const metal = await reset("metal-1");
  expect(textAt(metal, "data.password").length).toBeGreaterThan(8);
  expect(await reset("metal-1")).toMatchObject({ status: 409 });
});

test("a console comes in the shape of its backend", async () => {
  const { resell } = await createPractice();
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

test("a console session comes with its parts, and can be placed under its name", async () => {
  const { resell, platform } = await createPractice();
  const session = await resell("POST /services/{web-1}/console-session");
  expect(layout(session)).toBe("origin,sessionId,token,viewerKind,wsPath");
  platform.settings.shapes.named = true;
  expect(layout(await resell("POST /services/{web-1}/console-session"))).toBe("session");
});

test("a link to a console is shown once, is opened, and ends; a list never shows addresses", async () => {
  const { resell, id, platform, clock } = await createPractice();
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
});

test("a VPS is captured, its image listed and deleted", async () => {
  const { resell, clock } = await createPractice();
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

test("snapshots of a VPS are taken, restored by their own name, and deleted; one disk job at a time", async () => {
  const { resell, clock } = await createPractice();
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
});

test.each(["plugin-1", "leased-1"])("backups of %s are its provider's", async (name) => {
  const { resell, clock } = await createPractice();
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

test("backups are listed of a plan and of a server without any, and of a plugin service that is suspended", async () => {
  const { resell, platform } = await createPractice();
  const listed = (name: string) => resell(`GET /services/{${name}}/backups`);
  expect(await listed("plan-without-snapshots")).toMatchObject(success({ snapshots: [], used: 0, max: 0 }));
  expect(await listed("metal-1")).toMatchObject(success({ backups: [] }));
  platform.change("plugin-1", { status: "suspended" });
  expect(listAt(await listed("plugin-1"), "data.backups")).toHaveLength(2);
});

test("a reverse name of a dedicated server is set, shown and cleared", async () => {
  const { resell, platform } = await createPractice();
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
  platform.settings.shapes.payload = 1;
  expect(layout(await set("x.example.com"))).toBe("rdns,updated");
});

test.each(["web-1", "arena-1", "mailboxes", "transit-1", "rack-1", "waiting-1"])(
  "the network of %s is told",
  async (name) => {
    const { resell } = await createPractice();
    expect(layout(await resell(`GET /services/{${name}}/network`))).toBe("allocations,ipAddresses,rdns,subnets");
  },
);

test("IP transit is configured by its holder", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  const body = {
    customerAsn: 64_501,
    irrAsSet: "AS-PRACTICE",
    announcedPrefixes: ["198.51.100.0/24"],
    routeType: "default",
  };
  expect(await resell("PUT /services/{transit-1}/transit-config", { body })).toMatchObject(success(body));
  expect(at(await resell("GET /services/{transit-1}/document"), "data.ipTransit")).toMatchObject(body);
});

test("SSH keys of a dedicated server are stored ones or new ones, once each", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  const path = "/services/{metal-1}/ssh-keys";
  expect(listAt(await resell(`GET ${path}`), "data")).toEqual([]);
  const stored = seededId("ssh-key", platform.find("metal-1").holder, "deploy");
  expect(await resell(`POST ${path}`, { body: { sshKeyId: stored } })).toMatchObject({ status: 201 });
  expect((await resell(`POST ${path}`, { body: { sshKeyId: stored } })).status).toBe(409);
  const blob = Buffer.from("a practice key that opens nothing at all").toString("base64");
  const fresh = await resell(`POST ${path}`, { body: { publicKey: `ssh-ed25519 ${blob}`, name: "laptop" } });
  expect(fresh).toMatchObject(success({ name: "laptop" }, 201));
  expect(listAt(await resell(`GET ${path}`), "data")).toHaveLength(2);
  const remove = `DELETE ${path}/${textAt(fresh, "data.id")}`;
  expect((await resell(remove)).status).toBe(200);
  expect((await resell(remove)).status).toBe(404);
});

test("rescue tells its password once, in two shapes", async () => {
  const { resell, platform } = await createPractice();
  const path = "/services/{metal-1}";
  platform.settings.shapes.payload = 0;
  expect(textAt(await resell(`POST ${path}/rescue`), "data.rescuePassword").length).toBeGreaterThan(8);
  expect((await resell(`POST ${path}/rescue`)).status).toBe(409);
  expect(await resell(`POST ${path}/unrescue`)).toMatchObject({ status: 200 });
  platform.settings.shapes.payload = 1;
  expect(textAt(await resell(`POST ${path}/rescue`), "data.credentials.rescue_password").length).toBeGreaterThan(8);
});

test("a provider, its page and its actions are a plugin's alone", async () => {
  const { resell, platform } = await createPractice();
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
  const body = { params: { deep: true } };
  expect(await resell("POST /services/{plugin-1}/ui-action/rebuild-network", { body })).toMatchObject(
    success({ result: body }),
  );
});
