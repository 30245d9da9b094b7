import * as z from "zod";
import type { Actor } from "../../operation/call-context.ts";
import { InputError, Refusal, wrongInput } from "../../operation/errors.ts";
import { readScheduledTime } from "../../operation/schedule-input.ts";
import { overlap } from "../../policy/maintenance-windows/spans.ts";
import type { Window } from "../../policy/maintenance-windows/windows.ts";
import { whenOpen, windowLine } from "../../policy/maintenance-windows/words.ts";
import { incompleteBlocks, incompleteWords } from "../../requests/partly-visible.ts";
import { section, context as small } from "../../views/blocks.ts";
import { code, listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { defineAppOperation } from "../app-operation.ts";

const listStep = { label: "All windows", command: "rackbell window list" };

export const window = defineAppOperation({
  command: "rackbell window",
  synonyms: ["maintenance"],
  summary: "Plan maintenance of machines: their alerts are muted then, and a rule may allow an act in no other time",
  verb: "Maintenance window",
  input: z.object({
    what: z.string().min(1).max(500).meta({
      title: "Machines and time",
      description:
        "Such as web-1 web-2 22:00-23:30. A name with blanks goes in quotes. A time past midnight ends on the next day",
    }),
    on: z
      .string()
      .max(40)
      .optional()
      .meta({ title: "On which day", description: "Such as Nov 28, or mon. Empty: the next time that it is so late" }),
    every: z.enum(["day", "week"]).optional().meta({ title: "Again", description: "Empty: once" }),
  }),
  positional: "what",
  verbatim: "words",
  async run({ context, actor, input, now }) {
    const zone = await context.zoneOf(actor.slackUser);
    const { names, ...times } = partsOf(input.what);
    const span = spanOf(times, input.on ?? "", { now, zone });
    const machines = await machinesNamed(context, actor, names);
    const byAdmin = await context.access.isAdmin(actor.slackUser);
    const proposed = { machines, ...span, every: input.every ?? null, zone, by: actor.slackUser, byAdmin };
    const others = (await context.windows.all()).filter((other) => isForOneOf(other, machines));
    const added = await context.windows.add(proposed);
    if (!added) throw new Refusal("There are 500 windows, and no more are kept. Remove some first.", [listStep]);
    const text = `${listing(machines.map(({ name }) => code(name)))} ${machines.length > 1 ? "are" : "is"} under maintenance ${whenOpen(added, now)}. Alerts about ${machines.length > 1 ? "them" : "it"} are muted then.`;
    await note(context, actor, "window added", text);
    const overlapping = others.filter((other) => overlap(other, added, now));
    const lines = (await visibleWindows(context, actor, overlapping)).lines(now);
    return {
      text,
      blocks: [
        section(text),
        ...(lines.length > 0
          ? [section(`It overlaps others, and all of them hold together:\n${lines.join("\n")}`)]
          : []),
        ...(byAdmin ? [] : [small("No rule goes by it: that takes a window of an admin's.")]),
      ],
      next: [listStep, { label: "Remove it", command: "rackbell window remove", input: { window: added.id } }],
    };
  },
});

export const windowList = defineAppOperation({
  command: "rackbell window list",
  synonyms: ["windows"],
  summary: "List the maintenance windows that are open or to come",
  verb: "Windows",
  input: z.object({}),
  async run({ context, actor, now }) {
    const seen = await visibleWindows(context, actor, await context.windows.all());
    const lines = seen.lines(now);
    if (lines.length === 0)
      return {
        text: `You can see no maintenance windows. \`/rackbell window web-1 22:00-23:30\` adds one.${incompleteWords(seen)}`,
      };
    const headline = "Maintenance windows";
    const most = 40;
    const left = lines.length > most ? [small(`and ${lines.length - most} more`)] : [];
    return {
      text: headline,
      blocks: [
        section(`*${headline}*`),
        ...lines.slice(0, most).map((line) => section(line)),
        ...left,
        ...incompleteBlocks(seen),
      ],
    };
  },
});

export const windowRemove = defineAppOperation({
  command: "rackbell window remove",
  summary: "Take a maintenance window away, by its id",
  verb: "Remove a window",
  input: z.object({
    window: z.string().meta({ title: "Window", description: "Its id, as /rackbell window list shows it" }),
  }),
  positional: "window",
  async run({ context, actor, input, now }) {
    const found = (await context.windows.all()).find(({ id }) => id === input.window.trim());
    if (!found) throw wrongInput("window", "There is no such window. Type /rackbell window list to see all.");
    if (found.by !== actor.slackUser && !(await context.access.isAdmin(actor.slackUser)))
      throw new Refusal(`Only <@${found.by}>, who made it, or an admin can remove it. Nothing changed.`);
    const [line = ""] = (await visibleWindows(context, actor, [found])).lines(now);
    await context.windows.remove(found.id);
    const text = `Removed: ${line}. Scheduled acts that need this window are checked again at their time.`;
    await note(context, actor, "window removed", text);
    return { text, next: [listStep] };
  },
});

/** These maintenance windows, as far as the member may see them, a line for each. */
async function visibleWindows({ requests }: AppContext, { member, slackUser }: Actor, windows: readonly Window[]) {
  const look = requests.lookOf({ member, slackUser });
  const shown: { window: Window; machines: Window["machines"] }[] = [];
  for (const window of windows) {
    const machines = await look.machinesOf(window);
    if (machines !== null) shown.push({ window, machines });
  }
  return {
    lines: (now: number) => shown.map(({ window, machines }) => windowLine(window, machines, now)),
    isIncomplete: look.isIncomplete(),
  };
}

function note({ audit }: AppContext, { member, slackUser, keyLabel }: Actor, what: string, outcome: string) {
  const none = { approver: null, target: null, request: null };
  return audit.note({ ...none, what, member, slackUser, keyLabel, command: "rackbell window", outcome });
}

interface TimeRange {
  start: string;
  end: string;
}

function partsOf(what: string): TimeRange & { names: string[] } {
  const [, before = "", start = "", end = ""] =
    /^(.*?)\b(\d{1,2}:\d{2})\s?[-–—]\s?(\d{1,2}:\d{2})$/.exec(what.trim()) ?? [];
  const names = [...before.matchAll(/"([^"]+)"|[^\s,"]+/g)].map(([word, quoted]) => quoted ?? word);
  if (names.length > 0 && names.length <= 50) return { names, start, end };
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
  // Called for its errors alone: "25:00" is no time.
  momentOf(start, here, "what");
  const length = ((minutesOf(end) - minutesOf(start) + 1_439) % 1_440) + 1;
  const at = on === "" ? momentOf(end, here, "what") - length * 60_000 : momentOf(`${on} ${start}`, here, "on");
  return { from: at, until: at + length * 60_000 };
}

function momentOf(text: string, here: { now: number; zone: string }, field: string): number {
  try {
    return readScheduledTime({ at: text }, here)?.at ?? here.now;
  } catch (error) {
    if (error instanceof InputError) throw wrongInput(field, error.message);
    throw error;
  }
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

async function machinesNamed({ finder }: AppContext, { member }: Actor, names: string[]): Promise<Window["machines"]> {
  const machines: Window["machines"] = [];
  for (const typed of new Set(names)) {
    const { bound, id } = await finder.thing(member, typed);
    machines.push({ id, name: (await bound.look(id)).name });
  }
  return machines;
}

function isForOneOf(window: Window, machines: Window["machines"]): boolean {
  return window.machines.some(({ id }) => machines.some((machine) => machine.id === id));
}
