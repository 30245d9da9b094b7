import { newestEntries } from "../../src/audit/audit.ts";
import type { Request } from "../../src/requests/request.ts";
import { readRequest } from "../../src/requests/store.ts";
import { matchRoute as matchCustomer } from "../../src/sandbox/platform/customer/routes.ts";
import type { SendByHand } from "../../src/sandbox/platform/http/faults.ts";
import { matchRoute as matchReseller } from "../../src/sandbox/platform/reseller/routes.ts";
import { findControl } from "../../src/sandbox/slack/blocks/controls.ts";
import { type Actor, type Message, said } from "../../src/sandbox/slack/server.ts";
import type { SendByHand as SendBySlack } from "../../src/sandbox/slack/wire/faults.ts";
import type { Store } from "../../src/storage/store.ts";
import { preparationOf } from "../examples.ts";
import { calm } from "../simulation/enumerate.ts";
import { carry, goAhead, hasButton, seesAll } from "../simulation/moves.ts";
import { type Aftermath, aftermathOf, observe } from "../simulation/observing.ts";
import { type Deployment, deploy, type Saved } from "../simulation/world/deployment.ts";
import { bodyOf } from "./answers.ts";

/** The address of a host that is neither the platform nor Slack. Nobody answers there. */
const strayPort = 39_999;
export const elsewhere = `http://127.0.0.1:${strayPort}`;

const second = 1_000;
const minute = 60 * second;

/** So long after an answer all that belongs to it has come. */
const afterMs = 3 * second;

/** The route of a call in its API's own words: "reseller GET /services/{id}". Of a path that no API has, null. */
function routeOf({ method, path }: { method: string; path: string }): string | null {
  const prefix = "/reseller";
  const isOfReseller = path === prefix || path.startsWith(`${prefix}/`);
  const found = isOfReseller ? matchReseller(method, path.slice(prefix.length)) : matchCustomer(method, path);
  return found ? `${isOfReseller ? "reseller" : "customer"} ${method} ${found.route.path}` : null;
}

/** All that somebody is shown for one line that they typed. */
export interface Shown {
  /** Messages, their details, and modals, as they were at last. */
  texts: string[];
  /** The messages with a button that decides, and their dialogs: all that somebody reads before the press. */
  card: string[];
  /** The request that was made of it, as the app has stored it. */
  request: Request | null;
}

/** The real app between the practice Slack and a practice platform that answers as a case wants. */
export interface HostileWorld {
  deployment: Deployment;
  ana: Actor;
  /** The connections to `elsewhere`. */
  strays(): readonly string[];
  /** The bodies of the answers so far, by route. */
  bodies: Map<string, unknown[]>;
  /** The spoiled routes whose calls the platform has carried out, whatever it then answered. */
  carriedOut: ReadonlySet<string>;
  /** From now on the routes are answered by it, and all others as usual; null: all as usual. */
  spoil(routes: readonly string[], send: SendByHand | null): void;
  /** The next calls of a method of Slack's are answered by it. */
  spoilSlack(method: string, send: SendBySlack, times: number): void;
  /** Ana types a line and reads what comes. With a form, she fills it in; she presses nothing that decides. */
  ask(typed: string): Promise<Shown>;
  /** Ana types a line, fills in what comes, presses what decides, and waits for the end; all that it led to. */
  act(typed: string): Promise<Aftermath & { messages: Message[] }>;
}

/** Continues from a saved world, with all that a command needs before it. Null where the app does not start. */
export async function openWorld(saved: Saved, seed: number, command: string): Promise<HostileWorld> {
  const deployment = await deploy(seed, { from: saved });
  if (!(await deployment.boot())) throw new Error(`The app does not start: ${deployment.log.at(-1)}`);
  const { practice } = deployment;
  const ana = practice.slack.as("ana");
  const { given, first = [], values } = preparationOf(command);
  given?.(practice);
  const entered = values?.(practice) ?? {};
  for (const one of first) {
    await carry(deployment, ana, one, { marker, values: entered });
    await calm(deployment, 20 * second);
  }
  practice.platform.clearCalls();
  const strays: string[] = [];
  deployment.network.name(strayPort, "elsewhere");
  deployment.schedule.onEvent = (_, label) => {
    if (label.includes("elsewhere")) strays.push(label);
  };
  const bodies = new Map<string, unknown[]>();
  const carriedOut = new Set<string>();
  let spoiled: readonly string[] = [];
  let by: SendByHand | null = null;
  practice.platform.faults.next({
    times: Number.POSITIVE_INFINITY,
    how: {
      send(response, own, call) {
        const route = routeOf(call);
        const carryOut = () => {
          const answer = own();
          if (route !== null && answer.status < 300) carriedOut.add(route);
          return answer;
        };
        if (route !== null && by && spoiled.includes(route)) return by(response, carryOut, call);
        const answer = own();
        const body = answer.status < 300 ? bodyOf(answer) : undefined;
        if (route !== null && body !== undefined) bodies.set(route, [...(bodies.get(route) ?? []), body]);
        const { status, contentType, headers } = answer;
        response.writeHead(status, {
          date: new Date(deployment.clock.now()).toUTCString(),
          "content-type": contentType,
          "content-length": Buffer.byteLength(answer.body),
          ...headers,
        });
        response.end(answer.body);
      },
    },
  });

  let slackSpoiled: { method: string; send: SendBySlack; left: number } | null = null;
  practice.slack.faults.answer(
    "*",
    (response, own, method) => {
      if (slackSpoiled && slackSpoiled.left > 0 && slackSpoiled.method === method) {
        slackSpoiled.left -= 1;
        return slackSpoiled.send(response, own, method);
      }
      const { status, headers = {}, body } = own();
      bodies.set(`slack ${method}`, [...(bodies.get(`slack ${method}`) ?? []), body]);
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      response.end(JSON.stringify(body));
    },
    Number.POSITIVE_INFINITY,
  );

  async function ask(typed: string): Promise<Shown> {
    const before = new Set(seesAll(ana).map(printOf));
    const since = deployment.clock.now();
    const fresh = () => seesAll(ana).filter((message) => !before.has(printOf(message)));
    await carry(deployment, ana, typed, { marker, values: entered, press: false, patienceMs: 40 * second });
    await deployment.run(() => fresh().length > 0, minute);
    await deployment.run(() => false, afterMs);
    const messages = fresh();
    const texts = messages.map(wholeOf);
    const modal = ana.modal();
    if (modal) {
      texts.push(wholeOf({ text: "", blocks: modal.blocks }));
      await deployment.act(ana.closeModal({ all: true }));
    }
    for (const message of messages) texts.push(...(await detailsOf(message)));
    const card = messages.filter((message) => hasButton(message, goAhead)).map(wholeOf);
    const request = card.length > 0 ? await deployment.stored((store) => requestSince(store, since)) : null;
    return { texts, card, request };
  }

  /** The details of a card, or of a request. */
  async function detailsOf(message: Message): Promise<string[]> {
    const button = ["Details", "Details…"].find((label) => findControl(message.blocks, label));
    if (button === undefined) return [];
    await deployment.act(ana.press(message, button));
    const isWhole = () => {
      const modal = ana.modal();
      return modal !== undefined && !JSON.stringify(modal.blocks).includes("One moment");
    };
    await deployment.run(isWhole, minute);
    const modal = ana.modal();
    if (!modal) return [];
    const words = wholeOf({ text: "", blocks: modal.blocks });
    await deployment.act(ana.closeModal({ all: true }));
    return [words];
  }

  async function act(typed: string): Promise<Aftermath & { messages: Message[] }> {
    const before = new Set(seesAll(ana).map(printOf));
    const { changes, end } = observe(deployment);
    const moves = await carry(deployment, ana, typed, { marker, values: entered });
    await calm(deployment, 20 * second);
    end();
    const messages = seesAll(ana).filter((message) => !before.has(printOf(message)));
    return { ...aftermathOf(deployment, moves, changes), messages };
  }

  return {
    deployment,
    ana,
    strays: () => strays,
    bodies,
    carriedOut,
    ask,
    act,
    spoil(routes, send) {
      spoiled = routes;
      by = send;
    },
    spoilSlack(method, send, times) {
      slackSpoiled = { method, send, left: times };
    },
  };
}

const marker = "made-here";

function printOf(message: Message): string {
  return `${message.ts} ${JSON.stringify(message.blocks)} ${message.text}`;
}

/** Its words, with those of its dialogs and menus. */
function wholeOf(message: Pick<Message, "text" | "blocks">): string {
  return [said(message), ...dialogWords(message.blocks)].join("\n");
}

function dialogWords(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(dialogWords);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === "confirm" ? textsIn(inner) : dialogWords(inner)));
}

function textsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "text" && typeof inner === "string" ? [inner] : textsIn(inner),
  );
}

async function requestSince(store: Store, since: number): Promise<Request | null> {
  const entries = await newestEntries({ store }, { limit: 20, begun: true });
  for (const id of new Set(entries.flatMap(({ entry }) => entry.request ?? []))) {
    const request = await readRequest({ store }, id);
    if (request && request.createdAt >= since) return request;
  }
  return null;
}
