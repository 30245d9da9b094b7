import { type Control, controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { type Actor, type FieldValue, type Message, said, type View } from "../../src/sandbox/slack/server.ts";
import type { Deployment } from "./world/deployment.ts";

/** One action of a person in Slack, and Slack's answer. */
export interface Move {
  who: string;
  what: string;
  /** The number of the event at which it began. */
  at: number;
  /** The app acknowledged it to Slack. */
  taken: boolean;
  /** The marks of its answer: a word of these in it, or one of these places. */
  marks: AnswerMarks;
  /** The failure that the person saw at once; null where there was none. */
  error: string | null;
  /** Fields that the form was sent back with: a word, too. */
  sentBack: Record<string, string> | null;
}

export interface AnswerMarks {
  /** Null where the person is alone in the world: every message is then about their action. */
  words: readonly string[] | null;
  places: readonly string[];
}

/** The button that carries a request on, as Slack's payloads name it. */
export const goAhead = "request:press";
/** The same where the backup that was asked for comes first. */
const copyAndGo = "request:copy";
const typedCount = "request:count";

/** Performs one action as the only person of a world, and waits for Slack's answer. */
export async function move(
  deployment: Deployment,
  actor: Actor,
  what: string,
  work: () => Promise<unknown>,
): Promise<Move> {
  const at = deployment.schedule.events;
  deployment.turn();
  deployment.schedule.trace?.push(`${"".padStart(13)}${actor.user.name} ${what}`);
  let answer: unknown;
  const { error = null } = await deployment.act(
    (async () => {
      answer = await work();
    })(),
  );
  const marks = { words: null, places: [] };
  return { who: actor.user.name, what, at, marks, taken: error === null, error, sentBack: errorsIn(answer) };
}

export function errorsIn(answer: unknown): Record<string, string> | null {
  if (typeof answer !== "object" || answer === null || !("errors" in answer)) return null;
  const { errors } = answer;
  if (typeof errors !== "object" || errors === null) return null;
  return Object.fromEntries(Object.entries(errors).map(([field, words]) => [field, String(words)]));
}

export function hasButton({ blocks }: { blocks: unknown }, actionId: string): boolean {
  return JSON.stringify(blocks).includes(`"action_id":"${actionId}"`);
}

/** Every message that a person sees: the channel, and the app's direct messages. */
export function seesAll(actor: Actor): Message[] {
  return [...actor.sees(), ...actor.sees("dm")];
}

/** No command needs so many forms and presses: one that does has no end. */
export const mostMoves = 12;

interface Going {
  marker: string;
  /** Entered by label, where the first choice or the usual entry would not do. */
  values?: Readonly<Record<string, FieldValue>>;
  patienceMs?: number;
  press?: boolean;
}

/**
 * A person carries a command as far as it goes: they type it, fill in the forms that come, and press what waits for them. Ends when
 * nothing more comes within `patienceMs`, or when the app has died.
 */
export async function carry(deployment: Deployment, actor: Actor, command: string, options: Going): Promise<Move[]> {
  const before = new Set(seesAll(actor).map(({ ts }) => ts));
  const type = () => (command.startsWith("@") ? actor.say(command) : actor.type(command));
  const moves = [await move(deployment, actor, `types ${command}`, type)];
  return goOn(deployment, actor, { before, moves, ...options });
}

/** Continues with each form, question or request that waits for the person. */
export async function goOn(
  deployment: Deployment,
  actor: Actor,
  options: Going & { before: Set<string>; moves: Move[] },
): Promise<Move[]> {
  const { before, moves, marker, values = {}, patienceMs = 15_000, press = true } = options;
  const { practice } = deployment;
  const crashes = deployment.crashes;
  const used = new Set<string>();
  let changed = true;
  let next: NextMove | null = null;
  const endListening = practice.slack.onChange(({ what }) => {
    if (what !== "call") changed = true;
  });

  /** Looks only when something has changed: a look copies all that there is. */
  function look(): boolean {
    if (deployment.crashes !== crashes) return true;
    if (!changed) return false;
    changed = false;
    next = nextMove(actor, { before, used, marker, values, press });
    return next !== null;
  }

  try {
    while (moves.length < mostMoves) {
      const found = await deployment.run(look, patienceMs);
      if (!found || deployment.crashes !== crashes || !next) return moves;
      const { what, work }: NextMove = next;
      next = null;
      changed = true;
      moves.push(await move(deployment, actor, what, work));
    }
    return moves;
  } finally {
    endListening();
  }
}

interface Looking {
  /** The messages that were there before the command. */
  before: Set<string>;
  /** The moves made already. */
  used: Set<string>;
  marker: string;
  values: Readonly<Record<string, FieldValue>>;
  press: boolean;
}

interface NextMove {
  what: string;
  work: () => Promise<unknown>;
}

function nextMove(actor: Actor, looking: Looking): NextMove | null {
  const { before, used, marker, values, press } = looking;
  const view = actor.modal();
  if (view?.submit && view.callback_id !== "reveal") {
    const print = `${view.id} ${view.hash}`;
    if (used.has(print)) return null;
    used.add(print);
    return { what: `fills in "${titleOf(view)}"`, work: () => fillIn(actor, view, marker, values) };
  }
  if (!press) return null;
  for (const message of seesAll(actor).toReversed()) {
    if (before.has(message.ts)) continue;
    const button = [goAhead, copyAndGo, typedCount].find((id) => hasButton(message, id)) ?? questionIn(message);
    const print = `${message.ts} ${button} ${said(message).length}`;
    if (!button || used.has(print)) continue;
    used.add(print);
    return {
      what: `presses "${labelOf(message, button)}"`,
      work: () => actor.press(message, { actionId: button }),
    };
  }
  return null;
}

/** The answer to a press in a message comes there, below it, or in another message about the same. */
export function placesOf({ ts, thread_ts: thread, metadata }: Message): string[] {
  const { subject } = metadata?.event_payload ?? {};
  return [ts, ...(thread ? [thread] : []), ...(typeof subject === "string" ? [subject] : [])];
}

/** The first button of a question that only its requester sees, as before a service is interrupted. */
export function questionIn(message: Message): string | undefined {
  if (message.ephemeralTo === undefined) return undefined;
  const controls = controlsOf(message.blocks);
  const backs = controls.some(({ action_id: id }) => id === "dismiss");
  return backs ? controls[0]?.action_id : undefined;
}

function labelOf(message: Message, actionId: string): string {
  return controlsOf(message.blocks).find((one) => one.action_id === actionId)?.label ?? actionId;
}

function titleOf({ title }: View): string {
  return String(title?.text ?? "a form");
}

/**
 * Fills in all that a form still needs, with the first choice of each menu, and sends it. It is left alone once another form lies over it:
 * both may have a field of the same id.
 */
export async function fillIn(
  actor: Actor,
  view: View,
  marker: string,
  values: Readonly<Record<string, FieldValue>> = {},
  /** Gets what is entered, as it is sent. */
  sends: (entered: string) => void = () => {},
): Promise<unknown> {
  const isOnTop = () => actor.modal()?.id === view.id;
  for (const control of controlsOf(view.blocks)) {
    if (!isOnTop()) return undefined;
    const chosen = values[control.label];
    if (chosen !== undefined) {
      await actor.fill({ [control.block_id]: chosen });
      continue;
    }
    if (control.block.type !== "input" || isFilled(view, control)) continue;
    const value = await valueFor(actor, view, control, marker);
    if (value !== undefined && isOnTop()) await actor.fill({ [control.block_id]: value });
  }
  if (!isOnTop()) return undefined;
  sends(JSON.stringify(actor.modal()?.state));
  return actor.submit();
}

function isFilled(view: View, { block, element, block_id: blockId, action_id: actionId }: Control): boolean {
  const entered = view.state.values[blockId]?.[actionId];
  const given = [element.initial_value, element.initial_option, element.initial_options, element.initial_date];
  const has = (value: unknown) => value !== undefined && value !== null && value !== "" && String(value) !== "";
  return (
    block.optional === true || given.some(has) || (entered !== undefined && Object.values(entered).slice(1).some(has))
  );
}

/** The values of a person who wants the act done, by the field's label. */
const entries: readonly [label: RegExp, value: string][] = [
  [/sha-?256|checksum/i, "a".repeat(64)],
  [/public key|^key/i, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dsrcrF8qT simulation"],
  [/url|address of the image|download/i, "https://images.example.com/a.qcow2"],
  [/why|reason/i, "Simulated"],
  [/e-?mail/i, "somebody@example.com"],
  [/host ?name/i, "made-here.example.com"],
  [/minutes/i, "10"],
  [/password/i, "Made-here-2026"],
  [/body|json|variables|params/i, "{}"],
];

async function valueFor(
  actor: Actor,
  view: View,
  { type, label, block_id: blockId }: Control,
  marker: string,
): Promise<FieldValue | undefined> {
  if (/select|radio|checkboxes/.test(type)) {
    const [first] = await actor.suggest(view, { blockId }, "");
    const choice = type.includes("external") ? first?.text : first?.value;
    return choice !== undefined && /^multi|checkboxes/.test(type) ? [choice] : choice;
  }
  if (type === "file_input") return { name: "made-here.txt", content: "made here" };
  // An approver of many machines types their number.
  const count = /^Type (\d+) to/.exec(label)?.[1];
  return count ?? entries.find(([pattern]) => pattern.test(label))?.[1] ?? marker;
}
