import * as z from "#zod";
import type { AssertionFault } from "../../audit/assertions.ts";
import { type AuditQuery, type FoundEntry, newestEntries } from "../../audit/audit.ts";
import { checkpointNote, readNote } from "../../audit/checkpoint.ts";
import { type AuditEntry, itself, operator } from "../../audit/entry.ts";
import { exportedText, sealForExport } from "../../audit/export.ts";
import { peopleOf } from "../../audit/kinds.ts";
import { ocsfEvent } from "../../audit/ocsf.ts";
import { postCheckpointNow } from "../../audit/posting.ts";
import { withoutReason } from "../../audit/proof.ts";
import { sealEveryMs } from "../../audit/timers.ts";
import { type IntegrityFault, type VerifyResult, verifyAudit } from "../../audit/verify.ts";
import { memberBeside, slackUserIn } from "../../members/identities/person.ts";
import { changeSettings, readSettings } from "../../members/settings/settings.ts";
import { isAdmin } from "../../messages/admins.ts";
import type { Answer, Json } from "../../operation/answer.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { placeProblem } from "../../requests/audience.ts";
import { agentWhy } from "../../requests/facets/agent/view.ts";
import type { MemberRef } from "../../requests/request.ts";
import { readRequest } from "../../requests/store.ts";
import { accessOf, isKnownIn, isOpenToAll } from "../../requests/visibility.ts";
import { type Block, section, context as small } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import type { TableCell } from "../../views/table.ts";
import { clipMarkup, code, count, oneLine, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { pastTimeHint, readPastSpan, spanWords } from "../kits/past-times.ts";
import { personIdOf } from "./admin.ts";

const perPage = 10;
const mostExported = 10_000;
const timeHint = pastTimeHint("on your clock");

const AuditInput = z.object({
  about: z
    .string()
    .optional()
    .meta({ title: "About", description: "A name or id, or a command such as vps reinstall" }),
  everyone: z.boolean().default(false).meta({ title: "Everybody's", description: "For admins" }),
  export: z.boolean().default(false).meta({ title: "As a file" }),
  format: z.enum(["csv", "ocsf", "json"]).default("csv").meta({
    title: "File format",
    description:
      "csv: a spreadsheet; ocsf: JSON lines in OCSF, class API Activity; json: all of each entry, to verify it elsewhere",
  }),
  agent: z.string().optional().meta({ title: "Agent", description: "Only what an agent of this name proposed" }),
  who: z.string().max(100).optional().meta({
    title: "Who",
    description: "Only what this person asked or decided. For admins, unless it is you",
    format: "person",
  }),
  since: z.string().max(40).optional().meta({ title: "Since", description: timeHint }),
  until: z.string().max(40).optional().meta({ title: "Until", description: timeHint }),
  before: z.string().optional().meta({ title: "Older than" }),
});

export const audit = defineAppOperation({
  command: "rackbell audit",
  verb: "Show the audit log",
  synonyms: ["log", "history"],
  summary: "Show the audit log: your own entries, or everybody's for admins",
  example: "/rackbell audit web-1",
  input: AuditInput,
  positional: "about",
  async run({ context, actor, input, now }) {
    const admin = await isAdmin(context, actor.slackUser);
    const who = input.who ? personIdOf(input.who, "who") : null;
    if (who !== null && who !== actor.slackUser && !admin)
      throw new Refusal("Only admins see the entries of others. `/rackbell audit` shows yours.");
    const span = readPastSpan(input, { now, zone: await context.zoneOf(actor.slackUser) });
    const all = input.everyone && admin && who === null;
    const asked: AskedEntries = {
      input,
      reader: actor,
      who,
      all,
      span,
      refused: input.everyone && !admin ? " Only admins see everybody's; these are yours." : "",
      query: {
        member: all ? undefined : who === null ? actor.member : memberBeside(actor.member, who),
        ...span,
        about: input.about,
        agent: input.agent,
        before: input.before,
      },
    };
    return input.export ? exportEntries(context, asked) : listEntries(context, asked);
  },
});

/** The entries that a member asked for, and may see. */
interface AskedEntries {
  input: z.infer<typeof AuditInput>;
  /** The member who reads them. */
  reader: MemberRef;
  who: string | null;
  all: boolean;
  span: ReturnType<typeof readPastSpan>;
  /** A sentence if the reader may not see all that they asked for. */
  refused: string;
  query: Omit<AuditQuery, "limit">;
}

/** `isPart`: the reader may not see all of its request, so `entry` is without the reasons and the loss. `data` still has them. */
interface ShownEntry extends FoundEntry {
  isPart: boolean;
}

/** The reason of a request that only its requester saw is shown to them alone, and so is their agent's. */
function shownTo(reader: MemberRef, isPart: boolean, found: FoundEntry): ShownEntry {
  const { entry } = found;
  const isOwn = entry.member === reader.member;
  if (isOwn || !(entry.alone || isPart)) return { ...found, isPart: false };
  const bare = { ...entry, reason: undefined, agent: entry.agent && { ...entry.agent, why: "" } };
  if (!isPart) return { ...found, isPart, entry: bare, data: withoutReason(found.data) };
  // Until an act is sent, its outcome is the loss, or the words of those who decide. A passkey signed the reason, too.
  const outcome = entry.result === undefined ? privateOutcome : entry.outcome;
  return { ...found, isPart, entry: { ...bare, outcome, assertion: undefined } };
}

const privateOutcome = "Its request is private: those who decide it see the rest.";

async function readEntries(
  context: AppContext,
  { query, reader }: AskedEntries,
  limit: number,
  begun = false,
): Promise<ShownEntry[]> {
  const { requests } = context;
  const found = await newestEntries(context, { ...query, limit, begun });
  const access = accessOf(requests, reader);
  const channels = new Map(found.map(({ entry: { request, channel = null } }) => [request, channel]));
  const isWhole = async (id: string, channel: string | null) => {
    const request = await readRequest(requests, id).catch(() => undefined);
    // Of an expired request, or one that cannot be read, the entry itself names the place in which it was asked for.
    if (!request) return isOpenToAll(requests, channel);
    return (await isKnownIn(requests, null, request)) || (await access.at(request)) === "whole";
  };
  const parts = new Map<string | null, boolean>();
  for (const [id, channel] of channels) if (id !== null) parts.set(id, !(await isWhole(id, channel)));
  return found.map((one) => shownTo(reader, parts.get(one.entry.request) ?? false, one));
}

async function exportEntries(context: AppContext, asked: AskedEntries): Promise<Answer> {
  const { input, who, all, span, refused } = asked;
  if (input.format === "json") await sealForExport(context);
  const read = await readEntries(context, asked, mostExported, true);
  // An entry without its reasons and its loss no longer fits its checkpoint.
  const entries = input.format === "json" ? read.filter(({ isPart }) => !isPart) : read;
  const left = read.length - entries.length;
  const leftWords = left === 0 ? "" : ` It lacks ${count(left, "entry", "entries")} of private requests.`;
  const oldest = read.at(-1);
  const older =
    read.length === mostExported && oldest
      ? `, the newest. For those before them, add ${code(`before=${oldest.id}`)}.`
      : ".";
  return {
    text: `${count(entries.length, "audit entry", "audit entries")}${ofWords(who, all)}${spanWords(span)}${older}${leftWords}${refused}`,
    file:
      input.format === "json"
        ? { name: "rackbell-audit.json", content: await exportedText(context, entries, choiceOf(input, { all, left })) }
        : files[input.format](entries),
  };
}

async function listEntries(context: AppContext, asked: AskedEntries): Promise<Answer> {
  const { input, who, all, span, refused } = asked;
  const entries = await readEntries(context, asked, perPage + 1);
  const shown = entries.slice(0, perPage);
  const about = `${input.about ? ` about ${code(input.about)}` : ""}${input.agent ? ` through the agent ${code(input.agent)}` : ""}`;
  const looked = `${ofWords(who, all)}${about}${spanWords(span)}`;
  if (shown.length === 0) return { text: `No ${input.before === undefined ? "" : "older "}entry${looked}.${refused}` };
  const choice = choiceInput(asked);
  const last = shown.at(-1);
  return {
    text: `Audit entries${looked}, newest first.${refused}`,
    blocks: [section(`*Audit entries${looked}, newest first*${refused}`), ...shown.map(row)],
    next: [
      ...(entries.length > perPage && last
        ? [{ label: "Older", command: "rackbell audit", input: { ...choice, before: last.id }, replace: true }]
        : []),
      { label: "As a file", command: "rackbell audit", input: { ...choice, export: true } },
      { label: "As OCSF", command: "rackbell audit", input: { ...choice, export: true, format: "ocsf" } },
    ],
  };
}

/** The inputs of the same choice for a button, with its span as it was read now: "2h" must mean the same when it is pressed later. */
function choiceInput({ input, span }: AskedEntries): Record<string, Json> {
  return {
    everyone: input.everyone,
    ...(input.about ? { about: input.about } : {}),
    ...(input.agent ? { agent: input.agent } : {}),
    ...(input.who ? { who: input.who } : {}),
    ...(span.from === null ? {} : { since: secondOf(Math.floor(span.from / 1_000)) }),
    ...(span.to === null ? {} : { until: secondOf(Math.ceil(span.to / 1_000)) }),
  };
}

/** " of @Ana", " of everybody" or " of yours", after the noun. */
function ofWords(who: string | null, all: boolean): string {
  if (who !== null) return ` of <@${who}>`;
  return all ? " of everybody" : " of yours";
}

/** A moment, in whole seconds since the epoch, as `since=` and `until=` read it. */
function secondOf(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}z`;
}

function row({ at, entry }: FoundEntry): Block {
  const target = entry.target ? ` ${code(entry.target.name, 60)}` : "";
  const key = entry.keyLabel ? ` · key ${code(entry.keyLabel, 40)}` : "";
  const why = entry.reason ? `\nWhy: ${prose(entry.reason, 300)}` : "";
  return section(
    `${moment(at)} · *${entry.what}* · ${code(entry.command)}${target}\n${proposerWords(entry)}${partWords(entry)}${key}\n${clipMarkup(entry.outcome, 300)}${why}${agentReason(entry)}`,
  );
}

/** The requester, or their agent with the program that it ran in. */
function proposerWords({ slackUser, agent }: AuditEntry): string {
  if (slackUser === operator) return "The operator of Rackbell";
  if (slackUser === itself) return "Rackbell itself";
  if (!agent) return `<@${slackUser}>`;
  const program = agent.client === null ? "" : ` (program ${code(agent.client, 40)})`;
  return `proposed by ${code(agent.name, 40)}, an agent of <@${slackUser}>${program}`;
}

/** The person who decided or pressed. A member's own part in their request goes without saying, unless their agent made it. */
function partWords(entry: AuditEntry): string {
  const { member, agent } = entry;
  const { decider, presser, verb } = peopleOf(entry);
  const person = decider ?? presser;
  return person === null || verb === null || (person === member && !agent)
    ? ""
    : `, ${verb} by <@${slackUserIn(person)}>`;
}

function agentReason({ agent }: AuditEntry): string {
  return agent?.why ? `\n${agentWhy} ${prose(agent.why, 300)}` : "";
}

/** The choice of a file's entries: everybody's of a time is whole, and any other is a part. */
function choiceOf(
  { about, agent }: { about?: string | undefined; agent?: string | undefined },
  { all, left }: { all: boolean; left: number },
) {
  const filter = [
    ...(all ? [] : ["one member's"]),
    ...(about ? [`about ${about}`] : []),
    ...(agent ? [`of the agent ${agent}`] : []),
    ...(left > 0 ? ["without private requests"] : []),
  ].join(", ");
  return { filter: filter || null, registrations: all };
}

const files: Record<"csv" | "ocsf", (entries: FoundEntry[]) => NonNullable<Answer["file"]>> = {
  csv: (entries) => ({ name: "rackbell-audit.csv", content: { columns, rows: entries.map(cells) } }),
  ocsf: (entries) => ({
    name: "rackbell-audit.jsonl",
    content: entries.map((found) => `${JSON.stringify(ocsfEvent(found))}\n`).join(""),
  }),
};

const columns = [
  ...["time", "what", "command", "target", "target id"],
  ...["asked by", "decided by", "pressed by", "key", "request", "outcome", "reason"],
  ...["agent", "agent's program", "agent's reason"],
];

function cells({ at, entry }: FoundEntry): TableCell[] {
  const { what, command, target, slackUser, keyLabel, request, outcome, reason, agent } = entry;
  const { decider, presser } = peopleOf(entry);
  return [
    ...[{ at }, what, command, target?.name ?? "", target?.id ?? ""],
    ...[
      slackUser,
      decider ? slackUserIn(decider) : "",
      presser ? slackUserIn(presser) : "",
      keyLabel,
      request ?? "",
      { words: outcome },
      reason ? oneLine(reason) : "",
    ],
    ...[agent?.name ?? "", agent?.client ?? "", agent ? oneLine(agent.why) : ""],
  ];
}

export const auditVerify = defineAppOperation({
  command: "rackbell audit verify",
  summary: "For admins: prove that no entry of the audit was removed, changed, swapped or added by hand",
  example: "/rackbell audit verify",
  admins: true,
  verb: "Verify the audit log",
  input: z.object({
    checkpoint: z
      .string()
      .optional()
      .meta({ title: "Checkpoint", description: "As it was posted, to compare the audit log with it. Empty: none" }),
  }),
  positional: "checkpoint",
  async run({ context, input, now }) {
    const noted = input.checkpoint ? readNote(input.checkpoint) : null;
    if (noted === undefined)
      throw wrongInput("checkpoint", "This is not a checkpoint: it is a number, a dot and 22 characters.");
    const verdict = await verifyAudit(context, noted);
    if (verdict.is === "not begun") return { text: "Nothing is sealed yet. Ask again in a minute." };
    if (verdict.is === "broken")
      return { text: `:red_circle: *The audit log is not as it was written.* ${faultWords(verdict.fault)}` };
    const text = wholeWords(verdict, now);
    return { text, blocks: [section(text), small(newestWords(verdict))] };
  },
});

type Whole = Extract<VerifyResult, { is: "whole" }>;

function wholeWords({ fixed, loose, assertions, since, newest, compared }: Whole, now: number): string {
  const sentences = [
    `:white_check_mark: *The audit log is whole.* ${fixedWords(fixed)} Sealing began ${moment(since)}.`,
    loose === 0 ? "" : looseWords(loose, now - newest.at),
    passkeyWords(assertions),
    compared === true ? "The checkpoint that you gave is in it." : "",
    compared === false ? "The checkpoint that you gave is older than what is kept, so it could not be compared." : "",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function fixedWords(fixed: number): string {
  if (fixed === 0) return "No entry is sealed yet.";
  return fixed === 1
    ? "The one sealed entry is as written."
    : `The ${fixed} sealed entries are as written, and in order.`;
}

function looseWords(loose: number, age: number): string {
  const signed = `${count(loose, "newer entry", "newer entries")} ${loose === 1 ? "is" : "are"} signed and not sealed yet`;
  if (age < 5 * sealEveryMs) return `${signed}. A removal within the last minute would not show.`;
  return `:warning: ${signed}: no checkpoint was written for ${duration(age)}. A removal in that time would not show. See the app's log.`;
}

function passkeyWords({ checked }: Whole["assertions"]): string {
  return checked === 0 ? "" : `${count(checked, "signature")} by passkeys ${checked === 1 ? "is" : "are"} proven.`;
}

function newestWords({ newest }: Whole): string {
  return `Newest checkpoint: ${code(checkpointNote(newest))}, taken ${moment(newest.at)}. Keep it outside of the store: it shows later that nobody rewrote the whole store. \`/rackbell audit post\` posts one each day.`;
}

const onward =
  "Everything before it is as it was written. Compare with a backup, and look at who can write to the store.";

function faultWords(fault: IntegrityFault): string {
  switch (fault.is) {
    case "removed":
      return `The first that does not fit is entry ${fault.place}: it was removed. ${onward}`;
    case "changed":
      return `The first that does not fit is ${entryWords(fault)}: it was changed, or put in another's place. ${onward}`;
    case "added":
      return `The first that does not fit is ${entryWords(fault)}: Rackbell did not write it as it stands, so it was added or changed by hand. ${onward}`;
    case "copied":
      return `The first that does not fit is ${entryWords(fault)}: it is a copy of an older one. ${onward}`;
    case "assertion":
      return `The first that does not fit is ${entryWords(fault)}: ${assertionWords[fault.why]} ${onward}`;
    case "no checkpoint":
      return `Checkpoint ${fault.number} is missing, so that entries may have gone with it. ${onward}`;
    case "wrong checkpoint":
      return `Checkpoint ${fault.number}, of ${moment(fault.at)}, is not as it was taken. ${onward}`;
    case "severed":
      return `Rackbell did not seal the entries before checkpoint ${fault.number} of ${moment(fault.at)}, or their key is gone. Compare with a backup, and check who can write to the store.`;
    case "no head":
      return "The end of the chain of checkpoints is unknown, so its last part may be missing. Compare with a backup, and check who can write to the store.";
    case "not the posted one":
      return `Checkpoint ${fault.number} is another than the one you gave. Somebody rewrote the store after that, or put back an older state. Compare with a backup, and check who can write to the store.`;
  }
}

const assertionWords: Record<AssertionFault, string> = {
  "not registered": "no earlier entry registers its passkey.",
  removed: "an earlier entry removes its passkey.",
  "not signed": "its passkey signed something else.",
  "another's": "what a passkey signed there is for another entry.",
  "not proven": "it registers a passkey without the proof that this needs.",
  "not the first": "it does not fit the passkeys that its member had.",
};

function entryWords({ place, entry }: Extract<IntegrityFault, { place: string }>): string {
  if (!entry) return `entry ${place}`;
  const { at, content } = entry;
  const what = content
    ? `, ${code(content.what, 40)} of ${code(content.command, 60)}${content.target ? ` on ${code(content.target.name, 60)}` : ""}`
    : "";
  return `entry ${place} (${moment(at)}${what})`;
}

export const auditPost = defineAppOperation({
  command: "rackbell audit post",
  summary: "For admins: post the audit's newest checkpoint to the approvals channel once a day, or stop that",
  example: "/rackbell audit post",
  admins: true,
  verb: "Post checkpoints",
  input: z.object({
    state: z.enum(["on", "off"]).default("on").meta({ title: "Post it", description: "on: once a day; off: no more" }),
  }),
  positional: "state",
  async run({ context, note, input }) {
    if (input.state === "off") {
      const outcome = "Checkpoints of the audit are no longer posted.";
      await note("checkpoints not posted", outcome);
      await changeSettings(context, { checkpointsPosted: false });
      return { text: outcome };
    }
    const { approvalsChannel } = await readSettings(context);
    if (approvalsChannel === null)
      throw new Refusal(
        "There is no approvals channel to post to. Name one first: `/rackbell settings approvals=#ops`. Nothing changed.",
      );
    const problem = await placeProblem(context.requests.people, approvalsChannel);
    if (problem !== null) throw new Refusal(`Nothing can be posted there: ${problem}. Nothing changed.`);
    const outcome = `The audit's newest checkpoint is now posted in <#${approvalsChannel}> once a day where there is a new one, beginning now.`;
    await note("checkpoints posted", outcome);
    await changeSettings(context, { checkpointsPosted: true });
    await postCheckpointNow(context);
    return { text: outcome };
  },
});
