import fc from "fast-check";
import { expect, test } from "vitest";
import { path } from "../../../src/platform/http/path.ts";

test("a value is exactly one segment of the path, whatever it contains", () => {
  const wild = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string(),
    fc.constantFrom("../..", "a/../b", "%2e%2e", "?x=1", "#top", "a\\b", "\r\nHost: x", "\ud800"),
  );
  fc.assert(
    fc.property(wild, wild, (id, snapshotId) => {
      fc.pre(!["", ".", ".."].includes(id) && !["", ".", ".."].includes(snapshotId));
      const made = path("/vps/{id}/snapshots/{snapshotId}", { id, snapshotId });
      const url = new URL(`http://127.0.0.1/api/v1${made.path}`);

      expect(url.search + url.hash).toBe("");
      expect(url.pathname.split("/").slice(3).map(decodeURIComponent)).toEqual([
        "vps",
        id.toWellFormed(),
        "snapshots",
        snapshotId.toWellFormed(),
      ]);
      expect(made.route).toBe("/vps/{id}/snapshots/{snapshotId}");
    }),
  );
});

test.each(["", ".", ".."])("%j cannot be a segment: it would lead to another route", (id) => {
  expect(() => path("/vps/{id}", { id })).toThrowError(RangeError);
});
