import { pino } from "pino";
import { afterEach, beforeEach, describe } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import type { Store } from "../../src/storage/store.ts";
import { crashContract } from "./contract/crash.ts";
import { logContract } from "./contract/log.ts";
import { openingContract } from "./contract/opening.ts";
import { valuesContract } from "./contract/values.ts";
import { wakeupsContract } from "./contract/wakeups.ts";

/** Where a backend keeps one test's data. */
interface Place {
  url: string;
  remove(): Promise<void>;
}

/** What each test of the contract gets: an empty place, and the clock that every opening of it shares. */
export interface Scene {
  url: string;
  clock: SandboxClock;
  /** What the openings have logged, one JSON text a line. */
  lines: string[];
  /** Opens the place; it is closed after the test. */
  open(): Promise<Store>;
}

/** What every backend of the store must keep. `prepare` makes an empty place for one test. */
export function storeContract(name: string, prepare: () => Promise<Place>): void {
  describe(`the ${name} store`, () => {
    let place: Place;
    let current: Scene;
    let opened: Store[];

    beforeEach(async () => {
      place = await prepare();
      opened = [];
      const { url } = place;
      const clock = createSandboxClock();
      const lines: string[] = [];
      const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
      const stores = opened;
      current = {
        url,
        clock,
        lines,
        async open() {
          const store = await openStore({ url, clock, log });
          stores.push(store);
          return store;
        },
      };
    });

    afterEach(async () => {
      for (const store of opened) await store.close();
      await place.remove();
    });

    const scene = (): Scene => current;
    openingContract(scene);
    valuesContract(scene);
    logContract(scene);
    wakeupsContract(scene);
    crashContract(scene);
  });
}
