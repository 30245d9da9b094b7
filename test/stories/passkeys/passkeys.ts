import { expect } from "vitest";
import * as z from "zod";
import { findControl } from "../../../src/sandbox/slack/blocks/controls.ts";
import { becomesAdmin, passADay } from "../admins.ts";
import { type Actor, type Message, type Story, type StoryOptions, startStory } from "../story.ts";
import { type Authenticator, createAuthenticator, type Misbehaviour } from "./authenticator.ts";

export const site = { origin: "https://rackbell.example", rpId: "rackbell.example" };
/** The titles of the page after a signature, and of one whose link leads nowhere. */
export const counted = "Your passkey counted";
export const uncounted = "Your passkey did not count";
export const nothingToDecide = "There is nothing to decide any more";
export const dead = "This link is used up, or has expired";
/** The practice platform's public address for the app. */
export const passkeysOn = { PASSKEYS: "on", APPROVALS: "peer" };

/** Each authenticator of the tests reads its own part of the options. */
const Options = z.looseObject({ challenge: z.string().optional() });
const Answer = z.object({
  title: z.string().optional(),
  text: z.array(z.string()).optional(),
  again: z.boolean().optional(),
  make: z.looseObject({ challenge: z.string() }).optional(),
  sign: z.looseObject({ challenge: z.string() }).optional(),
});
export type Answer = z.infer<typeof Answer>;

/** The app that serves the pages: of a story, or one of several instances. */
interface Served {
  app: { url: string };
}

/** A page as a browser gets it. */
export async function open(at: Served, address: string, headers: Record<string, string> = {}) {
  const answer = await fetch(localOf(at, address), { headers });
  const html = await answer.text();
  const data = /data-options="([^"]*)"/.exec(html)?.[1]?.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return { status: answer.status, headers: answer.headers, html, options: Options.parse(JSON.parse(data ?? "{}")) };
}

/** The page's own script sends this. */
export async function send(at: Served, address: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(localOf(at, address), {
    method: "POST",
    headers: { "content-type": "application/json", origin: site.origin, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...Answer.parse(await answer.json()) };
}

function localOf({ app }: Served, address: string): string {
  return address.replace(site.origin, app.url);
}

/** Opens the page and signs what it asks for. */
export async function signed(at: Served, address: string, authenticator: Authenticator, how: Misbehaviour = {}) {
  const { challenge = "" } = (await open(at, address)).options;
  return { signed: authenticator.sign({ ...site, challenge }, how) };
}

/** Opens the page, signs and sends: the outcome in words. */
export async function confirm(story: Story, address: string, authenticator: Authenticator, how: Misbehaviour = {}) {
  return send(story, address, await signed(story, address, authenticator, how));
}

/** The address behind the button of an answer. */
export function addressIn(blocks: Message["blocks"]): string {
  const url = /https:\/\/rackbell\.example\/(?:approve|passkey)\/[\w-]{43}/.exec(JSON.stringify(blocks))?.[0];
  if (!url) throw new Error(`There is no link in ${JSON.stringify(blocks)}`);
  return url;
}

/** Types a command whose answer has a link, and resolves with its address. */
export async function linkOf(story: Story, actor: Actor, command: string, ...texts: string[]): Promise<string> {
  return addressIn((await story.ask(actor, command, ...texts, "The link is for you alone")).blocks);
}

/** Presses a button that opens the modal with the link, and resolves with the address in it. */
export async function pressForLink(story: Story, actor: Actor, card: Message, target: string | object = passkeyButton) {
  if (actor.modal()) await actor.closeModal({ all: true });
  const control = typeof target === "string" ? target : { actionId: "request:passkey", ...target };
  if (findControl(card.blocks, control)) await actor.press(card, control);
  else throw new Error("The card has no such button");
  await story.modal(actor, "asks for your passkey");
  const address = addressIn(actor.modal()?.blocks ?? []);
  await actor.closeModal({ all: true });
  return address;
}

export const passkeyButton = { actionId: "request:passkey" };

/** A request of Ana's, and the page on which Caro would approve it. */
export async function openRequest(story: Story, command = "/vps cancel web-2") {
  const card = await story.ask(story.ana, command, "This needs a passkey");
  return { card, address: await pressForLink(story, story.caro, card) };
}

/** Registers a passkey as a member does: the command, the page, the linked key and the device. */
export async function register(story: Story, actor: Actor, name = "phone"): Promise<Authenticator> {
  const authenticator = createAuthenticator();
  const address = await linkOf(story, actor, "/rackbell passkey", "Make a passkey");
  expect(await makeWith(story, address, { key: keyOf(story, actor) }, authenticator, { name })).toMatchObject({
    title: "Your passkey is ready",
  });
  return authenticator;
}

/**
 * The three steps of the page: the key, the passkey that the device makes, and the signature for it: of a passkey that the member has
 * (`by`), or of the first one itself.
 */
export async function makeWith(
  at: Served,
  address: string,
  begin: { key?: string },
  authenticator: Authenticator,
  { name = "phone", by = authenticator }: { name?: string; by?: Authenticator } = {},
): Promise<Answer> {
  const begun = await send(at, address, begin);
  if (!begun.make) return begun;
  return signFor(at, address, { made: authenticator.make({ ...site, ...begun.make }), name }, by);
}

/** The last two steps, with a passkey that was made. */
export async function signFor(at: Served, address: string, made: object, by: Authenticator): Promise<Answer> {
  const taken = await send(at, address, made);
  if (!taken.sign) return taken;
  return send(at, address, { ...made, signed: by.sign({ ...site, ...taken.sign }) });
}

export function keyOf({ platform }: Story, actor: Actor): string {
  return Object.entries(platform.keys).find(([name]) => name === actor.user.name)?.[1].key ?? "";
}

/** Ana asks, Caro approves; both are admins with a passkey. `rule` takes one: by default, for each act that destroys. */
export async function protectedStory({
  rule = "demand=one-approval risk=destroy passkey=yes glass=yes",
  ...more
}: StoryOptions & { rule?: string } = {}) {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    pace: 60,
    ...more,
    environment: { ...passkeysOn, ...more.environment },
  });
  // Ana is the only admin yet, so that nobody else must agree with the override that the rule allows.
  await story.ask(story.ana, `/rackbell policy add ${rule}`, "In effect now");
  await becomesAdmin(story, "caro");
  await passADay(story);
  const ana = await register(story, story.ana);
  const caro = await register(story, story.caro);
  return { story, devices: { ana, caro } };
}
