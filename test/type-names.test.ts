import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Participles and the like, which do not say what the value is. */
const emptyNames = "Kept Known Named Told Asked Noted Wanted Held About Side News Round Who".split(" ");

/** Folders that mirror each other: a name means the same in both. The first that fits a file counts. */
const twins = [
  { folders: ["src/platform/customer/", "src/platform/reseller/"] },
  { folders: ["src/operations/reseller/", "src/operations/"] },
  { folders: ["src/storage/sqlite/", "src/storage/redis/"] },
];

interface Declaration {
  name: string;
  file: string;
}

function declarations(files: readonly string[], pattern: RegExp): Declaration[] {
  return files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name = ""]) => ({ name, file })),
  );
}

function areTwins(files: readonly string[]): boolean {
  return twins.some(({ folders }) => {
    const places = files.map((file) => folders.findIndex((folder) => file.startsWith(folder)));
    return !places.includes(-1) && new Set(places).size === places.length;
  });
}

/** The names that several files declare which are no twins, each with its files. */
function doubledIn(declared: readonly Declaration[]): string[] {
  const filesOf = new Map(
    [...Map.groupBy(declared, ({ name }) => name)].map(([name, all]) => [name, new Set(all.map(({ file }) => file))]),
  );
  const doubled = [...filesOf].filter(([, all]) => all.size > 1 && !areTwins([...all]));
  return doubled.map(([name, all]) => `${name}: ${[...all].join(", ")}`);
}

test("no type in the whole tree has a name that only says that something was done with it", () => {
  const all = declarations(globSync(["src/**/*.ts", "test/**/*.ts"]), /^(?:export )?(?:interface|type|class) (\w+)/gm);
  expect(all.length).toBeGreaterThan(1_000);
  expect(all.filter(({ name }) => emptyNames.includes(name))).toEqual([]);
});

test("no file of the app has a word that the glossary replaced", () => {
  const replaced = /\b(wings?|narrowing|told|wizard)\b/i;
  const lines = globSync("src/**/*.ts", { exclude: ["src/sandbox/**"] }).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => (replaced.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(lines).toEqual([]);
});

test("a type that the app exports means one thing: no other file exports the name, but a twin's", () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.startsWith("src/sandbox/"));
  const exported = declarations(files, /^export (?:interface|type|class|const) ([A-Z]\w*)/gm);
  expect(exported.length).toBeGreaterThan(500);
  expect(doubledIn(exported)).toEqual([]);
});

/** The declarations in `operations/` have the names of their verbs, under the folder of their noun: only functions count there. */
const exportedValue = /^export (?:async )?(?:function\*? ?|const )([a-z]\w*)/gm;
const exportedFunction = /^export (?:async )?function\*? ?([a-z]\w*)/gm;

test("a function that the app exports does one thing: no other file exports the name, but a twin's", () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.startsWith("src/sandbox/"));
  const exported = [
    ...declarations(
      files.filter((file) => !file.startsWith("src/operations/")),
      exportedValue,
    ),
    ...declarations(
      files.filter((file) => file.startsWith("src/operations/")),
      exportedFunction,
    ),
  ];
  expect(exported.length).toBeGreaterThan(1_500);
  expect(doubledIn(exported)).toEqual([]);
});
