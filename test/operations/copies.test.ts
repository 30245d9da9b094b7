import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { CopyHandle, jobProgress, restoreOutcome } from "../../src/operations/kits/copies.ts";
import { restoreAnswer } from "../../src/platform/restore-answer.ts";

const copies = operations.filter((operation) => operation.api !== "app" && operation.copy);

test.each(copies.map((operation) => [operation.command, operation] as const))(
  "/%s can come first: it takes a name, and is followed until the copy is there",
  (_, operation) => {
    expect(operation.follow).toBeDefined();
    expect(Object.keys(operation.input.shape)).toContain("name");
    expect(operation.accept({ name: "web-1-20261128-3fa9c1" })).not.toHaveProperty("error");
  },
);

test("disks are captured and snapshots taken in both wings", () => {
  expect(copies.map(({ command }) => command).toSorted()).toEqual([
    "reseller service backup",
    "reseller service capture",
    "vps capture",
    "vps snapshot",
  ]);
});

const statuses = ["creating", "available", "reverting", "deleting", "error"];
const words = {
  job: "the job",
  working: "It runs.",
  failed: { state: "failed", text: "It failed." },
  ended: { state: "done", text: "It ended." },
} as const;

test("a job on a snapshot has ended only if its row shows more than before it, and is in doubt after two minutes", () => {
  const row = { name: "a", restorable: true, comes_back_running: true };
  for (const was of statuses)
    for (const status of statuses)
      for (const in_progress of [true, false])
        for (const begun of [true, false])
          for (const destroys of [[], ["b"]]) {
            const handle = CopyHandle.parse({ id: "1", name: "a", was, destroys, begun });
            const snapshot = { ...row, status, in_progress, destroys_on_restore: [] };
            const after = (elapsed: number) => jobProgress(snapshot, handle, { ...words, elapsed });
            const runs = in_progress || status === "reverting" || status === "deleting";
            const isShown = begun || status !== was || destroys.length > 0;
            const end = status === "error" ? words.failed : words.ended;
            if (runs) expect(after(1e9)).toMatchObject({ state: "working", handle: { begun: true } });
            else if (isShown) expect(after(3_000)).toEqual(end);
            else {
              expect(after(3_000)).toEqual({ state: "working", text: words.working });
              expect(after(121_000)).toMatchObject({ state: "done", endUnknown: true });
            }
          }
});

test("a job that the platform's answer showed running has ended once a list that may be late shows it no more", () => {
  const handle = CopyHandle.parse({ id: "1", name: "a", answered: true });
  const row = { name: "a", status: "available", in_progress: false, restorable: true, destroys_on_restore: [] };
  const after = (elapsed: number) => jobProgress({ ...row, comes_back_running: true }, handle, { ...words, elapsed });
  expect(after(20_000)).toEqual({ state: "working", text: words.working });
  expect(after(31_000)).toEqual(words.ended);
});

test("the answer to a restore says how far it is in each of its forms, and an unknown form refuses nothing", () => {
  const forms: [unknown, string | null][] = [
    [{ data: { completed: true, status: "available" } }, "over"],
    [{ data: { completed: false, state: "reverting" } }, "running"],
    [{ data: { snapshot: { status: "reverting" }, pending: true } }, "running"],
    [{ data: { snapshot: { in_progress: true } } }, "running"],
    ...[{ data: { pending: true } }, { data: [1] }, { data: { snapshot: 7, status: 1 } }, {}].map(
      (form): [unknown, null] => [form, null],
    ),
  ];
  for (const [form, is] of forms) expect(restoreAnswer.parse(form)).toBe(is);
});

test("a restore whose answer was lost is called done or not done only where all newer snapshots prove it", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
  fc.assert(
    fc.property(names, fc.option(names, { nil: undefined }), (before, now) => {
      const { is } = restoreOutcome(before, now);
      const allGone = before.length > 0 && now?.length === 0;
      const allThere = before.length > 0 && before.every((name) => now?.includes(name));
      expect(is).toBe(allGone ? "done" : allThere ? "not done" : "unsure");
    }),
  );
});
