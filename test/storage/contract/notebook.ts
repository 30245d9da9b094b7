import { expect, vi } from "vitest";
import type { Store, Timers } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";

export const patience = { timeout: 20_000, interval: 5 };

export interface Notebook {
  store: Store;
  timers: Timers;
  /** The ids in the order in which they ran. */
  ran: string[];
  /** Resolves once everything that fell due before has begun. */
  settled(): Promise<void>;
}

/** A started opening that notes each run of "note:…" ids. */
export async function openNotebook(scene: Scene): Promise<Notebook> {
  const store = await scene.open();
  const { timers } = store;
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.start();
  let count = 0;

  async function settled(): Promise<void> {
    count += 1;
    const id = `note:settled ${count}`;
    // Asked for last, so that it runs last.
    await timers.set(id, scene.now());
    await vi.waitFor(() => expect(ran).toContain(id), patience);
    ran.splice(ran.indexOf(id), 1);
  }

  return { store, timers, ran, settled };
}
