import { readWatches, type Watch } from "../../alerts/watches/watch.ts";
import { notLinkedWords } from "../../members/access/access.ts";
import { type Agent, readAgents } from "../../members/identities/agents.ts";
import type { Links } from "../../members/identities/link.ts";
import { type Favourite, readFavourites } from "../../members/resources/favourites.ts";
import { type KindList, knownResources, type RefusedList, withoutRefused } from "../../members/resources/resources.ts";
import type { SavedCommand } from "../../members/settings/saved-commands.ts";
import { type Offer, offerTo } from "../../messages/answers/offer.ts";
import type { Step } from "../../operation/answer.ts";
import type { Registry } from "../../operation/registry.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { readAwayWords } from "../../operations/rackbell/away.ts";
import {
  type Downs,
  findDowns,
  type HomeResource,
  homeKinds,
  resourcesIn,
} from "../../operations/rackbell/home-kinds.ts";
import { readOnCallWords } from "../../operations/rackbell/oncall-words.ts";
import { visibleTo } from "../../operations/rackbell/saved.ts";
import { readSetupWords } from "../../operations/rackbell/setup.ts";
import { openTo, ownOpen, type VisiblePage } from "../../requests/lists.ts";
import type { MemberRef } from "../../requests/request.ts";
import type { VisibleRequest } from "../../requests/visibility.ts";

/** Requests on the Home tab at most. */
const mostWaiting = 5;

/** All data of the Home tab. */
export interface HomeData {
  links: Links;
  offer: Offer;
  registry: Registry;
  now: number;
  /** The lists of resources in the name index, and when each was read. */
  parts: KindList[];
  /** Reasons why some lists could not be read, as sentences. */
  unread: string[];
  /** The lists that the platform refuses. They are not among `parts`. */
  refused: RefusedList[];
  resources: HomeResource[];
  /** The machines that are down without an act that led there. */
  downs: Downs;
  waiting: Pick<VisiblePage, "shown" | "next">;
  /** The member's own open requests. */
  own: VisibleRequest[];
  favourites: Favourite[];
  watches: Watch[];
  /** The saved commands that the member may run. */
  saved: SavedCommand[];
  /** That the member is away, and whose stand-in they are. */
  away: { lines: string[]; next: Step[] };
  /** The people on call, and when the member is next. */
  onCall: { lines: string[]; next: Step[] };
  /** The member's agents. */
  agents: Agent[];
  /** The next step of the set-up in words, for an admin; null once all is done. */
  setup: string | null;
  /** The one thing that a member without a key does next. */
  notLinked: string;
}

/** Reads the data of the Home tab from the store and the name index, without calling the platform. */
export async function gatherHomeData(
  context: AppContext,
  viewer: MemberRef,
  { now, unread, refused }: Pick<HomeData, "now" | "unread" | "refused">,
): Promise<HomeData> {
  const { identities, registry, requests, agentsUrl } = context;
  const { member } = viewer;
  const links = await identities.links(member);
  const [known, waiting, own, favourites, watches, saved, away, onCall, agents, setup] = await Promise.all([
    knownResources(context, member, homeKinds),
    openTo(requests, viewer, { limit: mostWaiting, reading: false }),
    ownOpen(requests, viewer),
    readFavourites(context, member),
    readWatches(context, member),
    visibleTo(context, viewer, null),
    readAwayWords(context, viewer.slackUser, now),
    readOnCallWords(context, viewer.slackUser, now),
    agentsUrl === null ? [] : readAgents(context, member),
    readSetupWords(context, viewer),
  ]);
  const offer = offerTo(links, registry);
  const parts = withoutRefused(known, refused);
  const resources = resourcesIn(parts);
  const downs = await findDowns(context, resources);
  return {
    links,
    offer,
    registry,
    now,
    parts,
    unread,
    refused,
    resources,
    downs,
    waiting,
    own,
    favourites,
    watches,
    saved,
    away,
    onCall,
    agents,
    setup,
    notLinked: notLinkedWords(context),
  };
}
