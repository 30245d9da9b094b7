import { said } from "../../src/sandbox/slack/server.ts";
import { newName, opensHome, renamed } from "./actions.ts";
import type { Move } from "./moves.ts";
import { type Aftermath, type Change, goesOn, messageTone } from "./observing.ts";

/** Looks at all that Slack and the platform have seen, and says in a sentence what must not be. */
type Oracle = (aftermath: Aftermath) => string[];

/** The oracles that need no model: they check every run. Each looks once all has come to rest. */
const oracles = {
  "a write is sent once": sentOnce,
  "nothing taken stays without a word": answered,
  "an end has one message, in one place": checkEndings,
  "what stands is left alone": leftAlone,
  "an end is the end": endedOnce,
  "nothing goes on for ever": ended,
  "no secret is shown": keptSecret,
  "Slack's rules": rightlyMade,
  "the app does not fail": unbroken,
} as const satisfies Record<string, Oracle>;

/** Those of a run of several people, which need its model or all that came before. */
const oraclesOfRuns = [
  ...["an act happens once", "only who may has said yes", "a sum of a day", "a name at run time"],
  ...["words agree with the platform", "each act has a message", "no money is lost"],
  ...["the audit log agrees", "a decider has pressed", "the audit log is whole"],
  ...["the hour of a key", "an erased key is not used", "one act at a time"],
  ...["a secret waits for its owner", "nobody sees another's secret", "no password is lost"],
  "a watch notifies of a change",
  ...["nothing waits for ever", "all comes to rest", "an order is not repeated", "alerts agree with the platform"],
  "a swallowed press is said",
  ...["a digest has each event once", "polling finds what no event reported"],
  ...["all that waits has notified somebody", "a step notifies once", "each step comes, up to the last"],
  ...["a take holds the next step", "nobody is notified of what is over", "a step notifies those whom it names"],
] as const;

export type OracleName = keyof typeof oracles | (typeof oraclesOfRuns)[number];

/** Findings with the oracle that found them. */
export function by(oracle: OracleName, findings: readonly string[]): string[] {
  return findings.map((found) => `${oracle}: ${found}`);
}

/** All that they find, each with the oracle that found it; `only`: those that look. */
export function lookWithAll(aftermath: Aftermath, only: (name: string) => boolean = () => true): string[] {
  const looking = Object.entries(oracles).filter(([name]) => only(name));
  return looking.flatMap(([name, oracle]) => oracle(aftermath).map((found) => `${name}: ${found}`));
}

/** Writes that the platform took and writes that were cut off on their way count; a refused one changed nothing. */
function sentOnce({ writes }: Aftermath): string[] {
  const counts = new Map<string, number>();
  for (const { method, path, body, status } of writes) {
    if (status === null || status >= 300) continue;
    const key = `${method} ${path} ${JSON.stringify(body) ?? ""}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([key, count]) => `${key} was carried out ${count} times`);
}

/** A person whose command, press, form or message the app acknowledged sees an answer, sooner or later. */
function answered({ moves, changes, deployment }: Aftermath): string[] {
  const { slack } = deployment.practice;
  const users = new Map(Object.values(slack.users).map(({ id, name }) => [name, id]));
  const acknowledged = slack
    .deliveries("events_api")
    .filter(({ outcome }) => outcome === "acknowledged")
    .map(({ payload }) => JSON.stringify(payload));
  // A message is in the channel also while the app is down for longer than Slack repeats it.
  const isHeard = ({ who, what }: Move) => {
    const [, text] = /^says @\S+ (.*)$/s.exec(what) ?? [];
    // Slack makes a link of a host name.
    const words = (text ?? "").split(" ").filter((word) => !word.includes("."));
    const parts = [`"user":"${users.get(who)}"`, ...words];
    return text === undefined || acknowledged.some((payload) => parts.every((part) => payload.includes(part)));
  };
  const isAnswered = (move: Move) =>
    changes.some((change) => change.event > move.at && isAnswerTo(change, move, `<@${users.get(move.who)}>`));
  // An act that a full disk did not take is done without a record, so the next crash may take it along.
  const isLost = ({ at }: Move) => {
    const crash = deployment.crashedAt.find((event) => event > at) ?? 0;
    return deployment.unstoredAt.some((event) => event >= at && event <= crash);
  };
  return moves
    .filter(({ taken, sentBack, what }) => taken && sentBack === null && what !== opensHome)
    .filter((move) => isHeard(move) && !isAnswered(move) && !isLost(move))
    .map(({ who, what }) => `${who} ${what}, Slack was told that it is taken, and no word ever came`);
}

/** Names of what is acted on in the simulated worlds: a word that bears another's is about that one. */
const particulars = /\b(?:bulk-\d{5}|made-\d+|host-\d+|\d+\.\d\d EUR)/;

/** A rule names its own amount, and no wish's. */
const limits = /over \d+\.\d\d EUR/g;

/** A reminder and an expiry answer no press: they come although it was lost. */
const comesByItself = /still awaits a decision|:alarm_clock:/;

/** The closing of a form is no answer; a message about its effect is. */
function isAnswerTo({ what, user, places, words }: Change, { who, what: did, marks }: Move, mention: string): boolean {
  if (user !== null && user !== who) return false;
  if (user === null && did.startsWith("presses") && comesByItself.test(words)) return false;
  if (what !== "message") return what === "modal" || did.endsWith("on the Home tab");
  if (marks.words?.includes(renamed) && words.includes(newName)) return true;
  if (marks.words === null || marks.words.some((one) => words.includes(one))) return true;
  if (marks.places.some((place) => places.includes(place))) return true;
  // To a form or a command that names nothing, any message to its author alone is an answer, or one that names them.
  if (marks.words.length === 0) return user === who || words.includes(mention);
  return user === who && !particulars.test(words.replaceAll(limits, ""));
}

function checkEndings({ state }: Aftermath): string[] {
  const places = Map.groupBy(Object.values(state.channels).flat(), ({ metadata }) => {
    const { subject, slot } = metadata?.event_payload ?? {};
    return typeof subject === "string" && typeof slot === "string" ? `${slot} of ${subject}` : null;
  });
  return [...places].flatMap(([place, [first, ...more]]) =>
    place !== null && first && more.length > 0
      ? [`${more.length + 1} messages say the same (${place}): ${short(said(first))}`]
      : [],
  );
}

/** Somebody has yet to pay: that may take for ever. */
export const waitsForMoney = /waits for its payment|awaits payment|left to pay/;

function ended({ state }: Aftermath): string[] {
  return (
    Object.values(state.channels)
      .flat()
      // A message that the app keeps up to date bears a mark; an answer to a press speaks of its moment.
      .filter(
        (message) =>
          message.metadata !== undefined && messageTone(message).goesOn && !waitsForMoney.test(said(message)),
      )
      .map((message) => `this still goes on: ${short(goesOn.exec(said(message))?.input ?? "")}`)
  );
}

/**
 * An edit that changes nothing is one too many; only where an answer was lost, the app has died, or a full disk could not take down that it
 * was made, may it come again.
 */
function leftAlone({ deployment, edits }: Aftermath): string[] {
  const last = new Map<string, string>();
  const again = new Map<string, number>();
  for (const { ts, channel, content } of edits) {
    const key = `${channel} ${ts}`;
    if (last.get(key) === content) again.set(key, (again.get(key) ?? 0) + 1);
    last.set(key, content);
  }
  // Of each message. An edit without an answer is made again some minutes later, and a disk that is full for a minute stores none of six.
  const allowed = 6 * (deployment.crashes + deployment.faults);
  return [...again].flatMap(([key, times]) =>
    times > allowed ? [`${times} edits changed nothing: ${short(last.get(key) ?? "")}`] : [],
  );
}

/** Withdrawn, denied, void or expired: nothing comes after it. */
const isOver = /:wastebasket:|:no_entry_sign:|:alarm_clock:/;
const comesAfter = /is being carried out|:white_check_mark:|:hourglass_flowing_sand:/;

function endedOnce({ changes }: Aftermath): string[] {
  const over = new Map<string | undefined, string>();
  return changes.flatMap(({ what, places, words }) => {
    const [ts, ...about] = places;
    // Of several machines one may end before the others begin.
    if (what !== "message" || !about.some((place) => place.startsWith("request:")) || /\d VPSes/.test(words)) return [];
    const before = over.get(ts);
    if (isOver.test(words)) over.set(ts, words);
    return before !== undefined && !isOver.test(words) && comesAfter.test(words)
      ? [`this was over, and went on: ${short(before)} → ${short(words)}`]
      : [];
  });
}

function keptSecret({ state, changes, log, secrets }: Aftermath): string[] {
  const views = [...Object.values(state.modals).flat(), ...Object.values(state.homes)];
  const shown = [
    ...changes.map(({ whole }) => whole),
    ...views.filter((view) => view.callback_id !== "reveal").map((view) => JSON.stringify(view.blocks)),
    ...state.files.map(({ content }) => Buffer.from(content).toString()),
  ];
  return [
    ...(shown.some((text) => secrets.test(text)) ? ["somebody sees a secret"] : []),
    ...(log.some((line) => secrets.test(line)) ? ["the log holds a secret"] : []),
  ];
}

/** A message that Slack refuses for its shape is the app's own fault. */
function rightlyMade({ state }: Aftermath): string[] {
  return state.violations
    .filter(({ error }) => /invalid|too_long|no_text|missing/.test(error))
    .map(({ method, error, reasons }) => `Slack refused ${method}: ${error} ${reasons.join("; ")}`);
}

function unbroken({ log }: Aftermath): string[] {
  return log
    .filter((line) => line.startsWith('{"level":60') || line.includes("TypeError"))
    .map((line) => `the log says ${short(line)}`);
}

export function short(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 240);
}
