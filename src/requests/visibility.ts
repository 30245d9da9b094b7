import { admit } from "../members/access/access.ts";
import { personOf } from "../members/identities/person.ts";
import { isCard, isShow } from "../members/resources/finder.ts";
import { lookAmongOwn } from "../members/resources/own-index.ts";
import { byNameNow, type StoredResource } from "../members/resources/stored-names.ts";
import { isAdmin } from "../messages/admins.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { RequestsApp } from "./app.ts";
import { operationOf } from "./checks.ts";
import { actOwner, couldDecide, findSamePerson, reachOf, readRequesters } from "./deciders.ts";
import { readTargets } from "./facets/bulk/targets.ts";
import { isToReview } from "./facets/override/record.ts";
import { reviewableBy } from "./facets/override/steps.ts";
import { isSeenByRequesterAlone, type MemberRef, type Request } from "./request.ts";
import { missingAdmin } from "./rules.ts";
import { cellOf, type PressEvent, type Presser, pressEvents } from "./states.ts";

/**
 * How much of a request a viewer may see. `whole`: all of it. `named`: the act and the requester, without reason, loss and addresses.
 * `waiting`: for admins, that something waits, from whom and where.
 */
type Visibility = "whole" | "named" | "waiting" | "hidden";

/** A request with the part of it that a viewer may see, and the events that Rackbell would let them cause. */
export interface VisibleRequest {
  request: Request;
  visibility: Exclude<Visibility, "hidden">;
  may: ReadonlySet<PressEvent>;
}

/** One viewer's access to requests. It reads each list and each right once, however many requests there are. */
export interface ViewerAccess {
  /** Every way to a request asks this: commands, buttons, modals, Home, files, pages. Rejects while Slack does not know the viewer. */
  at(request: Request): Promise<Visibility>;
  /** The request with the buttons for this viewer; null if it is hidden. */
  show(request: Request): Promise<VisibleRequest | null>;
  /**
   * The machines of a maintenance window that the viewer may see, by the names that their keys list: all of their own, else those that are
   * listed. Null if the window is hidden. Admins see every window, if need be without machines.
   */
  machinesOf<T extends StoredResource>(window: { by: string; machines: readonly T[] }): Promise<T[] | null>;
  /** True if a list of the viewer's could not be read, so that they may see too little. */
  isIncomplete(): boolean;
}

/** The parts of the app that decide it. */
type VisibilityApp = Pick<
  RequestsApp,
  "store" | "registry" | "identities" | "people" | "namedAdmins" | "linkMaxAgeMs" | "nameIndex" | "clock" | "panel"
>;

/**
 * One viewer's access to requests. If the platform does not answer, they stay hidden. `reading`: whether the platform may be called for
 * lists that were never read.
 */
export function accessOf(app: VisibilityApp, viewer: MemberRef, { reading = true } = {}): ViewerAccess {
  const { registry, identities } = app;
  const own = lookAmongOwn(app, viewer.member, { reading });
  const isViewerAdmitted = once(() => isAdmitted(app, viewer));
  const isViewerAdmin = once(() => isAdmin(app, viewer.slackUser).catch(() => false));
  const viewerLinks = once(() => identities.links(viewer.member));

  async function isListed(request: Request, operation: PlatformOperation): Promise<boolean> {
    const { id, target, bulk } = request;
    const ids = bulk ? (await readTargets(app, id)).map((one) => one.id) : target ? [target.id] : [];
    return ids.length > 0 && (await own.listed(ids, [operation])).size === new Set(ids).size;
  }

  /** They decide it by their links, and were called to or read its channel. A reseller key must list the resource as well. */
  async function decides(request: Request, operation: PlatformOperation): Promise<boolean> {
    if (request.mode !== "peer" || !(await couldDecideIt(request, operation))) return false;
    if (!wasCalled(request, viewer) && !(await isInItsPlace(app, request, viewer))) return false;
    if (reachOf(app, await viewerLinks(), operation, actOwner(request)) === "all") return true;
    const isOfNoResource = request.target === null && request.bulk === null;
    return isOfNoResource ? isMember(app, request.channel, viewer) : isListed(request, operation);
  }

  async function couldDecideIt(request: Request, operation: PlatformOperation): Promise<boolean> {
    return couldDecide(app, await viewerLinks(), operation, actOwner(request), await readRequesters(app, request));
  }

  /** Another admin is asked to review an emergency override, if they are proven to be another person. */
  async function reviews(request: Request): Promise<boolean> {
    return isToReview(request) && (await isViewerAdmin()) && (await reviewableBy(app, request, viewer)).length > 0;
  }

  /** An approver approves once, unless a passkey is wanted that their approval lacks; and a last approval may have to be an admin's. */
  async function mayApprove(request: Request): Promise<boolean> {
    const { approvals, ruling, proof, needed } = request;
    const { member, slackUser } = viewer;
    const isProven = !ruling.passkey || proof?.by.some((by) => by.member === member);
    if (isProven && approvals.some((approval) => approval.member === member)) return false;
    const others = approvals.filter((approval) => approval.member !== member);
    if ((await findSamePerson(app, personOf(await viewerLinks()), others)) !== null) return false;
    const isLast = others.length + 1 >= needed;
    return !isLast || (await missingAdmin(app, ruling, [...others, { slackUser }])) === null;
  }

  /** For each entry of `by` in the table of events: the same right as `requireMay` checks, without a call of the platform. */
  const rights: Record<Presser, (request: Request, event: PressEvent) => Promise<boolean>> = {
    async "a member who may decide it"(request, event) {
      if (request.mode !== "peer") return isOwn(request);
      const operation = operationOf(app, request);
      if (isOwn(request) || !operation || !(await couldDecideIt(request, operation))) return false;
      return event === "deny" || event === "defer" || mayApprove(request);
    },
    async "the requester, or a member who may decide it"(request) {
      const operation = operationOf(app, request);
      if (isOwn(request)) return true;
      return request.mode === "peer" && operation !== null && couldDecideIt(request, operation);
    },
    async "an admin, by the rule"(request) {
      const operation = operationOf(app, request);
      if (!operation || !request.ruling.overridable || !(await isViewerAdmin())) return false;
      return couldDecide(app, await viewerLinks(), operation, { ...actOwner(request), approvers: null }, []);
    },
    "the requester, for another time": async (request) => isOwn(request),
    "the requester, about its backup": async (request) => isOwn(request),
    "the requester or an admin": async (request) => isOwn(request) || isViewerAdmin(),
    "the requester, an approver or an admin": async (request) =>
      isOwn(request) || request.approvals.some(({ member }) => member === viewer.member) || isViewerAdmin(),
    "another admin": reviews,
  };

  function isOwn({ requester }: Request): boolean {
    return requester.member === viewer.member;
  }

  async function at(request: Request): Promise<Visibility> {
    if (!(await isViewerAdmitted())) return "hidden";
    if (isOwn(request)) return "whole";
    // A price is private, and a confirmation concerns nobody else before the act.
    if (isSeenByRequesterAlone(request)) return "hidden";
    const operation = operationOf(app, request);
    if (await actsOn(request, operation)) return "whole";
    if (await isWithinReach(request, operation)) return (await isInItsPlace(app, request, viewer)) ? "whole" : "named";
    return (await isViewerAdmin()) ? "waiting" : "hidden";
  }

  /** True if the viewer decides it, or reviews its override. */
  async function actsOn(request: Request, operation: PlatformOperation | null): Promise<boolean> {
    return (await reviews(request)) || (operation !== null && (await decides(request, operation)));
  }

  /** True if the viewer's keys may do the same to the requester's account, and list the resource. */
  async function isWithinReach(request: Request, operation: PlatformOperation | null): Promise<boolean> {
    if (!operation) return false;
    const reach = reachOf(app, await viewerLinks(), operation, actOwner(request));
    return reach !== "none" && isListed(request, operation);
  }

  return {
    at,
    async show(request) {
      const visibility = await at(request);
      if (visibility === "hidden") return null;
      const may = new Set<PressEvent>();
      for (const event of pressEvents) {
        const by = cellOf(event, request)?.by;
        if (by && (await rights[by](request, event))) may.add(event);
      }
      return { request, visibility, may };
    },
    async machinesOf({ by, machines }) {
      const ids = machines.map(({ id }) => id);
      const listed = await own.listed(ids, registry.all.filter(isShow).filter(isCard));
      if (by === viewer.slackUser) return machines.map((one) => byNameNow(one, listed));
      const shown = machines.filter(({ id }) => listed.has(id)).map((one) => byNameNow(one, listed));
      return shown.length > 0 || (await isViewerAdmin()) ? shown : null;
    },
    isIncomplete: own.isIncomplete,
  };
}

/** Calls the function at most once. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** False for guests, people of other organisations and deactivated members, who may have been members when a button was posted. */
async function isAdmitted(app: VisibilityApp, { slackUser }: MemberRef): Promise<boolean> {
  try {
    await admit(app, slackUser);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** They were asked by name to decide it, or did. */
function wasCalled({ approvals, approvers }: Request, { member, slackUser }: MemberRef): boolean {
  if (approvals.some((approval) => approval.member === member)) return true;
  if (approvers?.called.some((call) => call.slackUser === slackUser)) return true;
  if (approvers?.direct.some((one) => one.slackUser === slackUser)) return true;
  if (approvers?.away.some((one) => one.slackUser === slackUser || one.standIn === slackUser)) return true;
  return approvers?.mention?.includes(`<@${slackUser}>`) ?? false;
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
async function isInItsPlace(app: VisibilityApp, { origin, channel }: Request, viewer: MemberRef): Promise<boolean> {
  return (
    (origin.channel !== null && (await readsChannel(app, origin.channel, viewer))) || isMember(app, channel, viewer)
  );
}

/** True for a public channel. */
export async function isOpenToAll({ people }: Pick<VisibilityApp, "people">, channel: string | null): Promise<boolean> {
  return channel !== null && (await people.channel(channel)).isPublic;
}

/** True if the viewer can read a channel: everybody reads a public one. False also while Slack does not say who is in it. */
export async function readsChannel(
  app: Pick<VisibilityApp, "people">,
  channel: string,
  viewer: Pick<MemberRef, "slackUser">,
): Promise<boolean> {
  return (await isOpenToAll(app, channel)) || (await isMember(app, channel, viewer));
}

/** False also while Slack does not say who is in the channel. */
export async function isMember(
  { people }: Pick<VisibilityApp, "people">,
  channel: string | null,
  { slackUser }: Pick<MemberRef, "slackUser">,
): Promise<boolean> {
  return channel !== null && ((await people.members(channel))?.has(slackUser) ?? false);
}
