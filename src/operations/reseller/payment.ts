import * as z from "#zod";
import { listFields } from "../../messages/answers/list.ts";
import { doneIf, type Precondition, type Preconditions } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { idFact } from "../../operation/identity.ts";
import type { TargetKind } from "../../operation/target.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { listOrders, type Order } from "../../platform/reseller/orders.ts";
import {
  listPaymentMethods,
  type PaymentMethod,
  setDefaultPaymentMethod,
} from "../../platform/reseller/payment-methods.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { code, dotted } from "../../views/text.ts";
import { inWholeList } from "../kits/gone.ts";
import { listOperation } from "../kits/list.ts";

/** Lists and names saved cards and wallets. */
const paymentMethod: TargetKind<"reseller", PaymentMethod> = {
  noun: "payment",
  label: "payment method",
  foundBy: "name, last four digits",
  ...inWholeList(listPaymentMethods, "The reseller account has no such payment method."),
  entry: (row) => ({
    id: row.id,
    name: paymentMethodName(row),
    nameless: !row.label && !row.cardLastFour,
    aliases: [row.label, row.cardLastFour].flatMap((text) => text || []),
    state: row.isDefault ? "default" : "",
    detail: dotted([row.isDefault && "the default", row.type]),
    columns: { Kind: row.type ?? "", ...(row.lastUsedAt ? { "Last used": { at: row.lastUsedAt } } : {}) },
  }),
  identity: {
    project: "The reseller API knows no projects.",
    address: "A card has no address.",
    hostname: "A card has no host name.",
    location: "A card is in no place.",
    apart: ({ id }) => [idFact(id)],
  },
};

/** "Visa ending in 4242", or its own label with those digits: two cards may bear one label. Without digits its label or its kind. */
export function paymentMethodName({ label, cardBrand, cardLastFour, type, id }: PaymentMethod): PlainText {
  if (!cardLastFour) return label || type || id;
  const called = label || cardBrand || "Card";
  return called.includes(cardLastFour) ? called : `${called} ending in ${cardLastFour}`;
}

const list = listOperation({
  kind: paymentMethod,
  command: "reseller payment list",
  synonyms: ["ls"],
  summary: "List the saved cards and wallets that pay for your orders",
  example: "/reseller payment list",
  act: listPaymentMethods,
  personal: true,
  input: z.object({ page: listFields.page }),
  open: "reseller payment default",
  press: "Make default",
  many: "payment methods",
  mark: (state) => (state === "default" ? ":white_check_mark:" : ":credit_card:"),
});

const makeDefault = defineOperation({
  command: "reseller payment default",
  phrase: "Set the payment method",
  summary: "Choose the saved card or wallet that pays for later orders",
  example: "/reseller payment default Wallet",
  act: setDefaultPaymentMethod,
  reads: [listPaymentMethods],
  risk: "change",
  effects: [],
  verb: "Make default",
  target: paymentMethod,
  input: z.object({}),
  async run({ client, target, name }) {
    await setDefaultPaymentMethod(client, target.id);
    return {
      text: `${name} pays for later orders, if the platform charges a saved method.`,
      next: [{ label: "Payment methods", command: "reseller payment list" }],
    };
  },
  reconcile: async ({ target, name }) =>
    doneIf(target.isDefault, `${name} is the default.`, `${name} is not the default.`),
});

/** The saved method that is charged, with its name in mrkdwn as it was shown. A write that can name one sends its id. */
export const ShownMethod = z.object({ id: z.string(), text: z.string() });
export type ShownMethod = z.infer<typeof ShownMethod>;

interface Collection {
  preconditions: Preconditions;
  /** Null where none is charged, or the platform does not show it. */
  method: ShownMethod | null;
}

/**
 * Reads how an order will be paid, and by which saved method: the chosen one, else the default one. No route shows the way beforehand, but
 * the whole programme uses one: the last order's. Reseller spec sections 1.2 and 4.1.
 */
export async function readCollection(
  { client, may }: Pick<CallContext<"reseller">, "client" | "may">,
  chosenId: string | undefined,
): Promise<Collection> {
  // A failed read must not stop the order.
  const rows = await listOrders(client, { limit: largestPage }).then(
    (page) => page.rows,
    () => null,
  );
  const mode = rows === null ? undefined : lastMode(rows);
  const collected = (text: string): Precondition =>
    mode
      ? { value: mode, label: "Collected", text, decides: "known" }
      : { value: null, label: "Collected", text, decides: "unknown", unread: true };
  const charged = { label: "Charged to", decides: "known" } as const;
  if (mode === "invoice" || mode === "credit") {
    const { text, from } = withoutMethod[mode];
    // The way alone is compared here: beside one that could not be read, a method that is missing would void the request.
    const method: Precondition = { ...charged, value: null, text: from, unread: true };
    return { preconditions: { collected: collected(text), method }, method: null };
  }
  const mayRead = may("reseller payment list");
  const methods = mayRead ? await listPaymentMethods(client).catch(() => null) : null;
  const found = methods?.find(({ id, isDefault }) => (chosenId ? id === chosenId : isDefault));
  const unread = mayRead && methods === null ? " (its name could not be read)" : "";
  const text = found
    ? code(paymentMethodName(found))
    : `${chosenId ? "the chosen" : "your default"} payment method${unread}`;
  const way =
    mode === "saved_method"
      ? `Like your last order, this charges ${text} at once.`
      : `The platform charges ${text} or your credit at once, or raises an invoice. ${whichWay(rows)}`;
  const method: Precondition = { ...charged, value: found?.id ?? chosenId ?? null, text };
  const isUnread = methods === null && !chosenId;
  return {
    preconditions: { collected: collected(way), method: isUnread ? { ...method, unread: true } : method },
    method: found ? { id: found.id, text } : null,
  };
}

/** `from`: the words of `text` for what pays. */
const withoutMethod = {
  invoice: {
    text: "Like your last order, this raises an invoice or proforma. Nothing is charged now. The order is built after payment.",
    from: "Nothing is charged now",
  },
  credit: {
    text: "Like your last order, this is taken from your credit at the platform at once. If the credit is too small, nothing is ordered, and you see both amounts.",
    from: "your credit at the platform",
  },
};

/** No order is there, none of them names its way, or they cannot be read. */
function whichWay(rows: Order[] | null): string {
  if (rows === null) return "Your earlier orders show which, and Rackbell could not read them.";
  return rows.length === 0 ? "Your first order shows which." : "Your earlier orders do not show which.";
}

/** The mode of the newest order that was placed through this API. The spec promises no order of the list. Reseller spec section 4. */
export function lastMode(rows: Order[]): Order["payment_mode"] {
  const placed = rows.filter(({ payment_mode: mode }) => mode && mode !== "storefront");
  const byAge = placed.toSorted((one, other) => timeOf(other) - timeOf(one));
  return byAge[0]?.payment_mode;
}

function timeOf({ created_at: at }: Order): number {
  return at ? Date.parse(at) : Number.NEGATIVE_INFINITY;
}

/** Operations on saved payment methods; methods are added in the supplier's panel only. */
export const paymentOperations = [list, makeDefault];
