import { createDraws } from "../torture/draws.ts";
import type { Deployment } from "./world/deployment.ts";

/** Longer than an instance without a sign of life counts as living. */
const silentMs = 8_500;
const outageMs = 3_000;

/** Something that befalls one of several instances, or the Redis that they share. */
const blows = {
  /** The instance that has the act dies. */
  kill: ({ deployment, own }) => deployment.crash(own),
  /** It gets no turn, and goes on when the other has taken its work over. */
  freeze({ deployment: { schedule, processOf, turn }, own }) {
    const process = processOf(own);
    process?.freeze();
    turn();
    schedule.after(silentMs, () => process?.thaw());
  },
  /** Nothing gets through between it and Redis. Slack and the platform reach it. */
  part({ deployment: { schedule, network, redis, processOf }, own }) {
    const process = processOf(own);
    if (process && redis) network.part(process, redis.process);
    schedule.after(silentMs, network.join);
  },
  /** Redis has carried out what it was asked, and nobody learns of it. */
  "lost answers": ({ deployment: { redis } }) => redis?.loseAnswers(),
  /** Redis dies, and comes again with its data. */
  outage({ deployment: { redis, schedule } }) {
    redis?.kill();
    schedule.after(outageMs, () => redis?.start());
  },
  /** Redis answers nothing, and then all of it at once. */
  silence({ deployment: { redis, schedule } }) {
    const process = redis?.process;
    process?.freeze();
    schedule.after(silentMs, () => process?.thaw());
  },
  /** Redis takes nothing new. */
  full({ deployment: { redis, schedule } }) {
    if (!redis) return;
    redis.model.full = true;
    schedule.after(outageMs, () => {
      redis.model.full = false;
    });
  },
  /** The clock of Redis jumps: signs of life and locks end early, or late. */
  "clock of Redis": ({ deployment: { redis }, draws }) => redis?.clock.adjust(draws.pick([-240, -20, 20, 240]) * 1_000),
  /** The clock of the instance that has the act jumps. */
  clock: ({ deployment, own, draws }) => deployment.adjust(draws.pick([-240, -20, 20, 240]) * 1_000, own),
} as const satisfies Record<string, (blow: { deployment: Deployment; own: number; draws: Draws }) => void>;

type Draws = ReturnType<typeof createDraws>;
export type BlowName = keyof typeof blows;

export const blowNames = Object.keys(blows).filter((name): name is BlowName => name in blows);

export function isBlow(name: string): name is BlowName {
  return name in blows;
}

/** Strikes the instance to which Slack turns at present. */
export function strikeInstance(deployment: Deployment, name: BlowName): void {
  const { schedule } = deployment;
  schedule.trace?.push(`${"".padStart(13)}*** ${name}`);
  deployment.faults += 1;
  blows[name]({ deployment, own: deployment.facing(), draws: createDraws(schedule.events) });
}
