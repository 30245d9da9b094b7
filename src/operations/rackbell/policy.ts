import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { type Channels, demands, type Limit, type Rule } from "../../engine/policy/rule.ts";
import { demandWords, ruleWords } from "../../engine/policy/words.ts";
import type { Actor } from "../../operation/asking.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { choicesMeant, severalMeant } from "../../operation/input.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { section, context as small } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import { projectChoice } from "../project/project.ts";

async function requireAdmin({ access }: AppContext, actor: Actor): Promise<void> {
  if (!(await access.isAdmin(actor.slackUser)))
    throw new Refusal("Only an admin of this workspace can change the policy. Nothing changed.");
}

/** Who changes it, and whether somebody else is there to look at what loosens it. */
async function changer({ access }: AppContext, { member, slackUser }: Actor, what: string) {
  return { member, slackUser, what, second: await access.hasOtherAdmin(member) };
}

const agreeStep = { label: "Agree", command: "rackbell policy agree", style: "primary" } as const;
const dropStep = { label: "Drop the change", command: "rackbell policy drop" };

export const policy = defineAppOperation({
  command: "rackbell policy",
  summary: "Show the rules about what is asked first, and of whom",
  verb: "Policy",
  input: z.object({}),
  async run({ context, actor }) {
    const { rules, proposal } = await context.policy.read();
    const { mode, ttl } = context.approvals;
    const admin = await context.access.isAdmin(actor.slackUser);
    const lines = rules.map((rule) => `${code(rule.id)} ${ruleWords(rule)}`);
    const otherwise = `Where no rule fits: what destroys: ${demandWords[mode]}; what costs money: ${demandWords.self}; the rest is done at once. Of several rules that fit the strictest holds. A request expires after ${duration(ttl)}.`;
    const waiting = proposal
      ? [
          section(
            `:raised_hand: <@${proposal.by.split(":")[1] ?? ""}> proposed ${moment(proposal.at)}: ${proposal.what} It loosens something, so another admin must agree.`,
          ),
        ]
      : [];
    const headline = rules.length === 0 ? "There are no rules yet" : "The rules of this workspace";
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...lines.map((line) => section(line)), ...waiting, small(otherwise)],
      next: admin
        ? [{ label: "Add a rule…", command: "rackbell policy add" }, ...(proposal ? [agreeStep, dropStep] : [])]
        : [],
    };
  },
});

const amount = z
  .string()
  .regex(/^\d{1,12}([.,]\d{1,2})? ?[A-Za-z]{3}$/, "an amount and its currency, such as 50 EUR.")
  .optional();

export const policyAdd = defineAppOperation({
  command: "rackbell policy add",
  summary: "For admins: add a rule about what is asked first, and of whom",
  verb: "Add a rule",
  input: z.object({
    demand: z.enum(demands).meta({
      title: "What holds",
      description: "allowed; self: who asks confirms; peer: one other approves; peers: two others; never",
    }),
    risk: z
      .enum(["change", "spend", "destroy", "read"])
      .optional()
      .meta({ title: "For what", description: "Empty: any" }),
    command: z
      .string()
      .optional()
      .meta({ title: "For which commands", description: "Such as vps cancel, or vps. Empty: any" }),
    project: z.string().optional().meta({
      title: "In which project",
      description: "By its name, slug or id. What does not tell its project counts as in it. Empty: any",
    }),
    in: z
      .string()
      .optional()
      .meta({ title: "Only in these channels", description: "Such as #ops. Empty: any", format: "channels" }),
    outside: z
      .string()
      .optional()
      .meta({ title: "Only outside of these channels", description: "Such as #ops", format: "channels" }),
    window: z.enum(["outside"]).optional().meta({
      title: "Only outside maintenance windows",
      description: "Of the machine, as admins plan them with /rackbell window. Empty: at any time",
    }),
    over: amount.meta({ title: "Over which price", description: "In one request, such as 50 EUR" }),
    day: amount.meta({ title: "Over which sum", description: "What a member spends in 24 hours, such as 200 EUR" }),
    glass: z.boolean().default(false).meta({
      title: "Break the glass",
      description: "An admin may run it at once without approval; it is told loudly, and another admin looks at it",
    }),
  }),
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const rule = ruleOf({ ...input, project: await projectNamed(input.project, context, actor) }, context);
    const what = `Added: ${ruleWords(rule)}`;
    const became = await context.policy.change((rules) => [...rules, rule], await changer(context, actor, what));
    return answer(became, what);
  },
});

export const policyRemove = defineAppOperation({
  command: "rackbell policy remove",
  summary: "For admins: take a rule away, by its id",
  verb: "Remove a rule",
  input: z.object({ rule: z.string().meta({ title: "Rule", description: "Its id, as /rackbell policy shows it" }) }),
  positional: "rule",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const { rules } = await context.policy.read();
    const gone = rules.find(({ id }) => id === input.rule.trim());
    if (!gone)
      throw new InputError([{ field: "rule", message: "There is no such rule. `/rackbell policy` shows them." }]);
    const what = `Removed: ${ruleWords(gone)}`;
    const became = await context.policy.change(
      (now) => now.filter(({ id }) => id !== gone.id),
      await changer(context, actor, what),
    );
    return answer(became, what);
  },
});

function answer(became: "changed" | "proposed", what: string) {
  const text =
    became === "changed"
      ? `${what} It holds from now on, for what waits already too.`
      : `${what} That loosens something, so it waits: another admin agrees with it in \`/rackbell policy\`. Nothing changed yet.`;
  return { text, next: [{ label: "The rules", command: "rackbell policy" }] };
}

export const policyAgree = defineAppOperation({
  command: "rackbell policy agree",
  summary: "For admins: agree with a change of the rules that another admin proposed",
  verb: "Agree",
  input: z.object({}),
  async run({ context, actor }) {
    await requireAdmin(context, actor);
    const { proposal } = await context.policy.read();
    if (!proposal) return { text: "No change of the rules waits." };
    if (!(await context.policy.agree(await changer(context, actor, proposal.what))))
      throw new Refusal("Another admin than the one who proposed it must agree. Nothing changed.");
    return {
      text: `${proposal.what} It holds from now on.`,
      next: [{ label: "The rules", command: "rackbell policy" }],
    };
  },
});

export const policyDrop = defineAppOperation({
  command: "rackbell policy drop",
  summary: "For admins: drop a change of the rules that waits",
  verb: "Drop the change",
  input: z.object({}),
  async run({ context, actor }) {
    await requireAdmin(context, actor);
    const dropped = await context.policy.drop(await changer(context, actor, "The proposed change was dropped."));
    return {
      text: dropped ? "The proposed change was dropped. The rules are as they were." : "No change of the rules waits.",
    };
  },
});

export const policyTry = defineAppOperation({
  command: "rackbell policy try",
  summary: "Say what would hold for a command as you would type it; nothing is done",
  verb: "Try",
  input: z.object({ what: z.string().meta({ title: "Command", description: "Such as vps cancel web-1" }) }),
  positional: "what",
  verbatim: true,
  async run({ context, actor, input, channel, now }) {
    return { text: await context.tryOut(input.what.replace(/^\//, ""), { ...actor, channel }, now) };
  },
});

interface Given {
  demand: Rule["demand"];
  risk?: Rule["when"]["risk"] | undefined;
  command?: string | undefined;
  project?: string | undefined;
  in?: string | undefined;
  outside?: string | undefined;
  window?: "outside" | undefined;
  over?: string | undefined;
  day?: string | undefined;
  glass: boolean;
}

/** A project's name, of its name, slug or id: a rule about one that does not exist would hold for nothing. Taken as it is where the admin's key sees no projects. */
async function projectNamed(
  typed: string | undefined,
  { identities }: AppContext,
  { member }: { member: string },
): Promise<string | undefined> {
  const session = typed?.trim() ? await identities.session(member, "customer") : null;
  if (!typed || !session) return typed;
  const choices = (await listProjects(session.client.in(null))).map(projectChoice);
  const found = choicesMeant(typed, choices);
  const [only] = found;
  if (only && found.length === 1) return only.label;
  const why =
    found.length > 1
      ? severalMeant(typed, found)
      : `There is no project “${typed}”. There is ${listing(choices.slice(0, 10).map(({ label }) => label))}.`;
  throw new InputError([{ field: "project", message: why }]);
}

function ruleOf(given: Given, { registry }: AppContext): Rule {
  const command = commandOf(given.command, registry);
  const when = {
    risk: given.risk ?? null,
    command,
    project: given.project ? prose(given.project.trim(), 80) : null,
    channels: channelsOf(given),
    ...(given.window ? { outsideWindows: true as const } : {}),
    over: limitOf(given.over),
    overInDay: limitOf(given.day),
  };
  if ((when.over || when.overInDay) && when.risk !== null && when.risk !== "spend")
    throw new InputError([
      { field: "risk", message: "A price is only about what costs money: choose spend, or leave it empty." },
    ]);
  return { id: randomUUID().slice(0, 8), when, demand: given.demand, breakGlass: given.glass };
}

function commandOf(typed: string | undefined, { all }: AppContext["registry"]): string | null {
  const words = typed?.trim().replace(/^\//, "").toLowerCase().replaceAll(/\s+/g, " ");
  if (!words) return null;
  const known = all.some(({ command, api }) => api !== "app" && `${command} `.startsWith(`${words} `));
  if (!known)
    throw new InputError([
      { field: "command", message: `There is no command that begins with “${prose(words, 60)}”.` },
    ]);
  return words;
}

function channelsOf({ in: inside, outside }: Given): Channels | null {
  if (inside && outside)
    throw new InputError([
      { field: "outside", message: "Name channels that it is in, or channels that it is outside of, not both." },
    ]);
  const typed = inside ?? outside;
  if (!typed) return null;
  const ids = typed
    .split(/[\s,]+/)
    .map((one) => one.replace(/^#/, ""))
    .filter((one) => one !== "");
  if (!ids.every((id) => /^[CG][A-Z0-9]{5,}$/.test(id)))
    throw new InputError([
      {
        field: inside ? "in" : "outside",
        message: "Choose each channel from Slack's list as you type it, so that it is sure which one is meant.",
      },
    ]);
  return { are: inside ? "in" : "outside", ids };
}

function limitOf(typed: string | undefined): Limit | null {
  const [, sum = "", currency = ""] = /^([\d.,]+) ?([A-Za-z]{3})$/.exec(typed?.trim() ?? "") ?? [];
  return sum === "" ? null : { amount: sum.replace(",", "."), currency: currency.toUpperCase() };
}
