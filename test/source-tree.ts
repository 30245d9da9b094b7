import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolder } from "./own-folder.ts";

/** A folder with these files, for one test. */
export function writeTree(tree: Readonly<Record<string, string>>): string {
  const root = ownFolder();
  for (const [name, code] of Object.entries(tree)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), code);
  }
  return root;
}

/** Files that import each other in a loop: each loop once, from file to file. `uses` has the imports of each file. */
export function circlesIn(uses: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>();
  const done = new Set<string>();
  function follow(name: string, path: string[]): void {
    const start = path.indexOf(name);
    if (start >= 0) circles.add([...path.slice(start), name].join(" -> "));
    if (start >= 0 || done.has(name)) return;
    for (const target of uses.get(name) ?? []) follow(target, [...path, name]);
    done.add(name);
  }
  for (const name of uses.keys()) follow(name, []);
  return [...circles];
}
