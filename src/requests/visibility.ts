import type { Access } from "../access/access.ts";
import type { NameIndex } from "../access/name-index.ts";
import type { People } from "../chat/people.ts";
import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import { memberBeside, personOf } from "../identities/person.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Window } from "../policy/maintenance-windows/windows.ts";
import { isCard, isShow } from "../resources/finder.ts";
import { lookAmongOwn } from "../resources/own-index.ts";
import { couldApprove } from "./audience.ts";
import { isToReview } from "./facets/override/record.ts";
import { isForRequesterAlone, isPublic, type Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/**
 * How much of a request a viewer may see. `whole`: all of it. `named`: the act and the requester, without reason, loss and addresses.
 * `waiting`: for admins, that something waits, from whom and where.
 */
export type Visibility = "whole" | "named" | "waiting" | "hidden";

export interface Viewer {
  member: string;
  slackUser: string;
}

/** A request in a list, with how much of it the viewer may see. */
export interface VisibleRequest {
  request: Request;
  visibility: Exclude<Visibility, "hidden">;
}

/** One viewer's access to requests. It reads each list and each right once, however many requests there are. */
export interface ViewerAccess {
  at(request: Request): Promise<Visibility>;
  /**
   * The machines of a maintenance window that the viewer may see: all of their own, else those that their keys list. Null if the window is
   * hidden. Admins see every window, if need be without machines.
   */
  machinesOf(window: Pick<Window, "by" | "machines">): Promise<Window["machines"] | null>;
  /** True if a list of the viewer's could not be read, so that they may see too little. */
  isIncomplete(): boolean;
}

/**
 * Decides how much of other people's requests a viewer sees (design section 4). If Slack or the platform does not answer, it stays hidden.
 */
export interface Visibilities {
  /** `reading`: whether the platform may be called for lists that were never read. */
  of(viewer: Viewer, options?: { reading?: boolean }): ViewerAccess;
  /** True if all readers of a channel may know that this was requested, and by whom. */
  isKnownIn(channel: string | null, request: Pick<Request, "origin" | "channel">): Promise<boolean>;
}

export function createVisibilities(deps: {
  requests: Pick<RequestStore, "targets">;
  registry: Registry;
  access: Pick<Access, "isAdmin" | "links" | "session">;
  identities: Pick<Identities, "links" | "person">;
  people: Pick<People, "channel" | "members">;
  nameIndex: NameIndex;
  clock: Clock;
}): Visibilities {
  const { requests, registry, access, identities, people } = deps;

  async function isOpenToAll(channel: string | null): Promise<boolean> {
    return channel !== null && (await people.channel(channel)).isPublic;
  }

  async function isMember(channel: string | null, { slackUser }: Viewer): Promise<boolean> {
    return channel !== null && ((await people.members(channel))?.has(slackUser) ?? false);
  }

  /** True if the viewer could approve it in its channel. Only for requests without a target, which no key can list. */
  async function mayApproveInChannel(request: Request, operation: PlatformOperation, viewer: Viewer): Promise<boolean> {
    if (request.mode !== "peer" || request.target !== null || request.bulk !== null) return false;
    const [asker, own] = await Promise.all([identities.links(request.member), identities.links(viewer.member)]);
    const confined = own.customer?.bound ?? null;
    if (confined !== null && confined.id !== request.project?.id) return false;
    const { originator, member, channel } = request;
    const others = originator === null ? [] : [await identities.person(memberBeside(member, originator))];
    return couldApprove(asker, own, operation, [personOf(asker), ...others]) && (await isMember(channel, viewer));
  }

  return {
    of(viewer, { reading = true } = {}) {
      const own = lookAmongOwn(deps, viewer.member, { reading });
      let admin: Promise<boolean> | null = null;
      function isAdmin(): Promise<boolean> {
        admin ??= access.isAdmin(viewer.slackUser).catch(() => false);
        return admin;
      }

      async function isListed(request: Request, operation: PlatformOperation): Promise<boolean> {
        const { id, target, bulk } = request;
        const ids = bulk ? (await requests.targets.read(id)).map((one) => one.id) : target ? [target.id] : [];
        return ids.length > 0 && (await own.listed(ids, [operation])).size === new Set(ids).size;
      }

      async function wasAsked(request: Request): Promise<boolean> {
        if (request.approvals.some(({ member }) => member === viewer.member)) return true;
        if (request.mode === "peer" && request.mention?.includes(`<@${viewer.slackUser}>`)) return true;
        // Every other admin is asked to review an emergency override.
        return isToReview(request) && request.glass?.slackUser !== viewer.slackUser && (await isAdmin());
      }

      /** Everybody could read the details of a request from a public channel. Others only in a channel that they are in. */
      async function mayReadDetails({ origin, channel }: Request): Promise<boolean> {
        if (await isOpenToAll(origin.channel)) return true;
        return (await isMember(origin.channel, viewer)) || (await isMember(channel, viewer));
      }

      return {
        async at(request) {
          const operation = registry.find(request.command);
          if (request.member === viewer.member || (await wasAsked(request))) return "whole";
          // A price is private, and a confirmation concerns nobody else before the act.
          if (isForRequesterAlone(request) && !isPublic(request)) return "hidden";
          if (operation && operation.api !== "app") {
            if (await mayApproveInChannel(request, operation, viewer)) return "whole";
            if (await isListed(request, operation)) return (await mayReadDetails(request)) ? "whole" : "named";
          }
          return (await isAdmin()) ? "waiting" : "hidden";
        },
        async machinesOf({ by, machines }) {
          if (by === viewer.slackUser) return machines;
          const ids = machines.map(({ id }) => id);
          const listed = await own.listed(ids, registry.all.filter(isShow).filter(isCard));
          const shown = machines.filter(({ id }) => listed.has(id));
          return shown.length > 0 || (await isAdmin()) ? shown : null;
        },
        isIncomplete: own.isIncomplete,
      };
    },
    async isKnownIn(channel, request) {
      const { origin } = request;
      return (
        (channel !== null && (channel === origin.channel || channel === request.channel)) || isOpenToAll(origin.channel)
      );
    },
  };
}
