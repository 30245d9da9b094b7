/** A second process for the tests: `node child.ts <store url> hold|write|transact|run <again> <prefix>`. It says on stdout, a line each, what it has done. */
import { flushCompileCache } from "node:module";
import { pino } from "pino";
import { systemClock } from "../../src/process/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { creating } from "../../src/storage/record.ts";
import type { Store } from "../../src/storage/store.ts";
import { raw } from "./raw.ts";

/** `again`: how much later a run asks to come again, in milliseconds. */
const [, , url = "", task = "", again = "0", prefix = "rackbell"] = process.argv;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Several writers at once, so that a kill falls between writes that wait together. */
async function write(store: Store): Promise<never> {
  const events = store.log("events", { retentionMs: 86_400_000 });
  const values = store.keyv(raw("kept"));
  async function lane(lane: number): Promise<never> {
    for (let count = 0; ; count += 1) {
      const id = `${lane}-${count}`;
      await events.append({ at: systemClock.now(), subjects: [id], data: { id } }, [id]);
      await values.set(id, { id });
      say(id);
    }
  }
  return Promise.race(Array.from({ length: 8 }, (_, index) => lane(index)));
}

/** Transactions in a row, each with an entry, a member and a timer. */
async function transact(store: Store): Promise<never> {
  for (let count = 0; ; count += 1) {
    const id = `id ${count}`;
    await store.transact({
      records: [creating(raw("kept"), id, { id })],
      log: [{ log: "events", retentionMs: 86_400_000, at: systemClock.now(), subjects: [id], data: { id } }],
      index: [{ name: "kept", member: id, score: count }],
      timers: [{ id: `kept:${id}`, at: systemClock.now() }],
    });
    say(id);
  }
}

async function run(store: Store): Promise<void> {
  store.timers.handle("follow:", async (id) => {
    await store.timers.set(id, systemClock.now() + Number(again));
    say(id);
    await new Promise(() => {});
  });
  await store.timers.set("follow:job", systemClock.now());
  await store.timers.start();
}

const store = await openStore({ url, prefix, clock: systemClock, log: pino({ level: "silent" }) });
say("open");
// It is killed at its end, which leaves it no time to: then every start would compile the store anew.
flushCompileCache();
if (task === "write") await write(store);
if (task === "transact") await transact(store);
if (task === "run") await run(store);
// Holds the process until it is killed.
setInterval(() => {}, 60_000);
