import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The namespaces of the kinds that a file declares, each by its text or by a constant of the file. Those of a linked key come in pairs. */
function namespacesIn(file: string): string[] {
  const code = readFileSync(file, "utf8");
  const textOf = (name = "") => new RegExp(`\\bconst ${name} = "([^"]+)"`).exec(code)?.[1];
  const declared = code.matchAll(/\b(\w+)\(\{\s+name: [^,]+,\s+namespace: (?:"([^"]+)"|`\$\{(\w+)\}([^`]+)`|(\w+)),/g);
  const found = [...declared].flatMap(([, maker, text, start, rest, name]) => {
    const namespace = text ?? (start ? `${textOf(start)}${rest}` : textOf(name));
    return maker === "defineKind" && namespace ? [namespace] : [];
  });
  const linked = [...code.matchAll(/\blinkKinds\(\{\s+namespace: "([^"]+)"/g)].map(([, namespace = ""]) => namespace);
  // The calls in `linkKinds` itself have no namespace of their own.
  const calls = code.match(/(?<!function )\b(defineKind\((?!link\)|\{ \.\.\.link)|linkKinds\()/g) ?? [];
  expect(found.length + linked.length, file).toBe(calls.length);
  return [...found, ...linked.flatMap((namespace) => [namespace, `${namespace}-retired`])];
}

test("each kind of record has a namespace of its own", () => {
  const all = globSync("src/**/*.ts").flatMap(namespacesIn);
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter((namespace, at) => all.indexOf(namespace) !== at)).toEqual([]);
});
