import * as z from "#zod";
import type { Choice } from "../../operation/call-context.ts";
import { wrongInput } from "../../operation/errors.ts";
import type { CustomImage } from "../../platform/customer/images.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { bytes, figure } from "../../views/format.ts";
import { imageSource } from "./copies.ts";

// The inputs of an order in both APIs. All of them are in one form; the choices of most follow from the product.

/** An image that the member captured or registered, as both APIs show it; that of the reseller API has no source. */
interface OwnImage extends Partial<Pick<CustomImage, "source_kind" | "source_url">> {
  id: string;
  name?: PlainText | null | undefined;
  status: string;
  virtual_size_bytes?: number | null | undefined;
}

interface System {
  id: string;
  name: PlainText;
}

/** The systems of a product, and own images with the disk that each needs: one input, so that never both are set. */
export function imageChoices(systems: readonly System[], own: readonly OwnImage[]): Choice[] {
  const ready = own.filter(({ status }) => status === "available");
  return [
    ...systems.map(({ id, name }) => ({ value: id, label: name })),
    ...ready.map(({ id, name, virtual_size_bytes: size, source_kind, source_url }) => ({
      value: id,
      label: name ?? id,
      description: [
        "your image",
        ...(size ? [`needs a disk of ${bytes(size)}`] : []),
        ...(source_kind ? [`from ${imageSource({ source_kind, source_url })}`] : []),
      ].join(", "),
    })),
  ];
}

/** Why an image that the member may look for is not in the list; null if all are. */
export function capturingWords(own: readonly OwnImage[]): string | null {
  const capturing = own.filter(({ status }) => status === "capturing").length;
  return capturing === 0
    ? null
    : `${capturing === 1 ? "1 image is" : `${capturing} images are`} still being captured, so not listed yet.`;
}

/** The chosen image as the platform takes it: a system of the product, or else an own image. */
export function chosenImage(
  image: string | undefined,
  systems: readonly System[],
): { osImage?: string; customImage?: string } {
  if (image === undefined) return {};
  return systems.some(({ id }) => id === image) ? { osImage: image } : { customImage: image };
}

interface Option {
  id: string;
  name?: PlainText | null | undefined;
}

/** So many of one option are in the list. Two choices of the same option add up. */
const mostListed = 100;
/** Of a product with more options than any has, fewer of each are in the list: a million choices took 20 s to match. */
const mostChoices = 20_000;

/** A choice of an option: "2 x <id>". */
export function optionValue(quantity: number, id: string): string {
  return `${quantity} x ${id}`;
}

/** Each option in its quantities: first each once, since most people want one. More than can be ordered is found, and not offered. */
export function optionChoices<O extends Option>(options: readonly O[], factsOf: (option: O) => PlainText): Choice[] {
  const listed = Math.max(1, Math.min(mostListed, Math.floor(mostChoices / options.length)));
  const quantities = Array.from({ length: listed }, (_, at) => at + 1);
  const described = options.map((option) => ({ option, most: mostOf(option), description: factsOf(option) }));
  return quantities.flatMap((quantity) =>
    described.map(({ option: { id, name = id }, most, description }) => {
      const called = name ?? id;
      const over = overMaximum(characters(called), quantity, most);
      return {
        value: optionValue(quantity, id),
        label: quantity === 1 ? called : plainly`${quantity} × ${called}`,
        aliases: [" x", "x", "×"].map((times) => plainly`${quantity}${times} ${called}`),
        ...(description ? { description } : {}),
        ...(over ? { closed: over } : {}),
      };
    }),
  );
}

/** The chosen options with their quantities. Throws where there are more of one than can be ordered. */
export function chosenOptions(
  chosen: readonly string[] | undefined,
  offered: readonly Option[],
): { id: string; quantity: number }[] {
  const quantities = new Map<string, number>();
  for (const one of chosen ?? []) {
    // An id alone is one of it.
    const [id = one, amount = "1"] = one.split(" x ", 2).reverse();
    quantities.set(id, (quantities.get(id) ?? 0) + Number(amount));
  }
  return [...quantities].map(([id, quantity]) => {
    const option = offered.find((each) => each.id === id);
    if (!option) throw wrongInput("options", "that one is not offered any more.");
    const over = overMaximum(characters(option.name ?? id), quantity, mostOf(option));
    if (over) throw wrongInput("options", `${over} Nothing was charged.`);
    return { id, quantity };
  });
}

export const optionsField = z.array(z.string()).max(50).optional();

/** A product may have a pattern of its own for it. */
export const hostnameField = z
  .string()
  .trim()
  .max(253)
  .optional()
  .meta({ title: "Host name", description: "A full one, such as web-4.example.com" });

/** Milliseconds until the next poll of an unpaid order. It waits for a person, and must not use up the key's hourly calls. */
export function unpaidPace({ since, now }: { since: number; now: number }): number {
  return Math.min(5 * 60_000, Math.max(30_000, (now - since) / 5));
}

/** The highest quantity of an add-on, if the platform names it or marks it as on/off; otherwise null. */
export function mostOf(row: object): number | null {
  const fields = new Map(Object.entries(row).map(([key, value]) => [key.replaceAll("_", "").toLowerCase(), value]));
  const most = fields.get("maxquantity") ?? fields.get("maximumquantity") ?? fields.get("quantitymax");
  if (typeof most === "number" && most > 0) return most;
  return /^(boolean|bool|toggle|checkbox|switch)$/.test(String(fields.get("type"))) ? 1 : null;
}

/** The sentence about a quantity over the maximum; null if it fits, or if nobody names a maximum. */
export function overMaximum(name: string, quantity: number, most: number | null): string | null {
  if (most === null || quantity <= most) return null;
  return `${name} can be ordered ${most === 1 ? "only once" : `at most ${figure(most)} times`}.`;
}
