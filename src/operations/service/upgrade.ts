import * as z from "#zod";
import {
  doneIf,
  type Progress,
  priceIn,
  type Reconciled,
  type Step,
  type TrackedAnswer,
} from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import type { PollCall } from "../../operation/operation.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { readInvoice, readProforma } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { readService, type Service, type ServiceDetail } from "../../platform/customer/services.ts";
import {
  cancelUpgrade,
  previewUpgrades,
  readUpgrade,
  requestUpgrade,
  type Upgrade,
  type UpgradePreview,
  type UpgradeResult,
} from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { isInactive } from "../../platform/service-stage.ts";
import { oncePer } from "../../process/once-per.ts";
import { plainly } from "../../process/plain-text.ts";
import { moment, money, perCycle } from "../../views/format.ts";
import { jsonBlocks } from "../../views/json.ts";
import { capital, code, lowerFirst, oneLine } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { costOf, payStep } from "../billing/bill.ts";
import {
  isNothingPaid,
  nothingPaid,
  type PaidPart,
  paidIs,
  paidReads,
  paidWords,
  readPaidPart,
} from "../billing/paid-part.ts";
import { readStartedChanges, startedReads } from "../billing/started-changes.ts";
import { leftOutIs } from "../kits/add-ons.ts";
import { balanceFact, oncePaid, readOwnBalance } from "../kits/balance.ts";
import { card } from "../kits/card.ts";
import { sizePreconditions, upgradeEffects } from "../kits/plan-change.ts";
import {
  becamePlan,
  changeReads,
  changeSubject,
  describeChange,
  type PendingChange,
  type PlanChange,
  PlanMarks,
  pricePrecondition,
  readChange,
  readOpenChange,
  readPlans,
} from "./plan-change.ts";
import { service, serviceName, serviceState } from "./service.ts";
import { paymentDueOn, readCurrency, readEnd } from "./terms.ts";
import { daysFact, isOwed, lostCreditOf, pricePreconditions } from "./upgrade-offers.ts";

/** `what` is the subject of the sentences: "The upgrade of `web-1` to `VPS L`". */
const UpgradeHandle = z.object({ upgrade: z.string(), what: z.string(), document: z.string().nullable() });
type UpgradeHandle = z.infer<typeof UpgradeHandle>;

const upgradeFollow = {
  every: 5_000,
  deadline: 24 * 60 * 60_000,
  handle: UpgradeHandle,
  async poll({ client, targetId }: PollCall<"customer">, handle: UpgradeHandle): Promise<Progress> {
    const { upgrade } = await readUpgrade(client, handle.upgrade);
    return progressOf(upgrade, handle, targetId);
  },
};

/** A payment takes time: poll rarely, and leave the key's hourly calls to members. */
const waitingPace = 60_000;

/** The steps of a change of plan or add-ons (spec section 3.3). */
const stages = ["Pay for it", "Carry it out", "In effect"];

/** The progress of a change of plan or add-ons. */
function progressOf(upgrade: Upgrade, { what, document }: UpgradeHandle, targetId: string): Progress {
  const show: Step = { label: "Show", command: "service show", target: targetId };
  if (upgrade.status === "completed") {
    const when = upgrade.executed_at ? ` ${moment(upgrade.executed_at)}` : "";
    return { state: "done", text: `${what} took effect${when}.`, next: [show], plan: { stages, at: 2 } };
  }
  if (upgrade.status === "cancelled")
    return {
      state: "failed",
      text: `${what} was withdrawn. Nothing was changed.`,
      next: [show],
      cost: { price: null },
    };
  if (upgrade.status === "executing")
    return { state: "working", text: `${what} is paid and being carried out.`, plan: { stages, at: 1 } };
  if (upgrade.status === "awaiting_admin")
    return { state: "working", text: `${what} awaits the platform's approval.`, next: [show], every: waitingPace };
  const next = [...(document ? [payStep(document)] : []), withdrawStep(targetId, upgrade.id)];
  return {
    state: "working",
    text: `${what} awaits payment.`,
    next,
    every: waitingPace,
    plan: { stages, at: 0 },
  };
}

function withdrawStep(target: string, upgrade: string): Step {
  return { label: "Withdraw", command: "service upgrade cancel", target, input: { upgrade } };
}

/** The answer after a change was sent: done at once, or waiting for its payment. */
export async function changeAnswer(
  client: CustomerClient,
  target: string,
  what: string,
  made: UpgradeResult,
  currency: string | null,
): Promise<TrackedAnswer<UpgradeHandle>> {
  const { upgrade } = made;
  const cost = costOf(made, currency);
  if (upgrade.status === "completed")
    return { text: `${what} took effect at once; nothing is to be paid for it.`, handle: null, cost };
  const owed = await paymentDueOn(client, made, currency);
  const handle = { upgrade: upgrade.id, what, document: owed ? (made.document?.id ?? null) : null };
  if (!owed) return { text: `${what} is requested, and nothing is left to pay.`, handle, cost };
  return {
    cost,
    text: `${what} is requested. ${owed.text} The change takes effect after payment, and can be withdrawn until then.`,
    next: [...owed.next, withdrawStep(target, upgrade.id)],
    handle,
  };
}

/** Common to all changes of a service: one at a time, and only after it is built. */
export const changesService = {
  target: service,
  async usable({ client, target: { service: row } }: { client: CustomerClient; target: ServiceDetail }) {
    await refuseUnbuilt(client, row);
    refuseSecond(row, await previewUpgrades(client, row.id));
  },
  follow: upgradeFollow,
} as const;

/** After an unknown outcome: a pending change is the one that was sent. */
export function pendingChange(row: Service, { id, status }: Upgrade, what: string): Reconciled {
  const text = `${lowerFirst(what)} is ${stateWords(status)}. If it awaits payment, its document is among your unpaid ones.`;
  const next = status === "executing" ? [] : [withdrawStep(row.id, id)];
  return { is: "done", text, handle: { upgrade: id, what, document: null }, next };
}

export const upgrade = defineOperation({
  ...changesService,
  command: "service upgrade",
  synonyms: ["resize", "/vps upgrade", "/vps resize"],
  summary: "Change a service to another plan, for the price that the preview shows",
  example: '/service upgrade web-2 to="VPS L"',
  act: requestUpgrade,
  reads: [...changeReads, readUpgrade, readService, readInvoice, readProforma, readBalance],
  // A smaller disk loses data, whatever it costs.
  risk: {
    usual: "spend",
    async of({ client, target, input }) {
      // After the change the preview no longer offers it.
      const change = await readChange(client, target, input.to);
      return change === null || change.losses.length > 0 ? "destroy" : "spend";
    },
  },
  effects: [...upgradeEffects, { aspect: "payment", on: "made", to: ["new"], later: true }],
  backupFirst: ({ service: row }) => (row.serviceType === "vps" ? "vps snapshot" : null),
  input: z.object({ to: z.string().meta({ title: "New plan" }) }),
  choices: {
    to: async ({ client, target: { service: row } }) => {
      const [{ upgrades }, currency] = await Promise.all([previewUpgrades(client, row.id), readCurrency(client, row)]);
      return upgrades.map((offer) => ({
        value: offer.toProductId,
        label: offer.toProductName,
        description: `${isOwed(offer) ? money(offer.totalWithVat, currency) : "nothing"} to pay today`,
      }));
    },
  },
  async review({ client, target, input, name }) {
    const { service: row } = target;
    const change = offered(await readChange(client, target, input.to));
    const { preview, offer, kind, now, after, leftOut, losses } = change;
    const currency = await readCurrency(client, row);
    const end = await readEnd(client, row);
    const present = preview.service;
    const free = "costs nothing today, is done at once and cannot be withdrawn,";
    const cost = isOwed(offer) ? `costs ${money(offer.totalWithVat, currency)} today, tax included,` : free;
    const price = priceIn(isOwed(offer) ? offer.totalWithVat : "0", currency);
    const lostCredit = lostCreditOf(offer);
    return {
      title: capital(kind),
      press: plainly`${capital(kind)} ${oneLine(serviceName(row))} to ${oneLine(offer.toProductName)}`,
      consequence: `The ${kind} of ${name} from ${code(present.productName)} to ${code(offer.toProductName)} ${cost} and ${perCycle(money(offer.newCyclePrice, currency), offer.billingCycle)} from then on.`,
      warnings: [
        ...losses,
        ...(losses.length > 0 && isOwed(offer)
          ? ["This will happen when its document is paid, also if another member pays it."]
          : []),
        ...(unitsOf(lostCredit) > 0n
          ? [`Credit of ${money(lostCredit, currency)} for unused time will be lost: it is not added to a balance.`]
          : []),
        ...end.warning,
        // Spec section 4.5. Nothing surely links a document to its service, so there may be one that Rackbell does not find.
        `Open unpaid invoices of ${name}, if there are any, will get the new price when the change completes.`,
        ...(row.serviceType === "game" ? [] : ["From then on, a reinstall offers the systems of the new plan alone."]),
      ],
      preconditions: {
        from: nameIs("Plan now", present.productName),
        to: nameIs("New plan", offer.toProductName),
        ...sizePreconditions(now, after),
        ...leftOutIs(leftOut),
        ...pricePreconditions(offer, currency),
        later: pricePrecondition(change, currency),
        ...end.precondition,
      },
      shown: [
        daysFact(offer),
        ...(isOwed(offer)
          ? [
              {
                label: "Paying",
                value: "Credit is never used automatically. The change takes effect when its document is paid.",
              },
            ]
          : []),
      ],
      personal: balanceFact(await readOwnBalance(client), isOwed(offer) ? price : null, oncePaid),
      price,
      before: change.marks,
    };
  },
  async run({ client, target, input }) {
    const { service: row } = target;
    refuseSecond(row, await previewUpgrades(client, row.id));
    const change = offered(await readChange(client, target, input.to));
    const currency = await readCurrency(client, row);
    const made = await requestUpgrade(client, row.id, { toProductId: input.to });
    const what = changeSubject(change.kind, row, change.offer.toProductName);
    return changeAnswer(client, row.id, what, made, currency);
  },
  async reconcile({ client, target, input, name }, { before }) {
    const { service: row } = target;
    const plans = z.object({ now: PlanMarks, after: PlanMarks }).parse(before);
    const { preview, marks } = await readPlans(target, client);
    const { pendingUpgrade: pending } = preview;
    if (pending) {
      const change = await readChange(client, target, input.to);
      const what = changeSubject(change?.kind ?? "change", row, change?.offer.toProductName ?? null);
      return pendingChange(row, pending, what);
    }
    const became = becamePlan(marks, plans);
    if (became === undefined)
      return {
        is: "unsure",
        text: `${name} is ${code(marks.name)}, and no change of it is pending. The platform does not show if its plan changed.`,
      };
    return became
      ? { is: "done", text: `${name} is ${code(marks.name)} now.` }
      : { is: "not done", text: `${name} is still ${code(marks.name)}, and no change of it is pending.` };
  },
});

function offered(change: PlanChange | null): PlanChange {
  if (!change) throw wrongInput("to", "This service cannot change to that plan.");
  return change;
}

/** Refuses a service that is being built or installed, before anybody approves a payment for it. */
async function refuseUnbuilt(client: CustomerClient, row: Service): Promise<void> {
  const name = code(serviceName(row));
  if (isInactive(row.status))
    throw new Refusal(`${name} is ${serviceState(row)}: only an active service can be changed. Nothing changed.`);
  if (row.serviceType !== "vps") return;
  const { instance, os_installation_status: installing } = await readVps(client, row.id);
  if (instance === null || installing === "in_progress")
    throw new Refusal(
      `${name} is being ${instance === null ? "built" : "installed"} at the moment. Nothing changed. Try again when that has ended.`,
    );
}

/** Refuses a second change of a service before it is sent: the platform would refuse it. */
function refuseSecond(row: Service, { pendingUpgrade }: UpgradePreview): void {
  if (!pendingUpgrade) return;
  throw new Refusal(
    `A change of ${code(serviceName(row))} is ${stateWords(pendingUpgrade.status)} already. Nothing was sent. Pay or withdraw that one first.`,
    [{ label: "Show it", command: "service upgrade show", target: row.id }, withdrawStep(row.id, pendingUpgrade.id)],
  );
}

const upgradeId = z.uuid().optional().meta({ title: "Id of the change", description: "Empty: the pending change" });

export const upgradeShow = defineOperation({
  command: "service upgrade show",
  phrase: "Show an upgrade",
  summary: "Show the progress of a change of a service's plan or add-ons; follow=yes tracks the change to its end",
  example: "/service upgrade show web-2",
  act: readUpgrade,
  reads: [readService, ...changeReads],
  // With `follow` the app keeps a message current, so its risk is a change. It writes nothing on the platform.
  risk: { usual: "read", of: ({ input }) => (input.follow ? "change" : "read") },
  target: service,
  input: z.object({
    upgrade: upgradeId,
    follow: z
      .boolean()
      .default(false)
      .meta({ title: "Track", description: "Update a message until the change ends", people: true }),
  }),
  async run(call) {
    const { client, target, input } = call;
    const { service: row } = target;
    const { upgrade, order, what } = (await findChange(client, target, input.upgrade)) ?? refuseNoChange(row);
    const { id, status: _, executed_at: __, ...rest } = upgrade;
    const handle = { upgrade: id, what, document: null };
    const progress = progressOf(upgrade, handle, row.id);
    if (input.follow && progress.state === "working") return { text: progress.text, next: progress.next ?? [], handle };
    const known = { target: row.id, input: { upgrade: id } };
    const shown = card({
      text: progress.text,
      title: `*${progress.text}*`,
      facts: [],
      details: [...jsonBlocks(rest), ...(order ? jsonBlocks(summaryOf(order), { title: "Order" }) : [])],
      id: `Change ${code(id)}`,
      next: [
        ...(progress.next ?? []),
        ...(progress.state === "working"
          ? [{ label: "Track it", command: "service upgrade show", ...known, input: { upgrade: id, follow: true } }]
          : []),
        { label: "Refresh", command: "service upgrade show", ...known, replace: true },
      ],
    });
    return { ...shown, handle: null };
  },
  follow: upgradeFollow,
});

export const upgradeCancel = defineOperation({
  command: "service upgrade cancel",
  group: "money",
  summary: "Withdraw a change of a service's plan or add-ons that awaits payment",
  example: "/service upgrade cancel web-2",
  act: cancelUpgrade,
  reads: [readUpgrade, readService, ...changeReads, ...startedReads, ...paidReads],
  // The document of the change ends with it, and nobody promises what is paid on it back.
  risk: {
    usual: "change",
    of: async (call) => (isNothingPaid((await readWithdrawal(call.target, call)).paid) ? "change" : "destroy"),
  },
  effects: [{ aspect: "payment", on: "documents", to: ["cancelled"] }],
  verb: "Withdraw upgrade of",
  target: service,
  input: z.object({ upgrade: upgradeId }),
  async review(call) {
    const { change, paid } = await readWithdrawal(call.target, call);
    const what = withdrawnWords(change ?? refuseNoChange(call.target.service));
    return {
      consequence: `This will withdraw ${what}. Nothing will change, and nothing more is to be paid.`,
      warnings: lostWith(paid),
      back: "Keep the change",
      preconditions: {
        change: { value: change?.upgrade.id ?? null, label: "Change", text: what },
        paid: paidIs(paid),
      },
    };
  },
  async run(call) {
    const { client, target } = call;
    const { change, paid } = await readWithdrawal(target, call);
    const { upgrade, what } = change ?? refuseNoChange(target.service);
    await cancelUpgrade(client, upgrade.id);
    const more = isNothingPaid(paid) ? "nothing" : "nothing more";
    return {
      text: [`${what} is withdrawn. Nothing changed, and ${more} is to be paid.`, ...lostWith(paid)].join(" "),
      next: [{ label: "Upgrades", command: "service upgrades", target: target.service.id }],
    };
  },
  async reconcile({ client, target: { service: row }, input, name }) {
    if (input.upgrade === undefined) {
      const { pendingUpgrade } = await previewUpgrades(client, row.id);
      if (pendingUpgrade) return { is: "not done", text: `a change of ${name} is still pending.` };
      return { is: "unsure", text: `No change of ${name} is pending any more: it was withdrawn, or it took effect.` };
    }
    const { status } = (await readUpgrade(client, input.upgrade)).upgrade;
    const present = `the change of ${name} is ${stateWords(status)}.`;
    return doneIf(status === "cancelled", `the change of ${name} is withdrawn.`, present);
  },
});

/** A change, and what is paid of its document while that waits. Null if none is pending. */
const readWithdrawal = oncePer(
  async (target: ServiceDetail, call: CallContext<"customer"> & { input: { upgrade?: string | undefined } }) => {
    const { client, input } = call;
    const change = await findChange(client, target, input.upgrade);
    if (!change || hasBegun.includes(change.upgrade.status)) return { change, paid: nothingPaid };
    const { id } = change.upgrade;
    const paid = await readPaidPart(client, async (bill) => {
      const { changes, isSure, unseen } = await readStartedChanges(bill, call);
      if (changes.some(({ upgrade }) => upgrade.id === id)) return isSure || "unknown";
      return unseen === null ? false : "unknown";
    });
    return { change, paid };
  },
);

/** The change in a sentence about its withdrawal, which says so where the platform names neither the new plan nor the add-ons. */
function withdrawnWords(change: Pick<PendingChange, "what"> & Partial<PendingChange>): string {
  const isNamed = change.plan === null || Boolean(change.plan?.offer);
  return `${lowerFirst(change.what)}${isNamed ? "" : ", which the platform does not describe"}`;
}

const hasBegun: Upgrade["status"][] = ["executing", "completed", "cancelled"];

function lostWith(paid: PaidPart): string[] {
  const words = paidWords(paid);
  return words.length === 0 ? [] : [...words, "The platform does not say if it gives that money back."];
}

/** The change with that id, or the pending one; null if none is. Only one that has not ended shows if it is an upgrade or a downgrade. */
async function findChange(client: CustomerClient, target: ServiceDetail, id: string | undefined) {
  const open = await readOpenChange(client, target);
  if (open && (id === undefined || id === open.upgrade.id)) return describeChange(client, open);
  if (id === undefined) return null;
  return { ...(await readUpgrade(client, id)), what: `The change of ${code(serviceName(target.service))}` };
}

function refuseNoChange(row: Service): never {
  throw new Refusal(`No change of ${code(serviceName(row))} is pending. Nothing was sent.`, [
    { label: "Upgrades", command: "service upgrades", target: row.id },
  ]);
}

/** The order's own page shows its lines and services. */
function summaryOf({ items: _, services: __, ...order }: object & { items?: unknown; services?: unknown }): object {
  return order;
}
