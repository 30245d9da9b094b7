import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listLocations, listProducts } from "../../platform/customer/catalog.ts";
import { context, section } from "../../views/blocks.ts";
import { sections } from "../../views/lines.ts";
import { count } from "../../views/text.ts";
import { placeLine } from "./places.ts";

export const locations = defineOperation({
  command: "catalog locations",
  summary: "List the locations where servers can be ordered, of all products or of one",
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
        ...sections(lines),
        context("The word in code is what an order takes: `location=…`."),
      ],
    };
  },
});
