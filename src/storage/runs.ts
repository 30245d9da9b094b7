import type { Engine, Member, MemberChange } from "./engine.ts";
import { RunLost } from "./errors.ts";
import type { RunToken } from "./store.ts";

/** A due timer that nobody runs. `lost`: the run of it that ended with its instance. */
export interface DueTimer {
  id: string;
  at: number;
  lost: string | undefined;
}

/** The next time of a timer after a run: a time or none as its handler returned, or a retry after a failure. */
export type NextRun = { again: number | undefined } | { retryAt: number; failures: number };

// A timer is a member of its lane's index of due times, and stays there while it runs. The mark of its run names the instance that has it.
// A time that is set meanwhile goes to a second index, until the run has ended. A third one counts failures.

const dueOf = (lane: string): string => `~due ${lane}`;
const nextOf = (lane: string): string => `~next ${lane}`;
const failingOf = (lane: string): string => `~failing ${lane}`;
const runKey = (lane: string, id: string): string => `mark:~run:${lane}${id}`;
const ownerOf = (run: string): string => run.slice(0, run.indexOf(" "));

const pageSize = 100;
let claims = 0;

/** The change that sets a timer; of several times the earliest counts. */
export function setting(lane: string, id: string, at: number): MemberChange {
  const unless = { key: runKey(lane, id), index: nextOf(lane) };
  return { index: dueOf(lane), member: id, score: at, least: true, unless };
}

/** Every lane with timers, and the time of its first one. */
export async function lanesOf(engine: Engine): Promise<{ lane: string; at: number }[]> {
  return (await engine.named("~due ")).map(({ index, first }) => ({ lane: index.slice(dueOf("").length), at: first }));
}

/** The due timers of a lane that nobody runs, in pages, the longest overdue first. `busy`: those that this instance runs. */
export async function* dueTimers(
  engine: Engine,
  lane: string,
  { now, busy }: { now: number; busy: (id: string) => boolean },
): AsyncGenerator<DueTimer[]> {
  for await (const page of pagesOf(engine, dueOf(lane), now)) {
    const runs = await Promise.all(page.map(({ member }) => engine.get(runKey(lane, member))));
    const free: DueTimer[] = [];
    for (const [n, { member: id, score: at }] of page.entries()) {
      const lost = runs[n];
      const owner = lost === undefined ? undefined : ownerOf(lost);
      const isRunning = owner === engine.instance ? busy(id) : owner !== undefined && (await engine.alive(owner));
      if (!isRunning) free.push({ id, at, lost });
    }
    yield free;
  }
}

export async function firstDueAfter(engine: Engine, lane: string, now: number): Promise<number> {
  const [next] = await engine.range(dueOf(lane), { from: now + 1, limit: 1 });
  return next?.score ?? Number.POSITIVE_INFINITY;
}

/** Takes a timer; null if another instance was faster. `openedAt`: when the store was opened, which knows of no run before. */
export async function claim(
  engine: Engine,
  lane: string,
  { id, at, lost, openedAt }: DueTimer & { openedAt: number },
): Promise<RunToken | null> {
  claims += 1;
  const run = `${engine.instance} ${claims}`;
  const gone = lost === undefined || ownerOf(lost) === engine.instance ? undefined : ownerOf(lost);
  const claimed = await engine.apply(
    {
      texts: [{ key: runKey(lane, id), was: lost ?? null, text: run }],
      // It must still be due: another instance may have run it since it was read.
      members: [{ index: dueOf(lane), member: id, was: at, score: at }],
      signs: true,
      gone,
    },
    { lasts: "system" },
  );
  return claimed ? { lane, id, run, repeats: lost !== undefined || at < openedAt } : null;
}

/** Ends a run, and resolves with the next time of its timer; undefined for none, or if another instance has it. */
export async function settleRun(
  engine: Engine,
  { lane, id, run }: RunToken,
  outcome: NextRun,
): Promise<number | undefined> {
  const failed = "retryAt" in outcome;
  const at = failed ? outcome.retryAt : outcome.again;
  const [next] =
    (await engine.apply(
      {
        texts: [{ key: runKey(lane, id), was: run, text: undefined }],
        members: [
          // A time that was set meanwhile waits for the end of the retries.
          { index: dueOf(lane), member: id, score: at ?? null, ...(failed ? {} : { takes: nextOf(lane) }) },
          { index: failingOf(lane), member: id, score: failed ? outcome.failures : null },
        ],
      },
      // Nobody waits for the end of a timer: if a crash loses it, the run repeats without effect.
      { lasts: at === undefined ? "soon" : "disk" },
    )) ?? [];
  return failed ? at : (next ?? undefined);
}

export async function proveRun(engine: Engine, { lane, id, run }: RunToken): Promise<void> {
  const texts = [{ key: runKey(lane, id), was: run, text: run }];
  if (!(await engine.apply({ texts, signs: true }, { lasts: "system" }))) throw new RunLost(lane + id);
}

export async function failuresOf(engine: Engine, lane: string, id: string): Promise<number> {
  return (await engine.score(failingOf(lane), id)) ?? 0;
}

export async function failingIn(engine: Engine, lane: string): Promise<number> {
  return engine.size(failingOf(lane));
}

/** Moves all timers back by so many milliseconds, after the time of day was set back: all in one step, or some would move twice. */
export async function moveTimers(engine: Engine, backMs: number): Promise<void> {
  const members: MemberChange[] = [];
  for (const { lane } of await lanesOf(engine))
    for (const index of [dueOf(lane), nextOf(lane)])
      for await (const page of pagesOf(engine, index))
        members.push(...page.map(({ member, score }) => ({ index, member, was: score, score: score - backMs })));
  if (members.length > 0 && !(await engine.apply({ members }))) await moveTimers(engine, backMs);
}

async function* pagesOf(engine: Engine, index: string, to = Infinity): AsyncGenerator<Member[]> {
  for (let after: Member | undefined; ; ) {
    const page = await engine.range(index, { to, after, limit: pageSize });
    yield page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}
