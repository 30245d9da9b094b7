import type { Availability, ProductLocation } from "../../platform/customer/catalog.ts";
import { money } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";

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
  const parts = [
    `${place.sold_out ? ":no_entry_sign:" : ":round_pushpin:"} ${prose(place.name, 80)} ${code(place.value, 60)}`,
    place.sold_out ? "sold out" : null,
    place.shared ? "run by a partner" : null,
    ...more,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** The meaning of each availability code for a member who wants to order (spec section 2.7). */
export const availabilityMeaning: Record<Availability["code"], string> = {
  available: "can be ordered now",
  no_capacity: "has no room at the moment",
  location_unavailable: "is not sold there",
  forced_unavailable: "is not sold at the moment: the operator has stopped it",
  plan_disabled: "is switched off by the operator",
  no_location: "has no location where it could be built",
  unknown: "could not be checked; it can still be ordered, and the order tells",
  sold_out: "is sold out",
};

/** True if the platform would refuse an order. A check that it could not make refuses nothing. */
export function refusesOrders(code: Availability["code"]): boolean {
  return code !== "available" && code !== "unknown";
}

/** "There is room in Madrid and Frankfurt.", or a sentence that there is none. */
export function placesLeft(locations: Availability["locations"]): string {
  const left = locations.filter(({ available }) => available).map(({ name }) => prose(name, 60));
  return left.length > 0 ? `There is room in ${left.join(", ")}.` : "No other location has room now.";
}
