import * as z from "#zod";
import { hasLink } from "../../members/identities/link.ts";
import { memberBeside } from "../../members/identities/person.ts";
import {
  type Away,
  endAway,
  readAway,
  setAway,
  standInFor,
  standInOf,
  standsInFor,
} from "../../members/people/away.ts";
import { notify } from "../../messages/answers/notices.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { wrongInput } from "../../operation/errors.ts";
import { callStandIn } from "../../requests/endings.ts";
import { moment } from "../../views/format.ts";
import { listing, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { momentTyped, personIdOf } from "./admin.ts";

const awayInput = z
  .object({
    until: z.string().trim().max(60).optional().meta({
      title: "Until",
      description: "Such as mon 8:00, or Dec 1; at most 30 days ahead. now: you are back",
      format: "moment",
    }),
    to: z.string().max(100).optional().meta({
      title: "Stand-in",
      description: "Is notified in your place, where they may decide. Empty: nobody is",
      format: "person",
    }),
    or: z.string().max(100).optional().meta({
      title: "If they cannot",
      description: "Is notified where the first one could not decide, or is away",
      format: "person",
    }),
    reason: z.string().trim().max(200).optional().meta({
      title: "Why",
      description: "Your stand-ins read it, and nobody else",
    }),
  })
  .refine(
    ({ until, ...others }) => until !== undefined || Object.values(others).every((value) => value === undefined),
    {
      path: ["until"],
      message: 'say until when you are away, such as until="mon 8:00".',
    },
  )
  .refine(({ to, or }) => or === undefined || to !== undefined, {
    path: ["to"],
    message: "name the first stand-in before the second one.",
  });
type AwayInput = z.output<typeof awayInput>;

interface AwayCall {
  context: AppContext;
  actor: Actor;
  input: AwayInput;
  now: number;
}

const backStep: Step = { label: "I am back", command: "rackbell away", input: { until: "now" } };
const awayStep: Step = { label: "Away…", command: "rackbell away", form: true };

export const away = defineAppOperation({
  command: "rackbell away",
  synonyms: [...["vacation", "out of office"], { words: "back", input: { until: "now" } }],
  summary: "Say until when you are away, and who is notified in your place; alone, show it",
  example: '/rackbell away until="tomorrow 8:00" to=@ben',
  verb: "Set an absence",
  input: awayInput,
  positional: "until",
  async check(call) {
    if (!isBack(call.input) && call.input.until !== undefined) await awayOf(call);
  },
  async run(call) {
    const { context, actor, note, input, now } = call;
    if (input.until === undefined) return showAway(context, actor, now);
    if (isBack(input)) return comeBack(context, actor, note);
    return goAway(context, actor, note, await awayOf(call));
  },
});

function isBack({ until }: AwayInput): boolean {
  return until?.toLowerCase() === "now";
}

async function goAway(context: AppContext, actor: Actor, note: Note, one: Away): Promise<Answer> {
  await setAway(context, one);
  const named = one.to.map((user) => `<@${user}>`);
  const who =
    named.length === 0
      ? "Nobody is notified in your place."
      : `${named[0]} is notified in your place${named[1] ? `, or ${named[1]} where ${named[0]} could not act` : ""}.`;
  await callStandIn(context.requests, actor.slackUser);
  await note("away set", `Away until ${moment(one.until)}. ${who}`);
  const why = one.reason === null ? {} : { aside: `Why: ${prose(one.reason, 200)}` };
  const text = `<@${actor.slackUser}> is away until ${moment(one.until)} and named you as their stand-in. Requests and alerts that would notify them notify you, where you may act. You get no new right.`;
  if (one.to.length > 0) await notify(context, { to: { users: one.to }, text, ...why });
  const cautions = await cautionsAbout(context, actor, one);
  return {
    text: [
      `:palm_tree: You are away until ${moment(one.until)}. ${who} Nobody gets a right of yours.`,
      ...cautions,
    ].join("\n"),
    next: [backStep],
  };
}

/** Sentences about stand-ins who could do nothing now. */
async function cautionsAbout(context: AppContext, { member }: Actor, one: Away): Promise<string[]> {
  const cautions: string[] = [];
  for (const user of one.to) {
    const theirs = await readAway(context, user, one.since);
    if (theirs) cautions.push(`<@${user}> is away as well, until ${moment(theirs.until)}.`);
    if (!hasLink(await context.identities.links(memberBeside(member, user))))
      cautions.push(`<@${user}> has linked no key yet, so they can decide nothing: \`/rackbell link\` links one.`);
  }
  const { to } = await standInOf(context, one, one.since);
  if (to !== null && !one.to.includes(to)) cautions.push(`So <@${to}> is notified, as their stand-in.`);
  return cautions;
}

async function comeBack(context: AppContext, { slackUser }: Actor, note: Note): Promise<Answer> {
  const ended = await endAway(context, slackUser);
  const next: Step[] = [{ label: "Open requests", command: "rackbell approvals" }, awayStep];
  if (!ended) return { text: "You are here already. Nothing changed.", next };
  await note("away ended", "They are back.");
  if (ended.to.length > 0)
    await notify(context, {
      to: { users: ended.to },
      text: `<@${slackUser}> is back. You are no longer notified in their place.`,
    });
  return { text: "Welcome back. You are notified again.", next };
}

async function showAway(context: AppContext, { slackUser }: Actor, now: number): Promise<Answer> {
  const { lines, next } = await readAwayWords(context, slackUser, now);
  return { text: lines.join("\n") || "You are here, and you are nobody's stand-in.", next };
}

/** Says that a member is away, and whose stand-in they are, with the button that changes it. */
export async function readAwayWords(
  context: AppContext,
  slackUser: string,
  now: number,
): Promise<{ lines: string[]; next: Step[] }> {
  const own = await standInFor(context, slackUser, now);
  const others = await standsInFor(context, slackUser, now);
  const lines: string[] = [];
  if (own) {
    const who = own.to === null ? "Nobody is notified in your place" : `<@${own.to}> is notified in your place`;
    lines.push(`:palm_tree: *You are away* until ${moment(own.until)}. ${who}.`);
  }
  const named = others.map((one) => `<@${one.slackUser}> (until ${moment(one.until)})`);
  if (named.length > 0) lines.push(`:busts_in_silhouette: You are the stand-in of ${listing(named)}.`);
  return { lines, next: [own ? backStep : awayStep] };
}

/** The absence as the member typed it. Throws the sentence why it cannot be so. */
async function awayOf({ context, actor, input, now }: AwayCall): Promise<Away> {
  const { slackUser } = actor;
  const until = untilTyped(input.until ?? "", { now, zone: await context.zoneOf(slackUser) });
  const to = [
    ...(input.to ? [await standInTyped(context, actor, input.to, "to")] : []),
    ...(input.or ? [await standInTyped(context, actor, input.or, "or")] : []),
  ];
  if (new Set(to).size < to.length)
    throw wrongInput("or", "Name somebody else than the first stand-in. Nothing changed.");
  const one = { slackUser, since: now, until, to, reason: input.reason || null };
  const [first] = to;
  if (first === undefined || (await standInOf(context, one, now)).to !== null) return one;
  const theirs = await readAway(context, first, now);
  const circle = theirs?.to.includes(slackUser) ? ", and you are their stand-in" : "";
  throw wrongInput(
    "to",
    `They are away as well${circle}, so nobody would be notified. Name somebody who is here. Nothing changed.`,
  );
}

async function standInTyped(
  { people }: AppContext,
  { slackUser }: Actor,
  typed: string,
  field: "to" | "or",
): Promise<string> {
  const user = personIdOf(typed, field);
  if (user === slackUser) throw wrongInput(field, "You cannot be your own stand-in. Nothing changed.");
  const { deleted, outsider } = await people.person(user, { fresh: true });
  if (deleted) throw wrongInput(field, "They left this workspace. Name somebody who is here. Nothing changed.");
  if (outsider !== null)
    throw wrongInput(field, "A guest, or somebody of another organisation, cannot be a stand-in. Nothing changed.");
  return user;
}

/** A day alone means its morning: people say "until Monday". */
function untilTyped(text: string, here: { now: number; zone: string }): number {
  const words = `I don't know that time. Write it like until="mon 8:00" or until="Dec 1", at most 30 days ahead. Nothing changed.`;
  const isDayAlone = !/\d:\d\d|\d\s?[ap]m\b/i.test(text);
  return momentTyped(isDayAlone ? `${text} 08:00` : text, here, "until", () => words);
}
