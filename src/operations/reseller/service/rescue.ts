import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { readDocument } from "../../../platform/reseller/document.ts";
import { endRescue, startRescue } from "../../../platform/reseller/rescue.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { context, paragraphs, section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { secretOf } from "./console.ts";
import { nameOf, requireInService, resoldService, showStep } from "./service.ts";

export const rescue = defineOperation({
  command: "reseller service rescue",
  summary: "Boot a dedicated server into its rescue system, with a password that is shown once",
  act: startRescue,
  reads: [readDocument, readService],
  risk: "change",
  verb: "Boot the rescue system of",
  target: resoldService,
  input: z.object({}),
  interrupts: "Everything that runs on it stops, and it stays in the rescue system until that is ended.",
  async usable({ client, target }) {
    requireInService(target);
    const { features } = await readDocument(client, target.serviceId);
    if (features.rescue) return;
    throw new Refusal(
      `${code(nameOf(target))} has no rescue system: only a dedicated server has one, where the supplier allows it. Nothing was sent.`,
      [showStep(target.serviceId)],
    );
  },
  async run({ client, target }) {
    const { secrets, rest } = await startRescue(client, target.serviceId);
    const name = nameOf(target);
    const text = `${code(name)} boots its rescue system.`;
    const end = { label: "End the rescue", command: "reseller service unrescue", target: target.serviceId };
    if (secrets.length === 0) return { text: `${text} The platform told no password for it.`, next: [end] };
    return {
      text: `${text} Its password is shown to who asked, once.`,
      blocks: [
        section(text),
        ...paragraphs(renderJson(rest ?? {})),
        context("Its password is shown to who asked, once."),
      ],
      secrets: secrets.map((one) => ({ ...secretOf(one), label: `Rescue of ${name}: ${one.name}` })),
      next: [end],
    };
  },
  reconcile: unsure(
    "The platform does not show whether the server runs its rescue system. *End the rescue* boots its own.",
  ),
});

export const unrescue = defineOperation({
  command: "reseller service unrescue",
  summary: "End the rescue of a dedicated server: it boots its own system again",
  act: endRescue,
  reads: [readService],
  risk: "change",
  verb: "End the rescue of",
  target: resoldService,
  input: z.object({}),
  interrupts: "What runs in its rescue system stops, and its own system boots.",
  usable: ({ target }) => requireInService(target),
  async run({ client, target }) {
    const { secrets } = await endRescue(client, target.serviceId);
    return {
      text: `${code(nameOf(target))} leaves its rescue system, and boots its own again.`,
      secrets: secrets.map(secretOf),
      next: [showStep(target.serviceId)],
    };
  },
  reconcile: unsure("The platform does not show which system the server boots. Ending the rescue again is harmless."),
});
