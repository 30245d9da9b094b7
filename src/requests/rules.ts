import type { AdminApp } from "../members/access/access.ts";
import { comparePeople, memberBeside, type Person, slackUserIn, spendingKeys } from "../members/identities/person.ts";
import { isAdmin } from "../messages/admins.ts";
import type { Act } from "../operation/act.ts";
import { type Answer, type Step, withTax } from "../operation/answer.ts";
import { distinctRelocations, type Relocation } from "../operation/bulk.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Risk } from "../operation/risk.ts";
import { actsWith, commandsOfAct, kindsOf, type NamedAct } from "../operation/same-act.ts";
import {
  joinPeople,
  noPeople,
  type RequiredApproval,
  type RuledAct,
  type RuledMember,
  withBoth,
} from "../policy/evaluate.ts";
import { findNextWindow, isInWindow } from "../policy/maintenance-windows/windows.ts";
import type { CommandRisks, LostApproval } from "../policy/moves.ts";
import { type PolicyApp, type RulesSnapshot, rulesNow } from "../policy/policy.ts";
import { type Rule, strictness } from "../policy/rule.ts";
import {
  type Charge,
  correctSpending,
  type Payer,
  readSpending,
  releaseSpending,
  reserveSpending,
  spendingRequests,
} from "../policy/spending.ts";
import { countedWords, demandSentence } from "../policy/words.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { isApprover } from "./deciders.ts";
import { decidingOverride } from "./facets/override/record.ts";
import { partId } from "./facets/part/record.ts";
import { type Approval, chosenBackup, type NewRequest, type Request } from "./request.ts";

/** A request, or one that is about to be made, as approval rules look at it. */
export type Ruled = Pick<
  NewRequest,
  | "id"
  | "requester"
  | "originator"
  | "agent"
  | "command"
  | "identity"
  | "target"
  | "schedule"
  | "bulk"
  | "origin"
  | "price"
> & { risk: Risk; acts: readonly string[]; kinds: readonly string[]; ruling: Pick<Request["ruling"], "relocations"> };

/** Its act as it is read now. Without one, the project, the kinds and the moves of the request count. */
type ReadNow = Pick<Act, "project" | "kinds" | "relocations">;

/** The approval that the rules wanted, or that was given. */
type Given = Pick<RequiredApproval, "demand" | "passkey">;

/** The parts of the app that apply the approval rules. */
type RulesApp = PolicyApp & Pick<RequestsApp, "identities" | "registry">;

type Circumstances = Omit<RuledAct, "spent" | "by"> & Pick<Ruled, "bulk"> & { moved: Relocation[] };
type BareRuling = Omit<Ruling, "price" | "opens">;

/** The ruling, and when the next maintenance window opens if the rule depends on one. */
export interface Ruling extends RequiredApproval {
  price: Request["price"];
  opens?: number | null;
  /** The moves between projects. `leaving`: the reason why they need as much, as a sentence; null if they need no more. */
  relocations: Relocation[];
  leaving: string | null;
  /** An admin must be among the approvers. */
  admin: boolean;
}

/** Applies the approval rules to an act, with the spending of the members who pay for it. */
export async function readRuling(app: RulesApp, about: Ruled, read?: ReadNow): Promise<Ruling> {
  const { identities } = app;
  // For a request that was taken over, the stricter ruling of the two members counts.
  const { originator } = about;
  const first = originator && (await identities.person(memberBeside(about.requester.member, originator)));
  const snapshot = await rulesNow(app);
  const asking: readonly Asking[] = [
    { payer: payerOf(about), by: await ruledRequester(app, about, snapshot) },
    ...(first ? [{ payer: spendingKeys(first), by: await ruledMember(app, first, snapshot) }] : []),
  ];
  const circumstances = await readCircumstances(app, about, read, snapshot);
  const rulings: RequiredApproval[] = [];
  for (const { payer, by } of asking) {
    const spent = about.price === null ? nothingSpent : await readSpending(app, payer, chargeOf(app, about));
    rulings.push(strictestRuling(snapshot.evaluate, { ...circumstances, by }, spent));
  }
  const ruling = withMoveRules(app, rulings.reduce(stricter), circumstances.moved, snapshot.lost);
  return withWindowOpening(app, ruling, about);
}

/** A member for whom an act is ruled, with the spending that counts for them. */
interface Asking {
  payer: Payer;
  by: RuledMember;
}

/** The requester with the key that the request was made with: unlinking it must not make them somebody else. */
async function ruledRequester(
  app: RulesApp,
  { requester: { member, platformUser, keyId } }: Pick<Ruled, "requester">,
  snapshot: RulesSnapshot,
): Promise<RuledMember> {
  if (snapshot.people.length === 0) return { slackUser: slackUserIn(member), mayBe: [] };
  const { users, keys } = await app.identities.person(member);
  const asked = platformUser === null ? [] : [platformUser];
  return ruledMember(app, { member, users: [...users, ...asked], keys: [...keys, keyId] }, snapshot);
}

/** Finds out which people of the rules a member is, or may be. One without a platform user may be each of them who has a key. */
async function ruledMember({ identities }: RulesApp, person: Person, { people }: RulesSnapshot): Promise<RuledMember> {
  const slackUser = slackUserIn(person.member);
  const others = people.filter((user) => user !== slackUser);
  const compared = await Promise.all(
    others.map(async (user) => {
      const named = await identities.person(memberBeside(person.member, user));
      const is = comparePeople(person, named);
      return is === "one" || (is === "unknown" && person.users.length === 0 && named.keys.length > 0);
    }),
  );
  return { slackUser, mayBe: others.filter((_, at) => compared[at]) };
}

/**
 * Adds the price of an act, and of the backup before it, to the spending: both or none. Resolves to false, and adds nothing, if the
 * spending since the ruling demands more than `most`: of ten presses at once, those beyond the daily limit stop here.
 */
export async function reserve(
  app: RulesApp,
  about: Ruled,
  most: Given,
  { read, first = null }: { read?: ReadNow; first?: { ruled: Ruled; ruling: Given } | null } = {},
): Promise<boolean> {
  if (!(await reserveOne(app, about, most, read))) return false;
  if (!first || (await reserveOne(app, first.ruled, first.ruling))) return true;
  await releaseRequest(app, about);
  return false;
}

async function reserveOne(app: RulesApp, about: Ruled, most: Given, read?: ReadNow): Promise<boolean> {
  if (about.price === null) return true;
  const snapshot = await rulesNow(app);
  const circumstances = await readCircumstances(app, about, read, snapshot);
  const by = await ruledRequester(app, about, snapshot);
  return reserveSpending(app, payerOf(about), chargeOf(app, about), (spent) => {
    const { demand, passkey } = strictestRuling(snapshot.evaluate, { ...circumstances, by }, spent);
    return strictness(demand) <= strictness(most.demand) && (passkey === null || most.passkey !== null);
  });
}

function chargeOf({ registry }: RulesApp, { id, command, price, target }: Ruled): Charge {
  const operation = registry.find(command);
  const pays = operation?.api !== "app" && operation?.pays ? (target?.id ?? null) : null;
  return { request: id, price: price === null || price === "unknown" ? null : withTax(price), pays };
}

/**
 * Corrects the spending by what the platform shows of the cost, such as the total of the document that a purchase made. Paying that
 * document counts nothing more then. One that costs nothing after all no longer counts.
 */
export async function noteCost(
  app: RulesApp,
  { id, requester, price: reserved, part }: Pick<Request, "id" | "requester" | "price" | "part">,
  { cost, order }: Pick<Answer, "cost" | "order">,
): Promise<void> {
  const made = [cost?.document, order].flatMap((one) => one ?? []);
  if (reserved === null || (!cost && made.length === 0)) return;
  const payer = payerOf({ requester });
  if (cost?.price === null) return releaseSpending(app, payer, id);
  const price = !cost || cost.price === "unknown" ? null : withTax(cost.price);
  await correctSpending(app, payer, id, { price, made });
  // The request of several targets reserved the sum of all.
  if (part) await correctSpending(app, payer, part.of, { price: null, made });
}

/** Takes the price of an act off the spending again: one that was refused, or ended before it ran, has cost nothing. */
export function releaseRequest(app: RulesApp, about: Pick<Ruled, "id" | "requester">): Promise<void> {
  return releaseSpending(app, payerOf(about), about.id);
}

/** The other requests of the last 24 hours that the same person pays. */
export function otherSpending(app: RulesApp, request: Request): Promise<string[]> {
  return spendingRequests(app, payerOf(request), request.id);
}

async function readCircumstances(
  app: RulesApp,
  about: Ruled,
  read: ReadNow | undefined,
  { ruled }: RulesSnapshot,
): Promise<Circumstances> {
  const { risk, command, acts, agent, price, bulk, origin, target, schedule } = about;
  const { project, kinds, relocations } = read ?? {
    project: about.identity.project,
    kinds: about.kinds,
    relocations: async () => about.ruling.relocations,
  };
  return {
    ...{ risk, command, agent, price, bulk, project, channel: origin.channel },
    sameAs: commandsOfAct(app.registry, { command, acts, kinds }),
    // If no rule names a project, a move makes no difference, so nothing is read.
    moved: ruled.length > 0 ? distinctRelocations(await relocations(ruled)) : [],
    inWindow: target !== null && (await isInWindow(app, target.id, Math.max(schedule?.at ?? 0, app.clock.now()))),
  };
}

/** Returns the strictest ruling of all its projects. */
function strictestRuling(
  evaluate: (subject: RuledAct) => RequiredApproval,
  about: Circumstances & { by: RuledMember },
  spent: RuledAct["spent"],
): RequiredApproval {
  const passed = about.moved.flatMap(({ from, to }) => [from, to]);
  if (!about.bulk)
    return [about.project, ...passed].map((project) => evaluate({ ...about, project, spent })).reduce(stricter);
  return [...about.bulk.projects, ...passed]
    .map((project) => bulkRuling((inWindow) => evaluate({ ...about, project, spent, inWindow })))
    .reduce(stricter);
}

/**
 * A move needs as much as the strictest act that it makes easier. Otherwise a member could disarm a rule by moving the resource first.
 */
function withMoveRules(
  { registry }: RulesApp,
  ruling: RequiredApproval,
  relocations: Relocation[],
  lost: RulesSnapshot["lost"],
): BareRuling {
  const plain = { ...ruling, relocations, leaving: null, admin: false };
  if (relocations.length === 0 || ruling.demand === "not-allowed") return plain;
  const losses = relocations.flatMap((move) => {
    const loss = lost({ ...move, acts: actsOn(registry, move.nouns) });
    return loss ? [{ ...loss, move }] : [];
  });
  const [first, ...others] = losses;
  if (!first) return plain;
  const most = others.reduce((a, b) => (strictness(b.demand) > strictness(a.demand) ? b : a), first);
  const admin = most.demand === "not-allowed";
  const needed = admin ? "one-approval" : most.demand;
  const demand = strictness(needed) > strictness(ruling.demand) ? needed : ruling.demand;
  // The rule of the old project must not allow an override of the move: that would be a way around it.
  const shown = strictness(most.demand) > strictness(ruling.demand) ? most.rule : ruling.rule;
  const rule = shown && { ...shown, overridable: false };
  const passkey = ruling.passkey ?? losses.find((loss) => loss.passkey)?.passkey ?? null;
  const people = joinPeople([ruling, ...losses.map(({ approvers }) => ({ ...noPeople, approvers }))]);
  return { demand, rule, passkey, ...people, relocations, leaving: moveReason(most, most.move), admin };
}

/** All that an operation may do, for an act whose input and target are not read. */
export function declaredAct(operation: PlatformOperation): NamedAct {
  return {
    command: operation.command,
    acts: actsWith(operation, {}),
    kinds: kindsOf(operation),
  };
}

/** The commands of the customer API that act on a resource of one of the nouns: a move of the resource may lower their approval. */
function actsOn({ all }: Registry, nouns: readonly string[]): CommandRisks[] {
  return all.flatMap((operation) =>
    operation.api === "customer" && operation.target && nouns.includes(operation.target.noun)
      ? [{ command: operation.command, sameAs: commandsOfAct({ all }, declaredAct(operation)), risks: operation.risks }]
      : [],
  );
}

async function withWindowOpening(app: RulesApp, judged: BareRuling, { target, price }: Ruled): Promise<Ruling> {
  const ruling = { ...judged, price };
  if (ruling.demand !== "not-allowed" || !ruling.rule?.when.outsideWindows) return ruling;
  return { ...ruling, opens: target === null ? null : await findNextWindow(app, target.id, app.clock.now()) };
}

/** "`/vps cancel` needs more in `Production` than in `Default`, so the move needs as much." */
function moveReason({ demand, command }: LostApproval, { from, to }: Relocation): string {
  const [act, before, after] = [code(`/${command}`), from ? code(from.name) : "an unknown project", code(to.name)];
  return demand === "not-allowed"
    ? `${act} is not always allowed in ${before}, and needs less in ${after}. An admin other than the requester must approve the move.`
    : `${act} can need more in ${before} than in ${after}, so the move needs as much.`;
}

/** The approval rule in words, with the one that asks for a passkey and the reason about a move; null without any. */
export function ruleReason(
  { rule, leaving, passkey }: Pick<Ruling, "rule" | "leaving" | "passkey">,
  price: Request["price"] = null,
): string | null {
  // It stays on a card, where a mention would notify people whom the rule only names.
  const words = (one: Rule) => demandSentence(one, { price, people: countedWords });
  const asking = passkey && (passkey.rule ? !rule?.passkey && words(passkey.rule) : requiredWords);
  return [rule && words(rule), asking || null, leaving].filter((words) => words !== null).join(" ") || null;
}

const requiredWords = "Everything that destroys needs a passkey here.";

/** The ruling of the backup that was chosen to come before the act; null without one. */
export async function readBackupRuling(app: RulesApp, request: NewRequest): Promise<Ruling | null> {
  const [backup] = chosenBackup(request);
  const operation = backup && app.registry.find(backup.command);
  if (!operation || operation.api === "app") return null;
  return readRuling(app, ruledBackup(request, operation, ""));
}

/** The demands of the rules about an act and about the backup before it: both apply. */
export function demandedOf({ admin, relocations, ...ruling }: Ruling, backup: RequiredApproval | null) {
  const passkey = ruling.passkey !== null || (backup !== null && backup.passkey !== null);
  return { admin, relocations, passkey, ...joinPeople(backup ? [ruling, backup] : [ruling]) };
}

/** The approval that an act needs with the backup before it. */
export function strictestDemand({ demand }: Pick<Ruling, "demand">, backup: Pick<Ruling, "demand"> | null) {
  return backup && strictness(backup.demand) > strictness(demand) ? backup.demand : demand;
}

/** An act that was decided, under the present rules. */
interface Lacking {
  /** The demand of the act, with the backup that was chosen to come first. */
  required: Given;
  /** Why the rules no longer allow it, in sentences that quote the rule; null if they do. */
  why: string | null;
  /** The rule of `why`, in words. */
  reason: string | null;
}

/** Applies the approval rules again to a request that was decided, and to its backup: they may have become stricter since. */
export async function lackingNow(app: RulesApp & AdminApp, request: NewRequest, read?: ReadNow): Promise<Lacking> {
  const ruling = await readRuling(app, request, read);
  const backup = await readBackupRuling(app, request);
  const required = { demand: strictestDemand(ruling, backup), passkey: ruling.passkey ?? backup?.passkey ?? null };
  for (const [one, subject] of [
    [ruling, "it"] as const,
    ...(backup ? [[backup, "the backup before it"] as const] : []),
  ]) {
    const lacking = await lackingFrom(app, request, one, subject);
    const reason = lacking && ruleReason(one, one.price);
    if (lacking) return { required, why: reason ? `${lacking} The rule: ${reason}` : lacking, reason };
  }
  return { required, why: null, reason: null };
}

async function lackingFrom(
  app: AdminApp,
  request: NewRequest,
  ruling: Ruling,
  subject: "it" | "the backup before it",
): Promise<string | null> {
  const { demand, rule } = ruling;
  if (demand === "not-allowed") return `A rule of this workspace does not allow ${subject} now.`;
  // An emergency override has no approvals. It counts while the rule still allows it.
  if (decidingOverride(request) !== null && rule?.overridable) return missingPasskey(ruling, request);
  const admin = ruling.admin || request.ruling.admin;
  return missingApprovals(ruling, request) ?? (await missingAdmin(app, { admin }, request.approvals));
}

/** A sentence that says that an admin's approval is missing, or null. */
export async function missingAdmin(
  app: AdminApp,
  { admin }: Pick<Ruling, "admin">,
  approvals: readonly Pick<Approval, "slackUser">[],
): Promise<string | null> {
  if (!admin) return null;
  for (const { slackUser } of approvals) if (await isAdmin(app, slackUser)) return null;
  return "One of the approvers of this move must be an admin.";
}

/** Returns the stricter ruling. If both are equal, the one without an emergency override. A passkey that either asks for stays. */
function stricter(one: RequiredApproval, other: RequiredApproval): RequiredApproval {
  const [own, others] = [strictness(one.demand), strictness(other.demand)];
  const isOther = own === others ? one.rule?.overridable === true : others > own;
  return isOther ? withBoth(other, one) : withBoth(one, other);
}

/**
 * Returns the stricter ruling of inside and outside a maintenance window. If it is forbidden outside, inside decides: each target is
 * checked again before it runs.
 */
function bulkRuling(judged: (inWindow: boolean) => RequiredApproval): RequiredApproval {
  const [inside, outside] = [judged(true), judged(false)];
  return outside.demand === "not-allowed" ? inside : stricter(inside, outside);
}

const nothingSpent: RuledAct["spent"] = { sums: [], unknown: false };

/** The keys of the requester's spending, as they were at the request: unlinking a key must not reset the sum. */
function payerOf({ requester: { member, platformUser, keyId } }: Pick<Ruled, "requester">): Payer {
  return spendingKeys({ member, users: platformUser === null ? [] : [platformUser], keys: [keyId] });
}

/**
 * Throws a Refusal with the rule's words if the act is not allowed. If it is allowed in a maintenance window, the Refusal says when that
 * opens, with `steps` to wait for it.
 */
export function refuseForbidden(
  { demand, rule, price, opens }: Ruling,
  steps: (opens: number) => Step[] = () => [],
): void {
  if (demand !== "not-allowed" || !rule) return;
  const words = `A rule of this workspace does not allow it. Nothing was requested. The rule: ${demandSentence(rule, { price })}`;
  if (opens === undefined) throw new Refusal(words);
  if (opens === null)
    throw new Refusal(
      `${words} No such maintenance window is scheduled: an admin adds one with \`/rackbell maintenance\`.`,
    );
  throw new Refusal(`${words} The next one opens ${moment(opens)}.`, steps(opens));
}

/** The mode and the number of approvals for a demand. */
export function approvalLevel(demand: RequiredApproval["demand"]): { mode: "self" | "peer"; needed: number } {
  if (demand === "two-approvals") return { mode: "peer", needed: 2 };
  return demand === "one-approval" ? { mode: "peer", needed: 1 } : { mode: "self", needed: 0 };
}

/** Returns a sentence if the rules demand more now than was given; else null. */
function missingApprovals(
  { demand, passkey, approvers }: Pick<RequiredApproval, "demand" | "passkey" | "approvers">,
  request: Pick<Request, "mode" | "approvals" | "proof">,
) {
  const counted = request.approvals.filter(({ slackUser }) => isApprover(approvers, slackUser)).length;
  const { needed } = approvalLevel(demand);
  if (needed > request.approvals.length) return "It needs more approvals now.";
  if (needed > counted) return "A rule names other approvers now.";
  if (request.mode === "none" && demand !== "allowed") return "The requester must confirm it now.";
  return missingPasskey({ passkey }, request);
}

/** Returns a sentence if the rules ask for a passkey, and somebody decided it without one; else null. */
function missingPasskey(
  { passkey }: Pick<RequiredApproval, "passkey">,
  { approvals, proof }: Pick<Request, "approvals" | "proof">,
): string | null {
  const proven = proof?.by ?? [];
  const isProven = proven.length > 0 && approvals.every(({ member }) => proven.some((by) => by.member === member));
  return passkey && !isProven ? "It was not decided with a passkey, and needs that now." : null;
}

/** The backup of this name as an act of its own. The platform does not name its price. */
export function ruledBackup(about: Ruled, operation: PlatformOperation, name: string): Ruled {
  const { risk } = operation;
  return {
    ...about,
    ...declaredAct(operation),
    id: partId(about.id, name),
    risk,
    price: risk === "spend" ? "unknown" : null,
  };
}
