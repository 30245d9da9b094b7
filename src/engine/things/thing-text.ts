import { topicOf } from "../../operation/registry.ts";

/** A thing as it is typed where its kind is not plain: "vps 7c1f…". `card`: the command that shows it. */
export function thingText(card: string, id: string): string {
  return `${topicOf({ command: card })} ${id}`;
}
