import * as z from "#zod";
import { moment } from "../../views/format.ts";
import { listing } from "../../views/text.ts";

/**
 * The steps by which people are notified of something that waits, one after the other. `notified`: its own message mentions them.
 * `unanswered`: no step is left, and nobody has taken it.
 */
const stepKinds = ["notified", "reminded", "escalated", "unanswered"] as const;
type StepKind = (typeof stepKinds)[number];

/** Somebody who is notified. */
const Notified = z.object({
  /** In mrkdwn: a person, or a group that is mentioned as a whole. */
  mention: z.string(),
  /** Null for a group whose people Slack does not give. */
  slackUser: z.string().nullable(),
  /** The name of the member who is away, for whom they are notified, in mrkdwn. */
  insteadOf: z.string().nullable(),
  /** Until when Do Not Disturb silences them (milliseconds since the epoch); null: they hear it. */
  quietUntil: z.number().nullable(),
  /** They are not in the channel, so they get a direct message. */
  direct: z.boolean(),
});
export type Notified = z.infer<typeof Notified>;

/** The people whom a step notifies, and a sentence for each whom it passes over. */
export const Reached = z.object({ notified: z.array(Notified), skipped: z.array(z.string()) });
export type Reached = z.infer<typeof Reached>;

export const nobody: Reached = { notified: [], skipped: [] };

/** A step that was made. `to`: whom it is for, in mrkdwn. `about`: the part of what waits that its message names; without it the first one. */
export const MadeStep = Reached.extend({
  name: z.string(),
  about: z.string().optional(),
  kind: z.enum(stepKinds),
  to: z.string(),
  at: z.number(),
});
export type MadeStep = z.infer<typeof MadeStep>;

/** A step of something that waits. */
export interface WaitStep {
  name: string;
  kind: StepKind;
  /** The id of the part that it is about, if it were made now. */
  about?: string;
  /** Whom it is for, in mrkdwn. */
  to: string;
  /** Its time in milliseconds since the epoch, or so many after another step. If that one reached nobody who hears it, at once. */
  at: number | { after: string; ms: number };
  /** Whom it reaches. A value: they were reached at its time, by the message of what waits. */
  reach: Reached | (() => Promise<Reached>);
}

/** The state of something that waits, as far as its steps depend on it. */
interface Progress {
  takenBy: { until: number } | null;
  steps: readonly MadeStep[];
}

/** The steps of something that waits; as `WaitingSubject` has them. */
export interface StepsAhead {
  steps: readonly WaitStep[];
  heldUntil?: number | null;
  endsAt?: number | null;
}

/** True if somebody was notified whom no Do Not Disturb silences. */
function isHeard({ notified }: Reached): boolean {
  return notified.some(({ quietUntil }) => quietUntil === null);
}

/** The time of a step, as far as it is known now. */
function timeOf({ at }: WaitStep, steps: readonly WaitStep[], made: readonly MadeStep[]): number {
  if (typeof at === "number") return at;
  const done = made.find(({ name }) => name === at.after);
  if (done) return done.at + (isHeard(done) ? at.ms : 0);
  const before = steps.find(({ name }) => name === at.after);
  return before ? timeOf(before, steps, made) + at.ms : 0;
}

/** The first step that was not made, and the time at which it comes if nobody acts: a take or a mute holds it. Null if none is left before its end. */
export function nextStep(
  { takenBy, steps: made }: Progress,
  { steps, heldUntil, endsAt = null }: StepsAhead,
): { step: WaitStep; at: number } | null {
  const ahead = steps
    .filter(({ name }) => !made.some((step) => step.name === name))
    .map((step) => ({ step, at: timeOf(step, steps, made) }))
    .toSorted((a, b) => a.at - b.at);
  const [first] = ahead;
  if (!first || typeof first.step.reach !== "function") return first ?? null;
  const at = Math.max(first.at, takenBy?.until ?? 0, heldUntil ?? 0);
  return endsAt !== null && at >= endsAt ? null : { ...first, at };
}

/** All steps that were made, with those by the message of what waits that are not noted yet. */
export function stepsSoFar({ steps: made }: Pick<Progress, "steps">, { steps }: StepsAhead): MadeStep[] {
  const own = steps.flatMap(({ name, kind, to, at, reach }) =>
    typeof reach === "function" || typeof at !== "number" || made.some((step) => step.name === name)
      ? []
      : [{ name, kind, to, at, ...reach }],
  );
  return [...made, ...own].toSorted((a, b) => a.at - b.at);
}

/** The step that is due; null if none is. */
export function dueStep(progress: Progress, waiting: StepsAhead, now: number): WaitStep | null {
  const next = nextStep(progress, waiting);
  return next && next.at <= now ? next.step : null;
}

/** "<@ben> for Caro, who is away": each of those who were notified. */
function notifiedWords({ mention, insteadOf }: Notified): string {
  return insteadOf === null ? mention : `${mention} for ${insteadOf}, who is away`;
}

/** The mentions of those who read it in the channel; null without any. */
export function mentionWords({ notified }: Reached): string | null {
  return [...new Set(notified.flatMap(({ mention, direct }) => (direct ? [] : [mention])))].join(" ") || null;
}

/** The sentences about those who may not hear it, and those who were passed over. */
export function reachNotes({ notified, skipped }: Reached): string[] {
  const quiet = notified.flatMap(({ mention, slackUser, quietUntil }) =>
    quietUntil === null
      ? []
      : [`${slackUser === null ? mention : `<@${slackUser}>`} is in Do Not Disturb until ${moment(quietUntil)}.`],
  );
  return [...quiet, ...skipped];
}

/** A step as the audit log and the card tell it: "Rackbell notified <@ben> and <@caro>." */
export function reachedWords({ kind, to, notified, skipped }: MadeStep): string {
  if (kind === "unanswered") return "Nobody has taken it, and no further step follows.";
  const [first] = notified;
  const verb = kind === "reminded" ? "reminded" : "notified";
  const lead = first
    ? `Rackbell ${verb} ${listing([...new Set(notified.map(notifiedWords))])}.`
    : `Nobody of ${to} could be notified.`;
  return [lead, ...reachNotes({ notified, skipped })].join(" ");
}

/** People to notify if nobody has acted so many milliseconds after the beginning. */
interface Later {
  /** Named, in mrkdwn: a mention on a new card would notify them now. */
  to: string;
  after: number;
  reach: () => Promise<Reached>;
}

/**
 * The steps of something that waits since a time: those whom its own message mentions, then others, each at its time.
 * `first` is null where its message mentions nobody. At the end it says that nobody is left.
 */
export function chainOf(
  name: string,
  since: number,
  { first, later }: { first: { to: string; reach: Reached } | null; later: readonly Later[] },
): WaitStep[] {
  const nameOf = (at: number) => `${name}:then-${at}`;
  const own: WaitStep[] = first ? [{ name, kind: "notified", at: since, ...first }] : [];
  const pauseBefore = (at: number) => Math.max(0, (later[at]?.after ?? 0) - (later[at - 1]?.after ?? 0));
  const others = later.map(({ to, after, reach }, at): WaitStep => {
    const before = at > 0 ? nameOf(at - 1) : own[0]?.name;
    const time = before === undefined ? since + after : { after: before, ms: pauseBefore(at) };
    return { name: nameOf(at), kind: "escalated", to, at: time, reach };
  });
  const [last] = [...own, ...others].slice(-1);
  if (!last || (later.length === 0 && first && isHeard(first.reach))) return own;
  // The last ones have as long as those before them had.
  const end = { after: last.name, ms: pauseBefore(later.length - 1) };
  return [...own, ...others, { name: `${name}:end`, kind: "unanswered", to: "", at: end, reach: async () => nobody }];
}
