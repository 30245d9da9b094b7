import type { CallContext } from "../../operation/call-context.ts";
import type { ProductDetail } from "../../platform/customer/catalog.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { billingCycles } from "../../platform/customer/orders.ts";
import { clip } from "../../views/text.ts";
import { cyclesOf } from "../catalog/product.ts";
import { cycleChoice, findTyped, type TypedFaults, typedImages, typedQuantity } from "../kits/order-form.ts";
import { type Draft, isFirst } from "./draft.ts";
import { orderSources } from "./where.ts";

/** The most of one product in a line. */
const mostOfOne = 9_999;

/**
 * Fills the current line with the typed values that its product has. Each other value is a fault of the first line. Later lines get the billing
 * cycle alone, where their product has it: nobody typed a value for them, so none is a fault.
 */
export async function withTyped(
  call: CallContext<"customer">,
  found: ProductDetail,
  draft: Draft,
): Promise<{ draft: Draft; faults: TypedFaults }> {
  const { current, typed } = draft;
  if (!current) return { draft, faults: {} };
  const faults: TypedFaults = {};
  const named = findTyped(
    "cycle",
    typed.cycle,
    cyclesOf(found).map(({ name }) => cycleChoice(name)),
    faults,
  );
  const cycle = billingCycles.find((one) => one === named) ?? current.cycle;
  if (!isFirst(draft)) return { draft: { ...draft, current: { ...current, cycle } }, faults: {} };
  const place = placeIn(found, typed.location, faults);
  const own = typed.image ? await listCustomImages((await orderSources(call, draft.project)).client) : [];
  const images = typed.image ? typedImages(found.os_images, own) : [];
  return {
    draft: {
      ...draft,
      ...(place ? { location: place.value, place: place.name } : {}),
      current: {
        ...current,
        cycle,
        quantity: typedQuantity(typed.quantity, mostOfOne, faults) ?? current.quantity,
        image: findTyped("image", typed.image, images, faults) ?? current.image,
      },
    },
    faults,
  };
}

function placeIn({ locations }: ProductDetail, typed: string | undefined, faults: TypedFaults) {
  const choices = locations.map(({ value, name }) => ({ value, label: name }));
  const value = findTyped("location", typed, choices, faults);
  const place = locations.find((one) => one.value === value);
  if (!place?.sold_out) return place;
  faults.location = `“${clip(place.name, 60)}” is sold out for this product: choose another location.`;
  return undefined;
}
