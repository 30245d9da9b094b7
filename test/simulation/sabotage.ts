import { request } from "node:http";
import type { Practice } from "../../src/sandbox/practice.ts";
import type { View } from "../../src/sandbox/slack/server.ts";
import { type Name, newName } from "./actions.ts";
import { hasButton } from "./moves.ts";
import type { OracleName } from "./oracles.ts";
import type { Approvals, Plan, Step } from "./plan.ts";
import { type Broken, runPlan } from "./random.ts";
import { worldOf } from "./report-random.ts";
import { ask, press, step, supplyOne, wait } from "./scenes.ts";
import type { Deployment } from "./world/deployment.ts";

const minute = 60_000;

/** A world that goes right until somebody breaks it, in the way that one oracle alone must find. */
interface Sabotage {
  steps: Step[];
  /** How requests are decided by what the oracles know; the world itself always lets the requester decide. */
  approvals?: Approvals;
  world?: Plan["world"];
  /** Done once all is at rest, one after the other. */
  breaks?: Breaks | readonly Breaks[];
  /** So long the world runs after each. */
  restMs?: number;
}

type Breaks = (broken: Broken) => unknown;

/** Those that look only where one command alone is tried have no world of several people to break. */
type Tried = Exclude<OracleName, "a write is sent once">;

const snapshot = [ask("snapshot", "ana", 1)];
const capture = [ask("capture", "ana", 1), press("ana")];
const pay = [ask("pay", "ana", 1), press("ana")];
/** An alert of which nobody has taken notice by the last step. */
const unanswered: Sabotage = { approvals: "peer", world: "on call", steps: [supplyOne, wait(minute)] };

/** One for each oracle. */
const sabotages: Readonly<Record<Tried, Sabotage>> = {
  "a step notifies once": {
    ...unanswered,
    breaks: ({ deployment }) => postStep(deployment, "step:again:then-0"),
  },
  "each step comes, up to the last": {
    ...unanswered,
    breaks: [({ deployment: { practice } }) => suspendAnother(practice), ...[1, 2, 3, 4].map(() => forgetSteps)],
    restMs: 1.5 * minute,
  },
  "a take holds the next step": {
    ...unanswered,
    breaks: [
      ({ deployment: { practice } }) => takeAlert(practice),
      ({ deployment }) => postStep(deployment, "step:again:then-9"),
    ],
    restMs: 3 * minute,
  },
  "nobody is notified of what is over": {
    ...unanswered,
    breaks: [
      ({ deployment: { practice } }) => liftAll(practice),
      ({ deployment }) => postStep(deployment, "step:again:then-9"),
    ],
    restMs: 3 * minute,
  },
  "a step notifies those whom it names": {
    ...unanswered,
    breaks: ({ deployment }) => postStep(deployment, "late:again"),
  },
  "nothing taken stays without a word": {
    steps: snapshot,
    breaks({ deployment, people }) {
      const at = deployment.schedule.events;
      const marks = { words: [], places: [] };
      people.moves.push({ who: "ana", what: "types /vps list", at, marks, taken: true, error: null, sentBack: null });
    },
  },
  "an end has one message, in one place": {
    steps: snapshot,
    breaks: ({ deployment }) => editLast(deployment, "chat.postMessage", ({ ts: _, ...message }) => message),
  },
  "what stands is left alone": {
    steps: snapshot,
    async breaks({ deployment }) {
      await editLast(deployment, "chat.update", (message) => message);
      await editLast(deployment, "chat.update", (message) => message);
    },
  },
  "an end is the end": {
    steps: snapshot,
    async breaks({ deployment }) {
      const whole = sentBy(deployment).findLast(({ metadata }) => metadata !== undefined);
      await editLast(deployment, "chat.update", (message) => ({
        ...message,
        text: ":wastebasket: Withdrawn",
        blocks: [],
      }));
      if (whole) await callSlack(deployment, "chat.update", whole);
    },
  },
  "nothing goes on for ever": {
    steps: snapshot,
    breaks: ({ deployment }) =>
      editLast(deployment, "chat.postMessage", ({ channel, metadata }) => ({
        channel,
        text: ":hourglass_flowing_sand: It goes on.",
        metadata: { ...metadata, event_payload: { subject: "request:0", slot: "0" } },
      })),
  },
  "no secret is shown": {
    steps: snapshot,
    breaks: ({ deployment }) => void deployment.log.push(deployment.practice.platform.keys.ana.key),
  },
  "Slack's rules": {
    steps: snapshot,
    breaks: ({ deployment }) =>
      editLast(deployment, "chat.postMessage", ({ channel }) => ({ channel, text: "", blocks: [{ type: "section" }] })),
  },
  "the app does not fail": {
    steps: snapshot,
    breaks: ({ deployment }) => void deployment.log.push('{"level":60,"msg":"It ends"}'),
  },
  "a swallowed press is said": {
    steps: snapshot,
    world: "socket",
    async breaks({ deployment }) {
      const { slack, environment } = deployment.practice;
      environment.SOCKET_CHECK = "off";
      deployment.crash();
      await deployment.boot();
      await deployment.run(() => false, 5_000);
      const hear = slack.faults.deafenSocket();
      await deployment.act(slack.as("ana").type("/vps list"));
      hear();
    },
    restMs: 2 * minute,
  },
  "all that waits has notified somebody": {
    steps: snapshot,
    breaks: ({ deployment }) => post(deployment, "Somebody other than <@U0> must approve, with a key of their own."),
  },
  "an act happens once": {
    steps: pay,
    breaks: ({ deployment }) => callAgain(deployment, "/pay"),
  },
  "only who may has said yes": {
    steps: capture,
    breaks({ people }) {
      for (const one of people.presses) one.words = "";
    },
  },
  // The world has no such rule.
  "a sum of a day": { steps: [...pay, ask("pay", "ana", 2), press("ana")], approvals: "sum" },
  "a name at run time": {
    steps: [...snapshot, step("ana", { is: "rename" })],
    breaks: ({ deployment }) => reboot(deployment, newName),
  },
  "words agree with the platform": {
    steps: [ask("capture", "ana", 1)],
    breaks: ({ deployment }) => post(deployment, ":white_check_mark: `image-1` is captured"),
  },
  "each act has a message": {
    steps: snapshot,
    breaks: ({ deployment }) =>
      editAll(deployment, "made-1", (message) => ({ ...message, text: "Nothing", blocks: [] })),
  },
  "no money is lost": {
    steps: pay,
    breaks({ deployment: { practice } }) {
      const { balance } = practice.platform.user("ana");
      practice.platform.changeUser("ana", { balance: balance - 1 });
    },
  },
  "the audit log agrees": {
    steps: snapshot,
    breaks({ people }) {
      people.auditLog = async () => [];
    },
  },
  "a decider has pressed": {
    steps: capture,
    async breaks({ people }) {
      const rows = await people.auditLog();
      people.auditLog = async () => rows.map((row) => ({ ...row, decider: "caro" }));
    },
  },
  "the audit log is whole": {
    steps: snapshot,
    breaks: ({ deployment }) =>
      deployment.disk.change("UPDATE text SET text = replace(text, 'secret is set', 'secret was set')"),
  },
  "the hour of a key": {
    steps: snapshot,
    async breaks({ deployment }) {
      for (let count = 0; count < 20; count += 1)
        await Promise.all(Array.from({ length: 60 }, () => call(deployment, "caro", "GET", "/account")));
    },
  },
  "an erased key is not used": {
    steps: [step("ben", { is: "unlink" })],
    breaks: ({ deployment }) => call(deployment, "ben", "GET", "/account"),
  },
  "one act at a time": {
    steps: snapshot,
    breaks: ({ deployment }) => Promise.all([reboot(deployment, "bulk-00002"), reboot(deployment, "bulk-00002")]),
  },
  "a secret waits for its owner": {
    steps: snapshot,
    breaks: ({ deployment }) => post(deployment, "The password of bulk-00007: you opened it. *I have it* erases"),
  },
  "nobody sees another's secret": {
    steps: [
      ...[
        ask("password", "ana", 1, "bulk-00007"),
        press("ana"),
        step("ben", { is: "snoop", at: "ana" }, minute),
        wait(minute),
      ],
    ],
    async breaks({ deployment }) {
      const { slack } = deployment.practice;
      await slack.as("ben").type("/rackbell link");
      const view = await slack.until(() => filled(slack.as("ben").modal()));
      const title = { type: "plain_text", text: "Another's" };
      const shown = { type: "modal", callback_id: "reveal", title, blocks: [{ type: "divider" }] };
      await callSlack(deployment, "views.update", { view_id: view.id, view: shown });
    },
  },
  "no password is lost": {
    steps: [ask("password", "ana", 1, "bulk-00007"), press("ana")],
    breaks: ({ deployment }) => callAgain(deployment, "/password"),
  },
  "nothing waits for ever": {
    steps: snapshot,
    breaks: ({ deployment }) => deployment.practice.slack.as("ana").type("/vps cancel bulk-00003"),
  },
  "a watch notifies of a change": {
    steps: [
      step("ana", { is: "watch" }),
      ...[step("ana", { is: "look", command: "/rackbell watch stop bulk-00009" }), step("ana", { is: "fail" })],
    ],
  },
  "all comes to rest": {
    steps: snapshot,
    breaks: ({ deployment }) => call(deployment, "ana", "GET", "/account"),
    restMs: 1_000,
  },
  "an order is not repeated": {
    steps: [ask("order", "ana", 1), press("ana")],
    breaks: ({ deployment }) =>
      callAgain(deployment, "/orders", {
        idempotencyKey: deployment.practice.platform.orders().at(-1)?.idempotency_key,
      }),
  },
  "alerts agree with the platform": {
    steps: [supplyOne, wait(minute)],
    breaks({ deployment: { practice } }) {
      practice.platform.reseller.setWebhookUrl(null);
      liftAll(practice);
    },
  },
  "a digest has each event once": {
    world: "monitored",
    steps: [supplyOne, wait(minute)],
    breaks: ({ deployment }) =>
      editLast(deployment, "chat.postMessage", ({ channel, text, blocks, metadata }) => ({
        channel,
        text,
        blocks,
        metadata: { ...metadata, event_payload: { subject: "alert-digest:another", slot: "digest" } },
      })),
  },
  "polling finds what no event reported": {
    world: "monitored",
    steps: [supplyOne, wait(minute)],
    breaks({ deployment: { practice } }) {
      practice.platform.reseller.webhooks.faults.lateMs = 24 * 60 * minute;
      suspendAnother(practice);
    },
    restMs: 1_000,
  },
};

/** Breaks a world for each oracle; how many were found by none, or by others too. */
export async function reportSabotages({ say }: { say(line: string): void }): Promise<number> {
  let wrong = 0;
  for (const [oracle, { steps, approvals = "self", world, breaks, restMs = minute }] of Object.entries(sabotages)) {
    const plan: Plan = { seed: 1, approvals, steps, faults: [], delays: [0], ...(world ? { world } : {}) };
    const { findings } = await runPlan(await worldOf({ ...plan, approvals: "self" }), plan, {
      async sabotage(broken) {
        const { deployment } = broken;
        for (const one of [breaks ?? []].flat()) {
          await deployment.act(Promise.resolve(one(broken)));
          await deployment.run(() => false, restMs);
        }
      },
    });
    const others = findings.filter((finding) => !finding.startsWith(`${oracle}: `));
    const isFound = findings.length > 0 && others.length === 0;
    wrong += isFound ? 0 : 1;
    say(`${oracle}: ${isFound ? "found, and by it alone" : `not found by it alone: ${findings.join(" | ")}`}`);
  }
  return wrong;
}

/** Takes away the timers of all that waits for people. */
function forgetSteps({ deployment: { disk } }: Broken): void {
  disk.change("DELETE FROM member WHERE name = '~due responsible:'");
}

function suspendAnother({ platform: { reseller } }: Practice): void {
  const service = reseller.sold().find(({ status }) => status === "active");
  if (service) reseller.supplier.suspend(service.id);
}

function liftAll({ platform: { reseller } }: Practice): void {
  for (const { id, status } of reseller.sold()) if (status === "suspended") reseller.supplier.unsuspend(id);
}

async function takeAlert({ slack }: Practice): Promise<void> {
  const ben = slack.as("ben");
  const alert = ben.sees().findLast((message) => hasButton(message, "alert:take"));
  if (alert) await ben.press(alert, { actionId: "alert:take" });
}

/** Posts once more what a step has notified, as another part of the same. */
async function postStep(deployment: Deployment, slot: string): Promise<void> {
  const made = sentBy(deployment).findLast(({ metadata }) => /:then-0$/.test(String(metadata?.event_payload.slot)));
  if (!made?.metadata) return;
  const { channel, text, blocks, metadata } = made;
  const event = { ...metadata, event_payload: { ...metadata.event_payload, slot } };
  await callSlack(deployment, "chat.postMessage", { channel, text, blocks, metadata: event });
}

/** The form once the app will not change it any more. */
function filled(view: View | undefined): View | undefined {
  return JSON.stringify(view ?? "").includes("API key") ? view : undefined;
}

/** A message as Slack's methods take it. */
interface Sent {
  channel: string;
  ts?: string;
  text: string;
  blocks?: unknown;
  metadata?: { event_payload: Record<string, unknown> } & Record<string, unknown>;
}

/** Calls Slack as the app, about the last message that is about a request. */
async function editLast(deployment: Deployment, method: string, change: (message: Sent) => Sent): Promise<void> {
  const last = sentBy(deployment).findLast(({ metadata }) => metadata !== undefined);
  if (last) await callSlack(deployment, method, change(last));
}

async function editAll(deployment: Deployment, words: string, change: (message: Sent) => Sent): Promise<void> {
  for (const one of sentBy(deployment).filter((message) => JSON.stringify(message).includes(words)))
    await callSlack(deployment, "chat.update", change(one));
}

async function post(deployment: Deployment, text: string): Promise<void> {
  await editLast(deployment, "chat.postMessage", ({ channel }) => ({ channel, text }));
}

function sentBy({ practice: { slack } }: Deployment): Sent[] {
  return Object.values(slack.state().channels)
    .flat()
    .filter(({ user }) => user === slack.botUserId)
    .map(({ channel, ts, text, blocks, metadata }) => ({
      channel,
      ts,
      text,
      blocks,
      ...(metadata ? { metadata } : {}),
    }));
}

async function callSlack({ practice: { slack } }: Deployment, method: string, message: object): Promise<void> {
  await send(`${slack.apiUrl}${method}`, "POST", slack.botToken, message);
}

async function call({ practice: { platform } }: Deployment, who: Exclude<Name, "dave">, method: string, path: string) {
  await send(`${platform.url}${path}`, method, platform.keys[who].key, undefined);
}

/** The same that the app sent last, with the key of ana. */
async function callAgain({ practice: { platform } }: Deployment, end: string, more: object = {}): Promise<void> {
  const last = platform.calls().findLast(({ method, path }) => method === "POST" && path.endsWith(end));
  if (last) await send(`${platform.url}${last.path}`, "POST", platform.keys.ana.key, { ...Object(last.body), ...more });
}

async function reboot(deployment: Deployment, machine: string): Promise<void> {
  const { id } = deployment.practice.platform.findVps(machine);
  await call(deployment, "ana", "POST", `/vps/${id}/reboot`);
}

/** With a connection of its own: the clients of the process keep theirs from one world to the next. */
function send(url: string, method: string, token: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on("end", resolve);
    });
    sending.on("error", reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
