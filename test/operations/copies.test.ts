import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { restoreOutcome } from "../../src/operations/kits/copies.ts";

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
