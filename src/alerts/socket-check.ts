import * as z from "#zod";
import { type AdminsApp, adminsToNotify } from "../messages/admins.ts";
import { noticeChange } from "../messages/answers/notices.ts";
import type { Chat, MessageRef } from "../messages/chat/chat.ts";
import { SlackRefused } from "../messages/chat/errors.ts";
import { sleep } from "../process/clock.ts";
import type { LoggedApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing, type Stored } from "../storage/record.ts";
import type { Store } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import { type Message, section } from "../views/blocks.ts";
import { moment, utc } from "../views/format.ts";
import { count } from "../views/text.ts";

// A connection of Socket Mode may answer pings and swallow payloads: Slack counts a dead process, or its own side is stuck. No call of Slack
// shows that. So Rackbell edits a message of its own in an admin's direct messages, and Slack must bring each edit back as an event.

const second = 1_000;
const minute = 60 * second;
const everyMs = 20 * second;
/** Slack repeats an event three seconds after a connection swallowed it, so both tries come within this time. */
const lostAfterMs = 8 * second;
/** An edit that no answer of Slack confirms: its instance may have died. */
const unsentAfterMs = 20 * second;
/** So many results are kept. One that did not arrive is an accident; two of these are none. */
const window = 8;
const tooMany = 2;
/** Without an admin to write to, or a scope that brings edits back, there is nothing to check. */
const noAdminMs = 5 * minute;
const unprovenMs = 60 * minute;
/** The verdict of checks that nobody makes any more says nothing. */
const staleAfterMs = 10 * minute;
const [firstRenewalMs, longestRenewalMs] = [5 * minute, 60 * minute];

/**
 * `arrived`: the edit came back at the first try. `repeated`: a connection swallowed it, and another one got it. `lost`: neither came in time.
 */
const Result = z.object({
  number: z.number(),
  /** When Slack took the edit, or when it was begun if Slack has not answered yet; milliseconds since the epoch. */
  at: z.number(),
  outcome: z.enum(["sending", "waiting", "arrived", "repeated", "lost"]),
});
type Result = z.infer<typeof Result>;

const SocketCheck = z.object({
  /** The message that is edited. */
  message: z.object({ channel: z.string(), ts: z.string() }).nullable(),
  /** True once an edit came back: only then does silence mean something. */
  proven: z.boolean(),
  /** The number of the newest edit. */
  sent: z.number(),
  /** The newest last. */
  results: z.array(Result),
  /** When the first of those that did not arrive was sent; null while the admins need not know. */
  failingSince: z.number().nullable(),
});
type SocketCheck = z.infer<typeof SocketCheck>;

const socketChecks = defineKind({
  name: "check of Slack's socket",
  namespace: "socket-check",
  schema: SocketCheck,
  ttlMs: 30 * 24 * 60 * minute,
});
const key = "newest";
const untried: SocketCheck = { message: null, proven: false, sent: 0, results: [], failingSince: null };

/** The present connection of this instance. */
interface Socket {
  read(): { age: number; quiet: number } | null;
  renew(): void;
}

type CheckingApp = AdminsApp &
  LoggedApp & { chat: Pick<Chat, "directChannel" | "find" | "post" | "update">; socket: Socket };

/** Checks from now on, together with all other instances, that Slack's payloads arrive. The returned function stops that. */
export function startSocketCheck(app: CheckingApp): () => void {
  const { clock, log } = app;
  const stopping = new AbortController();
  const renew = createRenewal(app);

  async function run(): Promise<void> {
    for (;;) {
      const waitMs = await step(app, renew).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, "Slack's socket could not be checked");
        return everyMs;
      });
      await sleep(clock, waitMs, stopping.signal);
    }
  }
  run().catch(() => {});
  return () => stopping.abort();
}

/** Judges what is due and sends the next edit; resolves with the milliseconds until the next step. */
async function step(app: CheckingApp, renew: (check: SocketCheck) => void): Promise<number> {
  const connection = app.socket.read();
  if (!connection) return everyMs / 4;
  const before = await app.store.read(socketChecks, key);
  const known = before.value ?? untried;
  const now = app.clock.now();
  const judged = judge(known, { now, connectedMs: connection.age });
  const dueAt = nextAt(judged);
  if (dueAt > now) {
    if (judged !== known && !(await replace(app, before, judged))) return second;
    renew(judged);
    return Math.max(second, dueAt - now);
  }
  const message = judged.message ?? (await findPlace(app));
  if (!message) return noAdminMs;
  const result: Result = { number: judged.sent + 1, at: now, outcome: "sending" };
  const begun = { ...judged, message, sent: result.number, results: [...judged.results, result].slice(-window) };
  // Another instance has begun the same one.
  if (!(await replace(app, before, begun))) return second;
  renew(begun);
  await send(app, message, result.number);
  return lostAfterMs;
}

/** Stores a check, and notifies the admins of its verdict if that changed; false if another instance came between. */
async function replace(app: LoggedApp, before: Stored<SocketCheck>, after: SocketCheck): Promise<boolean> {
  const known = before.value ?? untried;
  const { records, timers } = await noticeOf(app, known, after);
  if (!(await app.store.transact({ records: [replacing(before, after), ...records], timers }))) return false;
  if (after.failingSince !== known.failingSince)
    app.log.warn({ results: after.results.map(({ outcome }) => outcome) }, wordsInLog(after));
  return true;
}

function judge(check: SocketCheck, { now, connectedMs }: { now: number; connectedMs: number }): SocketCheck {
  const results = check.results.flatMap((result): Result[] => {
    const age = now - result.at;
    // The clock was set back.
    if (age < 0) return [];
    if (result.outcome === "sending") return age > unsentAfterMs ? [] : [result];
    if (result.outcome !== "waiting" || age < lostAfterMs) return [result];
    // Nobody listened when Slack brought it, or it is lost.
    return connectedMs < age ? [] : [{ ...result, outcome: "lost" }];
  });
  const isSame = results.length === check.results.length && results.every((one, at) => one === check.results[at]);
  return isSame ? check : withVerdict({ ...check, results });
}

function withVerdict(check: SocketCheck): SocketCheck {
  const missed = check.results.filter(({ outcome }) => outcome === "repeated" || outcome === "lost");
  const isFailing = check.proven && missed.length >= (check.failingSince === null ? tooMany : 1);
  return { ...check, failingSince: isFailing ? (check.failingSince ?? missed[0]?.at ?? null) : null };
}

/** When the next edit is due, or when the present one can be judged. */
function nextAt({ results, proven, failingSince }: SocketCheck): number {
  const last = results.at(-1);
  if (!last) return 0;
  if (last.outcome === "sending") return last.at + unsentAfterMs;
  if (last.outcome === "waiting") return last.at + lostAfterMs;
  if (!proven) return last.at + (results.length < 3 ? everyMs : unprovenMs);
  // A first loss is confirmed at once.
  return last.outcome === "arrived" || failingSince !== null ? last.at + everyMs : last.at;
}

async function send(app: CheckingApp, message: MessageRef, number: number): Promise<void> {
  const { store, clock, chat } = app;
  try {
    await chat.update(message, editOf(number), { priority: "progress" });
  } catch (error) {
    const isGone = error instanceof SlackRefused && /_not_found|cant_update|is_archived/.test(error.reason);
    await update(store, socketChecks, key, (check) => {
      const results = check?.results.filter((one) => one.number !== number || one.outcome !== "sending");
      return check && results && { ...check, results, message: isGone ? null : check.message };
    });
    throw error;
  }
  await update(store, socketChecks, key, (check) => {
    const isSending = check?.results.some((one) => one.number === number && one.outcome === "sending");
    return check && isSending ? withOutcome(check, number, { outcome: "waiting", at: clock.now() }) : undefined;
  });
}

function withOutcome(check: SocketCheck, number: number, change: Partial<Result>): SocketCheck {
  const results = check.results.map((one) => (one.number === number ? { ...one, ...change } : one));
  return { ...check, results };
}

/**
 * To be called when Slack reports an edit of a direct message. `attempt`: 0 for Slack's first try. An edit of anything else changes nothing.
 */
export async function editReported(
  app: LoggedApp,
  { channel, ts, text, attempt }: { channel: string; ts: string; text: string; attempt: number },
): Promise<void> {
  const number = Number(/\bCheck (\d{1,15})\.$/.exec(text)?.[1]);
  if (Number.isNaN(number)) return;
  const outcome = attempt === 0 ? "arrived" : "repeated";
  for (;;) {
    const before = await app.store.read(socketChecks, key);
    const check = before.value;
    const result = check?.results.find((one) => one.number === number);
    if (!result || check?.message?.channel !== channel || check.message.ts !== ts) return;
    // A repetition after the first try says that the acknowledgement was slow.
    if (result.outcome === "arrived" || result.outcome === outcome) return;
    // Those before the first that came back say nothing.
    const counting = check.proven ? check : { ...check, proven: true, results: [result] };
    const after = withVerdict(withOutcome(counting, number, { outcome }));
    if (await replace(app, before, after)) return;
  }
}

const mark = { subject: "socket-check", slot: "message" };

/** The message to edit: made in the direct messages of the first admin who can get one; null if there is none. */
async function findPlace(app: CheckingApp): Promise<MessageRef | null> {
  const { store, chat, clock } = app;
  const locked = await store.locks.lock("socket-check", store.instance, minute);
  if ("holder" in locked) return null;
  try {
    for (const admin of await adminsToNotify(app, [])) {
      const channel = await chat.directChannel(admin).catch(nullIfRefused);
      if (channel === null) continue;
      // A crash may have come between the post and the record.
      const found = await chat.find(channel, mark, clock.now() - 60 * minute).catch(nullIfRefused);
      const { ts } = found ?? (await chat.post(channel, editOf(0), { mark, priority: "progress" }));
      return { channel, ts };
    }
    return null;
  } finally {
    await store.locks.unlock("socket-check", locked.fence);
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof SlackRefused) return null;
  throw error;
}

function editOf(number: number): Message {
  const text = `:satellite_antenna: Rackbell edits this message three times a minute, and Slack reports each edit back. So Rackbell notices when presses do not reach it. An edit notifies nobody. Check ${number}.`;
  return { text, blocks: [section(text)] };
}

/** Makes this instance's connection anew if it alone is deaf; each new connection may leave a dead one behind, so ever more seldom. */
function createRenewal({ clock, socket, log }: Pick<CheckingApp, "clock" | "socket" | "log">) {
  let notBefore = 0;
  let pauseMs = firstRenewalMs;
  return (check: SocketCheck): void => {
    if (check.failingSince === null) {
      pauseMs = firstRenewalMs;
      return;
    }
    const quiet = socket.read()?.quiet ?? 0;
    const now = clock.monotonic();
    if (now < notBefore || !isDeaf(check, clock.now() - quiet)) return;
    notBefore = now + pauseMs;
    pauseMs = Math.min(longestRenewalMs, pauseMs * 2);
    log.warn({ quietMs: quiet }, "Slack's socket delivers nothing, so Rackbell connects anew");
    socket.renew();
  };
}

/** True if the connection that brought nothing since `quietSince` may be the one that swallows: no check came over it. */
function isDeaf(check: SocketCheck, quietSince: number): boolean {
  const judged = judgedOf(check);
  const since = isSilent(check) ? judged.at(-tooMany) : judged.length >= window - 1 ? judged[0] : undefined;
  return since !== undefined && quietSince <= since.at;
}

function judgedOf({ results }: SocketCheck): Result[] {
  return results.filter(({ outcome }) => outcome !== "sending" && outcome !== "waiting");
}

/** True if the newest edits came back to nobody. */
function isSilent(check: SocketCheck): boolean {
  const newest = judgedOf(check).slice(-tooMany);
  return newest.length === tooMany && newest.every(({ outcome }) => outcome === "lost");
}

async function noticeOf(app: TimedApp, before: SocketCheck, after: SocketCheck) {
  const since = after.failingSince ?? before.failingSince;
  if (since === null || after.failingSince === before.failingSince) return { records: [], timers: [] };
  const text =
    after.failingSince === null
      ? `:white_check_mark: Slack's payloads reach Rackbell again. Some were lost since ${moment(since)}.`
      : `:warning: ${problemWords(after, moment(since))} Slack may lose a press, and then nothing happens. Press again after a few seconds without an answer. Rackbell connects anew by itself if its connection is deaf. Your operator finds this in \`src/guide/operate.md\`.`;
  return noticeChange(app, { to: { admins: [] }, text }, `socket-check:${since}`);
}

/** `since`: the first time that one was lost. */
function problemWords(check: SocketCheck, since: string): string {
  const judged = judgedOf(check);
  const missed = judged.filter(({ outcome }) => outcome !== "arrived").length;
  return `Slack lost ${missed} of Rackbell's last ${count(judged.length, "check")} of its payloads, since ${since}.`;
}

function wordsInLog({ failingSince }: SocketCheck): string {
  return failingSince === null
    ? "Slack's payloads reach Rackbell again"
    : "Slack's payloads do not all reach Rackbell, so presses may be lost";
}

/** A sentence for the operator, and if nothing at all arrives (`deaf`); null while the edits come back, and if nobody checks. */
export async function socketProblem(app: CheckedApp): Promise<{ text: string; deaf: boolean } | null> {
  const check = await readFresh(app);
  if (!check || check.failingSince === null) return null;
  return { text: `${problemWords(check, utc(check.failingSince))} It may lose presses, too.`, deaf: isSilent(check) };
}

/** How the newest checks ended, for the metrics; null if nobody checks. */
export async function socketFigures(app: CheckedApp): Promise<Record<"arrived" | "repeated" | "lost", number> | null> {
  const check = await readFresh(app);
  if (!check) return null;
  const figures = { arrived: 0, repeated: 0, lost: 0 };
  for (const { outcome } of check.results) if (outcome !== "sending" && outcome !== "waiting") figures[outcome] += 1;
  return figures;
}

interface CheckedApp {
  store: Pick<Store, "read">;
  clock: TimedApp["clock"];
}

async function readFresh({ store, clock }: CheckedApp): Promise<SocketCheck | null> {
  const { value: check } = await store.read(socketChecks, key);
  const newest = check?.results.at(-1);
  return check && newest && clock.now() - newest.at < staleAfterMs ? check : null;
}
