import * as z from "zod";
import { linkStep } from "../../engine/answers/error-text.ts";
import { keyRefused, type Linked, type Refreshed } from "../../identities/identities.ts";
import { defineAppOperation } from "../../operation/define-app.ts";
import { Refusal } from "../../operation/errors.ts";
import { facts, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";

export const whoami = defineAppOperation({
  command: "rackbell whoami",
  summary: "Show which key you have linked and what it can do, as the platform says now",
  routes: ["GET /"],
  verb: "Who am I?",
  input: z.object({}),
  async run({ services, actor }) {
    const refreshed = await services.identities.refresh(actor.member).catch(async (error: unknown) => {
      if (!keyRefused(error)) throw error;
      await services.identities.markRejected(actor.member);
      throw new Refusal(
        "The platform no longer accepts your key: it was revoked, has expired, or may not be used from here. Nothing was erased; link a new key to go on.",
        [linkStep],
      );
    });
    if (!refreshed) return { text: "You have not linked a key yet.", next: [linkStep] };
    const { linked, gained, lost } = refreshed;
    if (gained.length + lost.length > 0) services.directory.forget(actor.member);
    const text = `You act as *${prose(linked.user.name, 80)}* with the key ${code(linked.keyLabel)}.${changesOf(refreshed)}`;
    return {
      text,
      blocks: [section(text), ...facts(factsOf(linked))],
      next: [
        { label: "Link another key", command: "rackbell link" },
        { label: "Unlink", command: "rackbell unlink", style: "danger" },
      ],
    };
  },
});

function changesOf({ gained, lost }: Refreshed): string {
  const sentences = [
    lost.length > 0 ? `It has lost ${listing(lost.map((scope) => code(scope)))} since it was last looked at.` : "",
    gained.length > 0
      ? `It has gained ${listing(gained.map((scope) => code(scope)))} since it was last looked at.`
      : "",
  ].filter((sentence) => sentence !== "");
  return sentences.map((sentence) => ` :warning: ${sentence}`).join("");
}

function factsOf(linked: Linked): { label: string; value: string }[] {
  return [
    { label: "Platform user", value: code(linked.user.email) },
    {
      label: "Account",
      value: linked.account ? `${code(linked.account.name)}${linked.account.owner ? " (owner)" : ""}` : "your own",
    },
    { label: "Scopes", value: linked.scopes.map((scope) => code(scope)).join(" ") },
    { label: "Confined to project", value: linked.bound ? code(linked.bound.name) : "no" },
    { label: "Works in project", value: linked.project ? code(linked.project.name) : "all of them" },
    { label: "Linked", value: moment(linked.linkedAt) },
  ];
}
