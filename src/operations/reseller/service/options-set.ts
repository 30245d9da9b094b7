import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { Risk } from "../../../operation/operation.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { readOptions, type ServiceOptions, setOptions, type WantedOption } from "../../../platform/reseller/options.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { collectionWords } from "../order/collection.ts";
import { requireActive } from "./options.ts";
import { addonPayment, beforeSet, changedAnswer, chargeRefusal, reconcileSet } from "./options-outcome.ts";
import { priceOfMore } from "./options-price.ts";
import { countedLines, type Difference, differenceOf, wantedIn } from "./options-wanted.ts";
import { nameOf, soldService, soldWords } from "./service.ts";

export const optionsSet = defineOperation({
  api: "reseller",
  command: "reseller service options set",
  summary: "Set all add-ons of a service that you sell on: what is not named is removed, what is more is charged",
  routes: [
    "PUT /services/{serviceId}/options",
    "GET /services/{serviceId}/options",
    "GET /services/{serviceId}",
    "GET /products",
    "GET /orders",
    "GET /orders/{orderId}",
    "GET /payment-methods",
  ],
  scope: "orders",
  // Whether a whole set takes something away is told by what is held alone. A change of that until the press is a change of what is removed, which voids the request.
  risk: { usual: "spend", of: riskOf },
  verb: "Set the add-ons of",
  target: soldService,
  idempotent: true,
  input: z.object({
    options: z.array(z.string().max(120)).max(50).optional().meta({
      title: "Add-ons",
      description: "All that it shall have, by name or id, with commas between; “2 x name” for two. Empty: none.",
    }),
  }),
  usable: ({ target }) => requireActive(target),
  async review(call) {
    const { client, target, input } = call;
    const { found, more, less } = await readSet(client, target, input);
    if (more.length === 0 && less.length === 0)
      throw new Refusal(`${code(nameOf(target))} has exactly these add-ons already. Nothing was charged.`);
    const priced = more.length > 0 ? await priceOfMore(client, target, found, more) : null;
    const lost = less.length > 0 ? " What is removed goes at once, and nothing is refunded." : "";
    const charged = priced ? " What is added is charged at what you pay, excl. VAT, with its setup fee." : "";
    return {
      press: `Change ${oneLine(nameOf(target))}`,
      back: "Leave them as they are",
      consequence: `The add-ons of ${soldWords(target)} are set anew.${lost}${charged}`,
      material: [
        { label: "Removed", value: countedLines(less) },
        { label: "Added", value: countedLines(more) },
        priced?.fact ?? { label: "Price", value: "nothing is charged" },
      ],
      shown: priced ? [{ label: "Collected", value: await collectionWords(call, undefined) }] : [],
      price: priced ? (priced.price ?? "unknown") : null,
      before: await beforeSet(client, found),
    };
  },
  async run({ id, client, target, input }) {
    const { wanted, ...difference } = await readSet(client, target, input);
    try {
      const { status, value } = await setOptions(client, target.serviceId, { options: wanted, externalReference: id });
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

type Asked = { options?: string[] | undefined };

/** One that takes something away destroys, however much it adds. What is not active is refused before anything else is asked. */
async function riskOf(call: { client: ResellerClient; target: Service; input: Asked }): Promise<Risk> {
  if (call.target.status !== "active") return "destroy";
  const { less } = await readSet(call.client, call.target, call.input);
  return less.length > 0 ? "destroy" : "spend";
}

/** What is held, what is wanted, and the difference, as they are now. */
async function readSet(
  client: ResellerClient,
  { serviceId }: Service,
  { options = [] }: Asked,
): Promise<Difference & { found: ServiceOptions; wanted: Required<WantedOption>[] }> {
  const found = await readOptions(client, serviceId);
  const wanted = wantedIn(options, found);
  return { found, wanted, ...differenceOf(found, wanted) };
}
