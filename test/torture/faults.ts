import type { Practice } from "../../src/sandbox/practice.ts";
import type { Draws } from "./draws.ts";

/** Something that goes wrong around the app. */
export type Strike = (world: { practice: Practice }, draws: Draws) => void;

type Method = Parameters<Practice["slack"]["faults"]["lose"]>[0];

const answers = ["500", "html", "half-json", "empty", "wrong-shape", "reset"] as const;
const writes = ["POST", "DELETE"] as const;

/** The faults of the platform, and those of Slack and of these `methods` of its Web API. */
export function createFaults(methods: readonly [Method, ...Method[]]) {
  return {
    /** A write is answered badly before or after it took effect. */
    "lost write": ({ practice: { platform } }, draws) => {
      const how = draws.pick(answers);
      const method = draws.pick(writes);
      // An answer of another shape still says that the write succeeded. A platform that did nothing does not say so, and no app could find out.
      platform.faults.next({ how, method, applied: draws.chance(0.6) || how === "wrong-shape" });
    },
    /** A write takes effect long after it was given up, and still in the time in which the app waits for that. */
    "late write": ({ practice: { platform } }, draws) =>
      platform.faults.next({
        how: "late",
        method: draws.pick(writes),
        applied: draws.chance(0.5),
        lateMs: draws.between(1_000, 40_000),
      }),
    "lost reads": ({ practice: { platform } }, draws) =>
      platform.faults.next({ how: draws.pick(answers), method: "GET", times: draws.between(1, 4) }),
    "too many calls": ({ practice: { platform } }, draws) =>
      platform.faults.next({
        how: {
          status: 429,
          body: { success: false, code: "RATE_LIMITED", error: "Too many requests" },
          headers: { "retry-after": "7" },
        },
        method: draws.pick(["GET", "POST"]),
      }),
    /** Slack carries out the call, and its answer is lost. */
    "lost post": ({ practice: { slack } }, draws) => slack.faults.lose(draws.pick(methods), draws.between(1, 2)),
    "refused post": ({ practice: { slack } }, draws) =>
      slack.faults.fail(draws.pick(methods), draws.pick(["internal_error", "fatal_error"]), draws.between(1, 3)),
    "cut post": ({ practice: { slack } }, draws) => slack.faults.reset(draws.pick(methods), draws.between(1, 3)),
    "slow Slack": ({ practice: { slack } }, draws) => slack.faults.rateLimit(draws.pick(methods), draws.between(1, 30)),
    "broken Slack": ({ practice: { slack } }, draws) =>
      slack.faults.failHttp(draws.pick(methods), draws.pick([500, 503]), draws.between(1, 3)),
    "lost answer": ({ practice: { slack } }, draws) =>
      slack.faults.failResponseUrls(draws.pick([404, 429, 500]), draws.between(1, 3)),
    /** Slack ignores an acknowledgement, or sends an event twice. */
    "lost acknowledgement": ({ practice: { slack } }) => slack.faults.loseAck(),
    "doubled event": ({ practice: { slack } }) => slack.faults.repeatEvents(),
    /** Slack's socket is cut, or asks for another, as it does every few hours. */
    "dropped socket": ({ practice: { slack } }) => slack.faults.dropSocket(),
    "renewed socket": ({ practice: { slack } }) => slack.faults.refreshSocket(),
  } as const satisfies Record<string, Strike>;
}
