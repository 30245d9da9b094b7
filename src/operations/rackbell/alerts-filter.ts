import * as z from "zod";
import { eventNames } from "../../alerts/events.ts";
import type { Filter } from "../../alerts/subscriptions.ts";
import { clip, listing } from "../../views/text.ts";

const words = z.array(z.string().max(200)).max(20).optional();

/** The events that a form lists: each group before its events. */
export const eventWords = Object.entries(Object.groupBy(eventNames, (name) => name.replace(/\..*/, ".*"))).flatMap(
  ([group, names = []]) => [group, ...names],
);

/** Names of events, separated by commas or spaces. `alone` is a word with a meaning of its own, if it is the only one. */
export function eventsField(alone: string | null = null) {
  return words
    .transform((given) => given?.flatMap((one) => one.split(/\s+/).filter((word) => word !== "")))
    .superRefine((given = [], context) => {
      if (given.length === 1 && given[0] === alone) return;
      const unknown = given.filter((word) => !isEventWord(word));
      if (unknown.length > 0) context.addIssue({ code: "custom", message: unknownWords(unknown) });
    });
}

function unknownWords(unknown: string[]): string {
  const none = listing(
    unknown.slice(0, 5).map((word) => `“${clip(word, 60)}”`),
    "or",
  );
  return `there is no event ${none}. Give names such as service.suspended, or service.* for all that begin so. The events: ${eventNames.join(", ")}.`;
}

export const filterFields = {
  events: eventsField().meta({
    title: "Events",
    description: "Such as service.*, order.payment_failed. Empty: all",
    options: eventWords,
  }),
  not: eventsField().meta({
    title: "But not these events",
    description: "Such as service.provisioned",
    options: eventWords,
  }),
  about: words.meta({
    title: "About",
    description: "Customers, orders or services, by a name or id, with commas. Empty: any",
  }),
  except: words.meta({ title: "But not about", description: "Customers, orders or services" }),
  product: words.meta({
    title: "Products",
    description: "By name, such as VPS M or VPS *. Events of an unknown product pass as well. Empty: any",
  }),
  "except-product": words.meta({ title: "But not these products", description: "By name, such as VPS M or VPS *" }),
};

/** The filter from its inputs. */
export function filterOf(input: z.output<z.ZodObject<typeof filterFields>>): Filter {
  const { events = [], not = [], about = [], except = [], product = [], "except-product": notProducts = [] } = input;
  return { events, notEvents: not, about, notAbout: except, products: product, notProducts };
}

function isEventWord(word: string): boolean {
  const wanted = word.toLowerCase();
  return wanted.endsWith("*")
    ? eventNames.some((name) => name.startsWith(wanted.slice(0, -1)))
    : eventNames.some((name) => name === wanted);
}
