import type { AuditEntry } from "../../src/audit/entry.ts";
import { characters } from "../../src/process/plain-text.ts";
import type { Request } from "../../src/requests/request.ts";
import type { Practice } from "../../src/sandbox/practice.ts";
import { type Message, said } from "../../src/sandbox/slack/server.ts";
import { holds } from "./members.ts";

/** All that is known when a round is over. */
export interface Aftermath {
  practice: Practice;
  /** The app's store. */
  requests: Request[];
  /** Oldest first. */
  audit: AuditEntry[];
  /** All that members read in the modals that reveal. */
  revealed: Set<string>;
}

/** A sentence for each promise that was broken; none when the app kept all. */
export function judge(aftermath: Aftermath): string[] {
  return [
    ...sentOnce(aftermath),
    ...happenedOnce(aftermath),
    ...aftermath.requests.flatMap((request) => [
      ...endedTruly(aftermath, request),
      ...rightlyDecided(request),
      ...checkMessages(aftermath, request),
      ...recorded(aftermath, request),
    ]),
    ...knownActs(aftermath),
    ...keptPasswords(aftermath),
    ...rightlyMade(aftermath),
  ];
}

function sentOnce({ practice: { platform } }: Aftermath): string[] {
  const counts = new Map<string, number>();
  for (const { method, path, body, status } of platform.calls()) {
    // A definite refusal changed nothing, so the same write may be sent again.
    if (method === "GET" || (status !== null && status >= 400 && status < 500)) continue;
    const key = `${method} ${path} ${JSON.stringify(body, withoutSecrets)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([key, count]) => `Sent ${count} times: ${key}`);
}

/** An act that is sent again with another password, or under another idempotency key, is the same act. */
function withoutSecrets(name: string, value: unknown): unknown {
  return /password|idempotency|externalOrderId|externalReference/i.test(name) ? "…" : value;
}

function happenedOnce({ practice: { platform }, requests }: Aftermath): string[] {
  const machines = requests.filter(({ command }) => command === "vps snapshot").flatMap(({ target }) => target ?? []);
  // The invoice that a proforma becomes bears the same payments.
  const documents = platform.documents().filter(({ cause }) => cause !== "conversion");
  const payments = documents.flatMap((one) => one.payments.filter(({ method }) => method === "credit"));
  const small = payments.filter(({ amount }) => amount < 500).map(({ amount }) => String(amount));
  const keys = platform.orders().flatMap(({ idempotency_key: key }) => key ?? []);
  return [
    ...machines
      .filter(({ id }) => platform.findVps(id).snapshots.length > 1)
      .map(({ name }) => `Two snapshots of ${characters(name)} were taken`),
    ...twice(small).map((amount) => `${amount} cents were paid twice`),
    ...twice(keys).map((key) => `Two orders bear the key ${key}`),
  ];
}

/** The names that are there more than once. */
export function twice(names: string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

const nothingDone = new Set(["refused", "undone", "expired", "denied", "withdrawn", "void"]);
const open = new Set(["pending", "claimed", "unknown", "working"]);

/** It has ended, and with what is so. */
function endedTruly({ practice }: Aftermath, request: Request): string[] {
  const { state, job, id, command } = request;
  const name = `${command} ${characters(request.target?.name ?? "")} (${id})`;
  if (open.has(state)) return [`${name} has not ended: ${state}`];
  if (job && job.endedAt === null) return [`${name} is still followed`];
  const happened = whether(practice, request);
  if (happened === true && nothingDone.has(state))
    return [`${name} was done, and is called ${state}: ${request.outcome}`];
  if (happened === false && state === "done") return [`${name} was not done, and is called done: ${request.outcome}`];
  return [];
}

/** A request that needs an approval ran with one of another person, whose name it stores. */
function rightlyDecided({ id, command, mode, requester: { member }, approvals, state }: Request): string[] {
  const ran = ["done", "failed", "left", "refused", "undone", "undecided"].includes(state);
  if (mode !== "peer" || !ran || approvals.some((approval) => approval.member !== member)) return [];
  return [`${command} ${id} was run without anybody else's approval`];
}

/** True when the platform shows the result of the request; null if it cannot show that. */
function whether({ platform }: Practice, { command, target, id, review: { preconditions } }: Request): boolean | null {
  if (command === "order new") return platform.orders().some(({ idempotency_key: key }) => key === id);
  if (command === "billing pay") {
    const amount = preconditions.amount?.text ?? "";
    const cents = Math.round(Number.parseFloat(amount) * 100);
    return platform.documents().some(({ payments }) => payments.some((one) => one.amount === cents));
  }
  if (!target) return null;
  if (command === "reseller service suspend") return statusOf(platform, target.id) === "suspended";
  if (command === "reseller service terminate") return statusOf(platform, target.id) === "terminated";
  if (command === "vps snapshot") return platform.findVps(target.id).snapshots.length > 0;
  if (command === "vps password" || command === "vps reinstall") return platform.passwordOf(target.id) !== undefined;
  if (command === "vps cancel") return platform.findVps(target.id).cancellation !== null;
  return null;
}

function statusOf({ reseller }: Practice["platform"], id: string): string | undefined {
  return reseller.sold().find((service) => service.id === id)?.status;
}

const goesOn = /:hourglass_flowing_sand:|:raised_hand:|is being carried out|I am checking the outcome/;

/** Its messages that stay, in any channel. */
function messagesOf({ practice }: Aftermath, subject: string, slot: string): Message[] {
  return Object.values(practice.slack.state().channels)
    .flat()
    .filter(({ metadata }) => metadata?.event_payload.subject === subject && metadata.event_payload.slot === slot);
}

/** Told once in its place, as it ended, with its way on. */
function checkMessages(aftermath: Aftermath, request: Request): string[] {
  const { id, command, mode, risk, state, next, outcome } = request;
  const name = `${command} ${characters(request.target?.name ?? "")} (${id}, ${state})`;
  const cards = messagesOf(aftermath, `request:${id}`, "card");
  const endings = messagesOf(aftermath, `request:${id}`, "ending");
  const alone = messagesOf(aftermath, `request:${id}`, "requester");
  const shown = (mode !== "none" && risk !== "spend") || ["done", "failed", "left"].includes(state);
  const faults = [
    ...(shown && cards.length === 0 && !answeredPrivately(aftermath, request)
      ? [`${name} has no message, and ended with “${outcome}”. What names it: ${namedIn(aftermath, request)}`]
      : []),
    ...(cards.length > 1 ? [`${name} stands ${cards.length} times: ${placesOf(cards)}`] : []),
    ...(alone.length > 1 ? [`${name} has ${alone.length} messages to its requester: ${placesOf(alone)}`] : []),
    ...alone
      .map(said)
      .filter((words) => goesOn.test(words))
      .map((words) => `${name} has ended, and its requester sees: ${words}`),
    ...(endings.length > 1 ? [`The end of ${name} has ${endings.length} messages: ${placesOf(endings)}`] : []),
  ];
  const [card] = cards;
  if (!card) return faults;
  const words = said(card);
  if (goesOn.test(words)) faults.push(`${name} has ended, and its card does not say so: ${words}`);
  if (!words.includes(outcome.slice(0, 60))) faults.push(`The card of ${name} does not say "${outcome}": ${words}`);
  if (next.length > 0 && !holds(card, '"type":"button"')) faults.push(`The card of ${name} has no way on`);
  return faults;
}

/**
 * The requester alone is shown the outcome of a confirmation that the platform did not accept, where they pressed, or in their direct
 * messages once Slack took no more answers there. So it is while Slack does not say who reads a channel.
 */
function answeredPrivately(aftermath: Aftermath, { id, outcome }: Request): boolean {
  const { ephemerals } = aftermath.practice.slack.state();
  const shown = [...Object.values(ephemerals).flat(), ...messagesOf(aftermath, `request:${id}`, "requester")];
  return shown.some((message) => said(message).includes(outcome.slice(0, 60)));
}

/** All messages with the name of its target, for the person who looks for the fault. */
function namedIn({ practice: { slack } }: Aftermath, { target, channel, origin }: Request): string {
  const { channels, ephemerals } = slack.state();
  const all = [...Object.values(channels).flat(), ...Object.values(ephemerals).flat()];
  const found = all
    .filter((message) => target !== null && said(message).includes(characters(target.name)))
    .map((message) => `${placesOf([message])} ${JSON.stringify(message.metadata?.event_payload)} ${said(message)}`);
  return [`its channel is ${channel}, it was asked for in ${origin.channel}`, ...found].join(" | ");
}

function placesOf(messages: Message[]): string {
  return messages.map(({ channel, ts, thread_ts }) => `${channel} ${thread_ts ?? ""} ${ts}`).join(", ");
}

const decidedEntries =
  /asked( (approved|confirmed) (refused|not sent|unknown reconciled))*( expired| void| withdrawn| denied| (approved|confirmed) (refused|not sent|done( ended)?|unknown reconciled( ended)?)| (approved|confirmed) unknown reconciled not sent again)/;
const undecidedEntries = /begun (refused|not sent|done( ended)?|unknown reconciled( ended)?)/;

/** From the asking to the end without a gap. */
function recorded({ audit }: Aftermath, { id, command, mode, state }: Request): string[] {
  const chain = audit.flatMap((entry) => (entry.request === id ? entry.what : [])).join(" ");
  const whole = new RegExp(`^${(mode === "none" ? undecidedEntries : decidedEntries).source}$`);
  return whole.test(chain) ? [] : [`The record of ${command} ${id} (${state}) is not whole: ${chain || "nothing"}`];
}

/** Nothing was done that no request stands for. */
function knownActs({ practice: { platform }, requests }: Aftermath): string[] {
  const runs = new Set(requests.map(({ id }) => id));
  return platform
    .orders()
    .flatMap(({ idempotency_key: key }) => key ?? [])
    .filter((key) => !runs.has(key))
    .map((key) => `No request stands for the order ${key}`);
}

function keptPasswords({ practice: { platform }, requests, revealed }: Aftermath): string[] {
  return requests
    .flatMap(({ target, input: { generated } }) => (target && generated.length > 0 ? target : []))
    .filter(({ id }) => !revealed.has(platform.passwordOf(id) ?? "") && platform.passwordOf(id) !== undefined)
    .map(({ name }) => `The password of ${characters(name)} is lost`);
}

/** A message that Slack refuses for its shape is the app's own fault, with or without faults elsewhere. */
function rightlyMade({ practice: { slack } }: Aftermath): string[] {
  return slack
    .state()
    .violations.filter(({ error }) => /invalid|too_long|no_text|missing/.test(error))
    .map(({ method, error, reasons }) => `Slack refused ${method}: ${error} ${reasons.join("; ")}`);
}
