import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import { type Claim, holdClaim, holdSafety, type Reference } from "./model.ts";
import { type Change, secretsOf, toneOf } from "./observing.ts";
import { by, type OracleName } from "./oracles.ts";
import type { Deployment } from "./world/deployment.ts";

const hour = 60 * 60_000;
/** So long a command of two calls, each seven seconds on a slow network, may have been in progress when the member unlinked their key. */
const underWayMs = 2 * 60_000;

/** So long the words of a refusal may be on their way to Slack, on a slow network, while the next try succeeds. */
const onTheWayMs = 10_000;

/** Checks a run while it is in progress: each time, the messages and calls since the last check. */
export interface Watch {
  look(): void;
  readonly found: ReadonlySet<string>;
}

interface Watched {
  deployment: Deployment;
  changes: readonly Change[];
  /** The model's reference as it is by now. */
  reference(): Reference;
  /** Calls that a key may make in an hour. */
  hourlyLimit: number;
  /** How long the platform takes for an answer. */
  latencyMs: number;
  /** A person who links their key again: the app checks it before it says that it is linked. */
  linkAgain: ReadonlySet<string>;
  /** When somebody was deactivated in Slack. */
  left: ReadonlyMap<string, number>;
}

/** Checked at every moment, and not at the end alone. */
export function createWatch({
  deployment,
  changes,
  reference,
  hourlyLimit,
  latencyMs,
  linkAgain,
  left,
}: Watched): Watch {
  const { platform } = deployment.practice;
  const found = new Set<string>();
  const secrets = secretsOf(deployment.practice);
  const seen = { changes: 0, calls: 0, lines: 0, writes: 0 };
  const last = new Map<string, LoggedCall>();
  const windows = new Map<string, { start: number; used: number }>();
  /** When the app said to a person that their key is erased. */
  const unlinked = new Map<string, number>();

  function note(oracle: OracleName, finding: string): void {
    for (const one of by(oracle, [finding])) found.add(one);
  }

  function lookAtCall(call: LoggedCall): void {
    const { method, path, key, at } = call;
    if (key !== null) countCall(key, at);
    const gone = unlinked.get(key ?? "");
    if (gone !== undefined && at > gone + underWayMs && !linkAgain.has(key ?? ""))
      note("an erased key is not used", `${method} ${path} was sent with the key of ${key}, who has unlinked it`);
    const leftAt = left.get(key ?? "");
    // While the app is down for minutes Slack gives up telling it, and it finds out within an hour.
    // After a fault the app may store the key for an hour, to find out an end.
    const isWrong = method !== "GET" || deployment.faults === 0;
    if (isWrong && leftAt !== undefined && at > leftAt + underWayMs && deployment.crashes === 0)
      note("an erased key is not used", `${method} ${path} was sent with the key of ${key}, who has left`);
    if (method !== "GET") oneAtATime(call);
  }

  /** As the platform counts: from the first call on for an hour. */
  function countCall(key: string, at: number): void {
    const before = windows.get(key);
    const window = before && at < before.start + hour ? before : { start: at, used: 0 };
    window.used += 1;
    windows.set(key, window);
    if (window.used > hourlyLimit)
      note("the hour of a key", `the key of ${key} was used more than ${hourlyLimit} times in an hour`);
  }

  /** Two acts on one resource are never in progress at once: the platform answers each before the next is sent. */
  function oneAtATime(call: LoggedCall): void {
    const resource = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(call.path)?.[0] ?? call.path;
    const before = last.get(resource);
    last.set(resource, call);
    if (resource === "/orders" || before === undefined || call.at - before.at >= latencyMs) return;
    note(
      "one act at a time",
      `${call.method} ${call.path} was sent while ${before.method} ${before.path} was under way`,
    );
  }

  function lookAtChange({ whole, words, user, at }: Change): Claim[] {
    if (secrets.test(whole)) note("no secret is shown", `somebody sees one in "${words.slice(0, 80)}"`);
    // The app says so when it stores the key for an hour, to find out the outcome of an act.
    const isKept = /it keeps the key for that check/.test(words);
    if (user !== null && /^Your .* (?:is|are) erased here/.test(words)) unlinked.set(user, isKept ? at + hour : at);
    if (user !== null && /Your key .* is linked/.test(words)) unlinked.delete(user);
    const tone = toneOf(words);
    const notDone = tone.notDone && !isOfEarlierTry(at);
    return tone.done || notDone ? [{ words, ...tone, notDone }] : [];
  }

  /** True if a refused write was sent once more, and taken, a moment before: what is shown may still be of the first. */
  function isOfEarlierTry(at: number): boolean {
    const writes = platform.calls().filter(({ method }) => method !== "GET");
    const isRefused = ({ status }: LoggedCall) => status !== null && status >= 400;
    return writes.some(
      (taken) =>
        !isRefused(taken) &&
        taken.at > at - onTheWayMs &&
        writes.some((one) => isRefused(one) && one.path === taken.path && one.at < taken.at),
    );
  }

  return {
    found,
    look() {
      const calls = platform.calls();
      const fresh = calls.slice(seen.calls);
      const claims = changes.slice(seen.changes).flatMap(lookAtChange);
      for (const call of fresh) lookAtCall(call);
      for (const line of deployment.log.slice(seen.lines))
        if (secrets.test(line)) note("no secret is shown", "the log holds one");
      // One that hung is answered later.
      const writes = calls.filter(({ method, status }) => method !== "GET" && status !== null && status < 300).length;
      const wrote = writes > seen.writes;
      Object.assign(seen, { changes: changes.length, calls: calls.length, lines: deployment.log.length, writes });
      if (!wrote && claims.length === 0) return;
      const model = reference();
      if (wrote) for (const finding of holdSafety(model)) found.add(finding);
      for (const claim of claims) for (const finding of holdClaim(model, claim)) found.add(finding);
    },
  };
}
