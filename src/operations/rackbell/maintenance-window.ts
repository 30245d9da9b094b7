import * as z from "#zod";
import { showMute } from "../../alerts/after-mute.ts";
import type { AuditKind } from "../../audit/kinds.ts";
import { findResource } from "../../members/resources/finder.ts";
import { storedFinder } from "../../members/resources/stored-names.ts";
import { isAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { lookingAlike, sameName } from "../../operation/matching.ts";
import { quoted, tokenize } from "../../operation/tokenize.ts";
import { overlap, spanAt, spanBetween } from "../../policy/maintenance-windows/spans.ts";
import {
  addWindow,
  allWindows,
  removeWindow,
  type Window,
  whenOpen,
  windowLine,
} from "../../policy/maintenance-windows/windows.ts";
import { readPolicy } from "../../policy/policy.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { incompleteBlocks, incompleteWords } from "../../requests/partly-visible.ts";
import { accessOf } from "../../requests/visibility.ts";
import { section, context as small } from "../../views/blocks.ts";
import { code, listing } from "../../views/text.ts";
import { type WallTime, wallTimeOf } from "../../views/zone.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { momentTyped } from "./admin.ts";

const listStep = { label: "All windows", command: "rackbell maintenance" };

export const window = defineAppOperation({
  command: "rackbell maintenance",
  synonyms: [
    ...["window", "windows", "window list", "maintenance list"],
    ...["maintenance remove", "window remove"].map((words) => ({
      words,
      positional: "remove",
      renamed: { window: "remove" },
    })),
  ],
  summary: "Set a maintenance window: alerts are muted, and a rule may allow acts only then; alone, list them",
  example: "/rackbell maintenance",
  verb: "Set a maintenance window",
  input: z
    .object({
      what: z.string().min(1).max(500).optional().meta({
        title: "Machines and time",
        description:
          "Such as web-1 web-2 22:00-23:30. A name with blanks goes in quotes. A time past midnight ends on the next day",
      }),
      on: z.string().max(40).optional().meta({
        title: "On which day",
        description: "Such as Nov 28, or mon. Empty: the next time that it is so late",
      }),
      // Not each client of Slack lets people empty a menu.
      every: z.enum(["once", "day", "week"]).optional().meta({ title: "Again", description: "Empty: once" }),
      instead: z.string().max(40).optional().meta({
        title: "Instead of",
        description: "The id of the maintenance window that this one replaces. Empty: a new one",
        byButton: true,
      }),
      remove: z.string().max(40).optional().meta({
        title: "Remove",
        description: "The id of a maintenance window. It is taken away",
        byButton: true,
      }),
    })
    .refine(({ remove, ...others }) => !remove || Object.values(others).every((value) => value === undefined), {
      path: ["remove"],
      message: "set a maintenance window, or remove one, not both.",
    })
    .refine(({ what, on, every, instead }) => what !== undefined || !(on ?? every ?? instead), {
      path: ["what"],
      message: "name the machines and the time, such as web-1 22:00-23:30.",
    }),
  positional: "what",
  verbatim: "words",
  // Within an admin's window such a rule does not apply, so the window opens what the rule closes.
  async passkey({ context, actor, input }) {
    if (input.what === undefined) return null;
    const { rules } = await readPolicy(context);
    const named = rules.filter(({ passkey, when }) => passkey && when.outsideWindows);
    if (named.length === 0 || !(await isAdmin(context, actor.slackUser))) return null;
    const entries: AuditKind[] = [input.instead ? "window changed" : "window added"];
    const text = "A rule that needs a passkey applies only outside such windows.";
    return { text, facts: named.map(({ id }) => id), entries };
  },
  run({ context, actor, note, input: { what, remove, ...times }, now }) {
    if (remove !== undefined) return removeNamed(context, actor, note, { typed: remove, now });
    if (what === undefined) return listWindows(context, actor, now);
    return setWindow(context, actor, note, { what, ...times, now });
  },
});

async function setWindow(
  context: AppContext,
  actor: Actor,
  note: Note,
  {
    what,
    on = "",
    every,
    instead,
    now,
  }: {
    what: string;
    on?: string | undefined;
    every?: "once" | Window["every"] | undefined;
    instead?: string | undefined;
    now: number;
  },
): Promise<Answer> {
  const zone = await context.zoneOf(actor.slackUser);
  const { names, ...times } = partsOf(what);
  const span = spanOf(times, on, { now, zone });
  const replaced = instead ? await changeable(context, actor, instead, "instead") : null;
  const machines = await machinesNamed(context, actor, names, replaced?.machines ?? []);
  const byAdmin = await isAdmin(context, actor.slackUser);
  const again = every === undefined || every === "once" ? null : every;
  const proposed = { machines, ...span, every: again, zone, by: actor.slackUser, byAdmin };
  const others = (await allWindows(context)).filter(
    (other) => isForOneOf(other, machines) && other.id !== replaced?.id,
  );
  const added = await addWindow(context, proposed, replaced?.id ?? null);
  if (!added) throw new Refusal("There are 500 windows, and no more are kept. Remove some first.", [listStep]);
  await showWindow(context, [...machines, ...(replaced?.machines ?? [])]);
  const text = `${listing(machines.map(({ name }) => code(name)))} ${machines.length > 1 ? "are" : "is"} under maintenance ${whenOpen(added, now)}. Alerts about ${machines.length > 1 ? "them" : "it"} are muted then.`;
  await note(replaced ? "window changed" : "window added", text);
  const overlapping = others.filter((other) => overlap(other, added, now));
  const lines = (await visibleWindows(context, actor, overlapping)).lines(now);
  return {
    text,
    blocks: [
      section(text),
      ...(lines.length > 0 ? [section(`It overlaps others, and all of them hold together:\n${lines.join("\n")}`)] : []),
      ...(byAdmin ? [] : [small("No rule goes by it: that takes a window of an admin's.")]),
    ],
    next: [listStep, { label: "Remove it", command: "rackbell maintenance", input: { remove: added.id } }],
  };
}

async function listWindows(context: AppContext, actor: Actor, now: number): Promise<Answer> {
  const seen = await visibleWindows(context, actor, await allWindows(context));
  const [zone, admin] = await Promise.all([context.zoneOf(actor.slackUser), isAdmin(context, actor.slackUser)]);
  const stepsOf = ({ window: one, machines }: (typeof seen.shown)[number], line: string): Step[] => {
    if (!admin && one.by !== actor.slackUser) return [];
    const input = valuesOf({ ...one, machines }, { now, zone });
    const form = { command: "rackbell maintenance", input, form: true as const };
    const loss = `${line}. Alerts of these machines come again, and rules that need this window apply again.`;
    const asks = { act: "Remove this maintenance window", loss };
    return [
      // A change names every machine, and the reader does not see those of others.
      ...(machines.length === one.machines.length ? [{ label: "Change…", ...form }] : []),
      { label: "Remove…", command: "rackbell maintenance", input: { remove: one.id }, asks },
    ];
  };
  const next: Step[] = [{ label: "Add a window…", command: "rackbell maintenance", form: true }];
  const lines = seen.lines(now);
  if (lines.length === 0)
    return {
      text: `There are no maintenance windows that you can see. \`/rackbell maintenance web-1 22:00-23:30\` adds one.${incompleteWords(seen)}`,
      next,
    };
  const most = 40;
  const left = lines.length > most ? [small(`and ${lines.length - most} more`)] : [];
  const rows = seen.shown
    .slice(0, most)
    .flatMap((one, at) =>
      rowBlocks(`:construction: ${lines[at]}`, one.window.id, stepsOf(one, lines[at] ?? ""), context.registry.find),
    );
  return { ...headed("Maintenance windows", [...rows, ...left, ...incompleteBlocks(seen)]), next };
}

async function removeNamed(
  context: AppContext,
  actor: Actor,
  note: Note,
  { typed, now }: { typed: string; now: number },
): Promise<Answer> {
  const found = await changeable(context, actor, typed, "remove");
  const { shown, lines } = await visibleWindows(context, actor, [found]);
  const [line = ""] = lines(now);
  await removeWindow(context, found.id);
  await showWindow(context, found.machines);
  // The entry names every machine: admins read it later to find out what was no longer muted.
  const seen = shown.flatMap(({ machines }) => machines);
  const machines = found.machines.map((stored) => seen.find(({ id }) => id === stored.id) ?? stored);
  await note("window removed", `Removed: ${windowLine(found, machines, now)}.`);
  return {
    text: `Removed: ${line}. Scheduled acts that need this window are checked again at their time.`,
    next: [listStep],
  };
}

/** Has the alerts of the machines show that a window of theirs began, changed or ended. */
function showWindow(context: AppContext, machines: Window["machines"]): Promise<void> {
  return showMute(context, { channel: null, abouts: machines.map(({ id }) => id) });
}

/** The window of an id, for its maker and for admins. */
async function changeable(context: AppContext, { slackUser }: Actor, typed: string, field: string) {
  const found = (await allWindows(context)).find(({ id }) => id === typed.trim());
  if (!found) throw wrongInput(field, "There is no such window. Type /rackbell maintenance to see all.");
  if (found.by !== slackUser && !(await isAdmin(context, slackUser)))
    throw new Refusal(`Only <@${found.by}>, who made it, or an admin can change or remove it. Nothing changed.`);
  return found;
}

/** The values that make the same window again, for the form that changes it; the times as the reader's clocks show them. */
function valuesOf(window: Window, { now, zone }: { now: number; zone: string }) {
  const span = spanAt(window, now) ?? window;
  const shown = { from: wallTimeOf(span.from, zone), until: wallTimeOf(span.until, zone) };
  // On the day of a clock change the span can show later times than were typed, and a change would keep those for good.
  const { from, until } = window.walls && zone === window.zone ? window.walls : shown;
  const [start, end] = [from, until].map((wall) => new Date(wall).toISOString().slice(11, 16));
  const alike = lookingAlike(window.machines, ({ name }) => [name]);
  const names = window.machines.map((one) => quoted(alike.has(one) ? one.id : characters(one.name)));
  // Without a day, a window that is open now is meant as the present one.
  const hasDay = span.from > now && window.every !== "day";
  return {
    what: `${names.join(" ")} ${start}-${end}`,
    ...(hasDay ? { on: new Date(shown.from).toISOString().slice(0, 10) } : {}),
    ...(window.every ? { every: window.every } : {}),
    instead: window.id,
  };
}

/** These maintenance windows, as far as the member may see them, a line for each. */
async function visibleWindows({ requests }: AppContext, { member, slackUser }: Actor, windows: readonly Window[]) {
  const look = accessOf(requests, { member, slackUser });
  const shown: { window: Window; machines: Window["machines"] }[] = [];
  for (const window of windows) {
    const machines = await look.machinesOf(window);
    if (machines !== null) shown.push({ window, machines });
  }
  return {
    shown,
    lines: (now: number) => shown.map(({ window, machines }) => windowLine(window, machines, now)),
    isIncomplete: look.isIncomplete(),
  };
}

const timesWords = "I don't understand the time. Write two times from 00:00 to 23:59, such as web-1 22:00-23:30.";

function dayWords(on: string): string {
  return `I don't know the day “${on}”, or its time has passed. Write a day like on=mon or on="Nov 28", at most 30 days ahead.`;
}

interface TimeRange {
  start: string;
  end: string;
}

function partsOf(what: string): TimeRange & { names: string[] } {
  const [, before = "", start = "", end = ""] =
    /^(.*?)\b(\d{1,2}:\d{2})\s?[-–—]\s?(\d{1,2}:\d{2})$/.exec(what.trim()) ?? [];
  const names = tokenize(before, /[\s,]/).tokens.flatMap(({ text }) => text || []);
  // Many write the end of the day so. An end of 00:00 is the same moment.
  if (names.length > 0 && names.length <= 50) return { names, start, end: end === "24:00" ? "00:00" : end };
  const message =
    names.length > 50
      ? "A window is for 50 machines at most."
      : "Write the machines and the time, such as web-1 22:00-23:30.";
  throw wrongInput("what", message);
}

/**
 * With a day, the window begins on that day. Without one, it is the next window that has not ended: one that is open now counts.
 */
function spanOf({ start, end }: TimeRange, on: string, here: { now: number; zone: string }) {
  const clockOf = (clock: string) => momentTyped(clock, here, "what", () => timesWords);
  // Called for its errors alone: "25:00" is no time.
  clockOf(start);
  const length = ((minutesOf(end) - minutesOf(start) + 1_439) % 1_440) + 1;
  const from =
    on === ""
      ? wallBefore(clockOf(end), end, here.zone) - length * 60_000
      : wallBefore(
          momentTyped(`${on} ${start}`, here, "on", () => dayWords(on)),
          start,
          here.zone,
        );
  const walls = { from, until: from + length * 60_000 };
  return { ...spanBetween(walls, here.zone, here.now), walls };
}

/** The last time up to a moment at which the clocks show it: a time that they skip was read as a later moment. */
function wallBefore(at: number, clock: string, zone: string): WallTime {
  const wall = wallTimeOf(at, zone);
  return wall - ((wall - minutesOf(clock) * 60_000) % (24 * 60 * 60_000));
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

/**
 * The machines of these names. `before`: those of the window that this one replaces. Its form named them, so a name of one of them means that
 * one, and a former name of one of them no other machine.
 */
async function machinesNamed(
  context: AppContext,
  { member }: Actor,
  names: string[],
  before: Window["machines"],
): Promise<Window["machines"]> {
  const findBefore = await storedFinder(context, member, before);
  const machines: Window["machines"] = [];
  for (const typed of new Set(names)) {
    const same = findBefore(typed);
    const renamed = same ? undefined : before.find(({ name }) => sameName(name, typed));
    const now = renamed && findBefore(renamed.id);
    if (now)
      throw wrongInput(
        "what",
        plainly`The machine of this window that was called “${typed}” is “${now.name}” now. Write that name, or the id of another machine.`,
      );
    machines.push(same ?? (await machineNamed(context, member, typed)));
  }
  return machines;
}

async function machineNamed(context: AppContext, member: string, typed: string): Promise<Window["machines"][number]> {
  const { id, entry } = await findResource(context, member, typed);
  return { id, name: entry.name };
}

function isForOneOf(window: Window, machines: Window["machines"]): boolean {
  return window.machines.some(({ id }) => machines.some((machine) => machine.id === id));
}
