import * as z from "#zod";
import { topicOf } from "../../operation/registry.ts";
import { PlainText } from "../../process/plain-text.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";

/** One resource. `card` is the command that shows it; `name` is its name when it was starred. */
const Favourite = z.object({ card: z.string(), id: z.string(), name: PlainText, at: z.number() });
export type Favourite = z.infer<typeof Favourite>;
const FavouritesRecord = z.object({ things: z.array(Favourite) });

/** A resource as typed where its kind is not clear: "vps 7c1f…". `card`: the command that shows it. */
export function resourceText(card: string, id: string): string {
  return `${topicOf({ command: card })} ${id}`;
}

/** The Home tab has room for this many. */
export const mostFavourites = 20;

// Each member's starred resources, stored until they remove them or leave.

const favouritesKind = defineKind({ name: "favourite", namespace: "favourites", schema: FavouritesRecord });

/** In the order in which the member starred them. */
export async function readFavourites({ store }: StoreApp, member: string): Promise<Favourite[]> {
  return (await store.keyv(favouritesKind).get(member))?.things ?? [];
}

/** "known" (it was a favourite already) and "full" mean that nothing changed. */
export async function addFavourite(
  { store, clock }: TimedApp,
  member: string,
  favourite: Omit<Favourite, "at">,
): Promise<"added" | "known" | "full"> {
  let outcome: "added" | "known" | "full" = "added";
  await update(store, favouritesKind, member, (before) => {
    const things = before?.things ?? [];
    outcome = things.some(({ id }) => id === favourite.id) ? "known" : "added";
    if (outcome === "added" && things.length >= mostFavourites) outcome = "full";
    return outcome === "added" ? { things: [...things, { ...favourite, at: clock.now() }] } : undefined;
  });
  return outcome;
}

/** Removes a favourite and returns it; null when it was none. */
export async function removeFavourite({ store }: StoreApp, member: string, id: string): Promise<Favourite | null> {
  let removed: Favourite | null = null;
  await update(store, favouritesKind, member, (kept) => {
    removed = kept?.things.find((each) => each.id === id) ?? null;
    return kept && removed ? { things: kept.things.filter((each) => each.id !== id) } : undefined;
  });
  return removed;
}

/** Erases all favourites of a member. */
export async function forgetFavourites({ store }: StoreApp, member: string): Promise<void> {
  await store.keyv(favouritesKind).delete(member);
}
