import * as z from "#zod";
import type { Step } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { indexedKindOf, noTarget, type TargetKind } from "../../operation/target.ts";
import {
  type Availability,
  type Location,
  listLocations,
  listProducts,
  type ProductLocation,
  readAvailability,
  readProduct,
} from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { inOnePage } from "../../platform/http/pages.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { context, paragraphs, section } from "../../views/blocks.ts";
import { money } from "../../views/format.ts";
import { code, count, dotted, prose } from "../../views/text.ts";
import { headed } from "../kits/card.ts";
import { product } from "./product.ts";

/** The surcharge of a location: "+2.00 EUR a month and +5.00 EUR for the setup"; null if there is none. */
export function surchargeOf({ surcharge }: ProductLocation, currency: string | null): string | null {
  if (!surcharge) return null;
  const parts = [
    Number(surcharge.monthly) > 0 ? `+${money(surcharge.monthly, currency)} a month` : null,
    Number(surcharge.setup) > 0 ? `+${money(surcharge.setup, currency)} for the setup` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(" and ") : null;
}

/** One line of a location: its name, the code to type, and its peculiarities. */
export function placeLine(
  place: { value: string; name: string; sold_out: boolean; shared: boolean },
  more: (string | null)[] = [],
): string {
  return dotted([
    `${place.sold_out ? ":no_entry_sign:" : ":round_pushpin:"} ${prose(place.name, 80)} ${code(place.value, 60)}`,
    place.sold_out ? "sold out" : null,
    place.shared ? "run by a partner" : null,
    ...more,
  ]);
}

/** The meaning of each availability code for a member who wants to order (spec section 2.7). */
export const availabilityMeaning: Record<Availability["code"], string> = {
  available: "can be ordered now",
  no_capacity: "has no room at the moment",
  location_unavailable: "is not sold in this location",
  forced_unavailable: "is not sold at the moment: the operator has stopped it",
  plan_disabled: "is switched off by the operator",
  no_location: "has no location that the platform could check",
  unknown: "could not be checked. Ordering is still possible: the order shows whether there is room",
  sold_out: "is sold out",
  other: "is in a state that Rackbell does not know. The order shows whether there is room",
};

const refusing: readonly Availability["code"][] = [
  ...(["no_capacity", "location_unavailable", "forced_unavailable", "plan_disabled", "sold_out"] as const),
];

/**
 * True if the platform would refuse an order. A check that it could not make refuses nothing, and neither does one that lacks a location: the
 * form may not have asked for it yet. Spec section 7.
 */
export function refusesOrders(code: Availability["code"]): boolean {
  return refusing.includes(code);
}

/** "There is room in Madrid and Frankfurt.", or a sentence that there is none. */
export function placesLeft(locations: Availability["locations"]): string {
  const left = locations.filter(({ available }) => available).map(({ name }) => prose(name, 60));
  return left.length > 0 ? `There is room in ${left.join(", ")}.` : "No other location has room now.";
}

/** Data centres: server rows give the code that an order takes, and people know the name. Spec section 2.7. */
const place: TargetKind<"customer", Location> = {
  noun: "location",
  label: "location",
  ...inOnePage((client: CustomerClient) => listLocations(client.in(null))),
  read: () => Promise.reject(new Error("A location is read with all the others")),
  entry: ({ value, name }) => ({ id: value, name, aliases: [], state: "", detail: "" }),
  identity: {
    project: "The catalogue is of the whole account.",
    address: "A location has no address.",
    hostname: "A location has no host name.",
    location: "Its name is the place.",
    apart: "Nothing is done to a location.",
  },
};

/** The locations as the name index has them, for kinds whose rows have a code. */
export const locationNames = indexedKindOf(place);

/**
 * Returns a function from a location's code to its name. It returns the code if the catalogue does not name it or does not
 * answer, so that the server is still shown.
 */
export async function placeNames({
  listing,
}: Pick<CallContext<"customer">, "listing">): Promise<(value: string) => PlainText> {
  const { entries } = await listing(locationNames).catch(() => ({ entries: [] }));
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return (value) => names.get(value) ?? value;
}

export const locations = defineOperation({
  command: "catalog locations",
  summary: "List the locations where servers can be ordered, of all products or of one",
  example: '/catalog locations "VPS M"',
  act: listLocations,
  reads: [listProducts],
  risk: "read",
  target: noTarget,
  input: z.object({ product: z.string().optional().meta({ title: "Product" }) }),
  positional: "product",
  choices: {
    product: async ({ client }) => (await listProducts(client)).map(({ id, name }) => ({ value: id, label: name })),
  },
  async run({ client, input }) {
    const found = await listLocations(client, input.product ? [input.product] : []);
    const about = input.product ? " for this product" : "";
    if (found.length === 0) return { text: `There is no location to choose${about}.` };
    const headline = `*${count(found.length, "location")}*${about}`;
    const lines = found.map((place) =>
      placeLine(place, [!input.product && place.product_ids ? count(place.product_ids.length, "product") : null]),
    );
    return {
      text: headline,
      blocks: [
        section(headline),
        ...paragraphs(lines),
        context("Use the word in code marks in an order: `location=…`."),
      ],
    };
  },
});

export const availability = defineOperation({
  command: "catalog availability",
  summary: "Check now whether a product can be ordered, anywhere or in one location",
  example: '/catalog availability "VPS M"',
  act: readAvailability,
  reads: [readProduct],
  risk: "read",
  target: product,
  input: z.object({ location: z.string().optional().meta({ title: "Location", description: "Empty: anywhere" }) }),
  choices: {
    location: async ({ client, target }) =>
      (target.detail ?? (await readProduct(client, target.id))).locations.map(({ value, name }) => ({
        value,
        label: name,
        description: value,
      })),
  },
  async run({ client, target, input }) {
    const found = await readAvailability(client, target.id, input.location);
    const place = found.locations.find(({ value }) => value === input.location);
    const where = input.location ? ` in ${prose(place?.name ?? input.location, 80)}` : "";
    const mark = refusesOrders(found.code)
      ? ":no_entry_sign:"
      : found.available
        ? ":white_check_mark:"
        : ":grey_question:";
    const headline = `${mark} ${code(target.name)}${where} ${availabilityMeaning[found.code]}.`;
    const reason = found.reason && !found.available ? [`The platform says: ${prose(found.reason)}`] : [];
    const lines = found.locations.map(
      (one) =>
        `${one.available ? ":white_check_mark:" : refusesOrders(one.code) ? ":no_entry_sign:" : ":grey_question:"} ${prose(one.name, 80)} ${code(one.value, 60)} ${availabilityMeaning[one.code]}`,
    );
    const order: Step = {
      label: "Order…",
      command: "order new",
      input: { product: target.id, ...(input.location ? { location: input.location } : {}) },
      style: "primary",
    };
    return {
      ...headed(headline, paragraphs([...reason, ...lines])),
      next: [
        ...(refusesOrders(found.code) ? [] : [order]),
        {
          label: "Check again",
          command: "catalog availability",
          target: target.id,
          input: input.location ? { location: input.location } : {},
          replace: true,
        },
      ],
    };
  },
});
