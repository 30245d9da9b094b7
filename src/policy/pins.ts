import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import { slackUserIn } from "../members/identities/person.ts";
import { resolvePeople } from "../members/people/resolve-people.ts";
import { type OnCallApp, readRotations } from "../members/people/rotations.ts";
import { whyLeftOut } from "../members/slack-user.ts";
import { type AdminsApp, adminsToNotify, isAdmin, secondAdmins } from "../messages/admins.ts";
import { notify } from "../messages/answers/notices.ts";
import { Refusal } from "../operation/errors.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import { code, listing } from "../views/text.ts";
import { loosens } from "./loosens.ts";
import { changeRules, type PolicyApp, readPolicy, tightenRules } from "./policy.ts";
import type { PinnedPeople, Rule } from "./rule.ts";
import { ruleWords } from "./words.ts";

// A rule counts the people whom its lists meant when it was saved. If a group or a rotation has others since, the rule follows: at once
// where nothing is loosened, else by a proposal with which another admin agrees.

type PinsApp = PolicyApp & OnCallApp & AdminsApp;

const lane = "pinned-people:";
const timer = `${lane}workspace`;
const minute = 60_000;
const hour = 60 * minute;

/** The member who changed a group or a rotation last, and a digest of the looser change that was proposed last. */
const Followed = z.object({ by: z.string().nullable(), proposed: z.string().nullable() });
const followedKind = defineKind({ name: "change of a group", namespace: "changed-groups", schema: Followed });
const key = "workspace";

/** Has the rules follow their groups and rotations. `by`: the member who changed one; null: a rule was saved, or nobody is known. */
export async function followGroups(app: TimedApp, by: string | null): Promise<void> {
  if (by !== null) await update(app.store, followedKind, key, () => ({ by, proposed: null }));
  await app.store.timers.set(timer, app.clock.now());
}

export function pinTimers(app: PinsApp): LaneHandlers {
  return { [lane]: () => followNow(app) };
}

/** Brings the pinned people up to date. Resolves to the time of the next look; undefined while no rule names a group or a rotation. */
async function followNow(app: PinsApp): Promise<number | undefined> {
  const now = app.clock.now();
  const { rules, proposals } = await readPolicy(app);
  const all = [...rules, ...proposals.flatMap((proposal) => proposal.rules)];
  if (!all.flatMap(pinsOf).some(canChange)) return undefined;
  const isLooser = ({ before, after }: Replaced) => loosens([before], [after], app.approvalDefaults);
  // People who left lose their right at once, also while a proposal waits.
  const left = await changedPeople(app, all, { now, comes: false });
  await tighten(
    app,
    left.filter((one) => !isLooser(one)),
  );
  // Any other change of the rules would end a proposed one that waits.
  if (proposals.some(({ lifts }) => lifts === null)) return now + 5 * minute;
  const pairs = await changedPeople(app, (await readPolicy(app)).rules, { now, comes: true });
  await replace(
    app,
    pairs.filter((one) => !isLooser(one)),
  );
  await propose(app, pairs.filter(isLooser));
  return nextLook(app, now);
}

function pinsOf({ approvers, when: { who, notWho } }: Rule): PinnedPeople[] {
  return [approvers, who, notWho].filter((pin) => pin !== undefined);
}

function canChange({ list: { groups, rotations } }: PinnedPeople): boolean {
  return groups.length + rotations.length > 0;
}

/** A rule, and the same with other people. */
interface Replaced {
  before: Rule;
  after: Rule;
}

/** The moment at which people are read. `comes`: false leaves out those who came since. */
interface Reading {
  now: number;
  comes: boolean;
}

/** The rules whose lists mean other people by now, each once. */
async function changedPeople(app: PinsApp, rules: readonly Rule[], reading: Reading): Promise<Replaced[]> {
  const each = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
  const pairs = await Promise.all(
    each.map(async (before) => ({ before, after: await withPeopleNow(app, before, reading) })),
  );
  return pairs.filter(({ before, after }) => !isDeepStrictEqual(before, after));
}

async function withPeopleNow(app: PinsApp, rule: Rule, reading: Reading): Promise<Rule> {
  const { approvers, when } = rule;
  const pin = (one: PinnedPeople) => pinnedNow(app, one, reading);
  const fresh = approvers && (await pin(approvers));
  return {
    ...rule,
    // A list without anybody would leave nobody who approves.
    ...(fresh ? { approvers: fresh.users.length > 0 ? fresh : approvers } : {}),
    when: {
      ...when,
      ...(when.who ? { who: await pin(when.who) } : {}),
      ...(when.notWho ? { notWho: await pin(when.notWho) } : {}),
    },
  };
}

/** The people of a list now. One that cannot be read keeps those that it has, and so do people who left Slack. */
async function pinnedNow(app: PinsApp, pin: PinnedPeople, { now, comes }: Reading): Promise<PinnedPeople> {
  if (!canChange(pin)) return pin;
  const { users, unread } = await resolvePeople(app, pin.list, now);
  if (unread.length > 0) return pin;
  const kept: string[] = [];
  for (const user of pin.users) if (users.includes(user) || (await hasLeft(app, user))) kept.push(user);
  return { ...pin, users: comes ? [...kept, ...users.filter((user) => !kept.includes(user))] : kept };
}

async function hasLeft({ people }: PinsApp, user: string): Promise<boolean> {
  const person = await people.person(user).catch(() => null);
  return person !== null && whyLeftOut(person) !== null;
}

/** Puts the rules in the place of those before, where nobody else changed them meanwhile. */
function replacing(pairs: readonly Replaced[]) {
  return (rules: readonly Rule[]) =>
    rules.map((rule) => pairs.find(({ before }) => isDeepStrictEqual(before, rule))?.after ?? rule);
}

async function tighten(app: PinsApp, pairs: readonly Replaced[]): Promise<void> {
  if (pairs.length > 0) await tightenRules(app, replacing(pairs), await editor(app, wordsOf(pairs)));
}

async function replace(app: PinsApp, pairs: readonly Replaced[]): Promise<void> {
  if (pairs.length === 0) return;
  await changeRules(app, replacing(pairs), await editor(app, wordsOf(pairs)));
}

/** Proposes a looser change once: one that an admin stopped is not proposed again before another change. */
async function propose(app: PinsApp, pairs: readonly Replaced[]): Promise<void> {
  if (pairs.length === 0) return;
  const digest = hash("sha256", JSON.stringify(pairs), "base64url");
  if ((await app.store.keyv(followedKind).get(key))?.proposed === digest) return;
  const what = wordsOf(pairs);
  try {
    await changeRules(app, replacing(pairs), await editor(app, what));
  } catch (error) {
    // Rules take a passkey, which only a person has: an admin saves the rule again.
    if (!(error instanceof Refusal)) throw error;
    const text = `:raised_hand: ${what} That loosens something and needs a passkey, so the rule keeps its people. To follow, set it again with \`/rackbell policy\`.`;
    await notify(app, { to: { users: await adminsToNotify(app, []) }, text }, `pinned-people:${digest.slice(0, 22)}`);
  }
  await update(app.store, followedKind, key, (before) => ({ by: before?.by ?? null, proposed: digest }));
}

/** The member who changed the group or the rotation, as the one who changes the rules by that. */
async function editor(app: PinsApp, outcome: string) {
  const by = (await app.store.keyv(followedKind).get(key))?.by ?? "unknown:USLACKBOT";
  const slackUser = slackUserIn(by);
  const second = await secondAdmins(app, by);
  // Nobody agrees alone with a change of their own, unless they are the only admin.
  const admin = second !== null || (await isAdmin(app, slackUser).catch(() => false));
  const reason = "A group or a rotation that the rule names has other people.";
  const who = { member: by, slackUser, keyLabel: "", isAbsent: true as const };
  return { ...who, command: "rackbell policy", outcome, reason, second: admin ? second : [] };
}

function wordsOf(pairs: readonly Replaced[]): string {
  return pairs.map(({ before, after }) => `${changeWords(before, after)} ${ruleWords(after)}`).join(" ");
}

function changeWords(before: Rule, after: Rule): string {
  const usersOf = (rule: Rule) => pinsOf(rule).flatMap(({ users }) => users);
  const [old, fresh] = [usersOf(before), usersOf(after)];
  const mentions = (users: readonly string[], others: readonly string[]) =>
    listing([...new Set(users)].filter((user) => !others.includes(user)).map((user) => `<@${user}>`));
  const [came, went] = [mentions(fresh, old), mentions(old, fresh)];
  const parts = [came && `${came} came`, went && `${went} went`].filter((part) => part);
  return `The people of the rule ${code(after.id)} changed: ${parts.join(", ")}.`;
}

/** The end of the next override, and each hour while a rule names a group of Slack: not each installation gets its events. */
async function nextLook(app: PinsApp, now: number): Promise<number> {
  const ends = (await readRotations(app)).flatMap(({ overrides }) => overrides.map(({ until }) => until));
  return Math.min(now + hour, ...ends.filter((end) => end > now));
}
