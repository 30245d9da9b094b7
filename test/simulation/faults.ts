import { createDraws, type Draws } from "../torture/draws.ts";
import { createFaults } from "../torture/faults.ts";
import type { Deployment } from "./world/deployment.ts";

/** Something that goes wrong: at an event of the run, drawn from a number of its own so that it stays the same when others are left out. */
export interface Fault {
  kind: FaultName;
  at: number;
  salt: number;
}

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
  ...createFaults(methods),
  /** Nothing is answered for a while, and then all of it at once. */
  "silent platform": ({ schedule, practice: { platform } }, draws) => {
    platform.faults.hang();
    schedule.after(draws.pick([2, 20, 120, 1_200]) * 1_000, platform.faults.resume);
  },
  /** The connection to Slack answers pings and delivers nothing, until the app makes another. */
  "deaf socket": ({ practice: { slack } }) => void slack.faults.deafenSocket(),
  /** Slack counts connections of a dead process, and sends them their part. */
  "ghost connections": ({ practice: { slack } }, draws) => {
    slack.faults.holdGhosts(draws.between(1, 3));
    if (draws.chance(0.5)) slack.faults.dropSocket();
  },
  "cut connection": ({ network }) => void network.cutOne(),
  "clock set": (deployment, draws) => deployment.adjust(draws.between(-240, 240) * 1_000),
  "full disk": ({ disk, schedule }, draws) => {
    disk.fill(true);
    schedule.after(draws.between(1, 40) * 1_000, () => disk.fill(false));
  },
  /** The disk does not confirm a write. Somebody starts the app again, as it asks for. */
  "failed flush": ({ disk, schedule, crash }, draws) => {
    disk.failFlush();
    schedule.after(draws.pick([1, 5, 60]) * 1_000, crash);
  },
} as const satisfies Record<string, (deployment: Deployment, draws: Draws) => void>;

export type FaultName = keyof typeof faultKinds;

/** True if a fault may fail the check of who somebody is, or who reads a channel: several calls of one moment ask, and the first gets it. */
export function strikesCheck({ kind, salt }: Pick<Fault, "kind" | "salt">): boolean {
  return ofSlack.includes(kind) && checks.has(createDraws(salt).pick(methods));
}

const checks: ReadonlySet<(typeof methods)[number]> = new Set(["users.info", "conversations.info"]);

const ofSlack: readonly FaultName[] = ["lost post", "refused post", "cut post", "slow Slack", "broken Slack"];

/** They strike where there is a socket. */
export const socketFaults = ["dropped socket", "renewed socket"] as const;
export const swallowingFaults = ["deaf socket", "ghost connections"] as const;
const ofSocket: readonly FaultName[] = [...socketFaults, ...swallowingFaults];

export function strike(deployment: Deployment, { kind, salt }: Fault): void {
  deployment.schedule.trace?.push(`${"".padStart(13)}*** fault: ${kind}`);
  if (kind !== "crash") deployment.faults += 1;
  if (kind !== "crash" && !ofSocket.includes(kind)) deployment.otherFaults += 1;
  deployment.disturbedAt = deployment.clock.now();
  faultKinds[kind](deployment, createDraws(salt));
}

/** From here on nothing fails any more, and what hung is answered. */
export function endFaults(deployment: Deployment): void {
  const { platform, slack } = deployment.practice;
  if (deployment.faults > 0) deployment.disturbedAt = deployment.clock.now();
  platform.faults.resume();
  slack.faults.clear();
  slack.faults.holdGhosts(0);
  deployment.faultsEndedAt = deployment.clock.now();
  deployment.disk.fill(false);
  deployment.setRight();
  deployment.network.delays = [0];
}
