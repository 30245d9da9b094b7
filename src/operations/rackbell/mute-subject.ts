import { newestEvents, searchTermsOf } from "../../alerts/event-log.ts";
import { resourceName } from "../../alerts/view.ts";
import { knownResources, readResources } from "../../members/resources/resources.ts";
import { wrongInput } from "../../operation/errors.ts";
import { nearest } from "../../operation/nearest.ts";
import { indexedKindOf } from "../../operation/target.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { clip, listing, oneLine } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { customer } from "../reseller/customer.ts";
import { homeKinds, isAllRead } from "./home-kinds.ts";

/** Milliseconds after which a list is read again. */
const old = 10 * 60_000;
/** How many of the newest events are searched for a name that is near to a typed one. */
const eventsSearched = 200;

const kinds = { ...homeKinds, reseller: [...homeKinds.reseller, indexedKindOf(customer)] };

/** The name that people know a muted resource by. Throws an InputError for a name that is nothing, with those that are near. */
export async function mutedName(context: AppContext, member: string, typed: string): Promise<string> {
  const [event] = await newestEvents(context, { about: typed, limit: 1 });
  if (event) {
    const { serviceId, orderId, documentId, imageId } = event.data;
    const isId = [serviceId, orderId, documentId, imageId].includes(typed);
    return isId ? (resourceName(event.event, event.data) ?? typed) : typed;
  }
  const { failed } = await readResources(context, member, kinds, { olderThan: old });
  const parts = await knownResources(context, member, kinds);
  const entries = parts.flatMap((part) => part.entries);
  const words = typed.toLowerCase();
  const found = entries.find(({ id, name, aliases }) =>
    [id, name, ...aliases].some((one) => characters(one).toLowerCase() === words),
  );
  if (found) return found.id === typed ? characters(found.name) : typed;
  // Without every list nobody knows that it is nothing.
  if (failed.length > 0 || !isAllRead(parts, [])) return typed;
  const logged = await newestEvents(context, { limit: eventsSearched });
  const names = [...entries.map(({ name }) => characters(name)), ...logged.flatMap(({ data }) => searchTermsOf(data))];
  const near = nearest(typed, names);
  const meant =
    near.length > 0
      ? ` Did you mean ${listing(
          near.map((name) => `“${name}”`),
          "or",
        )}?`
      : "";
  throw wrongInput(
    "about",
    plainly`Nothing is called “${clip(oneLine(typed), 60)}”: none of your resources, and no event of the last 30 days.${meant} Nothing was muted.`,
  );
}
