import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import { type Cast, createCast, listCasts, revokeCast } from "../../../platform/reseller/casts.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { section } from "../../../views/blocks.ts";
import { duration, moment } from "../../../views/format.ts";
import { code, count, prose } from "../../../views/text.ts";
import { requireControl } from "./capable.ts";
import { nameOf, resoldService } from "./service.ts";

export const consoleCast = defineOperation({
  command: "reseller service console-cast",
  summary: "Make a link to the console of a service that you sell on; whoever has the link is in",
  act: createCast,
  reads: [readCapabilities, readService],
  risk: "change",
  verb: "Make a console link to",
  target: resoldService,
  input: z.object({
    label: z.string().trim().max(120).optional().meta({ title: "Label", description: "Who it is for" }),
    view: z.boolean().default(false).meta({ title: "Only to look", description: "Not for a VPS on a shared cluster" }),
    // The platform's own limits, in minutes. Reseller spec section 8.
    open: z.number().int().min(1).max(10_080).default(15).meta({ title: "Minutes to open it within" }),
    minutes: z.number().int().min(5).max(720).default(60).meta({ title: "Minutes that it serves once open" }),
  }),
  usable: async ({ client, target }) => void (await requireControl(client, target, "console")),
  async run({ client, target, input }) {
    const made = await createCast(client, target.serviceId, {
      ...(input.label ? { label: input.label } : {}),
      viewOnly: input.view,
      openTtlSeconds: input.open * 60,
      viewerTtlSeconds: input.minutes * 60,
    });
    const name = nameOf(target);
    const until = made.openExpiresAt ? ` It must be opened by ${moment(made.openExpiresAt)}.` : "";
    return {
      text: `A link to the console of ${code(name)} is made${input.view ? ", to look only" : ""}.${until} It is shown to who asked, once: whoever has it is in.`,
      secrets: [{ label: `Console of ${name}`, value: made.url, link: true }],
      next: [
        { label: "Links", command: "reseller service console-casts", target: target.serviceId },
        {
          label: "Revoke it",
          command: "reseller service console-cast revoke",
          target: target.serviceId,
          input: { link: made.id },
        },
      ],
    };
  },
  reconcile: unsure("`/reseller service console-casts` lists the links. A link that nobody has can be revoked there."),
});

export const consoleCasts = defineOperation({
  command: "reseller service console-casts",
  summary: "List the live links to the console of a service that you sell on, without their addresses",
  act: listCasts,
  reads: [readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target }) {
    const found = await listCasts(client, target.serviceId);
    const name = code(nameOf(target));
    const make = { label: "Make one…", command: "reseller service console-cast", target: target.serviceId };
    if (found.length === 0) return { text: `There is no live link to the console of ${name}.`, next: [make] };
    const headline = `${name} has ${count(found.length, "live console link")}.`;
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...found.map((cast) => section(castWords(cast)))],
      next: [make, { label: "Revoke one…", command: "reseller service console-cast revoke", target: target.serviceId }],
    };
  },
});

const castChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  (await listCasts(client, target.serviceId)).map((cast) => ({
    value: cast.id,
    label: cast.label || cast.id.slice(0, 8),
    description: cast.status,
  }));

export const consoleCastRevoke = defineOperation({
  command: "reseller service console-cast revoke",
  summary: "Revoke a link to a console; a stream that is open goes on until its time is over",
  act: revokeCast,
  reads: [listCasts, readService],
  risk: "change",
  verb: "Revoke a console link to",
  target: resoldService,
  input: z.object({ link: z.string().meta({ title: "Link" }) }),
  choices: { link: castChoices },
  async run({ client, target, input }) {
    await revokeCast(client, target.serviceId, input.link);
    return {
      text: `The link to the console of ${code(nameOf(target))} is revoked: it opens nothing more. A stream that somebody has open goes on until its time is over.`,
      next: [{ label: "Links", command: "reseller service console-casts", target: target.serviceId }],
    };
  },
  async reconcile({ client, target, input }) {
    const live = (await listCasts(client, target.serviceId)).some(({ id }) => id === input.link);
    return {
      is: live ? "not done" : "done",
      text: live ? "the link is still live." : "the link is not live any more.",
    };
  },
});

function castWords({ label, id, status, viewOnly, openExpiresAt, viewerExpiresAt, viewerTtlSeconds }: Cast): string {
  const parts = [
    status === "open" ? "opened" : status,
    viewOnly ? "to look only" : null,
    status === "pending" && openExpiresAt ? `to be opened by ${moment(openExpiresAt)}` : null,
    viewerExpiresAt ? `ends ${moment(viewerExpiresAt)}` : null,
    !viewerExpiresAt && viewerTtlSeconds ? `serves ${duration(viewerTtlSeconds * 1_000)} once open` : null,
  ].filter((part) => part !== null);
  return `${label ? prose(label, 120) : code(id)} · ${parts.join(" · ")}`;
}
