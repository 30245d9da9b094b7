import { actions, type Block, button, context, plain, section } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { code, count, dotted, prose } from "../../views/text.ts";
import { textField, textOf } from "../kits/order-form.ts";
import type { OrderPage } from "../kits/order-pages.ts";
import { type Draft, type Line, orderLimits, pastedKeys, userDataOf } from "./draft.ts";
import { orderSources } from "./where.ts";

/** The last page: all lines, and the inputs of the whole order. */
export const orderPage: OrderPage<"customer", Draft> = {
  async view(call, draft) {
    const { name } = await orderSources(call, draft.project);
    return {
      title: "The whole order",
      submit: "Review",
      blocks: [
        section(
          `*${count(draft.lines.length, "line")}*${whereOf(draft)}${name === null ? "" : ` in the project ${code(name, 60)}`}`,
        ),
        ...draft.lines.map(lineBlock),
        ...(draft.lines.length < orderLimits.lines
          ? actions([button("Add another line", "page:add", "line")])
          : [context(`An order has ${orderLimits.lines} lines at most.`)]),
        textField({ id: "discount", label: "Discount code", optional: true }, draft.discount),
        textField(
          {
            id: "template",
            label: "Save as a template",
            hint: "A name for the template. It leaves out host name, discount code, keys and user data.",
            optional: true,
          },
          draft.template,
        ),
        ...actions([button("Back to the last line", "page:back", "line")]),
        context("Nothing is ordered yet. First, only you see the price, with a button to order."),
      ],
    };
  },
  check({ template }): Record<string, string> {
    const long = typeof template === "string" && template.trim().length > 60;
    return long ? { template: "At most 60 characters are allowed." } : {};
  },
  keep(draft, values) {
    if (!("discount" in values)) return draft;
    return {
      ...draft,
      discount: textOf(values, "discount"),
      template: textOf(values, "template"),
    };
  },
  async next(_, draft, pressed) {
    const [act = "", id = ""] = pressed?.value.split(":") ?? [];
    const line = draft.lines.find((one) => one.id === id);
    if (pressed?.verb === "back") {
      const current = draft.lines.at(-1) ?? null;
      return { page: current?.image ? "system" : "plan", draft: { ...draft, current } };
    }
    if (pressed?.verb === "add") return { page: "product", draft: { ...draft, current: null } };
    if (pressed?.verb === "line" && act === "change" && line)
      return { page: "plan", draft: { ...draft, current: line } };
    if (pressed?.verb === "line" && act === "remove") {
      const lines = draft.lines.filter((one) => one.id !== id);
      // The lines decide location and host name, so removing the last line removes both.
      return lines.length > 0
        ? { page: "order", draft: { ...draft, lines } }
        : { page: "product", draft: { ...draft, lines, current: null, location: null, place: "", hostname: "" } };
    }
    return { page: "order", draft };
  },
};

function whereOf({ location, place, hostname }: Draft): string {
  return `${location ? ` in ${prose(place || location, 80)}` : ""}${hostname ? ` as ${code(hostname)}` : ""}`;
}

function lineBlock(line: Line, at: number): Block {
  const options = Object.values(line.options).reduce((sum, quantity) => sum + quantity, 0);
  const keys = line.keys.length + pastedKeys(line.pasted).length;
  const facts = dotted([
    `${line.quantity} × ${code(line.name, 80)}`,
    line.cycle,
    line.image?.startsWith("own:") ? "own image" : null,
    options > 0 ? count(options, "option") : null,
    keys > 0 ? count(keys, "SSH key") : null,
    userDataOf(line) ? `user data of ${count(userDataOf(line).length, "character")}` : null,
  ]);
  return {
    ...section(facts),
    accessory: {
      type: "overflow",
      action_id: `page:line:${at}`,
      options: [
        { text: plain("Change", limits.option.text), value: `change:${line.id}` },
        { text: plain("Remove", limits.option.text), value: `remove:${line.id}` },
      ],
    },
  };
}
