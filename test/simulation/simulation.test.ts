import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// In processes of its own: it replaces time, network and randomness for the whole of one.
async function simulate(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, ["test/simulation/main.ts", ...args], { maxBuffer: 64 * 2 ** 20 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout;
}

/** Commands of which every crash point is tried, in one process: its start takes longer than one of them. */
const enumerated = ["/vps cancel web-1", "@Rackbell vps start worker-2", "/vps password web-2"] as const;
let enumeration: Promise<string> | undefined;

async function enumerate(command: (typeof enumerated)[number]): Promise<string> {
  enumeration ??= simulate(...enumerated.flatMap((one) => ["--command", one]));
  const said = await enumeration;
  return said.split("\n").findLast((line) => line.startsWith(`${command}: `)) ?? said;
}

test("after a crash before any event, a cancellation is done at most once, and nobody waits for a word for ever", async () => {
  expect(await enumerate("/vps cancel web-1")).toMatch(/ \d\d+ runs, 0 with findings/);
}, 180_000);

test("after a crash before any event, a mention is carried out at most once, and its author gets a word", async () => {
  expect(await enumerate("@Rackbell vps start worker-2")).toMatch(/ \d\d+ runs, 0 with findings/);
}, 180_000);

test("after a crash before any event, a new password is set once and lost to nobody", async () => {
  expect(await enumerate("/vps password web-2")).toMatch(/ \d\d+ runs, 0 with findings/);
}, 180_000);

test("each operation that writes is among the commands of which every crash point can be tried, and writes there", async () => {
  const said = await simulate("--written");
  expect(said, said).toMatch(/^\d{3} commands, 0 with findings$/m);
}, 180_000);

test("the kept seeds and plans find nothing any more, and reach every state of a request, every kind of fault and every kind of action", async () => {
  const said = await simulate("--corpus");
  expect(said).toContain(", 0 with findings");
  expect(said).toContain("all that can be reached was reached");
}, 180_000);

test("each oracle finds the world that is broken for it, and no other oracle does", async () => {
  const said = await simulate("--sabotage");
  expect(said, said).not.toContain("not found");
  expect(said.match(/found, and by it alone/g)?.length, said).toBeGreaterThan(20);
}, 180_000);

/**
 * A seed that comes from the product's code: each change is tried with others, and a failure comes again on any machine until it is mended.
 * Seeds from the clock would make an unrelated change red once, and nobody could repeat it from its commit.
 */
function seedOfCode(): number {
  const hash = createHash("sha256");
  for (const file of globSync("src/**/*.ts").toSorted()) hash.update(readFileSync(file));
  return hash.digest().readUIntBE(0, 6) % 1_000_000_000;
}

test("seeds that nobody has had find nothing", async () => {
  const said = await simulate("--runs", "30", "--seed", String(seedOfCode()));
  expect(said, said).toContain("30 runs");
  expect(said, said).toContain(", 0 with findings");
}, 180_000);

test("a seed gives the same events in any process, another seed others", async () => {
  const [one, same, other] = await Promise.all([
    simulate("--seed", "31048"),
    simulate("--seed", "31048"),
    simulate("--seed", "31078"),
  ]);
  expect(one).toContain("*** the app dies");
  expect(same).toBe(one);
  expect(other).not.toBe(one);
}, 180_000);
