import { randomUUID } from "node:crypto";
import * as z from "#zod";
import type { Step } from "../../operation/answer.ts";
import { wrongInput } from "../../operation/errors.ts";
import { valueSynonyms } from "../../operation/fields.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import {
  approvalLevels,
  type Channels,
  isOverridable,
  type Limit,
  type Rule,
  type RuledProject,
  takesPasskey,
} from "../../policy/rule.ts";
import { demandLabels, riskWords } from "../../policy/words.ts";
import { plainly } from "../../process/plain-text.ts";
import { clip, listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { projectChoice } from "../project/project.ts";

// An approval rule as the values of `/rackbell policy set`, both ways.

const amount = z
  .string()
  .regex(/^\d{1,12}([.,]\d{1,2})? ?[A-Za-z]{3}$/, "an amount and its currency, such as 50 EUR.")
  .optional();

export const ruleInput = z
  .object({
    demand: z
      .enum(approvalLevels)
      .optional()
      .meta({
        title: "Needs",
        labels: demandLabels,
        description: "allowed: at once; confirm: the requester confirms; approvals: others approve",
      })
      .register(valueSynonyms, { self: "confirm", peer: "one-approval", peers: "two-approvals", never: "not-allowed" }),
    risk: z
      .enum(["change", "spend", "destroy", "read"])
      .optional()
      .meta({ title: "For what", labels: riskWords, description: "Empty: any" }),
    command: z
      .string()
      .optional()
      .meta({ title: "For which commands", description: "Such as vps cancel, or vps. Empty: any" }),
    project: z.string().optional().meta({
      title: "In which project",
      description: "By its name, slug or id. A resource of an unknown project counts as in it. Empty: any",
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
      description: "The machine's maintenance windows, which admins set with /rackbell maintenance. Empty: at any time",
    }),
    over: amount.meta({ title: "Over which price", description: "In one request, such as 50 EUR" }),
    day: amount.meta({
      title: "Over which sum",
      description: "The spending of a member in 24 hours, such as 200 EUR",
    }),
    agent: z.enum(["run"]).optional().meta({
      title: "For agents",
      description: "run: agents run the commands below at once. Such a rule takes nothing else but a project",
    }),
    commands: z
      .string()
      .max(500)
      .optional()
      .meta({ title: "Commands that agents run", description: "With commas: vps start, vps reboot" }),
    passkey: z.boolean().default(false).meta({
      title: "With a passkey",
      description:
        "For confirm and approvals: the member who confirms or approves proves it with a passkey, outside Slack",
    }),
    glass: z.boolean().default(false).meta({
      title: "Emergency override",
      description:
        "For approvals: an admin may run it without approval. The channel sees it, and another admin reviews it",
    }),
    instead: z.string().max(40).optional().meta({
      title: "Instead of",
      description: "The id of the rule that this one replaces. Empty: a new rule",
    }),
  })
  // Without either, the form asks.
  .refine(({ demand, agent }) => demand !== undefined || agent !== undefined, {
    path: ["demand"],
    message: `choose what it needs: ${listing([...approvalLevels], "or")}.`,
  });
export type RuleInput = z.output<typeof ruleInput>;

/** A project by name, slug or id. A rule stores the id, so the admin needs a key that can read it. */
async function projectNamed(
  typed: string | undefined,
  { identities }: AppContext,
  member: string,
): Promise<RuledProject | null> {
  if (!typed?.trim()) return null;
  const session = await identities.session(member, "customer");
  if (!session)
    throw wrongInput(
      "project",
      "Link your customer key first: a rule keeps the id of its project, which that key reads.",
    );
  const choices = (await listProjects(session.client.in(null))).map(projectChoice);
  const found = matchingChoices(typed, choices);
  const [only] = found;
  if (only && found.length === 1) return { id: only.value, name: only.label };
  const why =
    found.length > 1
      ? ambiguityMessage(typed, found)
      : plainly`There is no project “${typed}”. There is ${listing(choices.slice(0, 10).map(({ label }) => label))}.`;
  throw wrongInput("project", why);
}

/** The rule of these values. Throws an InputError that names the value which is wrong. */
export async function readRule(input: RuleInput, context: AppContext, { member }: { member: string }): Promise<Rule> {
  const { registry } = context;
  const { demand } = input;
  const project = await projectNamed(input.project, context, member);
  if (input.agent) return agentRuleOf(input, project, registry);
  if (input.commands) throw wrongInput("commands", "Only a rule with agent=run takes commands. Use command= here.");
  if (!demand) throw wrongInput("demand", `Choose what it needs: ${listing([...approvalLevels], "or")}.`);
  const command = commandOf(input.command, registry);
  const when = {
    risk: input.risk ?? null,
    command,
    project,
    channels: channelsOf(input),
    ...(input.window ? { outsideWindows: true as const } : {}),
    over: limitOf(input.over),
    overInDay: limitOf(input.day),
  };
  if ((when.over || when.overInDay) && when.risk !== null && when.risk !== "spend")
    throw wrongInput("risk", "A price is only about what costs money: choose spend, or leave it empty.");
  if (input.glass && !isOverridable(demand))
    throw wrongInput("glass", "An emergency override replaces an approval: choose one-approval or two-approvals.");
  const id = randomUUID().slice(0, 8);
  return { id, when, demand, overridable: input.glass, ...passkeyOf(input, demand, context.passkeys) };
}

/** Refuses a rule that nobody could meet: without a passkey that works, what it is about could not be done. */
function passkeyOf(
  { passkey, risk }: RuleInput,
  demand: Rule["demand"],
  { mode, problem }: AppContext["passkeys"],
): Pick<Rule, "passkey"> {
  if (!passkey) return {};
  if (!takesPasskey(demand) || risk === "read")
    throw wrongInput(
      "passkey",
      "A passkey proves a decision: choose confirm, one-approval or two-approvals, and not reading.",
    );
  if (mode === "off") throw wrongInput("passkey", "Passkeys are off here. The operator of Rackbell sets PASSKEYS=on.");
  if (problem !== null) throw wrongInput("passkey", problem);
  return { passkey: true };
}

/** A rule that lets agents run commands at once. Commands that destroy, spend or give access are in no such rule. */
function agentRuleOf(
  { agent, commands, ...others }: RuleInput,
  project: RuledProject | null,
  registry: AppContext["registry"],
): Rule {
  const { demand, risk, command, in: inside, outside, window, over, day, glass, passkey } = others;
  const isMore = [risk, command, inside, outside, window, over, day, glass, passkey].some(Boolean);
  if ((demand && demand !== "allowed") || isMore)
    throw wrongInput("agent", "A rule with agent=run takes commands and a project, and nothing else.");
  const named = (commands ?? "").split(",").flatMap((typed) => commandOf(typed, registry) ?? []);
  const releasable = registry.all.filter((operation) => operation.api !== "app" && operation.agents === "by rule");
  const wrong = named.find((one) => !releasable.some((operation) => operation.command === one));
  if (wrong !== undefined || named.length === 0)
    throw wrongInput(
      "commands",
      `${wrong === undefined ? "Name the commands." : `Agents always wait for their member with ${wrong}.`} A rule can release ${listing(releasable.map((operation) => operation.command))}.`,
    );
  const anything = { risk: null, command: null, channels: null, over: null, overInDay: null };
  const when = { ...anything, project, agent: { commands: [...new Set(named)] } };
  return { id: randomUUID().slice(0, 8), when, demand: "allowed", overridable: false };
}

function commandOf(typed: string | undefined, { all }: AppContext["registry"]): string | null {
  const words = typed?.trim().replace(/^\//, "").toLowerCase().replaceAll(/\s+/g, " ");
  if (!words) return null;
  const known = all.some(({ command, api }) => api !== "app" && `${command} `.startsWith(`${words} `));
  if (!known) throw wrongInput("command", `There is no command that begins with “${clip(words, 60)}”.`);
  return words;
}

function channelsOf({ in: inside, outside }: RuleInput): Channels | null {
  if (inside && outside)
    throw wrongInput("outside", "Name channels that it is in, or channels that it is outside of, not both.");
  const typed = inside ?? outside;
  if (!typed) return null;
  const ids = typed
    .split(/[\s,]+/)
    .map((one) => one.replace(/^#/, ""))
    .filter((one) => one !== "");
  if (!ids.every((id) => /^[CG][A-Z0-9]{5,}$/.test(id)))
    throw wrongInput(
      inside ? "in" : "outside",
      "Choose each channel from Slack's list as you type it, so that it is sure which one is meant.",
    );
  return { are: inside ? "in" : "outside", ids };
}

function limitOf(typed: string | undefined): Limit | null {
  const [, sum = "", currency = ""] = /^([\d.,]+) ?([A-Za-z]{3})$/.exec(typed?.trim() ?? "") ?? [];
  return sum === "" ? null : { amount: sum.replace(",", "."), currency: currency.toUpperCase() };
}

/** The buttons of a rule in the list, for admins: the form with its values, and the question before it goes. */
export function ruleSteps(rule: Rule): Step[] {
  const asks =
    "Requests that only this rule holds back may then run at once. If it loosens something, another admin must agree.";
  return [
    { label: "Change…", command: "rackbell policy set", input: valuesOf(rule), form: true },
    { label: "Remove…", command: "rackbell policy remove", input: { rule: rule.id }, asks },
  ];
}

/** The values with which `/rackbell policy set` makes the same rule in its place. */
function valuesOf({ id, when, demand, overridable, passkey }: Rule): Record<string, string | boolean> {
  const { risk, command, project, channels, outsideWindows, agent, over, overInDay } = when;
  const values = {
    instead: id,
    project: project?.id ?? null,
    ...(agent
      ? { agent: "run", commands: agent.commands.join(", ") }
      : { demand, risk, command, over: amountOf(over), day: amountOf(overInDay) }),
    ...(channels ? { [channels.are === "in" ? "in" : "outside"]: channels.ids.join(" ") } : {}),
    ...(outsideWindows ? { window: "outside" } : {}),
    ...(passkey ? { passkey: true } : {}),
    ...(overridable ? { glass: true } : {}),
  };
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function amountOf(limit: Limit | null): string | null {
  return limit && `${limit.amount} ${limit.currency}`;
}
