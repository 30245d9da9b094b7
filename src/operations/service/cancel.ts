import * as z from "zod";
import type { Precondition } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import {
  cancelService,
  keepService,
  moveService,
  readService,
  type Service,
} from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { cancelInput, endWords, keepStep, refuseScheduled } from "../kits/cancelling.ts";
import { movedNouns, namedProject, projectChoices, sourceProjects } from "../project/project.ts";
import { cancel as vpsCancel } from "../vps/cancel.ts";
import { actOf, captureOf, kindOf, nameOf, service, stateOf } from "./service.ts";
import { endsAt } from "./show.ts";

export const cancel = defineOperation({
  command: "service cancel",
  group: "money",
  synonyms: ["delete", "remove", "destroy", "terminate"],
  summary: "Cancel a service with the paid period, or at once",
  act: cancelService,
  reads: [readService, readVps],
  risk: "destroy",
  verb: "Cancel",
  target: service,
  input: cancelInput,
  bulk: {
    each: ({ immediate }) =>
      immediate
        ? "It is terminated now, and its data is lost. This cannot be undone, and paid money is not refunded here."
        : "It ends with its paid period, and its data is gone then. It can be kept until then.",
    rows: ({ targets }) => targets.map(({ service: row }) => ({ preconditions: { kind: kindIs(row) }, price: null })),
  },
  backupFirst: captureOf,
  async review(call) {
    const { service: row } = call.target;
    if (row.serviceType === "vps") {
      const review = await (await actOf(vpsCancel, call, call.input)).review();
      return { ...review, preconditions: { kind: kindIs(row), ...review.preconditions } };
    }
    // The platform always ends a failed build at once (spec section 3.1).
    const now = call.input.immediate || row.status === "provisioning_failed";
    const name = code(nameOf(row));
    refuseScheduled(nameOf(row), endsAt(row), now, { label: "Keep it", command: "service keep", target: row.id });
    return {
      press: endWords(nameOf(row), { now }),
      consequence: now
        ? `${name} is terminated now, and its data is lost. This cannot be undone, and paid money is not refunded here.`
        : `${name} ends with the paid period, and its data is gone then. You can keep it until then.`,
      preconditions: {
        kind: kindIs(row),
        ends: { value: now ? "now" : "period", label: "Ends", text: now ? "at once" : "at the end of the paid period" },
        state: { value: row.status ?? null, label: "State", text: stateOf(row) },
      },
    };
  },
  async run({ client, target: { service: row }, input: { reason, immediate } }) {
    const done = await cancelService(client, row.id, { reason, immediate });
    const name = code(nameOf(row));
    if (done.immediate) return { text: `${name} has ended. There is no way back.` };
    return {
      text: `${name} ends ${moment(done.scheduledDate)}, when the paid period ends. You can keep it until then.`,
      next: [keepStep("service keep", row.id, done.scheduledDate)],
    };
  },
  async reconcile(call, { before, since }) {
    const { service: row } = call.target;
    if (row.serviceType === "vps") return (await actOf(vpsCancel, call, call.input)).reconcile(before, since);
    const name = code(nameOf(row));
    if (row.status === "terminated") return { is: "done", text: `${name} is terminated.` };
    const ends = endsAt(row);
    if (!call.input.immediate && ends)
      return { is: "done", text: `${name} ends ${moment(ends)}.`, next: [keepStep("service keep", row.id, ends)] };
    if (call.input.immediate || ends === null)
      return { is: "not done", text: `${name} is ${stateOf(row)} and not cancelled.` };
    return { is: "unsure", text: `The platform does not show whether ${name} is cancelled.` };
  },
});

export const keep = defineOperation({
  command: "service keep",
  group: "money",
  synonyms: ["uncancel"],
  summary: "Withdraw a service's scheduled cancellation",
  act: keepService,
  reads: [readService, readVps],
  risk: "change",
  target: service,
  bulk: true,
  input: z.object({}),
  async run({ client, target: { service: row } }) {
    await keepService(client, row.id);
    return {
      text: `${code(nameOf(row))} is kept: its cancellation is withdrawn.`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  async reconcile({ client, target: { service: row } }) {
    const ends = row.serviceType === "vps" ? (await readVps(client, row.id)).cancellation : endsAt(row);
    const name = code(nameOf(row));
    if (ends === undefined) return { is: "unsure", text: `The platform does not show whether ${name} is cancelled.` };
    return ends === null
      ? { is: "done", text: `${name} is kept.` }
      : { is: "not done", text: `${name} is still cancelled.` };
  },
});

/** The list shows it, too, so that one that changed meanwhile leaves its service out of a bulk request. */
function kindIs(row: Service): Precondition {
  return { value: row.serviceType, label: "Kind", text: kindOf(row) };
}

export const move = defineOperation({
  command: "service move",
  summary: "Move a service to another project",
  act: moveService,
  reads: [listProjects, readService, readVps],
  risk: "change",
  target: service,
  input: z.object({ project: z.string().meta({ title: "Project" }) }),
  choices: { project: projectChoices },
  async relocates({ client, targets, input }, ruled) {
    const to = await namedProject(client, input.project);
    const ids = targets.map(({ service: row }) => row.id);
    const all = to ? await sourceProjects(client, service, ids, ruled) : [];
    return all.flatMap((from) => (to ? [{ from, to, nouns: movedNouns.services }] : []));
  },
  async review({ client, target: { service: row }, input }) {
    const to = code((await namedProject(client, input.project))?.name ?? input.project);
    return {
      consequence: `${code(nameOf(row))} moves to ${to}. It keeps running. From then on the approval rules of ${to} apply to it.`,
    };
  },
  async run({ client, target: { service: row }, input }) {
    const project = (await listProjects(client)).find(({ id }) => id === input.project);
    await moveService(client, row.id, project?.is_default ? null : input.project);
    return {
      text: `${code(nameOf(row))} is in the project ${code(project?.name ?? input.project)} now.`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  async reconcile({ client, target: { service: row }, input }) {
    const name = code(nameOf(row));
    if (row.serviceType !== "vps")
      return { is: "unsure", text: `The platform does not show which project ${name} is in.` };
    const { project } = await readVps(client, row.id);
    const there = project.id === input.project;
    return { is: there ? "done" : "not done", text: `${name} is in the project ${code(project.name)}.` };
  },
});
