import { searchEntries } from "../../../engine/resolve.ts";
import type { Asking, Choice } from "../../../operation/asking.ts";
import { listedOf } from "../../../operation/target.ts";
import type { FormValues, Pressed, Turn, WizardPage } from "../../../operation/wizard.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { listPaymentMethods, type PaymentMethod } from "../../../platform/reseller/payment-methods.ts";
import { readProductSchema } from "../../../platform/reseller/products.ts";
import { actions, type Block, button, context, section } from "../../../views/blocks.ts";
import { limits } from "../../../views/limits.ts";
import { code } from "../../../views/text.ts";
import { searchField, selectField, textField } from "../../order/fields.ts";
import { customer } from "../customer/customer.ts";
import { nameOf } from "../payment/method.ts";
import { type Draft, most } from "./draft.ts";
import { hasDetails } from "./page-details.ts";

/** Stands for "none chosen", since a menu cannot be emptied again. */
const usual = "-";

/** The last page: whom it is for, and what it is charged to. */
export const customerPage = {
  async view(call: Asking<"reseller">, draft: Draft): Promise<WizardPage> {
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
  check(said: FormValues): Record<string, string> {
    const errors: Record<string, string> = {};
    const { new_customer: id, customer_name: name, customer_email: email } = said;
    if (typeof id === "string" && id.length > most.customer)
      errors.new_customer = `At most ${most.customer} characters.`;
    if (typeof name === "string" && name.length > most.customer)
      errors.customer_name = `At most ${most.customer} characters.`;
    if (typeof email === "string" && email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()))
      errors.customer_email = "This is no e-mail address.";
    return errors;
  },
  keep(draft: Draft, said: FormValues): Draft {
    if (!("customer_name" in said)) return draft;
    const text = (name: string) => (typeof said[name] === "string" ? said[name].trim() : "");
    const method = text("method");
    return {
      ...draft,
      // Who writes a new one means that one.
      customer: text("new_customer") || text("customer"),
      customerName: text("customer_name"),
      customerEmail: text("customer_email"),
      method: method && method !== usual ? method : null,
    };
  },
  async next({ client }: Asking<"reseller">, draft: Draft, pressed: Pressed | null): Promise<Turn> {
    if (pressed?.verb !== "back") return { page: "customer", draft };
    const asked = await readProductSchema(client, draft.product?.id ?? "");
    return { page: hasDetails(asked) ? "details" : "plan", draft };
  },
};

/** Customers by what was typed; the value is the partner's own id, by which an order names them. */
export async function suggestCustomers(call: Asking<"reseller">, query: string): Promise<Choice[]> {
  const { entries } = await call.listing(listedOf(customer));
  return searchEntries(entries, query)
    .slice(0, limits.select.options)
    .flatMap(({ name, aliases: [own], detail }) =>
      own && own.length <= limits.option.value ? [{ value: own, label: name, description: detail }] : [],
    );
}

/** Only a key with the scope for it sees them; the default one is charged anyhow. */
async function methodsOf({ client, may }: Asking<"reseller">): Promise<PaymentMethod[]> {
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
    { value: usual, label: "The default one" },
    ...methods.slice(0, limits.select.options - 1).map((one) => ({ value: one.id, label: nameOf(one) })),
  ];
  const hint = "Heeded only where your supplier charges a saved method.";
  return [selectField({ id: "method", label: "Charged to", hint, optional: true }, choices, method ?? usual)];
}
