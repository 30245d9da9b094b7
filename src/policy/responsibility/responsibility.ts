// policy/responsibility/: who is to act on an alert or a request now: who was notified, who has taken it, and what comes next.

import * as z from "#zod";
import type { Audit, Audited, EntryEvent } from "../../audit/audit.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { replacing } from "../../storage/record.ts";
import type { LaneHandlers } from "../../storage/store.ts";
import { duration, moment } from "../../views/format.ts";
import { dueStep, MadeStep, nextStep, type Reached, reachedWords, type WaitStep } from "./steps.ts";

/** Milliseconds. A member who fell asleep must not keep others away for longer. */
const takenFor = 60 * 60_000;
/** Longer than anything waits for a person: a request waits for up to a month. */
const kept = 62 * 24 * 60 * 60_000;

/** A member has taken it. Times are in milliseconds since the epoch. `until`: when it goes back by itself. */
const Taken = z.object({ slackUser: z.string(), since: z.number(), until: z.number() });

const Responsibility = z.object({
  takenBy: Taken.nullable(),
  /** The last take that went back by itself, since its member did nothing in Rackbell. */
  wentBack: Taken.nullable(),
  /** The steps that were made. */
  steps: z.array(MadeStep),
});
export type Responsibility = z.infer<typeof Responsibility>;

/** Nobody has taken it, and nobody was notified again. */
export const untaken: Responsibility = { takenBy: null, wentBack: null, steps: [] };

const responsibilities = defineKind({
  name: "responsibility",
  namespace: "responsibilities",
  schema: Responsibility,
  ttlMs: kept,
});

/** The kind of what waits, as the outbox names it, and its id. */
export interface Subject {
  kind: string;
  id: string;
}

/** Something that waits for a person. */
export interface WaitingSubject {
  /** The steps that notify people if nobody acts, each by a name of its own. */
  steps: readonly WaitStep[];
  /** No step comes before this time, in milliseconds since the epoch: it is muted until then. */
  heldUntil?: number | null;
  /** When it ends by itself, in milliseconds since the epoch; null where it waits without an end. No step comes from then on. */
  endsAt: number | null;
  /** The facts of its audit entries, and the ids by which they are found. */
  audited: Audited;
  made?: string[];
  /** When the member last did something about it (milliseconds since the epoch); null if they did nothing. */
  lastActOf: (slackUser: string) => number | null | Promise<number | null>;
  /** The timer with which the outbox updates its messages. */
  messageTimer: string;
}

export interface ResponsibilityApp extends TimedApp {
  audit: Pick<Audit, "entryOf">;
}

const lane = "responsible:";
const keyOf = ({ kind, id }: Subject): string => `${kind}:${id}`;

/** The timer at which a responsibility is looked after: a take goes back, or a step is due. */
export function responsibilityTimer(subject: Subject): string {
  return `${lane}${keyOf(subject)}`;
}

export async function readResponsibility(
  { store }: Pick<TimedApp, "store">,
  subject: Subject,
): Promise<Responsibility> {
  return (await store.keyv(responsibilities).get(keyOf(subject))) ?? untaken;
}

/** A change of the record, and its audit entry. */
interface Change {
  next: Responsibility;
  note: EntryEvent;
}

/**
 * Stores a change with its audit entry and its timers. `change`: null changes nothing. `wakes`: the lane finds out anew what is next, which a
 * run of the lane does by itself. Resolves with the newest record.
 */
async function changeResponsibility(
  app: ResponsibilityApp,
  subject: Subject,
  waiting: WaitingSubject,
  change: (before: Responsibility) => Change | null,
  { wakes = false }: { wakes?: boolean } = {},
): Promise<Responsibility> {
  const { store, clock, audit } = app;
  for (;;) {
    const stored = await store.read(responsibilities, keyOf(subject));
    const before = stored.value ?? untaken;
    const changed = change(before);
    if (changed === null) return before;
    const { next, note } = changed;
    const written = await store.transact({
      records: [replacing(stored, next)],
      log: [audit.entryOf(waiting.audited, { ...note, ...(waiting.made && { made: waiting.made }) })],
      timers: [
        { id: waiting.messageTimer, at: clock.now() },
        ...(wakes ? [{ id: responsibilityTimer(subject), at: clock.now() }] : []),
      ],
    });
    if (written) return next;
  }
}

/**
 * A press of *Take* or *Release*. Resolves with why it changes nothing, as a sentence; null if it counts: one member at a time has it.
 */
export async function pressTake(
  app: ResponsibilityApp,
  subject: Subject,
  waiting: WaitingSubject,
  { slackUser, release }: { slackUser: string; release: boolean },
): Promise<string | null> {
  // The press may come before the lane has renewed it.
  await renewTake(app, subject, waiting);
  let problem: string | null = null;
  const press = (before: Responsibility): Change | null => {
    const now = app.clock.now();
    const by = before.takenBy && before.takenBy.until > now ? before.takenBy : null;
    problem = by && by.slackUser !== slackUser ? othersWords(by) : null;
    if (problem !== null) return null;
    return release ? releasing(before, slackUser) : by ? null : taking(before, waiting, slackUser, now);
  };
  await changeResponsibility(app, subject, waiting, press, { wakes: true });
  return problem;
}

/** Of what ends by itself, at most half of the rest: a take up to the end would hold back every reminder of the others. */
function takenUntil(since: number, { endsAt }: Pick<WaitingSubject, "endsAt">): number {
  return since + (endsAt === null ? takenFor : Math.min(takenFor, Math.max(0, endsAt - since) / 2));
}

function othersWords({ slackUser, until }: z.infer<typeof Taken>): string {
  return `<@${slackUser}> took this (until ${moment(until)}). Only they can release it before.`;
}

function taking(before: Responsibility, waiting: WaitingSubject, slackUser: string, now: number): Change {
  const takenBy = { slackUser, since: now, until: takenUntil(now, waiting) };
  const note = { what: "taken", by: slackUser, outcome: `<@${slackUser}> took it.` } as const;
  return { next: { ...before, takenBy, wentBack: null }, note };
}

/** Null where nobody has it: an earlier press, or the time, released it. */
function releasing(before: Responsibility, slackUser: string): Change | null {
  if (!before.takenBy) return null;
  const note = { what: "released", by: slackUser, outcome: `<@${slackUser}> released it.` } as const;
  return { next: { ...before, takenBy: null, wentBack: null }, note };
}

/** A take that went back by the time; null if none did. */
function goneBack(before: Responsibility, now: number): Change | null {
  const { takenBy } = before;
  if (takenBy === null || takenBy.until > now) return null;
  const outcome = `<@${takenBy.slackUser}> took it. No act through Rackbell followed in its time, so nobody has it now.`;
  return { next: { ...before, takenBy: null, wentBack: takenBy }, note: { what: "gone back", outcome } };
}

/** The step, if it is still the one that is due: somebody may have taken it, or another instance may have made the step. */
function making(before: Responsibility, waiting: WaitingSubject, made: Made, now: number): Change | null {
  if (dueStep(before, waiting, now)?.name !== made.step.name) return null;
  const { name, kind, about, to, at } = made.step;
  const step = { name, kind, about, to, at: typeof made.step.reach === "function" ? now : Number(at), ...made.reached };
  return { next: { ...before, steps: [...before.steps, step] }, note: { what: kind, outcome: reachedWords(step) } };
}

/** A step that is due, and whom it reaches. */
interface Made {
  step: WaitStep;
  reached: Reached;
}

/** The same person goes on with what they took, if they did something about it meanwhile: their time begins with that. */
async function renewTake(app: ResponsibilityApp, subject: Subject, waiting: WaitingSubject): Promise<void> {
  const { takenBy } = await readResponsibility(app, subject);
  const acted = takenBy && takenBy.until <= app.clock.now() ? await waiting.lastActOf(takenBy.slackUser) : null;
  if (takenBy === null || acted === null) return;
  const renewed = { ...takenBy, until: takenUntil(acted, waiting) };
  if (renewed.until <= takenBy.until) return;
  const outcome = `<@${takenBy.slackUser}> acted on it, and has it for another ${duration(renewed.until - acted)} from then.`;
  await changeResponsibility(app, subject, waiting, (before) =>
    before.takenBy?.until === takenBy.until
      ? { next: { ...before, takenBy: renewed }, note: { what: "taken", by: takenBy.slackUser, outcome } }
      : null,
  );
}

/** Makes what is due, and resolves with the time of what is next; undefined if nothing is. */
async function runResponsibility(
  app: ResponsibilityApp,
  subject: Subject,
  read: () => Promise<WaitingSubject | null>,
): Promise<number | undefined> {
  let waiting = await read();
  if (waiting) await renewTake(app, subject, waiting);
  while (waiting) {
    const now = app.clock.now();
    const record = await changeResponsibility(app, subject, waiting, (newest) => goneBack(newest, now));
    const step = dueStep(record, waiting, now);
    if (step) {
      const reached = typeof step.reach === "function" ? await step.reach() : step.reach;
      // It may be over since: Slack was asked whom the step reaches.
      const present = await read();
      if (present)
        await changeResponsibility(app, subject, present, (newest) => making(newest, present, { step, reached }, now));
      waiting = present;
      continue;
    }
    const times = [nextStep(record, waiting)?.at, record.takenBy?.until].filter((at) => at !== undefined);
    return times.length > 0 ? Math.min(...times) : undefined;
  }
  return undefined;
}

/** The one lane for all that waits for a person. `read`: what waits, by its kind; null once it no longer waits, or is unknown. */
export function responsibilityTimers(
  app: ResponsibilityApp,
  read: Readonly<Record<string, (id: string) => Promise<WaitingSubject | null>>>,
): LaneHandlers {
  return {
    async [lane](timerId) {
      const [kind = "", ...rest] = timerId.slice(lane.length).split(":");
      const subject = { kind, id: rest.join(":") };
      return runResponsibility(app, subject, async () => (await read[kind]?.(subject.id)) ?? null);
    },
  };
}
