import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/process/clock.ts";
import { openStore } from "../../../src/storage/open.ts";
import { ownFolder } from "../../own-folder.ts";
import { createDraws, type Draws } from "../../torture/draws.ts";
import { raw } from "../raw.ts";
import { createTracedDisk } from "./traced-disk.ts";

const tracer = "strace";
const canTrace = spawnSync(tracer, ["-o", "/dev/null", "true"]).status === 0;
if (!canTrace)
  process.stdout.write("No strace was found: the tests of what a power cut leaves of the file are left out.\n");

const script = fileURLToPath(new URL("./cut-child.ts", import.meta.url));
const day = 86_400_000;
const records = 300;
const anywhere = 30;

/** Every call by which a process writes, flushes, makes, cuts and says, until it has confirmed so many records. */
async function trace(parent: string, folder: string): Promise<string> {
  const file = join(parent, "trace");
  const calls = "trace=pwrite64,write,fdatasync,fsync,openat,ftruncate,unlink";
  const args = ["-f", "-y", "-xx", "-s", "70000", "-e", calls, "-o", file, process.execPath, script];
  const child = spawn(tracer, [...args, join(folder, "store.db"), String(records)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.resume();
  await once(child, "close");
  return file;
}

describe.runIf(canTrace)("a power cut at any call of the process", () => {
  test("takes nothing that was confirmed, leaves each step whole or not at all, and no checkpoint gives up what is not on the disk", async () => {
    const parent = ownFolder();
    const folder = join(parent, "data");
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(await trace(parent, folder)) }))
      lines.push(line);
    const disk = createTracedDisk(folder);
    const places = placesIn(lines, createDraws(1));
    for (const [at, line] of lines.entries()) {
      disk.step(line);
      if (places.has(at)) await check(disk.cut(createDraws(at)), [...disk.said], join(parent, `cut ${at}`));
    }
    expect(disk.said).toHaveLength(records);
    // Once as the file was made, and then by checkpoints.
    expect(disk.calls.filter((call) => call === "fsync store.db").length).toBeGreaterThan(1);
    // No flush holds up the event loop.
    const [thread = ""] = lines[0]?.split(" ") ?? [];
    const own = lines
      .slice(lines.findIndex((line) => line.includes(" write(1<")))
      .filter((line) => line.startsWith(`${thread} `));
    expect(own.filter((line) => / f(data)?sync\(/.test(line))).toEqual([]);
    // The folder that was made keeps its name.
    const flushed = lines.findIndex((line) => line.includes(` fsync(`) && line.includes(`<${hex(parent)}>`));
    expect(flushed).toBeGreaterThan(0);
    expect(flushed).toBeLessThan(lines.findIndex((line) => line.includes(" write(1<")));
  });
});

/** Anywhere, and close together where the file begins, where something is first said and where a log begins anew. */
function placesIn(lines: string[], draws: Draws): Set<number> {
  const first = lines.findIndex((line) => line.includes(" pwrite64("));
  const said = lines.findIndex((line) => line.includes(" write(1<"));
  const begun = lines.flatMap((line, at) =>
    line.includes(hex("store.db-wal")) && / 0\) = 32$/.test(line) ? [at] : [],
  );
  const close = [first, said, ...begun].flatMap((at) => [0, 1, 2, 3, 4, 6, 9].map((later) => at + later));
  return new Set([...close, ...Array.from({ length: anywhere }, () => draws.between(first, lines.length - 1))]);
}

function hex(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Opens what is left, and looks for all that was said. */
async function check(files: Map<string, Buffer>, said: string[], folder: string): Promise<void> {
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const path = join(folder, "store.db");
  const store = await openStore({ url: `sqlite:${path}`, clock: systemClock, log: pino({ level: "silent" }) });
  const events = store.log("events", { retentionMs: day });
  const entries = await events.read({ after: "", limit: 100_000 });
  expect(entries.map(({ data }) => data)).toEqual(expect.arrayContaining(said.map((id) => ({ id }))));
  const records = await Promise.all(said.map((id) => store.keyv(raw("kept")).get(id)));
  expect(records).toEqual(said.map((id) => ({ id })));
  const again = entries.map(({ subjects }) => events.append({ at: 0, subjects: [], data: "again" }, subjects));
  expect((await Promise.all(again)).filter((id) => id !== null)).toEqual([]);
  await store.close();
  const db = new DatabaseSync(path);
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  db.close();
}
