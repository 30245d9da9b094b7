import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";

test("balances, saved cards and the files of a game server are offered to no channel", () => {
  const personal = operations.filter((operation) => operation.api !== "app" && operation.personal);
  expect(personal.map(({ command }) => command).toSorted()).toEqual([
    "billing account",
    "billing balance",
    "billing transactions",
    "billing usage",
    "reseller game file contents",
    "reseller game file download",
    "reseller game file read",
    "reseller game files",
    "reseller payment list",
  ]);
});
