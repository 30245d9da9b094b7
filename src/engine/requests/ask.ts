import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Locks } from "../../storage/store.ts";
import { actions, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import { ruleWords } from "../policy/words.ts";
import type { Approvers } from "./approvers.ts";
import { createRequest, priceOf, type Wanted } from "./create.ts";
import type { FindPlace } from "./place.ts";
import { reminderAt } from "./reminder.ts";
import { isAskedAlone, type Request, thingOf } from "./request.ts";
import { aboutWanted, levelOf, type Rules, refuseForbidden } from "./rules.ts";
import { findSame } from "./same.ts";
import type { RequestStore } from "./store.ts";
import { withLock } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";
import { buttonsOf, titleOf } from "./view.ts";

/** Makes a request of what a member wants, where it must be asked first; its messages follow from it. */
export type Ask = (wanted: Wanted) => Promise<void>;

/** Longer than it takes to ask the platform for the facts. */
const lockFor = 60_000;

export function createAsk(deps: {
  requests: RequestStore;
  approvers: Approvers;
  findPlace: FindPlace;
  locks: Locks;
  reply: Reply;
  clock: Clock;
  rules: Rules;
  ttl: number;
}): Ask {
  const { requests, approvers, findPlace, locks, reply, clock, rules, ttl } = deps;

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
    const { bound, act, origin, originator } = wanted;
    const same = await findSame(requests, wanted, clock.now());
    if (same) return pointAt(same, origin);
    const review = await act.review();
    const verdict = await rules.verdict(aboutWanted(wanted, priceOf(risk, review)));
    refuseForbidden(verdict);
    const { mode, needed } = levelOf(verdict.demand);
    const alone = isAskedAlone({ risk, mode });
    const place = alone
      ? { channel: origin.channel, notice: null }
      : await findPlace(origin, { peer: mode === "peer" });
    const call =
      mode === "peer"
        ? await approvers.toApprove(bound.links, bound.operation, needed, originator)
        : { mention: null, notice: null };
    const notice = [place.notice, call.notice].filter((line) => line !== null).join(" ") || null;
    const rule = verdict.rule && ruleWords(verdict.rule);
    const breakable = mode === "peer" && (verdict.rule?.breakGlass ?? false);
    const placed = { channel: place.channel, notice, mention: call.mention };
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
    const text = `${titleOf(same)} was asked for by ${whose} ${moment(same.createdAt)} and waits${where} to be decided, so nothing new was asked.`;
    await reply.ephemeral(origin, { text, blocks: [section(text), ...actions(buttonsOf(same), "request")] });
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
