import * as z from "zod";
import type { Answer, Reconciled } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { type Suspension, suspendService, unsuspendService } from "../../../platform/reseller/lifecycle.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { nameOf, resoldService, showStep, soldWords, stateOf, unsuspendStep } from "./service.ts";

const billed = "It is still billed to you: only terminating ends that.";

export const suspend = defineOperation({
  command: "reseller service suspend",
  summary: "Suspend a service that you sell on; it stays billed to you",
  act: suspendService,
  reads: [readService],
  risk: "change",
  verb: "Suspend",
  target: resoldService,
  bulk: true,
  input: z.object({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .meta({ title: "Reason", description: "Kept with the service" }),
  }),
  interrupts: `Your customer can no longer use it. ${billed}`,
  usable({ target }) {
    if (target.status === "active") return;
    throw new Refusal(
      `${code(nameOf(target))} is ${stateOf(target)}: only an active service can be suspended. Nothing was sent.`,
      target.status === "suspended" ? [unsuspendStep(target.serviceId)] : [],
    );
  },
  async run({ client, target, input }) {
    const done = await suspendService(client, target.serviceId, input.reason);
    return suspensionAnswer(target, done, `${soldWords(target)} is suspended. ${billed}`, "suspended");
  },
  expects: { first: ["service.suspended"] },
  reconcile: async ({ target }) => reconciled(target, "suspended"),
});

export const unsuspend = defineOperation({
  command: "reseller service unsuspend",
  summary: "Let a suspended service run again",
  act: unsuspendService,
  reads: [readService],
  risk: "change",
  verb: "Unsuspend",
  target: resoldService,
  bulk: true,
  input: z.object({}),
  usable({ target }) {
    if (target.status === "suspended") return;
    throw new Refusal(`${code(nameOf(target))} is ${stateOf(target)}, and not suspended. Nothing was sent.`, [
      showStep(target.serviceId),
    ]);
  },
  async run({ client, target }) {
    const done = await unsuspendService(client, target.serviceId);
    return suspensionAnswer(target, done, `${soldWords(target)} is no longer suspended.`, "active");
  },
  expects: { first: ["service.unsuspended"] },
  reconcile: async ({ target }) => reconciled(target, "active"),
});

/** The answer to suspend or unsuspend. If the platform reports another state than the requested one, the answer says so. */
function suspensionAnswer(row: Service, done: Suspension, text: string, requested: Service["status"]): Answer {
  const { serviceId: target } = row;
  const other = done.status !== null && done.status !== requested;
  const summary = other
    ? `${code(nameOf(row))} was sent that, and is ${stateOf({ status: done.status ?? requested })} now.`
    : text;
  const back: Record<string, { label: string; command: string }> = {
    suspended: { label: "Unsuspend", command: "reseller service unsuspend" },
    active: { label: "Suspend again", command: "reseller service suspend" },
  };
  const step = other ? undefined : back[requested];
  return {
    text: summary,
    customer: row.externalCustomerId,
    ...(done.actions.length > 0
      ? { blocks: [section(summary), ...paragraphs(renderJson({ done: done.actions }))] }
      : {}),
    next: [...(step ? [{ ...step, target }] : []), { label: "Show", command: "reseller service show", target }],
  };
}

function reconciled(row: Service, requested: Service["status"]): Reconciled {
  const text = `${code(nameOf(row))} is ${stateOf(row)}.`;
  return { is: row.status === requested ? "done" : "not done", text };
}
