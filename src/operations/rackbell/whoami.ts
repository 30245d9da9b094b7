import * as z from "zod";
import { linkStep } from "../../access/errors/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import type { Refreshed } from "../../identities/identities.ts";
import type { CustomerLink, Link, ResellerLink } from "../../identities/link.ts";
import { Refusal } from "../../operation/errors.ts";
import { type ApiName, keyRejected } from "../../platform/http/errors.ts";
import { type Block, facts, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import { abilityWords } from "./abilities.ts";

export const whoami = defineAppOperation({
  command: "rackbell whoami",
  summary: "Show which keys you have linked and what they can do, as the platform says now",
  routes: ["GET /", "GET /customers", "GET /payment-methods"],
  verb: "Who am I?",
  input: z.object({}),
  async run({ context, actor }) {
    const found = [
      await refreshed(context, actor.member, "customer"),
      await refreshed(context, actor.member, "reseller"),
    ].filter((link) => link !== null);
    if (found.length === 0) return { text: "You have not linked a key yet.", next: [linkStep] };
    const texts = found.map((told) => `${whoWords(told.link)}${changesOf(told)}`);
    const blocks: Block[] = found.flatMap(({ link }, at) => [
      section(texts[at] ?? ""),
      ...facts(factsOf(link, context.linkMaxAgeMs)),
    ]);
    return {
      text: texts.join(" "),
      blocks,
      next: [
        { label: found.length === 2 ? "Link another key" : "Link a key", command: "rackbell link" },
        { label: "Unlink…", command: "rackbell unlink", style: "danger" },
      ],
    };
  },
});

async function refreshed({ identities }: AppContext, member: string, api: ApiName): Promise<Refreshed | null> {
  try {
    return await identities.refresh(member, api);
  } catch (error) {
    if (!keyRejected(error)) throw error;
    const which = api === "customer" ? "your key" : "your reseller key";
    throw new Refusal(
      `The platform no longer accepts ${which}: it was revoked, has expired, or may not be used from here. Nothing was erased; link a new key to go on.`,
      [linkStep],
    );
  }
}

function whoWords(link: Link): string {
  if (link.api === "customer")
    return `You act as *${prose(link.user.name, 80)}* with the key ${code(link.keyLabel)}. ${abilityWords(link)}`;
  return `You run what is sold on with the reseller key ${code(link.keyLabel)}.`;
}

function changesOf({ gained, lost }: Refreshed): string {
  const sentences = [
    lost.length > 0 ? `It has lost ${listing(lost.map((scope) => code(scope)))} since it was last looked at.` : "",
    gained.length > 0
      ? `It has gained ${listing(gained.map((scope) => code(scope)))} since it was last looked at.`
      : "",
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
    { label: "Bound to customer", value: link.bound ? code(link.bound.name) : "not that I can see" },
    { label: "Linked", value: moment(link.linkedAt) },
  ];
}
