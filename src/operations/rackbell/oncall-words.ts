import { weekdays, weeklyClock } from "../../alerts/report/schedule.ts";
import { peopleText, peopleWords } from "../../members/people/people-list.ts";
import { nextShift, type Rotation, type ShiftOverride } from "../../members/people/rotation.ts";
import { type OnCall, onCallBy, readRotations, rotationNow } from "../../members/people/rotations.ts";
import { isAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { capital, code, listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { readAlertWords } from "./waiting-words.ts";

export const newRotationStep: Step = {
  label: "New rotation…",
  command: "rackbell oncall",
  input: { do: "set" },
  form: true,
};
export const onCallStep = { label: "On call", command: "rackbell oncall" };

/** The values of its form. */
export function rotationInputs(rotation: Rotation): { people: string; day: string; time: string; zone: string } {
  const { people, group, every, anchor, zone } = rotation;
  const list = { users: group ? [] : people, groups: group ? [group] : [], rotations: [], agents: false };
  const wall = new Date(anchor);
  return {
    people: peopleText(list),
    day: every === "day" ? "daily" : (weekdays[wall.getUTCDay()] ?? ""),
    time: weeklyClock({ minutes: wall.getUTCHours() * 60 + wall.getUTCMinutes() }),
    zone,
  };
}

/** "`night`: <@U1> and <@U2> take turns, and a new one begins each Monday at 09:00 (`Europe/Madrid`)". */
export function rotationWords(rotation: Rotation): string {
  const { name, people, group, zone } = rotation;
  const { day, time } = rotationInputs(rotation);
  const who = group
    ? `the people of ${peopleWords({ users: [], groups: [group], rotations: [], agents: false })}`
    : listing(people.map((user) => `<@${user}>`)) || "nobody";
  const verb = !group && people.length === 1 ? "takes the turns" : "take turns";
  const when = day === "daily" ? "each day" : `each ${capital(day)}`;
  return `${code(name)}: ${who} ${verb}, and a new one begins ${when} at ${time} (${code(zone)})`;
}

/** "<@U3> is on call instead of <@U2> until …". */
export function overrideWords({ to, instead, from, until }: ShiftOverride): string {
  const whose = instead === null ? "instead of everybody" : `instead of <@${instead}>`;
  return `<@${to}> is on call ${whose} from ${moment(from)} until ${moment(until)}`;
}

/** "<@U1> is on call until …, then <@U2>." */
export function onCallWords({ slackUser, insteadOf, until, next }: OnCall): string {
  const instead = insteadOf === null ? "" : `, instead of <@${insteadOf}>`;
  const then = next === null ? "nobody" : `<@${next}>`;
  const later = until === null ? "" : ` until ${moment(until)}, then ${then}`;
  return slackUser === null
    ? `:warning: Nobody is on call${later}.`
    : `:telephone_receiver: <@${slackUser}> is on call${instead}${later}.`;
}

/** Says who is on call by these rotations, with the buttons of each. */
export async function onCallAnswer(
  context: AppContext,
  actor: Actor,
  rotations: readonly Rotation[],
  now: number,
  headline = "*On call*",
): Promise<Answer> {
  const admin = await isAdmin(context, actor.slackUser);
  const rows = await Promise.all(rotations.map((one) => rotationRows(context, actor, one, { admin, now })));
  if (rotations.length === 0)
    return {
      text: "There are no rotations yet. A rotation says who is on call: people take turns, and alerts and rules can name it.",
      next: admin ? [newRotationStep] : [],
    };
  return {
    text: headline.replaceAll("*", ""),
    blocks: [section(headline), ...rows.flat()],
    next: admin ? [newRotationStep] : [],
  };
}

async function rotationRows(
  context: AppContext,
  { slackUser }: Actor,
  stored: Rotation,
  { admin, now }: { admin: boolean; now: number },
) {
  const found = await onCallBy(context, stored, now);
  const own = found.slackUser === slackUser ? "" : await ownTurnWords(context, slackUser, stored, now);
  const lines = [
    `*${code(stored.name)}* ${onCallWords(found)}${own}`,
    `${capital(rotationWords(stored))}.`,
    ...(found.unread ? [found.unread] : []),
    ...found.leftOut,
  ];
  const rotation = characters(stored.name);
  const input = { rotation };
  const command = "rackbell oncall";
  const override: Step = { label: "Hand over…", command, input: { ...input, do: "override" }, form: true };
  const asks = {
    act: plainly`Remove the rotation ${rotation}`,
    loss: `Nobody is on call by ${code(stored.name)} any more. Alerts that mention it mention nobody by it.`,
  };
  const steps: Step[] = [
    ...(admin || stored.people.includes(slackUser) ? [override] : []),
    ...(admin ? [{ label: "Change…", command, input: { ...input, do: "set" }, form: true as const }] : []),
    ...(admin ? [{ label: "Remove", command, input: { ...input, do: "remove" }, asks }] : []),
  ];
  const overrides = stored.overrides.filter(({ until }) => until > now);
  return [
    ...rowBlocks(lines.join("\n"), stored.id, steps, context.registry.find),
    ...overrides.flatMap((one) => {
      const mayEnd = admin || [one.by, one.instead].includes(slackUser);
      const end: Step = { label: "End it", command, input: { ...input, do: "end", override: one.id } };
      return mayEnd
        ? rowBlocks(`${overrideWords(one)}.`, one.id, [end], context.registry.find)
        : [section(`${overrideWords(one)}.`)];
    }),
  ];
}

/** When the reader is next, where another one is on call; empty if never. */
async function ownTurnWords(context: AppContext, slackUser: string, stored: Rotation, now: number): Promise<string> {
  const { rotation, isThere } = await rotationNow(context, stored, now);
  const own = nextShift(rotation, now, isThere, (user) => user === slackUser);
  return own ? ` You are next on call from ${moment(own.from)}.` : "";
}

/** Rotations that Home shows at most. */
const mostOnHome = 5;

/**
 * A line for each rotation: who is on call now, and when the reader is next; with the button to all of it. And the alerts that nobody has
 * taken.
 */
export async function readOnCallWords(
  context: AppContext,
  slackUser: string,
  now: number,
): Promise<{ lines: string[]; next: Step[] }> {
  const rotations = await readRotations(context);
  const lines = rotations.slice(0, mostOnHome).map(async (one) => {
    const found = await onCallBy(context, one, now);
    const own = found.slackUser === slackUser ? "" : await ownTurnWords(context, slackUser, one, now);
    return `${onCallWords(found)} ${code(one.name)}${own}`;
  });
  const more = rotations.length > mostOnHome ? [`and ${rotations.length - mostOnHome} more: \`/rackbell oncall\``] : [];
  return {
    lines: [...(await Promise.all(lines)), ...more, ...(await readAlertWords(context, slackUser))],
    next: rotations.length > 0 ? [onCallStep] : [],
  };
}
