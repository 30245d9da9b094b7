import * as z from "zod";
import type { Preconditions } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal } from "../../operation/errors.ts";
import { timeIs } from "../../operation/preconditions.ts";
import { distinctRelocations } from "../../operation/relocation.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { keepService } from "../../platform/customer/services.ts";
import { cancelVps, keepVps, moveVps, readVps, type Vps } from "../../platform/customer/vps.ts";
import { moment } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { cancelInput, endWords, keepStep, refuseScheduled } from "../kits/cancelling.ts";
import { namedProject, projectChoices } from "../project/project.ts";
import { diskOf, stateOf, vps } from "./vps.ts";

export const cancel = defineOperation({
  command: "vps cancel",
  group: "money",
  synonyms: ["delete", "remove", "destroy", "terminate"],
  summary: "Cancel a VPS with the paid period, or at once",
  act: cancelVps,
  reads: [readVps],
  risk: "destroy",
  verb: "Cancel",
  target: vps,
  input: cancelInput,
  bulk: {
    each: ({ immediate }) =>
      immediate
        ? "It is terminated now. Its disk, snapshots and addresses are lost. This cannot be undone, and paid money is not refunded here."
        : "It ends when its paid period ends: its disk and addresses are gone then. It can be kept until then.",
    rows: ({ targets, input }) =>
      targets.map((target) => ({
        preconditions: preconditionsOf(target, isImmediate(target, input.immediate)),
        price: null,
      })),
  },
  backupFirst: "vps capture",
  async review({ target, input }) {
    if (target.status !== "active" && target.status !== "provisioning_failed")
      throw new Refusal(`${code(target.name)} is ${stateOf(target)}, so it cannot be cancelled. Nothing changed.`);
    const now = isImmediate(target, input.immediate);
    refuseScheduled(target.name, target.cancellation?.scheduled_date, now, {
      label: "Keep it",
      command: "vps keep",
      target: target.id,
    });
    return {
      press: endWords(target.name, { now }),
      consequence: now
        ? lossNow(target)
        : `${code(target.name)} ends ${endOf(target)}, when the paid period ends: its disk (${diskOf(target)}) and addresses are gone then. You can keep it until then.`,
      preconditions: preconditionsOf(target, now),
      shown: [{ label: "State", value: stateOf(target) }],
      before: { status: target.status, scheduled: target.cancellation?.scheduled_date ?? null },
    };
  },
  async run({ client, target, input }) {
    const done = await cancelVps(client, target.id, { reason: input.reason, immediate: input.immediate });
    if (done.immediate) return { text: `${code(target.name)} has ended. There is no way back.` };
    return {
      text: `${code(target.name)} ends ${moment(done.scheduledDate)}, when the paid period ends. You can keep it until then.`,
      next: [keepStep("vps keep", target.id, done.scheduledDate)],
    };
  },
  async reconcile({ target, input }) {
    if (target.status === "terminated") return { is: "done", text: `${code(target.name)} is terminated.` };
    if (!input.immediate && target.cancellation)
      return {
        is: "done",
        text: `${code(target.name)} ends ${moment(target.cancellation.scheduled_date)}.`,
        next: [keepStep("vps keep", target.id, target.cancellation.scheduled_date)],
      };
    return { is: "not done", text: `${code(target.name)} is ${stateOf(target)} and not cancelled.` };
  },
});

export const keep = defineOperation({
  command: "vps keep",
  group: "money",
  synonyms: ["uncancel"],
  summary: "Withdraw a scheduled cancellation",
  act: keepService,
  reads: [readVps],
  risk: "change",
  target: vps,
  bulk: true,
  input: z.object({}),
  async run({ client, target }) {
    if (target.cancellation === null && target.status === "active")
      throw new Refusal(`${code(target.name)} is not cancelled, so there is nothing to withdraw. Nothing was sent.`);
    await keepVps(client, target.id);
    return {
      text: `${code(target.name)} is kept: its cancellation is withdrawn.`,
      next: [{ label: "Show", command: "vps show", target: target.id }],
    };
  },
  async reconcile({ target }) {
    if (target.cancellation === null) return { is: "done", text: `${code(target.name)} is kept.` };
    return { is: "not done", text: `${code(target.name)} still ends ${moment(target.cancellation.scheduled_date)}.` };
  },
});

/** The platform always ends a failed build at once (spec section 3.1). */
function isImmediate(target: Vps, immediate: boolean): boolean {
  return immediate || target.status === "provisioning_failed";
}

function lossNow(target: Vps): string {
  if (target.status === "provisioning_failed")
    return `${code(target.name)} was never built. It is terminated now, and an unpaid invoice for it is cancelled.`;
  const addresses = target.ip_addresses.map(({ address }) => code(address));
  const given =
    addresses.length > 0
      ? ` Its address${addresses.length > 1 ? "es" : ""} ${listing(addresses.slice(0, 4))}${addresses.length > 4 ? " and more" : ""} ${addresses.length > 1 ? "are" : "is"} given up.`
      : "";
  return `${code(target.name)} is terminated now. Its disk (${diskOf(target)}) and snapshots are destroyed.${given} This cannot be undone, and paid money is not refunded here.`;
}

function endOf({ billing }: Vps): string {
  return billing.next_due_date ? moment(billing.next_due_date) : "at the end of the paid period";
}

function preconditionsOf(target: Vps, now: boolean): Preconditions {
  const addresses = target.ip_addresses.map(({ address }) => address);
  return {
    ends: { value: now ? "now" : "period", label: "Ends", text: now ? "at once" : endOf(target) },
    paidUntil: timeIs("Paid until", target.billing.next_due_date),
    disk: { value: target.instance?.disk_gb ?? null, label: "Disk", text: diskOf(target) },
    addresses: {
      value: addresses.toSorted(),
      label: "Addresses",
      text:
        addresses
          .slice(0, 10)
          .map((address) => code(address))
          .join(", ") || "none",
    },
  };
}

export const move = defineOperation({
  command: "vps move",
  summary: "Move a VPS to another project",
  act: moveVps,
  reads: [listProjects, readVps],
  risk: "change",
  target: vps,
  bulk: true,
  input: z.object({ project: z.string().meta({ title: "Project" }) }),
  choices: { project: projectChoices },
  async relocates({ client, targets, input }) {
    const to = await namedProject(client, input.project);
    return to ? distinctRelocations(targets.map(({ project: from }) => ({ from, to, nouns: ["vps", "service"] }))) : [];
  },
  async review({ client, target, input }) {
    const to = (await namedProject(client, input.project))?.name ?? input.project;
    return {
      consequence: `${code(target.name)} moves from ${code(target.project.name)} to ${code(to)}. It keeps running. From then on the approval rules of ${code(to)} apply to it.`,
    };
  },
  current: ({ project }) => ({ project: project.name }),
  async reconcile({ target, input }) {
    const moved = target.project.id === input.project;
    return { is: moved ? "done" : "not done", text: `${code(target.name)} is in ${code(target.project.name)}.` };
  },
  async run({ client, target, input }) {
    const project = (await listProjects(client)).find(({ id }) => id === input.project);
    await moveVps(client, target.id, project?.is_default ? null : input.project);
    return {
      text: `${code(target.name)} moved from ${code(target.project.name)} to ${code(project?.name ?? input.project)}.`,
      next: [{ label: "Move back", command: "vps move", target: target.id, input: { project: target.project.id } }],
    };
  },
});
