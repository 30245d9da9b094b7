import { runInNewContext } from "node:vm";
import type { CallContext, Choice } from "../../../operation/call-context.ts";
import { InputError, wrongInput } from "../../../operation/errors.ts";
import { billingCycles, cycleIn, pricesOf } from "../../../platform/reseller/cycles.ts";
import {
  type Product,
  type ProductSchema,
  readProduct,
  readProductSchema,
} from "../../../platform/reseller/products.ts";
import { actions, type Block, button, context, section } from "../../../views/blocks.ts";
import { perCycle } from "../../../views/cycles.ts";
import { money } from "../../../views/format.ts";
import { code, listing, sentence } from "../../../views/text.ts";
import {
  amountField,
  chosenOptions,
  cycleField,
  mostOptionFields,
  numberField,
  optionPrefix,
  selectField,
  textField,
  textOf,
} from "../../kits/order-form.ts";
import type { OrderPage } from "../../kits/order-pages.ts";
import { overMaximum } from "../../kits/quantity.ts";
import { optionWords } from "../product/options.ts";
import { placesOf } from "../product/schema-fields.ts";
import { chosenCycle, chosenProduct, type Draft, most } from "./draft.ts";
import { hasDetails } from "./page-details.ts";

/** The second page: billing cycle, datacentre, quantity and add-ons. */
export const planPage: OrderPage<"reseller", Draft> = {
  async view({ client }, draft) {
    const [product, schema] = await readBoth(client, draft);
    return {
      title: "Order: the plan",
      submit: "Next",
      blocks: [
        section(`*${code(product.name)}* · at wholesale, excl. VAT`),
        cycleField(
          pricesOf(product.pricing).map((one) => ({ ...one, price: money(one.price, product.currency ?? null) })),
          draft.cycle,
        ),
        ...placeFields(schema, draft, product.currency ?? null),
        numberField(
          { id: "quantity", label: "How many", hint: `1 to ${most.quantity}, each a service of its own` },
          draft.quantity,
          1,
          most.quantity,
        ),
        textField(
          { id: "hostname", label: "Host name", hint: "A full one, such as web-4.example.com", optional: true },
          draft.hostname,
        ),
        textField(
          { id: "own", label: "Your own id of the service", hint: "As in your own books", optional: true },
          draft.ownId,
        ),
        ...optionFields(product, draft),
        ...actions([button("Another product", "page:back", "product")]),
      ],
    };
  },
  check(values) {
    const errors: Record<string, string> = {};
    for (const [field, value] of Object.entries(values)) {
      const counted = field === "quantity" || field.startsWith(optionPrefix);
      const least = field === "quantity" ? 1 : 0;
      if (!counted || typeof value !== "string") continue;
      const amount = Number(value);
      if (!Number.isInteger(amount) || amount < least || amount > most.quantity)
        errors[field] = `A whole number from ${least} to ${most.quantity} is needed.`;
    }
    const { own } = values;
    if (typeof own === "string" && own.length > most.customer) errors.own = `At most ${most.customer} characters.`;
    return errors;
  },
  keep(draft, values) {
    if (!("cycle" in values)) return draft;
    return {
      ...draft,
      cycle: billingCycles.find((cycle) => cycle === values.cycle) ?? null,
      location: textOf(values, "location") || null,
      quantity: Number(values.quantity ?? 1),
      hostname: textOf(values, "hostname"),
      ownId: textOf(values, "own"),
      options: chosenOptions(values),
    };
  },
  async next({ client }, draft, pressed) {
    if (pressed?.verb === "back") return { page: "product", draft };
    const [product, schema] = await readBoth(client, draft);
    chosenCycle(draft);
    if (needsPlace(schema) && !draft.location)
      throw wrongInput("location", "Choose a datacentre: this product needs one.");
    refuseHostname(schema, draft.hostname);
    refuseTooMany(product, draft);
    const updated = { ...draft, imageField: schema.osImageField ?? draft.imageField };
    return { page: hasDetails(schema) ? "details" : "customer", draft: updated };
  },
  // A server without a host name is nearly always an oversight, though the platform takes the order.
  asksMore: async (_, { hostname }) => hostname === "",
};

function readBoth(client: CallContext<"reseller">["client"], draft: Draft): Promise<[Product, ProductSchema]> {
  const id = chosenProduct(draft);
  return Promise.all([readProduct(client, id), readProductSchema(client, id)]);
}

/** True where the platform refuses an order without a datacentre. */
export function needsPlace({ locationRequired, requiredFields }: ProductSchema): boolean {
  return locationRequired === true || requiredFields.includes("location");
}

function placeFields(schema: ProductSchema, { location }: Draft, currency: string | null): Block[] {
  const places = placesOf(schema);
  const field = { id: "location", label: "Datacentre", optional: !needsPlace(schema) };
  if (places.length > 0)
    return [
      selectField(
        field,
        places.map((place) => placeChoice(place, currency)),
        location,
      ),
    ];
  // The order needs a datacentre and the platform's list is unreadable: a member who knows the name can type it.
  return needsPlace(schema) ? [textField(field, location ?? "")] : [];
}

function placeChoice({ value, label, prices }: ReturnType<typeof placesOf>[number], currency: string | null): Choice {
  const added = Object.entries(prices)
    .filter(([, price]) => Number(price) !== 0)
    .map(([name, price]) => addedWords(name, money(price, currency)));
  return { value, label, ...(added.length > 0 ? { description: `adds ${listing(added)}` } : {}) };
}

/** `name`: the catalogue's word for a cycle, or for the setup. */
function addedWords(name: string, price: string): string {
  return name === "setupFee" ? `${price} once` : perCycle(price, cycleIn(name) ?? name);
}

function optionFields({ options, currency }: Product, draft: Draft): Block[] {
  const fields = options.slice(0, mostOptionFields).map((option) => {
    const price = optionWords(option, [draft.cycle ?? "monthly"], currency ?? null);
    const atMost = option.maxQuantity ?? null;
    return amountField(
      {
        id: `${optionPrefix}${option.id}`,
        label: option.name,
        hint: atMost === 1 ? sentence(price) : `${price}${atMost ? `; at most ${atMost}` : ""}. 0 leaves it out.`,
        optional: true,
      },
      draft.options[option.id] ?? 0,
      atMost,
    );
  });
  const left = options.length - fields.length;
  return left > 0 ? [...fields, context(`${left} more add-ons do not fit into this form.`)] : fields;
}

function refuseTooMany({ options }: Product, draft: Draft): void {
  if (Object.keys(draft.options).length > most.options)
    throw new InputError(`An order takes ${most.options} add-ons at most. Set some of them to 0.`);
  for (const { id, name, maxQuantity } of options) {
    const over = overMaximum(name, draft.options[id] ?? 0, maxQuantity || null);
    if (over) throw wrongInput(`${optionPrefix}${id}`, over);
  }
}

function refuseHostname({ hostnamePattern }: ProductSchema, hostname: string): void {
  if (!hostname || !hostnamePattern || matches(hostnamePattern, hostname)) return;
  throw wrongInput(
    "hostname",
    "The platform does not take such a host name: give a full one, such as web-4.example.com.",
  );
}

/** Milliseconds. Generous, since a busy machine may pause a harmless pattern as well. */
const patience = 250;

/** The pattern comes from the platform. A time limit stops a slow one from blocking the app; the platform then decides. */
function matches(pattern: string, text: string): boolean {
  try {
    const found: unknown = runInNewContext("new RegExp(pattern).test(text)", { pattern, text }, { timeout: patience });
    return found === true;
  } catch {
    return true;
  }
}
