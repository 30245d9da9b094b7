import * as z from "zod";
import { linkStep } from "../../access/errors/error-text.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { apiOfKey } from "../../identities/key-forms.ts";
import type { CustomerLink, Link, ResellerLink } from "../../identities/link.ts";
import type { Step } from "../../operation/answer.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { keyRejected } from "../../platform/http/errors.ts";
import { resellerScopes } from "../../platform/reseller/client.ts";
import { code, listing, prose } from "../../views/text.ts";
import { abilityWords } from "./abilities.ts";
import { endWorkOfLink } from "./unlink-cleanup.ts";

const refusedWords = {
  "not a key":
    "this is not a key of the platform: those begin with fbk_, followed by 8 and then 96 characters, or with rsk_, followed by 8 and then 64. Nothing was linked. If it is a password of yours, change it.",
  "someone else's":
    "This key is linked by somebody else. Each member links a key of their own, so that it can be told who did what. Nothing was linked.",
  "the workspace's":
    "This key is the workspace's, with which is read in the background for all. Make a key of your own, and link that. Nothing was linked.",
};

export const link = defineAppOperation({
  command: "rackbell link",
  summary: "Link your own key of the hosting platform, so that Rackbell can act for you",
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
    const found = await context.identities.check(actor, input.key).catch((error: unknown) => {
      throw keyRejected(error) ? new InputError([{ field: "key", message: rejectedWords[error.api] }]) : error;
    });
    if (found !== "fine") throw new InputError([{ field: "key", message: refusedWords[found] }]);
  },
  async run({ context, actor, input }) {
    const outcome = await context.identities.link(actor, input.key).catch((error: unknown) => {
      throw keyRejected(error) ? new Refusal(rejectedWords[error.api], [linkStep]) : error;
    });
    if (outcome.is === "not a key") throw new InputError([{ field: "key", message: refusedWords[outcome.is] }]);
    if (outcome.is !== "linked") throw new Refusal(refusedWords[outcome.is], [linkStep]);
    const { link: linked, replaced } = outcome;
    if (replaced && replaced.keyId !== linked.keyId)
      await endWorkOfLink(context, replaced, "The key that it was asked with was replaced.");
    await context.leavers.look(actor.member);
    return { text: linkedWords(linked), next: [firstSteps[linked.api], helpStep] };
  },
});

const rejectedWords = {
  customer:
    "The platform does not know this key, or it was revoked, has expired, or may not be used from here. Nothing was linked.",
  reseller:
    "The platform does not know this reseller key, or it was revoked or has expired, or the reseller profile is not active. Nothing was linked.",
};

const helpStep: Step = { label: "What can I do?", command: "rackbell help" };
const firstSteps: Record<Link["api"], Step> = {
  customer: { label: "List VPSes", command: "vps list", style: "primary" },
  reseller: { label: "What you sell on", command: "reseller service list", style: "primary" },
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
  const can = `It can ${listing(scopes.map((scope) => code(scope)))}.`;
  if (missing.length === 0) return can;
  return `${can} It lacks ${listing(missing.map((scope) => code(scope)))}, so what needs those is not offered to you.`;
}
