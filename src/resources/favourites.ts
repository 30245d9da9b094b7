import * as z from "zod";
import type { Clock } from "../clock.ts";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";
import { update } from "../storage/update.ts";

/** One resource. `card` is the command that shows it; `name` is its name when it was starred. */
const Favourite = z.object({ card: z.string(), id: z.string(), name: z.string(), at: z.number() });
export type Favourite = z.infer<typeof Favourite>;
const FavouritesRecord = z.object({ things: z.array(Favourite) });

/** The Home tab has room for this many. */
export const mostFavourites = 20;

/** Each member's starred resources, stored until they remove them or leave. */
export interface Favourites {
  /** In the order in which they were starred. */
  of(member: string): Promise<Favourite[]>;
  /** Adds a favourite. "known" (it was one already) and "full" mean that nothing changed. */
  add(member: string, thing: Omit<Favourite, "at">): Promise<"added" | "known" | "full">;
  /** Removes a favourite and returns it; null when it was none. */
  remove(member: string, id: string): Promise<Favourite | null>;
  /** Erases all favourites of a member. */
  erase(member: string): Promise<void>;
}

const favouritesKind = defineKind({ name: "favourite", namespace: "favourites", schema: FavouritesRecord, version: 1 });

export function createFavourites({ store, clock }: { store: Store; clock: Clock }): Favourites {
  const records = store.keyv(favouritesKind);

  return {
    of: async (member) => (await records.get(member))?.things ?? [],
    async add(member, thing) {
      let outcome: "added" | "known" | "full" = "added";
      await update(store, favouritesKind, member, (before) => {
        const things = before?.things ?? [];
        outcome = things.some(({ id }) => id === thing.id) ? "known" : "added";
        if (outcome === "added" && things.length >= mostFavourites) outcome = "full";
        return outcome === "added" ? { things: [...things, { ...thing, at: clock.now() }] } : undefined;
      });
      return outcome;
    },
    async remove(member, id) {
      let removed: Favourite | null = null;
      await update(store, favouritesKind, member, (kept) => {
        removed = kept?.things.find((each) => each.id === id) ?? null;
        return kept && removed ? { things: kept.things.filter((each) => each.id !== id) } : undefined;
      });
      return removed;
    },
    async erase(member) {
      await records.delete(member);
    },
  };
}
