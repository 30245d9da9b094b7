import * as z from "zod";
import { linkStep } from "../../access/errors/error-text.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { keyNames } from "../../identities/link.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { code, listing } from "../../views/text.ts";
import { endWorkOfLink } from "./unlink-cleanup.ts";

const keptWords =
  " What came of something that you did is not clear yet: for that alone it is kept, out of use, until it is, for an hour at most.";

export const unlink = defineAppOperation({
  command: "rackbell unlink",
  summary: "Erase your linked keys from Rackbell, all or one",
  interrupts:
    "Your key is erased here, your open requests become void, and what is followed for you is no longer followed.",
  input: z.object({
    key: z
      .enum(["all", "customer", "reseller"])
      .default("all")
      .meta({ title: "Which", description: "The key of the customer API, of the reseller API, or both" }),
  }),
  positional: "key",
  async run({ context, actor, input }) {
    const apis: ApiName[] = input.key === "all" ? ["customer", "reseller"] : [input.key];
    const wasAdmin = await context.admins.leaving(actor);
    const erased: string[] = [];
    let unclear = false;
    for (const api of apis) {
      const links = await context.identities.links(actor.member);
      const linked = links[api];
      if (!linked) continue;
      const retire = await context.requests.isUnclear(linked);
      await context.identities.unlink(actor.member, api, { retire });
      await endWorkOfLink(context, linked, "The key that it was asked with was unlinked.");
      await context.requests.endApprovalsOf(linked);
      erased.push(`${keyNames[api]} ${code(linked.keyLabel)}`);
      unclear ||= retire;
    }
    if (erased.length === 0) return { text: "You have no such key linked, so nothing was erased.", next: [linkStep] };
    if (wasAdmin) {
      const admins = await context.admins.withSay();
      const { slackUser: user } = actor;
      await context.notifyUnlinked({ user, by: user, admins, keys: listing(erased) });
    }
    const [verb, works, it] = erased.length === 1 ? ["is", "It still works", "it"] : ["are", "They still work", "them"];
    return {
      text: `Your ${listing(erased)} ${verb} erased here. ${works} on the platform: revoke ${it} in the panel if no longer needed.${unclear ? keptWords : ""}`,
      next: [linkStep],
    };
  },
});
