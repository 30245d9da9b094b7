import { runInNewContext } from "node:vm";
import * as z from "#zod";
import { isGiven } from "../../../operation/act-input.ts";
import type { CallContext, Choice } from "../../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../../operation/errors.ts";
import { type Field, plainField } from "../../../operation/fields.ts";
import { type Chooser, type Given, matchingChoices } from "../../../operation/input.ts";
import type { LeadingDeclaration } from "../../../operation/leading.ts";
import { indexedKindOf } from "../../../operation/target.ts";
import { nullIfRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { billingCycles, cycleIn, pricesOf } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import type { OrderBody } from "../../../platform/reseller/place-order.ts";
import {
  listProducts,
  type Product,
  type ProductSchema,
  readProduct,
  readProductSchema,
} from "../../../platform/reseller/products.ts";
import { characters, plainly } from "../../../process/plain-text.ts";
import { fitsOption } from "../../../views/blocks.ts";
import { cycleName, money, perCycle } from "../../../views/format.ts";
import { limits } from "../../../views/limits.ts";
import { clip, code, listing } from "../../../views/text.ts";
import {
  capturingWords,
  chosenImage,
  chosenOptions,
  hostnameField,
  imageChoices,
  optionChoices,
  optionsField,
} from "../../kits/ordering.ts";
import { checkParams, paramsWords, readParams } from "../../kits/provider-action.ts";
import { customer } from "../customer.ts";
import { paymentMethodName, type ShownMethod } from "../payment.ts";
import { optionWords } from "../product/options.ts";
import {
  type FormField,
  formFieldsOf,
  needsPlace,
  type ProductPlace,
  placesOf,
  secretFieldsOf,
} from "../product/schema-fields.ts";

/** Reseller spec section 8. */
const most = { quantity: 100, customer: 255 };

/** As a form gives them, field by field, or as text. */
const Values = z.union([
  z.string().superRefine(checkParams("write name=value pairs, or a JSON object.")),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
]);

export function valuesOf(given: z.output<typeof Values> = {}): Record<string, unknown> {
  return typeof given === "string" ? (readParams(given) ?? {}) : given;
}

/** The inputs of a wholesale order, all on one form. */
export const OrderInput = z.object({
  product: z.string().meta({ title: "Product" }),
  cycle: z.enum(billingCycles).meta({ title: "Billed" }),
  location: z.string().optional().meta({ title: "Datacentre" }),
  hostname: hostnameField,
  image: z.string().optional().meta({ title: "System", description: "Or an image that you captured" }),
  quantity: z
    .number()
    .int()
    .min(1)
    .max(most.quantity)
    .default(1)
    .meta({
      title: "How many",
      description: `1 to ${most.quantity}, each a service of its own`,
      amount: true,
    }),
  options: optionsField.meta({ title: "Add-ons" }),
  customer: z.string().optional().meta({ title: "Customer", description: "One of your customers" }),
  new: z.string().max(most.customer).optional().meta({ title: "Or a new customer: your own id" }),
  name: z.string().max(most.customer).optional().meta({ title: "Their name" }),
  email: z.email("this is not an e-mail address.").max(most.customer).optional().meta({ title: "Their e-mail" }),
  own: z
    .string()
    .max(most.customer)
    .optional()
    .meta({ title: "Your own id of the service", description: "As in your own books" }),
  form: Values.optional().meta({ title: "Fields of the provider's own form", format: "record" }),
  secrets: Values.optional().meta({
    title: "The provider's own form",
    format: "record",
    writeOnly: true,
    description: `Rackbell cannot show the provider's form field by field: /reseller product schema shows it. ${paramsWords}.`,
  }),
  method: z
    .string()
    .optional()
    .meta({ title: "Charged to", description: "Only if the platform charges a saved method" }),
});
export type OrderInput = z.output<typeof OrderInput>;

type Read = (
  product: Product,
  schema: () => Promise<ProductSchema>,
  client: ResellerClient,
) => ReturnType<Chooser<"reseller", unknown>>;

/** The choices that follow from the product; none before it is chosen. */
function ofProduct(read: Read): Chooser<"reseller", unknown> {
  return async ({ client, given: { product: id } }) =>
    typeof id === "string" ? read(await readProduct(client, id), () => readProductSchema(client, id), client) : [];
}

export const orderChoices = {
  product: async ({ client }) => (await listProducts(client)).map(({ id, name }) => ({ value: id, label: name })),
  cycle: ofProduct(async ({ pricing, currency }) =>
    pricesOf(pricing).map(({ cycle, price }) => ({
      value: cycle,
      label: cycleName(cycle),
      aliases: [cycle],
      description: money(price, currency ?? null),
    })),
  ),
  location: ofProduct(async ({ currency }, schema) =>
    placesOf(await schema()).map(({ value, label, aliases, prices }) => {
      const added = Object.entries(prices)
        .filter(([, price]) => Number(price) !== 0)
        .map(([name, price]) => addedWords(name, money(price, currency ?? null)));
      return { value, label, aliases, ...(added.length > 0 ? { description: `adds ${listing(added)}` } : {}) };
    }),
  ),
  image: ofProduct(async (_, schema, client) => {
    const systems = (await schema()).osImages ?? [];
    return systems.length > 0 ? imageChoices(systems, await listCapturedImages(client)) : [];
  }),
  options: ofProduct(async ({ options, currency }) =>
    optionChoices(options, (option) => optionWords(option, ["monthly"], currency ?? null)),
  ),
  // The value is the partner's own id, which orders use.
  customer: async ({ listing: read, confinedTo }) => {
    if (confinedTo) return [boundChoice(confinedTo)];
    return (await read(indexedKindOf(customer))).entries.flatMap(
      ({ id, name, aliases: [own = "", ...others], detail }) => {
        const value = characters(own);
        const choice = { value, label: name, description: detail, aliases: [id, ...others] };
        return fitsOption(choice) ? [choice] : [];
      },
    );
  },
  method: async ({ client, may }) => {
    // Only a key with the account scope sees payment methods. For other keys the platform charges the default one.
    const methods = may("reseller payment list") ? await listPaymentMethods(client).catch(nullIfRefused(403)) : [];
    return (methods ?? []).map((one) => ({ value: one.id, label: paymentMethodName(one) }));
  },
} satisfies Record<string, Chooser<"reseller", unknown>>;

/** `name`: the catalogue's word for a cycle, or for the setup. */
function addedWords(name: string, price: string): string {
  return name === "setupFee" ? `${price} once` : perCycle(price, cycleIn(name) ?? name);
}

/** The form shows this of the chosen product. */
export const orderLeading: LeadingDeclaration<"reseller", typeof OrderInput> = {
  input: "product",
  // A server without a host name is nearly always an oversight, though the platform takes the order.
  enough: [
    ["product", "cycle", "hostname", "image"],
    ["product", "cycle", "hostname", "customer"],
  ],
  async read(call, chosen, given) {
    const { client, may, confinedTo } = call;
    const [product, schema] = await Promise.all([readProduct(client, chosen), readProductSchema(client, chosen)]);
    const name = code(product.name);
    const [cycle, ...otherCycles] = pricesOf(product.pricing);
    if (!cycle) throw new Refusal(`${name} has no price on any billing cycle, so you cannot order it.`);
    const own = hasSystems(schema) ? await listCapturedImages(client) : [];
    const fields = fieldsOfForm(formFieldsOf(schema));
    return {
      words: [`*${name}* · at wholesale, excl. VAT`, capturingWords(own)].filter((line) => line).join("\n"),
      unasked: [
        ...(hasSystems(schema) ? [] : ["image"]),
        ...(placesOf(schema).length > 0 || needsPlace(schema) ? [] : ["location"]),
        ...(product.options.length > 0 ? [] : ["options"]),
        ...(may("reseller payment list") ? [] : ["method"]),
        // One that was given stays, so that it can be corrected.
        ...(confinedTo ? buyerFields.filter((field) => !isGiven(given[field])) : []),
        // Its fields are shown one by one, if they can be read.
        "form",
        ...(fields === null ? [] : ["secrets"]),
      ],
      required: [...(hasSystems(schema) ? ["image"] : []), ...(needsPlace(schema) ? ["location"] : [])],
      presets: otherCycles.length === 0 ? { cycle: cycle.cycle } : {},
      own: { of: "form", secrets: "secrets", fields: fields ?? [] },
    };
  },
};

const buyerFields = ["customer", "new", "name", "email"] as const;
const buyerLabels = { customer: "Customer", new: "New customer", name: "Their name", email: "Their e-mail" };

type BoundCustomer = NonNullable<CallContext<"reseller">["confinedTo"]>;

/** The one customer that a bound key orders for. An order names it by the partner's own id, which may be too long for an option. */
function boundChoice({ id, name, externalId }: BoundCustomer): Choice {
  const value = fitsOption({ value: externalId }) ? externalId : id;
  return { value, label: name, description: externalId, aliases: [id, externalId] };
}

/**
 * The input of an order, with the customer of a key that is bound to one: the platform attributes the order to that customer, and ignores
 * another in the body. Reseller spec section 5.
 */
export async function settledBuyer({ confinedTo }: CallContext<"reseller">, input: Given): Promise<Given> {
  if (!confinedTo) return input;
  const own = confinedTo.externalId;
  const namesBuyer = (field: string) => field === "customer" || field === "new";
  const isOwn = (typed: unknown) => matchingChoices(String(typed), [boundChoice(confinedTo)]).length > 0;
  const wrong = buyerFields.find((field) => isGiven(input[field]) && !(namesBuyer(field) && isOwn(input[field])));
  if (wrong) throw wrongInput(wrong, plainly`your key orders for “${own}” alone. Leave this out.`, buyerLabels[wrong]);
  const { new: _, ...others } = input;
  return { ...others, customer: own };
}

/** Slack takes 100 blocks and 250 kB in a form, and 255 characters in the id of a block, which begins with the input's name. */
const mostOwn = { fields: 60, options: 500, name: limits.id - "secrets!".length };

/** The fields of the provider's form as fields of ours; null where a form of Slack cannot show them one by one. */
function fieldsOfForm(all: FormField[] | null): Field[] | null {
  const fields = (all ?? []).map(fieldOfForm);
  const options = fields.reduce((sum, field) => sum + field.options.length, 0);
  const isTooLarge = fields.length > mostOwn.fields || options > mostOwn.options;
  return all === null || isTooLarge || fields.some(({ name }) => name.length > mostOwn.name) ? null : fields;
}

/**
 * A field of the provider's form as one of ours. An empty optional password may mean that there is none. A list that Slack would refuse is
 * typed instead; an option without a value stands for no choice.
 */
function fieldOfForm({ name, label, kind, required, options: listed, preset, hint: said }: FormField): Field {
  const choosable = [...new Map(listed.filter(({ value }) => value !== "").map((one) => [one.value, one])).values()];
  const isListed = choosable.length <= limits.select.options && choosable.every(fitsOption);
  const options = isListed ? choosable : [];
  const hint = isListed ? said : [said, `One of ${optionNames(choosable)}`].flatMap((one) => one || []).join(" ");
  const isChoice = kind === "toggle" || options.length > 0;
  return {
    ...plainField,
    name,
    label,
    kind: kind === "password" ? (required ? "password" : "secret") : isChoice ? "select" : "text",
    required,
    options: kind === "toggle" ? ["true", "false"] : options.map(({ value }) => value),
    labels: kind === "toggle" ? yesOrNo : Object.fromEntries(options.map((one) => [one.value, one.label])),
    preset,
    hint,
  };
}

/** Nobody reads more of a long list. */
const mostNamed = 20;

function optionNames(options: FormField["options"]): string {
  const named = options
    .slice(0, mostNamed)
    .map(({ value, label }) => characters(clip(label === value ? value : plainly`${label} (${value})`, 60)));
  const more = options.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more.` : `${listing(named, "or")}.`;
}

const yesOrNo = { true: "Yes", false: "No" };

/** An order with what its product says about it. */
export interface WholeOrder {
  input: OrderInput;
  product: Product;
  schema: ProductSchema;
  place: ProductPlace | null;
  options: { id: string; quantity: number }[];
  /** The partner's own id of the customer. */
  buyer: string | undefined;
  /** The values of the provider's own form. */
  form: Record<string, unknown>;
}

/** Reads the product of an order. Throws an InputError for a value that is missing or that the platform would refuse. */
export async function wholeOrder(
  { client }: Pick<CallContext<"reseller">, "client">,
  input: OrderInput,
): Promise<WholeOrder> {
  const [product, schema] = await Promise.all([
    readProduct(client, input.product),
    readProductSchema(client, input.product),
  ]);
  const { location, image, hostname } = input;
  if (needsPlace(schema) && !location) throw wrongInput("location", "this product needs one.", "Datacentre");
  if (hasSystems(schema) && !image) throw wrongInput("image", "this product needs one.", "System");
  if (hostname && schema.hostnamePattern && !matches(schema.hostnamePattern, hostname))
    throw wrongInput(
      "hostname",
      "the platform does not take such a host name: give a full one, such as web-4.example.com.",
      "Host name",
    );
  return {
    input,
    product,
    schema,
    place: placesOf(schema).find(({ value }) => value === location) ?? null,
    options: chosenOptions(input.options, product.options),
    // A member who types a new customer means that one, not the chosen one.
    buyer: input.new ?? input.customer,
    form: filledForm(schema, input),
  };
}

function hasSystems({ osImages }: ProductSchema): boolean {
  return (osImages ?? []).length > 0;
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

/** The values of the provider's form, with its presets. Throws an InputError for one that is missing or wrong. */
function filledForm(schema: ProductSchema, { form: given, secrets }: OrderInput): Record<string, unknown> {
  const typed = valuesOf(given);
  const secret = [...secretFieldsOf(schema)].find((name) => name in typed);
  if (secret !== undefined) throw wrongInput("form", `${secret} is a secret: fill it in in the form.`, formLabel);
  const form: Record<string, unknown> = { ...typed, ...valuesOf(secrets) };
  for (const field of formFieldsOf(schema) ?? []) {
    const { name, label, required, preset } = field;
    const value = form[name] ?? preset;
    if (value !== null && value !== undefined) form[name] = fieldValue(field, String(value));
    else if (required) throw wrongInput("form", `it needs ${name} (${label}).`, formLabel);
  }
  return form;
}

const formLabel = "The provider's own form";

function fieldValue({ kind, name, options }: FormField, text: string): string | number | boolean {
  if (kind === "toggle") return text === "true" || text === "yes";
  const isCalled = ({ label }: FormField["options"][number]) => label.toLowerCase() === text.trim().toLowerCase();
  const chosen = options.find(({ value }) => value === text) ?? options.find(isCalled);
  if (options.length > 0 && !chosen)
    throw wrongInput("form", `${name} must be one of ${optionNames(options)}`, formLabel);
  const given = chosen?.value ?? text;
  if (kind !== "number") return given;
  if (Number.isFinite(Number(given))) return Number(given);
  throw wrongInput("form", `${name} must be a number.`, formLabel);
}

/**
 * The body of an order. The request's id is the idempotency key, by which a lost answer is reconciled. It names nothing else: an invented
 * id would be the service's name in the partner's books. The saved method that was shown is the one to charge. Reseller spec section 4.1.
 */
export function bodyOf(
  id: string,
  { input, schema, buyer, options, form }: WholeOrder,
  shown: ShownMethod | null,
): OrderBody {
  const { name, email, hostname, location, own, method = shown?.id } = input;
  const { osImage, customImage } = chosenImage(input.image, schema.osImages ?? []);
  return {
    productId: input.product,
    billingCycle: input.cycle,
    quantity: input.quantity,
    externalOrderId: id,
    ...(buyer ? { externalCustomerId: buyer } : {}),
    ...(name ? { externalCustomerName: name } : {}),
    ...(email ? { externalCustomerEmail: email } : {}),
    configuration: {
      ...form,
      ...(hostname ? { hostname } : {}),
      ...(location ? { location } : {}),
      ...(osImage ? { [schema.osImageField ?? "osImageId"]: osImage } : {}),
      ...(customImage ? { custom_image_id: customImage } : {}),
      ...(own ? { externalServiceId: own } : {}),
    },
    ...(options.length > 0 ? { options: options.map((one) => ({ optionId: one.id, quantity: one.quantity })) } : {}),
    ...(method ? { paymentMethodId: method } : {}),
  };
}
