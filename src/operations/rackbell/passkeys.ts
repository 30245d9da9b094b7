import * as z from "#zod";
import type { AuditKind } from "../../audit/kinds.ts";
import { linkStep } from "../../members/access/access.ts";
import type { Links } from "../../members/identities/link.ts";
import { memberBeside } from "../../members/identities/person.ts";
import { isSecondPerson, requireAdmin } from "../../messages/admins.ts";
import { passkeyLinkMessage, rowBlocks } from "../../messages/answers/answers.ts";
import { noInteraction } from "../../messages/origin.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { makePasskeyLink } from "../../passkeys/links.ts";
import {
  keyAgeMs,
  mostPasskeys,
  readPasskeys,
  readRecovery,
  registered,
  removed,
  removedWords,
  removePasskey,
  usablePasskeys,
} from "../../passkeys/passkeys.ts";
import type { Passkey } from "../../passkeys/record.ts";
import { approvedWords, approveRecovery, stopRecovery } from "../../passkeys/recovery.ts";
import type { PasskeySite } from "../../process/webauthn/site.ts";
import { section } from "../../views/blocks.ts";
import { moment, momentAgo } from "../../views/format.ts";
import { code, count, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { slackUserNamed } from "./members.ts";

const listStep = { label: "My passkeys", command: "rackbell passkeys" };
const makeStep = { label: "Make a passkey", command: "rackbell passkeys", input: { do: "make" } };
const replaceStep = { label: "Replace lost ones", command: "rackbell passkeys", input: { do: "replace" } };

/** The acts of the buttons below the list, which are also typed after the command. */
const does = ["make", "replace"] as const;

export const passkeys = defineAppOperation({
  command: "rackbell passkeys",
  synonyms: [
    "passkey list",
    { words: "passkey", input: { do: "make" } },
    { words: "passkey lost", input: { do: "replace" } },
    { words: "passkey remove", positional: "remove", renamed: { name: "remove" } },
  ],
  summary: "List your passkeys, with buttons that make one, replace lost ones or remove one",
  example: "/rackbell passkeys",
  verb: "List passkeys",
  group: "access",
  input: z
    .object({
      do: z.enum(does).optional().meta({ title: "Do", description: "make one, or replace lost ones" }),
      remove: z
        .string()
        .trim()
        .min(1)
        .max(40)
        .optional()
        .meta({ title: "Remove", description: "The name of a passkey of yours; a passkey of yours proves it" }),
    })
    .refine((input) => !(input.do && input.remove), {
      path: ["remove"],
      message: "make one, or remove one, not both.",
    }),
  positional: "do",
  async passkey({ context, actor, input: { remove } }) {
    if (remove === undefined) return null;
    const { id, name } = await ownPasskey(context, actor, remove);
    const entries: AuditKind[] = ["passkey removed"];
    const text = `After that, you cannot approve or confirm anything with your passkey ${code(name)}.`;
    return { text, facts: id, entries, outcome: removedWords({ name }), passkeys: [removed(actor.member, id)] };
  },
  async run({ context, actor, channel, input, now }): Promise<Answer> {
    if (input.do === "make") return make(context, { actor, channel, now });
    if (input.do === "replace") return replaceLost(context, { actor, channel, now });
    if (input.remove === undefined) return list(context, actor);
    const { id, name } = await ownPasskey(context, actor, input.remove);
    await removePasskey(context, id, actor);
    return { text: `Removed the passkey ${code(name)}.`, next: [listStep] };
  },
});

interface Place {
  actor: Actor;
  channel: string | null;
  now: number;
}

async function make(context: AppContext, { actor, channel, now }: Place): Promise<Answer> {
  const site = siteOf(context);
  const usable = await usablePasskeys(context, actor.member);
  if (usable.length >= mostPasskeys)
    throw new Refusal(`You have ${mostPasskeys} passkeys, and no more are kept. Remove one first.`, [listStep]);
  if (usable.length === 0 && (await readPasskeys(context, actor.member)).length > 0)
    throw new Refusal("Your passkeys were made for another host, so they prove nothing here. Replace them.", [
      replaceStep,
    ]);
  if (usable.length === 0) await requireSettledKey(context, actor, now);
  const proof =
    usable.length === 0
      ? "It asks for the key that you linked: have it at hand."
      : "Your device makes it, and then asks for one of your passkeys.";
  return linkAnswer(context, site, { actor, channel, lost: false }, `:key: Make a passkey on this page. ${proof}`);
}

async function replaceLost(context: AppContext, { actor, channel, now }: Place): Promise<Answer> {
  const site = siteOf(context);
  if ((await readPasskeys(context, actor.member)).length === 0)
    throw new Refusal("You have no passkey to replace. Make your first one.", [makeStep]);
  await requireSettledKey(context, actor, now);
  const words =
    ":key: Make the new passkey on this page, with the key that you linked. Then an admin who has a passkey approves it. It replaces all your others 24 hours later.";
  return linkAnswer(context, site, { actor, channel, lost: true }, words);
}

async function list(context: AppContext, actor: Actor): Promise<Answer> {
  const own = await readPasskeys(context, actor.member);
  const recovery = await readRecovery(context, actor.member);
  const waits = recovery ? ` A new one waits to replace them: ${code(recovery.passkey.name)}.` : "";
  const stop: Step[] = recovery
    ? [{ label: "Stop the new one", command: "rackbell passkey stop", input: { member: actor.slackUser } }]
    : [];
  if (own.length === 0) return { text: `You have no passkey.${offWords(context)}${waits}`, next: [makeStep, ...stop] };
  const text = `*${count(own.length, "passkey")} of yours*${offWords(context)}${waits}`;
  const rows = own.flatMap((passkey) =>
    rowBlocks(
      lineOf(passkey, context.passkeys.site),
      passkey.id,
      [{ label: "Remove", command: "rackbell passkeys", input: { remove: passkey.name } }],
      context.registry.find,
    ),
  );
  return { text, blocks: [section(text), ...rows], next: [makeStep, replaceStep, ...stop] };
}

function lineOf({ name, rpId, addedAt, usedAt }: Passkey, site: PasskeySite | null): string {
  const used = usedAt === null ? "not used yet" : `last used ${momentAgo(usedAt)}`;
  const dead = rpId === site?.rpId ? "" : ` · :warning: made for another host (${code(rpId)}), so it works no more`;
  return `:key: ${code(name)} · added ${moment(addedAt)} · ${used}${dead}`;
}

const namedMember = z.object({ member: z.string().meta({ title: "Member", description: "Such as @ben" }) });

export const passkeyRecover = defineAppOperation({
  command: "rackbell passkey recover",
  summary: "For admins: approve the new passkey of a member who lost theirs",
  example: "/rackbell passkey recover @ben",
  admins: true,
  verb: "Approve a new passkey",
  phrase: "Approve a new passkey",
  group: "access",
  input: namedMember,
  positional: "member",
  async passkey({ context, actor, input }) {
    const { member, user, recovery } = await waitingRecovery(context, actor, input.member);
    if (!(await isSecondPerson(context, actor.member, member)))
      throw new Refusal("Another admin must approve it: somebody else than the member. Nothing changed.");
    const linked = await context.identities.links(member);
    const entries: AuditKind[] = ["passkey recovery approved"];
    return {
      text: `A new passkey replaces all passkeys of <@${user}> in 24 hours. Ask them yourself if they lost theirs, and not in Slack.`,
      shown: [
        { label: "Platform user", value: platformUserWords(linked) },
        { label: "New passkey", value: `${code(recovery.passkey.name)}, made ${moment(recovery.askedAt)}` },
      ],
      facts: recovery.id,
      entries,
      outcome: approvedWords(member),
      passkeys: [registered(member, recovery.passkey)],
    };
  },
  async run({ context, actor, input }): Promise<Answer> {
    const { member, user } = await waitingRecovery(context, actor, input.member);
    const { assertion } = actor;
    if (!assertion) throw new Refusal("This needs a passkey, and passkeys are off here. Nothing changed.");
    if (!(await approveRecovery(context, member, { ...actor, assertion })))
      throw new Refusal("Somebody approved or stopped it meanwhile. Nothing changed.");
    return { text: `Approved: the new passkey of <@${user}> takes effect in 24 hours, unless somebody stops it.` };
  },
});

export const passkeyStop = defineAppOperation({
  command: "rackbell passkey stop",
  summary: "Stop the new passkey of somebody who says that they lost theirs: for that member and for admins",
  example: "/rackbell passkey stop @ben",
  verb: "Stop a new passkey",
  group: "access",
  input: namedMember,
  positional: "member",
  async run({ context, actor, input }): Promise<Answer> {
    const user = slackUserNamed(input.member);
    if (user !== actor.slackUser) await requireAdmin(context, actor.slackUser);
    if (!(await stopRecovery(context, memberBeside(actor.member, user), actor)))
      throw new Refusal(`No new passkey of <@${user}> waits. Nothing changed.`);
    return { text: `Stopped. The passkeys of <@${user}> are as they were.` };
  },
});

/** A name in Slack can be anybody's; the user of the linked key is the platform's to say. */
function platformUserWords({ customer, reseller }: Links): string {
  if (customer) return `${prose(customer.user.name, 80)}, ${code(customer.user.email)}`;
  return reseller ? "not known: they linked a reseller key alone" : "not known: they have no key linked";
}

/** The key that proves a passkey must be older than a day: somebody may have linked it with a stolen session. */
async function requireSettledKey({ identities }: AppContext, { member }: Actor, now: number): Promise<void> {
  const { customer, reseller } = await identities.links(member);
  const link = customer ?? reseller;
  if (!link) throw new Refusal("Link your key first: it proves that a passkey is yours.", [linkStep]);
  const from = link.linkedAt + keyAgeMs;
  if (now >= from) return;
  throw new Refusal(
    `You linked your key less than 24 hours ago, so you cannot make a passkey yet. You can make one from ${moment(from)} on.`,
  );
}

function siteOf({ passkeys: { mode, site, problem } }: AppContext): PasskeySite {
  if (mode === "off")
    throw new Refusal("Passkeys are off here. The operator of Rackbell sets `PASSKEYS=on`. Nothing changed.");
  if (!site) throw new Refusal(`${problem} Nothing changed.`);
  return site;
}

function offWords({ passkeys }: AppContext): string {
  return passkeys.mode === "off" ? " Passkeys are off here: no rule asks for one." : "";
}

async function linkAnswer(
  context: AppContext,
  { url }: PasskeySite,
  { actor, channel, lost }: { actor: Actor; channel: string | null; lost: boolean },
  text: string,
): Promise<Answer> {
  const { member, slackUser } = actor;
  const origin = { member, slackUser, channel, ...noInteraction };
  const nonce = await makePasskeyLink(context, origin, { is: "registration", lost, tries: 0, proven: false });
  return passkeyLinkMessage(text, `${url}/passkey/${nonce}`, "for one passkey, and for ten minutes");
}

async function ownPasskey(context: AppContext, { member }: Actor, name: string): Promise<Passkey> {
  const found = (await readPasskeys(context, member)).find((passkey) => passkey.name === name);
  if (!found) throw wrongInput("name", "You have no passkey of this name. /rackbell passkeys shows yours.");
  return found;
}

async function waitingRecovery(context: AppContext, { member: own }: Actor, typed: string) {
  const user = slackUserNamed(typed);
  const member = memberBeside(own, user);
  const recovery = await readRecovery(context, member);
  if (!recovery || recovery.approved)
    throw new Refusal(`No new passkey of <@${user}> waits for an admin. Nothing changed.`);
  return { member, user, recovery };
}
