import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const longest = 100;
const mostDependencies = 7;
/** Rooms of the tree that a factory is given whole: what lies below everything, and the clock and the log that everybody has. */
const free = new Set(["clock", "log", "store", "seal"]);

/** Functions that are longer than anybody reads at once, and factories that are given more than anybody keeps in mind, as a sentence each. */
function faultsIn(name: string, code: string): string[] {
  const lines = code.split("\n");
  const faults: string[] = [];
  for (const [at, line] of lines.entries()) {
    const found = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)?.[1];
    if (!found) continue;
    const end = lines.indexOf("}", at);
    if (end - at + 1 > longest) faults.push(`${name}: ${found} has ${end - at + 1} lines`);
    const given = dependenciesOf(lines.slice(at, end + 1).join("\n"), code).filter((each) => !free.has(each));
    if (/^create/.test(found) && given.length > mostDependencies)
      faults.push(`${name}: ${found} is given ${given.length}: ${given.join(", ")}`);
  }
  return faults;
}

/** The names of what a factory takes in its one object: written beside it, or in an interface of the same file. */
function dependenciesOf(func: string, code: string): string[] {
  const head = func.slice(0, func.indexOf("\n}") + 1).split(/\): [^\n]*\{\n/)[0] ?? "";
  const named = /deps: (\w+)\)/.exec(func)?.[1];
  const body = named ? (new RegExp(`interface ${named} \\{\\n([\\s\\S]*?)\\n\\}`).exec(code)?.[1] ?? "") : head;
  return [...body.matchAll(/^ {2}(\w+)\??[:(]/gm)].map(([, member]) => member ?? "");
}

function sources(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, name));
}

describe("the house", () => {
  test(`has no function of more than ${longest} lines, and no factory that is given more than ${mostDependencies} things`, () => {
    expect(sources("src").flatMap((name) => faultsIn(name, readFileSync(name, "utf8")))).toEqual([]);
  });
});

describe("a made-up file", () => {
  const long = `export function read() {\n${"  read();\n".repeat(100)}}\n`;
  const inline = `export function createA(deps: {\n${[..."abcdefgh"].map((name) => `  ${name}: string;\n`).join("")}}): A {\n}\n`;
  const named = `interface Deps {\n${[..."abcdefgh"].map((name) => `  ${name}: string;\n`).join("")}}\n\nexport function createA(deps: Deps): A {\n}\n`;

  test.each([
    ["a long function", long, "has 102 lines"],
    ["a factory with eight things beside it", inline, "is given 8"],
    ["a factory with eight things in an interface", named, "is given 8"],
  ])("with %s is found", (_, code, fault) => {
    expect(faultsIn("a.ts", code).join()).toContain(fault);
  });

  test("with what everybody has is not", () => {
    expect(faultsIn("a.ts", inline.replace("  a: string;", "  clock: Clock;"))).toEqual([]);
  });
});
