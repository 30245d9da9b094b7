import * as z from "#zod";
import { weekdays } from "../../alerts/report/schedule.ts";
import { hasLink } from "../../members/identities/link.ts";
import { memberBeside } from "../../members/identities/person.ts";
import { readAway } from "../../members/people/away.ts";
import type { NamedGroup } from "../../members/people/people-list.ts";
import { lastBegin, type Rotation, rearranged, type ShiftOverride } from "../../members/people/rotation.ts";
import { changeRotations, newId, onCallBy, readGroup, readRotations } from "../../members/people/rotations.ts";
import { readPeopleList } from "../../members/people/typed-people.ts";
import { whyLeftOut } from "../../members/slack-user.ts";
import { isAdmin } from "../../messages/admins.ts";
import { notify } from "../../messages/answers/notices.ts";
import type { Answer } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { followGroups } from "../../policy/pins.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { moment } from "../../views/format.ts";
import { capital, clip, code } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { momentTyped, personIdOf, zoneNamed } from "./admin.ts";
import { onCallAnswer, onCallStep, overrideWords, rotationInputs, rotationWords } from "./oncall-words.ts";
import { minutesTyped } from "./report.ts";

const onSet = { do: ["set"] };
const onOverride = { do: ["override"] };
const timeWords = 'Write a time to come like "mon 8:00", 22:00 or "Nov 28 22:00", at most 30 days ahead.';
const days: readonly string[] = weekdays;
const mostRotations = 50;
const mostOverrides = 50;

const onCallInput = z.object({
  rotation: z
    .string()
    .trim()
    .max(30)
    .optional()
    .meta({ title: "Rotation", description: "Its name, one word such as night" }),
  do: z
    .enum(["set", "override", "end", "remove"])
    .optional()
    .meta({
      title: "Do",
      description: "The buttons carry it",
      byButton: true,
      labels: { set: "Set a rotation", override: "Hand over a shift" },
    }),
  people: z.string().max(2_000).optional().meta({
    title: "People in their order",
    description: "Or one user group, whose people take turns",
    format: "people",
    only: onSet,
  }),
  day: z
    .enum(["daily", ...weekdays])
    .optional()
    .meta({ title: "New turn on", description: "daily: each day. Empty: monday", only: onSet }),
  time: z
    .string()
    .max(5)
    .optional()
    .meta({ title: "New turn at", description: "Such as 09:00, which it is if empty", only: onSet }),
  zone: z
    .string()
    .max(60)
    .optional()
    .meta({ title: "Time zone", description: "Such as Europe/Madrid. Empty: yours", only: onSet }),
  who: z
    .string()
    .max(100)
    .optional()
    .meta({ title: "On call", description: "Is on call for that time", format: "person", only: onOverride }),
  of: z.string().max(100).optional().meta({
    title: "Instead of",
    description: "In this person's turns alone. Empty: your own turns; for admins everybody's",
    format: "person",
    only: onOverride,
  }),
  from: z
    .string()
    .max(60)
    .optional()
    .meta({ title: "From", description: "Empty: from now on", format: "moment", only: onOverride }),
  until: z
    .string()
    .max(60)
    .optional()
    .meta({ title: "Until", description: "At most 30 days ahead", format: "moment", only: onOverride }),
  override: z
    .string()
    .optional()
    .meta({ title: "Override", description: "The override that the button ends", byButton: true }),
});
type OnCallInput = z.output<typeof onCallInput>;

interface OnCallCall {
  context: AppContext;
  actor: Actor;
  input: OnCallInput;
  now: number;
}

export const oncall = defineAppOperation({
  command: "rackbell oncall",
  synonyms: ["on call", "rotations", "who is on call"],
  summary: "Show who is on call, and who is next; admins set rotations, and members hand over their own shifts",
  example: "/rackbell oncall",
  verb: "Show who is on call",
  input: onCallInput,
  positional: "rotation",
  async present(context, typed) {
    const { do: act, rotation } = onCallInput.safeParse(typed).data ?? {};
    const found = act === "set" && rotation ? await findRotation(context, rotation) : undefined;
    return found ? rotationInputs(found) : {};
  },
  async check(call) {
    const act = actOf(call.input);
    if (act === "set") await rotationTyped(call);
    if (act === "override") await overrideTyped(call);
  },
  async run({ note, ...call }): Promise<Answer> {
    const act = actOf(call.input);
    if (act === "set") return setRotation(call, note);
    if (act === "override") return setOverride(call, note);
    if (act === "end") return endOverride(call, note);
    if (act === "remove") return removeRotation(call, note);
    const { context, actor, input, now } = call;
    const shown = input.rotation ? [await rotationNamed(context, input.rotation)] : await readRotations(context);
    return onCallAnswer(context, actor, shown, now);
  },
});

/** The act of the input: a form and a command need not name it. */
function actOf({ do: named, who, of, from, until, people, day, time, zone }: OnCallInput) {
  const isAny = (values: unknown[]) => values.some((value) => value !== undefined);
  if (named !== undefined) return named;
  if (isAny([who, of, from, until])) return "override";
  return isAny([people, day, time, zone]) ? "set" : "show";
}

async function findRotation(context: AppContext, typed: string): Promise<Rotation | undefined> {
  const name = typed.trim().replace(/^@/, "").toLowerCase();
  return (await readRotations(context)).find((one) => one.name === name);
}

async function rotationNamed(context: AppContext, typed: string | undefined): Promise<Rotation> {
  if (!typed) throw wrongInput("rotation", "name the rotation.", "Rotation");
  const found = await findRotation(context, typed);
  if (found) return found;
  const message = plainly`there is none called “${clip(typed, 40)}”. To make it, name its people, too.`;
  throw wrongInput("rotation", message, "Rotation");
}

async function requireAdmin({ context, actor }: Pick<OnCallCall, "context" | "actor">): Promise<void> {
  if (await isAdmin(context, actor.slackUser)) return;
  throw new Refusal(
    "Only an admin of this workspace can change a rotation. Your own shift you can hand over with *Hand over…*. Nothing changed.",
    [onCallStep],
  );
}

/** The rotation as the member typed it, and the one in whose place it comes. Throws the reason why it cannot be so. */
async function rotationTyped(call: OnCallCall): Promise<{ before: Rotation | undefined; after: Rotation }> {
  const { context, actor, input, now } = call;
  await requireAdmin(call);
  const name = (input.rotation ?? "").replace(/^@/, "").toLowerCase();
  if (!/^\p{L}[\p{L}\p{N}_-]*$/u.test(name) || ["agents", "none"].includes(name))
    throw wrongInput("rotation", "the name is one word of letters and digits, such as night.", "Rotation");
  const before = await findRotation(context, name);
  const members = input.people ? await membersTyped(context, input.people) : before;
  if (!members) throw wrongInput("people", "name the people of the new rotation in their order.", "People");
  const { people, group } = members;
  const zone = input.zone ? zoneNamed(input.zone) : (before?.zone ?? (await context.zoneOf(actor.slackUser)));
  const { day, time } = { ...(before ? rotationInputs(before) : { day: "monday", time: "09:00" }), ...given(input) };
  const weekday = day === "daily" ? null : days.indexOf(day);
  const anchor = lastBegin({ weekday, minutes: minutesTyped(time, "New turn at"), zone }, now);
  const every = weekday === null ? ("day" as const) : ("week" as const);
  const terms = { people, group, zone, anchor, every };
  const after = before ? rearranged(before, terms, now) : { ...terms, id: newId(), name, overrides: [], first: 0 };
  return { before, after: { ...after, by: actor.slackUser } };
}

function given({ day, time }: OnCallInput): { day?: string; time?: string } {
  return { ...(day ? { day } : {}), ...(time ? { time } : {}) };
}

/** Named people in their order, or those of one group. */
async function membersTyped(
  context: AppContext,
  typed: string,
): Promise<{ people: string[]; group: NamedGroup | null }> {
  const { users, groups, rotations } = await readPeopleList(context, typed, { field: "people" });
  const [group] = groups;
  if (rotations.length > 0)
    throw wrongInput("people", "A rotation cannot be in another one. Name people, or one user group.");
  if (!group) return { people: users, group: null };
  if (users.length > 0 || groups.length > 1)
    throw wrongInput("people", "Name people, or one user group whose people take turns, and not both.");
  const read = await readGroup(context, group);
  if ("unread" in read) throw new Refusal(`${read.unread} Name its people one by one. Nothing changed.`, [onCallStep]);
  return { people: [...read.users], group };
}

async function setRotation(call: OnCallCall, note: Note): Promise<Answer> {
  const { context, actor, now } = call;
  const { before, after } = await rotationTyped(call);
  await changeRotations(context, (all) => {
    const others = all.filter(({ id }) => id !== after.id);
    if (others.length >= mostRotations)
      throw new Refusal(`There are ${mostRotations} rotations already. Remove one first. Nothing changed.`, [
        onCallStep,
      ]);
    return [...others, after].toSorted((a, b) => characters(a.name).localeCompare(characters(b.name)));
  });
  await followGroups(context, actor.member);
  await note(before ? "rotation changed" : "rotation added", `${capital(rotationWords(after))}.`);
  return onCallAnswer(context, actor, [after], now, `Saved: ${rotationWords(after)}.`);
}

async function removeRotation(call: OnCallCall, note: Note): Promise<Answer> {
  const { context, input } = call;
  await requireAdmin(call);
  const gone = await rotationNamed(context, input.rotation);
  await changeRotations(context, (all) => all.filter(({ id }) => id !== gone.id));
  const outcome = `The rotation ${code(gone.name)} was removed.`;
  await note("rotation removed", outcome);
  return { text: `${outcome} Alerts that mention it mention nobody by it any more.`, next: [onCallStep] };
}

/** The override as the member typed it. Throws the reason why it cannot be so. */
async function overrideTyped({
  context,
  actor,
  input,
  now,
}: OnCallCall): Promise<{ rotation: Rotation; set: ShiftOverride }> {
  const rotation = await rotationNamed(context, input.rotation);
  const admin = await isAdmin(context, actor.slackUser);
  if (!input.who) throw wrongInput("who", "say who is on call for that time.", "On call");
  const to = personIdOf(input.who, "who");
  const person = await context.people.person(to, { fresh: true });
  const problem = whyLeftOut(person);
  if (problem) throw wrongInput("who", plainly`${person.name} ${problem}, so they cannot be on call. Nothing changed.`);
  const own = admin ? null : actor.slackUser;
  const instead = input.of ? personIdOf(input.of, "of") : own;
  if (!admin && instead !== actor.slackUser)
    throw new Refusal("You can hand over your own shifts alone. An admin can change the others. Nothing changed.", [
      onCallStep,
    ]);
  if (instead === to) throw wrongInput("who", "choose somebody else than the person whose turn it is.", "On call");
  const here = { now, zone: await context.zoneOf(actor.slackUser) };
  if (!input.until) throw wrongInput("until", "say until when, such as mon 8:00.", "Until");
  const from = input.from ? momentTyped(input.from, here, "from", () => timeWords) : now;
  const until = momentTyped(input.until, here, "until", () => timeWords);
  if (until <= from) throw wrongInput("until", "it must end after it begins.", "Until");
  return { rotation, set: { id: newId(), to, instead, from, until, by: actor.slackUser } };
}

async function setOverride(call: OnCallCall, note: Note): Promise<Answer> {
  const { context, actor, now } = call;
  const { rotation, set } = await overrideTyped(call);
  let after = rotation;
  await changeRotations(context, (all) =>
    all.map((one) => {
      if (one.id !== rotation.id) return one;
      const overrides = one.overrides.filter(({ until }) => until > now);
      if (overrides.length >= mostOverrides)
        throw new Refusal(`${code(one.name)} has ${mostOverrides} overrides already. End one first. Nothing changed.`, [
          onCallStep,
        ]);
      after = { ...one, overrides: [...overrides, set] };
      return after;
    }),
  );
  const words = overrideWords(set);
  await followGroups(context, actor.member);
  await note("shift handed over", `In ${code(rotation.name)}: ${words}.`);
  // A message of its own notifies the person whose turn begins.
  const informed = [actor.slackUser, await newlyOnCall(context, { before: rotation, after, now })];
  const others = [set.to, ...(set.instead ? [set.instead] : [])].filter((user) => !informed.includes(user));
  const text = `:telephone_receiver: In the rotation ${code(rotation.name)}, ${words}. <@${actor.slackUser}> set it.`;
  if (others.length > 0) await notify(context, { to: { users: others }, text, steps: [onCallStep] });
  const saved = [`Saved: ${words}.`, ...(await cautionsAbout(call, set.to))].join(" ");
  return onCallAnswer(context, actor, [after], now, saved);
}

/** The person who is on call now by a changed rotation, and was not before; null if nobody is. */
async function newlyOnCall(
  context: AppContext,
  { before, after, now }: { before: Rotation; after: Rotation; now: number },
): Promise<string | null> {
  const { slackUser } = await onCallBy(context, after, now);
  return (await onCallBy(context, before, now)).slackUser === slackUser ? null : slackUser;
}

/** Sentences about somebody who could do little while they are on call. */
async function cautionsAbout({ context, actor, now }: OnCallCall, slackUser: string): Promise<string[]> {
  const isLinked = hasLink(await context.identities.links(memberBeside(actor.member, slackUser)));
  const absence = await readAway(context, slackUser, now);
  return [
    ...(isLinked ? [] : [`<@${slackUser}> has linked no key yet, so they can be notified and can act on nothing.`]),
    ...(absence ? [`<@${slackUser}> is away until ${moment(absence.until)}.`] : []),
  ];
}

async function endOverride(call: OnCallCall, note: Note): Promise<Answer> {
  const { context, actor, input, now } = call;
  const rotation = await rotationNamed(context, input.rotation);
  const gone = rotation.overrides.find(({ id }) => id === input.override);
  if (!gone) throw new Refusal("This override has ended already. Nothing changed.", [onCallStep]);
  const isOwn = [gone.by, gone.instead].includes(actor.slackUser);
  if (!isOwn && !(await isAdmin(context, actor.slackUser)))
    throw new Refusal(`Only <@${gone.by}>, who set it, or an admin can end it. Nothing changed.`, [onCallStep]);
  const without = (one: Rotation) => ({ ...one, overrides: one.overrides.filter(({ id }) => id !== gone.id) });
  await changeRotations(context, (all) => all.map((one) => (one.id === rotation.id ? without(one) : one)));
  const outcome = `Ended in ${code(rotation.name)}: ${overrideWords(gone)}.`;
  await followGroups(context, actor.member);
  await note("shift taken back", outcome);
  const informed = [actor.slackUser, await newlyOnCall(context, { before: rotation, after: without(rotation), now })];
  const others = [gone.to, ...(gone.instead ? [gone.instead] : [])].filter((user) => !informed.includes(user));
  if (others.length > 0)
    await notify(context, {
      to: { users: others },
      text: `:telephone_receiver: ${outcome} <@${actor.slackUser}> ended it.`,
    });
  return onCallAnswer(context, actor, [without(rotation)], now, outcome);
}
