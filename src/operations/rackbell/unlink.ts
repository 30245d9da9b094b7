import * as z from "zod";
import { linkStep } from "../../engine/answers/error-text.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { keyNames, type Link } from "../../identities/link.ts";
import type { Answer } from "../../operation/answer.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { code, listing } from "../../views/text.ts";
import { dropTraces } from "./traces.ts";

const keptWords =
  " What came of something that you did is not clear yet: for that alone it is kept, out of use, until it is, for an hour at most.";

export const unlink = defineAppOperation({
  command: "rackbell unlink",
  summary: "Erase your linked keys from Rackbell, all or one",
  input: z.object({
    key: z
      .enum(["all", "customer", "reseller"])
      .default("all")
      .meta({ title: "Which", description: "The key of the customer API, of the reseller API, or both" }),
    sure: z.boolean().default(false).meta({ title: "Sure", description: "Yes: it is not asked again" }),
  }),
  positional: "key",
  async run({ context, actor, input }) {
    const apis: ApiName[] = input.key === "all" ? ["customer", "reseller"] : [input.key];
    const linkedNow = await context.identities.links(actor.member);
    const named = apis.flatMap((api) => linkedNow[api] ?? []).map(nameOf);
    if (named.length === 0) return { text: "You have no such key linked, so nothing was erased.", next: [linkStep] };
    if (!input.sure) return asked(named, input.key);
    const erased: string[] = [];
    let unclear = false;
    for (const api of apis) {
      const links = await context.identities.links(actor.member);
      const linked = links[api];
      if (!linked) continue;
      const retire = await context.requests.isUnclear(linked);
      await context.identities.unlink(actor.member, api, { retire });
      await dropTraces(context, linked, "The key that it was asked with was unlinked.");
      erased.push(nameOf(linked));
      unclear ||= retire;
    }
    const [verb, works, it] = erased.length === 1 ? ["is", "It still works", "it"] : ["are", "They still work", "them"];
    return {
      text: `Your ${listing(erased)} ${verb} erased here. ${works} on the platform: revoke ${it} in the panel if no longer needed.${unclear ? keptWords : ""}`,
      next: [linkStep],
    };
  },
});

function nameOf(linked: Link): string {
  return `${keyNames[linked.api]} ${code(linked.keyLabel)}`;
}

/** What is lost, before anything is. */
function asked(named: string[], key: string): Answer {
  const [is, them] = named.length === 1 ? ["is", "it"] : ["are", "them"];
  return {
    text: `Your ${listing(named)} ${is} erased here once you press. Your open requests become void, and what is followed for you is no longer followed. On the platform nothing changes.`,
    next: [
      {
        label: `Unlink ${them}`,
        command: "rackbell unlink",
        input: { key, sure: true },
        style: "danger",
        replace: true,
      },
      { label: `Keep ${them}`, command: "rackbell whoami", replace: true },
    ],
  };
}
