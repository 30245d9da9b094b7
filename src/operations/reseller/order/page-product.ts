import { searchEntries } from "../../../engine/resolve.ts";
import type { Asking, Choice } from "../../../operation/asking.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import { listedOf } from "../../../operation/target.ts";
import type { FormValues, Turn, WizardPage } from "../../../operation/wizard.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { readProduct } from "../../../platform/reseller/products.ts";
import { context } from "../../../views/blocks.ts";
import { limits } from "../../../views/limits.ts";
import { code } from "../../../views/text.ts";
import { searchField } from "../../order/fields.ts";
import { soldProduct } from "../product/product.ts";
import { type Draft, emptyDraft } from "./draft.ts";

/** The first page: what to order. */
export const productPage = {
  async view(_: Asking<"reseller">, { product }: Draft): Promise<WizardPage> {
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
  keep(draft: Draft, said: FormValues): Draft {
    const { product: id } = said;
    if (typeof id !== "string" || draft.product?.id === id) return draft;
    // What was filled in for another product may not be known to this one.
    const { options, image, form, cycle, location } = emptyDraft;
    return { ...draft, product: { id, name: "" }, options, image, form, cycle, location };
  },
  async next({ client }: Asking<"reseller">, draft: Draft): Promise<Turn> {
    if (!draft.product) throw new InputError([{ field: "product", message: "Choose a product." }]);
    const { id, name, pricing } = await readProduct(client, draft.product.id);
    if (pricesOf(pricing).length === 0)
      throw new Refusal(`${code(name)} has no price on any billing cycle, so that it cannot be ordered.`);
    return { page: "plan", draft: { ...draft, product: { id, name } } };
  },
};

/** Products whose name holds the text. */
export async function suggestProducts(call: Asking<"reseller">, query: string): Promise<Choice[]> {
  const { entries } = await call.listing(listedOf(soldProduct));
  return searchEntries(entries, query)
    .slice(0, limits.select.options)
    .map(({ id, name, detail }) => ({ value: id, label: name, description: detail }));
}
