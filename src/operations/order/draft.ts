import { randomUUID } from "node:crypto";
import * as z from "zod";
import { wrongInput } from "../../operation/errors.ts";
import { characters, type PlainText } from "../../plain-text.ts";
import {
  type BillingCycle,
  billingCycles,
  type OrderBody,
  type OrderConfiguration,
} from "../../platform/customer/orders.ts";
import { chosenImage } from "../kits/order-form.ts";

const Cycle = z.enum(billingCycles);

/** Spec section 2.8. */
export const orderLimits = { lines: 50, keys: 20, userData: 65_536 };

/** One line of an unfinished order. `image` is "os:<id>" or "own:<id>", so that it can never be both. */
export const Line = z.object({
  id: z.string(),
  product: z.string(),
  name: z.string(),
  cycle: Cycle.nullable(),
  quantity: z.number(),
  options: z.record(z.string(), z.number()),
  image: z.string().nullable(),
  keys: z.array(z.string()),
  pasted: z.string(),
  userData: z.string(),
  file: z.object({ name: z.string(), content: z.string() }).nullable(),
});
export type Line = z.infer<typeof Line>;

/**
 * An unfinished order: `lines` are complete, `current` is the line on the open page. Host name and location belong to the whole
 * order.
 */
export const Draft = z.object({
  lines: z.array(Line),
  current: Line.nullable(),
  hostname: z.string(),
  location: z.string().nullable(),
  /** The name of the location. */
  place: z.string(),
  project: z.string().nullable(),
  discount: z.string(),
  /** The name of the template to save it as; empty for none. */
  template: z.string(),
  /** The typed values of the command. */
  typed: z.record(z.string(), z.string()),
});
export type Draft = z.infer<typeof Draft>;

export function newLine(product: { id: string; name: PlainText }): Line {
  return {
    id: randomUUID(),
    product: product.id,
    name: characters(product.name),
    cycle: null,
    quantity: 1,
    options: {},
    image: null,
    keys: [],
    pasted: "",
    userData: "",
    file: null,
  };
}

export const emptyDraft: Draft = {
  lines: [],
  current: null,
  hostname: "",
  location: null,
  place: "",
  project: null,
  discount: "",
  template: "",
  typed: {},
};

/** The finished order from the pages. It stays encrypted until the request is decided. */
export const OrderInput = z.object({
  lines: z
    .array(
      z.object({
        product: z.string(),
        cycle: Cycle,
        quantity: z.number().int().min(1),
        options: z.array(z.object({ id: z.string(), quantity: z.number().int().min(1) })),
        osImage: z.string().optional(),
        customImage: z.string().optional(),
        keys: z.array(z.string()).max(orderLimits.keys),
        pasted: z.array(z.string()).max(orderLimits.keys),
        userData: z.string().max(orderLimits.userData).optional(),
      }),
    )
    .min(1)
    .max(orderLimits.lines),
  hostname: z.string().optional(),
  location: z.string().optional(),
  project: z.string().optional(),
  discount: z.string().optional(),
});
export type OrderInput = z.infer<typeof OrderInput>;
export type OrderLine = OrderInput["lines"][number];

export function inputOf(draft: Draft): OrderInput {
  const { lines, hostname, location, project, discount } = draft;
  return {
    lines: lines.map(lineOf),
    ...(hostname ? { hostname } : {}),
    ...(location ? { location } : {}),
    ...(project ? { project } : {}),
    ...(discount ? { discount } : {}),
  };
}

/** The billing cycle that the member chose. A default would charge another sum than the form showed. */
function chosenCycle({ cycle, name }: Line): BillingCycle {
  if (!cycle) throw wrongInput("cycle", `Choose a billing cycle for ${name}.`);
  return cycle;
}

function lineOf(line: Line): OrderLine {
  const userData = userDataOf(line);
  return {
    product: line.product,
    cycle: chosenCycle(line),
    quantity: line.quantity,
    options: Object.entries(line.options).map(([id, quantity]) => ({ id, quantity })),
    ...chosenImage(line.image),
    keys: line.keys,
    pasted: pastedKeys(line.pasted),
    ...(userData ? { userData } : {}),
  };
}

export function userDataOf({ userData, file }: Pick<Line, "userData" | "file">): string {
  return userData || (file?.content ?? "");
}

export function pastedKeys(text: string): string[] {
  return text
    .split("\n")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

/** Puts the current line back among the lines, at its old place if it had one. */
export function withCurrent(draft: Draft): Draft {
  const { current, lines } = draft;
  if (!current) return draft;
  const isKnown = lines.some(({ id }) => id === current.id);
  return {
    ...draft,
    current: null,
    lines: isKnown ? lines.map((line) => (line.id === current.id ? current : line)) : [...lines, current],
  };
}

/** The first line decides the location and the host name of the order. */
export function isFirst({ lines, current }: Draft): boolean {
  const [first] = lines;
  return first === undefined || first.id === current?.id;
}

/** The body of an order: one product alone, or lines (spec section 2.8). */
export function bodyOf(order: OrderInput): OrderBody {
  const { lines, hostname, location, project, discount } = order;
  const common = {
    ...(hostname ? { hostname } : {}),
    ...(location ? { location } : {}),
    ...(project ? { projectId: project } : {}),
    ...(discount ? { discountCode: discount } : {}),
  };
  const [only] = lines;
  if (only && lines.length === 1 && only.quantity === 1 && only.options.length === 0) {
    return { productId: only.product, billingCycle: only.cycle, configOptions: configurationOf(only), ...common };
  }
  const items = lines.map((line) => ({
    productId: line.product,
    billingCycle: line.cycle,
    quantity: line.quantity,
    configuration: { ...configurationOf(line) },
    options: line.options.map(({ id, quantity }) => ({ optionId: id, quantity })),
  }));
  return { items, ...(only ? { billingCycle: only.cycle } : {}), ...common };
}

function configurationOf({ osImage, customImage, userData, keys, pasted }: OrderLine): OrderConfiguration {
  return {
    ...(osImage ? { os_image_id: osImage } : {}),
    ...(customImage ? { custom_image_id: customImage } : {}),
    ...(userData ? { user_data: userData } : {}),
    ...(pasted.length > 0 ? { ssh_keys: pasted } : {}),
    ...(keys.length > 0 ? { ssh_key_ids: keys } : {}),
  };
}
