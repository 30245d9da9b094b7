import * as z from "#zod";
import { rowButton } from "../../messages/answers/buttons.ts";
import { doneIf, priceBeforeTax, type Reconciled } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { wrongInput } from "../../operation/errors.ts";
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
  removeOption,
  type ServiceOption,
} from "../../platform/customer/options.ts";
import { autoCreditIn, billingCycles, listOrders, readOrder } from "../../platform/customer/orders.ts";
import { listServices, readService, type Service, type ServiceDetail } from "../../platform/customer/services.ts";
import { previewUpgrades } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { plainly } from "../../process/plain-text.ts";
import { type Block, type button, section } from "../../views/blocks.ts";
import { money } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { costOf, payStep } from "../billing/bill.ts";
import { optionPrice, priceLines, unreadPrice } from "../catalog/product.ts";
import { addOnLabel, addOnWords, type HeldAddOn, heldAddOn, heldByAddOns, quantityIs } from "../kits/add-ons.ts";
import { balanceFact, oncePaidWithTax, payingWords, readOwnBalance, taxFact } from "../kits/balance.ts";
import { headed } from "../kits/card.ts";
import { restLine } from "../kits/lines.ts";
import { mentions } from "../kits/mentions.ts";
import { mostOf, overMaximum } from "../kits/ordering.ts";
import { naming } from "./own-names.ts";
import { service, serviceName } from "./service.ts";
import { paymentDueOn, readCurrency, readEnd, readTerms } from "./terms.ts";
import { type FreshTraces, freshTraces, readTraces, Traces } from "./traces.ts";

export const options = defineOperation({
  command: "service options",
  synonyms: ["addons"],
  summary: "List the add-ons that a service has",
  example: "/service options web-1",
  act: listServiceOptions,
  reads: [listAvailableOptions, readService, readVps, readBalance],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, may, target: { service: row }, name }) {
    const held = await serviceAddOns(client, row.id);
    const next = [{ label: "Available add-ons", command: "service options available", target: row.id }];
    if (held.length === 0) return { text: `${name} has no add-ons.`, next };
    const headline = `${name} has ${count(held.length, "add-on")}.`;
    const removable = may("service option remove");
    const currency = await readCurrency(client, row);
    const blocks = held.map(({ option, name: title }) => {
      const { id: _, option_id, status, amount, name: __, ...rest } = option;
      const price = amount === null || amount === undefined ? "price unknown" : `${money(amount, currency)} a cycle`;
      const text = `:heavy_plus_sign: ${code(title)}\n${stateWords(status)} · ${price}`;
      return optionRow(
        text,
        rest,
        currency,
        removable ? optionButton("Remove…", "service option remove", row.id, option_id) : undefined,
      );
    });
    return { ...headed(headline, blocks), next };
  },
});

export const optionsAvailable = defineOperation({
  command: "service options available",
  phrase: "Show available add-ons",
  summary: "List the add-ons available for a service, with their prices",
  example: "/service options available web-2",
  act: listAvailableOptions,
  reads: [readService, readVps, readBalance],
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, may, target: { service: row }, name }) {
    const found = await listAvailableOptions(client, row.id);
    const next = [{ label: "Present add-ons", command: "service options", target: row.id }];
    if (found.length === 0) return { text: `No add-ons are available for ${name}.`, next };
    const headline = `${count(found.length, "add-on")} ${found.length === 1 ? "is" : "are"} available for ${name}.`;
    const buyable = row.status === "active" && may("service option add");
    const currency = await readCurrency(client, row);
    const blocks = found.map((option) => {
      const text = `:heavy_plus_sign: ${code(optionTitle(option))}${option.held ? " · present" : ""}`;
      const buy = buyable && !option.held ? optionButton("Buy…", "service option add", row.id, option.id) : undefined;
      return optionRow(`${text}\n${priceLines(option, currency) ?? "Its price is unknown."}`, {}, currency, buy);
    });
    return { ...headed(headline, blocks), next };
  },
});

function optionButton(label: string, command: string, target: string, option: string) {
  return rowButton(label, { command, target, input: { option } }, option);
}

/** `rest`: the fields of the row that the text does not have. */
function optionRow(
  text: string,
  rest: Record<string, unknown>,
  currency: string | null,
  press?: ReturnType<typeof button>,
): Block {
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const line = restLine(fields, currency, 1_500);
  return section(line === "" ? text : `${text}\n${line}`, press);
}

export function optionTitle({ id, name }: AvailableOption): string {
  return name || id;
}

export interface ServiceAddOn extends HeldAddOn {
  option: ServiceOption;
}

/** The add-ons of a service, each by its own name, otherwise by the catalogue's. */
export async function serviceAddOns(client: CustomerClient, id: string): Promise<ServiceAddOn[]> {
  const held = await listServiceOptions(client, id);
  const named = held.every(({ name }) => typeof name === "string" && name !== "");
  const catalogue = named ? [] : await listAvailableOptions(client, id);
  return held.map((option) => {
    const own = typeof option.name === "string" ? option.name : null;
    const listed = catalogue.find((one) => one.id === option.option_id)?.name;
    return { option, ...heldAddOn(own || listed || option.option_id, option.quantity) };
  });
}

/** The usual billing type (spec section 2.8). */
const usualType = "recurring";

const input = z.object({
  option: z.string().meta({ title: "Add-on" }),
  cycle: z
    .enum(billingCycles)
    .optional()
    .meta({ title: "Billing cycle", description: "Empty: the service's own cycle" }),
  quantity: z.number().int().min(1).max(1_000).default(1).meta({ title: "Quantity", amount: true }),
  type: z
    .string()
    .trim()
    .regex(/^[a-z0-9_-]{1,40}$/i, "one word, such as recurring.")
    .default(usualType)
    .meta({ title: "Billing type", description: "Usually recurring; the platform's operator may name another" }),
});
type Input = z.output<typeof input>;

const Before = z.object({ held: z.array(z.string()), traces: Traces });

export const optionAdd = defineOperation({
  command: "service option add",
  synonyms: ["addon add"],
  summary: "Buy an add-on for a service: a full billing cycle is charged from today",
  example: "/service option add web-2 option=Monitoring",
  act: buyOption,
  reads: [
    listAvailableOptions,
    listServiceOptions,
    readService,
    listServices,
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
  effects: [{ aspect: "payment", on: "made", to: ["new"], later: true }],
  verb: "Buy add-on for",
  target: service,
  input,
  choices: {
    option: async ({ client, target: { service: row } }) =>
      (await listAvailableOptions(client, row.id))
        .filter(({ held }) => !held)
        .map((option) => ({ value: option.id, label: optionTitle(option) })),
  },
  async review(call) {
    const { client, target, input: wish, name } = call;
    const { service: row } = target;
    const option = await offered(client, row, wish.option);
    if (option.held) throw wrongInput("option", plainly`${serviceName(row)} has “${optionTitle(option)}” already.`);
    const over = overMaximum(optionTitle(option), wish.quantity, mostOf(option));
    if (over) throw wrongInput("quantity", `${over} Nothing changed.`);
    const cycle = await chosenCycle(call);
    const held = await listServiceOptions(client, row.id);
    const balance = await readOwnBalance(client);
    const currency = await readCurrency(client, row);
    const end = await readEnd(client, row);
    const amount = optionPrice(option, cycle, wish.quantity);
    const price = amount === null ? "unknown" : priceBeforeTax(amount, currency);
    const words = amount === null ? "the platform names no price for it" : `${money(amount, currency)} before tax`;
    return {
      press: plainly`Buy ${optionTitle(option)}`,
      consequence: `${wish.quantity > 1 ? `${wish.quantity} × ` : ""}${code(optionTitle(option))} for ${name}: ${words}, for a full cycle (${cycle}) that begins today.${wish.type === usualType ? " It renews until it is removed." : ""}`,
      preconditions: {
        option: nameIs("Add-on", optionTitle(option)),
        cycle: textIs("Billing cycle", cycle),
        ...(wish.type !== usualType && { type: nameIs("Billing type", wish.type) }),
        price:
          amount === null
            ? {
                ...textIs("Price", priceLines(option) ?? "The platform names none."),
                text: unreadPrice(priceLines(option, currency)),
                decides: "unknown",
              }
            : { value: [amount, currency], label: "Price", text: words },
        ...end.precondition,
      },
      warnings: end.warning,
      shown: [taxFact, { label: "Paying", value: payingWords }],
      personal: balanceFact(balance, price, oncePaidWithTax),
      price,
      before: { held: held.map(({ id }) => id), traces: await readTraces(client, row.hostname ?? null) },
    };
  },
  async run(call) {
    const { client, target, input: wish, name } = call;
    const { service: row } = target;
    const title = code(optionTitle(await offered(client, row, wish.option)));
    const { quantity } = wish;
    const body = { optionId: wish.option, billingType: wish.type, billingCycle: await chosenCycle(call), quantity };
    const currency = await readCurrency(client, row);
    const made = await buyOption(client, row.id, body);
    const owed = await paymentDueOn(client, made, currency);
    const addOns = { label: "Add-ons", command: "service options", target: row.id };
    const end = autoCreditIn(made) ? "it is paid" : "nothing is left to pay";
    const cost = costOf(made, currency);
    if (!owed) return { text: `${title} was bought for ${name}, and ${end}.`, next: [addOns], cost };
    return {
      cost,
      text: `${title} was ordered for ${name}. ${owed.text} The add-on works from then on.`,
      next: [...owed.next, addOns],
    };
  },
  reconcile: findPurchase,
});

async function offered(client: CustomerClient, row: Service, id: string): Promise<AvailableOption> {
  const option = (await listAvailableOptions(client, row.id)).find((one) => one.id === id);
  if (!option) throw wrongInput("option", "That add-on is not offered for this service.");
  return option;
}

async function chosenCycle({ client, target, input: wish }: Call<"customer", ServiceDetail, Input>): Promise<string> {
  const cycle = wish.cycle ?? (await readTerms(client, target.service))?.cycle;
  if (cycle) return cycle;
  throw wrongInput("cycle", "The platform does not show this service's billing cycle: choose one for the add-on.");
}

/** Finds a purchase by its order or document: an add-on is not listed before it is active. */
async function findPurchase(
  call: Call<"customer", ServiceDetail, Input>,
  { before }: { before: unknown },
): Promise<Reconciled> {
  const { client, target, input: wish, name } = call;
  const { service: row } = target;
  const was = Before.parse(before);
  const held = await listServiceOptions(client, row.id);
  const bought = held.find(({ id, option_id }) => option_id === wish.option && !was.held.includes(id));
  const title = (await listAvailableOptions(client, row.id)).find(({ id }) => id === wish.option)?.name;
  const fresh = await freshTraces(client, row.hostname ?? null, was.traces);
  const isOfIt = (one: unknown) => mentions(one, [wish.option, title]);
  const next = await documentSteps(call, fresh.documents.filter(isOfIt));
  if (bought) {
    const state = bought.status === "active" ? "it is active" : "it awaits payment";
    return { is: "done", text: `${name} has it; ${state}.`, next: bought.status === "active" ? [] : next };
  }
  const orders = await naming(call, row, fresh.orders.filter(isOfIt), { fresh: true });
  if (orders.length > 0)
    return {
      is: "done",
      text: `there is an order for the add-on. The add-on works once the order's document is paid.`,
      next,
    };
  if (fresh.orders.length > 0 || fresh.documents.length > 0)
    return {
      is: "unsure",
      text: `Your account has a new document or order. The platform does not show whether it is for ${name}.`,
    };
  if (!fresh.whole)
    return { is: "unsure", text: "Rackbell cannot read all your documents, so the outcome is unknown." };
  return { is: "not done", text: `${name} does not have the add-on, and no document for it was made.` };
}

/** The document to pay, of those that name the add-on: the only one, else the one that surely names the service, too. */
async function documentSteps(call: Call<"customer", ServiceDetail, Input>, documents: FreshTraces["documents"]) {
  const named = documents.length > 1 ? await naming(call, call.target.service, documents, { fresh: true }) : documents;
  return named
    .slice(0, 1)
    .filter(({ detail }) => !detail.settled)
    .map(({ detail }) => payStep(detail.document.id));
}

export const optionRemove = defineOperation({
  command: "service option remove",
  group: "money",
  summary: "Remove an add-on from a service at once",
  example: '/service option remove web-1 option="Daily backup"',
  act: removeOption,
  reads: [listServiceOptions, listAvailableOptions, readService],
  risk: "destroy",
  effects: [],
  verb: "Remove add-on of",
  target: service,
  input: z.object({ option: z.string().meta({ title: "Add-on" }) }),
  choices: {
    option: async ({ client, target: { service: row } }) => heldChoices(await serviceAddOns(client, row.id)),
  },
  async review({ client, target: { service: row }, input, name }) {
    const addOn = await findHeld(client, row, input.option);
    const { option, name: title } = addOn;
    const { amount } = option;
    const price = amount === null || amount === undefined ? null : money(amount, await readCurrency(client, row));
    return {
      press: plainly`Remove ${addOnLabel(addOn)}`,
      back: plainly`Keep ${title}`,
      consequence: `This will remove ${addOnWords(addOn)} at once, with ${heldByAddOns([addOn])}, from ${name}.`,
      warnings: ["Nothing is refunded."],
      preconditions: {
        option: nameIs("Add-on", title),
        quantity: quantityIs(addOn),
        price: {
          value: option.amount ?? null,
          label: "Price a cycle",
          text: price ?? "The platform does not show it.",
        },
      },
      shown: [{ label: "State", value: stateWords(option.status) }],
    };
  },
  async run({ client, target: { service: row }, input, name }) {
    const { name: title, quantity } = await findHeld(client, row, input.option);
    await removeOption(client, row.id, input.option);
    return {
      text: `${code(title)} is removed from ${name}. To have it again, buy it again.`,
      next: [
        {
          label: "Buy it again…",
          command: "service option add",
          target: row.id,
          input: { option: input.option, quantity: quantity ?? 1 },
        },
        { label: "Add-ons", command: "service options", target: row.id },
      ],
    };
  },
  async reconcile({ client, target: { service: row }, input, name }) {
    const held = (await listServiceOptions(client, row.id)).some(({ option_id }) => option_id === input.option);
    return doneIf(!held, `${name} no longer has it.`, `${name} still has it.`);
  },
});

/** Each by the catalogue's id, which removes it: the platform does not take the row's own. */
export function heldChoices(held: readonly ServiceAddOn[]): Choice[] {
  return held.map((addOn) => ({ value: addOn.option.option_id, label: addOnLabel(addOn), aliases: [addOn.name] }));
}

async function findHeld(client: CustomerClient, row: Service, id: string): Promise<ServiceAddOn> {
  const found = (await serviceAddOns(client, row.id)).find(({ option }) => option.option_id === id);
  if (found) return found;
  throw wrongInput("option", plainly`${serviceName(row)} does not have that add-on.`);
}
