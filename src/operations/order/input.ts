import { isUtf8 } from "node:buffer";
import * as z from "#zod";
import type { CallContext } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { platformNames } from "../../operation/fields.ts";
import { type Chooser, type Given, uploadSchema } from "../../operation/input.ts";
import type { CartDeclaration, LeadingDeclaration } from "../../operation/leading.ts";
import { sameName } from "../../operation/matching.ts";
import { indexedKindOf } from "../../operation/target.ts";
import {
  type Availability,
  listProducts,
  type ProductDetail,
  readAvailability,
  readProduct,
} from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { billingCycles, type OrderBody, type OrderConfiguration } from "../../platform/customer/orders.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { cycleName } from "../../views/format.ts";
import { code, count, dotted, listing, prose, sentence, unmarked } from "../../views/text.ts";
import { availabilityMeaning, refusesOrders, surchargeOf } from "../catalog/places.ts";
import { cyclesOf, priceLine, rowCurrency } from "../catalog/product.ts";
import { optionFacts } from "../catalog/show.ts";
import {
  capturingWords,
  chosenImage,
  chosenOptions,
  hostnameField,
  imageChoices,
  optionChoices,
  optionsField,
} from "../kits/ordering.ts";
import { publicKeyField } from "../kits/public-key.ts";
import { specsOf } from "../kits/specs.ts";
import { project, projectChoices } from "../project/project.ts";

const hostnamePattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/** Spec section 2.8. */
const most = { lines: 50, keys: 20, userData: 65_536 };

/** The inputs of one product of an order. */
const lineInputs = {
  product: z.string().meta({ title: "Product" }),
  cycle: z.enum(billingCycles).meta({ title: "Billed" }),
  quantity: z.number().int().min(1).max(9_999).default(1).meta({ title: "How many" }),
  image: z
    .string()
    .optional()
    .meta({
      title: "System",
      description: "Or an image of your own",
      named: ["os_image_id", "custom_image_id"],
    }),
  options: optionsField.meta({ title: "Options" }),
  keys: z
    .array(z.string())
    .max(most.keys)
    .optional()
    .meta({
      title: "Stored SSH keys",
      description: "These keys can log in as root, also after every reinstall. For a VPS only.",
    })
    .register(platformNames, { named: ["ssh_key_ids"] }),
  pasted: z
    .string()
    .optional()
    .superRefine((text = "", context) => {
      const faults = pastedKeys(text).map((key) => publicKeyField.safeParse(key).error?.issues[0]?.message);
      const wrong = faults.findIndex((fault) => fault !== undefined);
      if (faults.length > most.keys) context.addIssue({ code: "custom", message: `at most ${most.keys} keys.` });
      else if (wrong >= 0)
        context.addIssue({ code: "custom", message: `line ${wrong + 1} is no OpenSSH public key: ${faults[wrong]}` });
    })
    .meta({
      title: "More SSH public keys",
      format: "lines",
      description:
        "One on each line, not stored for other orders. They can log in as root, also after every reinstall. For a VPS only.",
    })
    .register(platformNames, { named: ["ssh_keys"] }),
  userdata: z.string().max(most.userData).optional().meta({
    title: "User data",
    format: "lines",
    writeOnly: true,
    description:
      "A script that begins with #!, or a #cloud-config document; it runs at the first start, and after every reinstall. For a VPS only, not on Windows.",
  }),
  file: uploadSchema(4 * most.userData)
    .optional()
    .meta({
      title: "User data as a file",
      description: "For more than 3,000 characters. Slack keeps the file until you delete it there.",
    }),
};
const Line = z.object(lineInputs);
type Line = z.output<typeof Line>;
const { product, cycle, quantity, image, options, keys, pasted, userdata, file } = lineInputs;

/** The inputs of an order, all on one form: those of one product, the other products, and those of the whole order. */
export const OrderInput = z
  .object({
    product,
    more: z
      .array(Line)
      .max(most.lines - 1)
      .optional()
      .meta({ title: "Also in this order", format: "rows", description: "Take out what you do not want." }),
    cycle,
    quantity,
    location: z.string().optional().meta({ title: "Location" }),
    hostname: hostnameField.refine(
      (name) => name === undefined || hostnamePattern.test(name),
      "a full host name is needed, such as web-4.example.com.",
    ),
    project: z.string().optional().meta({ title: "Project", description: "Empty: the project that you work in" }),
    image,
    options,
    keys,
    pasted,
    userdata,
    file,
    discount: z
      .string()
      .max(100)
      .optional()
      .meta({ title: "Discount code" })
      .register(platformNames, { named: ["discountCode"] }),
  })
  .refine(({ userdata: text, file: upload }) => !(text && upload), {
    path: ["userdata"],
    error: "give the user data here or as a file, not both.",
  });
export type OrderInput = z.output<typeof OrderInput>;

/** The choices that follow from the product; none before it is chosen. */
function ofProduct(
  read: (
    found: ProductDetail,
    call: CallContext<"customer"> & { given: Given },
  ) => ReturnType<Chooser<"customer", unknown>>,
): Chooser<"customer", unknown> {
  return async (call) =>
    typeof call.given.product === "string" ? read(await readProduct(call.client, call.given.product), call) : [];
}

/** Whose own images and SSH keys the order may use. A typed project that does not exist is a fault of its own field. */
async function sourcesIn(call: CallContext<"customer">, { project: typed }: Given) {
  const { entries } = typeof typed === "string" ? await call.listing(indexedKindOf(project)) : { entries: [] };
  const found = entries.find(({ id, name, aliases }) =>
    [id, name, ...aliases].some((each) => sameName(characters(each), String(typed))),
  );
  return orderSources(call, found?.id);
}

// In the order in which one choice depends on another: images and keys follow the project.
export const orderChoices = {
  product: async ({ client }) =>
    (await listProducts(client)).map((row) => ({
      value: row.id,
      label: row.name,
      description: dotted([specsOf(row.specs), priceLine(row)]),
    })),
  cycle: ofProduct(async (found) =>
    cyclesOf(found).map(({ name, price, fees }) => ({
      value: name,
      label: cycleName(name),
      aliases: [name],
      description: unmarked(dotted([price, ...fees])),
    })),
  ),
  location: ofProduct(async (found) =>
    found.locations.map((place) => ({
      value: place.value,
      label: place.name,
      description: dotted([
        surchargeOf(place, rowCurrency(found)),
        place.shared ? "run by a partner" : null,
        // The platform may merely have failed to check, so it is offered, and checked again for the review.
        place.available || place.sold_out ? null : "perhaps no room now",
      ]),
      ...(place.sold_out ? { closed: "sold out for this product" } : {}),
    })),
  ),
  project: projectChoices,
  image: ofProduct(async (found, call) =>
    found.os_images.length === 0
      ? []
      : imageChoices(found.os_images, await listCustomImages((await sourcesIn(call, call.given)).client)),
  ),
  options: ofProduct(async (found) =>
    optionChoices(found.options ?? [], (option) => unmarked(optionFacts(option, found))),
  ),
  keys: async (call) =>
    (await listSshKeys((await sourcesIn(call, call.given)).client)).map(({ id, name, fingerprint }) => ({
      value: id,
      label: name,
      ...(fingerprint ? { description: fingerprint } : {}),
    })),
} satisfies Record<string, Chooser<"customer", unknown>>;

/** The form says so much of the chosen product that nobody fills it in for one that cannot be had. */
export const orderLeading: LeadingDeclaration<"customer", typeof OrderInput> = {
  input: "product",
  // A server without a host name is nearly always an oversight, though the platform takes the order.
  enough: [["product", "cycle", "hostname", "image"]],
  async read(call, chosen, given) {
    const { client } = call;
    const [found, availability, sources] = await Promise.all([
      readProduct(client, chosen),
      readAvailability(client, chosen),
      sourcesIn(call, given),
    ]);
    refuseUnavailable(found, availability);
    const isServer = found.os_images.length > 0;
    const own = isServer ? await listCustomImages(sources.client) : [];
    const [cycleOnly, ...otherCycles] = cyclesOf(found);
    return {
      words: productWords(found, { project: sources.name, own }),
      unasked: [
        ...(isServer ? [] : ["image", "keys", "pasted", "userdata", "file"]),
        ...(found.locations.length > 0 ? [] : ["location"]),
        ...(found.options?.length ? [] : ["options"]),
      ],
      required: [...(isServer ? ["image"] : []), ...(found.location_required ? ["location"] : [])],
      presets: {
        ...(found.default_os_image_id ? { image: found.default_os_image_id } : {}),
        ...(cycleOnly && otherCycles.length === 0 ? { cycle: cycleOnly.name } : {}),
      },
    };
  },
};

function refuseUnavailable(product: ProductDetail, { code: verdict, reason }: Availability): void {
  const name = code(product.name);
  if (refusesOrders(verdict))
    throw new Refusal(
      `${name} ${availabilityMeaning[verdict]}.${reason ? ` The platform says: ${sentence(prose(reason))}` : ""} Choose another product.`,
    );
  if (product.location_required && product.locations.every(({ sold_out }) => sold_out))
    throw new Refusal(`${name} has no location with room at the moment. Choose another product.`);
}

/** The product in words, which a member reads before they fill in the form. */
function productWords(
  product: ProductDetail,
  { project, own }: { project: PlainText | null; own: Parameters<typeof capturingWords>[0] },
): string {
  const name = code(product.name);
  const full = product.locations.filter(({ sold_out }) => sold_out);
  const soldOut = `:no_entry_sign: Sold out now: ${listing(full.map((place) => prose(place.name, 60)))}.`;
  const images =
    project && `Own images and SSH keys are those of the project ${code(project, 60)}, where the order goes.`;
  const noSystem = `The platform lists no system for ${name}. If the product is a VPS, you cannot order it like this: ask the operator.`;
  const lines = [
    `*${name}* · ${priceLine(product)}`,
    specsOf(product.specs),
    full.length > 0 ? soldOut : null,
    product.os_images.length > 0 ? images : noSystem,
    capturingWords(own),
  ];
  return lines.filter((line) => line).join("\n");
}

/** `left`: its user data was not kept. */
const NamedLine = z.object({
  product: z.string(),
  quantity: z.number().default(1),
  cycle: z.string(),
  left: z.boolean().optional(),
});

export const orderCart: CartDeclaration<"customer", typeof OrderInput> = {
  rows: "more",
  shared: ["location", "hostname", "project", "discount"],
  carried: ["cycle"],
  most: most.lines,
  add: "Add a product…",
  names: ({ client }, rows) =>
    Promise.all(
      rows.map(async (row) => {
        const line = NamedLine.parse(row);
        const found = await readProduct(client, line.product).catch(nullIfRefused(404));
        const left = line.left ? ", without its user data" : "";
        return plainly`${line.quantity} × ${found?.name ?? line.product}, ${line.cycle}${left}`;
      }),
    ),
};

/** One product of an order, as the platform takes it. */
export interface OrderLine {
  product: string;
  cycle: Line["cycle"];
  quantity: number;
  options: { id: string; quantity: number }[];
  osImage?: string | undefined;
  customImage?: string | undefined;
  keys: readonly string[];
  pasted: string[];
  userData?: string | undefined;
}

/** An order with its products, read now. The product that its form shows comes last. */
export interface NewOrder extends Pick<OrderInput, "hostname" | "location" | "project" | "discount"> {
  lines: OrderLine[];
}

export async function readNewOrder(
  { client }: Pick<CallContext<"customer">, "client">,
  input: OrderInput,
): Promise<{ order: NewOrder; products: ReadonlyMap<string, ProductDetail> }> {
  const ids = [...new Set(rowsOf(input).map((row) => row.product))];
  const products = new Map(await Promise.all(ids.map(async (id) => [id, await readProduct(client, id)] as const)));
  return { order: orderOf(input, products), products };
}

export function orderOf(input: OrderInput, products: ReadonlyMap<string, ProductDetail>): NewOrder {
  const { hostname, location, project, discount } = input;
  const lines = rowsOf(input).flatMap((row) => {
    const found = products.get(row.product);
    return found ? [lineOf(row, found)] : [];
  });
  if (input.image === undefined && (products.get(input.product)?.os_images.length ?? 0) > 0)
    throw wrongInput("image", "this product needs one.", "System");
  const placeless = [...products.values()].find((found) => found.location_required);
  if (placeless && !location) throw wrongInput("location", `${characters(placeless.name)} needs one.`, "Location");
  return { lines, hostname, location, project, discount };
}

function rowsOf(input: OrderInput): Line[] {
  return [...(input.more ?? []), input];
}

function lineOf(row: Line, found: ProductDetail): OrderLine {
  return {
    product: row.product,
    cycle: row.cycle,
    quantity: row.quantity,
    options: chosenOptions(row.options, found.options ?? []),
    ...chosenImage(row.image, found.os_images),
    keys: row.keys ?? [],
    pasted: pastedKeys(row.pasted),
    userData: userDataOf(row) || undefined,
  };
}

function pastedKeys(text = ""): string[] {
  return text
    .split("\n")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

function userDataOf({ userdata: text, file: upload }: Line): string {
  if (!upload) return text ?? "";
  const content = Buffer.from(upload.content, "base64");
  if (!isUtf8(content)) throw wrongInput("file", `${upload.name} is not plain text.`, "User data as a file");
  const data = content.toString("utf8");
  if (data.length > most.userData)
    throw wrongInput(
      "file",
      `${upload.name} has ${count(data.length, "character")}; at most ${most.userData.toLocaleString("en")} can be sent.`,
      "User data as a file",
    );
  return data;
}

/** The body of an order: one product alone, or lines (spec section 2.8). */
export function bodyOf({ lines, hostname, location, project, discount }: NewOrder): OrderBody {
  const common = {
    ...(hostname ? { hostname } : {}),
    ...(location ? { location } : {}),
    ...(project ? { projectId: project } : {}),
    ...(discount ? { discountCode: discount } : {}),
  };
  const [only] = lines;
  if (only && lines.length === 1 && only.quantity === 1 && only.options.length === 0)
    return { productId: only.product, billingCycle: only.cycle, configOptions: configurationOf(only), ...common };
  const items = lines.map((line) => ({
    productId: line.product,
    billingCycle: line.cycle,
    quantity: line.quantity,
    configuration: { ...configurationOf(line) },
    options: line.options.map(({ id, quantity: amount }) => ({ optionId: id, quantity: amount })),
  }));
  return { items, ...(only ? { billingCycle: only.cycle } : {}), ...common };
}

function configurationOf(line: OrderLine): OrderConfiguration {
  return {
    ...(line.osImage ? { os_image_id: line.osImage } : {}),
    ...(line.customImage ? { custom_image_id: line.customImage } : {}),
    ...(line.userData ? { user_data: line.userData } : {}),
    ...(line.pasted.length > 0 ? { ssh_keys: line.pasted } : {}),
    ...(line.keys.length > 0 ? { ssh_key_ids: [...line.keys] } : {}),
  };
}

/** The project that an order goes into, as its body names it: the chosen one, else the member's own; null leaves it to the platform. */
export function orderProject({ actor }: Pick<CallContext<"customer">, "actor">, named: string | null | undefined) {
  return named ?? actor.project?.id ?? null;
}

/**
 * The project whose own images and SSH keys the order may use, and a client that lists them. The spec leaves open if an order may use
 * those of another project. `name`: null if the key is confined to one project, which is the only one that it lists.
 */
export async function orderSources(
  call: CallContext<"customer">,
  named: string | null | undefined,
): Promise<{ client: CustomerClient; name: PlainText | null }> {
  const id = orderProject(call, named);
  const { entries } = await call.listing(indexedKindOf(project));
  const found = entries.find((one) =>
    id === null ? one.state === "default" : one.id === id || one.aliases.includes(id),
  );
  return { client: call.client.in(id ?? found?.id ?? null), name: found?.name ?? null };
}
