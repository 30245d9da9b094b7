import { isAdmin } from "../access/admins.ts";
import { memberBeside, personOf } from "../identities/person.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Window } from "../policy/maintenance-windows/windows.ts";
import { isCard, isShow } from "../resources/finder.ts";
import { lookAmongOwn } from "../resources/own-index.ts";
import type { RequestsApp } from "./app.ts";
import { couldApprove } from "./audience.ts";
import { operationOf } from "./checks.ts";
import { readTargets } from "./facets/bulk/targets.ts";
import { isToReview } from "./facets/override/record.ts";
import { isSeenByRequesterAlone, type MemberRef, type Request } from "./request.ts";

/**
 * How much of a request a viewer may see. `whole`: all of it. `named`: the act and the requester, without reason, loss and addresses.
 * `waiting`: for admins, that something waits, from whom and where.
 */
export type Visibility = "whole" | "named" | "waiting" | "hidden";

/** A request in a list, with how much of it the viewer may see. */
export interface VisibleRequest {
  request: Request;
  visibility: Exclude<Visibility, "hidden">;
  /** True for the viewer's own request. */
  isOwn: boolean;
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

/** The parts of the app that decide it. */
type VisibilityApp = Pick<
  RequestsApp,
  "store" | "registry" | "identities" | "people" | "namedAdmins" | "linkMaxAgeMs" | "nameIndex" | "clock"
>;

/**
 * One viewer's access to requests. If Slack or the platform does not answer, they stay hidden. `reading`: whether the
 * platform may be called for lists that were never read.
 */
export function accessOf(app: VisibilityApp, viewer: MemberRef, { reading = true } = {}): ViewerAccess {
  const { registry } = app;
  const own = lookAmongOwn(app, viewer.member, { reading });
  let admin: Promise<boolean> | null = null;
  function isViewerAdmin(): Promise<boolean> {
    admin ??= isAdmin(app, viewer.slackUser).catch(() => false);
    return admin;
  }

  async function isListed(request: Request, operation: PlatformOperation): Promise<boolean> {
    const { id, target, bulk } = request;
    const ids = bulk ? (await readTargets(app, id)).map((one) => one.id) : target ? [target.id] : [];
    return ids.length > 0 && (await own.listed(ids, [operation])).size === new Set(ids).size;
  }

  async function wasAsked(request: Request): Promise<boolean> {
    if (request.approvals.some(({ member }) => member === viewer.member)) return true;
    if (request.approvers?.mention?.includes(`<@${viewer.slackUser}>`)) return true;
    // Every other admin is asked to review an emergency override.
    return isToReview(request) && request.override?.slackUser !== viewer.slackUser && (await isViewerAdmin());
  }

  return {
    async at(request) {
      const operation = operationOf(app, request);
      if (request.requester.member === viewer.member || (await wasAsked(request))) return "whole";
      // A price is private, and a confirmation concerns nobody else before the act.
      if (isSeenByRequesterAlone(request)) return "hidden";
      if (operation) {
        if (await mayApproveInChannel(app, request, operation, viewer)) return "whole";
        if (await isListed(request, operation)) return (await mayReadDetails(app, request, viewer)) ? "whole" : "named";
      }
      return (await isViewerAdmin()) ? "waiting" : "hidden";
    },
    async machinesOf({ by, machines }) {
      if (by === viewer.slackUser) return machines;
      const ids = machines.map(({ id }) => id);
      const listed = await own.listed(ids, registry.all.filter(isShow).filter(isCard));
      const shown = machines.filter(({ id }) => listed.has(id));
      return shown.length > 0 || (await isViewerAdmin()) ? shown : null;
    },
    isIncomplete: own.isIncomplete,
  };
}

/** True if all readers of a channel may know that this was requested, and by whom. */
export async function isKnownIn(
  app: Pick<VisibilityApp, "people">,
  channel: string | null,
  request: Pick<Request, "origin" | "channel">,
): Promise<boolean> {
  const { origin } = request;
  const isThere = channel !== null && (channel === origin.channel || channel === request.channel);
  return isThere || isOpenToAll(app, origin.channel);
}

/** Everybody could read the details of a request from a public channel. Others only in a channel that they are in. */
async function mayReadDetails(app: VisibilityApp, { origin, channel }: Request, viewer: MemberRef): Promise<boolean> {
  if (await isOpenToAll(app, origin.channel)) return true;
  return (await isMember(app, origin.channel, viewer)) || (await isMember(app, channel, viewer));
}

/** True if the viewer could approve it in its channel. Only for requests without a target, which no key can list. */
async function mayApproveInChannel(
  app: VisibilityApp,
  request: Request,
  operation: PlatformOperation,
  viewer: MemberRef,
): Promise<boolean> {
  const { identities } = app;
  if (request.mode !== "peer" || request.target !== null || request.bulk !== null) return false;
  const [requesterLinks, own] = await Promise.all([
    identities.links(request.requester.member),
    identities.links(viewer.member),
  ]);
  const confined = own.customer?.bound ?? null;
  if (confined !== null && confined.id !== request.requester.project?.id) return false;
  const { originator, channel } = request;
  const { member } = request.requester;
  const others = originator === null ? [] : [await identities.person(memberBeside(member, originator))];
  return (
    couldApprove(requesterLinks, own, operation, [personOf(requesterLinks), ...others]) &&
    (await isMember(app, channel, viewer))
  );
}

async function isOpenToAll({ people }: Pick<VisibilityApp, "people">, channel: string | null): Promise<boolean> {
  return channel !== null && (await people.channel(channel)).isPublic;
}

/** False also while Slack does not say who is in the channel. */
export async function isMember(
  { people }: Pick<VisibilityApp, "people">,
  channel: string | null,
  { slackUser }: Pick<MemberRef, "slackUser">,
): Promise<boolean> {
  return channel !== null && ((await people.members(channel))?.has(slackUser) ?? false);
}
