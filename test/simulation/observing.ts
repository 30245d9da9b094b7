import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import type { Practice } from "../../src/sandbox/practice.ts";
import { type Message, said, type View, type WorkspaceState } from "../../src/sandbox/slack/server.ts";
import { type Move, placesOf } from "./moves.ts";
import type { Deployment } from "./world/deployment.ts";

/** Something that Slack came to show, and at which event. */
export interface Change {
  event: number;
  /** Slack's time of day. */
  at: number;
  what: "message" | "modal" | "home";
  /** The only person who sees it; null where others do as well. */
  user: string | null;
  /** Its place, and the places that it answers: timestamps of itself and its thread, and what its metadata names. */
  places: readonly string[];
  /** The subject of a message of the app's, and its part in it, as the metadata says; null for one without. */
  subject: string | null;
  slot: string | null;
  words: string;
  /** All of it, as Slack stores it. */
  whole: string;
}

/** All that Slack and the platform have seen when a run is over: what the oracles look at. Nothing in it comes from the app itself. */
export interface Aftermath {
  deployment: Deployment;
  moves: readonly Move[];
  changes: readonly Change[];
  state: WorkspaceState;
  /** The calls to the platform that change something. */
  writes: LoggedCall[];
  /** The messages that were edited, as they were afterwards. */
  edits: { channel: string; ts: string; content: string }[];
  log: readonly string[];
  /** Texts that no message or log line may contain: keys, tokens and passwords. */
  secrets: RegExp;
}

/** Notes from now on what becomes visible. */
export function observe(deployment: Deployment): { changes: Change[]; end(): void } {
  const changes: Change[] = [];
  const { slack } = deployment.practice;
  const names = new Map(Object.values(slack.users).map(({ id, name }) => [id, name]));
  const end = slack.onChange(({ user, shown }) => {
    // A person's own message is no word of the app's.
    if (!shown || (!("callback_id" in shown) && shown.user !== slack.botUserId)) return;
    // Its edits answer nobody.
    if ("metadata" in shown && isSocketCheck(shown)) return;
    changes.push({
      event: deployment.schedule.events,
      at: deployment.clock.now(),
      user: user === undefined ? null : (names.get(user) ?? user),
      ...("callback_id" in shown ? viewOf(shown) : messageOf(shown)),
    });
  });
  return { changes, end };
}

/** The message by whose edits the app sees that Slack's payloads arrive. */
export function isSocketCheck({ metadata }: Message): boolean {
  return metadata?.event_payload.subject === "socket-check";
}

type Shown = Omit<Change, "event" | "at" | "user">;

function messageOf(message: Message): Shown {
  const { text, blocks, metadata } = message;
  const { subject, slot } = metadata?.event_payload ?? {};
  const whole = JSON.stringify([text, blocks]);
  const own = { subject: textOrNull(subject), slot: textOrNull(slot) };
  return { what: "message", places: placesOf(message), ...own, words: said(message), whole };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function viewOf({ type, blocks, callback_id: id }: View): Shown {
  // A one-time secret stands in a window of its own, for its owner alone.
  const whole = id === "reveal" ? "" : JSON.stringify(blocks);
  return { what: type, places: [], subject: null, slot: null, words: whole, whole };
}

/** The machines whose passwords the simulated people set. */
export const passwordMachines = ["bulk-00007", "bulk-00008", "bulk-00009", "web-2"];

/** Keys, tokens, and the passwords that machines have by now: what may stand nowhere. */
export function secretsOf({ slack, platform }: Practice, machines: readonly string[] = []): RegExp {
  const { keys, reseller } = platform;
  const all = [...Object.values(keys), ...Object.values(reseller.keys)].map(({ key }) => key);
  const passwords = machines.flatMap((machine) => platform.passwordOf(machine) ?? []);
  const texts = [...all, ...passwords, slack.botToken, slack.signingSecret, reseller.signingSecret() ?? slack.botToken];
  return new RegExp(texts.map((text) => RegExp.escape(text)).join("|"));
}

export function aftermathOf(deployment: Deployment, moves: readonly Move[], changes: readonly Change[]): Aftermath {
  const { platform, slack } = deployment.practice;
  const secrets = secretsOf(deployment.practice, passwordMachines);
  const writes = platform.calls().filter(({ method }) => method !== "GET");
  const edits = slack
    .calls("chat.update")
    .filter(({ outcome }) => outcome === "ok")
    .map(({ args: { channel, ts, ...content } }) => ({
      channel: String(channel),
      ts: String(ts),
      content: JSON.stringify([content.text, content.blocks]),
    }));
  return { deployment, moves, changes, state: slack.state(), writes, edits, log: deployment.log, secrets };
}

/** Every message that stays, or that one person alone was shown. */
export function allMessages({ channels, ephemerals }: WorkspaceState): Message[] {
  return [...Object.values(channels).flat(), ...Object.values(ephemerals).flat()];
}

/** Words that say that work is still in progress. A question that waits for a person is none. */
export const goesOn = /:hourglass_flowing_sand:|is being carried out|I am checking the outcome/;
const notDone = /Nothing was done|It was not done|was not (?:sent|paid|made)|Nothing was (?:paid|ordered|charged)/;
const done = /:white_check_mark:/;
const unknown = /:grey_question:|stays unknown|could not track/;

export interface Tone {
  done: boolean;
  notDone: boolean;
  unknown: boolean;
  goesOn: boolean;
}

export function messageTone(message: Message): Tone {
  return toneOf(said(message));
}

/** How words sound. */
export function toneOf(words: string): Tone {
  return {
    done: done.test(words),
    notDone: notDone.test(words),
    unknown: unknown.test(words),
    goesOn: goesOn.test(words),
  };
}
