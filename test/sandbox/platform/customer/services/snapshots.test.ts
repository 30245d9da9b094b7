import { expect, test } from "vitest";
import { at, practice, refusal, success, textAt } from "../../client.ts";

const list = (id: string) => `/vps/${id}/snapshots`;

test("restoring one names the newer ones that it destroys", async () => {
  const { ask, id } = await practice();
  expect(await ask(`GET ${list(id("web-1"))}`)).toMatchObject(
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

test("a snapshot is being created, then available, and only one disk job runs", async () => {
  const { ask, id, clock } = await practice();
  const created = await ask(`POST ${list(id("web-2"))}`, { body: { name: "v1.0", description: "first" } });
  expect(created).toMatchObject(success({ snapshot: { name: "v1.0", status: "creating" }, pending: true }, 201));
  expect(await ask(`GET ${list(id("web-2"))}`)).toMatchObject(
    success({ snapshots: [{ name: "clean", restorable: false }, { in_progress: true }] }),
  );
  expect(await ask(`POST ${list(id("web-2"))}`, { body: { name: "v1.1" } })).toMatchObject(refusal(409, "CONFLICT"));
  clock.skip(40_001);
  expect(await ask(`GET ${list(id("web-2"))}`)).toMatchObject(
    success({ snapshots: [{ restorable: true }, { status: "available", in_progress: false }] }),
  );
});

test.each(["-leading", "with space", "ümlaut", "x".repeat(121), "", "auto-1"])(
  "the name %j is refused",
  async (name) => {
    const { ask, id } = await practice();
    expect(await ask(`POST ${list(id("web-2"))}`, { body: { name } })).toMatchObject(
      refusal(400, "BAD_REQUEST", { details: [{ field: "name" }] }),
    );
  },
);

test("a used name and a full plan are conflicts", async () => {
  const { ask, id } = await practice();
  expect(await ask(`POST ${list(id("web-2"))}`, { body: { name: "clean" } })).toMatchObject(refusal(409, "CONFLICT"));
  expect(await ask(`POST ${list(id("worker-3"))}`, { body: { name: "more" } })).toMatchObject(
    refusal(409, "CONFLICT", { error: "The maximum number of snapshots is reached" }),
  );
  expect(await ask(`GET ${list(id("plan-without-snapshots"))}`)).toMatchObject(success({ max: 0 }));
});

test("a suspended server does not even show its snapshots; one without the capability is refused", async () => {
  const { ask, id } = await practice();
  expect(await ask(`GET ${list(id("suspended-1"))}`)).toMatchObject(
    refusal(403, "FORBIDDEN", { error: "The service is suspended" }),
  );
  expect(await ask(`GET ${list(id("no-snapshots"))}`)).toMatchObject(refusal(403, "FORBIDDEN"));
});

test("a revert wants the snapshot's own name, says what is lost, and destroys it", async () => {
  const { ask, id, clock, platform } = await practice();
  const snapshot = textAt(await ask(`GET ${list(id("web-1"))}`), "data.snapshots.0.id");
  const path = `POST ${list(id("web-1"))}/${snapshot}/revert`;
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
  const { ask, id } = await practice();
  const rows = await ask(`GET ${list(id("db-1"))}`);
  expect(at(rows, "data.snapshots.1.restorable")).toBe(false);
  for (const [index, name] of [
    [1, "nightly.2"],
    [2, "nightly.3"],
  ] as const) {
    const snapshot = textAt(rows, `data.snapshots.${index}.id`);
    const answer = await ask(`POST ${list(id("db-1"))}/${snapshot}/revert`, { body: { confirm: name } });
    expect(answer).toMatchObject(refusal(409, "CONFLICT"));
  }
});

test("a deleted snapshot's row disappears once the work is done", async () => {
  const { ask, id, clock, platform } = await practice();
  const snapshot = textAt(await ask(`GET ${list(id("web-1"))}`), "data.snapshots.1.id");
  expect(await ask(`DELETE ${list(id("web-1"))}/${snapshot}`)).toMatchObject({ status: 200 });
  expect(platform.findVps("web-1").snapshots[1]).toMatchObject({ status: "deleting" });
  clock.skip(20_001);
  expect(platform.findVps("web-1").snapshots.map((one) => one.name)).toEqual(["before-upgrade", "weekly-2"]);
  expect(await ask(`DELETE ${list(id("web-1"))}/${snapshot}`)).toMatchObject(refusal(404, "NOT_FOUND"));
});

test("work on a snapshot can fail, and the row carries the reason", async () => {
  const { ask, id, clock, platform } = await practice();
  platform.failJob("snapshot", id("web-2"));
  await ask(`POST ${list(id("web-2"))}`, { body: { name: "v1" } });
  clock.skip(40_001);
  expect(await ask(`GET ${list(id("web-2"))}`)).toMatchObject(
    success({ snapshots: [{}, { status: "error", in_progress: false, error: expect.any(String) }] }),
  );
});

test("a capture is accepted, then available", async () => {
  const { ask, clock } = await practice();
  const accepted = await ask("POST /vps/{web-2}/capture", { body: { name: "golden" } });
  expect(accepted).toMatchObject(success({ name: "golden", source_kind: "capture", status: "capturing" }, 202));
  const path = `GET /custom-images/${textAt(accepted, "data.id")}`;
  clock.skip(240_001);
  expect(await ask(path)).toMatchObject(success({ status: "available", virtual_size_bytes: 50 * 1024 ** 3 }));
  expect(at(await ask("GET /custom-images"), "data.0.name")).toBe("golden");
});

test("a capture is refused where it cannot be", async () => {
  const { ask, id, platform, clock } = await practice();
  const capture = (name: string, image = "golden") => ask(`POST /vps/{${name}}/capture`, { body: { name: image } });
  expect(await capture("no-snapshots")).toMatchObject(refusal(403, "FORBIDDEN"));
  expect(await capture("suspended-1")).toMatchObject(refusal(403, "FORBIDDEN"));
  expect(await capture("build-2")).toMatchObject(refusal(409, "CONFLICT"));
  expect(await capture("moving-1")).toMatchObject(refusal(409, "CONFLICT"));
  expect(await capture("web-2", "golden-web")).toMatchObject(refusal(409, "CONFLICT"));
  platform.failJob("capture", id("web-2"));
  const failing = textAt(await capture("web-2"), "data.id");
  clock.skip(240_001);
  expect(await ask(`GET /custom-images/${failing}`)).toMatchObject(success({ status: "error" }));
  platform.settings.customImagesMax = 1;
  expect(await capture("web-2", "one-more")).toMatchObject(refusal(409, "CONFLICT"));
});
