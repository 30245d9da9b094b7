import type { Step } from "../../operation/answer.ts";
import type { Act, PlatformOperation } from "../../operation/operation.ts";
import { topicOf } from "../../operation/registry.ts";
import type { Favourites } from "./favourites.ts";

/** What a member can keep of a thing whose card they look at; none where it is no card. */
export async function cardSteps(
  favourites: Favourites,
  member: string,
  { operation, act }: { operation: PlatformOperation; act: Act },
): Promise<Step[]> {
  const { target, command } = operation;
  if (!target?.card || !act.target || !command.endsWith(" show")) return [];
  const { id } = act.target;
  const input = { thing: thingText(target.card, id) };
  const starred = (await favourites.of(member)).some((each) => each.id === id);
  return [
    starred
      ? { label: "★ No favourite", command: "rackbell favourite remove", input }
      : { label: "☆ Favourite", command: "rackbell favourite", input },
  ];
}

/** A thing as it is typed where its kind is not plain: "vps 7c1f…". */
export function thingText(card: string, id: string): string {
  return `${topicOf({ command: card })} ${id}`;
}
