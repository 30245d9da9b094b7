import * as z from "#zod";
import type { EventSubject } from "../../alerts/event-log.ts";
import { alertEventNames } from "../../alerts/events.ts";
import { type Filter, matchesPattern } from "../../alerts/subscriptions.ts";
import { clip, code, listing } from "../../views/text.ts";

const customersToServices = "Customers, orders or services";
const productHint = "By name, such as VPS M or VPS *";

/** The values of a filter, in the order of its form. */
const values = {
  events: { title: "Events", description: "Such as service.*, order.payment_failed. Empty: all" },
  not: { title: "But not these events", description: "Such as service.provisioned" },
  about: { title: "About", description: `${customersToServices}, by a name or id, with commas. Empty: any` },
  except: { title: "But not about", description: customersToServices },
  product: {
    title: "Products",
    description: `${productHint}. Events of an unknown product pass as well. Empty: any`,
  },
  "except-product": { title: "But not these products", description: productHint },
};
type ValueName = keyof typeof values;

/** The word that clears a value where an empty field leaves it as it is. */
export const clears = "none";

const words = z.array(z.string().max(200)).max(20).optional();
/** The events that a form lists: each group before its events. */
const options = Object.entries(Object.groupBy(alertEventNames, (name) => name.replace(/\..*/, ".*"))).flatMap(
  ([group, names = []]) => [group, ...names],
);

/** Names of events, separated by commas or spaces. */
const eventList = words
  .transform((given) => given?.flatMap((one) => one.split(/\s+/).filter((word) => word !== "")))
  .superRefine((given = [], context) => {
    if (isCleared(given)) return;
    const unknown = given.filter((word) => !alertEventNames.some((event) => matchesPattern(word, event)));
    if (unknown.length > 0) context.addIssue({ code: "custom", message: unknownWords(unknown) });
  });

/** The inputs of a filter. One that is left out stays as it is; `none` clears it. */
export const filterFields = {
  events: eventList.meta({ ...values.events, options, clearable: true }),
  not: eventList.meta({ ...values.not, options, clearable: true }),
  about: words.meta({ ...values.about, clearable: true }),
  except: words.meta({ ...values.except, clearable: true }),
  product: words.meta({ ...values.product, clearable: true }),
  "except-product": words.meta({ ...values["except-product"], clearable: true }),
};

function isCleared(given: readonly string[]): boolean {
  return given.length === 1 && given[0] === clears;
}

/** The list that was typed; the word that clears it stands for none. */
export function listTyped(given: readonly string[]): readonly string[] {
  return isCleared(given) ? [] : given;
}
type FilterInput = { [name in ValueName]?: string[] | undefined };

function unknownWords(unknown: string[]): string {
  const none = listing(
    unknown.slice(0, 5).map((word) => `“${clip(word, 60)}”`),
    "or",
  );
  return `there is no event ${none}. Give names such as service.suspended, or service.* for all that begin so. The events: ${alertEventNames.join(", ")}.`;
}

/** The inputs that make the same filter again. */
export function filterValues({ events, notEvents, about, notAbout, products, notProducts }: Filter) {
  return { events, not: notEvents, about, except: notAbout, product: products, "except-product": notProducts };
}

/** The filter from its inputs. An empty one is as before, and includes all where there was none. */
export function filterOf(input: FilterInput, before?: Filter): Filter {
  const old: FilterInput = before ? filterValues(before) : {};
  const list = (name: ValueName) => {
    const given = input[name];
    if (!given?.length) return old[name] ?? [];
    return [...listTyped(given)];
  };
  return {
    events: list("events"),
    notEvents: list("not"),
    about: list("about"),
    notAbout: list("except"),
    products: list("product"),
    notProducts: list("except-product"),
  };
}

/** The name by which a reader knows a resource; null for one that they may not see. */
export type NameOf = (subject: EventSubject) => string | null;

/** For admins and for the audit. */
export function storedName({ about, name }: EventSubject): string {
  return name ?? about;
}

/** The resources that a filter names. */
export function subjectsOf({ about, notAbout }: Pick<Filter, "about" | "notAbout">): EventSubject[] {
  return [...about, ...notAbout].map((word) => ({ about: word, name: null }));
}

/** "every event, but not `order.paid`", as the rest of a sentence. Resources without a name for the reader are left out, and it says so. */
export function filterWords(
  { events, notEvents, about, notAbout, products, notProducts }: Filter,
  nameOf: NameOf,
): string {
  const named = (list: string[]) => listing(list.map((word) => code(word)));
  const namesOf = (list: string[]) => list.flatMap((word) => nameOf({ about: word, name: null }) ?? []);
  const seen = (list: string[]) => {
    const shown = namesOf(list);
    return listing([...shown.map((word) => code(word)), ...(shown.length < list.length ? [unlistedWords] : [])]);
  };
  const isWhole = namesOf(about).length === about.length;
  const parts = [
    events.length > 0 ? named(events) : "every event",
    notEvents.length > 0 ? `but not ${named(notEvents)}` : "",
    about.length > 0 ? (isWhole ? `about ${seen(about)} alone` : `only about ${seen(about)}`) : "",
    notAbout.length > 0 ? `but not about ${seen(notAbout)}` : "",
    products.length > 0 ? `of ${named(products)} alone` : "",
    notProducts.length > 0 ? `but not of ${named(notProducts)}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** The words in place of names that the reader may not see. */
export const unlistedWords = "resources that your keys do not list";
