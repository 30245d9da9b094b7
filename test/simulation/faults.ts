import { createDraws, type Draws } from "../torture/draws.ts";
import type { Deployment } from "./world/deployment.ts";

/** Something that goes wrong: at an event of the run, drawn from a number of its own so that it stays the same when others are left out. */
export interface Fault {
  kind: FaultName;
  at: number;
  salt: number;
}

type Strike = (deployment: Deployment, draws: Draws) => void;

const answers = ["500", "html", "half-json", "empty", "wrong-shape", "reset"] as const;
const writes = ["POST", "DELETE"] as const;
const methods = [
  "chat.postMessage",
  "chat.postEphemeral",
  "chat.update",
  "conversations.open",
  "conversations.info",
  "conversations.history",
  "conversations.replies",
  "users.info",
  "views.open",
] as const;

export const faultKinds = {
  /** The app dies. */
  crash: (deployment) => deployment.crash(),
  /** A write is answered badly before or after it took effect. */
  "lost write": ({ practice: { platform } }, draws) => {
    const how = draws.pick(answers);
    const method = draws.pick(writes);
    // An answer of another shape still says that the write succeeded: a platform that did nothing does not say so.
    platform.faults.next({ how, method, applied: draws.chance(0.6) || how === "wrong-shape" });
  },
  /** A write takes effect long after it was given up. */
  "late write": ({ practice: { platform } }, draws) =>
    platform.faults.next({
      how: "late",
      method: draws.pick(writes),
      applied: draws.chance(0.5),
      lateMs: draws.between(1_000, 40_000),
    }),
  "lost reads": ({ practice: { platform } }, draws) =>
    platform.faults.next({ how: draws.pick(answers), method: "GET", times: draws.between(1, 4) }),
  /** Nothing is answered for a while, and then all of it at once. */
  "silent platform": ({ schedule, practice: { platform } }, draws) => {
    platform.faults.hang();
    schedule.after(draws.pick([2, 20, 120, 1_200]) * 1_000, platform.faults.resume);
  },
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
  "cut connection": ({ network }) => void network.cutOne(),
  "clock set": (deployment, draws) => deployment.adjust(draws.between(-240, 240) * 1_000),
  "full disk": ({ disk, schedule }, draws) => {
    disk.fill(true);
    schedule.after(draws.between(1, 40) * 1_000, () => disk.fill(false));
  },
  "dead thread": ({ disk }) => disk.kill(),
} as const satisfies Record<string, Strike>;

export type FaultName = keyof typeof faultKinds;

export function strike(deployment: Deployment, { kind, salt }: Fault): void {
  deployment.schedule.trace?.push(`${"".padStart(13)}*** fault: ${kind}`);
  if (kind !== "crash") deployment.faults += 1;
  faultKinds[kind](deployment, createDraws(salt));
}

/** From here on nothing fails any more, and what hung is answered. */
export function endFaults(deployment: Deployment): void {
  const { platform, slack } = deployment.practice;
  platform.faults.resume();
  slack.faults.clear();
  deployment.disk.fill(false);
  deployment.setRight();
  deployment.network.delays = [0];
}
