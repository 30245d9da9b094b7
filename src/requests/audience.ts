import { type AccessApp, type AdminApp, isKeyUsable, may } from "../members/access/access.ts";
import type { Identities } from "../members/identities/identities.ts";
import { type Links, linksIn, slackUserOf } from "../members/identities/link.ts";
import { areTwoPeople, comparePeople, type Person, personOf } from "../members/identities/person.ts";
import { allAway, standInOf } from "../members/people/away.ts";
import type { PeopleList } from "../members/people/people-list.ts";
import { readSettings } from "../members/settings/settings.ts";
import { userName } from "../members/slack-user.ts";
import { isAdmin } from "../messages/admins.ts";
import { channelProblem } from "../messages/chat/channel-problem.ts";
import type { People } from "../messages/chat/people.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { type CheckPerson, reachPeople } from "../policy/responsibility/reach.ts";
import { mentionWords, type Reached } from "../policy/responsibility/steps.ts";
import type { Store } from "../storage/store.ts";
import { code, listing } from "../views/text.ts";
import type { DecisionTerms, Proposal } from "./create.ts";
import { type ActOwner, actOwner, couldDecide, reachOf, readRequesters, whyNotDecide } from "./deciders.ts";
import type { Approvers as ApproversFacet, FoundApprovers } from "./facets/approvers/record.ts";
import { isForRequesterAlone, type Request } from "./request.ts";

/** The records that say who is there and where requests go. */
export interface AudienceApp extends AdminApp, Pick<AccessApp, "linkMaxAgeMs" | "clock"> {
  identities: Identities;
  people: People;
  store: Store;
}

/** The channel of a request, the members who are asked to decide it, and a small note below it. */
type PlaceAndApprovers = Pick<DecisionTerms, "channel" | "notice" | "approvers">;

/** Finds the channel and the approvers of a proposal. Throws a Refusal if nobody who may decide it could see it. */
export async function findAudience(
  app: AudienceApp,
  { bound, origin, originator, act, bulk }: Proposal,
  {
    risk,
    mode,
    needed,
    admin,
    approvers: named,
    notify,
  }: Pick<Request, "risk" | "mode" | "needed"> & Pick<Request["ruling"], "admin" | "approvers" | "notify">,
): Promise<PlaceAndApprovers> {
  const peer = mode === "peer";
  const place = isForRequesterAlone({ risk, mode })
    ? { channel: origin.channel, notice: null }
    : await findPlace(app, origin, { peer });
  if (!peer) return { ...place, approvers: null };
  const approvers = await mentionApprovers(app, bound.operation, {
    ...{ needed, admin, notify, place: { channel: place.channel, origin } },
    owner: { approvers: named, requester: holderIn(bound.links), projects: bulk?.projects ?? [act.project] },
    requesters: await readRequesters(app, { requester: bound.actor, originator: originator ?? null }),
  });
  return { ...place, approvers };
}

/** Finds the approvers of a stored request, by the number of approvals that it needs. */
export async function findApprovers(
  app: AudienceApp,
  request: Request,
  operation: PlatformOperation,
): Promise<Approvers> {
  const { needed, ruling } = request;
  const requesters = await readRequesters(app, request);
  return mentionApprovers(app, operation, {
    ...{ needed, admin: ruling.admin, notify: ruling.notify, place: request },
    owner: actOwner(request),
    requesters,
  });
}

/** The user and the account whose resources a member's customer key reaches. */
function holderIn({ customer }: Links): ActOwner["requester"] {
  return { platformUser: customer?.user.id ?? null, account: customer?.account?.id ?? null };
}

/** Joins the notices with a space; null if there is none. */
export function joined(notices: (string | null)[]): string | null {
  return notices.filter((notice) => notice !== null).join(" ") || null;
}

/**
 * Returns the reason why a channel cannot have a request, as the beginning of a sentence in mrkdwn; null if it can. `name`: a form's
 * faults are plain text, which shows no mention of a channel.
 */
export async function placeProblem(people: People, channel: string, name = `<#${channel}>`): Promise<string | null> {
  const problem = await channelProblem(people, channel, name);
  if (problem) return problem;
  const { member } = await people.channel(channel);
  return member ? null : `I am not in ${name} (\`/invite @Rackbell\` lets me in)`;
}

/** Approvers cannot press a button in somebody else's direct messages. */
async function findProblem(app: AudienceApp, channel: string | null, peer: boolean): Promise<string | null> {
  const { people } = app;
  if (channel === null) return "The request was not made in a channel";
  const { direct } = await people.channel(channel);
  if (direct && peer) return "These are direct messages";
  return placeProblem(people, channel);
}

/**
 * Finds a place that all approvers can read; null stands for the requester's direct messages. A requester who decides alone can be asked
 * there. `notice` explains a place that nobody expects.
 */
export async function findPlace(
  app: AudienceApp,
  origin: Origin,
  { peer }: { peer: boolean },
): Promise<{ channel: string | null; notice: string | null }> {
  const { approvalsChannel } = await readSettings(app);
  const channel = approvalsChannel ?? origin.channel;
  const problem = await findProblem(app, channel, peer);
  if (!problem) return { channel, notice: null };
  if (!peer) return { channel: null, notice: `${problem}, so it is here.` };
  throw new Refusal(
    `${problem}, so nobody else could see this request. Nothing was requested. Ask in a channel that I am in, or ask an admin to set one with \`/rackbell settings\`.`,
  );
}

/** The members who are asked to decide a request. `able`: those who could; `tooFew`: a sentence when they are not enough, else null. */
interface Approvers extends FoundApprovers {
  able: string[];
}

/** A message that mentions more people than this is noise. */
const mostMentions = 5;
/** Members who are away that are looked at, those who are back first before the others. */
const mostAway = 50;

async function isReachable(app: Pick<AdminApp, "people">, { slackUser }: { slackUser: string }): Promise<boolean> {
  const { people } = app;
  // If Slack does not answer for a member, they are mentioned all the same: the press is checked anyway.
  const person = await people.person(slackUser).catch(() => null);
  return person === null || (!person.deleted && person.outsider === null);
}

/** A member who is called, and their links, which say why. */
interface Candidate {
  slackUser: string;
  links: Links;
}

/** Returns up to `mostMentions` candidates who are still in the workspace. Sorted, so that the mentions stay the same. */
export async function reachable(app: Pick<AdminApp, "people">, candidates: Links[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const members = candidates.flatMap((links) => {
    const slackUser = slackUserOf(links);
    return slackUser === null ? [] : [{ slackUser, links }];
  });
  const sorted = members.toSorted((a, b) => (a.slackUser < b.slackUser ? -1 : 1));
  // As many at a time as are still wanted: nobody waits for one answer of Slack after the other, and Slack is not asked about everybody.
  for (let at = 0; found.length < mostMentions && at < sorted.length; ) {
    const some = sorted.slice(at, at + mostMentions - found.length);
    const isThere = await Promise.all(some.map((member) => isReachable(app, member)));
    found.push(...some.filter((_, number) => isThere[number]));
    at += some.length;
  }
  return found;
}

/** True if this is proven to be another person, with a usable key that can do more than read. */
export function couldApproveAnything(app: AudienceApp, links: Links, other: Person): boolean {
  const scopes: readonly string[] = linksIn(links).flatMap((link) => (isKeyUsable(app, link) ? link.scopes : []));
  return areTwoPeople(personOf(links), other) && scopes.some((scope) => scope !== "read");
}

/** Keeps the admins. If Slack does not answer for a member, they count as one: the press is checked anyway. */
async function findAdmins(app: AudienceApp, candidates: Links[]): Promise<Links[]> {
  const admins = await Promise.all(
    candidates.map(async (one) => isAdmin(app, slackUserOf(one) ?? "").catch(() => true)),
  );
  return candidates.filter((_, at) => admins[at]);
}

/** The approver group of the settings, as a list of people; null without one. */
async function readApproverGroup(app: AudienceApp): Promise<PeopleList | null> {
  const { approverGroup: id } = await readSettings(app);
  return id === null ? null : { users: [], groups: [{ id, name: id }], rotations: [], agents: false };
}

/**
 * Finds members who may approve a request of `requesters`. It reads our records and Slack only; each press is checked against the platform.
 * `needed`: number of approvals; `admin`: one must be an admin's.
 */
async function mentionApprovers(
  app: AudienceApp,
  operation: PlatformOperation,
  {
    needed,
    admin,
    notify,
    place,
    owner,
    requesters,
  }: {
    needed: number;
    admin: boolean;
    notify: Request["ruling"]["notify"];
    place: Pick<Request, "channel" | "origin">;
    owner: ActOwner;
    requesters: Person[];
  },
): Promise<Approvers> {
  const { identities } = app;
  const capable = (await identities.all()).filter((other) => couldDecide(app, other, operation, owner, requesters));
  // If only an admin can approve it, mentioning other members would call them for nothing.
  const candidates = admin && needed === 1 ? await findAdmins(app, capable) : capable;
  const away = await findAbsent(app, candidates);
  const isAway = (links: Links) => away.some(({ slackUser }) => slackUser === slackUserOf(links));
  const standsIn = (links: Links) => away.some(({ standIn }) => standIn !== null && standIn === slackUserOf(links));
  // A stand-in is mentioned, however many others could decide it.
  const here = [
    ...(await reachable(app, candidates.filter(standsIn))),
    ...(await reachable(
      app,
      candidates.filter((one) => !isAway(one) && !standsIn(one)),
    )),
  ].slice(0, mostMentions);
  const able = [...here, ...away].map(({ slackUser }) => slackUser);
  const isNamed = owner.approvers !== null;
  const tooFew = able.length < needed ? tooFewNotice(operation, { needed, able: able.length, admin, isNamed }) : null;
  const check = decidesAndSees(app, place, (links) => whyNotDecide(app, links, operation, owner, requesters));
  // A person who only pays need not be in the channel: a rule that names them has each asked in a direct message.
  const payers = isNamed && operation.risk === "spend" ? here.map(({ slackUser }) => slackUser) : [];
  const found = async (reached: Reached, mention = mentionWords(reached)): Promise<Approvers> => {
    const direct = await directOnes(app, reached, payers);
    return { mention, reached, direct, tooFew, away: notify ? [] : away, able };
  };
  // A member who is not notified finds it in the list of what waits.
  if (notify) return found(await reachPeople(app, notify, check));
  const group = isNamed ? null : await readApproverGroup(app);
  const ofGroup = group && (await reachPeople(app, group, check));
  // Nobody named them for this request, so no sentence says why others of the group are not notified.
  if (ofGroup && ofGroup.notified.length > 0) return found({ ...ofGroup, skipped: [] });
  const reached = await reachPeople(app, listOf(here), async (user) => {
    if (payers.includes(user) || place.channel === null) return { direct: payers.includes(user) };
    // While Slack does not say who is there, they are mentioned.
    return { direct: (await app.people.members(place.channel))?.has(user) === false };
  });
  const isThere = ({ slackUser }: Candidate) =>
    reached.notified.some((one) => one.slackUser === slackUser && !one.direct);
  return found(reached, reasonedMentions(here.filter(isThere), operation));
}

function listOf(candidates: readonly Candidate[]): PeopleList {
  return { users: candidates.map(({ slackUser }) => slackUser), groups: [], rotations: [], agents: false };
}

/** Those who get a direct message of it: who only pays has the short card, and who is not in the channel a note. */
async function directOnes(
  app: AudienceApp,
  { notified }: Reached,
  payers: readonly string[],
): Promise<FoundApprovers["direct"]> {
  const others = notified.flatMap(({ slackUser, direct }) => (direct && slackUser !== null ? [slackUser] : []));
  return Promise.all(
    [...new Set([...payers, ...others])].map(async (slackUser) => {
      return { slackUser, name: await userName(app, slackUser), short: payers.includes(slackUser), found: true };
    }),
  );
}

/** Asks if a person could decide it by their keys, and sees it where it is or was asked. */
export function decidesAndSees(
  app: AudienceApp,
  { channel, origin }: Pick<Request, "channel" | "origin">,
  whyNot: (links: Links) => string | null,
): CheckPerson {
  const isThere = async (place: string | null, user: string) =>
    place !== null && ((await app.people.members(place))?.has(user) ?? false);
  return async (slackUser) => {
    const links = (await app.identities.all()).find((one) => slackUserOf(one) === slackUser);
    const why = links ? whyNot(links) : "has linked no key";
    if (why !== null) return { why };
    if (await isThere(channel, slackUser)) return { direct: false };
    const isOpen = origin.channel !== null && (await app.people.channel(origin.channel)).isPublic;
    return isOpen || (await isThere(origin.channel, slackUser))
      ? { direct: true }
      : { why: "may not see this request" };
  };
}

/** Those of the candidates who are away, each with the stand-in. Only a candidate stands in: nobody else could decide it. */
async function findAbsent(app: AudienceApp, candidates: Links[]): Promise<ApproversFacet["away"]> {
  const now = app.clock.now();
  const users = new Set(candidates.flatMap((links) => slackUserOf(links) ?? []));
  const found: ApproversFacet["away"] = [];
  const absent = (await allAway(app, now)).filter((one) => users.has(one.slackUser));
  for (const { slackUser, ...one } of absent.slice(0, mostAway)) {
    const standIn = await standInOf(app, { slackUser, ...one }, now, (user) => users.has(user));
    const refused = await Promise.all(
      standIn.refused.map(async ({ slackUser: user, why }) => ({ name: await userName(app, user), why })),
    );
    found.push({ slackUser, name: await userName(app, slackUser), until: standIn.until, standIn: standIn.to, refused });
  }
  return found;
}

/** Mentions the members who could run what `member` cannot, on the same resource; null if there is nobody. */
export async function mentionForRun(
  app: AudienceApp,
  member: string,
  operation: PlatformOperation,
): Promise<string | null> {
  const { identities } = app;
  const links = await identities.links(member);
  const requester = personOf(links);
  const owner = { requester: holderIn(links), projects: [null] };
  const able = (await identities.all()).filter(
    (other) =>
      comparePeople(requester, personOf(other)) !== "one" &&
      reachOf(app, other, operation, owner) !== "none" &&
      may(other, operation),
  );
  const users = new Set(able.flatMap((other) => slackUserOf(other) ?? []));
  if (users.size === 0) return null;
  const isAble: CheckPerson = async (user) => (users.has(user) ? { direct: false } : { why: "could not run it" });
  const group = await readApproverGroup(app);
  const ofGroup = group && mentionWords(await reachPeople(app, group, isAble));
  return ofGroup ?? mentionWords(await reachPeople(app, listOf(await reachable(app, able)), isAble));
}

/** "<@ana> and <@ben> (their keys allow `services`), <@caro> (their key allows `services` in `Production`)"; null without anybody. */
function reasonedMentions(able: readonly Candidate[], { api, scope }: PlatformOperation): string | null {
  const byPlace = new Map<string, string[]>();
  for (const { slackUser, links } of able) {
    const bound = links[api]?.bound;
    const place = bound ? ` in ${code(bound.name)}` : "";
    byPlace.set(place, [...(byPlace.get(place) ?? []), `<@${slackUser}>`]);
  }
  const groups = [...byPlace].map(
    ([place, users]) =>
      `${listing(users)} (${users.length === 1 ? "their key allows" : "their keys allow"} ${code(scope)}${place})`,
  );
  return groups.join(", ") || null;
}

function tooFewNotice(
  operation: PlatformOperation,
  { needed, able, admin, isNamed }: { needed: number; able: number; admin: boolean; isNamed: boolean },
): string {
  const keys = operation.api === "reseller" ? "a customer key and a reseller key of their own" : "a key of their own";
  const scope = `the scope ${code(operation.scope)}`;
  const named = isNamed ? ", whom the approval rules let approve it" : "";
  if (needed === 1)
    return `Nobody else who is linked can approve this. It needs ${admin ? "an admin" : "a member"} with ${keys} and ${scope}${named}.`;
  return `Two others must approve this, and ${able === 0 ? "no" : "only one"} linked member can. It needs members with ${keys} and ${scope}${named}.`;
}
