import type { Clock } from "../../clock.ts";
import type { Step } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import type { PlatformOperation, Risk } from "../../operation/operation.ts";
import { moment } from "../../views/format.ts";
import type { Subject, Verdict } from "../policy/judge.ts";
import type { PolicyStore } from "../policy/policy.ts";
import { strictness } from "../policy/rule.ts";
import type { Spending } from "../policy/spending.ts";
import { ruleWords } from "../policy/words.ts";
import type { Windows } from "../windows/windows.ts";
import type { Bulk } from "./bulk/record.ts";
import type { Wanted } from "./create.ts";
import type { Request } from "./request.ts";

/** What is about to be asked or done, as the policy looks at it. */
export interface About {
  id: string;
  member: string;
  originator: string | null;
  risk: Risk;
  command: string;
  within: string | null;
  /** What it is about, by its id, and when it is to be done; null: now. */
  thing: string | null;
  at: number | null;
  /** In place of that, the projects of many: what holds for one of them holds for all. */
  bulk?: Pick<Bulk, "projects"> | null;
  channel: string | null;
  price: Request["price"];
}

/** What the policy says of what members want, their spending counted in. */
export interface Rules {
  verdict(about: About): Promise<Held>;
  /** Counts the price, unless more would hold by now with all that was counted meanwhile. */
  reserve(about: About, most: Verdict["demand"]): Promise<boolean>;
  release(request: Pick<Request, "member" | "id">): Promise<void>;
}

type Circumstances = About & { inWindow: boolean };

/** What holds, and when a window opens in which more is allowed, where a rule goes by that. */
interface Held extends Verdict {
  opens?: number | null;
}

export function createRules(deps: {
  policy: PolicyStore;
  spending: Spending;
  windows: Pick<Windows, "isOpen" | "opens">;
  clock: Clock;
}): Rules {
  const { policy, spending, windows, clock } = deps;

  async function circumstancesOf(about: About): Promise<Circumstances> {
    const { thing, at } = about;
    if (thing === null) return { ...about, inWindow: false };
    return { ...about, inWindow: await windows.isOpen(thing, Math.max(at ?? 0, clock.now())) };
  }

  async function withOpening(verdict: Verdict, { thing }: About): Promise<Held> {
    if (verdict.demand !== "never" || !verdict.rule?.when.outsideWindows) return verdict;
    return { ...verdict, opens: thing === null ? null : await windows.opens(thing, clock.now()) };
  }

  /** The strictest that holds for it, in whichever of its projects. */
  function judgedBy(judged: (subject: Subject) => Verdict, about: Circumstances, spent: Subject["spent"]): Verdict {
    if (!about.bulk) return judged({ ...about, project: about.within, spent });
    return about.bulk.projects
      .map((project) => judgedOfMany((inWindow) => judged({ ...about, project, spent, inWindow })))
      .reduce(stricter);
  }

  return {
    async verdict(about) {
      // What was taken over is held by the stricter of what holds for either.
      const payers = [about.member, ...(about.originator ? [memberOf(about, about.originator)] : [])];
      const judged = await policy.judging();
      const circumstances = await circumstancesOf(about);
      const verdicts: Verdict[] = [];
      for (const payer of payers) {
        const spent = about.price === null ? nothing : await spending.of(payer, about.id);
        verdicts.push(judgedBy(judged, circumstances, spent));
      }
      return withOpening(verdicts.reduce(stricter), about);
    },
    async reserve(about, most) {
      const { price, member, id } = about;
      if (price === null) return true;
      const judged = await policy.judging();
      const circumstances = await circumstancesOf(about);
      return spending.reserve(
        member,
        id,
        price === "unknown" ? null : price,
        (spent) => strictness(judgedBy(judged, circumstances, spent).demand) <= strictness(most),
      );
    },
    release: ({ member, id }) => spending.release(member, id),
  };
}

function stricter(one: Verdict, other: Verdict): Verdict {
  return strictness(other.demand) > strictness(one.demand) ? other : one;
}

/** What must be asked outside a window is asked for all; what is forbidden there is looked at for each, right before it is done. */
function judgedOfMany(judged: (inWindow: boolean) => Verdict): Verdict {
  const [inside, outside] = [judged(true), judged(false)];
  return outside.demand === "never" ? inside : stricter(inside, outside);
}

const nothing: Subject["spent"] = { sums: [], unknown: false };

function memberOf({ member }: About, slackUser: string): string {
  return `${member.split(":")[0]}:${slackUser}`;
}

/** Refuses what is never done from here, and names the rule; where it is allowed in a maintenance window, when the next one opens, with `steps` to wait for it. */
export function refuseForbidden({ demand, rule, opens }: Held, steps: (opens: number) => Step[] = () => []): void {
  if (demand !== "never" || !rule) return;
  const words = `A rule of this workspace does not allow it. Nothing was asked. The rule: ${ruleWords(rule)}`;
  if (opens === undefined) throw new Refusal(words);
  if (opens === null)
    throw new Refusal(`${words} No such window is planned for it: an admin plans one with \`/rackbell window\`.`);
  throw new Refusal(`${words} The next one opens ${moment(opens)}.`, steps(opens));
}

/** How it is decided where that much is demanded. */
export function levelOf(demand: Verdict["demand"]): { mode: "self" | "peer"; needed: number } {
  if (demand === "peers") return { mode: "peer", needed: 2 };
  return demand === "peer" ? { mode: "peer", needed: 1 } : { mode: "self", needed: 0 };
}

/** What is demanded by now and was not given when it was decided, as a sentence; null where nothing is. */
export function lackingNow(demand: Verdict["demand"], { mode, approvals }: Pick<Request, "mode" | "approvals">) {
  if (levelOf(demand).needed > approvals.length) return "More people must approve it by now.";
  return mode === "none" && demand !== "allowed" ? "It must be confirmed by who asks, by now." : null;
}

/** A request as the policy looks at it. */
export function aboutOf(request: Request): About {
  const { origin, ...rest } = request;
  const { target, planned } = request;
  return { ...rest, channel: origin.channel, thing: target?.id ?? null, at: planned?.at ?? null };
}

/** By what the sum of a day knows the copy that comes before something. */
export function copyPart({ id }: Pick<Request, "id">): string {
  return `${id}:copy`;
}

/** The copy that comes before something, as the policy looks at it: an act of its own, whose price the platform does not name. */
export function aboutCopy(about: About, { risk, command }: Pick<PlatformOperation, "risk" | "command">): About {
  return { ...about, id: copyPart(about), risk, command, price: risk === "spend" ? "unknown" : null };
}

/** What a member wants, as the policy looks at it. */
export function aboutWanted(
  { bound, act, origin, originator, bulk = null, when = null }: Omit<Wanted, "generated">,
  price: About["price"],
): About {
  return {
    id: act.id,
    member: bound.actor.member,
    originator: originator ?? null,
    risk: act.risk,
    command: bound.operation.command,
    within: act.project,
    thing: act.target?.id ?? null,
    at: when?.at ?? null,
    bulk,
    channel: origin.channel,
    price,
  };
}
