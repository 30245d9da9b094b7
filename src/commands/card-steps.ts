import { readWatches } from "../alerts/watches/watch.ts";
import { readFavourites, resourceText } from "../members/resources/favourites.ts";
import type { Act } from "../operation/act.ts";
import type { Step } from "../operation/answer.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Store } from "../storage/store.ts";

/** Favourite and watch buttons for a resource's details; none for any other answer. */
export async function cardSteps(
  app: { store: Store },
  member: string,
  { operation, act }: { operation: PlatformOperation; act: Act },
): Promise<Step[]> {
  const { target, command } = operation;
  if (!target?.card || !act.target || !command.endsWith(" show")) return [];
  const { id } = act.target;
  const input = { thing: resourceText(target.card, id) };
  const starred = (await readFavourites(app, member)).some((each) => each.id === id);
  const watched = (await readWatches(app, member)).some((each) => each.target.id === id);
  return [
    starred
      ? { label: "Remove from favourites", command: "rackbell star", input: { ...input, remove: true } }
      : { label: "Add to favourites", command: "rackbell star", input },
    watched
      ? { label: "Stop watching", command: "rackbell watch", input: { ...input, stop: true } }
      : { label: "Watch", command: "rackbell watch", input },
  ];
}
