import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Foundation } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";
import type { Mute } from "./mute.ts";
import { isOpenAt, opensAfter, spanAt } from "./spans.ts";

const Window = z.object({
  id: z.string(),
  machines: z.array(z.object({ id: z.string(), name: z.string() })),
  from: z.number(),
  until: z.number(),
  every: z.enum(["day", "week"]).nullable(),
  zone: z.string(),
  /** The Slack user who made it, and whether they were an admin then: rules respect the windows of admins alone. */
  by: z.string(),
  byAdmin: z.boolean(),
});
export type Window = z.infer<typeof Window>;
const WindowsRecord = z.object({ windows: z.array(Window) });

/** Maintenance windows of machines. They mute alerts, appear on the machine's details, and a rule may allow an act only within them. */
export interface Windows {
  /** The windows that are not over, the earliest first. */
  all(): Promise<Window[]>;
  /** Those of one machine. */
  of(machine: string): Promise<Window[]>;
  /** Null when the maximum number of windows is stored already. */
  add(window: Omit<Window, "id">): Promise<Window | null>;
  /** False where there is none. */
  remove(id: string): Promise<boolean>;
  /** True when an admin's window of that machine is open at a moment (milliseconds since the epoch). */
  isOpen(machine: string, at: number): Promise<boolean>;
  /** When the next of an admin's windows of that machine opens; null where none does. */
  opens(machine: string, after: number): Promise<number | null>;
  /** The mutes that the windows open at a moment set for these resources. */
  mutes(at: number, things: readonly string[]): Promise<Mute[]>;
}

const key = "workspace";
const most = 500;

const windowsKind = defineKind({ name: "windows", namespace: "windows", schema: WindowsRecord, version: 1 });

export function createWindows({ store, clock }: Foundation): Windows {
  const records = store.keyv(windowsKind);

  const kept = async () => (await records.get(key))?.windows ?? [];

  async function all(): Promise<Window[]> {
    const now = clock.now();
    const found = (await kept()).flatMap((window) => {
      const span = spanAt(window, now);
      return span ? [{ window, span }] : [];
    });
    return found.toSorted((a, b) => a.span.from - b.span.from).map(({ window }) => window);
  }

  // Computing spans is slow, and every command and alert needs them. So only the windows of this machine are computed.
  const ofAdmins = async (machine: string) =>
    (await kept()).filter((window) => window.byAdmin && isAbout(window, machine));

  return {
    all,
    of: async (machine) => (await all()).filter((window) => isAbout(window, machine)),
    async add(window) {
      const added = { id: randomUUID().slice(0, 8), ...window };
      let full = false;
      await update(store, windowsKind, key, (kept) => {
        const windows = standing(kept?.windows ?? [], clock.now());
        full = windows.length >= most;
        return full ? undefined : { windows: [...windows, added] };
      });
      return full ? null : added;
    },
    async remove(id) {
      let found = false;
      await update(store, windowsKind, key, (kept) => {
        const windows = kept?.windows ?? [];
        found = windows.some((window) => window.id === id);
        return found ? { windows: windows.filter((window) => window.id !== id) } : undefined;
      });
      return found;
    },
    isOpen: async (machine, at) => isOpenAt(await ofAdmins(machine), at),
    opens: async (machine, after) => opensAfter(await ofAdmins(machine), after),
    async mutes(at, things) {
      return (await kept()).flatMap((window) => {
        const about = window.machines.filter(({ id }) => things.includes(id));
        const span = about.length > 0 ? spanAt(window, at) : null;
        if (!span || span.from > at) return [];
        return about.map(({ id }) => ({ channel: null, about: id, until: span.until, by: window.by }));
      });
    },
  };
}

function isAbout({ machines }: Window, machine: string): boolean {
  return machines.some(({ id }) => id === machine);
}

function standing(windows: readonly Window[], now: number): Window[] {
  return windows.filter((window) => spanAt(window, now) !== null);
}
