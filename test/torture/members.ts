import type { Practice } from "../../src/sandbox/practice.ts";
import { type Actor, type Message, said } from "../../src/sandbox/slack/server.ts";
import type { Draws } from "./draws.ts";
import { pause } from "./pause.ts";

const goAhead = "request:press";
const backOut = "request:withdraw";
const deny = "request:deny";

/** Resources that the members of one round share: each machine and each amount is one act's alone, so that its effect can be distinguished. */
export interface Ledger {
  machine(): string;
  /** A resold one, by the team's own id of it. */
  resold(): string;
  /** Cents. */
  amount(): number;
  /** How much was tried, by what. */
  tried: Record<string, number>;
}

/** How many services are resold for a round, and what they are called. */
export const mostResold = 150;
export function resoldId(number: number): string {
  return `SOLD-${String(number).padStart(5, "0")}`;
}

export function createLedger(): Ledger {
  let machines = 0;
  let resold = 0;
  let cents = 0;
  return {
    tried: {},
    machine() {
      machines += 1;
      return `bulk-${String(machines).padStart(5, "0")}`;
    },
    resold() {
      resold += 1;
      return resoldId(resold);
    },
    amount() {
      cents += 1;
      return cents;
    },
  };
}

interface Trying {
  practice: Practice;
  actor: Actor;
  draws: Draws;
  ledger: Ledger;
}

type Try = (trying: Trying) => Promise<void>;

/** Acts of a member, each as often as it stands here. */
const tries: [Try, ...Try[]] = [
  snapshot,
  snapshot,
  password,
  password,
  reboot,
  cancel,
  cancel,
  reinstall,
  order,
  order,
  pay,
  pay,
  suspendResold,
  suspendResold,
  terminateResold,
  terminateResold,
  press,
  press,
  press,
  press,
  press,
  press,
  look,
];

/** A member at work until `isOver`: if an action fails in Slack, they try the next one. While there is no app they wait for it. */
export async function work(trying: Trying, { isUp, isOver }: { isUp(): boolean; isOver(): boolean }): Promise<void> {
  const { draws, ledger, actor } = trying;
  for (; !isOver(); await pause(draws.between(30, 400))) {
    if (!isUp()) continue;
    const what = draws.pick(tries);
    ledger.tried[what.name] = (ledger.tried[what.name] ?? 0) + 1;
    // An error that a person sees in Slack is no finding: the app was away.
    await what(trying).catch(() => {});
    if (actor.modal()) await actor.closeModal({ all: true }).catch(() => {});
  }
}

async function snapshot({ actor, ledger }: Trying): Promise<void> {
  const machine = ledger.machine();
  await actor.type(`/vps snapshot ${machine} name=of-${machine}`);
}

async function reboot({ actor, ledger }: Trying): Promise<void> {
  await actor.type(`/vps reboot ${ledger.machine()}`);
}

async function password({ actor, ledger }: Trying): Promise<void> {
  await actor.type(`/vps password ${ledger.machine()}`);
  await modal(actor, "New root password");
  await actor.submit();
}

async function cancel({ actor, ledger }: Trying): Promise<void> {
  await actor.type(`/vps cancel ${ledger.machine()}`);
}

async function suspendResold({ actor, ledger }: Trying): Promise<void> {
  await actor.type(`/reseller service suspend ${ledger.resold()} force=yes`);
}

async function terminateResold({ actor, ledger }: Trying): Promise<void> {
  await actor.type(`/reseller service terminate ${ledger.resold()}`);
}

async function reinstall({ actor, ledger }: Trying): Promise<void> {
  await actor.type(`/vps reinstall ${ledger.machine()} image="Debian 13"`);
}

async function order({ actor, ledger }: Trying): Promise<void> {
  await actor.type("/order new VPS S");
  await modal(actor, '"text":"Order"', '"submit":{');
  await actor.fill({ Billed: "monthly", Location: "Madrid", "Host name": `${ledger.machine()}.example.test` });
  await actor.submit();
}

async function pay({ practice, actor, draws, ledger }: Trying): Promise<void> {
  const open = practice.platform.documents().filter(({ status }) => status === "unpaid" || status === "pending");
  const [first, ...others] = open;
  if (!first) return;
  const { number } = draws.pick([first, ...others]);
  await actor.type(`/billing pay ${number} amount=${(ledger.amount() / 100).toFixed(2)}`);
}

async function look({ actor, draws }: Trying): Promise<void> {
  await actor.type(draws.pick(["/vps list", "/rackbell approvals", "/rackbell help", "/billing invoices"]));
}

/** Presses what waits: mostly to go ahead, now and then twice at once, and now and then to back out or to say no. */
async function press({ actor, draws, ...trying }: Trying): Promise<void> {
  const [first, ...others] = [...actor.sees(), ...actor.sees("dm")].filter((message) => holds(message, goAhead));
  if (!first) return pay({ actor, draws, ...trying });
  // The newest, mostly, as people do: an older one may have expired by the time that it is read.
  const message = draws.chance(0.6) ? (others.at(-1) ?? first) : draws.pick([first, ...others]);
  if (holds(message, deny) && draws.chance(0.08)) return sayNo(actor, message);
  const target = draws.chance(0.12) ? backOut : goAhead;
  const presses = draws.chance(0.2) ? 2 : 1;
  await Promise.all(Array.from({ length: presses }, () => actor.press(message, target)));
}

async function sayNo(actor: Actor, message: Message): Promise<void> {
  await actor.press(message, deny);
  await modal(actor, "Deny the request");
  await actor.fill({ "Why?": "Not tonight." });
  await actor.submit();
}

/** Looks for a modal for as long as a person would. */
async function modal(actor: Actor, ...texts: string[]): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) {
    const view = JSON.stringify(actor.modal() ?? "");
    if (texts.every((text) => view.includes(text))) return;
    await pause(50);
  }
  throw new Error("No such modal came");
}

type Name = "ana" | "ben" | "caro";

/** Links a member's keys of both wings. */
export async function link({ slack, platform }: Practice, name: Name): Promise<void> {
  const actor = slack.as(name);
  const keys = { customer: platform.keys[name].key, reseller: platform.reseller.keys[name].key };
  await fillIn(actor, "/rackbell link", { "API key": keys.customer }, "is linked: you act as");
  await fillIn(actor, "/rackbell link", { "API key": keys.reseller }, "Your reseller key");
}

/** Connects the workspace to the reseller account, as an admin does. */
export async function connect({ slack, platform }: Practice): Promise<void> {
  const secret = platform.reseller.signingSecret() ?? "";
  await fillIn(slack.as("ana"), "/rackbell connect", { "Signing secret": secret }, "The signing secret is set");
}

/** Fills in a form as a person does: once more where the app was slow, for its time runs faster than this machine. */
async function fillIn(actor: Actor, command: string, values: Record<string, string>, answer: string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await fillInOnce().catch(() => {});
    for (let turn = 0; turn < 40; turn += 1) {
      if (actor.sees().some((message) => said(message).includes(answer))) return;
      await pause(50);
    }
  }
  throw new Error(`${actor.user.name} got no answer to ${command}`);

  async function fillInOnce(): Promise<void> {
    if (!actor.modal()) await actor.type(command);
    await modal(actor, Object.keys(values)[0] ?? "");
    await actor.fill(values);
    await actor.submit();
  }
}

/** All that was generated for a member and is offered to them, read as they would: once more where Slack took too long. */
export async function reveal(actor: Actor): Promise<string[]> {
  const values: string[] = [];
  for (const message of actor.sees("dm").filter((one) => holds(one, '"text":"Reveal"'))) {
    for (let attempt = 0; attempt < 10 && !actor.modal(); attempt += 1) {
      await actor.press(message, "Reveal").catch(() => {});
      await modal(actor, '"callback_id":"reveal"').catch(() => {});
    }
    const view = JSON.stringify(actor.modal()?.blocks ?? []);
    values.push(...[...view.matchAll(/```(.+?)```/g)].map(([, value = ""]) => value));
    if (actor.modal()) await actor.closeModal({ all: true });
  }
  return values;
}

export function holds({ blocks }: Message, text: string): boolean {
  return JSON.stringify(blocks).includes(text);
}
