import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../src/operations/index.ts";
import { referenceOf } from "../src/slack/catalogue.ts";

interface Size {
  files: number;
  lines: number;
}

/** The TypeScript, JavaScript and Lua files below a folder of the tree, with their lines. Documents do not count. */
function measure(folder: string): Size {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => isCode(name));
  const lines = names.reduce((sum, name) => sum + lineCount(join(folder, name)), 0);
  return { files: names.length, lines };
}

function isCode(name: string): boolean {
  return /\.(ts|js|lua)$/.test(name);
}

function lineCount(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}

function sum(sizes: Iterable<Size>): Size {
  const all = [...sizes];
  const of = (key: keyof Size) => all.reduce((total, size) => total + size[key], 0);
  return { files: of("files"), lines: of("lines") };
}

const entries = readdirSync("src", { withFileTypes: true });
const rooms = new Map(
  entries.filter((entry) => entry.isDirectory()).map(({ name }) => [name, measure(join("src", name))]),
);
const loose = entries.filter((entry) => entry.isFile() && isCode(entry.name)).map(({ name }) => name);
rooms.set("(loose)", {
  files: loose.length,
  lines: loose.reduce((total, name) => total + lineCount(join("src", name)), 0),
});
const beside = ["sandbox", "guide"];
const product = sum([...rooms].filter(([name]) => !beside.includes(name)).map(([, size]) => size));

const commands = referenceOf(registry)
  .split("\n")
  .filter((line) => line.startsWith("| `/"));
const own = commands.filter((line) => line.startsWith("| `/rackbell "));

/** Prints the size of the tree in which it is started: `npm run -s count`. */
for (const [room, { files, lines }] of rooms)
  process.stdout.write(`${room.padEnd(16)}${files} files, ${lines} lines\n`);
process.stdout.write(
  [
    `product: ${product.files} files, ${product.lines} lines`,
    `rooms: ${rooms.size - 1 - beside.length} beside ${beside.join(" and ")}; loose files: ${loose.length}`,
    `sandbox: ${rooms.get("sandbox")?.lines} lines; tests: ${measure("test").lines} lines`,
    `commands: ${commands.length}, of Rackbell itself: ${own.length}`,
    "",
  ].join("\n"),
);
