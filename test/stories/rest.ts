import { subscribe } from "node:diagnostics_channel";
import { performance } from "node:perf_hooks";

/** Calls over HTTP that this process has sent and of which it has not read the whole answer. */
let calls = new WeakSet<object>();
let running = 0;

/** At the begin of a story. A test before it may have left an answer unread, and then the process would never count as at rest. */
export function forgetCalls(): void {
  calls = new WeakSet();
  running = 0;
}

subscribe("undici:request:create", (message) => {
  calls.add(requestOf(message));
  running += 1;
});
for (const end of ["undici:request:trailers", "undici:request:error"])
  subscribe(end, (message) => {
    if (calls.delete(requestOf(message))) running -= 1;
  });

function requestOf(message: unknown): object {
  if (typeof message === "object" && message !== null && "request" in message && message.request instanceof Object)
    return message.request;
  throw new Error("undici tells of a request without naming it.");
}

/** So long a process in which nothing runs, no call is open and the store owes no answer counts as at rest. */
const quietMs = 3;
/** The work of so much of that time is the looking itself. */
const ownMs = 1;

/**
 * Resolves with true as soon as what the last skip of time has set going is at rest, so that an idle story loses no time. A call that hangs
 * never is: then with false after `longestMs`, and later on a busy machine, whose turns come late.
 */
export async function rest(longestMs: number): Promise<boolean> {
  const began = performance.now();
  let lateMs = 0;
  while (performance.now() - began < longestMs) {
    const before = performance.eventLoopUtilization();
    const slept = performance.now();
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    const { active } = performance.eventLoopUtilization(before);
    // The calls of one turn leave for the store at its end.
    await new Promise((resolve) => setImmediate(resolve));
    if (active < ownMs && running === 0) return true;
    lateMs += Math.max(0, performance.now() - slept - quietMs - 1);
  }
  if (lateMs > 5) await new Promise((resolve) => setTimeout(resolve, Math.min(2 * lateMs, 100)));
  return false;
}
