import { Refusal, wrongInput } from "../../operation/errors.ts";
import { type ProductDetail, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import { billingCycles } from "../../platform/customer/orders.ts";
import { listProjects, type Project } from "../../platform/customer/projects.ts";
import { actions, type Block, button, context, section } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { capital, code, count, dotted, listing, prose, unmarked } from "../../views/text.ts";
import { availabilityMeaning, placesLeft, refusesOrders, surchargeOf } from "../catalog/places.ts";
import { cyclesOf, priceLine, rowCurrency } from "../catalog/product.ts";
import { optionFacts } from "../catalog/show.ts";
import {
  amountField,
  chosenOptions,
  cycleField,
  mostOptionFields,
  numberField,
  optionPrefix,
  selectField,
  textField,
  textOf,
} from "../kits/order-form.ts";
import type { OrderPage } from "../kits/order-pages.ts";
import { mostOf, overMaximum } from "../kits/quantity.ts";
import { specsOf } from "../kits/specs.ts";
import { projectChoice } from "../project/project.ts";
import { type Draft, isFirst, withCurrent } from "./draft.ts";

const hostnamePattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/** The second page: billing cycle, location, quantity and options. */
export const planPage: OrderPage<"customer", Draft> = {
  async view({ client }, draft) {
    const first = isFirst(draft);
    const [found, projects] = await Promise.all([
      readProduct(client, draft.current?.product ?? ""),
      first ? listProjects(client.in(null)) : [],
    ]);
    return {
      title: "Order: the plan",
      submit: "Next",
      blocks: [
        section(
          [`*${code(found.name)}* · ${priceLine(found)}`, specsOf(found.specs)].filter((line) => line).join("\n"),
        ),
        cycleField(
          cyclesOf(found).map(({ name, price }) => ({ cycle: name, price: price && unmarked(price) })),
          draft.current?.cycle ?? null,
        ),
        ...(first ? locationFields(found, draft) : [sharedNote(draft)]),
        numberField({ id: "quantity", label: "How many" }, draft.current?.quantity ?? 1, 1),
        ...(first
          ? [
              textField(
                { id: "hostname", label: "Host name", hint: "A full one, such as web-4.example.com", optional: true },
                draft.hostname,
              ),
              ...projectFields(projects, draft),
            ]
          : []),
        ...optionFields(found, draft),
        ...actions([button("Another product", "page:back", "product")]),
      ],
    };
  },
  check({ hostname, quantity }) {
    const errors: Record<string, string> = {};
    if (typeof hostname === "string" && hostname && !hostnamePattern.test(hostname.trim()))
      errors.hostname = "A full host name is needed, such as web-4.example.com.";
    if (typeof quantity === "string" && !/^[1-9]\d{0,3}$/.test(quantity))
      errors.quantity = "A whole number from 1 is needed.";
    return errors;
  },
  keep(draft, values) {
    const { current } = draft;
    if (!current || !("cycle" in values)) return draft;
    const location = typeof values.location === "string" ? values.location : null;
    return {
      ...draft,
      ...(isFirst(draft)
        ? { location, hostname: textOf(values, "hostname"), project: projectIn(textOf(values, "project")) }
        : {}),
      current: {
        ...current,
        cycle: billingCycles.find((cycle) => cycle === values.cycle) ?? null,
        quantity: Number(values.quantity ?? 1),
        options: chosenOptions(values),
      },
    };
  },
  async next({ client }, draft, pressed) {
    if (pressed?.verb === "back") return { page: "product", draft };
    const { current, location } = draft;
    if (!current?.cycle) throw wrongInput("cycle", "Choose a billing cycle.");
    const found = await readProduct(client, current.product);
    if (found.location_required && !location)
      throw wrongInput("location", "Choose a location: this product needs one.");
    refuseTooMany(found, current.options);
    const place = found.locations.find(({ value }) => value === location);
    const verdict = await readAvailability(client, found.id, location ?? undefined);
    if (refusesOrders(verdict.code)) {
      const where = place
        ? ` in ${prose(place.name, 80)}`
        : location
          ? ` in ${prose(draft.place || location, 80)}`
          : "";
      const apart = !isFirst(draft)
        ? " An order has one location: order this product by itself, or remove the other lines."
        : "";
      throw new Refusal(
        `${code(found.name)}${where} ${availabilityMeaning[verdict.code]}. ${placesLeft(verdict.locations)}${apart}`,
      );
    }
    const kept = { ...draft, place: place?.name ?? draft.place };
    return found.os_images.length > 0
      ? { page: "system", draft: kept }
      : { page: "order", draft: withCurrent(kept), notice: imagelessNote(found) };
  },
  // A server without a host name is nearly always an oversight, though the platform takes the order.
  asksMore: async (_, { hostname }) => hostname === "",
};

function refuseTooMany({ options = [] }: ProductDetail, chosen: Record<string, number>): void {
  for (const option of options ?? []) {
    const over = overMaximum(option.name ?? option.id, chosen[option.id] ?? 0, mostOf(option));
    if (over) throw wrongInput(`${optionPrefix}${option.id}`, over);
  }
}

function imagelessNote({ name }: ProductDetail): string {
  return `:information_source: The platform lists no system for ${code(name)}. If the product is a VPS, you cannot order it like this. Ask the operator.`;
}

function locationFields(found: ProductDetail, { location }: Draft): Block[] {
  const currency = rowCurrency(found);
  const open = found.locations.filter(({ sold_out }) => !sold_out);
  const full = found.locations.filter((place) => !open.includes(place));
  const blocks: Block[] = [];
  if (open.length > 0) {
    const choices = open.map((place) => {
      const description = dotted([
        surchargeOf(place, currency),
        place.shared ? "run by a partner" : null,
        // The platform may merely have failed to check, so offer the location and check again after the choice.
        place.available ? null : "perhaps no room now",
      ]);
      return { value: place.value, label: place.name, ...(description ? { description } : {}) };
    });
    blocks.push(
      selectField({ id: "location", label: "Location", optional: !found.location_required }, choices, location),
    );
  }
  if (full.length > 0)
    blocks.push(context(`:no_entry_sign: Sold out now: ${listing(full.map(({ name }) => prose(name, 60)))}.`));
  return blocks;
}

/** The value for "none chosen": a Slack menu cannot be emptied again. */
const noProject = "-";

function projectIn(value: string): string | null {
  return value === "" || value === noProject ? null : value;
}

/** Before the system: the own images and SSH keys depend on the project. */
function projectFields(all: Project[], { project }: Draft): Block[] {
  // List the draft's project first, so that Slack's limit of options never cuts it off.
  const projects = [...all.filter(({ id }) => id === project), ...all.filter(({ id }) => id !== project)];
  const choices = [
    { value: noProject, label: "Your project", description: "Your current project, or the default one" },
    ...projects.slice(0, limits.select.options - 1).map(projectChoice),
  ];
  const left = projects.length - choices.length + 1;
  return [
    selectField({ id: "project", label: "Project", optional: true }, choices, project ?? noProject),
    ...(left > 0 ? [context(`${count(left, "more project does", "more projects do")} not fit into this list.`)] : []),
  ];
}

function sharedNote({ location, place, hostname }: Draft): Block {
  const where = location ? `The location is the order's: ${prose(place || location, 80)}.` : "";
  return context(
    `${where}${hostname ? ` The host name is the order's: ${code(hostname)}.` : ""}`.trim() ||
      "The order has no location.",
  );
}

function optionFields(found: ProductDetail, { current }: Draft): Block[] {
  const all = found.options ?? [];
  const fields = all.slice(0, mostOptionFields).map((option) => {
    const facts = unmarked(optionFacts(option, found));
    const most = mostOf(option);
    const hint = capital(dotted([most === 1 ? null : "How many", facts]));
    return amountField(
      {
        id: `${optionPrefix}${option.id}`,
        label: option.name ?? option.id,
        ...(hint ? { hint } : {}),
        optional: true,
      },
      current?.options[option.id] ?? 0,
      most,
    );
  });
  const left = all.length - fields.length;
  return left > 0
    ? [
        ...fields,
        context(
          `${count(left, "more option does", "more options do")} not fit here. Add them to the service afterwards.`,
        ),
      ]
    : fields;
}
