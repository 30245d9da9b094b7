import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  disambiguated,
  entriesNamedIn,
  matchTarget,
  nearEntries,
  searchEntries,
} from "../../../src/members/access/resolve.ts";
import { splitWords } from "../../../src/members/access/words.ts";
import type { Entry } from "../../../src/operation/target.ts";

function entry(id: string, [name = "", ...aliases]: string[]): Entry {
  return { id, name, aliases, state: "running", project: "Default", detail: "" };
}

describe("the meaning of a target", () => {
  const web = entry("aaaaaaaa-1111-4000-8000-000000000001", ["web-1", "web-1.example.com", "192.0.2.10"]);
  const db = entry("bbbbbbbb-2222-4000-8000-000000000002", ["DB", "2001:db8::2"]);
  const small = entry("bbbbbbbb-3333-4000-8000-000000000003", ["db"]);
  const twin = entry("cccccccc-4444-4000-8000-000000000004", ["web-1", "192.0.2.11"]);
  const sly = entry("dddddddd-5555-4000-8000-000000000005", ["aaaaaaaa", "café"]);

  test.each([
    ["web-1.example.com", web],
    ["192.0.2.10", web],
    ["2001:DB8::2", db],
    [web.id, web],
    [web.id.toUpperCase(), web],
    [" DB ", db],
    ["db", small],
    ["Web-1.Example.com", web],
    ["bbbbbbbb-2", db],
    ["cafe\u0301", sly],
    ["*web-1.example.com*", web],
    ["_`web-1.example.com`_.", web],
    ["web-1.example.com.", web],
    ["192.0.2.10/24", web],
    ["192.0.2.10,", web],
    ["2001:0db8:0:0:0:0:0:2", db],
    ["2001:0db8:0000:0000:0000:0000:0000:0002/64", db],
  ])("%s means one", (typed, row) => {
    expect(matchTarget([web, db, small, sly], typed)).toEqual({ kind: "one", entry: row });
  });

  test.each([
    "no route to 2001:0db8:0:0:0:0:0:2",
    "lost [2001:db8::2]:443",
    "2001:DB8:0::2/64 is down.",
    "peer 2001:db8::2.",
  ])("an address is found however it is written: %s", (text) => {
    expect(entriesNamedIn([web, db], splitWords(text)).map((found) => found.entry)).toEqual([db]);
  });

  test("a name that is the beginning of another's id means the named one", () => {
    expect(matchTarget([web, sly], "aaaaaaaa")).toEqual({ kind: "one", entry: sly });
    expect(matchTarget([web], "aaaaaaaa")).toEqual({ kind: "one", entry: web });
  });

  test("two of one name, or of one beginning, are never guessed between", () => {
    expect(matchTarget([web, twin], "web-1")).toEqual({ kind: "ambiguous", entries: [web, twin] });
    expect(matchTarget([db, small], "bbbbbbbb")).toEqual({ kind: "ambiguous", entries: [db, small] });
    expect(matchTarget([db, small], "dB")).toEqual({ kind: "ambiguous", entries: [db, small] });
  });

  test.each(["web-1\u200b", "web-1\u2800", "web\u034f-1", " web-1", "\ufe0fweb-1"])(
    "%j and the name that it is shown as are never guessed between, and their lines differ",
    (name) => {
      const hidden = entry("eeeeeeee-6666-4000-8000-000000000006", [name]);
      const shown = entry("ffffffff-7777-4000-8000-000000000007", ["web-1"]);
      const entries = [hidden, shown];
      for (const typed of ["web-1", "WEB-1", name, "`web-1`"])
        expect.soft(matchTarget(entries, typed), typed).toEqual({ kind: "ambiguous", entries });
      expect(searchEntries(entries, "b-1")).toHaveLength(2);
      expect(disambiguated(entries).map(({ detail }) => detail)).toEqual(["id eeeeeeee…", "id ffffffff…"]);
    },
  );

  test("a name of which people see another form is found by what they see", () => {
    const named = entry("eeeeeeee-6666-4000-8000-000000000006", ["*the  ˋbig\u200b one*"]);
    for (const typed of ["*the `big one*", "∗the ˋbig one∗", "*THE ˋBIG one*"])
      expect.soft(matchTarget([named], typed), typed).toEqual({ kind: "one", entry: named });
    expect(entriesNamedIn([named], splitWords("See ∗the ˋbig one∗, please"))).toHaveLength(1);
    expect(nearEntries([named], "the ˋbig onee")).toEqual([named]);
  });

  test("a row that is listed twice is one", () => {
    expect(matchTarget([web, { ...web }], "web-1").kind).toBe("one");
  });

  test.each(["aaaaaaa", "web", "", " ", "aaaaaaaa-1111-4000-8000-0000000000011", "1111"])("%j means none", (typed) => {
    expect(matchTarget([web, db, small], typed)).toEqual({ kind: "none" });
  });

  test("any text either means nothing or a row that answers to it", () => {
    const name = fc.string({ unit: fc.constantFrom(..."aAbB-1"), minLength: 1, maxLength: 9 });
    const id = fc.string({ unit: fc.constantFrom(..."ab1"), minLength: 9, maxLength: 12 });
    const row = fc.tuple(id, fc.array(name, { maxLength: 3 })).map(([one, names]) => entry(one, names));
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: (one) => one.id }), name, (rows, typed) => {
        const answersTo = rows.filter(({ id, name: own, aliases }) => [id, own, ...aliases].includes(typed));
        const match = matchTarget(rows, typed);
        if (answersTo.length > 1) expect(match).toEqual({ kind: "ambiguous", entries: answersTo });
        if (answersTo.length === 1) expect(match).toEqual({ kind: "one", entry: answersTo[0] });
        if (match.kind === "ambiguous") expect(match.entries.length).toBeGreaterThan(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a search", () => {
  const rows = [entry("1", ["db-web"]), entry("2", ["web-2", "web-2.example.com"]), entry("3", ["mail", "192.0.2.7"])];

  test.each([
    ["web", ["2", "1"]],
    ["WEB-2.EX", ["2"]],
    ["192.0", ["3"]],
    ["nothing", []],
    ["", ["1", "3", "2"]],
  ])("for %j finds what holds it, what begins with it first", (query, ids) => {
    expect(searchEntries(rows, query).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ["db", ["1"]],
    ["0dbab1e", []],
    ["0dbab1e0", ["0dbab1e0-1111-4000-8000-0000000000db"]],
    ["ab1e0-1111", []],
  ])("for %j finds nothing by what an id happens to hold in its middle", (query, ids) => {
    const chance = entry("0dbab1e0-1111-4000-8000-0000000000db", ["stage"]);
    expect(searchEntries([...rows, chance], query).map(({ id }) => id)).toEqual(ids);
  });
});
