import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Locks } from "../../storage/store.ts";
import { actions, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import { ruleWords } from "../policy/words.ts";
import { type FindAudience, joined } from "./audience.ts";
import { createRequest, priceOf, type Wanted } from "./create.ts";
import type { OfferCopy } from "./offer-copy.ts";
import { othersPlanned } from "./others-planned.ts";
import { plannedButtons } from "./planned-view.ts";
import { reminderAt } from "./reminder.ts";
import { isAskedAlone, type Request, thingOf } from "./request.ts";
import { aboutWanted, levelOf, type Rules, refuseForbidden } from "./rules.ts";
import { findSame } from "./same.ts";
import type { RequestStore } from "./store.ts";
import { withLock } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";
import { buttonsOf, titleOf } from "./view.ts";
import { waitForWindow } from "./wait-for-window.ts";

/** Makes a request of what a member wants, where it must be asked first; its messages follow from it. */
export type Ask = (wanted: Wanted) => Promise<void>;

/** Longer than it takes to ask the platform for the facts. */
const lockFor = 60_000;

export function createAsk(deps: {
  requests: RequestStore;
  findAudience: FindAudience;
  locks: Locks;
  reply: Reply;
  clock: Clock;
  rules: Rules;
  offerCopy: OfferCopy;
  ttl: number;
}): Ask {
  const { requests, findAudience, locks, reply, clock, rules, offerCopy, ttl } = deps;

  /** Whoever asked in another place than where it stands is told where that is; what cannot be told undoes nothing. */
  async function tellWhere(request: Request): Promise<void> {
    const { origin, channel } = request;
    // A modal shows the request itself.
    if (isAskedAlone(request) || channel === origin.channel || origin.view !== null) return;
    const where = channel === null ? "your direct messages with me" : `<#${channel}>`;
    const text = `Your request to ${titleOf(request)} is in ${where}. ${request.notice ?? ""}`.trim();
    await reply.ephemeral(origin, { text, blocks: [section(text)] }).catch(() => {});
  }

  async function create(wanted: Wanted, risk: Request["risk"]): Promise<void> {
    const { act, origin } = wanted;
    const same = await findSame(requests, wanted, clock.now());
    if (same) return pointAt(same, origin);
    const review = await act.review();
    const about = aboutWanted(wanted, priceOf(risk, review));
    const verdict = await rules.verdict(about);
    refuseForbidden(verdict, (opens) => waitForWindow(wanted, opens));
    const { mode, needed } = levelOf(verdict.demand);
    const audience = await findAudience(wanted, { risk, mode, needed });
    const { copy, notice } = await offerCopy(wanted, { about, needed });
    const rule = verdict.rule && ruleWords(verdict.rule);
    // Of many whose number must be typed, nothing is run past that.
    const breakable = mode === "peer" && !wanted.bulk?.counted && (verdict.rule?.breakGlass ?? false);
    const others = await othersPlanned(requests, { ...about, target: act.target });
    const placed = { ...audience, notice: joined([audience.notice, notice, others]), copy };
    const asking = { risk, mode, needed, rule, breakable, review, ...placed, ttl };
    const made = createRequest(wanted, asking, { now: clock.now(), seal: requests.seal });
    const request = await requests.create(made, {
      note: { what: "asked", outcome: made.consequence },
      lookAt: reminderAt(made) ?? made.expiresAt,
    });
    await tellWhere(request);
  }

  /** The same does not wait twice: one of the two could be approved after the other was done. */
  async function pointAt(same: Request, origin: Origin): Promise<void> {
    const whose = same.member === origin.member ? "you" : `<@${same.slackUser}>`;
    const where = same.channel === null || same.channel === origin.channel ? "" : ` in <#${same.channel}>`;
    const waits = same.state === "planned" ? "is planned for that time" : `waits${where} to be decided`;
    const text = `${titleOf(same)} was asked for by ${whose} ${moment(same.createdAt)} and ${waits}, so nothing new was asked.`;
    await reply.ephemeral(origin, {
      text,
      blocks: [section(text), ...actions(same.state === "planned" ? plannedButtons(same) : buttonsOf(same), "request")],
    });
  }

  return async (wanted) => {
    const { bound, act, origin } = wanted;
    // What only reads is never asked first.
    const risk = act.risk === "read" ? "change" : act.risk;
    const about = { target: act.target, member: bound.actor.member, command: bound.operation.command };
    await refuseWhileUnclear(requests, about, risk);
    // Two who ask for the same in one second are one and the other: who comes second is pointed at the first.
    const lock = { name: `ask:${thingOf(about)}`, holder: origin.slackUser, lockFor };
    await withLock(
      locks,
      lock,
      () => create(wanted, risk),
      async (holder) => {
        throw new Refusal(
          `Something about the same is being asked for by <@${String(holder)}> right now, so nothing new was asked. Ask again in a few seconds if yours is another thing.`,
        );
      },
    );
  };
}
