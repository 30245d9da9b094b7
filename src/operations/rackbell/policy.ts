import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import type { AuditKind } from "../../audit/kinds.ts";
import { slackUserIn } from "../../members/identities/person.ts";
import { adminsWithSay, isAdmin, isSecondPerson, requireSettledAdmin, secondAdmins } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import type { Answer } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { uploadSchema } from "../../operation/input.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { operationsGained } from "../../operation/same-act.ts";
import { conflictWords } from "../../policy/conflicts.ts";
import { isUnder } from "../../policy/evaluate.ts";
import {
  agreeWithProposal,
  asksForPasskeys,
  changeRules,
  dropProposal,
  findProposal,
  lapseProposal,
  noteProposal,
  type RuleProposal,
  readPolicy,
  unprovenBy,
  wouldLoosen,
} from "../../policy/policy.ts";
import { proposalSteps, silenceWords } from "../../policy/proposals.ts";
import { mostRules, type Rule } from "../../policy/rule.ts";
import { rulesAsSeenBy } from "../../policy/ruled-projects.ts";
import { demandWords, ruleWords } from "../../policy/words.ts";
import { plainly } from "../../process/plain-text.ts";
import { showProtection } from "../../requests/facets/protection/steps.ts";
import { tryOut } from "../../requests/trial.ts";
import { accessOf } from "../../requests/visibility.ts";
import { type Block, section, context as small } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { code, count, listingOf } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { type RuleInput, readRule, ruleFields, ruleInput, ruleSteps } from "./rule-input.ts";
import { findLockouts, refuseLockout } from "./rule-lockout.ts";
import { differenceWords, longestText, namesFor, rulesOfText, rulesText } from "./rule-text.ts";

/**
 * The member who changes the rules. `second` are the admins of whom one must agree to loosened rules; null if no other person is
 * an admin.
 */
async function changer(context: AppContext, actor: Actor, command: string, outcome: string) {
  return { ...actor, command, outcome, second: await secondAdmins(context, actor.member) };
}

function proposalWords(proposal: RuleProposal, what: string): string {
  return `:raised_hand: <@${slackUserIn(proposal.by)}> proposed ${moment(proposal.at)}: ${what} It loosens something, so another admin must agree. ${silenceWords(proposal)}`;
}

/** Adds the reader to those who are notified of the proposal's end. */
async function markSeen(context: AppContext, { slackUser }: Actor, { id, to, seen }: RuleProposal): Promise<void> {
  if (to.includes(slackUser) || seen.includes(slackUser) || seen.length >= mostSeen) return;
  await noteProposal(context, id, (now) => ({ seen: [...new Set([...now.seen, slackUser])] }));
}

/** Readers after this number are not notified of the proposal's end: the stored list must stay small. */
const mostSeen = 100;

const goneWords =
  " :warning: Your key sees no such project any more: it was deleted, or it is another account's. The rule stays until an admin removes it.";

const rulesStep = { label: "The rules", command: "rackbell policy" };

export const policy = defineAppOperation({
  command: "rackbell policy",
  synonyms: [
    ...["rules", "policy try"],
    { words: "policy export", input: { export: "yes" } },
    { words: "policy agree", positional: "agree", renamed: { change: "agree" } },
  ],
  summary: "Show the approval rules; with a command after it, show which one applies to it, without running it",
  example: "/rackbell policy",
  admins: ["agree", "export"],
  verb: "Show approval rules",
  input: z.object({
    what: z.string().optional().meta({ title: "Command", description: "Such as vps cancel web-1" }),
    agree: z
      .string()
      .optional()
      .meta({ title: "Agree with the change", description: "The buttons carry it", byButton: true }),
    export: z.boolean().optional().meta({ title: "Export", description: "All rules as a text", byButton: true }),
  }),
  positional: "what",
  verbatim: true,
  async passkey({ context, input: { agree } }) {
    const proposal = findProposal(await readPolicy(context), agree ?? "");
    if (!proposal || !(await asksForPasskeys(context))) return null;
    return {
      text: `${proposal.what} <@${slackUserIn(proposal.by)}> proposed it, and it loosens something.`,
      facts: proposal.id,
      entries: ["policy changed"] satisfies AuditKind[],
      outcome: proposal.what,
    };
  },
  async run({ context, actor, input: { what, agree: change, export: exports }, channel, now }): Promise<Answer> {
    if (exports) return exportRules(context);
    if (change !== undefined) return agree(context, actor, change);
    if (what === undefined) return showRules(context, actor);
    const { requests, parse } = context;
    return { text: await tryOut(requests, parse, what.replace(/^\//, ""), { ...actor, channel }, now) };
  },
});

async function showRules(context: AppContext, actor: Actor): Promise<Answer> {
  const { rules: kept, proposals } = await readPolicy(context);
  const { rules, gone } = await rulesAsSeenBy(context, actor.member, kept);
  const { spend, destroy } = context.approvalDefaults;
  const admin = await isAdmin(context, actor.slackUser);
  const lockouts = await findLockouts(context, rules, rules);
  const warningOf = ({ id }: Rule) => (lockouts.has(id) ? ` :warning: ${lockouts.get(id)}` : "");
  const rows = rules.flatMap((rule) =>
    rowBlocks(
      `${code(rule.id)} ${ruleWords(rule)}${gone.has(rule.id) ? goneWords : ""}${warningOf(rule)}`,
      rule.id,
      admin ? ruleSteps(rule) : [],
      context.registry.find,
    ),
  );
  const otherwise = `Default: destroying ${demandWords[destroy]}, spending ${demandWords[spend]}, everything else runs at once. An act that interrupts a service or ends a password asks its requester first. If several rules match, the strictest applies. A request expires after ${duration(context.approvals.ttl)}.`;
  const waiting = await waitingRows(context, actor, proposals);
  const headline = rules.length === 0 ? "There are no rules yet" : "The rules of this workspace";
  return {
    ...headed(headline, [...rows, ...waiting, small(otherwise)]),
    next: admin
      ? [
          { label: "Add a rule…", command: "rackbell policy set" },
          ...(rules.length > 0 ? [{ label: "Export", command: "rackbell policy", input: { export: true } }] : []),
          { label: "Import…", command: "rackbell policy import", form: true as const },
        ]
      : [],
  };
}

/** The changes that wait, each with the buttons for this reader, who is notified of its end from now on. */
async function waitingRows(context: AppContext, actor: Actor, proposals: readonly RuleProposal[]): Promise<Block[]> {
  if (proposals.length === 0) return [];
  const admin = await isAdmin(context, actor.slackUser);
  const hasSay = admin || (await adminsWithSay(context)).includes(actor.slackUser);
  const look = accessOf(context.requests, actor);
  const rows: Block[] = [];
  for (const proposal of proposals) {
    // A protection has the name of its resource. Admins must know what they agree with.
    const { lifts, what } = proposal;
    const isNamed = admin || lifts === null || (await look.machinesOf({ by: "", machines: [{ id: lifts, name: "" }] }));
    const words = isNamed ? what : "a protection ends, of a resource that your keys do not list.";
    await markSeen(context, actor, proposal);
    const unchanged = admin ? ` Nothing changed yet${await agreeWords(context, actor, proposal)}` : "";
    const steps = hasSay ? await proposalSteps(context, actor.member, proposal) : [];
    const offered = steps.filter((step) => admin || step.command === drops);
    rows.push(
      ...rowBlocks(`${proposalWords(proposal, words)}${unchanged}`, proposal.id, offered, context.registry.find),
    );
  }
  return rows;
}

/** The answer to somebody who decides a change that waits no more, or did not say which: those that wait. */
async function waitingAnswer(context: AppContext, actor: Actor, lead: string): Promise<Answer> {
  const { proposals } = await readPolicy(context);
  if (proposals.length === 0) return { text: "No change of the rules waits.", next: [rulesStep] };
  return { text: lead, blocks: [section(lead), ...(await waitingRows(context, actor, proposals))] };
}

const otherWaits = "Another change waits by now than the one that you were shown.";

/** The text for a file in Git. Only an admin gets it, since it names each project and channel. */
async function exportRules(context: AppContext): Promise<Answer> {
  const { rules } = await readPolicy(context);
  const content = rulesText(rules, await namesFor(context, rules));
  return {
    text: `${count(rules.length, "approval rule")} as a text. *Import…* in \`/rackbell policy\` takes it again, and shows the difference first.`,
    file: { name: "approval-rules.txt", content },
  };
}

export const policySet = defineAppOperation({
  command: "rackbell policy set",
  synonyms: ["policy add", "rule add", "rule set"],
  summary: "For admins: set an approval rule; its form says what the rule means",
  example: "/rackbell policy set demand=one-approval risk=destroy",
  admins: true,
  verb: "Set an approval rule",
  input: ruleInput,
  pages: ruleFields,
  async preview({ context, actor, input }) {
    return (await readNew(context, actor, input)).words;
  },
  async passkey({ context, actor, input }) {
    const { change, what } = await readAddition(context, actor, input);
    return loosening(context, change, what);
  },
  async run({ context, actor, input }) {
    const { change, what } = await readAddition(context, actor, input);
    const outcome = await changeRules(context, change, await changer(context, actor, "rackbell policy set", what));
    return answer(context, outcome, what);
  },
});

/** The rule of the input, the one whose place it takes, and its words with those of its conflicts. Refuses one that locks everybody out. */
async function readNew(context: AppContext, actor: Actor, input: RuleInput) {
  const made = await readRule(input, context, actor);
  const before = input.instead ? await ruleNamed(context, input.instead, "instead") : null;
  const rule = before ? { ...made, id: before.id } : made;
  const { rules } = await readPolicy(context);
  if (!before && rules.length >= mostRules)
    throw wrongInput("demand", `There are ${mostRules} rules, and no more can be. Nothing changed. Remove one first.`);
  await refuseLockout(context, rule, rules);
  return { rule, before, words: `${ruleWords(rule)}${gainedWords(context, rule)}${conflictWords(rule, rules)}` };
}

/** The change that adds the rule of the input, or puts it in another's place, in words. */
async function readAddition(context: AppContext, actor: Actor, input: RuleInput) {
  const { rule, before, words } = await readNew(context, actor, input);
  const what = before ? `Changed: ${words} Before: ${ruleWords(before)}` : `Added: ${words}`;
  const change = (rules: readonly Rule[]) =>
    before ? rules.map((one) => (one.id === rule.id ? rule : one)) : [...rules, rule];
  return { change, what };
}

/** The commands that a strict rule covers beside those that it names, as a sentence. A rule that permits covers none. */
function gainedWords({ registry }: AppContext, { when, demand }: Rule): string {
  const { command: named, risk, agent } = when;
  if (named === null || agent || demand === "allowed") return "";
  const isRuled = ({ risks }: PlatformOperation) =>
    risk === null ? demand === "not-allowed" || risks.some((each) => each !== "read") : risks.includes(risk);
  const gained = operationsGained(registry, (command) => isUnder(command, named)).filter(isRuled);
  if (gained.length === 0) return "";
  const commands = gained.map(({ command }) => code(`/${command}`));
  return ` It also applies to ${listingOf(commands, mostGained)}, where they do the same to the same kind.`;
}

const mostGained = 8;

/** While a rule needs a passkey, each looser rule takes one as well: else the rules would be the way around it. */
async function loosening(context: AppContext, change: (rules: readonly Rule[]) => Rule[], what: string) {
  const isAsked = (await asksForPasskeys(context)) && (await wouldLoosen(context, change));
  if (!isAsked) return null;
  const entries: AuditKind[] = ["policy change proposed", "policy changed"];
  return {
    text: `${what} That loosens something.`,
    facts: (await readPolicy(context)).version,
    entries,
    outcome: what,
  };
}

const importInput = z
  .object({
    file: uploadSchema(longestText).optional().meta({
      title: "File",
      description: "All rules, as the export has them. A rule that is left out is removed",
    }),
    text: z.string().max(longestText).optional().meta({
      title: "Text",
      description: "The same as a text of at most 3,000 characters, in place of the file",
      format: "lines",
    }),
  })
  .refine(({ file, text }) => (file === undefined) !== (text === undefined), {
    path: ["file"],
    message: "give the rules as a file or as a text: one of the two.",
  });

export const policyImport = defineAppOperation({
  command: "rackbell policy import",
  synonyms: ["rules import"],
  summary: "For admins: put the rules of a file or text in the place of all; its form shows the difference",
  example: "/rackbell policy import",
  admins: true,
  verb: "Import approval rules",
  phrase: "Import rules",
  input: importInput,
  pages: () => ({ first: ["file", "text"], more: [], check: "Show the difference" }),
  async preview({ context, actor, input }) {
    return (await readImport(context, actor, input)).what;
  },
  async passkey({ context, actor, input }) {
    const { change, what } = await readImport(context, actor, input);
    return loosening(context, change, what);
  },
  async run({ context, actor, input }) {
    const { change, what } = await readImport(context, actor, input);
    const by = await changer(context, actor, "rackbell policy import", what);
    return answer(context, await changeRules(context, change, by), what);
  },
});

/** The change that puts the rules of a text in the place of all rules, with the difference in words. */
async function readImport(context: AppContext, actor: Actor, { file, text }: z.output<typeof importInput>) {
  const { rules } = await readPolicy(context);
  const about = { member: actor.member, field: file ? "file" : "text" };
  const next = await rulesOfText(file ? textInFile(file) : (text ?? ""), rules, context, about);
  const what = differenceWords(rules, next) ?? "These are the rules of now: nothing changes.";
  const change = (now: readonly Rule[]) => {
    if (isDeepStrictEqual(now, rules)) return next;
    throw new Refusal("The rules changed at the same moment. Nothing changed. Import the text again.", [rulesStep]);
  };
  return { change, what };
}

function textInFile({ name, content }: { name: string; content: string }): string {
  const bytes = Buffer.from(content, "base64");
  if (!isUtf8(bytes)) throw wrongInput("file", plainly`${name} is not plain text. Nothing changed.`);
  return bytes.toString("utf8");
}

export const policyRemove = defineAppOperation({
  command: "rackbell policy remove",
  synonyms: ["rule remove"],
  summary: "For admins: take a rule away, by its id",
  example: "/rackbell policy remove rule=1a2b3c4d",
  admins: true,
  verb: "Remove an approval rule",
  input: z.object({ rule: z.string().meta({ title: "Rule", description: "Its id, as /rackbell policy shows it" }) }),
  positional: "rule",
  async passkey({ context, input }) {
    const gone = await ruleNamed(context, input.rule, "rule");
    return loosening(context, (now) => now.filter(({ id }) => id !== gone.id), `Removed: ${ruleWords(gone)}`);
  },
  async run({ context, actor, input }) {
    const gone = await ruleNamed(context, input.rule, "rule");
    const what = `Removed: ${ruleWords(gone)}`;
    const outcome = await changeRules(
      context,
      (now) => now.filter(({ id }) => id !== gone.id),
      await changer(context, actor, "rackbell policy remove", what),
    );
    return answer(context, outcome, what);
  },
});

async function ruleNamed(context: AppContext, typed: string, field: string): Promise<Rule> {
  const { rules } = await readPolicy(context);
  const found = rules.find(({ id }) => id === typed.trim());
  if (!found) throw wrongInput(field, "There is no such rule. Type /rackbell policy to see all.");
  return found;
}

async function answer(context: AppContext, outcome: "changed" | "proposed", what: string): Promise<Answer> {
  if (outcome === "changed") return { text: `${what} In effect now, for open requests as well.`, next: [rulesStep] };
  const waiting = (await readPolicy(context)).proposals.filter(({ lifts }) => lifts === null);
  const beside =
    waiting.length > 1
      ? ` ${count(waiting.length, "change")} of the rules wait now: the first that takes effect ends the others.`
      : "";
  return {
    text: `${what} That loosens something, so it waits: another admin agrees with it. Every admin gets it by direct message. If none stops it, it takes effect in 24 hours. Nothing changed yet.${beside}`,
    next: [rulesStep],
  };
}

/** Agrees with the change of this id, which the buttons carry: nobody agrees with another one than they were shown. */
async function agree(context: AppContext, actor: Actor, change: string): Promise<Answer> {
  const proposal = findProposal(await readPolicy(context), change);
  if (!proposal) return waitingAnswer(context, actor, otherWaits);
  await requireSettledAdmin(context, actor, { member: proposal.by, slackUser: slackUserIn(proposal.by) });
  const problem = await unprovenBy(context, proposal);
  if (problem !== null) {
    await lapseProposal(context, proposal.id, problem);
    throw new Refusal("Its proposer must prove it with a passkey that they have. Nothing changed.", [rulesStep]);
  }
  const by = { ...actor, command: "rackbell policy", outcome: proposal.what };
  if (!(await agreeWithProposal(context, proposal.id, by)))
    throw new Refusal("Another change of the rules came first. Nothing changed.", [rulesStep]);
  if (proposal.lifts !== null) await showProtection(context.requests, proposal.lifts);
  return { text: `${proposal.what} In effect now.`, next: [rulesStep] };
}

/** The end of the sentence: its proposer cannot agree, and has nothing to press. */
async function agreeWords(context: AppContext, actor: Actor, { by }: RuleProposal): Promise<string> {
  const isOther = await isSecondPerson(context, actor.member, by);
  return isOther ? ": read it, and press *Agree*." : ". Another person who is an admin must agree.";
}

const drops = "rackbell policy drop";

export const policyDrop = defineAppOperation({
  command: drops,
  summary: "For admins: drop a change of the rules that waits",
  example: "/rackbell policy drop",
  verb: "Drop a change",
  input: z.object({
    change: z
      .string()
      .optional()
      .meta({ title: "Change", description: "The change that you were shown: the buttons carry it" }),
  }),
  async run({ context, actor, input }) {
    const admin = await isAdmin(context, actor.slackUser);
    const hasSay = admin || (await adminsWithSay(context)).includes(actor.slackUser);
    if (!hasSay) throw new Refusal("Only an admin of this workspace can stop a change of the rules. Nothing changed.");
    const { proposals } = await readPolicy(context);
    const [only, ...others] = proposals;
    const change = input.change ?? (others.length === 0 ? only?.id : undefined);
    if (change === undefined) return waitingAnswer(context, actor, "Several changes wait: stop the one that you mean.");
    const outcome = "The proposed change was dropped.";
    if (!(await dropProposal(context, change, { ...actor, command: drops, outcome })))
      return waitingAnswer(context, actor, otherWaits);
    return { text: `${outcome} Rules and protections are as they were.`, next: [rulesStep] };
  },
});
