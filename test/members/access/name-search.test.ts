import { expect, test } from "vitest";
import { searchedWords } from "../../../src/members/access/name-search.ts";
import type { Entry } from "../../../src/operation/target.ts";

const minute = 60_000;

function list(ids: string[], at: number) {
  const entries = ids.map((id): Entry => ({ id, name: id, aliases: [], state: "", project: "", detail: "" }));
  return { listing: async () => ({ entries, unnamed: 0, at }) };
}

test("a name that no list has is answered with the number of all resources, each once, and the oldest list's age", async () => {
  const lists = [list(["vps-1", "vps-2", "hosting-1"], 5 * minute), list(["vps-1", "vps-2"], 2 * minute)];
  expect(await searchedWords(lists, [], 6 * minute)).toBe("Rackbell read the list of your 3 resources 4 min ago.");
  expect(await searchedWords(lists, ["invoices", "proformas"], 6 * minute)).toBe(
    "Rackbell read the list of your 3 resources 4 min ago. Rackbell could not search the invoices and proformas: the platform refuses to list them.",
  );
  expect(await searchedWords([], [], 0)).toBe("");
});
