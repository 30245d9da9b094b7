import fc from "fast-check";
import { expect, test } from "vitest";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, createPractice, layout, listAt, refusal, success } from "../../client.ts";

const strong = { password: "long enough" };

test("the list is cut into pages, and a limit over 200 is clamped in silence", async () => {
  const { ask } = await createPractice({ bulk: 300 });
  const first = await ask("GET /vps");
  expect(first).toMatchObject({ status: 200, body: { pagination: { page: 1, limit: 50 } } });
  expect(listAt(first, "data")).toHaveLength(50);
  expect(listAt(await ask("GET /vps?limit=500"), "data")).toHaveLength(200);
  expect(listAt(await ask("GET /vps?page=99"), "data")).toHaveLength(0);
});

test("a list keeps to the contract for any page and limit", async () => {
  const { ask } = await createPractice();
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.oneof(fc.string(), fc.nat(999).map(String)), async (page, limit) => {
      const query = new URLSearchParams({ page, limit });
      const { status } = await ask(`GET /vps?${query}`);
      expect([200, 400]).toContain(status);
    }),
    { numRuns: 40 },
  );
});

test("a row leaves its capabilities out, the detail has them", async () => {
  const { ask } = await createPractice();
  expect(at(await ask("GET /vps?limit=1"), "data.0.capabilities")).toBeNull();
  expect(await ask("GET /vps/{web-1}")).toMatchObject(
    success({
      kind: "vps",
      billing: { amount: "20.0000" },
      project: { slug: "production" },
      capabilities: { actions: ["start", "shutdown", "reboot"], frozen: false },
      ip_addresses: [{ version: 4 }, { version: 6 }],
    }),
  );
});

test("the same names have the same ids at every start", async () => {
  const [one, two] = [await createPractice(), await createPractice()];
  expect(one.id("web-1")).toBe(two.id("web-1"));
  expect(one.platform.find("twin", 0).id).not.toBe(one.platform.find("twin", 1).id);
  expect(one.platform.find(one.id("web-1").slice(0, 8)).id).not.toBe(one.id("web-1"));
});

test("only a failed build tells its failure", async () => {
  const { ask } = await createPractice();
  expect(await ask("GET /vps/{failed-ip-capacity}")).toMatchObject(
    success({ status: "provisioning_failed", instance: null, failure: { code: "ip_capacity" } }),
  );
  expect(at(await ask("GET /vps/{web-1}"), "data.failure")).toBeNull();
});

test("a reboot is accepted as a job, goes down and comes back", async () => {
  const { ask, clock, platform } = await createPractice();
  const answer = await ask("POST /vps/{web-1}/reboot");
  expect(answer).toMatchObject(success({ completed: false, pending: true }));
  clock.skip(11_000);
  expect(platform.findVps("web-1").instance).toMatchObject({ state: "stopped" });
  clock.skip(20_000);
  expect(platform.findVps("web-1").instance).toMatchObject({ state: "running" });
});

test("a start that has nothing to do is complete at once", async () => {
  const { ask } = await createPractice();
  expect(await ask("POST /vps/{web-1}/start")).toMatchObject(success({ completed: true, pending: false }));
});

test.each(["stop", "shutdown", "power/poweroff"])("%s stops a machine", async (verb) => {
  const { ask, clock, platform } = await createPractice({ pace: 10 });
  await ask(`POST /vps/{web-1}/${verb}`);
  clock.skip(3_001);
  expect(platform.findVps("web-1").instance).toMatchObject({ state: "stopped" });
});

test("the eleventh power call in a minute waits, for this user and this server only", async () => {
  const { ask, clock } = await createPractice();
  for (let press = 0; press < 10; press += 1) await ask("POST /vps/{web-1}/start");
  const refused = await ask("POST /vps/{web-1}/start");
  expect(refused).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
  expect(String(at(refused, "retry_after_seconds"))).toBe(refused.headers.get("retry-after"));
  expect(await ask("POST /vps/{web-2}/start")).toMatchObject({ status: 200 });
  expect(await ask("POST /vps/{web-1}/start", { as: "ben" })).toMatchObject({ status: 200 });
  clock.skip(60_000);
  expect(await ask("POST /vps/{web-1}/start")).toMatchObject({ status: 200 });
});

test("a refused call costs no cool-down", async () => {
  const { ask, id, clock, platform } = await createPractice();
  platform.change(id("web-1"), { instance: { state: "stopped" } });
  expect(await ask("POST /vps/{web-1}/password", { body: strong })).toMatchObject(refusal(409, "CONFLICT"));
  platform.change(id("web-1"), { instance: { state: "running" } });
  const answer = await ask("POST /vps/{web-1}/password", { body: strong });
  expect(answer).toMatchObject(success({ available: true, user: "root" }));
  clock.skip(300_000);
  expect(await ask("POST /vps/{web-1}/password", { body: strong })).toMatchObject(
    refusal(429, "ACTION_RATE_LIMITED", { retry_after_seconds: expect.any(Number) }),
  );
});

test("a reinstall takes its image, works on, and ends with the new system", async () => {
  const { ask, clock, platform } = await createPractice();
  const images_ = listAt(await ask("GET /vps/{web-1}/os-images"), "data.templates");
  expect(images_).toContainEqual(images.ubuntu);
  const answer = await ask("POST /vps/{web-1}/reinstall", { body: { osImageId: images.ubuntu.id, ...strong } });
  expect(answer).toMatchObject(success({ job_id: expect.any(String) }));
  expect(platform.findVps("web-1")).toMatchObject({ os_installation_status: "in_progress" });
  expect(await ask("POST /vps/{web-1}/start")).toMatchObject(refusal(409, "CONFLICT"));
  clock.skip(180_001);
  expect(platform.findVps("web-1")).toMatchObject({
    os_installation_status: "completed",
    instance: { state: "running", os: images.ubuntu.name },
  });
});

test("a reinstall can fail", async () => {
  const { ask, id, clock, platform } = await createPractice();
  platform.failJob("reinstall", id("web-1"));
  await ask("POST /vps/{web-1}/reinstall", { body: { image_id: images.debian.id, ...strong } });
  clock.skip(180_001);
  expect(platform.findVps("web-1").os_installation_status).toBe("failed");
});

test("a machine whose product offers only a start is started, and so is another provider's without the VPS module", async () => {
  const { ask, platform } = await createPractice();
  expect(await ask("POST /vps/{start-only}/start")).toMatchObject({ status: 200 });
  expect(await ask("POST /vps/{plugin-1}/restart")).toMatchObject({ status: 200 });
  const body = { template: images.debian.id, ...strong };
  expect(await ask("POST /vps/{plugin-1}/reinstall", { body })).toMatchObject({ status: 200 });
  platform.settings.modules.native_vps = false;
  expect(await ask("GET /vps/{web-1}")).toMatchObject({ status: 200 });
  expect(await ask("POST /vps/{plugin-1}/start")).toMatchObject({ status: 200 });
});

test.each(["/vps/{web-1}", "/services/{arena-1}"])(
  "%s moves to another project, and back to the first",
  async (path) => {
    const { ask, platform } = await createPractice();
    const moved = () => platform.find(path.includes("web-1") ? "web-1" : "arena-1").project_id;
    expect(await ask(`PATCH ${path}`, { body: { projectId: "staging" } })).toMatchObject({ status: 200 });
    expect(moved()).toBe(platform.projectId("staging"));
    expect(await ask(`PATCH ${path}`, { body: { projectId: null } })).toMatchObject({ status: 200 });
    expect(moved()).toBe(platform.projectId("default"));
  },
);

test("a payload that the spec does not show has a shape that depends on the service", async () => {
  const { ask, platform } = await createPractice({ bulk: 20 });
  const layouts = async (part: string) => {
    const names = Array.from({ length: 20 }, (_, index) => `bulk-${String(index + 1).padStart(5, "0")}`);
    const answers = await Promise.all(names.map((name) => ask(`GET /vps/${platform.find(name).id}/${part}`)));
    return new Set(answers.map((answer) => layout(answer))).size;
  };
  expect([await layouts("stats"), await layouts("ips")]).toEqual([3, 2]);
});
