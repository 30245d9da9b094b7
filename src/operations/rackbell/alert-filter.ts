import * as z from "zod";
import { eventNames } from "../../engine/cards/events.ts";
import type { Filter } from "../../engine/cards/subscriptions.ts";

const words = z.array(z.string().max(200)).max(20).optional();
const eventWords = words.refine((given) => (given ?? []).every(isEventWord), {
  error: `give names such as service.suspended, or service.* for all that begin so. Rackbell tells of ${eventNames.join(", ")}.`,
});
export const filterFields = {
  events: eventWords.meta({ title: "Events", description: "Such as service.*, order.payment_failed. Empty: all" }),
  not: eventWords.meta({ title: "But not these events", description: "Such as service.provisioned" }),
  about: words.meta({ title: "About", description: "Customers, orders or services, by a name or id. Empty: any" }),
  except: words.meta({ title: "But not about", description: "Customers, orders or services" }),
  product: words.meta({
    title: "Products",
    description:
      "By name, such as VPS M or VPS *. What no reading key has shown the product of rings as well. Empty: any",
  }),
  "except-product": words.meta({ title: "But not these products", description: "By name, such as VPS M or VPS *" }),
};
export const mentionField = z.string().max(100).optional().meta({
  title: "Mention",
  description: "Who is called by a failure, a suspension or an end. A user group by the command: mention=@oncall",
  format: "person",
});

/** What a filter lets through, of what was given for it. */
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
