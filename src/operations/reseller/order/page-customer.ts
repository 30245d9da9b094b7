import type { CallContext, Choice } from "../../../operation/call-context.ts";
import { indexedKindOf } from "../../../operation/target.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { listPaymentMethods, type PaymentMethod } from "../../../platform/reseller/payment-methods.ts";
import { readProductSchema } from "../../../platform/reseller/products.ts";
import { actions, type Block, button, context, section } from "../../../views/blocks.ts";
import { limits } from "../../../views/limits.ts";
import { code } from "../../../views/text.ts";
import { type OrderPage, searchField, selectField, suggestEntries, textField, textOf } from "../../kits/order-form.ts";
import { customer } from "../customer/customer.ts";
import { nameOf } from "../payment/method.ts";
import { type Draft, most } from "./draft.ts";
import { hasDetails } from "./page-details.ts";

/** The value of "The default one": Slack cannot clear a chosen option of a menu. */
const defaultMethod = "-";

/** The last page: the customer, and the payment method. */
export const customerPage: OrderPage<"reseller", Draft> = {
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
          { id: "customer", label: "Customer", hint: "One of those that you sell to.", optional: true },
          "Find by name, e-mail or your own id",
          draft.customer ? { value: draft.customer, label: draft.customer } : null,
        ),
        textField({ id: "new_customer", label: "Or a new customer: your own id", optional: true }, ""),
        textField({ id: "customer_name", label: "Their name", optional: true }, draft.customerName),
        textField({ id: "customer_email", label: "Their e-mail", optional: true }, draft.customerEmail),
        ...methodFields(methods, draft),
        ...actions([button("◀ Back", "page:back", "details")]),
        context("Nothing is ordered yet: the price is shown first, to you alone, with a button."),
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
      errors.customer_email = "This is no e-mail address.";
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
    const schema = await readProductSchema(client, draft.product?.id ?? "");
    return { page: hasDetails(schema) ? "details" : "plan", draft };
  },
};

/** Suggests customers for the typed text. The value is the partner's own id, which orders use. */
export async function suggestCustomers(call: CallContext<"reseller">, query: string): Promise<Choice[]> {
  const found = await suggestEntries(call, indexedKindOf(customer), query);
  return found.flatMap(({ name, aliases: [own], detail }) =>
    own && own.length <= limits.option.value ? [{ value: own, label: name, description: detail }] : [],
  );
}

/** Only a key with the account scope sees payment methods. For other keys the platform charges the default one. */
async function methodsOf({ client, may }: CallContext<"reseller">): Promise<PaymentMethod[]> {
  if (!may("reseller payment list")) return [];
  try {
    return await listPaymentMethods(client);
  } catch (error) {
    if (error instanceof PlatformRefused && error.status === 403) return [];
    throw error;
  }
}

function methodFields(methods: PaymentMethod[], { method }: Draft): Block[] {
  if (methods.length < 2) return [];
  const choices = [
    { value: defaultMethod, label: "The default one" },
    ...methods.slice(0, limits.select.options - 1).map((one) => ({ value: one.id, label: nameOf(one) })),
  ];
  const hint = "Heeded only where your supplier charges a saved method.";
  return [selectField({ id: "method", label: "Charged to", hint, optional: true }, choices, method ?? defaultMethod)];
}
