import { topicOf } from "../operation/registry.ts";

/** A resource as typed where its kind is not clear: "vps 7c1f…". `card`: the command that shows it. */
export function resourceText(card: string, id: string): string {
  return `${topicOf({ command: card })} ${id}`;
}
