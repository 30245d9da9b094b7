import { sleep, systemClock } from "../../process/clock.ts";
import { numberedMember } from "./linking.ts";
import { acknowledged, ask, type Slack, type Typed } from "./slack.ts";
import type { Subject } from "./subjects.ts";
import type { World } from "./the-world.ts";

/** A contender of the comparison: a process under test, the wire to it, and how many commands it has had. */
export interface Contender {
  subject: Subject;
  slack: Slack;
  world: World;
  commands: number;
}

/** So many channels that Slack's pace of a message a second in each is no limit here. */
const channels = 1_000;
/** Commands a second at the steady rates. */
export const slowRate = 50;
export const steadyRate = 200;
/** More than a fast machine starts in a minute: the app asks again before it repeats a change of the last one. */
export const machines = 20_000;
export const members = 2;

/**
 * The command that every contender gets. It reads the target, does one write, writes the audit entry, and its answer goes into the
 * channel. The machine runs already, so the platform is done at once and the app tracks no job.
 */
function nextCommand(contender: Contender): Typed {
  const number = contender.commands;
  contender.commands += 1;
  return {
    command: "/vps",
    text: `start bulk-${String((number % machines) + 1).padStart(5, "0")}`,
    user: memberAt(number),
    channel: `C${String(number % channels).padStart(8, "0")}`,
  };
}

/** The same in a channel that the contender has not met: it knows nothing of it yet. */
export function coldCommand(contender: Contender): Typed {
  const channel = `C9${String(contender.commands).padStart(7, "0")}`;
  return { ...nextCommand(contender), channel };
}

export function memberAt(number: number): string {
  return numberedMember(number % members);
}

/** One command with all its work: for the app, until its answer has arrived. Gives the acknowledgement's time in milliseconds. */
async function run(contender: Contender): Promise<number> {
  const typed = nextCommand(contender);
  const { slack, world, subject } = contender;
  if (!subject.answers) return acknowledged(typed, await slack.type(typed));
  const { text, ackMs } = await ask(slack, world, typed);
  // The answers of earlier commits, which the part `commits` runs, end in other words.
  if (!/was started|is running/.test(text)) throw new Error(`${typed.text} was answered with: ${text}`);
  return ackMs;
}

/**
 * Sends `rate` commands a second for `ms`, whether or not earlier ones are done, and gives all acknowledgement times. Rejects, and
 * sends no more, once a command has failed.
 */
export async function openLoop(contender: Contender, rate: number, ms: number): Promise<number[]> {
  const began = performance.now();
  const running: Promise<number>[] = [];
  let goesOn = true;
  for (let number = 0; goesOn && number < (rate * ms) / 1_000; number += 1) {
    const wait = began + (number * 1_000) / rate - performance.now();
    if (wait > 0) await sleep(systemClock, wait);
    const one = run(contender);
    one.catch(() => {
      goesOn = false;
    });
    running.push(one);
  }
  return Promise.all(running);
}

/** `atOnce` commands at a time for `ms`, or until `most` were sent; gives the commands done in a second. */
export async function closedLoop(
  contender: Contender,
  { atOnce, ms, most = Number.POSITIVE_INFINITY }: { atOnce: number; ms: number; most?: number },
): Promise<number> {
  const began = performance.now();
  let sent = 0;
  let done = 0;
  async function worker(): Promise<void> {
    while (sent < most && performance.now() - began < ms) {
      sent += 1;
      await run(contender);
      done += 1;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (done * 1_000) / (performance.now() - began);
}
