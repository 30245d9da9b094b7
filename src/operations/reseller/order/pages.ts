import type { CallContext, Choice } from "../../../operation/call-context.ts";
import { Refusal } from "../../../operation/errors.ts";
import { generatedAt } from "../../../operation/passwords.ts";
import { reasonField } from "../../../operation/reason.ts";
import { indexedKindOf } from "../../../operation/target.ts";
import { defineWizard, type WizardState } from "../../../operation/wizard.ts";
import { characters } from "../../../plain-text.ts";
import { nullIfRefused } from "../../../platform/http/errors.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { listPaymentMethods, type PaymentMethod } from "../../../platform/reseller/payment-methods.ts";
import { readProduct, readProductSchema } from "../../../platform/reseller/products.ts";
import { actions, type Block, button, context, section } from "../../../views/blocks.ts";
import { limits } from "../../../views/limits.ts";
import { code } from "../../../views/text.ts";
import {
  searchField,
  selectField,
  suggestByName,
  suggestEntries,
  textField,
  textOf,
  typedTexts,
} from "../../kits/order-form.ts";
import { type OrderPage, orderPagesOf } from "../../kits/order-pages.ts";
import { customer } from "../customer.ts";
import { paymentMethodName } from "../payment.ts";
import { wholesaleProduct } from "../product/product.ts";
import { chosenProduct, Draft, emptyDraft, inputOf, most } from "./draft.ts";
import { detailsPage, hasDetails } from "./page-details.ts";
import { planPage } from "./page-plan.ts";
import { customerOf, withTyped } from "./typed.ts";

/** The first page: the product. */
const productPage: OrderPage<"reseller", Draft> = {
  async view(_, { product }) {
    return {
      title: "Order to resell",
      submit: "Next",
      blocks: [
        searchField(
          { id: "product", label: "Product" },
          "Find a product by its name",
          product && { value: product.id, label: product.name },
        ),
        context("Nothing is ordered until you press the button under the review. The review shows the price."),
      ],
    };
  },
  check: () => ({}),
  keep(draft, { product: id }) {
    if (typeof id !== "string" || draft.product?.id === id) return draft;
    // Another product may not have the values that were filled in for this one.
    const { options, image, form, generated, cycle, location } = emptyDraft;
    return { ...draft, product: { id, name: "" }, options, image, form, generated, cycle, location };
  },
  async next(call, draft) {
    const chosen = await chooseProduct(call, draft);
    return pages.opened(call, { page: "plan", draft: chosen.draft }, chosen.faults);
  },
};

/** The draft with the name of its product. A product that was just chosen gets the typed values. */
async function chooseProduct(call: CallContext<"reseller">, draft: Draft) {
  const found = await readProduct(call.client, chosenProduct(draft));
  const { id, name, pricing } = found;
  if (pricesOf(pricing).length === 0)
    throw new Refusal(`${code(name)} has no price on any billing cycle, so you cannot order it.`);
  const named = { ...draft, product: { id, name } };
  return draft.product?.name === "" ? withTyped(call, found, named) : { draft: named, faults: {} };
}

/** The value of "The default one": Slack cannot clear a chosen option of a menu. */
const defaultMethod = "-";

/** The last page: the customer, and the payment method. */
const customerPage: OrderPage<"reseller", Draft> = {
  async view(call, draft) {
    const methods = await methodsOf(call);
    return {
      title: "Order: for whom",
      submit: "Review",
      blocks: [
        section(
          `*${draft.quantity} × ${code(draft.product?.name ?? "")}*${draft.hostname ? ` as ${code(draft.hostname)}` : ""}`,
        ),
        searchField(
          { id: "customer", label: "Customer", hint: "One of your customers.", optional: true },
          "Find by name, e-mail or your own id",
          draft.customer ? { value: draft.customer, label: draft.customer } : null,
        ),
        textField({ id: "new_customer", label: "Or a new customer: your own id", optional: true }, ""),
        textField({ id: "customer_name", label: "Their name", optional: true }, draft.customerName),
        textField({ id: "customer_email", label: "Their e-mail", optional: true }, draft.customerEmail),
        ...methodFields(methods, draft),
        ...actions([button("Back", "page:back", "details")]),
        context("Nothing is ordered yet. First, only you see the price, with a button to order."),
      ],
    };
  },
  check(values) {
    const errors: Record<string, string> = {};
    const { new_customer: id, customer_name: name, customer_email: email } = values;
    if (typeof id === "string" && id.length > most.customer)
      errors.new_customer = `At most ${most.customer} characters.`;
    if (typeof name === "string" && name.length > most.customer)
      errors.customer_name = `At most ${most.customer} characters.`;
    if (typeof email === "string" && email && !/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(email.trim()))
      errors.customer_email = "This is not an e-mail address.";
    return errors;
  },
  keep(draft, values) {
    if (!("customer_name" in values)) return draft;
    const method = textOf(values, "method");
    return {
      ...draft,
      // A member who types a new customer means that one, not the chosen one.
      customer: textOf(values, "new_customer") || textOf(values, "customer"),
      customerName: textOf(values, "customer_name"),
      customerEmail: textOf(values, "customer_email"),
      method: method && method !== defaultMethod ? method : null,
    };
  },
  async next({ client }, draft, pressed) {
    if (pressed?.verb !== "back") return { page: "customer", draft };
    const schema = await readProductSchema(client, chosenProduct(draft));
    return { page: hasDetails(schema) ? "details" : "plan", draft };
  },
};

/** Suggests customers for the typed text. The value is the partner's own id, which orders use. */
async function suggestCustomers(call: CallContext<"reseller">, query: string): Promise<Choice[]> {
  const found = await suggestEntries(call, indexedKindOf(customer), query);
  return found.flatMap(({ name, aliases: [own], detail }) =>
    own && characters(own).length <= limits.option.value
      ? [{ value: characters(own), label: name, description: detail }]
      : [],
  );
}

/** Only a key with the account scope sees payment methods. For other keys the platform charges the default one. */
async function methodsOf({ client, may }: CallContext<"reseller">): Promise<PaymentMethod[]> {
  if (!may("reseller payment list")) return [];
  return (await listPaymentMethods(client).catch(nullIfRefused(403))) ?? [];
}

function methodFields(methods: PaymentMethod[], { method }: Draft): Block[] {
  if (methods.length < 2) return [];
  const choices = [
    { value: defaultMethod, label: "The default one" },
    ...methods.slice(0, limits.select.options - 1).map((one) => ({ value: one.id, label: paymentMethodName(one) })),
  ];
  const hint = "Used only if the platform charges a saved method.";
  return [selectField({ id: "method", label: "Charged to", hint, optional: true }, choices, method ?? defaultMethod)];
}

/** The pages of a wholesale order: product, plan, the product's own fields, and customer. */
const pages = orderPagesOf({
  pages: { product: productPage, plan: planPage, details: detailsPage, customer: customerPage },
  places: [
    [/hostname/, "plan", "hostname"],
    [/location/, "plan", "location"],
    [/cycle/, "plan", "cycle"],
    [/quantity/, "plan", "quantity"],
    [/^own$/, "plan", "own"],
    [/image/, "details", "image"],
    [/product/, "product", "product"],
    [/customer/, "customer", "customer"],
  ],
  product: {
    kind: indexedKindOf(wholesaleProduct),
    unknown: "You can resell no product called",
    choose: (draft, { id, name }) => ({ ...draft, product: { id, name: characters(name) } }),
    check: chooseProduct,
  },
});

export const orderPages = defineWizard({
  draft: Draft,
  begin,
  ...pages.wizard,
  async suggest(call, _page, _draft, field, query) {
    if (field === "product") return suggestByName(call, indexedKindOf(wholesaleProduct), query);
    return field === "customer" ? suggestCustomers(call, query) : [];
  },
  enough: [
    ["product", "cycle", "hostname", "image"],
    ["product", "cycle", "hostname", "customer"],
  ],
  input: (draft) => ({ order: inputOf(draft), [reasonField]: draft.typed[reasonField] }),
  generated: ({ generated }) => generated.map((name) => generatedAt("order", "form", name)),
});

/** Fills the form with the values of the command. Those that depend on the product wait until it is chosen. */
async function begin(call: CallContext<"reseller">, input: Record<string, unknown>): Promise<WizardState> {
  const typed = typedTexts(input);
  const buyer = await customerOf(call, typed.customer);
  const draft: Draft = {
    ...emptyDraft,
    typed,
    hostname: typed.hostname ?? "",
    ownId: typed.own ?? "",
    customer: buyer.id,
  };
  return pages.begun(call, draft, buyer.faults, buyer.notice);
}
