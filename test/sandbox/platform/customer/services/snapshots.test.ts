import { expect, test } from "vitest";
import { at, createPractice, refusal, success, textAt } from "../../client.ts";

const list = (name: string) => `/vps/{${name}}/snapshots`;

test("restoring one names the newer ones that it destroys", async () => {
  const { ask } = await createPractice();
  expect(await ask(`GET ${list("web-1")}`)).toMatchObject(
    success({
      used: 3,
      max: 5,
      snapshots: [
        { name: "before-upgrade", destroys_on_restore: ["weekly-1", "weekly-2"], crash_consistent: false },
        { name: "weekly-1", destroys_on_restore: ["weekly-2"], crash_consistent: true },
        { name: "weekly-2", destroys_on_restore: [], crash_consistent: null, has_memory: false, restorable: true },
      ],
    }),
  );
});

test("a plan without snapshots has room for none", async () => {
  const { ask } = await createPractice();
  expect(await ask(`GET ${list("plan-without-snapshots")}`)).toMatchObject(success({ max: 0 }));
});

test("a snapshot is being created, then available, and only one disk job runs", async () => {
  const { ask, clock } = await createPractice();
  const created = await ask(`POST ${list("web-2")}`, { body: { name: "v1.0", description: "first" } });
  expect(created).toMatchObject(success({ snapshot: { name: "v1.0", status: "creating" }, pending: true }, 201));
  expect(await ask(`GET ${list("web-2")}`)).toMatchObject(
    success({ snapshots: [{ name: "clean", restorable: false }, { in_progress: true }] }),
  );
  expect(await ask(`POST ${list("web-2")}`, { body: { name: "v1.1" } })).toMatchObject(refusal(409, "CONFLICT"));
  clock.skip(40_001);
  expect(await ask(`GET ${list("web-2")}`)).toMatchObject(
    success({ snapshots: [{ restorable: true }, { status: "available", in_progress: false }] }),
  );
});

test("a revert wants the snapshot's own name, says what is lost, and destroys it", async () => {
  const { ask, clock, platform } = await createPractice();
  const snapshot = textAt(await ask(`GET ${list("web-1")}`), "data.snapshots.0.id");
  const path = `POST ${list("web-1")}/${snapshot}/revert`;
  const unconfirmed = await ask(path, { body: {} });
  expect(unconfirmed).toMatchObject(refusal(400, "BAD_REQUEST", { details: [{ field: "confirm" }] }));
  expect(textAt(unconfirmed, "error")).toContain("weekly-1, weekly-2");
  expect(await ask(path, { body: { confirm: "weekly-1" } })).toMatchObject({ status: 400 });

  expect(await ask(path, { body: { confirm: "before-upgrade" } })).toMatchObject({ status: 200 });
  expect(platform.findVps("web-1").snapshots[0]).toMatchObject({ status: "reverting" });
  clock.skip(60_001);
  expect(platform.findVps("web-1")).toMatchObject({
    snapshots: [{ name: "before-upgrade", status: "available" }],
    instance: { state: "running" },
  });
});

test("one that failed, or is gone from its host, cannot be restored", async () => {
  const { ask } = await createPractice();
  const rows = await ask(`GET ${list("db-1")}`);
  expect(at(rows, "data.snapshots.1.restorable")).toBe(false);
  for (const [index, name] of [
    [1, "nightly.2"],
    [2, "nightly.3"],
  ] as const) {
    const snapshot = textAt(rows, `data.snapshots.${index}.id`);
    const answer = await ask(`POST ${list("db-1")}/${snapshot}/revert`, { body: { confirm: name } });
    expect(answer).toMatchObject(refusal(409, "CONFLICT"));
  }
});

test("a deleted snapshot's row disappears once the work is done", async () => {
  const { ask, clock, platform } = await createPractice();
  const snapshot = textAt(await ask(`GET ${list("web-1")}`), "data.snapshots.1.id");
  expect(await ask(`DELETE ${list("web-1")}/${snapshot}`)).toMatchObject({ status: 200 });
  expect(platform.findVps("web-1").snapshots[1]).toMatchObject({ status: "deleting" });
  clock.skip(20_001);
  expect(platform.findVps("web-1").snapshots.map((one) => one.name)).toEqual(["before-upgrade", "weekly-2"]);
  expect(await ask(`DELETE ${list("web-1")}/${snapshot}`)).toMatchObject(refusal(404, "NOT_FOUND"));
});

test("work on a snapshot can fail, and the row carries the reason", async () => {
  const { ask, id, clock, platform } = await createPractice();
  platform.failJob("snapshot", id("web-2"));
  await ask(`POST ${list("web-2")}`, { body: { name: "v1" } });
  clock.skip(40_001);
  expect(await ask(`GET ${list("web-2")}`)).toMatchObject(
    success({ snapshots: [{}, { status: "error", in_progress: false, error: expect.any(String) }] }),
  );
});

test("a capture is accepted, then available", async () => {
  const { ask, clock } = await createPractice();
  const accepted = await ask("POST /vps/{web-2}/capture", { body: { name: "golden" } });
  expect(accepted).toMatchObject(success({ name: "golden", source_kind: "capture", status: "capturing" }, 202));
  const path = `GET /custom-images/${textAt(accepted, "data.id")}`;
  clock.skip(240_001);
  expect(await ask(path)).toMatchObject(success({ status: "available", virtual_size_bytes: 50 * 1024 ** 3 }));
  expect(at(await ask("GET /custom-images"), "data.0.name")).toBe("golden");
});

test("a capture that fails leaves an image in error", async () => {
  const { ask, id, platform, clock } = await createPractice();
  platform.failJob("capture", id("web-2"));
  const failing = textAt(await ask("POST /vps/{web-2}/capture", { body: { name: "golden" } }), "data.id");
  clock.skip(240_001);
  expect(await ask(`GET /custom-images/${failing}`)).toMatchObject(success({ status: "error" }));
});
