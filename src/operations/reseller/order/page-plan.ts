import { runInNewContext } from "node:vm";
import type { Asking, Choice } from "../../../operation/asking.ts";
import { InputError } from "../../../operation/errors.ts";
import type { FormValues, Pressed, Turn, WizardPage } from "../../../operation/wizard.ts";
import { billingCycles, pricesOf } from "../../../platform/reseller/cycles.ts";
import {
  type Product,
  type ProductSchema,
  readProduct,
  readProductSchema,
} from "../../../platform/reseller/products.ts";
import { actions, type Block, button, context, section } from "../../../views/blocks.ts";
import { cycleName } from "../../../views/cycles.ts";
import { money } from "../../../views/format.ts";
import { code, sentence } from "../../../views/text.ts";
import { amountField, numberField, selectField, textField } from "../../order/fields.ts";
import { optionWords } from "../product/options.ts";
import { placesOf } from "../product/schema-fields.ts";
import { type Draft, most } from "./draft.ts";
import { hasDetails } from "./page-details.ts";

const optionPrefix = "option:";

/** The second page: how it is billed, where it stands, how many, with what. */
export const planPage = {
  async view({ client }: Asking<"reseller">, draft: Draft): Promise<WizardPage> {
    const [product, asked] = await readBoth(client, draft);
    return {
      title: "Order: the plan",
      submit: "Next",
      blocks: [
        section(`*${code(product.name)}* · at wholesale, excl. VAT`),
        cycleField(product, draft),
        ...placeFields(asked, draft),
        numberField(
          { id: "quantity", label: "How many", hint: `1 to ${most.quantity}, each a service of its own` },
          draft.quantity,
          1,
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
        ...actions([button("◀ Another product", "page:back", "product")]),
      ],
    };
  },
  check(said: FormValues): Record<string, string> {
    const errors: Record<string, string> = {};
    for (const [field, value] of Object.entries(said)) {
      const counted = field === "quantity" || field.startsWith(optionPrefix);
      const least = field === "quantity" ? 1 : 0;
      if (!counted || typeof value !== "string") continue;
      const amount = Number(value);
      if (!Number.isInteger(amount) || amount < least || amount > most.quantity)
        errors[field] = `A whole number from ${least} to ${most.quantity} is needed.`;
    }
    const { own } = said;
    if (typeof own === "string" && own.length > most.customer) errors.own = `At most ${most.customer} characters.`;
    return errors;
  },
  keep(draft: Draft, said: FormValues): Draft {
    if (!("cycle" in said)) return draft;
    const text = (name: string) => (typeof said[name] === "string" ? said[name].trim() : "");
    const options = Object.entries(said).flatMap(([id, value]) =>
      id.startsWith(optionPrefix) && Number(value) > 0 ? [[id.slice(optionPrefix.length), Number(value)] as const] : [],
    );
    return {
      ...draft,
      cycle: billingCycles.find((cycle) => cycle === said.cycle) ?? null,
      location: text("location") || null,
      quantity: Number(said.quantity ?? 1),
      hostname: text("hostname"),
      ownId: text("own"),
      options: Object.fromEntries(options),
    };
  },
  async next({ client }: Asking<"reseller">, draft: Draft, pressed: Pressed | null): Promise<Turn> {
    if (pressed?.verb === "back") return { page: "product", draft };
    const [product, asked] = await readBoth(client, draft);
    if (!draft.cycle) throw new InputError([{ field: "cycle", message: "Choose how it is billed." }]);
    if (needsPlace(asked) && !draft.location)
      throw new InputError([{ field: "location", message: "Choose a datacentre: this product needs one." }]);
    refuseHostname(asked, draft.hostname);
    refuseTooMany(product, draft);
    const kept = { ...draft, imageField: asked.osImageField ?? draft.imageField };
    return { page: hasDetails(asked) ? "details" : "customer", draft: kept };
  },
};

function readBoth(client: Asking<"reseller">["client"], { product }: Draft): Promise<[Product, ProductSchema]> {
  const id = product?.id ?? "";
  return Promise.all([readProduct(client, id), readProductSchema(client, id)]);
}

function cycleField({ pricing, currency }: Product, { cycle }: Draft): Block {
  const choices: Choice[] = pricesOf(pricing).map((one) => ({
    value: one.cycle,
    label: cycleName(one.cycle),
    description: money(one.price, currency ?? null),
  }));
  const [only] = choices;
  return selectField(
    { id: "cycle", label: "Billed" },
    choices,
    cycle ?? (choices.length === 1 ? (only?.value ?? null) : null),
  );
}

function needsPlace({ locationRequired, requiredFields }: ProductSchema): boolean {
  return locationRequired === true || requiredFields.includes("location");
}

function placeFields(asked: ProductSchema, { location }: Draft): Block[] {
  const places = placesOf(asked);
  const field = { id: "location", label: "Datacentre", optional: !needsPlace(asked) };
  if (places.length > 0) return [selectField(field, places.map(placeChoice), location)];
  // It is needed, and not told in a way that can be read: whoever knows it can say it.
  return needsPlace(asked) ? [textField(field, location ?? "")] : [];
}

function placeChoice({ value, label, prices }: ReturnType<typeof placesOf>[number]): Choice {
  const added = Object.entries(prices)
    .filter(([, price]) => Number(price) !== 0)
    .map(([name, price]) => `${money(price, null)} ${name === "setupFee" ? "once" : name}`);
  return { value, label, ...(added.length > 0 ? { description: `adds ${added.join(" and ")}` } : {}) };
}

/** A modal holds 100 blocks. */
const mostFields = 80;

function optionFields({ options, currency }: Product, draft: Draft): Block[] {
  const fields = options.slice(0, mostFields).map((option) => {
    const cycles = draft.cycle ? [draft.cycle] : (["monthly"] as const).slice();
    const price = optionWords(option, cycles, currency ?? null);
    const most = option.maxQuantity ?? null;
    return amountField(
      {
        id: `${optionPrefix}${option.id}`,
        label: option.name,
        hint: most === 1 ? sentence(price) : `${price}${most ? `; at most ${most}` : ""}. 0 leaves it out.`,
        optional: true,
      },
      draft.options[option.id] ?? 0,
      most,
    );
  });
  const left = options.length - fields.length;
  return left > 0 ? [...fields, context(`${left} more add-ons do not fit into this form.`)] : fields;
}

function refuseTooMany({ options }: Product, draft: Draft): void {
  if (Object.keys(draft.options).length > most.options)
    throw new InputError(`An order takes ${most.options} add-ons at most. Set some of them to 0.`);
  const over = options.find(({ id, maxQuantity }) => maxQuantity && (draft.options[id] ?? 0) > maxQuantity);
  if (over)
    throw new InputError([
      {
        field: `${optionPrefix}${over.id}`,
        message: `${over.name} can be ordered ${over.maxQuantity === 1 ? "only once" : `at most ${over.maxQuantity} times`}.`,
      },
    ]);
}

function refuseHostname({ hostnamePattern }: ProductSchema, hostname: string): void {
  if (!hostname || !hostnamePattern || matches(hostnamePattern, hostname)) return;
  throw new InputError([
    {
      field: "hostname",
      message: "The platform does not take such a host name: give a full one, such as web-4.example.com.",
    },
  ]);
}

/** Milliseconds: a busy machine may stop in the midst of a good one. */
const patience = 250;

/** The pattern is the platform's: whatever it is, it holds up nobody. One that cannot be tried is left to the platform. */
function matches(pattern: string, text: string): boolean {
  try {
    const found: unknown = runInNewContext("new RegExp(pattern).test(text)", { pattern, text }, { timeout: patience });
    return found === true;
  } catch {
    return true;
  }
}
