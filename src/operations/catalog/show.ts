import * as z from "#zod";
import { rowButton } from "../../messages/answers/buttons.ts";
import { listFields } from "../../messages/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listProducts, type Product, type ProductDetail, readProduct } from "../../platform/customer/catalog.ts";
import { type Block, paragraphs, section } from "../../views/blocks.ts";
import { cycleName } from "../../views/format.ts";
import { code, count, dotted, prose } from "../../views/text.ts";
import { card } from "../kits/card.ts";
import { beyondLast, pageWords } from "../kits/list.ts";
import { rowLine } from "../kits/row-words.ts";
import { specsOf } from "../kits/specs.ts";
import { placeLine, surchargeOf } from "./places.ts";
import { cyclesOf, priceLine, product, rowCurrency } from "./product.ts";

const rowsPerPage = 10;

export const products = defineOperation({
  command: "catalog products",
  synonyms: ["list", "ls", "prices", "plans"],
  summary: "List the products that can be ordered, with list prices",
  example: "/catalog products VPS",
  act: listProducts,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name" }),
    sort: z.enum(["name", "price"]).optional().meta({ title: "Sorted by" }),
    page: listFields.page,
  }),
  positional: "text",
  async run({ client, input, may }) {
    const { text, sort, page } = input;
    const found = (await listProducts(client)).filter(
      ({ name }) => !text || name.toLowerCase().includes(text.toLowerCase()),
    );
    if (sort === "name") found.sort((a, b) => a.name.localeCompare(b.name));
    if (sort === "price") found.sort((a, b) => monthlyOf(a) - monthlyOf(b));
    const about = text ? ` for “${prose(text, 80)}”` : "";
    if (found.length === 0) {
      return {
        text: `There are no products${about}.`,
        next: text ? [{ label: "All products", command: "catalog products", replace: true }] : [],
      };
    }
    const pages = Math.ceil(found.length / rowsPerPage);
    if (page > pages) return beyondLast("catalog products", { text, sort }, { page, pages, many: "products" });
    const headline = `*${count(found.length, "product")}*${about}${pageWords(page, pages)}`;
    const rows = found.slice((page - 1) * rowsPerPage, page * rowsPerPage).map(row);
    const kept = { ...(text ? { text } : {}), ...(sort ? { sort } : {}) };
    const to = (label: string, at: number) => ({
      label,
      command: "catalog products",
      input: { ...kept, page: at },
      replace: true,
    });
    return {
      text: headline,
      blocks: [section(headline), ...rows],
      next: [
        ...(page > 1 ? [to("Back", page - 1)] : []),
        ...(page < pages ? [to("Next", page + 1)] : []),
        ...(may("order new") ? [{ label: "Order…", command: "order new" }] : []),
      ],
    };
  },
});

function row(product: Product): Block {
  const open = rowButton("Open", { command: "catalog show", target: product.id }, product.id);
  const specs = specsOf(product.specs);
  return section(`:package: ${code(product.name, 60)}${specs ? ` · ${specs}` : ""}\n${priceLine(product)}`, open);
}

function monthlyOf({ monthly_price: monthly }: Product): number {
  return monthly === null || monthly === undefined ? Number.POSITIVE_INFINITY : Number(monthly);
}

export const show = defineOperation({
  command: "catalog show",
  synonyms: ["info", "details"],
  summary: "Show a product: cycles and prices, options, systems, locations",
  example: '/catalog show "VPS M"',
  act: readProduct,
  risk: "read",
  target: product,
  input: z.object({}),
  async run({ client, target }) {
    const found = target.detail ?? (await readProduct(client, target.id));
    const specs = specsOf(found.specs);
    return card({
      text: `${code(found.name)}: ${priceLine(found)}.`,
      title: `:package: *${code(found.name)}* · ${priceLine(found)}`,
      lines: [specs],
      facts: [
        ["Systems", namesOf(found.os_images) || "none enabled"],
        ["Locations", namesOf(found.locations.filter(({ available, sold_out: full }) => available && !full))],
      ],
      details: [
        ...paragraphs([
          "*Billing cycles*",
          ...cyclesOf(found).map(
            ({ name, price, fees }) => `• ${cycleName(name)}: ${dotted([price ?? "price unknown", ...fees])}`,
          ),
        ]),
        ...paragraphs(imageLines(found)),
        ...paragraphs(optionLines(found)),
        ...paragraphs(locationLines(found)),
      ],
      id: `Prices are before tax. Product ${code(found.id)}`,
      next: [
        { label: "Order…", command: "order new", input: { product: found.id }, style: "primary" },
        { label: "Is it available?", command: "catalog availability", target: found.id },
      ],
    });
  },
});

const mostNamed = 5;

function namesOf(all: { name: string }[]): string {
  const names = all.slice(0, mostNamed).map(({ name }) => prose(name, 60));
  return [...names, ...(all.length > mostNamed ? [`${all.length - mostNamed} more`] : [])].join(", ");
}

function imageLines({ os_images: images, default_os_image_id: preset }: ProductDetail): string[] {
  if (images.length === 0)
    return [
      "*Systems*",
      "No system is enabled for this product. A VPS without a system cannot be ordered: ask the platform's operator.",
    ];
  return ["*Systems*", ...images.map(({ id, name }) => `• ${prose(name, 100)}${id === preset ? " (default)" : ""}`)];
}

/** The facts of an option in words. The contract does not describe the fields beside its name. */
export function optionFacts(
  option: { id: string; name?: string | null | undefined },
  product: Record<string, unknown>,
): string {
  const rest = Object.fromEntries(
    Object.entries(option).filter(([key]) => key !== "name" && !/^(type|max_?quantity)$/i.test(key)),
  );
  return rowLine(rest, rowCurrency(product));
}

function optionLines(found: ProductDetail): string[] {
  const { options } = found;
  if (!options) return ["*Options*", "The platform does not show them."];
  if (options.length === 0) return ["*Options*", "None."];
  return [
    "*Options*",
    ...options.map((option) => {
      const facts = optionFacts(option, found);
      return `• ${prose(option.name ?? option.id, 100)}${facts ? ` · ${facts}` : ""}`;
    }),
  ];
}

function locationLines(found: ProductDetail): string[] {
  const { locations, location_required: required } = found;
  if (locations.length === 0) return ["*Locations*", required ? "None at the moment." : "None to choose."];
  const currency = rowCurrency(found);
  return [
    `*Locations*${required ? " (one must be chosen)" : ""}`,
    ...locations.map((place) =>
      placeLine({ ...place, sold_out: place.sold_out || !place.available }, [surchargeOf(place, currency)]),
    ),
  ];
}
