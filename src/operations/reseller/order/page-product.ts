import type { CallContext, Choice } from "../../../operation/call-context.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import { indexedKindOf } from "../../../operation/target.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { readProduct } from "../../../platform/reseller/products.ts";
import { context } from "../../../views/blocks.ts";
import { code } from "../../../views/text.ts";
import { type OrderPage, searchField, suggestEntries } from "../../kits/order-form.ts";
import { wholesaleProduct } from "../product/product.ts";
import { type Draft, emptyDraft } from "./draft.ts";

/** The first page: the product. */
export const productPage: OrderPage<"reseller", Draft> = {
  async view(_, { product }) {
    return {
      title: "Order to sell on",
      submit: "Next",
      blocks: [
        searchField(
          { id: "product", label: "Product" },
          "Find a product by its name",
          product && { value: product.id, label: product.name },
        ),
        context("Nothing is ordered until you press the button under the review, which shows the price."),
      ],
    };
  },
  check: () => ({}),
  keep(draft, { product: id }) {
    if (typeof id !== "string" || draft.product?.id === id) return draft;
    // Another product may not have the values that were filled in for this one.
    const { options, image, form, cycle, location } = emptyDraft;
    return { ...draft, product: { id, name: "" }, options, image, form, cycle, location };
  },
  async next({ client }, draft) {
    if (!draft.product) throw new InputError([{ field: "product", message: "Choose a product." }]);
    const { id, name, pricing } = await readProduct(client, draft.product.id);
    if (pricesOf(pricing).length === 0)
      throw new Refusal(`${code(name)} has no price on any billing cycle, so that it cannot be ordered.`);
    return { page: "plan", draft: { ...draft, product: { id, name } } };
  },
};

/** Suggests products whose name contains the text. */
export async function suggestProducts(call: CallContext<"reseller">, query: string): Promise<Choice[]> {
  const found = await suggestEntries(call, indexedKindOf(wholesaleProduct), query);
  return found.map(({ id, name, detail }) => ({ value: id, label: name, description: detail }));
}
