import { matchTarget } from "../../../access/resolve.ts";
import type { CallContext } from "../../../operation/call-context.ts";
import { indexedKindOf } from "../../../operation/target.ts";
import { defineWizard, type WizardState } from "../../../operation/wizard.ts";
import { billingCycles } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { prose } from "../../../views/text.ts";
import { pagesOf } from "../../kits/order-form.ts";
import { wholesaleProduct } from "../product/product.ts";
import { Draft, emptyDraft, inputOf, most } from "./draft.ts";
import { customerPage, suggestCustomers } from "./page-customer.ts";
import { detailsPage } from "./page-details.ts";
import { planPage } from "./page-plan.ts";
import { productPage, suggestProducts } from "./page-product.ts";

/** The pages of a wholesale order: product, plan, the product's own fields, and customer. */
export const orderPages = defineWizard({
  draft: Draft,
  begin,
  ...pagesOf(productPage, { plan: planPage, details: detailsPage, customer: customerPage }),
  async suggest(call, _page, _draft, field, query) {
    if (field === "product") return suggestProducts(call, query);
    return field === "customer" ? suggestCustomers(call, query) : [];
  },
  last: "customer",
  input: (draft) => ({ order: inputOf(draft) }),
});

/** Finds a captured image that still exists, by id or name. */
async function capturedImageOf({ client }: CallContext<"reseller">, typed: string): Promise<string | null> {
  if (!typed) return null;
  const found = (await listCapturedImages(client)).find(
    ({ id, name, status }) => status === "available" && (id === typed || name?.toLowerCase() === typed.toLowerCase()),
  );
  return found ? `own:${found.id}` : null;
}

/** Fills the form with the values of the command. */
async function begin(call: CallContext<"reseller">, input: Record<string, unknown>): Promise<WizardState> {
  const typed = (name: string) => (typeof input[name] === "string" ? input[name].trim() : "");
  const quantity = Number(input.quantity ?? 1);
  const draft: Draft = {
    ...emptyDraft,
    cycle: billingCycles.find((cycle) => cycle === typed("cycle").toLowerCase()) ?? null,
    location: typed("location") || null,
    hostname: typed("hostname"),
    ownId: typed("own"),
    customer: typed("customer"),
    image: await capturedImageOf(call, typed("image")),
    quantity: Number.isInteger(quantity) && quantity >= 1 && quantity <= most.quantity ? quantity : 1,
  };
  if (!typed("product")) return { page: "product", draft };
  const match = matchTarget((await call.listing(indexedKindOf(wholesaleProduct))).entries, typed("product"));
  if (match.kind === "one") {
    const { id, name } = match.entry;
    return { page: "plan", draft: { ...draft, product: { id, name } } };
  }
  const why = match.kind === "none" ? "You can sell on no product called" : "More than one product is called";
  return {
    page: "product",
    draft,
    notice: `:information_source: ${why} “${prose(typed("product"), 100)}”. Choose one.`,
  };
}
