import { type Offer, offerTo } from "../../engine/answers/offer.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { Request } from "../../engine/requests/request.ts";
import type { Favourite } from "../../engine/things/favourites.ts";
import type { Part } from "../../engine/things/things.ts";
import type { Watch } from "../../engine/watches/watch.ts";
import type { Links } from "../../identities/link.ts";
import type { Registry } from "../../operation/registry.ts";
import { homeKinds } from "./estate.ts";

/** Requests that Home has room for. */
const mostWaiting = 5;

/** All that the Home tab is drawn from. */
export interface Day {
  links: Links;
  offer: Offer;
  registry: Registry;
  now: number;
  /** What is known of the estate, and when that was read. */
  parts: Part[];
  /** Why some of it could not be read, as sentences. */
  unread: string[];
  waiting: { requests: Request[]; next: string | undefined };
  /** What the member asked for and is not ended. */
  own: Request[];
  favourites: Favourite[];
  watches: Watch[];
}

/** Gathers what is known by now, from the store and the directory: the platform is not called. */
export async function gatherDay(
  { access, registry, things, requests, favourites, watches }: AppContext,
  member: string,
  { now, unread }: Pick<Day, "now" | "unread">,
): Promise<Day> {
  const links = await access.links(member);
  const [parts, waiting, own, starred, watched] = await Promise.all([
    things.known(member, homeKinds),
    requests.openTo(member, { limit: mostWaiting }),
    requests.of(member),
    favourites.of(member),
    watches.of(member),
  ]);
  const offer = offerTo(links, registry);
  return { links, offer, registry, now, parts, unread, waiting, own, favourites: starred, watches: watched };
}
