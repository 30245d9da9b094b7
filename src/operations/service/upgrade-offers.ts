import * as z from "#zod";
import { rowButton } from "../../messages/answers/buttons.ts";
import type { Fact, Precondition, Preconditions } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { factsOfPreconditions } from "../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { readService, type Service } from "../../platform/customer/services.ts";
import { previewUpgrades, type UpgradeOffer } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { type Block, facts, section } from "../../views/blocks.ts";
import { figure, moment, money, perCycle } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { specsOf } from "../kits/specs.ts";
import { service } from "./service.ts";
import { readCurrency } from "./terms.ts";

export const upgrades = defineOperation({
  command: "service upgrades",
  synonyms: ["/vps upgrades"],
  summary: "Compare the plans that a service can change to: the cost of each today and per cycle",
  example: "/service upgrades web-2",
  act: previewUpgrades,
  reads: [readService, readVps, readBalance],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, may, target: { service: row }, name }) {
    const preview = await previewUpgrades(client, row.id);
    const currency = await readCurrency(client, row);
    const { productName, amount, billingCycle, nextDueDate } = preview.service;
    const paid = nextDueDate ? `, paid until ${moment(nextDueDate)}` : "";
    const now = `${name} is ${code(productName)} for ${perCycle(money(amount, currency), billingCycle)}${paid}.`;
    if (preview.upgrades.length === 0) return { text: `${now} No other plan is offered for it.` };
    const headline = `${name} can go to ${count(preview.upgrades.length, "plan")}.`;
    const offered = row.status === "active" && may("service upgrade") && !preview.pendingUpgrade;
    const cheapest = preview.upgrades.toSorted((a, b) => Number(a.newCyclePrice) - Number(b.newCyclePrice));
    const pending = preview.pendingUpgrade;
    return {
      text: headline,
      blocks: [
        section(`*${headline}*\n${now}`),
        ...(pending
          ? [
              section(
                `:hourglass_flowing_sand: A change is ${stateWords(pending.status)} already. Another change is possible when it has ended.`,
              ),
            ]
          : []),
        ...cheapest.flatMap((offer) => offerBlocks(row, offer, currency, offered)),
      ],
      next: pending
        ? [{ label: "The pending change", command: "service upgrade show", target: row.id }]
        : [{ label: "Refresh", command: "service upgrades", target: row.id, replace: true }],
    };
  },
});

function offerBlocks(row: Service, offer: UpgradeOffer, currency: string | null, may: boolean): Block[] {
  const upgrade = { command: "service upgrade", target: row.id, input: { to: offer.toProductId } };
  const press = rowButton("Choose…", upgrade, offer.toProductId);
  const specs = specsOf(offer.toSpecs);
  const { today, later, ...parts } = pricePreconditions(offer, currency);
  const price = `${today.text} to pay today, then ${later.text}`;
  const title = `*${code(offer.toProductName)}*: ${price}${specs ? `\n${specs}` : ""}`;
  return [section(title, may ? press : undefined), ...facts([...factsOfPreconditions(parts), daysFact(offer)])];
}

/** The prices of a change of plan, as the platform computed them. */
export function pricePreconditions(offer: UpgradeOffer, currency: string | null) {
  const { upgradeFee, creditAmount, chargeAmount, netAmount, vatRate, vatAmount, totalWithVat } = offer;
  const { newCyclePrice, billingCycle } = offer;
  const amount = (label: string, value: string): Precondition => ({
    value: [value, currency],
    label,
    text: money(value, currency),
  });
  return {
    today: {
      value: [totalWithVat, currency],
      label: "To pay today",
      text: isOwed(offer) ? `*${money(totalWithVat, currency)}*` : "*nothing*",
    },
    later: {
      value: [newCyclePrice, currency, billingCycle],
      label: "From then on",
      text: perCycle(money(newCyclePrice, currency), billingCycle),
    },
    rest: amount("Rest of this cycle", chargeAmount),
    credit: amount("Credit for unused time", creditAmount),
    fee: amount("Fee", upgradeFee),
    // The total alone surely contains the fee: the spec defines the net amount nowhere.
    net: {
      value: [netAmount, currency],
      label: "Before tax",
      text: money(amountOf(beforeTax(offer)), currency),
    },
    tax: {
      value: [vatAmount, currency, vatRate],
      label: "Tax",
      text: `${money(vatAmount, currency)} (${figure(percentOf(Number(vatRate)))} %)`,
    },
  } satisfies Preconditions;
}

/** The spec does not say if a rate is 21 or 0.21. No country has a value added tax below one percent. */
function percentOf(rate: number): number {
  return rate < 1 ? rate * 100 : rate;
}

export function daysFact({ daysRemaining, daysInCycle }: UpgradeOffer): Fact {
  return { label: "Days left", value: `${daysRemaining} of ${daysInCycle}` };
}

function beforeTax({ totalWithVat, vatAmount }: UpgradeOffer): bigint {
  return unitsOf(totalWithVat) - unitsOf(vatAmount);
}

/** The credit that no charge uses up; "0.00" if there is none. A platform may state no total below zero. */
export function lostCreditOf(offer: UpgradeOffer): string {
  const left = [beforeTax(offer), unitsOf(offer.netAmount)].find((units) => units < 0n) ?? 0n;
  return amountOf(isOwed(offer) ? 0n : -left);
}

/**
 * False for a change that costs nothing or gives a credit: it is done at once, without a document (spec section 3.3). The net amount may
 * lack the fee, which is to be paid.
 */
export function isOwed({ netAmount, totalWithVat }: UpgradeOffer): boolean {
  return unitsOf(netAmount) > 0n || unitsOf(totalWithVat) > 0n;
}
