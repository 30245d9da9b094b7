import { type Logger, pino } from "pino";
import { afterEach, beforeEach, describe } from "vitest";
import type { Store, Values } from "../../src/storage/store.ts";
import { batchContract } from "./contract/batch.ts";
import { crashContract } from "./contract/crash.ts";
import { indexContract } from "./contract/index-members.ts";
import { lanesContract } from "./contract/lanes.ts";
import { locksContract } from "./contract/locks.ts";
import { logContract } from "./contract/log.ts";
import { logReadingContract } from "./contract/log-reading.ts";
import { openingContract } from "./contract/opening.ts";
import { pacesContract } from "./contract/paces.ts";
import { racesContract } from "./contract/races.ts";
import { valuesContract } from "./contract/values.ts";
import { wakeupsContract } from "./contract/wakeups.ts";

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
  /** Whether hours and months can pass in a moment. Tests that need it are left out where they cannot. */
  skipsTime: boolean;
}

/** Where a backend keeps one test's data. */
export interface Place {
  url: string;
  open(log: Logger): Promise<Store>;
  /** Ends an opening as the end of its process would: without a word, in the middle of whatever it did. */
  crash(store: Store): Promise<void>;
  /** The time that the openings go by. */
  now(): number;
  pass(ms: number): Promise<void>;
  /** Whatever is still open was closed before. */
  remove(): Promise<void>;
}

/** What each test of the contract gets. */
export interface Scene extends Omit<Place, "open" | "remove"> {
  facts: Facts;
  /** What the openings have logged, one JSON text a line. */
  lines: string[];
  /** Opens the place, once more if it is open; the opening is closed after the test. */
  open(): Promise<Store>;
}

/** The kinds of values that share one promise. */
export const kindsOfValues: [name: string, of: (store: Store, namespace: string) => Values][] = [
  ["values", (store, namespace) => store.values(namespace)],
  ["ephemeral values", (store, namespace) => store.ephemeral(namespace)],
];

/** What every backend of the store must keep. */
export function storeContract({ name, facts, prepare }: Backend): void {
  describe(`the ${name} store`, () => {
    let place: Place;
    let current: Scene;
    let opened: Set<Store>;

    beforeEach(async () => {
      place = await prepare();
      opened = new Set();
      const { url, now } = place;
      const lines: string[] = [];
      const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
      const stores = opened;
      current = {
        url,
        facts,
        lines,
        now,
        pass: (ms) => place.pass(ms),
        async open() {
          const store = await place.open(log);
          stores.add(store);
          return store;
        },
        async crash(store) {
          stores.delete(store);
          await place.crash(store);
        },
      };
    });

    afterEach(async () => {
      for (const store of opened) await store.close();
      await place.remove();
    });

    const scene = (): Scene => current;
    if (!facts.skipsTime) process.stdout.write(`The ${name} store: tests that let hours pass are left out.\n`);
    openingContract(scene);
    for (const [kind, of] of kindsOfValues) valuesContract(scene, kind, of);
    indexContract(scene);
    logContract(scene, facts);
    logReadingContract(scene);
    locksContract(scene);
    wakeupsContract(scene, facts);
    lanesContract(scene);
    pacesContract(scene);
    racesContract(scene);
    batchContract(scene);
    crashContract(scene);
  });
}
