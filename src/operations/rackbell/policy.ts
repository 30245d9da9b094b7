import { randomUUID } from "node:crypto";
import * as z from "zod";
import { rowBlocks } from "../../notifications/answers/answers.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import type { Proposal } from "../../policy/policy.ts";
import { effectAt, proposalSteps } from "../../policy/proposals.ts";
import {
  approvalLevels,
  type Channels,
  isBreakable,
  type Limit,
  type Rule,
  type RuledProject,
} from "../../policy/rule.ts";
import { demandLabels, demandWords, riskWords, ruleWords } from "../../policy/words.ts";
import { section, context as small } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { clip, code, listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { defineAppOperation } from "../app-operation.ts";
import { projectChoice } from "../project/project.ts";
import { ruleSteps } from "./rule-values.ts";

/**
 * The member who changes the rules. `second` are the admins of whom one must agree to loosened rules; null if no other person is
 * an admin.
 */
async function changer({ admins }: AppContext, { member, slackUser, keyLabel }: Actor, what: string) {
  return { member, slackUser, keyLabel, what, second: await admins.beside(member) };
}

function proposalWords(proposal: Proposal): string {
  return `:raised_hand: <@${userOf(proposal.by)}> proposed ${moment(proposal.at)}: ${proposal.what} It loosens something, so another admin must agree. If nobody stops it, it takes effect ${moment(effectAt(proposal))}.`;
}

/** Adds the reader to those who are notified of the proposal's end. */
async function markSeen({ policy }: AppContext, { slackUser }: Actor, { id, to, seen }: Proposal): Promise<void> {
  if (to.includes(slackUser) || seen.includes(slackUser) || seen.length >= mostSeen) return;
  await policy.note(id, (now) => ({ seen: [...new Set([...now.seen, slackUser])] }));
}

/** Readers after this number are not notified of the proposal's end: the stored list must stay small. */
const mostSeen = 100;

function userOf(member: string): string {
  return member.slice(member.indexOf(":") + 1);
}

const goneWords =
  " :warning: Your key sees no such project any more: it was deleted, or it is another account's. The rule stays until an admin removes it.";

const rulesStep = { label: "The rules", command: "rackbell policy" };

export const policy = defineAppOperation({
  command: "rackbell policy",
  synonyms: ["rules"],
  summary: "Show the approval rules",
  verb: "Show approval rules",
  input: z.object({}),
  async run({ context, actor }) {
    await context.ruledProjects.settle();
    const { rules: kept, proposal } = await context.policy.read();
    const { rules, gone } = await context.ruledProjects.asSeenBy(actor.member, kept);
    const { mode, ttl } = context.approvals;
    const admin = await context.access.isAdmin(actor.slackUser);
    const find = (command: string) => context.registry.find(command) ?? null;
    const rows = rules.flatMap((rule) =>
      rowBlocks(
        `${code(rule.id)} ${ruleWords(rule)}${gone.has(rule.id) ? goneWords : ""}`,
        rule.id,
        admin ? ruleSteps(rule) : [],
        find,
      ),
    );
    const otherwise = `Default: destroying ${demandWords[mode]}, spending ${demandWords.self}, everything else runs at once. If several rules match, the strictest applies. A request expires after ${duration(ttl)}.`;
    if (proposal) await markSeen(context, actor, proposal);
    const waiting = proposal ? [section(proposalWords(proposal))] : [];
    const headline = rules.length === 0 ? "There are no rules yet" : "The rules of this workspace";
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...rows, ...waiting, small(otherwise)],
      next: admin
        ? [{ label: "Add a rule…", command: "rackbell policy add" }, ...(proposal ? proposalSteps(proposal) : [])]
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
  synonyms: ["rule add"],
  summary: "For admins: add an approval rule",
  admins: true,
  verb: "Add an approval rule",
  input: z
    .object({
      demand: z.enum(approvalLevels).optional().meta({
        title: "Needs",
        labels: demandLabels,
        description: "allowed: at once; self: confirm; peer: one approval; peers: two approvals; never: not allowed",
      }),
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
        description:
          "The machine's maintenance windows, which admins set with /rackbell maintenance. Empty: at any time",
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
      glass: z.boolean().default(false).meta({
        title: "Emergency override",
        description:
          "For peer and peers: an admin may run it without approval. The channel sees it, and another admin reviews it",
      }),
      instead: z.string().max(40).optional().meta({
        title: "Instead of",
        description: "The id of the rule that this one replaces. Empty: a new rule",
      }),
    })
    // Without either, the form asks.
    .refine(({ demand, agent }) => demand !== undefined || agent !== undefined, {
      path: ["demand"],
      message: "choose what it needs: allowed, self, peer, peers or never.",
    }),
  async preview({ context, actor, input }) {
    return ruleWords(ruleOf(input, await projectNamed(input.project, context, actor), context));
  },
  async run({ context, actor, input }) {
    await context.ruledProjects.settle();
    const made = ruleOf(input, await projectNamed(input.project, context, actor), context);
    const before = input.instead ? await ruleNamed(context, input.instead, "instead") : null;
    const rule = before ? { ...made, id: before.id } : made;
    const what = before ? `Changed: ${ruleWords(rule)} Before: ${ruleWords(before)}` : `Added: ${ruleWords(rule)}`;
    const outcome = await context.policy.change(
      (rules) => (before ? rules.map((one) => (one.id === rule.id ? rule : one)) : [...rules, rule]),
      await changer(context, actor, what),
    );
    return answer(outcome, what);
  },
});

export const policyRemove = defineAppOperation({
  command: "rackbell policy remove",
  synonyms: ["rule remove"],
  summary: "For admins: take a rule away, by its id",
  admins: true,
  verb: "Remove an approval rule",
  input: z.object({ rule: z.string().meta({ title: "Rule", description: "Its id, as /rackbell policy shows it" }) }),
  positional: "rule",
  async run({ context, actor, input }) {
    const gone = await ruleNamed(context, input.rule, "rule");
    const what = `Removed: ${ruleWords(gone)}`;
    const outcome = await context.policy.change(
      (now) => now.filter(({ id }) => id !== gone.id),
      await changer(context, actor, what),
    );
    return answer(outcome, what);
  },
});

async function ruleNamed({ policy }: AppContext, typed: string, field: string): Promise<Rule> {
  const { rules } = await policy.read();
  const found = rules.find(({ id }) => id === typed.trim());
  if (!found) throw wrongInput(field, "There is no such rule. Type /rackbell policy to see all.");
  return found;
}

function answer(outcome: "changed" | "proposed", what: string) {
  const text =
    outcome === "changed"
      ? `${what} In effect now, for open requests as well.`
      : `${what} That loosens something, so it waits: another admin agrees with it. Every admin gets it by direct message. If none stops it, it takes effect in 24 hours. Nothing changed yet.`;
  return { text, next: [rulesStep] };
}

const proposalInput = z.object({
  change: z
    .string()
    .optional()
    .meta({ title: "Change", description: "The change that you were shown: the buttons carry it" }),
});

export const policyAgree = defineAppOperation({
  command: "rackbell policy agree",
  summary: "For admins: agree with a change of the rules that another admin proposed",
  admins: true,
  verb: "Agree with a change",
  input: proposalInput,
  async run({ context, actor, input }) {
    const { proposal } = await context.policy.read();
    if (!proposal) return { text: "No change of the rules waits.", next: [rulesStep] };
    if (input.change !== proposal.id) {
      await markSeen(context, actor, proposal);
      const why = input.change === undefined ? "" : "Another change waits by now than the one that you were shown. ";
      return {
        text: `${why}${proposalWords(proposal)} Nothing changed yet: read it, and press *Agree*.`,
        next: proposalSteps(proposal),
      };
    }
    await context.admins.requireSettled(actor, { member: proposal.by, slackUser: userOf(proposal.by) });
    const { member, slackUser, keyLabel } = actor;
    if (!(await context.policy.agree(proposal.id, { member, slackUser, keyLabel, what: proposal.what })))
      throw new Refusal("Another change of the rules came first. Nothing changed.", [rulesStep]);
    return { text: `${proposal.what} In effect now.`, next: [rulesStep] };
  },
});

export const policyDrop = defineAppOperation({
  command: "rackbell policy drop",
  summary: "For admins: drop a change of the rules that waits",
  verb: "Drop a change",
  input: proposalInput,
  async run({ context, actor, input }) {
    const { access, admins } = context;
    const hasSay = (await access.isAdmin(actor.slackUser)) || (await admins.withSay()).includes(actor.slackUser);
    if (!hasSay) throw new Refusal("Only an admin of this workspace can stop a change of the rules. Nothing changed.");
    const { member, slackUser, keyLabel } = actor;
    const what = "The proposed change was dropped.";
    const dropped = await context.policy.drop(input.change, { member, slackUser, keyLabel, what });
    if (dropped) return { text: `${what} The rules are as they were.`, next: [rulesStep] };
    const { proposal } = await context.policy.read();
    if (!proposal) return { text: "No change of the rules waits.", next: [rulesStep] };
    await markSeen(context, actor, proposal);
    return {
      text: `Another change waits by now than the one that you were shown. ${proposalWords(proposal)}`,
      next: proposalSteps(proposal),
    };
  },
});

export const policyTry = defineAppOperation({
  command: "rackbell policy try",
  summary: "Show which approval rule applies to a command, without running it",
  verb: "Try the rules",
  input: z.object({ what: z.string().meta({ title: "Command", description: "Such as vps cancel web-1" }) }),
  positional: "what",
  verbatim: true,
  async run({ context, actor, input, channel, now }) {
    return { text: await context.tryOut(input.what.replace(/^\//, ""), { ...actor, channel }, now) };
  },
});

interface RuleInput {
  demand?: Rule["demand"] | undefined;
  agent?: "run" | undefined;
  commands?: string | undefined;
  risk?: Rule["when"]["risk"] | undefined;
  command?: string | undefined;
  in?: string | undefined;
  outside?: string | undefined;
  window?: "outside" | undefined;
  over?: string | undefined;
  day?: string | undefined;
  glass: boolean;
}

/** A project by name, slug or id. A rule stores the id, so the admin needs a key that can read it. */
async function projectNamed(
  typed: string | undefined,
  { identities }: AppContext,
  { member }: { member: string },
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
      : `There is no project “${typed}”. There is ${listing(choices.slice(0, 10).map(({ label }) => label))}.`;
  throw wrongInput("project", why);
}

function ruleOf(ruleInput: RuleInput, project: RuledProject | null, { registry }: AppContext): Rule {
  const { demand } = ruleInput;
  if (ruleInput.agent) return agentRuleOf(ruleInput, project, registry);
  if (ruleInput.commands) throw wrongInput("commands", "Only a rule with agent=run takes commands. Use command= here.");
  if (!demand) throw wrongInput("demand", "Choose what it needs: allowed, self, peer, peers or never.");
  const command = commandOf(ruleInput.command, registry);
  const when = {
    risk: ruleInput.risk ?? null,
    command,
    project,
    channels: channelsOf(ruleInput),
    ...(ruleInput.window ? { outsideWindows: true as const } : {}),
    over: limitOf(ruleInput.over),
    overInDay: limitOf(ruleInput.day),
  };
  if ((when.over || when.overInDay) && when.risk !== null && when.risk !== "spend")
    throw wrongInput("risk", "A price is only about what costs money: choose spend, or leave it empty.");
  if (ruleInput.glass && !isBreakable(demand))
    throw wrongInput("glass", "An emergency override replaces an approval: choose peer or peers.");
  return { id: randomUUID().slice(0, 8), when, demand, breakGlass: ruleInput.glass };
}

/** A rule that lets agents run commands at once. Commands that destroy, spend or give access are in no such rule. */
function agentRuleOf(
  { agent, commands, glass, ...others }: RuleInput,
  project: RuledProject | null,
  registry: AppContext["registry"],
): Rule {
  const { demand, risk, command, in: inside, outside, window, over, day } = others;
  if ((demand && demand !== "allowed") || risk || command || inside || outside || window || over || day || glass)
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
  return { id: randomUUID().slice(0, 8), when, demand: "allowed", breakGlass: false };
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
