import * as z from "#zod";
import type { AdminApp } from "../members/access/access.ts";
import type { Identities } from "../members/identities/identities.ts";
import { hasLink, slackUserOf } from "../members/identities/link.ts";
import { areTwoPeople, comparePeople, personOf } from "../members/identities/person.ts";
import { Refusal } from "../operation/errors.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { moment } from "../views/format.ts";
import { listing } from "../views/text.ts";
import { SlackRefused } from "./chat/errors.ts";

const day = 24 * 60 * 60_000;
/** Milliseconds for which a linked admin still counts after losing the key or the admin right. */
const countsFor = 30 * day;
/** Admins that a refusal names at most. */
const mostToAsk = 3;
/** Minimum age of an admin right, and of a key, before its owner can agree to a looser rule (milliseconds). */
const settledAfter = day;

/** A member's admin right as Rackbell observed it. Slack does not say since when somebody has it. */
const Right = z.object({
  slackUser: z.string(),
  /** Start of the unbroken series of checks that found an admin; null when the last check found none. */
  since: z.number().nullable(),
  /** When they were last seen as an admin with a linked key. A stored field keeps its name. */
  linkedAt: z.number(),
});

const adminRights = defineKind({
  name: "admin right",
  namespace: "admin-rights",
  schema: Right,
  ttlMs: countsFor,
});

/** Asks Slack at each call, unless `ADMINS` names the admins. */
export async function isAdmin({ people, namedAdmins }: AdminApp, user: string): Promise<boolean> {
  if (namedAdmins.length > 0) return namedAdmins.includes(user);
  return (await people.person(user, { fresh: true })).admin;
}

/** Refuses everybody else, and names admins who can do it: those of `ADMINS`, else those whom Rackbell saw with a linked key. */
export async function requireAdmin(app: AdminsApp, user: string): Promise<void> {
  if (await isAdmin(app, user)) return;
  const admins = await adminsToAsk(app);
  const ask =
    admins.length > 0
      ? ` Ask ${listing(
          admins.map((admin) => `<@${admin}>`),
          "or",
        )}.`
      : "";
  throw new Refusal(`Only an admin of this workspace can do this. Nothing changed.${ask}`);
}

/** Admins whom a member can ask now. Slack confirms each of them, so that nobody is sent to somebody who left. */
async function adminsToAsk(app: AdminsApp): Promise<string[]> {
  const known = app.namedAdmins.length > 0 ? app.namedAdmins : (await recentAdmins(app)).map((one) => one.slackUser);
  const found: string[] = [];
  for (const user of known)
    if (found.length < mostToAsk && (await readStanding(app, user)) === "admin") found.push(user);
  return found;
}

/** The parts of the app that know which linked members are admins, and since when. */
export interface AdminsApp extends AdminApp, TimedApp {
  identities: Pick<Identities, "all" | "links" | "person">;
}

interface Member {
  member: string;
  slackUser: string;
}

/** The admins who can be notified: those of `ADMINS`, else the current admins among these users and all linked members. */
export async function adminsToNotify(app: AdminsApp, users: readonly string[]): Promise<string[]> {
  if (app.namedAdmins.length > 0) return [...app.namedAdmins];
  const linked = (await app.identities.all()).flatMap((links) => slackUserOf(links) ?? []);
  const found: string[] = [];
  for (const user of new Set([...users, ...linked])) if (await isAdmin(app, user).catch(() => false)) found.push(user);
  return found;
}

/**
 * Checks a linked member's admin right in Slack and stores it, for rules that one admin alone must not decide about. Stores nothing when
 * Slack does not answer.
 */
export async function checkAdminRight(app: AdminsApp, who: Member): Promise<void> {
  const standing = await readStanding(app, who.slackUser);
  if (standing !== "unknown") await noteRight(app, who, standing === "admin");
}

/** Call before a member's key is erased. True for an admin, or if Slack does not answer; their say then lasts 30 days more. */
export async function noteLeavingAdmin(app: AdminsApp, who: Member): Promise<boolean> {
  if (!hasLink(await app.identities.links(who.member))) return false;
  const standing = await readStanding(app, who.slackUser);
  const was = standing === "admin" || standing === "unknown";
  if (was) await noteRight(app, who, true);
  return was;
}

/**
 * Slack users who can agree to or stop a looser rule. These are the admins linked within the last 30 days and not known to be gone, and
 * everybody in `ADMINS`.
 */
export async function adminsWithSay(app: AdminsApp): Promise<string[]> {
  return usersOf(app, await countedAdmins(app));
}

/** The same users; null when no linked one is another person than this member, who then decides alone. */
export async function secondAdmins(app: AdminsApp, member: string): Promise<string[] | null> {
  const { identities } = app;
  const own = await identities.person(member);
  const all = await countedAdmins(app);
  for (const other of all)
    if (comparePeople(own, await identities.person(other.member)) !== "one") return usersOf(app, all);
  return null;
}

/** True when Slack confirms another admin: another person than this member, with a linked key. False when Slack does not answer. */
export async function hasOtherAdmin(app: AdminsApp, member: string): Promise<boolean> {
  const { identities } = app;
  const own = personOf(await identities.links(member));
  const others = (await identities.all()).filter((links) => areTwoPeople(own, personOf(links)));
  const users = others.flatMap((links) => slackUserOf(links) ?? []);
  // Check recent admins first: a person waits, and in a large team Slack would be asked about everybody.
  const lately = (await recentAdmins(app)).map(({ slackUser }) => slackUser);
  const order = [...lately.filter((user) => users.includes(user)), ...users.filter((user) => !lately.includes(user))];
  for (const user of order) if ((await readStanding(app, user)) === "admin") return true;
  return false;
}

/** True for an admin with a linked key; null when Slack does not answer. */
export async function isLinkedAdmin(app: AdminsApp, who: Member): Promise<boolean | null> {
  if (!hasLink(await app.identities.links(who.member))) return false;
  const standing = await readStanding(app, who.slackUser);
  return standing === "unknown" ? null : standing === "admin";
}

/** True when Slack says that the account was deactivated or does not exist; false when Slack does not answer. */
export async function isGoneFromSlack({ people }: AdminApp, slackUser: string): Promise<boolean> {
  try {
    return (await people.person(slackUser, { fresh: true })).deleted;
  } catch (error) {
    return isUnknownUser(error);
  }
}

/** True if the member is proven to be another person: only such an admin agrees with what the other one did. */
export async function isSecondPerson(
  { identities }: Pick<AdminsApp, "identities">,
  member: string,
  other: string,
): Promise<boolean> {
  return areTwoPeople(personOf(await identities.links(member)), await identities.person(other));
}

/** Refuses a member who cannot agree to a proposal of `proposer`: the same person, or an admin right or key younger than a day. */
export async function requireSettledAdmin(app: AdminsApp, who: Member, proposer: Member): Promise<void> {
  const { identities, store, clock } = app;
  const links = await identities.links(who.member);
  if (!(await isSecondPerson(app, who.member, proposer.member)))
    throw new Refusal(
      `Another admin than <@${proposer.slackUser}> must agree: another user of the platform, with a customer key linked. Nothing changed.`,
    );
  const keyAt = (links.customer?.linkedAt ?? clock.now()) + settledAfter;
  if (keyAt > clock.now())
    throw new Refusal(
      `You linked your key less than 24 hours ago. You can agree from ${moment(keyAt)} on. Nothing changed.`,
    );
  await noteRight(app, who, true);
  const since = (await store.keyv(adminRights).get(who.member))?.since ?? clock.now();
  if (since + settledAfter > clock.now())
    throw new Refusal(
      `Rackbell has seen you as an admin for less than 24 hours. You can agree from ${moment(since + settledAfter)} on. Nothing changed.`,
    );
}

async function readStanding(
  { people, namedAdmins }: AdminApp,
  slackUser: string,
): Promise<"admin" | "none" | "gone" | "unknown"> {
  if (namedAdmins.length > 0 && !namedAdmins.includes(slackUser)) return "none";
  try {
    const { admin, deleted } = await people.person(slackUser, { fresh: true });
    if (deleted) return "gone";
    return admin || namedAdmins.length > 0 ? "admin" : "none";
  } catch (error) {
    return isUnknownUser(error) ? "gone" : "unknown";
  }
}

/** Only `user_not_found` says something about the person; any other refusal may be a fault of the app. */
function isUnknownUser(error: unknown): boolean {
  return error instanceof SlackRefused && error.reason === "user_not_found";
}

async function noteRight({ store, clock }: TimedApp, { member, slackUser }: Member, isAdmin: boolean): Promise<void> {
  const now = clock.now();
  await update(store, adminRights, member, (before) => {
    if (isAdmin) return { slackUser, since: before?.since ?? now, linkedAt: now };
    return before && before.since !== null ? { ...before, since: null } : undefined;
  });
}

/** Members whom Rackbell saw as linked admins within the last 30 days. */
async function recentAdmins({ store, clock }: TimedApp): Promise<Member[]> {
  const found: Member[] = [];
  for await (const { key: member, value } of store.scan(adminRights))
    if (value.linkedAt > clock.now() - countsFor) found.push({ member, slackUser: value.slackUser });
  return found;
}

/** Linked admins, those of the last 30 days, and linked members whose right Slack does not confirm at the moment. */
async function countedAdmins(app: AdminsApp): Promise<Member[]> {
  const found = new Map<string, Member>();
  for (const links of await app.identities.all()) {
    const slackUser = slackUserOf(links);
    if (slackUser === null) continue;
    const who = { member: links.member, slackUser };
    const standing = await readStanding(app, slackUser);
    if (standing === "admin") await noteRight(app, who, true);
    if (standing === "admin" || standing === "unknown") found.set(who.member, who);
  }
  for (const who of await recentAdmins(app))
    if (!found.has(who.member) && !(await isGoneFromSlack(app, who.slackUser))) found.set(who.member, who);
  return [...found.values()];
}

async function usersOf(app: AdminApp, members: Member[]): Promise<string[]> {
  const users = members.map(({ slackUser }) => slackUser);
  for (const user of app.namedAdmins)
    if (!users.includes(user) && !(await isGoneFromSlack(app, user))) users.push(user);
  return users;
}
