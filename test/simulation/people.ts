import { controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { type Actor, type Message, said } from "../../src/sandbox/slack/server.ts";
import { commandOf } from "./kinds.ts";
import type { Press } from "./model.ts";
import { errorsIn, fillIn, goAhead, hasButton, type Move, seesAll } from "./moves.ts";
import { type Name, names, type Step } from "./plan.ts";
import type { Deployment } from "./world/deployment.ts";

const minute = 60_000;

/** People who do what their steps say, and fill in each form that they get. */
export interface People {
  moves: readonly Move[];
  presses: readonly Press[];
  /** When a machine was given another name at the platform. */
  readonly renamedAt: number | null;
  carryOut(step: Step): void;
  /** Whoever has a form open fills it in. */
  tend(): false;
  /** The names of those who see what was offered to somebody else alone. */
  snooped(): string[];
  /** What the app answers somebody who asks it and waits. */
  answerTo(command: string, who?: Name): Promise<string>;
  stillWaiting(): Promise<string[]>;
}

export function createPeople(deployment: Deployment): People {
  const { schedule, practice } = deployment;
  const { slack, platform } = practice;
  const moves: Move[] = [];
  const presses: Press[] = [];
  const sent = new Set<string>();
  const snooping = new Set<string>();
  let renamedAt: number | null = null;
  let formsChanged = true;
  slack.onChange(({ what }) => {
    if (what === "modal") formsChanged = true;
  });

  function tend(): false {
    if (!formsChanged) return false;
    formsChanged = false;
    for (const name of names) {
      const actor = slack.as(name);
      const view = actor.modal();
      if (!view?.submit || view.callback_id === "reveal" || sent.has(`${view.id} ${view.hash}`)) continue;
      sent.add(`${view.id} ${view.hash}`);
      act(name, `fills in "${String(view.title?.text)}"`, () => fillIn(actor, view, "simulated"));
    }
    return false;
  }

  function carryOut({ who, does }: Step): void {
    const actor = slack.as(who);
    if (does.is === "rename") {
      rename(does.machine);
      return;
    }
    if (does.is === "snoop") {
      snoop(who, does.at);
      return;
    }
    if (does.is !== "press") {
      const command = does.is === "ask" ? commandOf(does.wish) : does.command;
      act(who, `types ${command}`, () => actor.type(command));
      return;
    }
    const button = { go: goAhead, back: "request:withdraw", deny: "request:deny" }[does.button];
    const waits = seesAll(actor).filter(
      (message) => hasButton(message, button) || (does.button === "go" && hasButton(message, "request:count")),
    );
    const message = waits[does.nth % Math.max(1, waits.length)];
    if (!message) return;
    for (let time = 0; time < does.times; time += 1)
      press(who, actor, message, hasButton(message, button) ? button : "request:count");
  }

  function rename(machine: string): void {
    if (renamedAt !== null) return;
    renamedAt = deployment.clock.now();
    platform.change(machine, { name: "other-name" });
    schedule.trace?.push(`${"".padStart(13)}*** ${machine} is called other-name from now on`);
  }

  /** The buttons that one person alone was shown, pressed by another. */
  function snoop(who: Name, at: Name): void {
    const theirs = slack
      .as(at)
      .sees("dm")
      .filter((message) => JSON.stringify(message.blocks).includes('"text":"Reveal"'));
    const [message] = theirs;
    if (!message || who === at) return;
    snooping.add(who);
    act(who, `presses what was offered to ${at} alone`, () => slack.as(who).press(message, "Reveal"));
  }

  function press(who: Name, actor: Actor, message: Message, button: string): void {
    if (button === goAhead || button === "request:count")
      presses.push({ who, words: said(message), ageMs: deployment.clock.now() - Number(message.ts) * 1_000 });
    const label = controlsOf(message.blocks).find((one) => one.action_id === button)?.label ?? button;
    act(who, `presses "${label}"`, () => actor.press(message, { actionId: button }));
  }

  /** Nobody waits for anybody: what a person did is answered while all else goes on. */
  function act(who: Name, what: string, work: () => Promise<unknown>): void {
    const entry: Move = { who, what, at: schedule.events, taken: false, error: null, sentBack: null };
    moves.push(entry);
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
    for (const name of names) {
      const words = await answerTo("/rackbell approvals", name);
      if (!/Nothing waits/.test(words))
        found.push(`something still waits for ${name}: ${words.replaceAll(/\s+/g, " ").slice(0, 300)}`);
    }
    return found;
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
    ...{ moves, presses, carryOut, tend, snooped, answerTo, stillWaiting },
    get renamedAt() {
      return renamedAt;
    },
  };
}
