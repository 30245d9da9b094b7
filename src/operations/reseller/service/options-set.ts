import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { Risk } from "../../../operation/operation.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import {
  type OptionQuantity,
  readOptions,
  type ServiceOptions,
  setOptions,
} from "../../../platform/reseller/options.ts";
import { listOrders, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { listProducts } from "../../../platform/reseller/products.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { collectionWords } from "../order/collection.ts";
import { requireActive } from "./options.ts";
import {
  countLines,
  type Difference,
  differenceOf,
  type OptionCount,
  parseOptions,
  presentTexts,
} from "./options-input.ts";
import { addonPayment, beforeSet, changedAnswer, chargeRefusal, reconcileSet } from "./options-outcome.ts";
import { priceOfMore } from "./options-price.ts";
import { nameOf, resoldService, soldWords } from "./service.ts";

export const optionsSet = defineOperation({
  command: "reseller service options set",
  summary: "Set all add-ons of a service that you sell on: what is not named is removed, what is more is charged",
  act: setOptions,
  reads: [readOptions, readService, listProducts, listOrders, readOrder, listPaymentMethods],
  // The risk depends on the present add-ons. If they change before the approval, "Removed" changes, and that voids the request.
  risk: { usual: "spend", of: riskOf },
  verb: "Set the add-ons of",
  target: resoldService,
  idempotent: true,
  input: z.object({
    options: z.array(z.string().max(120)).min(1, "name all that it shall have, or none.").max(50).meta({
      title: "Add-ons",
      description: "All that it shall have, by name or id, with commas between; “2 x name” for two. none removes all.",
    }),
  }),
  present: async ({ client, target }) => ({ options: presentTexts(await readOptions(client, target.serviceId)) }),
  usable: ({ target }) => requireActive(target),
  async review(call) {
    const { client, target, input } = call;
    const { found, more, less } = await readSet(client, target, input);
    if (more.length === 0 && less.length === 0)
      throw new Refusal(`${code(nameOf(target))} has exactly these add-ons already, so nothing was sent.`);
    const priced = more.length > 0 ? await priceOfMore(client, target, found, more) : null;
    const lost = less.length > 0 ? " What is removed goes at once, and nothing is refunded." : "";
    const charged = priced ? " What is added is charged at what you pay, excl. VAT, with its setup fee." : "";
    return {
      press: `Change ${oneLine(nameOf(target))}`,
      back: "Leave them as they are",
      consequence: `The add-ons of ${soldWords(target)} are set anew.${lost}${charged}`,
      preconditions: {
        removed: { value: less.map(quantityOf), label: "Removed", text: countLines(less) },
        added: { value: more.map(quantityOf), label: "Added", text: countLines(more) },
        price: priced?.precondition ?? { value: null, label: "Price", text: "nothing is charged" },
      },
      shown: priced ? [{ label: "Collected", value: await collectionWords(call, undefined) }] : [],
      price: priced ? priced.price : null,
      before: await beforeSet(client, found),
    };
  },
  async run({ id, client, target, input }) {
    const { requested, ...difference } = await readSet(client, target, input);
    try {
      const { status, value } = await setOptions(client, target.serviceId, {
        options: requested,
        externalReference: id,
      });
      return changedAnswer(target, status, value, difference);
    } catch (error) {
      throw chargeRefusal(error) ?? error;
    }
  },
  expects: { first: [], later: ["order.paid", "order.invoiced"], failing: ["order.payment_failed"] },
  async reconcile({ client, target, input }, { before }) {
    const { found, ...difference } = await readSet(client, target, input);
    return reconcileSet(client, target, { found, difference, before });
  },
  follow: addonPayment,
});

type OptionsInput = { options: string[] };

/** A set that removes something is `destroy`, whatever it adds. An inactive service is refused before this risk matters. */
async function riskOf(call: { client: ResellerClient; target: Service; input: OptionsInput }): Promise<Risk> {
  if (call.target.status !== "active") return "destroy";
  const { less } = await readSet(call.client, call.target, call.input);
  return less.length > 0 ? "destroy" : "spend";
}

/** The present add-ons, the requested set, and their difference. */
async function readSet(
  client: ResellerClient,
  { serviceId }: Service,
  { options }: OptionsInput,
): Promise<Difference & { found: ServiceOptions; requested: Required<OptionQuantity>[] }> {
  const found = await readOptions(client, serviceId);
  const requested = parseOptions(options, found);
  return { found, requested, ...differenceOf(found, requested) };
}

function quantityOf({ id, quantity }: OptionCount): [string, number] {
  return [id, quantity];
}
