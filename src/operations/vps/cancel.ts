import type { Preconditions } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { timeIs } from "../../operation/preconditions.ts";
import { keepService } from "../../platform/customer/services.ts";
import { cancelVps, type Vps } from "../../platform/customer/vps.ts";
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
  isHourly,
  keepCommon,
  noReturn,
  unbuiltLoss,
  untilThen,
  type WithPeriod,
} from "../kits/cancelling.ts";
import { partsLost } from "../kits/losses.ts";
import { diskIs, diskOf, vps, vpsState } from "./vps.ts";

const { cancelRefusal, cancelAnswer, cancelReconciled, keepRefusal, keepReview, keepAnswer, keepReconciled } =
  cancellations("vps", (target: Vps) => ({
    id: target.id,
    name: code(target.name),
    status: target.status,
    state: vpsState(target),
    ends: target.cancellation?.scheduled_date ?? null,
  }));

export const cancel = defineOperation({
  ...cancelCommon,
  command: "vps cancel",
  summary: "Cancel a VPS at the end of the paid period, or at once",
  example: "/vps cancel web-1",
  act: cancelVps,
  effects: ({ target, input }) => cancelEffects(target, input.immediate),
  reads: paidReads,
  target: vps,
  bulk: {
    each: ({ immediate }, targets) =>
      endOfEach(
        targets,
        immediate
          ? `This will terminate it and erase its disk. ${noReturn}${partsLost(vps)}`
          : `It ends when its paid period ends: its disk will be lost then. ${untilThen}${partsLost(vps, {}, atPeriodEnd)}`,
      ),
    rows: (call) =>
      Promise.all(
        call.targets.map(async (target) => {
          const { immediate } = call.input;
          const paid = await paidOfUnbuilt(call, target);
          return {
            preconditions: { ...preconditionsOf(target, immediate), ...paid.preconditions },
            price: null,
            warnings: cancelHeadings(periodOf(target), immediate, paid.warnings),
            refusal: cancelRefusal(target, endsAtOnce(target, immediate)),
          };
        }),
      ),
  },
  backupFirst: "vps capture",
  async review(call) {
    const { target, input, name } = call;
    const atOnce = endsAtOnce(target, input.immediate);
    const refusal = cancelRefusal(target, atOnce);
    if (refusal) throw refusal;
    const paid = await paidOfUnbuilt(call, target);
    return {
      press: endLabel(target.name, periodOf(target), input.immediate),
      consequence: unbuiltLoss(name, target) ?? (atOnce ? lossNow(target) : lossLater(target)),
      warnings: paid.warnings,
      preconditions: { ...preconditionsOf(target, input.immediate), ...paid.preconditions },
      shown: [{ label: "State", value: vpsState(target) }],
    };
  },
  run: async ({ client, target, input }) =>
    cancelAnswer(target, input.immediate, await cancelVps(client, target.id, input)),
  reconcile: async ({ target, input }) => cancelReconciled(target, input.immediate),
});

export const keep = defineOperation({
  ...keepCommon,
  command: "vps keep",
  summary: "Withdraw a scheduled cancellation",
  example: "/vps keep db-2",
  act: keepService,
  target: vps,
  bulk: {
    ...keepCommon.bulk,
    rows: ({ targets }) => targets.map((target) => ({ preconditions: {}, price: null, refusal: keepRefusal(target) })),
  },
  review: async ({ target }) => keepReview(target),
  async run({ client, target }) {
    const refusal = keepRefusal(target);
    if (refusal) throw refusal;
    await keepService(client, target.id);
    return keepAnswer(target);
  },
  reconcile: async ({ target }) => keepReconciled(target),
});

function addressesOf({ ip_addresses: all }: Vps): string[] {
  return all.map(({ address }) => code(address));
}

function lossNow(target: Vps): string {
  return `This will terminate ${code(target.name)} and erase its disk (${diskOf(target)}). ${noReturn}${partsLost(vps, { addresses: addressesOf(target) })}`;
}

function lossLater(target: Vps): string {
  return `${code(target.name)} ends ${endTime(periodOf(target))}: its disk (${diskOf(target)}) will be lost then. ${untilThen}${partsLost(vps, {}, atPeriodEnd)}`;
}

function periodOf({ status, billing }: Vps): WithPeriod {
  return { status, cycle: billing.cycle, paidUntil: billing.next_due_date };
}

function preconditionsOf(target: Vps, immediate: boolean): Preconditions {
  const addresses = target.ip_addresses.map(({ address }) => address);
  const shown = addresses.slice(0, 10).map((address) => code(address));
  return {
    ends: endIs(periodOf(target), immediate),
    paidUntil: timeIs(
      "Paid until",
      target.billing.next_due_date,
      isHourly(target.billing) ? "billed by the hour" : "unknown",
    ),
    disk: diskIs("Disk", target),
    addresses: { value: addresses.toSorted(), label: "Addresses", text: shown.join(", ") || "none" },
  };
}
