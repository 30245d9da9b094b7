import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { type PeopleList, peopleText } from "../../members/people/people-list.ts";
import { resolvePeople } from "../../members/people/resolve-people.ts";
import { readPeopleList } from "../../members/people/typed-people.ts";
import { isGiven } from "../../operation/act-input.ts";
import type { Step } from "../../operation/answer.ts";
import { wrongInput } from "../../operation/errors.ts";
import { valueSynonyms } from "../../operation/fields.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import type { FormPages } from "../../operation/operation.ts";
import { lengthIn, lengthText } from "../../operation/schedule-input.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import {
  approvalLevels,
  type Channels,
  isOverridable,
  type Limit,
  needsOthers,
  type PinnedPeople,
  type Rule,
  type RuledProject,
  takesPasskey,
} from "../../policy/rule.ts";
import { demandLabels, riskWords } from "../../policy/words.ts";
import { plainly } from "../../process/plain-text.ts";
import { clip, listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { projectChoice } from "../project/project.ts";
import { length, longest, stepsOf } from "./step-input.ts";

// An approval rule as the values of `/rackbell policy set`, both ways.

const amount = z
  .string()
  .regex(/^\d{1,12}([.,]\d{1,2})? ?[A-Za-z]{3}$/, "an amount and its currency, such as 50 EUR.")
  .optional();

const people = z.string().max(2_000).optional();

export const ruleInput = z
  .object({
    demand: z
      .enum(approvalLevels)
      .optional()
      .meta({
        title: "Needs",
        labels: demandLabels,
        description: "allowed: at once; confirm: the requester confirms; approvals: others approve",
        asked: true,
      })
      .register(valueSynonyms, { self: "confirm", peer: "one-approval", peers: "two-approvals", never: "not-allowed" }),
    risk: z
      .enum(["any", "change", "spend", "destroy", "read"])
      .optional()
      .meta({ title: "For what", labels: { any: "Everything", ...riskWords }, asked: true }),
    command: z
      .string()
      .optional()
      .meta({ title: "For which commands", description: "Such as vps cancel, or vps. Empty: any" }),
    who: people.meta({
      title: "By whom",
      description: "Everybody, members' agents, or people, groups and rotations",
      format: "people",
      options: ["everybody", "agents"],
      labels: { everybody: "Everybody", agents: "Members' agents" },
      asked: true,
    }),
    "not-who": people.meta({
      title: "By everybody but",
      description: "Members' agents, or people, groups and rotations. Others are held to the rule",
      format: "people",
      options: ["agents"],
      labels: { agents: "Members' agents" },
    }),
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
    window: z
      .enum(["outside", "any"])
      .optional()
      .meta({
        title: "Only outside maintenance windows",
        description:
          "The machine's maintenance windows, which admins set with /rackbell maintenance. Empty or any: at any time",
        labels: { outside: "Only outside of them", any: "At any time" },
      }),
    over: amount.meta({ title: "Over which price", description: "In one request, such as 50 EUR" }),
    day: amount.meta({
      title: "Over which sum",
      description: "The spending of a member in 24 hours, such as 200 EUR",
    }),
    approvers: people.meta({
      title: "Only these decide",
      description: "People, groups or rotations, as they are now: they alone approve or deny. Empty: everybody who may",
      format: "people",
    }),
    notify: people.meta({
      title: "Notify",
      description: "People, groups or rotations who are notified that it waits. Empty: the approvers",
      format: "people",
    }),
    // biome-ignore lint/suspicious/noThenProperty: the word that people type; nobody awaits a schema of inputs.
    then: people.meta({
      title: "Then notify",
      description: "Others, if nobody decided after the time below",
      format: "people",
    }),
    after: length.meta({ title: "After", description: "Such as 20m" }),
    then2: people.meta({ title: "And then", description: "Others, after the time below", format: "people" }),
    after2: length.meta({ title: "After that", description: "From the request on, such as 1h" }),
    expires: length.meta({
      title: "Expires after",
      description: "The time in which it can be decided, such as 2h or 3d. At most 30 days",
    }),
    agent: z.enum(["run"]).optional().meta({
      title: "For agents",
      description:
        "run: agents run the commands below at once. Such a rule needs nothing (allowed), and takes nothing else but a project",
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
    risk: input.risk === "any" ? null : (input.risk ?? null),
    command,
    project,
    channels: channelsOf(input),
    ...(input.window === "outside" ? { outsideWindows: true as const } : {}),
    ...(await membersOf(input, context)),
    over: limitOf(input.over),
    overInDay: limitOf(input.day),
  };
  if ((when.over || when.overInDay) && when.risk !== null && when.risk !== "spend")
    throw wrongInput("risk", "A price is only about what costs money: choose spend, or leave it empty.");
  if (input.glass && !isOverridable(demand))
    throw wrongInput("glass", "An emergency override replaces an approval: choose one-approval or two-approvals.");
  const id = randomUUID().slice(0, 8);
  return {
    ...{ id, when, demand, overridable: input.glass },
    ...passkeyOf(input, demand, context.passkeys),
    ...(await waitOf(input, demand, context)),
  };
}

const everybody = "everybody";

/** The people whose acts the rule is about. */
async function membersOf(
  { who, "not-who": notWho }: RuleInput,
  context: AppContext,
): Promise<Pick<Rule["when"], "who" | "notWho">> {
  return {
    ...(who && who !== everybody ? { who: await pinned(context, who, { field: "who", agents: true }) } : {}),
    ...(notWho ? { notWho: await pinned(context, notWho, { field: "not-who", agents: true }) } : {}),
  };
}

/** The people who decide it or are notified, and its time. Without a decision by others, a rule has none of them. */
async function waitOf(
  input: RuleInput,
  demand: Rule["demand"],
  context: AppContext,
): Promise<Pick<Rule, "approvers" | "notify" | "steps" | "expiresAfter">> {
  const { approvers, notify, expires } = input;
  const named = (["approvers", "notify", "then", "then2"] as const).find((field) => input[field]);
  if (named && !needsOthers(demand))
    throw wrongInput(named, "Others decide only what needs approval: choose one-approval or two-approvals.");
  if (expires && (demand === "allowed" || demand === "not-allowed"))
    throw wrongInput("expires", "Only a request expires: choose confirm, one-approval or two-approvals.");
  const steps = await stepsOf(input, context);
  return {
    ...(approvers ? { approvers: await pinned(context, approvers, { field: "approvers" }) } : {}),
    ...(notify ? { notify: await readPeopleList(context, notify, { field: "notify" }) } : {}),
    ...(steps.length > 0 ? { steps } : {}),
    ...(expires ? { expiresAfter: lengthIn(expires) ?? longest } : {}),
  };
}

/** The people of a list that gives or takes a right, as they are now. One that cannot be read now is refused. */
async function pinned(
  context: AppContext,
  typed: string,
  { field, agents = false }: { field: string; agents?: boolean },
): Promise<PinnedPeople> {
  const list = await readPeopleList(context, typed, { field, agents });
  const { users, unread } = await resolvePeople(context, list, context.clock.now());
  const [problem] = unread;
  if (problem !== undefined) throw wrongInput(field, problem);
  if (users.length === 0 && !list.agents) throw wrongInput(field, "There is nobody in it now. Name other people.");
  return { list, users };
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
  { agent, commands, instead: _, project: __, ...others }: RuleInput,
  project: RuledProject | null,
  registry: AppContext["registry"],
): Rule {
  const { demand, ...more } = others;
  const anybody: readonly unknown[] = ["any", everybody];
  const isMore = Object.values(more).some((value) => value && !anybody.includes(value));
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
  const loss =
    "Requests that only this rule holds back may then run at once. If it loosens something, another admin must agree.";
  const asks = { act: "Remove this approval rule", loss };
  return [
    { label: "Change…", command: "rackbell policy set", input: valuesOf(rule), form: true },
    { label: "Remove…", command: "rackbell policy remove", input: { rule: rule.id }, asks },
  ];
}

/** The fields of the form: first how much is needed, for which acts and for whom. */
export function ruleFields(given: Record<string, unknown>): FormPages {
  const others = Object.keys(ruleInput.shape).filter((name) => !leading.includes(name));
  const isShown = (name: string) => isGiven(given[name]) && given[name] !== false;
  return { first: [...leading, ...others.filter(isShown)], more: others.filter((name) => !isShown(name)) };
}

const leading: readonly string[] = ["demand", "risk", "command", "who"];

/** The values with which `/rackbell policy set` makes the same rule in its place. */
export function valuesOf(rule: Rule): Record<string, string | boolean> {
  const { id, when, demand, overridable, passkey, approvers, notify, steps = [], expiresAfter } = rule;
  const { risk, command, project, channels, outsideWindows, agent, over, overInDay, who, notWho } = when;
  const [first, second] = steps;
  const values = {
    instead: id,
    project: project?.id ?? null,
    // The form asks for the first four of every rule. What agents run at once needs nothing, and is of nobody and of no kind of act.
    ...{ demand, risk: risk ?? "any", command, who: textOf(who?.list) ?? everybody },
    ...(agent ? { agent: "run", commands: agent.commands.join(", ") } : {}),
    ...{ over: amountOf(over), day: amountOf(overInDay) },
    ...(channels ? { [channels.are === "in" ? "in" : "outside"]: channels.ids.join(" ") } : {}),
    ...(outsideWindows ? { window: "outside" } : {}),
    "not-who": textOf(notWho?.list),
    approvers: textOf(approvers?.list),
    notify: textOf(notify),
    // biome-ignore lint/suspicious/noThenProperty: the word that people type; nobody awaits these values.
    ...(first ? { then: textOf(first.to), after: lengthText(first.after) } : {}),
    ...(second ? { then2: textOf(second.to), after2: lengthText(second.after) } : {}),
    expires: expiresAfter === undefined ? null : lengthText(expiresAfter),
    ...(passkey ? { passkey: true } : {}),
    ...(overridable ? { glass: true } : {}),
  };
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function textOf(list: PeopleList | undefined): string | null {
  return list ? peopleText(list) : null;
}

function amountOf(limit: Limit | null): string | null {
  return limit && `${limit.amount} ${limit.currency}`;
}
