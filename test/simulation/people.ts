import { controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { type FieldValue, said, type View } from "../../src/sandbox/slack/server.ts";
import {
  type Action,
  type ActionContext,
  aboutMessage,
  inSlack,
  type Name,
  nameOf,
  names,
  namesIn,
  newName,
  printAction,
  renamed,
  runAction,
  secondAccount,
  watched,
} from "./actions.ts";
import { strike } from "./faults.ts";
import type { Wish } from "./kinds.ts";
import type { AuditRow, Press } from "./model.ts";
import { type AnswerMarks, errorsIn, fillIn, type Move, questionIn, seesAll } from "./moves.ts";
import type { Deed } from "./on-call.ts";
import type { Step } from "./plan.ts";
import type { Deployment } from "./world/deployment.ts";

const minute = 60_000;
/** So long somebody looks for something to press. */
const patienceMs = 45_000;
/** Less than there is between two acts, and no whole second. */
const orderlyLookMs = 7_777;
/** Two who press in one moment come in either order. */
const betweenLooksMs = 1_111;

/** People who do what their steps say, and fill in each form that they get. */
export interface People {
  moves: Move[];
  presses: Press[];
  /** All wishes so far. */
  wishes: readonly Wish[];
  /** Those who have unlinked, or tried to. */
  unlinking: ReadonlySet<string>;
  /** When a machine was given another name at the platform. */
  readonly renamedAt: number | null;
  /** Somebody chose that machine in a form under its new name: a list finds it by its host name, too. */
  readonly newNameChosen: boolean;
  /** The people who watch a machine, and when it stopped at the platform. */
  watching: ReadonlySet<Name>;
  failedAt: number | null;
  /** When somebody was deactivated. */
  left: ReadonlyMap<string, number>;
  /** Their deeds that change who is notified. */
  deeds: readonly Deed[];
  /** Names of the actions that had an effect. */
  did: ReadonlySet<string>;
  carryOut(step: Step): void;
  /** Each person with an open form fills it in. */
  tend(): false;
  /** The names of those who see what was offered to somebody else alone. */
  snooped(): string[];
  /** The app's answer to a person who asks it and waits. */
  answerTo(command: string, who?: Name): Promise<string>;
  stillWaiting(): Promise<string[]>;
  /** The audit log as the file that the app makes of it. */
  auditLog(): Promise<AuditRow[]>;
}

/** `groupId`: the user group that they may change. */
export function createPeople(deployment: Deployment, groupId: string | undefined): People {
  const { schedule, practice } = deployment;
  const { slack, platform } = practice;
  const moves: Move[] = [];
  const presses: Press[] = [];
  const sent = new Set<string>();
  const did = new Set<string>();
  const snooping = new Set<string>();
  const unlinking = new Set<string>();
  const wishes: Wish[] = [];
  /** The values that each person enters in the forms that they get, in the order in which they set out to. */
  const entering = new Map<Name, Entered[]>();
  const watching = new Set<Name>();
  const left = new Map<string, number>();
  const deeds: Deed[] = [];
  let failedAt: number | null = null;
  let renamedAt: number | null = null;
  let newNameChosen = false;
  let changed = true;
  let posted = false;
  let patient: { who: Name; does: Action; until: number }[] = [];
  slack.onChange(({ what, shown }) => {
    // A form, or a question that somebody alone sees.
    if (what === "modal" || (shown && "ephemeralTo" in shown)) changed = true;
    if (shown) posted = true;
  });

  function tend(): false {
    if (posted && patient.length > 0) lookAgain();
    posted = false;
    if (!changed) return false;
    changed = false;
    for (const name of [...names, secondAccount.name].filter((one) => !left.has(one))) {
      const actor = slack.as(name);
      const view = actor.modal();
      if (view?.submit && view.callback_id !== "reveal" && isNew(`${view.id} ${view.hash}`)) {
        const values = valuesFor(view, entering.get(name) ?? []);
        const from = origin(name, view.private_metadata);
        const own = [...Object.values(values).map(String), ...namesIn(JSON.stringify(view.blocks))];
        const marks = { words: [...own, ...(from?.words ?? [])], places: from?.places ?? [] };
        const sends = (entered: string) => {
          newNameChosen ||= entered.includes(newName);
        };
        const work = () => fillIn(actor, view, "simulated", values, sends);
        act(name, `fills in "${String(view.title?.text)}"`, work, marks);
      }
      for (const message of seesAll(actor)) {
        const button = questionIn(message);
        if (button && isNew(`${message.ts} ${button}`))
          act(name, `presses ${button}`, () => actor.press(message, { actionId: button }), aboutMessage(message));
      }
    }
    return false;
  }

  /** A form belongs to the request in its metadata, or else to the person's last action. */
  function origin(name: Name, metadata = ""): AnswerMarks | undefined {
    const own = moves.filter(({ who }) => who === name).map(({ marks }) => marks);
    return own.findLast(({ places }) => places.some((place) => isIn(metadata, place))) ?? own.at(-1);
  }

  function isNew(print: string): boolean {
    const before = sent.has(print);
    sent.add(print);
    return !before;
  }

  function carryOut({ who, does }: Step): void {
    schedule.trace?.push(`${"".padStart(13)}${who} ${printAction(does)}`);
    if (!hasEffect(who, does)) patient.push({ who, does, until: schedule.time + patienceMs });
  }

  /** True if an action had an effect: there may be nothing to press yet. */
  function hasEffect(who: Name, does: Action): boolean {
    // Nobody looks for anything more to do.
    if (left.has(who) && inSlack(does)) return true;
    const before = moves.length;
    runAction(contextOf(who), does);
    const off = moves.length > before || !inSlack(does);
    if (off) did.add(nameOf(does));
    return off;
  }

  /** At once, or where two stores are compared, when what came with this post is done: else either may be first. */
  function lookAgain(): void {
    if (!schedule.isOrderly) tryAgain(patient);
    else
      for (const [at, one] of patient.entries())
        schedule.after(orderlyLookMs + at * betweenLooksMs, () => tryAgain([one]));
  }

  /** People who found nothing to press look again. */
  function tryAgain(these: typeof patient): void {
    patient = patient.filter(
      (one) => !these.includes(one) || (one.until > schedule.time && !hasEffect(one.who, one.does)),
    );
  }

  function contextOf(who: Name): ActionContext {
    const actor = slack.as(who);
    return {
      who,
      actor,
      platform,
      seenBy: (name) => slack.as(name).sees("dm"),
      act: (what, work, marks) => act(who, what, work, marks),
      enter: (values) => void entering.set(who, [...(entering.get(who) ?? []), values]),
      pressed: (message, words) =>
        void presses.push({ who, words, ageMs: deployment.clock.now() - Number(message.ts) * 1_000 }),
      wished: (wish) => void wishes.push(wish),
      takenOver(words) {
        // The words name the person who could not do it and the colleague: either may have another wish on the same machine since.
        const isRequesters = (name: string) => words.includes(`<@${slack.users[name]?.id}> asks somebody`);
        const wish = wishes.findLast(
          ({ target, who: requester, from = requester }) =>
            [requester, from].some(isRequesters) && words.includes(target),
        );
        if (!wish) return;
        // The first one's key may not do it, so that it never happens as theirs. Several may take it over.
        if (wish.from === undefined) wishes.splice(wishes.indexOf(wish), 1);
        wishes.push({ ...wish, who, from: wish.from ?? wish.who });
      },
      snooped: () => void snooping.add(who),
      unlinks: () => void unlinking.add(who),
      watches: () => void watching.add(who),
      fail() {
        failedAt ??= deployment.clock.now();
        platform.change(watched, { instance: { state: "stopped" } });
      },
      leaves() {
        // Ana reads the audit log when all is over.
        if (who === "ana" || left.has(who)) return;
        left.set(who, deployment.clock.now());
        slack.deactivate(who);
      },
      now: deployment.clock.now,
      does: (deed) => void deeds.push({ ...deed, who, at: deployment.clock.now() }),
      quiet: (until) => slack.setQuiet(who, until),
      regroup(people) {
        if (groupId !== undefined) slack.changeUsergroup(groupId, [...people]);
      },
      strike: (kind, salt) => strike(deployment, { kind, salt, at: 0 }),
      rename() {
        if (renamedAt !== null) return;
        renamedAt = deployment.clock.now();
        platform.change(renamed, { name: newName });
      },
    };
  }

  /** Nobody waits for anybody: Slack answers each person while all others continue. */
  function act(who: Name, what: string, work: () => Promise<unknown>, marks: AnswerMarks): void {
    const entry: Move = { who, what, at: schedule.events, marks, taken: false, error: null, sentBack: null };
    moves.push(entry);
    deployment.turn();
    schedule.trace?.push(`${"".padStart(13)}${who} ${what}`);
    work().then(
      (answer) => Object.assign(entry, { taken: true, sentBack: errorsIn(answer) }),
      (error: unknown) => Object.assign(entry, { error: String(error) }),
    );
  }

  async function answerTo(command: string, who: Name = "ana"): Promise<string> {
    const actor = slack.as(who);
    const before = new Set(seesAll(actor).map(({ ts }) => ts));
    const fresh = () => seesAll(actor).filter(({ ts }) => !before.has(ts));
    await deployment.act(actor.type(command));
    await deployment.run(() => fresh().length > 0, minute);
    return fresh().map(said).join("\n");
  }

  async function stillWaiting(): Promise<string[]> {
    const found: string[] = [];
    for (const name of names.filter((one) => !left.has(one))) {
      const words = await answerTo("/rackbell approvals", name);
      if (!/There are no open requests that you can see/.test(words))
        found.push(`something still waits for ${name}: ${words.replaceAll(/\s+/g, " ").slice(0, 300)}`);
    }
    return found;
  }

  async function auditLog(): Promise<AuditRow[]> {
    const before = slack.state().files.length;
    await deployment.act(slack.as("ana").type("/rackbell audit everyone=yes export=yes"));
    await deployment.run(() => slack.state().files.length > before, minute);
    // The file is there before what is in it.
    await deployment.run(() => false, 5_000);
    const nameOfId = new Map(Object.values(slack.users).map(({ id, name }) => [id, name]));
    const [, ...rows] = rowsOf(Buffer.from(slack.state().files.at(-1)?.content ?? []).toString());
    return rows.map(([, what = "", command = "", target = "", , requester = "", decider = "", , , outcome = ""]) => ({
      what,
      command,
      target,
      outcome,
      requester: nameOfId.get(requester) ?? requester,
      decider: nameOfId.get(decider) ?? decider,
    }));
  }

  function snooped(): string[] {
    return names
      .filter((name) =>
        slack
          .as(name)
          .modals()
          .some(({ callback_id: id }) => id === "reveal"),
      )
      .filter((name) => snooping.has(name));
  }

  return {
    moves,
    presses,
    wishes,
    unlinking,
    watching,
    left,
    deeds,
    did,
    carryOut,
    tend,
    snooped,
    answerTo,
    stillWaiting,
    auditLog,
    get failedAt() {
      return failedAt;
    },
    get newNameChosen() {
      return newNameChosen;
    },
    get renamedAt() {
      return renamedAt;
    },
  };
}

type Entered = Readonly<Record<string, FieldValue>>;

/** Of two forms that came at once each gets its own values: those that were last meant for a form with such a field. */
function valuesFor(view: View, entered: readonly Entered[]): Entered {
  const labels = new Set(controlsOf(view.blocks).map(({ label }) => label));
  const fitting = (values: Entered) => Object.keys(values).filter((label) => labels.has(label)).length;
  // Of two open forms both may ask for a VPS: the one that asks for the name of a snapshot as well gets the values that have it.
  const most = Math.max(0, ...entered.map(fitting));
  return entered.findLast((values) => fitting(values) === most) ?? {};
}

/** True if a text has the id of what a message is about. */
function isIn(text: string, place: string): boolean {
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(place) ?? [];
  return id !== undefined && text.includes(id);
}

/** The cells of a file of values with commas between. */
function rowsOf(text: string): string[][] {
  return text
    .split("\r\n")
    .flatMap((line) => line.split("\n"))
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        (quoted ?? plain ?? "").replaceAll('""', '"'),
      ),
    );
}
