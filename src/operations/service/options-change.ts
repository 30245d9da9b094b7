import * as z from "#zod";
import { defineOperation } from "../../operation/define.ts";
import { wrongInput } from "../../operation/errors.ts";
import { timeIs } from "../../operation/preconditions.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { readInvoice, readProforma } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listAvailableOptions, listServiceOptions } from "../../platform/customer/options.ts";
import { readService, type Service } from "../../platform/customer/services.ts";
import { changeOptions, previewUpgrades, readUpgrade } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { plainly } from "../../process/plain-text.ts";
import { moment, money } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { priceLines } from "../catalog/product.ts";
import { addOnLoss, addOnWords, type HeldAddOn } from "../kits/add-ons.ts";
import { balanceFact, readOwnBalance } from "../kits/balance.ts";
import { heldChoices, optionTitle, serviceAddOns } from "./options.ts";
import { changesAddOns } from "./plan-change.ts";
import { serviceName } from "./service.ts";
import { readCurrency, readEnd, readTerms } from "./terms.ts";
import { changeAnswer, changesService, pendingChange } from "./upgrade.ts";

const several = z.array(z.string()).max(50).optional();

export const optionsChange = defineOperation({
  ...changesService,
  command: "service options change",
  does: changesAddOns,
  summary: "Add and remove add-ons of a service in one change, charged for the rest of its paid period",
  example: "/service options change web-1 add=Monitoring",
  act: changeOptions,
  reads: [
    listAvailableOptions,
    listServiceOptions,
    previewUpgrades,
    readUpgrade,
    readService,
    readVps,
    readInvoice,
    readProforma,
    readBalance,
  ],
  // Removing a paid add-on is destructive, so it needs approval like `option remove`.
  risk: { usual: "spend", of: ({ input }) => (input.remove?.length ? "destroy" : "spend") },
  effects: [{ aspect: "payment", on: "made", to: ["new"], later: true }],
  verb: "Change add-ons of",
  input: z
    .object({
      add: several.meta({ title: "Add" }),
      remove: several.meta({ title: "Remove" }),
    })
    .refine(({ add = [], remove = [] }) => add.length + remove.length > 0, {
      path: ["add"],
      message: "name an add-on to add or to remove.",
    }),
  choices: {
    add: async ({ client, target: { service: row } }) =>
      (await listAvailableOptions(client, row.id)).map((option) => ({
        value: option.id,
        label: optionTitle(option),
        ...(option.held ? { description: "The service has it already" } : {}),
      })),
    remove: async ({ client, target: { service: row } }) => heldChoices(await serviceAddOns(client, row.id)),
  },
  async review({ client, target: { service: row }, input, name }) {
    const terms = await readTerms(client, row);
    const end = await readEnd(client, row);
    const { added, removed } = await resolve(client, row, input, await readCurrency(client, row));
    const until = terms?.due ? ` until ${moment(terms.due)}` : "";
    const loss = addOnLoss(removed);
    const titles = listing(added.map(addOnWords));
    const more =
      added.length > 0
        ? ` ${titles} ${added.length > 1 ? "are" : "is"} charged for the rest of the paid period${until}. The platform shows the price only after the change is requested.`
        : "";
    const begins =
      added.length > 0
        ? "A change with a price takes effect when it is paid, also by another member. Any other takes effect at once."
        : "It takes effect at once and cannot be withdrawn.";
    return {
      press: plainly`Change add-ons of ${serviceName(row)}`,
      back: "Leave them as they are",
      // A dialog has room for the first sentences: the loss goes before the rest.
      consequence: `The add-ons of ${name} will change.${more}${loss === null ? ` ${begins}` : ""}`,
      warnings: [
        ...(loss === null ? [] : [loss, "Unused time only offsets this change and is not refunded.", begins]),
        ...end.warning,
      ],
      preconditions: {
        added: { value: idsAndPrices(added), label: "Added", text: priceList(added), decides: "known" },
        removed: { value: idsAndPrices(removed), label: "Removed", text: priceList(removed), decides: "known" },
        paidUntil: timeIs("Paid until", terms?.due, "The platform does not show it."),
        ...end.precondition,
      },
      shown: [
        {
          label: "Paying",
          value:
            "Credit is never used automatically: you must pay the document. A change that costs nothing takes effect at once and cannot be withdrawn.",
        },
      ],
      personal: balanceFact(await readOwnBalance(client), null),
      // It is charged, although a removal makes its risk `destroy`.
      price: added.length > 0 ? "unknown" : null,
    };
  },
  async run({ client, target: { service: row }, input }) {
    const currency = await readCurrency(client, row);
    const { added, removed } = await resolve(client, row, input, currency);
    const made = await changeOptions(client, row.id, {
      addOptions: added.map(({ id }) => id),
      removeOptions: removed.map(({ id }) => id),
    });
    return changeAnswer(client, row.id, subjectOf(row), made, currency);
  },
  async reconcile({ client, target: { service: row }, input, name }) {
    const { pendingUpgrade: pending } = await previewUpgrades(client, row.id);
    if (pending) return pendingChange(row, pending, subjectOf(row));
    const held = (await listServiceOptions(client, row.id)).map(({ option_id }) => option_id);
    const has = (id: string) => held.includes(id);
    const wish = { add: input.add ?? [], remove: input.remove ?? [] };
    if (wish.add.every(has) && !wish.remove.some(has))
      return { is: "done", text: `${name} has the requested add-ons.` };
    if (!wish.add.some(has) && wish.remove.every(has))
      return { is: "not done", text: `${name} has the same add-ons as before, and no change is pending.` };
    return { is: "unsure", text: `${name} has some of the requested add-ons, and no change is pending.` };
  },
});

interface AddOn extends HeldAddOn {
  id: string;
  /** Compared with the price that was confirmed, and so without a currency that is read elsewhere. */
  price: string | null;
  /** The price for people. */
  shown: string | null;
}

type AddOnChange = { add?: string[] | undefined; remove?: string[] | undefined };

/** The add-ons to add and to remove. Throws if one is on both sides, or already on the service (spec section 2.8). */
async function resolve(
  client: CustomerClient,
  row: Service,
  { add = [], remove = [] }: AddOnChange,
  currency: string | null,
) {
  const held = (await serviceAddOns(client, row.id)).map(({ option, name, quantity }): AddOn => {
    const { amount } = option;
    const price = (own: string | null) =>
      amount === null || amount === undefined ? null : `${money(amount, own)} a cycle`;
    return { id: option.option_id, name, quantity, price: price(null), shown: price(currency) };
  });
  const catalogue = (await listAvailableOptions(client, row.id)).map(
    (option): AddOn => ({
      id: option.id,
      name: optionTitle(option),
      quantity: 1,
      price: priceLines(option),
      shown: priceLines(option, currency),
    }),
  );
  const added = [...new Set(add)].map((id) => pick("add", catalogue, id));
  const both = added.find(({ id }) => remove.includes(id));
  if (both) throw wrongInput("remove", plainly`“${both.name}” is both added and removed.`);
  const again = added.find(({ id }) => held.some((one) => one.id === id));
  if (again) throw wrongInput("add", plainly`${serviceName(row)} has “${again.name}” already.`);
  return { added, removed: [...new Set(remove)].map((id) => pick("remove", held, id)) };
}

function pick(field: "add" | "remove", from: AddOn[], id: string): AddOn {
  const found = from.find((one) => one.id === id);
  if (found) return found;
  const what = field === "add" ? "is not offered for this service" : "is not on this service";
  throw wrongInput(field, `The add-on ${id} ${what}.`);
}

function idsAndPrices(options: AddOn[]): (string | number | null)[][] {
  return options.map(({ id, price, quantity }) => [id, price, quantity]);
}

function priceList(options: AddOn[]): string {
  if (options.length === 0) return "none";
  return options.map((addOn) => `${addOnWords(addOn)}: ${addOn.shown ?? "price unknown"}`).join("\n");
}

function subjectOf(row: Service): string {
  return `The change of add-ons of ${code(serviceName(row))}`;
}
