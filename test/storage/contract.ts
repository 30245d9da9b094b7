import { AsyncLocalStorage } from "node:async_hooks";
import { type Logger, pino } from "pino";
import { aroundEach, describe } from "vitest";
import type { Store } from "../../src/storage/store.ts";
import { copyingContract } from "./contract/copying.ts";
import { crashContract } from "./contract/crash.ts";
import { expiryContract } from "./contract/expiry.ts";
import { goneContract } from "./contract/gone.ts";
import { indexContract } from "./contract/index-members.ts";
import { keyvContract } from "./contract/keyv.ts";
import { lanesContract } from "./contract/lanes.ts";
import { locksContract } from "./contract/locks.ts";
import { logContract } from "./contract/log.ts";
import { logReadingContract } from "./contract/log-reading.ts";
import { openingContract } from "./contract/opening.ts";
import { pacesContract } from "./contract/paces.ts";
import { racesContract } from "./contract/races.ts";
import { retentionContract } from "./contract/retention.ts";
import { timersContract } from "./contract/timers.ts";
import { transactContract } from "./contract/transact.ts";
import { type OtherProcess, type ProcessOptions, spawnProcess, type Task } from "./process.ts";

/** A backend as the contract meets it. */
export interface Backend {
  name: string;
  facts: Facts;
  /** An empty place for one test. */
  prepare(): Promise<Place>;
}

export interface Facts {
  /** The shortest time that a test lets anything last, in milliseconds: many times what a call takes. */
  unitMs: number;
  /** True if the test can skip hours and months. Tests that need this are left out elsewhere. */
  skipsTime: boolean;
}

/** The store of one test. */
export interface Place {
  url: string;
  prefix: string;
  open(log: Logger): Promise<Store>;
  /** Ends an opening at once, as a crash would. */
  crash(store: Store): Promise<void>;
  /** Has the other openings take this one for gone although it lives, as after it stood still. */
  giveUp(store: Store): Promise<void>;
  /** The time that the openings go by. */
  now(): number;
  pass(ms: number): Promise<void>;
  /** Removes the data. Every opening was closed before. */
  remove(): Promise<void>;
}

/** The parameters of each test of the contract. */
export interface Scene extends Pick<Place, "crash" | "giveUp" | "now" | "pass"> {
  facts: Facts;
  /** The log of all openings, one JSON text a line. */
  lines: string[];
  /** Opens the place, once more if it is open; the opening is closed after the test. */
  open(): Promise<Store>;
  openTwo(): Promise<[Store, Store]>;
  place: Pick<Place, "url" | "prefix">;
  /** Another empty place, which the test removes. */
  another(): Promise<Place>;
  /** Starts a real second process on the place; it is killed after the test. */
  start(task: Task, options?: Pick<ProcessOptions, "again">): OtherProcess;
}

/** Records promise nearly the same, however they last. */
const waysToLast = [
  ["on disk", "disk"],
  ["on disk, soon", "soon"],
  ["in memory", "memory"],
] as const;

/** The contract of the store, for every backend. */
export function storeContract({ name, facts, prepare }: Backend): void {
  describe(`the ${name} store`, () => {
    const scenes = new AsyncLocalStorage<Scene>();

    aroundEach(async (runTest) => {
      const place = await prepare();
      const { scene, end } = setUp(place, facts, prepare);
      try {
        await scenes.run(scene, runTest);
      } finally {
        await end();
        await place.remove();
      }
    });

    function scene(): Scene {
      const current = scenes.getStore();
      if (!current) throw new Error("There is a scene for each test, and none outside of them.");
      return current;
    }

    if (!facts.skipsTime) process.stdout.write(`The ${name} store: tests that let hours pass are left out.\n`);
    openingContract(scene);
    for (const [where, lasts] of waysToLast) keyvContract(scene, where, lasts);
    indexContract(scene);
    logContract(scene);
    logReadingContract(scene);
    racesContract(scene);
    transactContract(scene);
    crashContract(scene);
    copyingContract(scene);
    // Tests that must wait in real time run concurrently.
    const together = facts.skipsTime ? describe : describe.concurrent;
    together("as time passes", () => {
      for (const [where, lasts] of waysToLast) expiryContract(scene, where, lasts);
      retentionContract(scene, facts);
      locksContract(scene);
      timersContract(scene, facts);
      lanesContract(scene);
      pacesContract(scene);
      goneContract(scene);
    });
  });
}

/** One test's scene in its place, and what ends all that was opened and started in it. */
function setUp(
  { url, prefix, now, ...place }: Place,
  facts: Facts,
  another: () => Promise<Place>,
): { scene: Scene; end(): Promise<void> } {
  const opened = new Set<Store>();
  const started = new Set<OtherProcess>();
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });

  async function open(): Promise<Store> {
    const store = await place.open(log);
    opened.add(store);
    return store;
  }

  const scene: Scene = {
    facts,
    lines,
    now,
    pass: place.pass,
    giveUp: place.giveUp,
    place: { url, prefix },
    another,
    open,
    openTwo: async () => [await open(), await open()],
    async crash(store) {
      opened.delete(store);
      await place.crash(store);
    },
    start(task, options = {}) {
      const process = spawnProcess(url, task, { ...options, prefix });
      started.add(process);
      return process;
    },
  };

  async function end(): Promise<void> {
    for (const process of started) await process.kill();
    for (const store of opened) await store.close();
  }

  return { scene, end };
}
