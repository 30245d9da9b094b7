import * as z from "zod";
import { linkStep } from "../../engine/answers/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { keyRefused } from "../../identities/identities.ts";
import { defineAppOperation } from "../../operation/define-app.ts";
import { Refusal } from "../../operation/errors.ts";
import { code, listing, prose } from "../../views/text.ts";

export const link = defineAppOperation({
  command: "rackbell link",
  summary: "Link your own key of the hosting platform, so that Rackbell can act for you",
  routes: ["GET /"],
  verb: "Link a key",
  input: z.object({
    key: z.string().min(1).max(300).meta({
      title: "API key",
      writeOnly: true,
      description:
        "Made in the platform's panel under Profile, API Keys. Slack does not hide what you paste here; Rackbell keeps it encrypted and shows it to nobody.",
    }),
  }),
  async run({ services, actor, input }) {
    const before = await services.identities.find(actor.member);
    const outcome = await services.identities.link(actor, input.key).catch((error: unknown) => {
      throw keyRefused(error)
        ? new Refusal(
            "The platform does not know this key, or it was revoked, has expired, or may not be used from here. Nothing was linked.",
            [linkStep],
          )
        : error;
    });
    if (outcome.is === "not a key")
      throw new Refusal(
        "This is not a key of the platform: those begin with `fbk_`, followed by 8 and then 96 characters. Nothing was linked. If it is a password of yours, change it.",
        [linkStep],
      );
    if (outcome.is === "reseller key")
      throw new Refusal(
        "This is a reseller key (`rsk_`). Rackbell works with keys of the customer API, which begin with `fbk_`. Nothing was linked.",
        [linkStep],
      );
    if (outcome.is === "someone else's")
      throw new Refusal(
        "This key is linked by somebody else. Each member links a key of their own, so that it can be told who did what. Nothing was linked.",
        [linkStep],
      );
    if (before && before.keyId !== outcome.linked.keyId)
      await dropTraces(services, actor.member, "The key that it was asked with was replaced.");
    services.directory.forget(actor.member);
    const { linked } = outcome;
    const missing = ["services", "orders", "billing", "destructive"].filter((scope) => !linked.scopes.includes(scope));
    const can = listing(linked.scopes.map((scope) => code(scope)));
    const cannot =
      missing.length > 0
        ? ` It lacks ${listing(missing.map((scope) => code(scope)))}, so what needs those is not offered to you.`
        : "";
    const bound = linked.bound ? ` It is confined to the project ${code(linked.bound.name)}.` : "";
    return {
      text: `Your key ${code(linked.keyLabel)} is linked: you act as *${prose(linked.user.name, 80)}*${linked.account ? ` in ${code(linked.account.name)}` : ""}. It can ${can}.${cannot}${bound}`,
      next: [
        { label: "List VPSes", command: "vps list", style: "primary" },
        { label: "What can I do?", command: "rackbell help" },
      ],
    };
  },
});

export const unlink = defineAppOperation({
  command: "rackbell unlink",
  summary: "Erase your linked key from Rackbell",
  interrupts:
    "Your key is erased here, your open requests become void, and what is followed for you is no longer followed.",
  input: z.object({}),
  async run({ services, actor }) {
    const linked = await services.identities.find(actor.member);
    if (!linked) return { text: "You have no linked key, so nothing was erased.", next: [linkStep] };
    await services.identities.unlink(actor.member);
    await dropTraces(services, actor.member, "The key that it was asked with was unlinked.");
    return {
      text: `Your key ${code(linked.keyLabel)} is erased here. It still works on the platform: revoke it in the panel if it is no longer needed.`,
      next: [linkStep],
    };
  },
});

async function dropTraces(services: AppContext, member: string, why: string): Promise<void> {
  services.directory.forget(member);
  await services.requests.voidFor(member, `${why} Nothing was done.`);
  await services.follow.stopFor(member);
}
