import type { CallContext, Choice } from "../../operation/call-context.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { indexedKindOf } from "../../operation/target.ts";
import { chosenVerb } from "../../operation/wizard.ts";
import { type ProductDetail, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import { context } from "../../views/blocks.ts";
import { code, prose } from "../../views/text.ts";
import { availabilityMeaning, refusesOrders } from "../catalog/places.ts";
import { priceLine, product } from "../catalog/product.ts";
import { specsOf } from "../catalog/specs.ts";
import { type OrderPage, searchField, suggestEntries } from "../kits/order-form.ts";
import { type Draft, isFirst, newLine } from "./draft.ts";

/** The first page: the product. */
export const productPage: OrderPage<"customer", Draft> = {
  async view(_, { current }) {
    const chosen = current ? { value: current.product, label: current.name } : null;
    return {
      title: "Order",
      submit: "Next",
      blocks: [
        searchField({ id: "product", label: "Product" }, "Find a product by its name", chosen),
        context("Nothing is ordered until you press the button under the review, which shows the price."),
      ],
    };
  },
  check: () => ({}),
  keep(draft, { product: id }) {
    if (typeof id !== "string" || draft.current?.product === id) return draft;
    return { ...draft, current: newLine({ id, name: "" }) };
  },
  async next(call, draft, pressed) {
    const { current } = draft;
    if (!current) throw new InputError([{ field: "product", message: "Choose a product." }]);
    const found = await readProduct(call.client, current.product);
    await refuseSoldOut(call, found, isFirst(draft));
    const named = { ...draft, current: { ...current, name: found.name } };
    // Check the product as soon as it is chosen, so that a member does not fill in a sold-out order.
    return pressed?.verb === chosenVerb
      ? {
          page: "product",
          draft: named,
          notice: [`*${code(found.name)}* · ${priceLine(found)}`, specsOf(found.specs)]
            .filter((line) => line)
            .join("\n"),
        }
      : { page: "plan", draft: named };
  },
};

async function refuseSoldOut(call: CallContext<"customer">, found: ProductDetail, first: boolean): Promise<void> {
  const { code: verdict, reason } = await readAvailability(call.client, found.id);
  if (refusesOrders(verdict))
    throw new Refusal(
      `${code(found.name)} ${availabilityMeaning[verdict]}.${reason ? ` The platform says: ${prose(reason)}.` : ""} Choose another product.`,
    );
  const open = found.locations.some(({ sold_out }) => !sold_out);
  if (found.location_required && !open && first)
    throw new Refusal(`${code(found.name)} has no location with room at the moment. Choose another product.`);
}

/** Products whose name contains the text. */
export async function suggestProducts(call: CallContext<"customer">, query: string): Promise<Choice[]> {
  const found = await suggestEntries(call, indexedKindOf(product), query);
  return found.map(({ id, name, detail }) => ({ value: id, label: name, description: detail }));
}
