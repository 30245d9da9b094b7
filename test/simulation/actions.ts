import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { type Actor, type FieldValue, type Message, said } from "../../src/sandbox/slack/server.ts";
import type { Draws } from "../torture/draws.ts";
import { askColleague, takeOver } from "./ask-colleague.ts";
import type { FaultName } from "./faults.ts";
import { commandOf, formOf, type KindName, type Wish, wordsAbout } from "./kinds.ts";
import { type AnswerMarks, goAhead, hasButton, placesOf, seesAll } from "./moves.ts";
import { type Deed, type OnCallActions, onCallActions } from "./on-call.ts";
import type { Approvals } from "./plan.ts";

export const names = ["ana", "ben", "caro"] as const;
/** Ben's second account in Slack: he links another key of the same user of the platform with it. */
export const secondAccount = { name: "dave", person: "ben" } as const;
export type Name = (typeof names)[number] | "dave";

interface Actions extends OnCallActions {
  /** Asks for something: in one line, by a form, or in a message that mentions the app. */
  ask: { wish: Wish; how: How };
  /** Presses what waits: the nth of it, once or twice at once. */
  press: { nth: number; button: keyof typeof buttons; times: number };
  /** Puts off what waits, or what was put off: the nth of it. */
  "put off": { nth: number; inMinutes: number };
  look: { command: string };
  /** Presses what was offered to somebody else alone. */
  snoop: { at: Name };
  unlink: object;
  /** Links a key, or another that may do only this. */
  link: { scopes?: readonly Scope[] };
  "pass on": object;
  "take over": object;
  /** Somebody at the platform gives a machine another name. */
  rename: object;
  /** Opens the Home tab, or has it shown anew. */
  home: object;
  /** Watches a machine that nobody acts on. */
  watch: object;
  /** That machine stops. */
  fail: object;
  /** Is deactivated in Slack. */
  leave: object;
  /** A fault happens right now: in plans that are written by hand. */
  strike: { fault: FaultName; salt: number };
  /** Lets time pass, so that an effect can happen first. */
  wait: object;
  /** The supplier suspends a resold service, or lifts the suspension; its events come late, twice or the last one first. */
  supply: { nth: number; twice: boolean; reversed: boolean; lateMs: number };
}

/** An action of a person, or of the platform's operator. It is data, so that a run can be printed and made smaller. */
export type Action<Is extends keyof Actions = keyof Actions> = { [One in Is]: { is: One } & Actions[One] }[Is];

type How = "typed" | "form" | "mention";

const buttons = { go: goAhead, back: "request:withdraw", deny: "request:deny", copy: "request:copy" } as const;
const count = "request:count";
const move = "request:move";

interface Drawing {
  draws: Draws;
  who: Name;
  at: number;
  approvals: Approvals;
}

/** The people, the platform and the callbacks that an action uses. */
export interface ActionContext {
  who: Name;
  actor: Actor;
  platform: PracticePlatform;
  /** Another person's view. */
  seenBy(name: Name): Message[];
  /** Performs one action in Slack while all else continues. */
  act(what: string, work: () => Promise<unknown>, marks: AnswerMarks): void;
  /** Enters these by label in the forms that come next. */
  enter(values: Readonly<Record<string, FieldValue>>): void;
  /** A press to go ahead, for the model, and the words beside the button. */
  pressed(message: Message, words: string): void;
  wished(wish: Wish): void;
  /** The wish in these words is theirs from now on. */
  takenOver(words: string): void;
  snooped(): void;
  unlinks(): void;
  rename(): void;
  watches(): void;
  fail(): void;
  leaves(): void;
  now(): number;
  /** They do something that changes who is notified. */
  does(deed: DeedOfPerson): void;
  /** Their Do Not Disturb begins, up to this time, or ends. */
  quiet(until: number | null): void;
  /** The user group gets these people. */
  regroup(people: readonly string[]): void;
  strike(fault: FaultName, salt: number): void;
}

/** A deed without its person and its time. */
type DeedOfPerson = Deed extends infer One ? (One extends Deed ? Omit<One, "who" | "at"> : never) : never;

type Scope = NonNullable<Parameters<PracticePlatform["addKey"]>[0]["scopes"]>[number];

/** An action as a command of a test: how it reads, and what it does. */
interface ActionKind<Is extends keyof Actions> {
  /** How often it is drawn at random, and how it comes about. An action without these is in a run only where a plan puts it. */
  weight?: number;
  draw?(drawing: Drawing): Action<Is>;
  print(action: Action<Is>): string;
  run(context: ActionContext, action: Action<Is>): void;
}

const actionKinds: { readonly [Is in keyof Actions]: ActionKind<Is> } = {
  ask: {
    weight: 40,
    draw: drawWish,
    print: ({ wish, how }) => `asks (${how}) for ${commandOf(wish)}`,
    run({ actor, act, enter, wished }, { wish, how }) {
      const marks = { words: wordsAbout(wish), places: [] };
      wished(wish);
      const form = how === "form" ? formOf(wish) : null;
      if (form) {
        enter(form.values);
        act(`types ${form.command}`, () => actor.type(form.command), marks);
        return;
      }
      const command = commandOf(wish);
      if (how !== "mention") {
        act(`types ${command}`, () => actor.type(command), marks);
        return;
      }
      const words = `@Rackbell ${command.slice(1)}`;
      act(`says ${words}`, () => actor.say(words), marks);
    },
  },
  press: {
    weight: 40,
    draw: ({ draws }) => {
      const button = draws.pick(["go", "go", "go", "go", "go", "go", "back", "deny", "deny", "copy"] as const);
      return { is: "press", nth: draws.between(0, 5), button, times: draws.pick([1, 1, 1, 2]) };
    },
    print: ({ button, nth, times }) => `presses ${button} in the ${nth}. that waits${times > 1 ? ", twice" : ""}`,
    run(context, { button: name, nth, times }) {
      const button = buttons[name];
      const { actor, act, pressed } = context;
      const waiting =
        name === "copy"
          ? withOlder(actor, button, "Last backup")
          : waitingFor(actor, [button, ...(name === "go" ? [count] : [])]);
      const message = nthOf(nth, waiting);
      if (!message) return;
      const chosen = hasButton(message, button) ? button : count;
      for (let time = 0; time < times; time += 1) {
        if (name === "go" || name === "copy") pressed(message, wordsAt(message, name === "copy" ? goAhead : chosen));
        act(`presses ${chosen}`, () => actor.press(message, { actionId: chosen }), aboutMessage(message));
      }
    },
  },
  "put off": {
    weight: 5,
    draw: ({ draws }) => ({ is: "put off", nth: draws.between(0, 3), inMinutes: draws.between(2, 9) }),
    print: ({ nth, inMinutes }) => `puts the ${nth}. off by ${inMinutes} min`,
    run({ actor, act, enter }, { nth, inMinutes }) {
      const message = nthOf(nth, [...waitingFor(actor, [move]), ...withOlder(actor, move, "chedule*")]);
      if (!message) return;
      enter({ "In how long": `${inMinutes}m` });
      act(`presses ${move}`, () => actor.press(message, { actionId: move }), aboutMessage(message));
    },
  },
  look: {
    weight: 6,
    draw: ({ draws }) => ({
      is: "look",
      command: draws.pick([
        "/vps list",
        "/rackbell approvals",
        "/rackbell help",
        "/rackbell scheduled",
        "/rackbell alerts log",
      ]),
    }),
    print: ({ command }) => `types ${command}`,
    run: ({ actor, act }, { command }) => act(`types ${command}`, () => actor.type(command), { words: [], places: [] }),
  },
  snoop: {
    weight: 4,
    draw: ({ draws }) => ({ is: "snoop", at: draws.pick(names) }),
    print: ({ at }) => `presses what was offered to ${at} alone`,
    run({ who, actor, act, seenBy, snooped }, { at }) {
      const message = seenBy(at).find(({ blocks }) => JSON.stringify(blocks).includes('"text":"Reveal"'));
      if (!message || who === at) return;
      snooped();
      act(`presses what was offered to ${at} alone`, () => actor.press(message, "Reveal"), aboutMessage(message));
    },
  },
  unlink: {
    weight: 2,
    draw: () => ({ is: "unlink" }),
    print: () => "unlinks",
    run({ who, actor, act, unlinks }) {
      // Ana reads the audit log when all is over.
      if (who === "ana") return;
      unlinks();
      act("types /rackbell unlink", () => actor.type("/rackbell unlink"), { words: ["nlink"], places: [] });
    },
  },
  link: {
    weight: 2,
    draw: () => ({ is: "link" }),
    print: ({ scopes }) => `links${scopes ? ` a key that may only ${scopes.join(" and ")}` : ""}`,
    run({ who, actor, act, enter, platform }, { scopes }) {
      const { name, person } = secondAccount;
      const other = { owner: person, label: name, ...(scopes ? { scopes } : {}) };
      const { key } = who === name ? platform.addKey(other) : platform.keys[who];
      enter({ "API key": key });
      act("types /rackbell link", () => actor.type("/rackbell link"), { words: ["link"], places: [] });
    },
  },
  rename: {
    weight: 4,
    draw: () => ({ is: "rename" }),
    print: () => `gives ${renamed} another name`,
    run: ({ rename }) => rename(),
  },
  home: {
    print: () => "opens the Home tab, or has it shown anew",
    run({ actor, act }) {
      const home = actor.home();
      const marks = { words: [], places: [] };
      if (home) act("presses Refresh on the Home tab", () => actor.press(home, "Refresh"), marks);
      else act(opensHome, () => actor.openHome(), marks);
    },
  },
  watch: {
    print: () => `watches ${watched}`,
    run({ actor, act, watches }) {
      watches();
      const command = `/rackbell watch ${watched}`;
      act(`types ${command}`, () => actor.type(command), { words: [watched], places: [] });
    },
  },
  fail: {
    print: () => `stops ${watched} at the platform`,
    run: ({ fail }) => fail(),
  },
  leave: {
    print: () => "leaves the workspace",
    run: ({ leaves }) => leaves(),
  },
  "pass on": askColleague,
  "take over": takeOver,
  ...onCallActions,
  strike: {
    print: ({ fault }) => `is there when this goes wrong: ${fault}`,
    run: ({ strike }, { fault, salt }) => strike(fault, salt),
  },
  wait: {
    print: () => "waits",
    run: () => {},
  },
  supply: {
    weight: 7,
    draw: ({ draws }) => ({
      is: "supply",
      nth: draws.between(0, 5),
      twice: draws.chance(0.3),
      reversed: draws.chance(0.3),
      lateMs: draws.pick([0, 0, 0, 90_000]),
    }),
    print: ({ nth, twice, reversed, lateMs }) =>
      `has the supplier suspend the ${nth}. service or lift it${twice ? ", sent twice" : ""}${reversed ? ", the last first" : ""}${lateMs > 0 ? ", late" : ""}`,
    run({ platform: { reseller } }, { nth, twice, reversed, lateMs }) {
      const service = nthOf(
        nth,
        reseller.sold().filter(({ status }) => status === "active" || status === "suspended"),
      );
      if (!service) return;
      Object.assign(reseller.webhooks.faults, { twice, reversed, lateMs });
      if (service.status === "active") reseller.supplier.suspend(service.id);
      else reseller.supplier.unsuspend(service.id);
    },
  },
};

export function drawAction(drawing: Drawing): Action {
  const all = Object.values(actionKinds).flatMap(({ weight = 0, draw }) => (draw ? [{ weight, draw }] : []));
  let left = drawing.draws.between(
    1,
    all.reduce((sum, { weight }) => sum + weight, 0),
  );
  for (const { weight, draw } of all) {
    left -= weight;
    if (left <= 0) return draw(drawing);
  }
  return drawWish(drawing);
}

/** Actions that few runs have, one after the other. */
export const rarities: readonly [Rarity, ...Rarity[]] = [["home", "home"], ["watch", "fail"], ["leave"]];
type Rarity = readonly ("home" | "watch" | "fail" | "leave")[];

/** The names of the states that a run reached with it: some actions come in several ways. */
export function nameOf(action: Action): string {
  if (action.is === "ask") return formOf(action.wish) || action.how !== "form" ? `ask, ${action.how}` : "ask, typed";
  return action.is === "press" ? `press ${action.button}` : action.is;
}

/** The other actions happen at the platform. */
export function inSlack({ is }: Action): boolean {
  return ![
    ...["rename", "supply", "fail", "leave", "strike", "wait"],
    ...["be quiet", "regroup", "await the turn"],
  ].includes(is);
}

export const actionNames: readonly string[] = [
  ...(["typed", "form", "mention"] as const).map((how) => `ask, ${how}`),
  ...Object.keys(buttons).map((button) => `press ${button}`),
  ...Object.keys(actionKinds).filter((is) => !["ask", "press", "strike", "wait"].includes(is)),
];

export function printAction<Is extends keyof Actions>(action: Action<Is>): string {
  return actionKinds[action.is].print(action);
}

export function runAction<Is extends keyof Actions>(context: ActionContext, action: Action<Is>): void {
  actionKinds[action.is].run(context, action);
}

/** Opening the Home tab asks for nothing that a restart could lose. */
export const opensHome = "opens the Home tab";

/** The machine that is watched. */
export const watched = "bulk-00009";

/** The machine whose name changes. */
export const renamed = "bulk-00006";
export const newName = "other-name";

/** Passwords have machines of their own: else no oracle could know which act has set one. */
const machineFor = { password: "bulk-00007", reinstall: "bulk-00008" };

const kindNames: [KindName, ...KindName[]] = [
  ...(["cancel", "cancel", "cancel", "snapshot", "snapshot", "capture"] as const),
  ...(["password", "reinstall", "reboot", "pay", "pay", "order"] as const),
];

export function drawWish({ draws, who, at, approvals }: Drawing): Action<"ask"> {
  const kind = approvals === "sum" && draws.chance(0.7) ? "pay" : draws.pick(kindNames);
  const several = kind === "cancel" || kind === "snapshot";
  const machine = () => `bulk-0000${draws.between(1, 6)}`;
  const target = kind === "password" || kind === "reinstall" ? machineFor[kind] : machine();
  const also = several && draws.chance(0.15) ? machine() : null;
  const later = several && also === null && draws.chance(0.2);
  const how = draws.pick<How>(["typed", "typed", "typed", "form", "mention"]);
  const inMinutes = later ? draws.between(2, 10) : null;
  return { is: "ask", how, wish: { kind, who, target, also: also === target ? null : also, mark: at + 1, inMinutes } };
}

/**
 * Requests whose message says that its details have a button, as a client still shows them that got the message of an older version, which
 * had the button itself.
 */
function withOlder(actor: Actor, actionId: string, words: string): Message[] {
  return waitingFor(actor, ["request:details"]).flatMap((message) => {
    const value = controlsOf(message.blocks).find(({ action_id: id }) => id === "request:details")?.element.value;
    if (!said(message).includes(words) || hasButton(message, actionId)) return [];
    const text = { type: "plain_text", text: "An older button" };
    const elements = [{ type: "button", action_id: actionId, text, value }];
    return [{ ...message, blocks: [...message.blocks, { type: "actions", block_id: "older", elements }] }];
  });
}

function waitingFor(actor: Actor, actionIds: readonly string[]): Message[] {
  return seesAll(actor).filter((message) => actionIds.some((id) => hasButton(message, id)));
}

function nthOf<T>(nth: number, all: readonly T[]): T | undefined {
  return all[nth % Math.max(1, all.length)];
}

/** The words that are about the first such button: a list has several, and its dialog says more. */
function wordsAt(message: Message, actionId: string): string {
  const { blocks } = message;
  const at = blocks.findIndex((block) => hasButton({ blocks: [block] }, actionId));
  const others = blocks.slice(at + 1).some((block) => hasButton({ blocks: [block] }, actionId));
  const from = others ? blocks.slice(0, at).findLastIndex(({ type }) => type === "actions") + 1 : 0;
  return `${said({ text: "", blocks: blocks.slice(from, at + 1) })} ${JSON.stringify(blocks[at])}`;
}

/** The names in these words that the simulated people give their wishes. */
export function namesIn(words: string): string[] {
  return words.match(/\b(?:bulk-\d{5}|made-\d+|image-\d+|host-\d+)\b/g) ?? [];
}

export function aboutMessage(message: Message): AnswerMarks {
  return { words: namesIn(said(message)), places: placesOf(message) };
}
