import * as z from "zod";
import { priceBeforeTax, type Reconciled } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { InputError } from "../../operation/errors.ts";
import type { Call } from "../../operation/operation.ts";
import { nameIs, textIs } from "../../operation/preconditions.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  type AvailableOption,
  buyOption,
  listAvailableOptions,
  listServiceOptions,
} from "../../platform/customer/options.ts";
import { listOrders, readOrder } from "../../platform/customer/orders.ts";
import { readService, type Service, type ServiceDetail } from "../../platform/customer/services.ts";
import { previewUpgrades } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { money } from "../../views/format.ts";
import { code, oneLine } from "../../views/text.ts";
import { balanceFact, balanceOf } from "../billing/bill.ts";
import { optionPrice } from "./option-price.ts";
import { priceLines, titleOf } from "./options.ts";
import { paymentDueOn, payStep } from "./payment-due.ts";
import { nameOf, service } from "./service.ts";
import { readTerms } from "./terms.ts";
import { type FreshTraces, freshTraces, mentions, readTraces, Traces, tracesJson } from "./traces.ts";

const cycles = ["hourly", "monthly", "quarterly", "semi-annually", "annually"] as const;

/** The usual billing type (spec section 2.8). */
const usualType = "recurring";

const input = z.object({
  option: z.string().meta({ title: "Add-on" }),
  cycle: z
    .enum(cycles)
    .optional()
    .meta({ title: "Billing cycle", description: "The service's own where nothing is chosen" }),
  quantity: z.number().int().min(1).max(1_000).default(1).meta({ title: "Quantity" }),
  type: z
    .string()
    .trim()
    .regex(/^[a-z0-9_-]{1,40}$/i, "one word, such as recurring.")
    .default(usualType)
    .meta({ title: "Billing type", description: "recurring, unless the operator told you another" }),
});
type Input = z.output<typeof input>;

const Before = z.object({ held: z.array(z.string()), traces: Traces });

export const optionAdd = defineOperation({
  command: "service option add",
  summary: "Buy an add-on for a service: a full cycle is charged, which begins today",
  act: buyOption,
  reads: [
    listAvailableOptions,
    listServiceOptions,
    readService,
    readVps,
    previewUpgrades,
    listInvoices,
    listProformas,
    readInvoice,
    readProforma,
    listOrders,
    readOrder,
    readBalance,
  ],
  risk: "spend",
  verb: "Buy add-on",
  target: service,
  input,
  choices: {
    option: async ({ client, target: { service: row } }) =>
      (await listAvailableOptions(client, row.id))
        .filter(({ held }) => !held)
        .map((option) => ({ value: option.id, label: titleOf(option) })),
  },
  async review(call) {
    const { client, target, input: wish } = call;
    const { service: row } = target;
    const option = await offered(client, row, wish.option);
    if (option.held)
      throw new InputError([{ field: "option", message: `${nameOf(row)} has “${titleOf(option)}” already.` }]);
    const cycle = await cycleOf(call);
    const held = await listServiceOptions(client, row.id);
    const balance = await balanceOf(client);
    const currency = (await readTerms(client, row))?.currency ?? balance?.currency ?? null;
    const amount = optionPrice(option, cycle, wish.quantity);
    const price = amount === null ? "the platform names no price for it" : `${money(amount, currency)} before tax`;
    return {
      press: `Buy ${oneLine(titleOf(option))}`,
      consequence: `${wish.quantity > 1 ? `${wish.quantity} × ` : ""}${code(titleOf(option))} for ${code(nameOf(row))}: ${price}, for a full cycle (${cycle}) that begins today.${wish.type === usualType ? " It renews until it is removed." : ""}`,
      preconditions: {
        option: nameIs("Add-on", titleOf(option)),
        cycle: textIs("Billing cycle", cycle),
        ...(wish.type !== usualType && { type: nameIs("Billing type", wish.type) }),
        price:
          amount === null
            ? textIs("Price", priceLines(option) ?? "The platform names none.")
            : { value: [amount, currency], label: "Price", text: price },
      },
      shown: [
        { label: "Tax", value: "On the document where it is due; the platform does not tell it before." },
        {
          label: "Paying",
          value: "From your credit at once where the operator has it so; otherwise the document waits to be paid.",
        },
      ],
      personal: balanceFact(balance, amount),
      price: amount === null ? "unknown" : priceBeforeTax(amount, currency),
      before: { held: held.map(({ id }) => id), traces: tracesJson(await readTraces(client, row.hostname ?? null)) },
    };
  },
  async run(call) {
    const { client, target, input: wish } = call;
    const { service: row } = target;
    const title = code(titleOf(await offered(client, row, wish.option)));
    const { quantity } = wish;
    const body = { optionId: wish.option, billingType: wish.type, billingCycle: await cycleOf(call), quantity };
    const made = await buyOption(client, row.id, body);
    const owed = await paymentDueOn(client, made, null);
    const addOns = { label: "Add-ons", command: "service options", target: row.id };
    const name = code(nameOf(row));
    if (!owed) return { text: `${title} was bought for ${name}, and it is paid.`, next: [addOns] };
    return {
      text: `${title} was ordered for ${name}. ${owed.text} It works from then on.`,
      next: [...owed.next, addOns],
    };
  },
  reconcile: findPurchase,
});

async function offered(client: CustomerClient, row: Service, id: string): Promise<AvailableOption> {
  const option = (await listAvailableOptions(client, row.id)).find((one) => one.id === id);
  if (!option) throw new InputError([{ field: "option", message: "That add-on is not offered for this service." }]);
  return option;
}

async function cycleOf({ client, target, input: wish }: Call<"customer", ServiceDetail, Input>): Promise<string> {
  const cycle = wish.cycle ?? (await readTerms(client, target.service))?.cycle;
  if (cycle) return cycle;
  throw new InputError([
    { field: "cycle", message: "The platform does not tell this service's own cycle: choose the add-on's." },
  ]);
}

/** Finds a purchase by its order or document: an add-on is not listed before it is active. */
async function findPurchase(
  { client, target: { service: row }, input: wish }: Call<"customer", ServiceDetail, Input>,
  { before }: { before: unknown },
): Promise<Reconciled> {
  const was = Before.parse(before);
  const name = code(nameOf(row));
  const held = await listServiceOptions(client, row.id);
  const bought = held.find(({ id, option_id }) => option_id === wish.option && !was.held.includes(id));
  const title = (await listAvailableOptions(client, row.id)).find(({ id }) => id === wish.option)?.name;
  const fresh = await freshTraces(client, row.hostname ?? null, was.traces);
  const next = documentSteps(fresh, [wish.option, title]);
  if (bought) {
    const state = bought.status === "active" ? "it is active" : "it waits for its payment";
    return { is: "done", text: `${name} has it; ${state}.`, next: bought.status === "active" ? [] : next };
  }
  const order = fresh.orders.find((one) => mentions(one, [wish.option, title]));
  if (order) return { is: "done", text: `there is an order for it. It works once its document is paid.`, next };
  if (fresh.orders.length > 0 || fresh.documents.length > 0)
    return {
      is: "unsure",
      text: `There is something new on your account, and it does not tell whether it is for ${name}.`,
    };
  if (!fresh.whole) return { is: "unsure", text: "Your documents cannot all be read, so it cannot be told." };
  return { is: "not done", text: `${name} does not have it, and no document for it was made.` };
}

function documentSteps({ documents }: FreshTraces, words: (string | null | undefined)[]) {
  return documents
    .filter(({ detail }) => !detail.settled && mentions(detail, words))
    .slice(0, 1)
    .map(({ detail }) => payStep(detail.document.id));
}
