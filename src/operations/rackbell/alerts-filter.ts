import * as z from "zod";
import { alertEventNames } from "../../alerts/events.ts";
import { type Filter, matchesPattern } from "../../alerts/subscriptions.ts";
import { clip, code, listing } from "../../views/text.ts";

const customersToServices = "Customers, orders or services";
const productHint = "By name, such as VPS M or VPS *";

/** The values of a filter, in the order of its forms: `hint` where it is new, `cleared` for the word that clears it where it changes. */
const values = {
  events: {
    title: "Events",
    hint: "Such as service.*, order.payment_failed. Empty: all",
    cleared: "Empty: as they are; none: all",
  },
  not: {
    title: "But not these events",
    hint: "Such as service.provisioned",
    cleared: "Empty: as it is; none: no such",
  },
  about: {
    title: "About",
    hint: `${customersToServices}, by a name or id, with commas. Empty: any`,
    cleared: "Empty: as it is; none: about everything",
  },
  except: { title: "But not about", hint: customersToServices, cleared: "Empty: as it is; none: no such" },
  product: {
    title: "Products",
    hint: `${productHint}. Events of an unknown product pass as well. Empty: any`,
    cleared: "Empty: as it is; none: any product",
  },
  "except-product": { title: "But not these products", hint: productHint, cleared: "Empty: as it is; none: no such" },
};
type ValueName = keyof typeof values;
type Form = "new" | "changed";

/** The word that clears a value where an empty field leaves it as it is. */
export const clears = "none";

const words = z.array(z.string().max(200)).max(20).optional();
/** The events that a form lists: each group before its events. */
const options = Object.entries(Object.groupBy(alertEventNames, (name) => name.replace(/\..*/, ".*"))).flatMap(
  ([group, names = []]) => [group, ...names],
);

/** Names of events, separated by commas or spaces. */
function eventList(form: Form) {
  return words
    .transform((given) => given?.flatMap((one) => one.split(/\s+/).filter((word) => word !== "")))
    .superRefine((given = [], context) => {
      if (form === "changed" && given.length === 1 && given[0] === clears) return;
      const unknown = given.filter((word) => !alertEventNames.some((event) => matchesPattern(word, event)));
      if (unknown.length > 0) context.addIssue({ code: "custom", message: unknownWords(unknown) });
    });
}

function field(name: ValueName, form: Form) {
  const { title, hint, cleared } = values[name];
  const isOfEvents = name === "events" || name === "not";
  const list = isOfEvents ? eventList(form) : words;
  return list.meta({
    title,
    description: form === "new" ? hint : cleared,
    ...(isOfEvents ? { options } : {}),
    ...(form === "new" ? {} : { clearable: true }),
  });
}

/** The inputs of a new filter, or of a change of one. */
export function filterFields(form: Form) {
  return {
    events: field("events", form),
    not: field("not", form),
    about: field("about", form),
    except: field("except", form),
    product: field("product", form),
    "except-product": field("except-product", form),
  };
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

/** The filter from its inputs. An empty one is as in `before`, which without a filter before includes all. */
export function filterOf(input: FilterInput, before?: Filter): Filter {
  const old: FilterInput = before ? filterValues(before) : {};
  const list = (name: ValueName) => {
    const given = input[name];
    if (!given?.length) return old[name] ?? [];
    return before && given.length === 1 && given[0] === clears ? [] : given;
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

/** "every event, but not `order.paid`", as the rest of a sentence. */
export function filterWords({ events, notEvents, about, notAbout, products, notProducts }: Filter): string {
  const named = (list: string[]) => listing(list.map((word) => code(word)));
  const parts = [
    events.length > 0 ? named(events) : "every event",
    notEvents.length > 0 ? `but not ${named(notEvents)}` : "",
    about.length > 0 ? `about ${named(about)} alone` : "",
    notAbout.length > 0 ? `but not about ${named(notAbout)}` : "",
    products.length > 0 ? `of ${named(products)} alone` : "",
    notProducts.length > 0 ? `but not of ${named(notProducts)}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}
