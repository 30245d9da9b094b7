import * as z from "#zod";
import type { Answer, Precondition, Reconciled, Step } from "../../operation/answer.ts";
import type { Effect } from "../../operation/effects.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Cancelled, ServiceStatus } from "../../platform/customer/states.ts";
import { serviceStage } from "../../platform/service-stage.ts";
import { ownValue } from "../../process/own-value.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { moment } from "../../views/format.ts";
import { lowerFirst } from "../../views/text.ts";

import { isEndState } from "./service-states.ts";

/** The members of a cancellation under every noun. Spec section 2.8. */
export const cancelCommon = {
  group: "money",
  synonyms: ["delete", "remove", "destroy", "terminate"],
  risk: "destroy",
  verb: "Cancel",
  input: z.object({
    immediate: z.boolean().default(false).meta({
      title: "At once",
      description:
        "If off, the service ends when the paid period ends, and you can withdraw the cancellation until then. One that is billed by the hour may end within the hour",
    }),
    reason: z
      .string()
      .max(500)
      .regex(/\S\s+\S/, "at least two words are needed.")
      .default("Cancelled from Slack")
      .meta({ title: "Reason" }),
  }),
} as const;

/** The end of a cancelled service, by its status; "unsaid": the spec does not name it, nor if the platform takes it. Spec section 3.1. */
const endings: Readonly<Record<ServiceStatus, "as asked" | "at once" | "unsaid" | "refused">> = {
  pending_payment: "unsaid",
  pending: "refused",
  installing: "refused",
  active: "as asked",
  suspended: "refused",
  provisioning_failed: "at once",
  cancelled: "refused",
  terminated: "refused",
};

/** A service with its status, which a row may leave out: then the platform decides. */
interface WithStatus {
  status?: string | undefined;
}

function endingOf({ status }: WithStatus) {
  return status === undefined ? "as asked" : (ownValue(endings, status) ?? "unsaid");
}

/** False where the platform refuses to cancel it. It may do so in other states, of which the spec is silent. */
export function isCancellable(service: WithStatus): boolean {
  return endingOf(service) !== "refused";
}

export function endsAtOnce(service: WithStatus, immediate: boolean): boolean {
  return immediate || endingOf(service) === "at once";
}

/** The spec does not say if it ends at once, nor if its documents do. */
const unsaidEffects: readonly Effect[] = [
  { aspect: "cancellation", to: ["scheduled"], later: true },
  { aspect: "billing", to: ["terminated"], later: true },
  { aspect: "payment", on: "documents", to: ["cancelled"], later: true },
];

/** The effects of a cancellation. A failed build takes its unpaid documents along. */
export function cancelEffects(service: WithStatus, immediate: boolean): readonly Effect[] {
  const ending = endingOf(service);
  if (ending === "unsaid") return unsaidEffects;
  if (!endsAtOnce(service, immediate)) return [{ aspect: "cancellation", to: ["scheduled"] }];
  const ended: Effect = { aspect: "billing", to: ["terminated"] };
  return ending === "at once" ? [ended, { aspect: "payment", on: "documents", to: ["cancelled"] }] : [ended];
}

/** A service with its paid period, as far as its row shows it. Spec section 2.3. */
export interface WithPeriod extends WithStatus {
  cycle: string | undefined;
  /** The end of the paid period; null if the row names none. */
  paidUntil: string | null;
}

export function isHourly({ cycle }: Pick<WithPeriod, "cycle">): boolean {
  return cycle === "hourly";
}

/** The end of the paid period. The spec does not say how long it is if the service is billed by the hour. */
function periodEnd({ cycle, paidUntil }: WithPeriod): string {
  if (isHourly({ cycle })) return "perhaps within the hour, since it is billed by the hour";
  return paidUntil ? moment(paidUntil) : "at the end of the paid period, whose date the platform does not show";
}

export const noReturn = "This cannot be undone, and paid money is not refunded here.";
export const untilThen = "You can withdraw the cancellation until then.";
/** Behind a loss at the end of the paid period. */
export const atPeriodEnd = { when: " then" };

/** The time of its end, for a sentence. */
export function endTime(service: WithPeriod): string {
  if (endingOf(service) === "unsaid") return "at a time that the platform does not say, perhaps at once";
  const isDated = service.paidUntil && !isHourly(service);
  return isDated ? `${periodEnd(service)}, when the paid period ends` : periodEnd(service);
}

export function endIs(service: WithPeriod, immediate: boolean): Precondition {
  if (endsAtOnce(service, immediate)) return { value: "now", label: "Ends", text: "at once" };
  const isUnsaid = endingOf(service) === "unsaid";
  return {
    value: isHourly(service) ? "hour" : "period",
    label: "Ends",
    text: isUnsaid ? "the platform does not say when" : periodEnd(service),
  };
}

/** The heading of services in a request for several that end sooner than the others; null for all others. */
function soonHeading(service: WithPeriod, immediate: boolean): string | null {
  if (endsAtOnce(service, immediate) || endingOf(service) === "unsaid" || !isHourly(service)) return null;
  return "Billed by the hour, and may end within the hour";
}

/** The label of the confirm button: the act and the resource. The message has the date, in each reader's zone. */
export function endLabel(name: PlainText, service: WithPeriod, immediate: boolean): PlainText {
  if (endsAtOnce(service, immediate)) return plainly`Cancel ${name} now`;
  return endingOf(service) === "unsaid" || isHourly(service)
    ? plainly`Cancel ${name}`
    : plainly`Cancel ${name} at period end`;
}

/** The consequence of a withdrawal, for a service of which the platform does not show if it is cancelled. */
function keptIfCancelled(name: string): string {
  return `If ${name} is cancelled, that will be withdrawn: it will not end, and its billing goes on.`;
}

/** The members of the withdrawal of a cancellation under every noun. */
export const keepCommon = {
  group: "money",
  synonyms: ["uncancel"],
  risk: "change",
  effects: [{ aspect: "cancellation", to: ["none"] }],
  bulk: {
    each: () => keptIfCancelled("it"),
    harmless: true,
  },
  input: z.object({}),
} as const;

/** A service as its cancellation sees it. */
interface Cancellable extends WithStatus {
  id: string;
  /** As mrkdwn. */
  name: string;
  /** The status in words. */
  state: string;
  /** The day of its scheduled end; null if none is scheduled, undefined if the platform does not say. */
  ends: string | null | undefined;
}

/** The end of a service that never had a machine, by its state. The spec says of a failed build alone how it ends (section 3.1). */
const unbuiltEnds: Readonly<Record<string, string>> = {
  provisioning_failed: `This will terminate it, and cancel an unpaid invoice or proforma for it. ${noReturn}`,
  pending_payment: `This will cancel it. Its unpaid invoice or proforma may stay open. If it ends at once, ${lowerFirst(noReturn)}`,
};

/** The consequence for a service that never had a machine; null for any other. */
export function unbuiltLoss(name: string, { status = "" }: WithStatus): string | null {
  const end = ownValue(unbuiltEnds, status);
  return end === undefined ? null : `${name} was never built. ${end}`;
}

/** The heading of such services in a request for several; their names follow it after a colon. */
export function unbuiltHeading({ status = "" }: WithStatus): string | null {
  const end = ownValue(unbuiltEnds, status);
  return end === undefined ? null : `Never built. ${end.slice(0, -1)}`;
}

/** The headings under which a request for several warns of a service. `paid`: sentences about the paid part of its document. */
export function cancelHeadings(service: WithPeriod, immediate: boolean, paid: readonly string[]): string[] {
  const heading = unbuiltHeading(service) ?? soonHeading(service, immediate);
  return [...(heading === null ? [] : [heading]), ...paid.map((sentence) => sentence.replace(/\.$/, ""))];
}

/** The loss of each of several services: `sentence`, held to those that have a machine where others never had one. */
export function endOfEach(rows: readonly WithStatus[], sentence: string): string {
  return rows.some((row) => unbuiltHeading(row) !== null) ? `If it is built, ${lowerFirst(sentence)}` : sentence;
}

function notShown(name: string): string {
  return `The platform does not show whether ${name} is cancelled.`;
}

/** The refusal, the answers and the outcome of a cancellation under one noun. */
export function cancellations<T>(noun: "vps" | "service", see: (target: T) => Cancellable) {
  /** A button that revokes a scheduled cancellation, until it takes effect. */
  function keepStep(id: string, ends: string): Step {
    const until = Date.parse(ends);
    return { label: "Keep it", command: `${noun} keep`, target: id, ...(Number.isNaN(until) ? {} : { until }) };
  }

  /** The refusal to withdraw a cancellation that does not exist. */
  function keepRefusal(target: T): Refusal | null {
    const { name, status, ends } = see(target);
    if (ends !== null || status !== "active") return null;
    return new Refusal(`${name} is not cancelled, so there is nothing to withdraw. Nothing was sent.`);
  }

  return {
    /**
     * The refusal of a cancellation that the platform would refuse, such as a second one at the end of the period. Ending at once
     * is a different request.
     */
    cancelRefusal(target: T, atOnce: boolean): Refusal | null {
      const { id, name, status, state, ends } = see(target);
      if (!isCancellable({ status }))
        return new Refusal(`${name} is ${state}, so it cannot be cancelled. Nothing changed.`);
      if (atOnce || !ends) return null;
      return new Refusal(`${name} ends ${moment(ends)} already. Nothing changed. \`immediate=yes\` ends it at once.`, [
        { label: "Keep it", command: `${noun} keep`, target: id },
      ]);
    },

    /** `immediate`: as it was asked for. A platform that drops the body of a DELETE takes the default in its place (spec section 2.8). */
    cancelAnswer(target: T, immediate: boolean, done: Cancelled): Answer {
      const { id, name, status } = see(target);
      const atOnce = endsAtOnce({ status }, immediate);
      const isUnsaid = endingOf({ status }) === "unsaid";
      const period = isUnsaid ? "" : ", when the paid period ends";
      if (done.immediate)
        return {
          text: `${atOnce || isUnsaid ? `${name} has ended` : `The platform ended ${name} at once`}. There is no way back.`,
        };
      const text = `${name} ends ${moment(done.scheduledDate)}${period}. You can withdraw the cancellation until then.`;
      const keep = keepStep(id, done.scheduledDate);
      if (!atOnce) return { text, next: [keep] };
      // This one sends a POST, whose body nothing drops.
      const again: Step = {
        label: "Cancel it now…",
        command: "service cancel",
        target: id,
        input: { immediate: true },
      };
      return { text: `The platform did not end it at once. ${text}`, endUnknown: true, next: [again, keep] };
    },

    /** The outcome of a cancellation whose answer was lost. */
    cancelReconciled(target: T, immediate: boolean): Reconciled {
      const { id, name, status, state, ends } = see(target);
      if (isEndState(status)) return { is: "done", text: `${name} is ${state}.` };
      if (!immediate && ends) return { is: "done", text: `${name} ends ${moment(ends)}.`, next: [keepStep(id, ends)] };
      // Without a status that a spec lists, the service may have ended.
      if (serviceStage(status) !== null && (immediate || ends === null))
        return { is: "not done", text: `${name} is ${state} and not cancelled.` };
      return { is: "unsure", text: notShown(name) };
    },

    keepRefusal,

    keepReview(target: T) {
      const refusal = keepRefusal(target);
      if (refusal) throw refusal;
      const { name, ends } = see(target);
      if (!ends) return { consequence: keptIfCancelled(name) };
      const end = `it will not end ${moment(ends)}`;
      return { consequence: `The cancellation of ${name} will be withdrawn: ${end}, and its billing goes on.` };
    },

    keepAnswer(target: T): Answer {
      const { id, name } = see(target);
      return {
        text: `${name} is kept: its cancellation is withdrawn.`,
        next: [{ label: "Show", command: `${noun} show`, target: id }],
      };
    },

    /** The outcome of a withdrawal whose answer was lost. A service that has ended has no scheduled end, and is not kept. */
    keepReconciled(target: T): Reconciled {
      const { name, status, state, ends } = see(target);
      if (isEndState(status)) return { is: "not done", text: `${name} is ${state}.` };
      if (ends) return { is: "not done", text: `${name} still ends ${moment(ends)}.` };
      if (serviceStage(status) === null || ends === undefined) return { is: "unsure", text: notShown(name) };
      return { is: "done", text: `${name} is kept.` };
    },
  };
}
