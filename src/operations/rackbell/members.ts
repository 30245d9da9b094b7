import * as z from "#zod";
import { reviewWatches } from "../../alerts/watches/watches.ts";
import type { AuditKind } from "../../audit/kinds.ts";
import { hasLink, keyNames, type Link, type Links, linksIn } from "../../members/identities/link.ts";
import { memberBeside, slackUserIn } from "../../members/identities/person.ts";
import { adminsWithSay, isAdmin, noteLeavingAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import { notifyUnlinked } from "../../messages/answers/notices.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { lacksPasskey } from "../../passkeys/admin-links.ts";
import { asksForPasskeys } from "../../policy/policy.ts";
import { eraseKeys } from "../../requests/leavers.ts";
import type { Block } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { keyWords } from "./keys.ts";

const perPage = 10;

export const members = defineAppOperation({
  command: "rackbell members",
  summary: "For admins: list who has linked a key, what it can do, and when it was last used",
  example: "/rackbell members",
  admins: true,
  verb: "Show members",
  input: z.object({ after: z.string().optional().meta({ title: "After", byButton: true }) }),
  async run({ context, input }) {
    const all = (await context.identities.all()).filter(hasLink).toSorted((a, b) => (a.member < b.member ? -1 : 1));
    if (all.length === 0) return { text: "Nobody has linked a key yet." };
    const { after = "" } = input;
    const rest = all.filter(({ member }) => member > after);
    const shown = rest.slice(0, perPage);
    const headline = `${count(all.length, "member has", "members have")} linked a key`;
    const last = shown.at(-1)?.member ?? "";
    const rows = await Promise.all(shown.map((links) => memberBlocks(links, context)));
    return {
      ...headed(headline, rows.flat()),
      next:
        rest.length > perPage
          ? [{ label: "Next", command: "rackbell members", input: { after: last }, replace: true }]
          : [],
    };
  },
});

async function memberBlocks(of: Links, context: AppContext): Promise<Block[]> {
  const { identities, registry, linkMaxAgeMs } = context;
  const links = linksIn(of);
  const user = slackUserIn(of.member);
  // A dialog shows no mentions, so the key's label has to say whose key it is.
  const label = links.map(({ keyLabel }) => keyLabel).join(", ");
  const lines = await Promise.all(
    links.map(async (link) => linkWords(link, await identities.lastUse(link), linkMaxAgeMs)),
  );
  const step = {
    label: "Unlink…",
    command: "rackbell members unlink",
    input: { member: user },
    style: "danger" as const,
  };
  // Slack may not answer: then nothing is said of that member's right.
  const lacks = await lacksPasskey(context, { member: of.member, slackUser: user }).catch(() => false);
  const warning = lacks ? " · :warning: an admin without a passkey" : "";
  const text = [`<@${user}>${warning}`, ...lines].join("\n");
  return rowBlocks(text, user, [step], registry.find, label);
}

function linkWords(link: Link, usedAt: number | null, maxAgeMs: number | null): string {
  const scopes = link.scopes.length > 0 ? link.scopes.map((scope) => code(scope)).join(" ") : "no scope";
  const used = usedAt === null ? "not used yet" : `last used ${moment(usedAt)}`;
  const dead = link.rejectedAt === null ? "" : ` · :warning: no longer accepted since ${moment(link.rejectedAt)}`;
  const until = maxAgeMs === null ? "" : ` · to be linked anew ${moment(link.linkedAt + maxAgeMs)}`;
  return `${keyNames[link.api]} ${code(link.keyLabel)} · ${scopes} · linked ${moment(link.linkedAt)}, ${used}${until}${dead}`;
}

export const membersUnlink = defineAppOperation({
  command: "rackbell members unlink",
  summary: "For admins: erase somebody's linked keys from Rackbell",
  example: "/rackbell members unlink @ben",
  admins: true,
  verb: "Unlink a member",
  interrupts:
    "Rackbell erases their keys, cancels their open requests, and stops tracking their jobs. They can link a key again.",
  input: z.object({ member: z.string().meta({ title: "Member", description: "Such as @ben" }) }),
  positional: "member",
  async check({ context, actor, input }) {
    const user = slackUserNamed(input.member);
    const links = linksIn(await context.identities.links(memberBeside(actor.member, user)));
    if (links.length === 0) throw new Refusal(`<@${user}> has linked no key, so there is nothing to erase.`);
  },
  // Fewer admins are fewer who can stop a looser rule.
  async passkey({ context, actor, input }) {
    const user = slackUserNamed(input.member);
    const admin = (await asksForPasskeys(context)) && (await isAdmin(context, user));
    if (!admin) return null;
    const erased = linksIn(await context.identities.links(memberBeside(actor.member, user)));
    const entries: AuditKind[] = ["unlinked"];
    const text = `Rackbell erases the keys of <@${user}>, who is an admin.`;
    return { text, facts: user, entries, outcome: erasedWords(user, erased) };
  },
  async run({ context, actor, note, input }) {
    const user = slackUserNamed(input.member);
    const member = memberBeside(actor.member, user);
    // Before the erasure: an unlinked admin may still decide about loosened rules.
    await noteLeavingAdmin(context, { member, slackUser: user });
    const erased = linksIn(await context.identities.links(member));
    const what = keyWords(erased);
    const outcome = erasedWords(user, erased);
    // Notice and audit entry come first: after a crash in between, the same command would find no key and notify nobody.
    await notifyUnlinked(context, { user, by: actor.slackUser, admins: await adminsWithSay(context), keys: what });
    await note("unlinked", outcome);
    const why = `<@${actor.slackUser}>, an admin, unlinked the key that it was asked with.`;
    await eraseKeys(context.requests, erased, why);
    await reviewWatches(context, member);
    return {
      text: `${outcome} On the platform ${erased.length === 1 ? "it still works" : "they still work"}: revoke ${erased.length === 1 ? "it" : "them"} in the panel.`,
      next: [{ label: "Members", command: "rackbell members" }],
    };
  },
});

function erasedWords(user: string, erased: readonly Link[]): string {
  return `<@${user}>'s ${keyWords(erased)} ${erased.length === 1 ? "is" : "are"} erased here.`;
}

/** The Slack user id of a member who was chosen while typing. */
export function slackUserNamed(typed: string): string {
  const user = /^<?@?([UW][A-Z0-9]{4,})\b/.exec(typed.trim())?.[1];
  if (user) return user;
  throw wrongInput("member", "Choose the member from Slack's list as you type, so that it is sure who is meant.");
}
