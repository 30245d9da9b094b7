import { expect, test } from "vitest";
import { mentions } from "../../src/operations/kits/mentions.ts";

test("a service that is called like a field of a document is not found in every document", () => {
  expect(mentions({ invoice: { status: "unpaid", total: "5.00" } }, ["invoice", "status", "total"])).toBe(false);
});

test("a short name is not found in another's host name, and is found as a word of its own", () => {
  expect(mentions({ items: [{ description: "Renewal of db.example.test" }] }, ["db"])).toBe(false);
  expect(mentions({ items: [{ description: "Renewal of web-db" }] }, ["db"])).toBe(false);
  expect(mentions({ items: [{ description: "Renewal of db." }] }, ["db"])).toBe(true);
});

test("a name with signs in it is found as it is, and nothing is found by no name", () => {
  expect(mentions({ description: 'Renewal of "a+b" (c)' }, ["a+b"])).toBe(true);
  expect(mentions({ description: "Renewal of aab" }, ["a+b"])).toBe(false);
  expect(mentions({ description: "anything" }, [null, undefined, ""])).toBe(false);
});
