import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import { section } from "../../views/blocks.ts";
import { sections } from "../../views/lines.ts";
import { code, prose } from "../../views/text.ts";
import { availabilityMeaning, refusesOrders } from "./places.ts";
import { product } from "./product.ts";

export const availability = defineOperation({
  command: "catalog availability",
  summary: "Check now whether a product can be ordered, anywhere or in one location",
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
    const order = {
      label: "Order…",
      command: "order new",
      input: { product: target.id, ...(input.location ? { location: input.location } : {}) },
      style: "primary" as const,
    };
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...sections([...reason, ...lines])],
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
