import { sleep, systemClock } from "../../clock.ts";
import type { Practice } from "../practice.ts";
import { type Actor, said } from "../slack/server.ts";

const betweenMs = 100;
const patienceMs = 60_000;

/** Links the member's key through the form, as a person does. */
export async function linkMember({ slack, platform }: Practice, actor: Actor): Promise<void> {
  await actor.type("/rackbell link");
  await slack.until(() => actor.modal(), "the form for the key");
  await actor.fill({ "API key": platform.keys.ana.key });
  await actor.submit();
  await slack.until(() => actor.sees().some((message) => said(message).includes("is linked")), "the key to be linked");
}

/** Types a command again and again for as long as `goes` says, and gives how long each acknowledgement took, in milliseconds. */
export async function typing(actor: Actor, goes: (typed: number) => boolean): Promise<number[]> {
  const taken: number[] = [];
  while (goes(taken.length)) {
    const began = performance.now();
    await actor.type("/rackbell whoami", "#general");
    taken.push(performance.now() - began);
    await sleep(systemClock, betweenMs);
  }
  return taken;
}

/** What one approval took, in milliseconds. */
export interface Approval {
  /** From the command until its request stands in the channel. */
  askedMs: number;
  /** From the press until the platform is told. */
  ranMs: number;
  /** From the press until the request says what came of it. */
  toldMs: number;
}

/** Asks in the channel for what destroys, and presses; each time for another machine. */
export function approving({ platform }: Practice, actor: Actor, channel: string): () => Promise<Approval> {
  let asked = 0;
  return async () => {
    asked += 1;
    const name = `bulk-${String(asked).padStart(5, "0")}`;
    const { id } = platform.findVps(name);
    const request = () => actor.sees(channel).find((message) => JSON.stringify(message).includes(`Keep ${name}`));
    const isOpen = () => JSON.stringify(request() ?? "").includes("request:press");
    const began = performance.now();
    await actor.type(`/vps cancel ${name}`, channel);
    await passes(isOpen, `the request for ${name}`);
    const askedAt = performance.now();
    const message = request();
    if (!message) throw new Error(`The request for ${name} is gone`);
    await actor.press(message, "request:press");
    await passes(
      () => platform.calls().some(({ method, path }) => method === "DELETE" && path.endsWith(id)),
      `${name} to be cancelled`,
    );
    const ranAt = performance.now();
    await passes(() => !isOpen(), `the request for ${name} to say so`);
    return { askedMs: askedAt - began, ranMs: ranAt - askedAt, toldMs: performance.now() - askedAt };
  };
}

async function passes(look: () => boolean, what: string): Promise<void> {
  const began = performance.now();
  while (!look()) {
    if (performance.now() - began > patienceMs) throw new Error(`It did not come to pass: ${what}`);
    await sleep(systemClock, 20);
  }
}
