import * as z from "#zod";
import { reviewWatches } from "../../alerts/watches/watches.ts";
import type { AuditKind } from "../../audit/kinds.ts";
import { linkStep, notLinkedWords } from "../../members/access/access.ts";
import type { Refreshed } from "../../members/identities/identities.ts";
import { apiOfKey } from "../../members/identities/keys.ts";
import {
  type CustomerLink,
  keyNames,
  type Link,
  linksIn,
  permissionsMissing,
  type ResellerLink,
} from "../../members/identities/link.ts";
import { adminsWithSay, isAdmin, noteLeavingAdmin } from "../../messages/admins.ts";
import { notifyUnlinked } from "../../messages/answers/notices.ts";
import type { Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { type NotedLink, noteLink } from "../../passkeys/admin-links.ts";
import { readPasskeys } from "../../passkeys/passkeys.ts";
import { type CustomerScope, customerScopes } from "../../platform/customer/client.ts";
import { type ApiName, keyRejected } from "../../platform/http/errors.ts";
import { resellerScopes } from "../../platform/reseller/client.ts";
import { asksForPasskeys } from "../../policy/policy.ts";
import { callNewApprover, endApprovals, endRequests } from "../../requests/endings.ts";
import { checkMembership, eraseKeys } from "../../requests/leavers.ts";
import { isUnclear } from "../../requests/unknown-outcome.ts";
import { type Block, facts, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { readSetupWords, setupStep } from "./setup.ts";

const refusedWords = {
  "not a key":
    "this is not a key of the platform. Keys begin with fbk_, then 8 and 96 characters, or with rsk_, then 8 and 64. Nothing was linked. If it is a password of yours, change it.",
  "someone else's":
    "This key is linked by somebody else. Each member links a key of their own, so the audit log shows who did what. Nothing was linked.",
  "the workspace's":
    "This key is the workspace's monitoring key. Make a key of your own, and link that. Nothing was linked.",
};

export const link = defineAppOperation({
  command: "rackbell link",
  summary: "Link your own key of the hosting platform, so that Rackbell can act for you",
  example: "/rackbell link",
  routes: ["GET /", "GET /customers", "GET /payment-methods"],
  verb: "Link a key",
  input: z.object({
    key: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .refine((text) => apiOfKey(text) !== null, refusedWords["not a key"])
      .meta({
        title: "API key",
        writeOnly: true,
        description:
          "Made in the platform's panel under Profile, API Keys (fbk_…), or in the reseller portal under API Settings (rsk_…). Slack does not hide what you paste here; Rackbell keeps it encrypted and shows it to nobody.",
      }),
  }),
  about: ({ panel }) => (panel.keysUrl ? `<${panel.keysUrl}|Your API keys in the panel>` : null),
  async check({ context, actor, input }) {
    const found = await context.identities.check(actor.member, input.key).catch((error: unknown) => {
      throw keyRejected(error) ? wrongInput("key", rejectedWords[error.api]) : error;
    });
    if (found !== "fine") throw wrongInput("key", refusedWords[found]);
  },
  // A thief of the Slack session could link a key of their own, and prove a passkey with it a day later.
  async passkey({ context, actor, input }) {
    if ((await readPasskeys(context, actor.member)).length === 0) return null;
    if (await context.identities.hasLinked(actor.member, input.key)) return null;
    const entries: AuditKind[] = ["key linked"];
    return { text: "This key takes the place of the one that you linked.", facts: null, entries };
  },
  async run({ context, actor, note, input }) {
    const before = await context.identities.owners(actor.member);
    const retires = (former: Pick<Link, "member" | "keyId">) => isUnclear(context.requests, former);
    const outcome = await context.identities.link(actor, input.key, retires).catch((error: unknown) => {
      throw keyRejected(error) ? new Refusal(rejectedWords[error.api], [linkStep]) : error;
    });
    if (outcome.is === "not a key") throw wrongInput("key", refusedWords[outcome.is]);
    if (outcome.is !== "linked") throw new Refusal(refusedWords[outcome.is], [linkStep]);
    const { link: linked, replaced } = outcome;
    const isOther = replaced !== null && replaced.keyId !== linked.keyId;
    if (isOther) {
      await reviewWatches(context, replaced.member);
      await endRequests(context.requests, replaced, "The key that it was asked with was replaced.");
      if (userOf(replaced) !== userOf(linked)) await endApprovals(context.requests, replaced);
    }
    const noted = await noteLink(context, linked, before);
    const because = noted === null ? "" : ` ${notedWords[noted]}`;
    const outcomeWords = `Linked the ${keyNames[linked.api]} ${code(linked.keyLabel)}.${because}`;
    if (actor.assertion || noted !== null) await note("key linked", outcomeWords);
    await checkMembership(context.requests, actor.member);
    await callNewApprover(context.requests, actor);
    const isLeft = (await readSetupWords(context, actor)) !== null;
    const kept = isOther && (await retires(replaced)) ? keptWords("the former key") : "";
    return {
      text: `${linkedWords(linked)}${kept}`,
      next: [firstSteps[linked.api], ...(isLeft ? [setupStep] : []), helpStep],
    };
  },
});

/** The platform user of a key; null for a reseller key, which names none. */
function userOf(link: Link): string | null {
  return link.api === "customer" ? link.user.id : null;
}

const notedWords: Record<NonNullable<NotedLink>, string> = {
  "another account": "It may belong to another account than the key before.",
  "admin without a passkey": "An admin without a passkey did this.",
};

const rejectedWords = {
  customer:
    "The platform does not know this key, or it was revoked, has expired, or may not be used from here. Nothing was linked.",
  reseller:
    "The platform refuses this reseller key. It is unknown, revoked or expired, or the reseller profile is not active. Nothing was linked.",
};

const helpStep: Step = { label: "What can I do?", command: "rackbell help" };
const firstSteps: Record<Link["api"], Step> = {
  customer: { label: "List VPSes", command: "vps list", style: "primary" },
  reseller: { label: "Resold services", command: "reseller service list", style: "primary" },
};

function linkedWords(linked: Link): string {
  return linked.api === "customer" ? customerWords(linked) : resellerWords(linked);
}

function customerWords(linked: CustomerLink): string {
  const account = linked.account ? ` in ${code(linked.account.name)}` : "";
  const bound = linked.bound ? ` It is confined to the project ${code(linked.bound.name)}.` : "";
  return `Your key ${code(linked.keyLabel)} is linked: you act as *${prose(linked.user.name, 80)}*${account}. ${abilityWords(linked)}${bound}`;
}

function resellerWords(linked: ResellerLink): string {
  const bound = linked.bound ? ` It is bound to the customer ${code(linked.bound.name)}.` : "";
  return `Your reseller key ${code(linked.keyLabel)} is linked. ${canWords(linked, resellerScopes)}${bound}`;
}

function canWords({ scopes }: { scopes: readonly string[] }, all: readonly string[]): string {
  const missing = all.filter((scope) => !scopes.includes(scope));
  const can = `Scopes: ${scopes.map((scope) => code(scope)).join(", ")}.`;
  if (missing.length === 0) return can;
  return `${can} It lacks ${listing(missing.map((scope) => code(scope)))}, so Rackbell offers no commands that need ${missing.length === 1 ? "it" : "them"}.`;
}

const keptWords = (key: string) =>
  ` Rackbell is still checking the outcome of one of your requests. Until then, for an hour at most, it keeps ${key} for that check alone.`;

export const unlink = defineAppOperation({
  command: "rackbell unlink",
  verb: "Unlink a key",
  summary: "Erase your linked keys from Rackbell, all or one",
  example: "/rackbell unlink",
  interrupts: "Rackbell erases your key, cancels your open requests, and stops tracking your jobs.",
  input: z.object({
    key: z
      .enum(["all", "customer", "reseller"])
      .default("all")
      .meta({ title: "Which", description: "The key of the customer API, of the reseller API, or both" }),
  }),
  positional: "key",
  async check({ context, actor, input }) {
    if ((await linksNamed(context, actor, input)).length === 0)
      throw new Refusal("You have no such key linked, so there is nothing to erase.", [linkStep]);
  },
  async passkey({ context, actor }) {
    const admin = (await asksForPasskeys(context)) && (await isAdmin(context, actor.slackUser));
    const entries: AuditKind[] = ["unlinked"];
    return admin ? { text: "Rackbell erases the keys of an admin: yours.", facts: null, entries } : null;
  },
  async run({ context, actor, note, input }) {
    const erased = await linksNamed(context, actor, input);
    const keys = keyWords(erased);
    // Notice and audit entry come first: after a crash in between, the same command would find no key and notify nobody.
    if (await noteLeavingAdmin(context, actor)) {
      const { slackUser: user } = actor;
      await notifyUnlinked(context, { user, by: user, admins: await adminsWithSay(context), keys });
    }
    if (actor.assertion) await note("unlinked", `Erased their ${keys}.`);
    const isAnyKept = await eraseKeys(context.requests, erased, "The key that it was asked with was unlinked.");
    await reviewWatches(context, actor.member);
    const [verb, works, it] = erased.length === 1 ? ["is", "It still works", "it"] : ["are", "They still work", "them"];
    return {
      text: `Your ${keys} ${verb} erased here. ${works} on the platform: revoke ${it} in the panel if no longer needed.${isAnyKept ? keptWords("the key") : ""}`,
      next: [linkStep],
    };
  },
});

async function linksNamed(
  { identities }: Pick<AppContext, "identities">,
  { member }: Pick<Actor, "member">,
  { key }: { key: "all" | ApiName },
): Promise<Link[]> {
  return linksIn(await identities.links(member)).filter(({ api }) => key === "all" || key === api);
}

/** The keys in words: "key `ana` and reseller key `resale`". */
export function keyWords(links: readonly Link[]): string {
  return listing(links.map(({ api, keyLabel }) => `${keyNames[api]} ${code(keyLabel)}`));
}

export const whoami = defineAppOperation({
  command: "rackbell whoami",
  phrase: "Show who you are",
  synonyms: ["me", "keys"],
  summary: "Show which keys you have linked and what they can do, as the platform says now",
  example: "/rackbell whoami",
  routes: ["GET /", "GET /customers", "GET /payment-methods"],
  verb: "Who am I?",
  input: z.object({}),
  async run({ context, actor }) {
    const found = [
      await describe(context, actor.member, "customer"),
      await describe(context, actor.member, "reseller"),
    ].filter((key) => key !== null);
    if (found.length === 0) return { text: notLinkedWords(context), next: [linkStep] };
    return {
      text: found.map(({ text }) => text).join(" "),
      blocks: found.flatMap(({ text, details }) => [section(text), ...details]),
      next: [
        { label: found.length === 2 ? "Link another key" : "Link a key", command: "rackbell link" },
        { label: "Unlink…", command: "rackbell unlink", style: "danger" },
      ],
    };
  },
});

/** A key as the platform says now; null if none is linked. One that it rejects must not hide the other. */
async function describe(
  { identities, linkMaxAgeMs }: AppContext,
  member: string,
  api: ApiName,
): Promise<{ text: string; details: Block[] } | null> {
  try {
    const key = await identities.refresh(member, api);
    return key && { text: `${whoWords(key.link)}${changesOf(key)}`, details: facts(factsOf(key.link, linkMaxAgeMs)) };
  } catch (error) {
    if (!keyRejected(error)) throw error;
    const text = `:warning: The platform no longer accepts your ${keyNames[api]}: it was revoked, has expired, or may not be used from here. Nothing was erased; link a new key to go on.`;
    return { text, details: [] };
  }
}

function whoWords(link: Link): string {
  if (link.api === "customer")
    return `You act as *${prose(link.user.name, 80)}* with the key ${code(link.keyLabel)}. ${abilityWords(link)}`;
  return `You manage resold services with the reseller key ${code(link.keyLabel)}.`;
}

function changesOf({ gained, lost }: Refreshed): string {
  const sentences = [
    lost.length > 0 ? `It has lost ${listing(lost.map((scope) => code(scope)))} since the last check.` : "",
    gained.length > 0 ? `It has gained ${listing(gained.map((scope) => code(scope)))} since the last check.` : "",
  ].filter((sentence) => sentence !== "");
  return sentences.map((sentence) => ` :warning: ${sentence}`).join("");
}

function factsOf(link: Link, maxAgeMs: number | null): { label: string; value: string }[] {
  const known = link.api === "customer" ? customerFacts(link) : resellerFacts(link);
  if (maxAgeMs === null) return known;
  return [...known, { label: "To be linked anew", value: moment(link.linkedAt + maxAgeMs) }];
}

function customerFacts(link: CustomerLink): { label: string; value: string }[] {
  return [
    { label: "Platform user", value: code(link.user.email) },
    {
      label: "Account",
      value: link.account ? `${code(link.account.name)}${link.account.owner ? " (owner)" : ""}` : "your own",
    },
    { label: "Scopes", value: link.scopes.map((scope) => code(scope)).join(" ") },
    { label: "Confined to project", value: link.bound ? code(link.bound.name) : "no" },
    { label: "Works in project", value: link.project ? code(link.project.name) : "all of them" },
    { label: "Linked", value: moment(link.linkedAt) },
  ];
}

function resellerFacts(link: ResellerLink): { label: string; value: string }[] {
  return [
    { label: "Scopes", value: link.scopes.map((scope) => code(scope)).join(" ") || "none" },
    { label: "Bound to customer", value: link.bound ? code(link.bound.name) : "no, as far as Rackbell can see" },
    { label: "Linked", value: moment(link.linkedAt) },
  ];
}

/** The verb for each scope of a customer key. Spec section 5. */
const verbs: Record<CustomerScope, string> = {
  read: "view",
  services: "operate",
  orders: "order",
  billing: "pay",
  destructive: "cancel",
};

/** "It can view, operate, order, pay and cancel.", and the limits of the key and the account. */
export function abilityWords(link: CustomerLink): string {
  const links = { member: link.member, customer: link, reseller: null };
  const lacking = customerScopes.filter((scope) => !link.scopes.includes(scope));
  const refused = link.scopes.filter((scope) => permissionsMissing(links, { api: "customer", scope }) !== null);
  const can = link.scopes.filter((scope) => !refused.includes(scope)).map((scope) => verbs[scope]);
  const sentences = [
    can.length > 0 ? `It can ${listing(can)}.` : "It can do nothing.",
    refused.length > 0 ? `The account does not permit you to ${words(refused)}.` : null,
    lacking.length > 0
      ? `To ${words(lacking)}, a key needs the ${lacking.length === 1 ? "scope" : "scopes"} ${listing(lacking.map((scope) => code(scope)))}.`
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

function words(scopes: CustomerScope[]): string {
  return listing(
    scopes.map((scope) => verbs[scope]),
    "or",
  );
}
