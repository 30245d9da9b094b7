import { matchTarget } from "../../../access/resolve.ts";
import type { CallContext } from "../../../operation/call-context.ts";
import { indexedKindOf } from "../../../operation/target.ts";
import { characters } from "../../../plain-text.ts";
import { billingCycles, pricesOf } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { type Product, type ProductSchema, readProductSchema } from "../../../platform/reseller/products.ts";
import { clip, code } from "../../../views/text.ts";
import { cycleChoice, findTyped, type TypedFaults, typedImages, typedQuantity } from "../../kits/order-form.ts";
import { customer } from "../customer.ts";
import { placesOf } from "../product/schema-fields.ts";
import { type Draft, most } from "./draft.ts";
import { needsPlace } from "./page-plan.ts";

/** Fills the draft with the typed values that its product has. Each other value is a fault. */
export async function withTyped(
  { client }: CallContext<"reseller">,
  product: Product,
  draft: Draft,
): Promise<{ draft: Draft; faults: TypedFaults }> {
  const { typed } = draft;
  const faults: TypedFaults = {};
  const schema = typed.location || typed.image ? await readProductSchema(client, product.id) : null;
  const cycles = pricesOf(product.pricing).map(({ cycle }) => cycleChoice(cycle));
  const cycle = findTyped("cycle", typed.cycle, cycles, faults);
  const systems = schema?.osImages ?? [];
  // A product without systems has no field for an image.
  const images = typed.image && systems.length > 0 ? typedImages(systems, await listCapturedImages(client)) : [];
  return {
    draft: {
      ...draft,
      cycle: billingCycles.find((one) => one === cycle) ?? draft.cycle,
      location: schema ? placeIn(schema, typed.location, faults) : draft.location,
      quantity: typedQuantity(typed.quantity, most.quantity, faults) ?? draft.quantity,
      image: findTyped("image", typed.image, images, faults) ?? draft.image,
    },
    faults,
  };
}

/** The typed datacentre. The form has a text field for it if the platform's list is unreadable: that begins with the typed text. */
function placeIn(schema: ProductSchema, typed: string | undefined, faults: TypedFaults): string | null {
  const places = placesOf(schema);
  if (places.length === 0 && needsPlace(schema)) return typed ?? null;
  return findTyped("location", typed, places, faults);
}

/** The partner's own id of the typed customer. An unknown text is the own id of a new customer, which the notice says. */
export async function customerOf(
  call: CallContext<"reseller">,
  typed: string | undefined,
): Promise<{ id: string; faults: TypedFaults; notice: string }> {
  if (typed === undefined) return { id: "", faults: {}, notice: "" };
  const match = matchTarget((await call.listing(indexedKindOf(customer))).entries, typed);
  if (match.kind === "one") return { id: characters(match.entry.aliases[0] ?? typed), faults: {}, notice: "" };
  if (match.kind === "ambiguous") {
    const why = `More than one customer is called “${clip(typed, 100)}”: choose one on the last page.`;
    return { id: "", faults: { customer: why }, notice: "" };
  }
  const notice = `:information_source: You have no customer ${code(typed, 100)} yet. The order creates one with this id.`;
  return { id: typed, faults: {}, notice };
}
