import { matchTarget } from "../../../engine/resolve.ts";
import type { Asking } from "../../../operation/asking.ts";
import { listedOf } from "../../../operation/target.ts";
import { defineWizard, type FormValues, type Pressed, type Turn } from "../../../operation/wizard.ts";
import { billingCycles } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { prose } from "../../../views/text.ts";
import { soldProduct } from "../product/product.ts";
import { Draft, emptyDraft, inputOf, most } from "./draft.ts";
import { customerPage, suggestCustomers } from "./page-customer.ts";
import { detailsPage } from "./page-details.ts";
import { planPage } from "./page-plan.ts";
import { productPage, suggestProducts } from "./page-product.ts";

const pages = { product: productPage, plan: planPage, details: detailsPage, customer: customerPage };

function pageOf(name: string) {
  return name === "plan" || name === "details" || name === "customer" ? pages[name] : pages.product;
}

/** The form of a wholesale order: a product, its plan, what the product asks for, and whom it is for. */
export const orderPages = defineWizard({
  draft: Draft,
  begin,
  view: (call: Asking<"reseller">, page, draft) => pageOf(page).view(call, draft),
  check: (page, said: FormValues) => pageOf(page).check(said),
  keep: (page, draft, said) => pageOf(page).keep(draft, said),
  next: (call, page, draft, pressed: Pressed | null) => pageOf(page).next(call, draft, pressed),
  async suggest(call, _page, _draft, field, query) {
    if (field === "product") return suggestProducts(call, query);
    return field === "customer" ? suggestCustomers(call, query) : [];
  },
  last: "customer",
  input: (draft) => ({ order: inputOf(draft) }),
});

/** A captured image by id or name, while it stands. */
async function capturedImageOf({ client }: Asking<"reseller">, typed: string): Promise<string | null> {
  if (!typed) return null;
  const found = (await listCapturedImages(client)).find(
    ({ id, name, status }) => status === "available" && (id === typed || name?.toLowerCase() === typed.toLowerCase()),
  );
  return found ? `own:${found.id}` : null;
}

/** What was typed in the command is filled in already. */
async function begin(call: Asking<"reseller">, input: Record<string, unknown>): Promise<Turn> {
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
  const match = matchTarget((await call.listing(listedOf(soldProduct))).entries, typed("product"));
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
