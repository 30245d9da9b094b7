import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";

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
