import type { Precondition } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { cancelService, keepService, readService, type Service } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { paidOfUnbuilt, paidReads } from "../billing/paid-part.ts";
import {
  atPeriodEnd,
  cancelCommon,
  cancelEffects,
  cancelHeadings,
  cancellations,
  endIs,
  endLabel,
  endOfEach,
  endsAtOnce,
  endTime,
  keepCommon,
  noReturn,
  unbuiltLoss,
  untilThen,
  type WithPeriod,
} from "../kits/cancelling.ts";
import { anyLost } from "../kits/losses.ts";
import { cycleOf } from "../order/order.ts";
import { cancel as vpsCancel, keep as vpsKeep } from "../vps/cancel.ts";
import { actOf, captureOf, endsAt, kindOf, service, serviceName, serviceState } from "./service.ts";

const { cancelRefusal, cancelAnswer, cancelReconciled, keepRefusal, keepReview, keepAnswer, keepReconciled } =
  cancellations("service", (row: Service) => ({
    id: row.id,
    name: code(serviceName(row)),
    status: row.status,
    state: serviceState(row),
    ends: endsAt(row),
  }));

export const cancel = defineOperation({
  ...cancelCommon,
  command: "service cancel",
  summary: "Cancel a service at the end of the paid period, or at once",
  example: "/service cancel mail",
  act: cancelService,
  effects: ({ target, input }) => cancelEffects(target.service, input.immediate),
  reads: [readService, readVps, ...paidReads],
  target: service,
  bulk: {
    each: ({ immediate }, targets) =>
      endOfEach(
        targets.map(({ service: row }) => row),
        immediate
          ? `This will terminate it and erase all its data. ${noReturn}${anyLost(service)}`
          : `It ends when its paid period ends: its data will be lost then. ${untilThen}${anyLost(service, atPeriodEnd)}`,
      ),
    rows: (call) =>
      Promise.all(
        call.targets.map(async ({ service: row }) => {
          const paid = await paidOfUnbuilt(call, row);
          return {
            preconditions: { kind: kindIs(row), ...paid.preconditions },
            price: null,
            warnings: cancelHeadings(periodOf(row), call.input.immediate, paid.warnings),
            refusal: cancelRefusal(row, endsAtOnce(row, call.input.immediate)),
          };
        }),
      ),
  },
  backupFirst: captureOf,
  async review(call) {
    const { name, input } = call;
    const { service: row } = call.target;
    if (row.serviceType === "vps") {
      const review = await (await actOf(vpsCancel, call, input)).review();
      return { ...review, preconditions: { kind: kindIs(row), ...review.preconditions } };
    }
    const atOnce = endsAtOnce(row, input.immediate);
    const refusal = cancelRefusal(row, atOnce);
    if (refusal) throw refusal;
    const paid = await paidOfUnbuilt(call, row);
    return {
      press: endLabel(serviceName(row), periodOf(row), input.immediate),
      consequence: unbuiltLoss(name, row) ?? (atOnce ? lossNow(name) : lossLater(name, endTime(periodOf(row)))),
      warnings: paid.warnings,
      preconditions: {
        kind: kindIs(row),
        ends: endIs(periodOf(row), input.immediate),
        state: { value: row.status ?? null, label: "State", text: serviceState(row) },
        ...paid.preconditions,
      },
    };
  },
  run: async ({ client, target: { service: row }, input }) =>
    cancelAnswer(row, input.immediate, await cancelService(client, row.id, input)),
  async reconcile(call, { before, since }) {
    const { service: row } = call.target;
    if (row.serviceType === "vps") return (await actOf(vpsCancel, call, call.input)).reconcile(before, since);
    return cancelReconciled(row, call.input.immediate);
  },
});

export const keep = defineOperation({
  ...keepCommon,
  command: "service keep",
  summary: "Withdraw a service's scheduled cancellation",
  example: "/service keep db-2",
  act: keepService,
  reads: [readService, readVps],
  target: service,
  bulk: {
    ...keepCommon.bulk,
    rows: ({ targets }) =>
      targets.map(({ service: row }) => ({ preconditions: {}, price: null, refusal: keepRefusal(row) })),
  },
  review: async ({ target: { service: row } }) => keepReview(row),
  async run({ client, target: { service: row } }) {
    await keepService(client, row.id);
    return keepAnswer(row);
  },
  async reconcile(call, { before, since }) {
    const { service: row } = call.target;
    if (row.serviceType === "vps") return (await actOf(vpsKeep, call, {})).reconcile(before, since);
    return keepReconciled(row);
  },
});

/** The spec shows no end of a service's paid period. */
function periodOf(row: Service): WithPeriod {
  return { status: row.status, cycle: cycleOf(row), paidUntil: null };
}

function lossNow(name: string): string {
  return `This will terminate ${name} and erase all its data. ${noReturn}${anyLost(service)}`;
}

function lossLater(name: string, end: string): string {
  return `${name} ends with all its data ${end}. ${untilThen}${anyLost(service, atPeriodEnd)}`;
}

/** The list shows it, too, so that one that changed meanwhile leaves its service out of a bulk request. */
function kindIs(row: Service): Precondition {
  return { value: row.serviceType, label: "Kind", text: kindOf(row) };
}
